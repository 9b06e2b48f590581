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
from claimdex.extract.binding import owned_names
from claimdex.extract.case import Case
from claimdex.extract.matching import same_class, same_quantity, same_value
from claimdex.extract.quantities import Quantity, quantities
from claimdex.extract.sentences import sentences
from claimdex.extract.terms import PaperWords, anchor_of, content, names, stem, words
from claimdex.paper import Passage, PassageKind

_READ = (
    PassageKind.PARAGRAPH,
    PassageKind.ABSTRACT,
    PassageKind.LIST_ITEM,
    PassageKind.CAPTION,
    PassageKind.FOOTNOTE,
)
_WINDOW = 80
"""Characters on each side of a number that tell what it is about."""
_MIN_SHARED = 3
_MIN_JACCARD = 0.5
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
    """A sentence with numbers, and where it stands: ``passage.text[start:end]``."""

    passage: Passage
    start: int
    end: int

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
            Statement(p, s.start, s.end)
            for p in self._paper.visible
            if p.kind in _READ
            for s in sentences(p.text)
        ]
        return tuple(s for s in found if s.numbers)


def conflicts_of(case: Case, statements: Statements) -> tuple[Conflict, ...]:
    """8. Other places of the paper that give another value for what the claim states, at most three."""
    found: list[Conflict] = []
    for evidence, passage in zip(case.evidence, case.passages, strict=True):
        if passage.kind not in _READ or case.formal:
            continue
        for mine in statements.all:
            if mine.passage.id != passage.id or mine.end <= evidence.start or mine.start >= evidence.end:
                continue
            for other in statements.all:
                if other.passage.id != mine.passage.id or other.start != mine.start:
                    found += _between(case, mine, other)
    unique = {(c.evidence.passage_id, c.evidence.start, c.value): c for c in found}
    return tuple(list(unique.values())[:3])


def _between(case: Case, mine: Statement, other: Statement) -> Iterator[Conflict]:
    for one, two in (*_lists(mine, other), *_twins(mine, other)):
        if any(same_quantity(q, one) for q in case.stated):
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


def _lists(mine: Statement, other: Statement) -> Iterator[tuple[Quantity, Quantity]]:
    """Two lists of the same owners that agree in one number and differ in another."""
    if "respectively" not in mine.text or "respectively" not in other.text:
        return
    ones, twos = owned_names(mine.text), owned_names(other.text)
    pairs = [(q, w) for q, a in ones for w, b in twos if a and a == b and same_class(q, w)]
    agreed = [p for p in pairs if same_quantity(*p)]
    if agreed:
        yield from (p for p in pairs if not _agree(*p))


def _twins(mine: Statement, other: Statement) -> Iterator[tuple[Quantity, Quantity]]:
    """Numbers of one kind and unit whose surroundings say the same."""
    for one in mine.numbers:
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
    if len(shared) < _MIN_SHARED or len(shared) / len(a | b) < _MIN_JACCARD:
        return False
    if any((x in a and y in b) or (y in a and x in b) for x, y in _APART):
        return False
    if _named(here) != _named(there):
        return False
    return _settings_agree(mine.numbers, one, other.numbers, two)


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
