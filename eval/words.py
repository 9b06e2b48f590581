"""Bags of words and numbers, in which claims are compared."""

from __future__ import annotations

import re
from collections import Counter

from claimdex.text import normalise

Bag = Counter[str]
"""How often each stem or number occurs."""

_GRAMMAR = """
    a an the of to in on for and or with by as at from into over under between than both each all any
    that this these those it its we our their they which such
    is are was were be been can also using used use when while more most
"""
_PAPER_TALK = "show shows shown paper method proposed approach results result"
_IDLE = frozenset((_GRAMMAR + _PAPER_TALK).split())
"""Words that do not tell one claim from another."""

_SUFFIXES = (
    *("ational", "ization", "ations", "ation", "ingly", "edly", "ings", "ing", "ies", "ied"),
    *("ed", "es", "ly", "s"),
)
"""Longest first, so that the first that fits is the one to cut; a stem keeps at least three letters."""

_LABEL = re.compile(
    r"\b(?:table|fig(?:ure)?|sec(?:tion)?|thm|theorem|lemma|prop(?:osition)?|corollary|eq(?:uation)?"
    r"|algorithm|appendix|assumption)s?\.?\s*\(?[A-Z]?\d+(?:\.\d+)*\)?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-zα-ω]{2,}")
_NUMBER = re.compile(r"(?<![\w.])[-+]?(\d+(?:[.,]\d+)*(?:e-?\d+)?)")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def stem(word: str) -> str:
    """The word without its ending.

    >>> stem("regularization"), stem("models"), stem("bed")
    ('regular', 'model', 'bed')
    """
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) >= len(suffix) + 3:
            return word[: -len(suffix)]
    return word


def magnitudes(text: str) -> list[str]:
    """Numbers of a text, unsigned, to six digits; those of labels ("Table 3") do not count.

    >>> magnitudes("Table 3: from 1,024 to -0.50 (Section 4.1)")
    ['1024', '0.5']
    """
    return _magnitudes(_LABEL.sub(" ", normalise(text)))


def _magnitudes(text: str) -> list[str]:
    found = []
    for raw in _NUMBER.findall(text):
        plain = raw.replace(",", "") if _THOUSANDS.fullmatch(raw) else raw.replace(",", ".")
        try:
            found.append(f"{float(plain):.6g}")
        except ValueError:  # a section number or a date, "1.2.3"
            continue
    return found


def bag(text: str) -> Bag:
    """Stems of the content words, and the numbers, of a text.

    >>> sorted(bag("We show that the models gain 3.10 points"))
    ['3.1', 'gain', 'model', 'point']
    """
    text = _LABEL.sub(" ", normalise(text))
    words = (w for w in _WORD.findall(text.lower()) if w not in _IDLE)
    return Counter([*map(stem, words), *_magnitudes(text)])


def shared(a: Bag, b: Bag) -> int:
    """How many words and numbers two bags have in common."""
    if len(b) < len(a):
        a, b = b, a
    return sum(min(n, b[word]) for word, n in a.items() if word in b)


def bag_f1(a: Bag, b: Bag) -> float:
    """Overlap of two bags: 2 * shared / (size + size), 0 for two empty ones."""
    size = a.total() + b.total()
    return 2 * shared(a, b) / size if size else 0.0
