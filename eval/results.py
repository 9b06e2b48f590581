"""What an evaluation finds: figures with intervals, and every pair, miss and false alarm."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from claimdex.claim import ClaimType
from claimdex.paper import SCHEMA_VERSION, Record


class Figure(Record):
    """``hits / cases`` with its 95 % interval; ``value`` is None where there is no case."""

    value: float | None
    low: float | None
    high: float | None
    hits: int
    cases: int


class TypeScore(Record):
    """Precision and recall of one claim type; a match counts where both types agree."""

    type: ClaimType
    precision: Figure
    recall: Figure


class Decile(Record):
    """Precision of one tenth of the papers' rankings; ``tenth`` 1 is the best ranked."""

    tenth: int
    precision: Figure


class QuoteAt(Record):
    """A quote and the page it was read from."""

    page: int | None
    text: str


class Side(Record):
    """One claim as the report shows it."""

    id: str
    text: str
    type: str
    core: bool
    rank: int | None = None
    quotes: tuple[QuoteAt, ...]
    details: dict[str, JsonValue]


class FieldRow(Record):
    """One scored field of a pair, in both versions."""

    field: str
    gold: str
    predicted: str
    agrees: bool


class Match(Record):
    """A predicted claim and the gold claim it was matched with."""

    predicted: Side
    gold: Side
    similarity: float
    type_agrees: bool
    fields: tuple[FieldRow, ...]


class Unmatched(Record):
    """A miss (gold) or false alarm (predicted), and the claim of the other side that came closest."""

    claim: Side
    nearest: Side | None
    similarity: float


class PaperScore(Record):
    """One paper: its tallies (hits, cases) by figure, and what became of every claim.

    The intervals of its ``precision`` and ``recall`` are Wilson's: they speak of this paper alone.
    """

    key: str
    title: str
    sha256: str
    predicted: bool
    precision: Figure
    recall: Figure
    f1: float | None
    tallies: dict[str, tuple[int, int]]
    pairs: tuple[Match, ...]
    misses: tuple[Unmatched, ...]
    false_alarms: tuple[Unmatched, ...]


class Report(Record):
    """A whole evaluation. ``gold_sha256`` pins the annotations it was measured on."""

    schema_version: Literal["1"] = SCHEMA_VERSION
    gold: str
    predictions: str
    gold_sha256: str
    threshold: float
    resamples: int
    seed: int
    figures: dict[str, Figure]
    types: tuple[TypeScore, ...]
    calibration: tuple[Decile, ...]
    papers: tuple[PaperScore, ...]
    without_gold: tuple[str, ...]


class Contrast(Record):
    """One figure of two runs. ``difference`` is B minus A, with its paired 95 % interval."""

    a: float | None
    b: float | None
    difference: float | None
    low: float | None
    high: float | None
    b_higher: float | None
    verdict: Literal["B is better", "A is better", "no difference shown", "differs", "n/a"]


class Comparison(Record):
    """Two runs over the same gold."""

    schema_version: Literal["1"] = SCHEMA_VERSION
    gold: str
    a: str
    b: str
    papers: int
    figures: dict[str, Contrast]


class Agreement(Record):
    """Two annotators, each scored as if an extractor, on the papers both have read.

    ``type_kappa`` and ``core_kappa`` are Cohen's (1960), over the claims matched when the second is scored.
    """

    schema_version: Literal["1"] = SCHEMA_VERSION
    first: str
    second: str
    papers: int
    second_against_first: dict[str, Figure]
    first_against_second: dict[str, Figure]
    type_kappa: float | None
    core_kappa: float | None
