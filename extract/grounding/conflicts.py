"""Where a paper says something else than a claim's own evidence.

Precise rather than complete: a conflict is reported only when two sentences state the same kind of
number about the same names in nearly the same words, or two "respectively" lists agree in one
entry and differ in another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from claimdex.claim import Conflict, Evidence
from claimdex.extract.grounding.binding import owned_names
from claimdex.extract.grounding.case import Case
from claimdex.extract.grounding.matching import same_class, same_quantity, same_value
from claimdex.extract.grounding.terms import PaperWords, anchor_of, content, names, stem, words
from claimdex.extract.quantities import Quantity, quantities
from claimdex.extract.sentences import sentences
from claimdex.paper import Passage, PassageKind, SectionKind

_READ = (
    PassageKind.PARAGRAPH,
    PassageKind.ABSTRACT,
    PassageKind.LIST_ITEM,
    PassageKind.CAPTION,
    PassageKind.FOOTNOTE,
)
_OURS = re.compile(r"\b(?:we|our|ours|proposed|approach|method|model|framework|it)\b", re.I)
_DIGIT = re.compile(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|half)\b", re.I)
_WINDOW = 80
"""Characters on each side of a number that tell what it is about."""
_MIN_SHARED = 3
_MIN_JACCARD = 0.5
_MIN_JACCARD_COUNTED = 0.3
_PARALLEL = (PassageKind.CAPTION, PassageKind.FOOTNOTE)
_SUMMARIES = (SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.CONCLUSION)
_APART = (
    ("train", "test"),
    ("train", "validation"),
    ("validation", "test"),
    ("transductiv", "inductiv"),
    ("mean", "median"),
    ("best", "worst"),
    ("upp", "low"),
    ("encod", "decod"),
    ("minimum", "maximum"),
    ("sourc", "target"),
    ("forward", "backward"),
    ("precision", "recall"),
)


@dataclass(frozen=True)
class Statement:
    """A sentence with numbers, where it stands, and whether it sums up results told elsewhere."""

    passage: Passage
    start: int
    end: int
    sums_up: bool = False

    @property
    def text(self) -> str:
        """The sentence."""
        return self.passage.text[self.start : self.end]

    @cached_property
    def numbers(self) -> list[Quantity]:
        """Its quantities."""
        return quantities(self.text)


class Statements:
    """All sentences of a paper's prose that state numbers."""

    def __init__(self, paper: PaperWords) -> None:
        self._paper = paper

    @cached_property
    def all(self) -> tuple[Statement, ...]:
        """In reading order."""
        found = [
            Statement(p, s.start, s.end, self._sums_up(p))
            for p in self._paper.visible
            if p.kind in _READ
            for s in sentences(p.text)
            if _DIGIT.search(p.text, s.start, s.end)
        ]
        return tuple(s for s in found if s.numbers)

    @cached_property
    def by_passage(self) -> dict[str, list[Statement]]:
        """The same by passage id."""
        found: dict[str, list[Statement]] = {}
        for statement in self.all:
            found.setdefault(statement.passage.id, []).append(statement)
        return found

    def _sums_up(self, passage: Passage) -> bool:
        section = self._paper.paper.section(passage.section)
        return passage.kind is PassageKind.ABSTRACT or (section is not None and section.kind in _SUMMARIES)


def conflicts_of(case: Case, statements: Statements) -> tuple[Conflict, ...]:
    """8. Other places of the paper that give another value for what the claim states, at most three."""
    if case.formal or not case.stated:
        return ()
    found: list[Conflict] = []
    for evidence in case.evidence:
        for mine in statements.by_passage.get(evidence.passage_id, ()):
            if mine.end <= evidence.start or mine.start >= evidence.end:
                continue
            disputed = [q for q in mine.numbers if any(same_quantity(s, q) for s in case.stated)]
            for other in statements.all if disputed else ():
                if other.passage.id != mine.passage.id or other.start != mine.start:
                    found += _between(case, mine, disputed, other)
    unique = {(c.evidence.passage_id, c.evidence.start, c.value): c for c in found}
    return tuple(list(unique.values())[:3])


def _between(case: Case, mine: Statement, disputed: list[Quantity], other: Statement) -> Iterator[Conflict]:
    pairs = [*_lists(mine, other)]
    if _restates(mine, other):
        pairs += _twins(mine, disputed, other)
    for one, two in pairs:
        if one in disputed:
            yield Conflict(
                value=mine.text[one.start : one.end].strip(),
                other_value=other.text[two.start : two.end].strip(),
                evidence=Evidence(
                    quote=other.text,
                    passage_id=other.passage.id,
                    start=other.start,
                    end=other.end,
                    page=other.passage.page_of(other.start),
                    boxes=other.passage.boxes(other.start, other.end),
                    anchor=anchor_of(case.paper.paper, other.passage),
                ),
            )


def _restates(mine: Statement, other: Statement) -> bool:
    """Whether one of two places sums up what the other reports.

    Two set-ups or two captions in nearly the same words tell of two experiments, not of a conflict.
    """
    if mine.passage.id == other.passage.id or not (mine.sums_up or other.sums_up):
        return False
    return mine.passage.kind not in _PARALLEL and other.passage.kind not in _PARALLEL


def _lists(mine: Statement, other: Statement) -> Iterator[tuple[Quantity, Quantity]]:
    """Two lists of the same owners that agree in one number and differ in another."""
    if "respectively" not in mine.text or "respectively" not in other.text:
        return
    ones, twos = owned_names(mine.text), owned_names(other.text)
    pairs = [(q, w) for q, a in ones for w, b in twos if a and a == b and same_class(q, w)]
    agreed = [p for p in pairs if same_quantity(*p)]
    if agreed:
        yield from (p for p in pairs if not _agree(*p))


def _twins(
    mine: Statement, disputed: list[Quantity], other: Statement
) -> Iterator[tuple[Quantity, Quantity]]:
    """Numbers of one kind and unit whose surroundings say the same."""
    for one in disputed:
        for two in other.numbers:
            if (
                one.kind in ("plain", "complexity")
                or one.kind != two.kind
                or stem(one.unit) != stem(two.unit)
            ):
                continue
            if not _agree(one, two) and _same_subject(mine, one, other, two):
                yield one, two


def _agree(one: Quantity, two: Quantity) -> bool:
    """Whether both numbers can be true: equal, rounded, or within each other's bound."""
    if not one.values or not two.values or same_quantity(one, two) or one.ends or two.ends:
        return True
    a, b = abs(one.values[0]), abs(two.values[0])
    if any(same_value(round(x, p), y) for p in (0, 1, 2, 3) for x, y in ((a, b), (b, a))):
        return True
    holds = {
        "more than": lambda limit, x: x >= limit,
        "at least": lambda limit, x: x >= limit,
        "less than": lambda limit, x: x <= limit,
        "at most": lambda limit, x: x <= limit,
        "up to": lambda limit, x: x <= limit,
        "about": lambda limit, x: abs(x - limit) <= 0.1 * limit,
    }
    bounded = [(q.bound, limit, x) for q, limit, x in ((one, a, b), (two, b, a)) if q.bound]
    return any(holds[bound](limit, x) for bound, limit, x in bounded)


def _same_subject(mine: Statement, one: Quantity, other: Statement, two: Quantity) -> bool:
    here, there = _around(mine.text, one), _around(other.text, two)
    a, b = content(here), content(there)
    shared = a & b
    counted = one.kind == "count"
    if len(shared) < _MIN_SHARED or len(shared) / len(a | b) < (
        _MIN_JACCARD_COUNTED if counted else _MIN_JACCARD
    ):
        return False
    if any((x in a and y in b) or (y in a and x in b) for x, y in _APART):
        return False
    if (
        counted
    ):  # the phrase that is counted must be qualified alike, and own names do not tell settings apart
        noun = stem(one.unit)
        heads = [
            content(t[q.end : q.end + 60].split(".")[0]) for t, q in ((mine.text, one), (other.text, two))
        ]
        if not (heads[0] & heads[1]) - {noun} or not _same_names(here, there):
            return False
    elif _named(here) != _named(there):
        return False
    return _settings_agree(mine.numbers, one, other.numbers, two)


def _same_names(here: str, there: str) -> bool:
    """Whether both texts have the same names, or one has "our method" for the other's."""
    one, other = _named(here), _named(there)
    return one == other or (not one and bool(_OURS.search(here))) or (not other and bool(_OURS.search(there)))


def _named(text: str) -> frozenset[str]:
    return frozenset(stem(w.text) for w in names(text))


def _settings_agree(
    mine: Sequence[Quantity], one: Quantity, others: Sequence[Quantity], two: Quantity
) -> bool:
    """Whether the other numbers of one sentence all stand in the other: else the setting differs."""
    rest, their_rest = [q for q in mine if q is not one], [q for q in others if q is not two]
    small, large = sorted((rest, their_rest), key=len)
    return all(any(same_quantity(q, w) or same_quantity(w, q) for w in large) for q in small)


def _around(text: str, quantity: Quantity) -> str:
    """The words near a number, cut at ends of clauses."""
    before = text[max(0, quantity.start - _WINDOW) : quantity.start]
    after = text[quantity.end : quantity.end + _WINDOW]
    before = re.split(r"[;:]\s|\s(?:while|whereas|but)\s", before)[-1]
    after = re.split(r"[;:]\s|\s(?:while|whereas|but)\s", after)[0]
    first = before.find(" ") + 1 if len(before) == _WINDOW else 0
    inner = list(words(after))
    last = inner[-1].start if inner and len(after) == _WINDOW else len(after)
    return before[first:] + " # " + after[:last]
