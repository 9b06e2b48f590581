"""Main text or appendix: where a paper's own argument ends."""

from __future__ import annotations

from claimdex.paper import Paper, PassageKind, SectionKind


def main_text(paper: Paper) -> frozenset[str]:
    """Ids of the passages that stand before the references and appendices."""
    late = {s.id for s in paper.sections if s.kind in (SectionKind.REFERENCES, SectionKind.APPENDIX)}
    for at, passage in enumerate(paper.passages):
        if passage.kind is PassageKind.REFERENCE or passage.section in late:
            return frozenset(p.id for p in paper.passages[:at])
    return frozenset(p.id for p in paper.passages)
