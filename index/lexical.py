"""The lexical index: BM25 over stemmed words and numbers (Robertson and Zaragoza 2009, Lucene's form)."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import bm25s
import numpy as np
import snowballstemmer
from bm25s.stopwords import STOPWORDS_EN
from numpy.typing import NDArray

from claimdex.errors import IndexMismatch
from claimdex.index.vectors import top
from claimdex.text import normalise

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG on import

K1, B = 1.2, 0.75
_WORD = re.compile(r"\d+(?:\.\d+)+|\w+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_STOP = frozenset(STOPWORDS_EN)
_STEMMER = snowballstemmer.stemmer("english")


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    stem: str = _STEMMER.stemWord(word)
    return stem


def words(text: str) -> list[str]:
    """Search terms of a text: stems of its words without stop words, and its numbers whole.

    >>> words("The 2.7x faster decoders need 1,024 steps")
    ['2.7', 'x', 'faster', 'decod', 'need', '1024', 'step']
    """
    text = _THOUSANDS.sub("", normalise(text).casefold())
    return [_stem(word) for word in _WORD.findall(text) if word not in _STOP]


class Lexical:
    """BM25 scores of ``rows`` texts; None inside when no text has a word."""

    def __init__(self, index: bm25s.BM25 | None, rows: int) -> None:
        self._index = index
        self.rows = rows

    @classmethod
    def build(cls, texts: Sequence[str]) -> Lexical:
        """Index ``texts``; row i is text i."""
        corpus = [words(text) for text in texts]
        # The vocabulary is numbered in sorted order: bm25s's own order changes with the hash seed.
        terms = {term: number for number, term in enumerate(sorted({w for doc in corpus for w in doc}))}
        if not terms:
            return cls(None, len(corpus))
        index = bm25s.BM25(method="lucene", k1=K1, b=B, backend="numpy")
        index.index(([[terms[w] for w in doc] for doc in corpus], terms), show_progress=False)
        return cls(index, len(corpus))

    @classmethod
    def read(cls, folder: Path, *, terms: int, rows: int) -> Lexical:
        """Read an index of ``terms`` distinct words over ``rows`` texts.

        Raises:
            IndexMismatch: a file is missing or damaged, or the sizes differ.
        """
        remedy = "claimdex rebuild makes it anew from the stored texts"
        if not terms:
            return cls(None, rows)
        try:
            index = bm25s.BM25.load(folder, allow_pickle=False, show_progress=False)
        except (OSError, ValueError, TypeError, KeyError, EOFError) as error:
            reason = " ".join(str(error).split())[:160]
            raise IndexMismatch(f"{folder} cannot be read: {reason}", hint=remedy) from error
        found = cls(index, rows)
        if found.terms != terms or not _is_sound(index, rows):
            raise IndexMismatch(f"{folder} does not fit the manifest's {rows} claims", hint=remedy)
        return found

    def write(self, folder: Path) -> None:
        """Write the index files (JSON and plain arrays); none when there are no words."""
        if self._index is not None:
            self._index.save(folder, allow_pickle=False, show_progress=False)

    @property
    def terms(self) -> int:
        """Number of distinct words."""
        return len(self._index.scores["indptr"]) - 1 if self._index is not None else 0

    def search(self, query: str, k: int, allowed: NDArray[np.bool_] | None = None) -> list[tuple[int, float]]:
        """The ``k`` best rows that share a word with ``query``, with BM25 scores, ties by row.

        ``allowed``, shape (rows,), limits the answer to rows that are true.
        """
        known = self._index.vocab_dict if self._index is not None else {}
        terms = [word for word in words(query) if word in known]
        if self._index is None or not terms:
            return []
        scores = self._index.get_scores(terms)
        matching = scores > 0 if allowed is None else (scores > 0) & allowed
        rows = np.flatnonzero(matching)
        return top(rows, scores[rows], k)


def _is_sound(index: bm25s.BM25, rows: int) -> bool:
    """Whether all places the arrays point to exist."""
    data, indices, indptr = (index.scores[name] for name in ("data", "indices", "indptr"))
    return bool(
        index.scores["num_docs"] == rows
        and data.ndim == indices.ndim == indptr.ndim == 1
        and len(data) == len(indices) == indptr[-1]
        and indptr[0] == 0
        and (np.diff(indptr) >= 0).all()
        and indices.min(initial=0) >= 0
        and indices.max(initial=0) < rows
        and np.isfinite(data).all()
        and all(type(n) is int and 0 <= n < len(indptr) for n in index.vocab_dict.values())
    )
