"""Sentences of a paper that may state one of its claims, with where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from claimdex.extract.rules.cues import ruled_out
from claimdex.extract.sentences import sentences
from claimdex.paper import Paper, Passage, PassageKind, Section, SectionKind
from claimdex.text import normalise

_PROSE = (
    PassageKind.ABSTRACT,
    PassageKind.PARAGRAPH,
    PassageKind.LIST_ITEM,
    PassageKind.CAPTION,
    PassageKind.FOOTNOTE,
)
_LEFT_OUT = (
    SectionKind.RELATED_WORK,
    SectionKind.REFERENCES,
    SectionKind.ACKNOWLEDGEMENTS,
    SectionKind.LIMITATIONS,
)
_MIN_WORDS, _MAX_WORDS = 5, 90
_MAX_SYMBOLS = 0.3
"""Share of symbols (:func:`symbol_share`) above which a sentence is a formula."""

_OPENS = re.compile(r"[\W_]*(?:[A-Z0-9]|[a-z]+[A-Z-]|(?:i|ii|iii|iv|[a-z])\))")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|may|might|will|must|should|"
    r"[a-z]{2,}(?:s|ed)|show|find|prove|found|held|led|made|took|gave|beat|outperform|achieve|"
    r"improve|perform|need|"
    r"reduce|increase|obtain|reach|converge|exhibit|lead|hold|use|give|yield|remain|provide|"
    r"require|tend|become)\b"
)

_SAID = re.compile(
    r"\b(?:is|are|was|were|has|have|do|does|can|cannot|outperforms?|achieves?|improves?|"
    r"reduces?|increases?|decreases?|performs?|converges?|"
    r"reaches|leads?|requires?|remains?|shows? that|observe|find|helps?|allows?|exceeds?|"
    r"matches|prevents?|provides?|gives?|works?|"
    r"fails?|grows?|drops?|enables?|yields?|learns?|beats|benefits?)\b"
)
"""Verbs that make a caption a statement; most captions are noun phrases."""


@dataclass(frozen=True)
class Candidate:
    """A sentence ``passage.text[start:end]`` and its surroundings.

    ``index`` counts the sentences of the passage; ``place`` is where the passage stands in the paper, 0 to 1;
    ``main`` is false behind the references.
    """

    passage: Passage
    start: int
    end: int
    section: Section | None
    index: int
    count: int
    place: float
    before: str
    after: str
    main: bool

    @cached_property
    def text(self) -> str:
        """The sentence in plain characters."""
        return normalise(self.passage.text[self.start : self.end])

    @property
    def text_with_marks(self) -> str:
        """The sentence as printed, powers and indices included."""
        return self.passage.text[self.start : self.end]

    @property
    def span(self) -> tuple[str, int, int]:
        """Passage id, start and end."""
        return (self.passage.id, self.start, self.end)

    @property
    def kind(self) -> SectionKind:
        """Kind of its section; text outside all sections is ``OTHER``."""
        return self.section.kind if self.section else SectionKind.OTHER


def candidates(paper: Paper, main: frozenset[str]) -> list[Candidate]:
    """Sentences that nothing rules out, in reading order; ``main`` holds the ids of the main text's passages.

    Hidden text, references, acknowledgements, related work, limitations, proofs, headings and formulas
    are never read; of an appendix every prose sentence is, and the scorer decides.
    """
    return [c for c in _sentences(paper, main) if _may_claim(c)]


def _sentences(paper: Paper, main: frozenset[str]) -> Iterator[Candidate]:
    sections = {s.id: s for s in paper.sections}
    total = max(1, len(paper.passages))
    for at, passage in enumerate(paper.passages):
        section = sections.get(passage.section) if passage.section else None
        if not passage.visible or passage.kind not in _PROSE or (section and section.kind in _LEFT_OUT):
            continue
        found = sentences(passage.text)
        texts = [normalise(passage.text[s.start : s.end]) for s in found]
        for i, sentence in enumerate(found):
            yield Candidate(
                passage,
                sentence.start,
                sentence.end,
                section,
                i,
                len(found),
                at / total,
                texts[i - 1] if i else "",
                texts[i + 1] if i + 1 < len(found) else "",
                passage.id in main,
            )


def _may_claim(candidate: Candidate) -> bool:
    text = candidate.text
    size = len(text.split())
    if candidate.section and re.match(r"(?:omitted )?proofs?\b", candidate.section.title, re.I):
        return False
    if "\ufffd" in text:
        return False
    if not _MIN_WORDS <= size <= _MAX_WORDS or not _OPENS.match(text):
        return False
    if candidate.passage.kind is PassageKind.CAPTION and not _SAID.search(text):
        return False
    if symbol_share(text) > _MAX_SYMBOLS or not _FINITE.search(text):
        return False
    return ruled_out(text) is None


def symbol_share(text: str) -> float:
    """Share of the characters that are no words of two letters, digits, spaces or plain punctuation."""
    if not text:
        return 0.0
    plain = len(re.findall(r"[A-Za-z]{2,}|[ .,;:'\"%()\-/]|\d", text))
    letters = sum(len(w) - 1 for w in re.findall(r"[A-Za-z]{2,}", text))
    return max(0.0, 1 - (plain + letters) / len(text))
