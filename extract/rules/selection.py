"""Which scored sentences become drafts: the likely ones, and each statement once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from claimdex.extract.grounding.matching import same_value
from claimdex.extract.grounding.qualifiers import negated
from claimdex.extract.grounding.terms import content, names, stem
from claimdex.extract.quantities import quantities

_SAME = 0.5
"""Share of content words (Jaccard) from which two statements with the same numbers are one."""
_INSIDE = 0.75
"""Share of the shorter one's content words that the longer one must hold to be the same."""


@dataclass
class Statement:
    """A claim's text, how likely it is one, and the places that state it, best first."""

    text: str
    score: float
    spans: list[tuple[str, int, int]] = field(default_factory=list)


def distinct(found: Iterable[Statement]) -> list[Statement]:
    """The statements, best first; one said again lends its places to the first and is left out."""
    kept: list[Statement] = []
    for item in sorted(found, key=lambda s: (-s.score, s.spans, s.text)):
        home = next((k for k in kept if says_the_same(k.text, item.text)), None)
        if home is None:
            kept.append(item)
        else:
            home.spans += [s for s in item.spans if s not in home.spans]
    return kept


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts state the same: equal numbers, no name that only one knows, mostly the same words.

    >>> says_the_same("Swift is 3x faster than Adam.", "On average Swift is 3x faster than Adam.")
    True
    """
    mine, theirs = content(one), content(other)
    shared = len(mine & theirs)
    if not shared or negated(one) != negated(other) or not _same_numbers(one, other):
        return False
    smaller = min(len(mine), len(theirs))
    alike = shared / len(mine | theirs) >= _SAME or (smaller >= 4 and shared / smaller >= _INSIDE)
    return alike and _same_names(one, other)


def _same_numbers(one: str, other: str) -> bool:
    a = [v for q in quantities(one) for v in q.values]
    b = [v for q in quantities(other) for v in q.values]
    return all(any(same_value(x, y) for y in b) for x in a) and all(
        any(same_value(x, y) for y in a) for x in b
    )


def _same_names(one: str, other: str) -> bool:
    a = {stem(w.text) for w in names(one) if w.technical}
    b = {stem(w.text) for w in names(other) if w.technical}
    return not (a - b) or not (b - a)
