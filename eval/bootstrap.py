"""Intervals for ratios of sums over papers: 95 %, by drawing papers with replacement.

Percentile bootstrap (Efron 1979), with papers as the unit because claims of one paper are not
independent; for two systems the same papers are drawn for both (Koehn 2004).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from claimdex.eval.tally import Tally

RESAMPLES = 2000
SEED = 0
_LEVELS = (0.025, 0.975)


@dataclass(frozen=True)
class Difference:
    """B minus A. ``b_higher``: the share of resamples in which B is higher, ties counted half."""

    value: float | None
    low: float | None
    high: float | None
    b_higher: float | None


class Resampling:
    """The draws, made once, so that all figures (and both systems) see the same papers."""

    def __init__(self, papers: int) -> None:
        random = np.random.default_rng(SEED)
        self._times = random.multinomial(papers, np.full(papers, 1 / papers), size=RESAMPLES)

    def interval(self, tallies: Sequence[Tally]) -> tuple[float | None, float | None]:
        """95 % interval of the pooled ratio; None where no resample has a case."""
        ratios = self._ratios(tallies)
        return _quantiles(ratios[~np.isnan(ratios)])

    def difference(self, a: Sequence[Tally], b: Sequence[Tally]) -> Difference:
        """Paired difference of two pooled ratios over the same papers, in the same order."""
        one, other = ratio(a), ratio(b)
        gaps = self._ratios(b) - self._ratios(a)
        gaps = gaps[~np.isnan(gaps)]
        if one is None or other is None or not gaps.size:
            return Difference(None, None, None, None)
        low, high = _quantiles(gaps)
        b_higher = float(np.mean(gaps > 0) + np.mean(gaps == 0) / 2)
        return Difference(other - one, low, high, b_higher)

    def _ratios(self, tallies: Sequence[Tally]) -> np.ndarray:
        sums = self._times @ np.asarray(tallies, dtype=float)
        cases = np.where(sums[:, 1] > 0, sums[:, 1], np.nan)
        return np.asarray(sums[:, 0] / cases)


def ratio(tallies: Iterable[Tally]) -> float | None:
    """Hits by cases, both summed; None without cases.

    >>> ratio([(1, 2), (2, 2)]), ratio([])
    (0.75, None)
    """
    pairs = list(tallies)
    hits, cases = sum(t[0] for t in pairs), sum(t[1] for t in pairs)
    return hits / cases if cases else None


def _quantiles(values: np.ndarray) -> tuple[float | None, float | None]:
    if not values.size:
        return None, None
    low, high = np.quantile(values, _LEVELS)
    return float(low), float(high)


def wilson(hits: int, cases: int) -> tuple[float | None, float | None]:
    """95 % score interval of one proportion (Wilson 1927), for a single paper's figures.

    >>> [round(x, 3) for x in wilson(8, 10)]
    [0.49, 0.943]
    """
    if not cases:
        return None, None
    z = 1.959964
    p, shrink = hits / cases, 1 + z * z / cases
    middle = (p + z * z / (2 * cases)) / shrink
    reach = z * math.sqrt(p * (1 - p) / cases + z * z / (4 * cases * cases)) / shrink
    return max(0.0, middle - reach), min(1.0, middle + reach)
