"""Heuristics on the wording of a claim: is it one statement, and can it be read without the paper?

They look at words only, so they err: read their rates as comparisons between runs, not as truths.
"""

from __future__ import annotations

import re

from claimdex.text import normalise

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SECOND_SENTENCE = re.compile(
    r"(?<!\bvs)(?<!\bal)(?<!i\.e)(?<!e\.g)(?<!\bcf)(?<!\bFig)[.!?]\s+(?=[A-Z])(?!(?:If|Then|Suppose|Assume|Let)\b)"
)
_SECOND_CLAUSE = re.compile(r";\s+\w+\s")
_VERB = (
    r"(?:is|are|was|were|has|have|can|cannot|does|do|needs?|gains?|loses?|drops?|rises?|falls?|stays?|fails?"
    r"|reach(?:es)?|achieves?|attains?|improves?|increases?|reduces?|outperforms?|requires?|yields?|runs?"
    r"|converges?|beats?|exceeds?|matches|surpass(?:es)?|lowers?|raises?)"
)
_AND_CLAUSE = re.compile(rf",\s(?:and|but|while|whereas)\s[^,;.]{{2,80}}?\s{_VERB}\s")
_BASELINE = re.compile(r"\b(?:against|than|versus|vs\.?|over|compared\s(?:with|to)|from)\s.*")
_TWO_RESULTS = re.compile(
    r"\d[\d.,]*\s?(?:%|x\b|×|points?|percent)?\s(?:[\w-]+\s)?(?:on|for|in)\s[^,;]{2,50}?,?\sand\s(?:by\s)?"
    r"[+-]?\d[\d.,]*\s?(?:%|x\b|×|points?|percent)?\s(?:[\w-]+\s)?(?:on|for|in)\s"
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|where|such\sthat|suppose|let|assum\w+|conditions?|satisf\w+)\b", re.IGNORECASE
)
_PARTS = re.compile(r"\((?:i|a|1)\).*\((?:ii|b|2)\)")

_OURS = re.compile(r"\b(?:[Ww]e|[Oo]urs?|us)\b")
_POINTING = re.compile(
    r"\b(?:this|these|those|such(?:\san?)?|the\s(?:proposed|above|aforementioned|former|latter|present))\s"
    r"(?:\w+\s)?(?:paper|work|study|method|approach|model|models|algorithm|framework|technique|system|scheme"
    r"|results?|findings?|setting|dataset|benchmark)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:it|its|they|their|this|these|those|such|he|she|here|the\s(?:former|latter))\b"
    r"(?!\s(?:is|are|was|takes|suffices|follows|holds|turns)\s(?:\w+\s){0,3}?(?:to|that|out)\b)",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(
    r"\b(?:our|this|these|it|its|their|they|we|the)\s(?:[\w-]+\s){0,4}\[[^\]]+\]", re.IGNORECASE
)


def is_compound(text: str) -> bool:
    """Whether the text seems to hold two claims that can fail on their own.

    >>> is_compound("Kea gains 2.1 points on Dock-20 and 3.4 points on HexaLeaf.")
    True
    >>> is_compound("Kea reaches 74.6% on HexaLeaf, against 71.2% for Rook.")
    False
    """
    text = normalise(text)
    parts = _PARTS.search(text)
    if parts and not _CONDITION.search(text[: parts.start()]):
        return True
    bare = _BRACKETS.sub("", text)
    if re.search(r"\brespectively\b", bare):
        return True
    if _TWO_RESULTS.search(_BASELINE.sub("", bare)):
        return True
    return any(pattern.search(bare) for pattern in (_SECOND_SENTENCE, _SECOND_CLAUSE, _AND_CLAUSE))


def is_self_contained(text: str) -> bool:
    """Whether no "our", "we", "this method" or opening "it" is left that only the paper explains.

    A referent in square brackets explains the words before it.

    >>> is_self_contained("Our method beats Rook."), is_self_contained("Our method [Kea] beats Rook.")
    (False, True)
    """
    text = _EXPLAINED.sub("", normalise(text)).strip()
    return not any(pattern.search(text) for pattern in (_OURS, _POINTING, _OPENING))
