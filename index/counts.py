"""Counting what an index holds."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from claimdex.claim import ClaimType
from claimdex.index.manifest import Counts, VenueCount
from claimdex.index.tables import Tables


def count(tables: Tables) -> Counts:
    """Claims by type and core, papers by status, both by venue and year."""
    status = Counter(tables.papers["status"].to_pylist())
    types = Counter(tables.claims["type"].to_pylist())
    return Counts(
        claims=tables.claims.num_rows,
        core=sum(tables.claims["core"].to_pylist()),
        papers=tables.papers.num_rows,
        ok=status["ok"],
        partial=status["partial"],
        failed=status["failed"],
        types={str(kind): types[str(kind)] for kind in ClaimType},
        venues=_count_venues(tables.papers),
    )


def _count_venues(papers: pa.Table) -> tuple[VenueCount, ...]:
    number: Counter[tuple[str | None, int | None]] = Counter()
    claims: Counter[tuple[str | None, int | None]] = Counter()
    for row in papers.select(["venue", "year", "claims"]).to_pylist():
        key = (row["venue"], row["year"])
        number[key] += 1
        claims[key] += row["claims"]
    ordered = sorted(number, key=lambda key: (key[0] or "", key[1] or 0))
    return tuple(VenueCount(venue=v, year=y, papers=number[v, y], claims=claims[v, y]) for v, y in ordered)
