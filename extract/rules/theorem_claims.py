"""Theorems, propositions and corollaries of the main text as drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimdex.claim import Anchor, AnchorKind, ClaimType, Draft, TheoremDetails
from claimdex.extract.rules.cleaning import finished, plain_math
from claimdex.extract.sentences import sentences
from claimdex.paper import Paper, Passage, PassageKind, SectionKind

_STATED = re.compile(r"^(?P<kind>Theorem|Proposition|Corollary|Lemma|Claim|Fact)\b")
_HEAD = re.compile(
    r"^\s*(?:Theorem|Proposition|Corollary|Lemma|Claim|Fact)\s*[A-Z]?[\d.]*\d?\s*(?:\((?:[^()]|"
    r"\([^()]*\))*\))?\s*[.:]?\s*"
)
_PRIOR_NAME = re.compile(r"\b(?:19|20)\d\d\b|\bet al\b|\[\d|\b(?:from|see|cf)\b", re.I)
_ASSUMES = re.compile(
    r"^(?:Suppose|Assume|Let|Under|Given|If|Consider|For (?:any|all|every|each|a|an)\b|Fix|"
    r"In the|With(?:out)?\b|When|Take|There exists?)",
    re.I,
)
_CONCLUDES = re.compile(
    r"\b(?:[Tt]hen\b|[Ii]t holds that|[Ww]e have(?: that)?\b|[Ww]e get(?: that)?\b|there "
    r"(?:exists?|is)\b|[Tt]hus\b|[Hh]ence\b|[Tt]herefore\b)"
)
_UNDER = re.compile(
    r"\b(?:under|in addition to|satisf(?:y|ies|ying)) (?P<what>(?:the )?(?:Assumptions?|"
    r"Conditions?) [A-Z]?\d[\w.]*(?:(?:,| and|, and|-| to) [A-Z]?\d[\w.]*)*)",
    re.I,
)
_MAX_CHARS = 600
_MAX_LEMMAS = 2
"""Lemmas of the main text are results of their own only where there are this few; else they serve proofs."""
_GARBLED = re.compile(r"[�⌘⌦⇢⇥]|\(cid:")


@dataclass(frozen=True)
class Statement:
    """A theorem-like passage and the formulas and items that belong to it."""

    passage: Passage
    following: tuple[Passage, ...]

    @property
    def label(self) -> str:
        """Its printed label."""
        return self.passage.label or ""


def theorem_drafts(paper: Paper, main: frozenset[str]) -> list[Draft]:
    """A draft for each result of the main text (``main``: its passage ids) that is not another paper's.

    ``score`` is 0 here. Lemmas that serve proofs, definitions, remarks and assumptions are left out.
    """
    found = list(_statements(paper, main))
    lemmas = [s for s in found if s.label.startswith("Lemma")]
    if len(lemmas) > _MAX_LEMMAS:
        found = [s for s in found if not s.label.startswith("Lemma")]
    drafts = [_draft(paper, s) for s in found]
    return [d for d in drafts if d is not None]


def _statements(paper: Paper, main: frozenset[str]) -> Iterator[Statement]:
    sections = {s.id: s.kind for s in paper.sections}
    for at, passage in enumerate(paper.passages):
        if (
            passage.kind is not PassageKind.THEOREM
            or not passage.visible
            or not _STATED.match(passage.label or "")
        ):
            continue
        kind = sections.get(passage.section) if passage.section else None
        if passage.id not in main or kind is SectionKind.RELATED_WORK:
            continue
        if passage.name and _PRIOR_NAME.search(passage.name):
            continue
        yield Statement(passage, tuple(_following(paper.passages[at + 1 : at + 5])))


def _following(passages: Sequence[Passage]) -> Iterator[Passage]:
    for passage in passages:
        if passage.kind not in (PassageKind.EQUATION, PassageKind.LIST_ITEM):
            return
        yield passage


def _draft(paper: Paper, statement: Statement) -> Draft | None:
    passage = statement.passage
    head = _HEAD.match(passage.text)
    start = head.end() if head else 0
    body = passage.text[start:]
    parts = [body[s.start : s.end] for s in sentences(body)]
    parts += [p.text for p in statement.following]
    said = [plain_math(p) for p in parts]
    text = trimmed(said)
    if len(text) < 20 or _GARBLED.search(text) or _PRIOR_NAME.search(text[:60]):
        return None
    name = f" ({passage.name})" if passage.name else ""
    conclusion = conclusion_of(said)
    label = statement.label
    return Draft(
        text=f"{label}{name}: {text}",
        type=ClaimType.THEOREM,
        details=TheoremDetails(
            kind=label.split()[0].lower(),
            label=label,
            name=passage.name,
            assumptions=assumptions_of(said),
            conclusion=conclusion,
            proof_page=_proof_page(paper, passage),
        ),
        spans=((passage.id, 0, len(passage.text)), *((p.id, 0, len(p.text)) for p in statement.following)),
        anchor=Anchor(kind=AnchorKind.THEOREM, label=label),
    )


def trimmed(said: Sequence[str]) -> str:
    """The statement's sentences in order, whole, within 600 characters: conclusions before remarks."""
    if sum(len(s) + 1 for s in said) <= _MAX_CHARS:
        return finished(" ".join(said))
    order = sorted(
        range(len(said)), key=lambda i: (not _CONCLUDES.search(said[i]), not _ASSUMES.match(said[i]), i)
    )
    kept: list[int] = []
    room = _MAX_CHARS
    for i in order:
        if len(said[i]) + 1 <= room:
            kept.append(i)
            room -= len(said[i]) + 1
    return finished(" ".join(said[i] for i in sorted(kept))) if kept else ""


def assumptions_of(said: Sequence[str]) -> tuple[str, ...]:
    """What the statement supposes: its "Let", "Suppose", "Under" parts, without the conclusion."""
    found: list[str] = []
    for sentence in said:
        cut = _CONCLUDES.search(sentence)
        part = sentence[: cut.start()] if cut else sentence
        if _ASSUMES.match(sentence) and 3 < len(part) < 300:
            found.append(part.strip(" ,.;:"))
        found += [m["what"] for m in _UNDER.finditer(sentence) if m["what"] not in part]
    return tuple(dict.fromkeys(found))


def conclusion_of(said: Sequence[str]) -> str | None:
    """From the first "then" or "we have" to the end of that sentence; else the last sentence."""
    for sentence in said:
        cut = _CONCLUDES.search(sentence)
        if cut:
            return re.sub(r"^[Tt]hen,?\s+", "", sentence[cut.start() :]).strip(" ,.") or None
    return said[-1].strip(" .") if said else None


def _proof_page(paper: Paper, theorem: Passage) -> int | None:
    """Page of the proof: one that names the label, else the proof that follows at once."""
    label = theorem.label or ""
    named = re.compile(rf"\bproofs?\b[^.]{{0,30}}\b{re.escape(label)}(?![\d.]*\d)", re.I)
    order = {p.id: i for i, p in enumerate(paper.passages)}
    at = order[theorem.id]
    for passage in paper.passages:
        if passage.kind is PassageKind.PROOF and named.search(passage.text[:120]):
            return passage.page
    for passage in paper.passages[at + 1 : at + 6]:
        if passage.kind is PassageKind.PROOF:
            return passage.page
        if passage.kind is PassageKind.THEOREM:
            break
    for section in paper.sections:
        if named.search(section.title):
            return section.page
    return None
