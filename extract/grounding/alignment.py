"""What a claim changed in the sentence it retells: a name replaced, numbers or sides exchanged.

A claim that follows its sentence closely is compared with it word by word; only changes that cannot
be a paraphrase are reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from claimdex.extract.grounding.matching import same_quantity
from claimdex.extract.grounding.terms import Word, content, names, stem, words
from claimdex.extract.quantities import Quantity, quantities

_BEATS = re.compile(
    r"\b(?:(?:significantly |consistently |clearly |still |also |even )*"
    r"(?:outperforms?|outperformed|exceeds?|surpass(?:es)?|beats?|improves? (?:up)?on|improves? over|"
    r"dominates?)|"
    r"(?:is|are|performs?|runs?|converges?|learns?|trains?)\s+(?:[\w.%×-]+\s){0,4}?"
    r"(?P<than>better|worse|faster|slower|higher|lower|larger|smaller|cheaper)\s(?:\w+\s){0,4}?than)\b",
    re.I,
)
_CLAUSE_END = re.compile(r"[,;.(]|\b(?:while|whereas|but|on|in|at|with|for|by|when)\b")
_NEIGHBOURS = 45
"""Characters around a number that tell which one of two it is."""


def replaced_name(claim: str, sentence: str, is_name: Callable[[str], bool]) -> str | None:
    """A name of the claim that stands where the sentence has another one.

    ``is_name`` tells technical names from words. At least one of the words on either side must be
    the same, and neither text may hold the other's name.
    """
    mine, theirs = words(claim), words(sentence)
    a, b = [stem(w.text) for w in mine], [stem(w.text) for w in theirs]
    for op, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if op != "replace" or i2 - i1 > 2:
            continue
        ends = []
        if i1 > 0 and j1 > 0:
            ends.append((i1, j1))  # the words before them are the same
        if i2 < len(a) and j2 < len(b):
            ends.append((i2 - 1, j2 - 1))  # the words behind them are
        for i, j in ends:
            one, other = mine[i].text, theirs[j].text
            foreign = a[i] not in b and a.count(b[j]) < b.count(b[j])
            if foreign and is_name(one) and is_name(other) and not _alike(one, other):
                return f"{one} stands where the evidence has {other}"
    return None


def _alike(one: str, other: str) -> bool:
    """Whether two spellings can be one name: letters and digits equal, or one holds the other."""
    a, b = (re.sub(r"[^a-z0-9]", "", x.casefold()) for x in (one, other))
    return a in b or b in a


def exchanged_sides(claim: str, sentence: str) -> str | None:
    """ "A beats B" for the sentence's "B beats A".

    >>> exchanged_sides("LoopNet outperforms MetaNet.", "On Alpha, MetaNet outperforms LoopNet.")
    'LoopNet and MetaNet are exchanged'
    """
    mine, theirs = _sides(claim), _sides(sentence)
    if mine is None or theirs is None or mine[0] != theirs[0]:
        return None
    winners, losers = mine[1] & theirs[2], mine[2] & theirs[1]
    if winners and losers and not (mine[1] & theirs[1]) and not (mine[2] & theirs[2]):
        shown = [
            next(w.text for w in names(claim, openers=True) if stem(w.text) in s) for s in (winners, losers)
        ]
        return f"{shown[0]} and {shown[1]} are exchanged"
    return None


def _sides(text: str) -> tuple[str, frozenset[str], frozenset[str]] | None:
    """(comparison, names before it, names right behind it) of the first comparison."""
    match = _BEATS.search(text)
    if match is None:
        return None
    after = _CLAUSE_END.split(text[match.end() :])[0]
    before = [n for n in names(text, openers=True) if n.end <= match.start()][-2:]
    behind = [n for n in names(text, openers=True) if match.end() <= n.start < match.end() + len(after)]
    found = [frozenset(stem(n.text) for n in side) for side in (before, behind)]
    return (match["than"] or "beats").casefold(), found[0], found[1]


def exchanged_numbers(claim: str, stated: Sequence[Quantity], sentence: str) -> str | None:
    """Two numbers of one kind, each of which stands in the claim among the words of the other.

    >>> text = "Dyad gains 2.1 points on Alpha and 3.4 points on Beta."
    >>> claim = "Dyad gains 3.4 points on Alpha and 2.1 points on Beta."
    >>> exchanged_numbers(claim, quantities(claim), text)
    '3.4 points and 2.1 points are exchanged'
    """
    printed = quantities(sentence)
    for i, one in enumerate(stated):
        for other in stated[i + 1 :]:
            here, there = _only(one, printed), _only(other, printed)
            if one.kind != other.kind or here is None or there is None or here is there:
                continue
            a, b = _near(claim, one, stated), _near(claim, other, stated)
            x, y = _near(sentence, here, printed), _near(sentence, there, printed)
            crossed, straight = len(a & y) + len(b & x), len(a & x) + len(b & y)
            both = bool((a & y) - x) and bool((b & x) - y)
            if crossed > straight and (both or straight == 0):
                return f"{claim[one.start : one.end]} and {claim[other.start : other.end]} are exchanged"
    return None


def _only(quantity: Quantity, printed: Sequence[Quantity]) -> Quantity | None:
    """The one printed quantity that equals it, if there is just one."""
    found = [q for q in printed if same_quantity(quantity, q)]
    return found[0] if len(found) == 1 else None


def _near(text: str, quantity: Quantity, all_of_it: Sequence[Quantity]) -> frozenset[str]:
    """Stems of the words around a number, up to the numbers beside it."""
    left = max([q.end for q in all_of_it if q.end <= quantity.start], default=0)
    right = min([q.start for q in all_of_it if q.start >= quantity.end], default=len(text))
    before = text[max(left, quantity.start - _NEIGHBOURS) : quantity.start]
    after = text[quantity.end : min(right, quantity.end + _NEIGHBOURS)]
    return content(before) | content(after) | frozenset(stem(w.text) for w in _link(after))


def _link(after: str) -> list[Word]:
    return [w for w in words(after)[:3] if w.text[0].isupper()]
