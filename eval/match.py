"""Which predicted claim states which gold claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment

from claimdex.eval.words import Bag, bag, bag_f1, magnitudes, shared

THRESHOLD = 0.45
"""Similarity from which a pair counts as a match."""

_MIN_QUOTE_OVERLAP = 3
"""Words the shorter of two quotes must have: fewer agree by chance."""


class _Place(Protocol):
    @property
    def page(self) -> int | None: ...
    @property
    def quote(self) -> str: ...


class Statement(Protocol):
    """What a claim, gold or predicted, must have to be matched: wording and quotes."""

    @property
    def text(self) -> str:
        """The claim in words."""
        ...

    @property
    def evidence(self) -> Sequence[_Place]:
        """The quotes it rests on."""
        ...


@dataclass(frozen=True)
class Signature:
    """What is compared of a claim: words of its text, its numbers, words of its quotes by page."""

    words: Bag
    numbers: frozenset[str]
    quotes: tuple[tuple[int | None, Bag], ...]


@dataclass(frozen=True)
class Pair:
    """Positions of a predicted and of a gold claim, and how alike they are (0 to 1)."""

    predicted: int
    gold: int
    similarity: float


def signature(claim: Statement) -> Signature:
    """The comparable parts of a claim."""
    return Signature(
        words=bag(claim.text),
        numbers=frozenset(magnitudes(claim.text)),
        quotes=tuple((e.page, bag(e.quote)) for e in claim.evidence),
    )


def similarity(predicted: Signature, gold: Signature) -> float:
    """0.45 text + 0.35 evidence + 0.20 numbers, each 0 to 1.

    Text is the F1 of the words, evidence the best overlap of two quotes on one page, numbers the
    share of gold's numbers that the prediction states (the text's F1 where gold has none). When
    fewer than half of gold's numbers are stated, the two are different statements (0), unless text
    and quote agree closely.
    """
    return _similarity(predicted, gold, bag_f1(predicted.words, gold.words))


def _similarity(predicted: Signature, gold: Signature, text: float) -> float:
    stated: float | None = None
    if gold.numbers:
        stated = len(gold.numbers & predicted.numbers) / len(gold.numbers)
        if stated < 0.5 and text <= 0.5:
            return 0.0
    evidence = _evidence(predicted, gold)
    if stated is not None and stated < 0.5 and evidence <= 0.8:
        return 0.0
    return 0.45 * text + 0.35 * evidence + 0.2 * (text if stated is None else stated)


def _evidence(predicted: Signature, gold: Signature) -> float:
    best = 0.0
    for page, words in predicted.quotes:
        for other_page, other_words in gold.quotes:
            shorter = min(words.total(), other_words.total())
            if page == other_page and shorter >= _MIN_QUOTE_OVERLAP:
                best = max(best, shared(words, other_words) / shorter)
    return best


@dataclass(frozen=True)
class Likeness:
    """Every predicted claim (rows) against every gold claim (columns).

    ``text`` is the wording's part alone: it still tells what is near where numbers rule a match out.
    """

    similarity: np.ndarray
    text: np.ndarray

    @property
    def turned(self) -> Likeness:
        """The same with gold claims as rows."""
        return Likeness(self.similarity.T, self.text.T)

    def nearest(self, row: int) -> tuple[int, float] | None:
        """The closest claim of the other side, by similarity, else by wording, and its similarity."""
        for table in (self.similarity[row], self.text[row]):
            if table.size and table.max() > 0:
                best = int(table.argmax())
                return best, float(self.similarity[row, best])
        return None


def likeness(predicted: Sequence[Statement], gold: Sequence[Statement]) -> Likeness:
    """The similarity of every pair."""
    rows, columns = [signature(c) for c in predicted], [signature(c) for c in gold]
    found = Likeness(np.zeros((len(rows), len(columns))), np.zeros((len(rows), len(columns))))
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            found.text[i, j] = text = bag_f1(row.words, column.words)
            found.similarity[i, j] = _similarity(row, column, text)
    return found


def assign(table: np.ndarray, threshold: float = THRESHOLD) -> list[Pair]:
    """The one-to-one assignment of greatest total similarity, without the pairs below ``threshold``.

    Hungarian method (Kuhn 1955; here scipy's variant, Crouse 2016). One claim matches one claim:
    two gold claims said in one compound sentence are one match and one miss.
    """
    if not table.size:
        return []
    rows, columns = linear_sum_assignment(table, maximize=True)
    return [
        Pair(int(i), int(j), float(table[i, j]))
        for i, j in zip(rows, columns, strict=True)
        if table[i, j] >= threshold
    ]
