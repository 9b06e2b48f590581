"""Finding the words of a quote in a paper.

Exact after normalisation with a map back to the passage's own characters; else aligned fuzzily,
but only if numbers and polarity words are equal, because similarity alone is unsafe: "2.9x" for
"2.7x" scores above 98 of 100. What is returned is always the paper's own words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from claimdex.extract.grounding.qualifiers import polarity_words
from claimdex.paper import Paper, Passage
from claimdex.text import normalise

_MIN_FUZZY = 92.0
"""Similarity (0 to 100) from which an alignment is looked at."""
_MIN_FUZZY_CHARS = 30
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Located:
    """Where a quote stands: characters ``start:end`` of a passage's text."""

    passage_id: str
    start: int
    end: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Folded:
    """Text for comparison and, for each of its characters, the offset it came from."""

    text: str
    origin: tuple[int, ...]


@lru_cache(maxsize=4096)
def fold(text: str, squeeze: bool = False) -> Folded:
    """``text`` normalised like ``claimdex.text.normalise``, in lower case, with its offset map.

    ``squeeze`` also leaves out spaces and hyphens, which line breaks add and remove.
    """
    out: list[str] = []
    origin: list[int] = []
    for at, char in enumerate(text):
        if char.isspace() or char == "|":  # the bar parts a table's cells, and quotes lack it
            plain = "" if squeeze or not out or out[-1] == " " else " "
        else:
            plain = normalise(char).casefold() if not char.isascii() else char.lower()
            if unicodedata.category(char) == "Cn" or (squeeze and plain == "-"):
                plain = ""
        for piece in plain:
            out.append(piece)
            origin.append(at)
    return Folded("".join(out), tuple(origin))


def locate(paper: Paper, quote: str, page: int | None = None) -> Located | None:
    """The first place of ``quote`` in the visible passages, those of ``page`` before others.

    Returns None if the paper has no such words.
    """
    passages = [p for p in paper.passages if p.visible]
    if page is not None:
        passages.sort(key=lambda p: abs(p.page - page))
    for squeeze in (False, True):
        for passage in passages:
            found = _exact(passage, quote, squeeze)
            if found:
                return found
    return _fuzzy(passages, quote)


def _exact(passage: Passage, quote: str, squeeze: bool) -> Located | None:
    needle = fold(quote.strip(), squeeze).text.strip()
    hay = fold(passage.text, squeeze)
    at = hay.text.find(needle) if len(needle) > 2 else -1
    while at >= 0:
        start, end = hay.origin[at], hay.origin[at + len(needle) - 1] + 1
        if _whole(passage.text, start, end) and same_facts(quote, passage.text[start:end]):
            return Located(passage.id, start, end, exact=True)
        at = hay.text.find(needle, at + 1)
    return None


def _whole(text: str, start: int, end: int) -> bool:
    """Whether ``start:end`` cuts no number: "51%" is not found inside "0.51%"."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if text[start].isdigit() and re.search(r"\d[.,]?$|[.]$", before):
        return False
    return not (text[end - 1].isdigit() and re.match(r"[.,]?\d", after))


def same_facts(one: str, other: str) -> bool:
    """Whether two texts print the same numbers and the same polarity words.

    >>> same_facts("2.7x faster", "2.7 x  faster"), same_facts("2.7x faster", "2.9x faster")
    (True, False)
    """
    one, other = normalise(one), normalise(other)
    digits = [Counter(_DIGITS.findall(t)) for t in (one, other)]
    return digits[0] == digits[1] and polarity_words(one) == polarity_words(other)


def _fuzzy(passages: list[Passage], quote: str) -> Located | None:
    needle = fold(quote.strip()).text
    if len(needle) < _MIN_FUZZY_CHARS:
        return None
    best, best_score = None, _MIN_FUZZY
    for passage in passages:
        hay = fold(passage.text)
        if len(hay.text) < len(needle) * 0.9:
            continue
        found = fuzz.partial_ratio_alignment(needle, hay.text, score_cutoff=best_score)
        if found is None or (best is not None and found.score <= best_score):
            continue
        start, end = _to_words(hay.text, found.dest_start, found.dest_end)
        begin, stop = hay.origin[start], hay.origin[end - 1] + 1
        if same_facts(quote, passage.text[begin:stop]):
            best, best_score = Located(passage.id, begin, stop, exact=False), found.score
    return best


def _to_words(text: str, start: int, end: int) -> tuple[int, int]:
    """``start:end`` widened to whole words and stripped of space."""
    while start > 0 and not text[start - 1].isspace() and not text[start].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace() and not text[end - 1].isspace():
        end += 1
    while start < end - 1 and text[start].isspace():
        start += 1
    while end - 1 > start and text[end - 1].isspace():
        end -= 1
    return start, end
