"""Which rows of the claims table a search may answer with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from claimdex.claim import ClaimType
from claimdex.errors import BadInput
from claimdex.text import normalise


@dataclass(frozen=True)
class Filters:
    """What a claim must have; None asks nothing. ``venue`` is compared without case."""

    type: ClaimType | str | None = None
    paper_id: str | None = None
    venue: str | None = None
    year: int | None = None
    core: bool | None = None

    def mask(self, claims: pa.Table) -> NDArray[np.bool_] | None:
        """Rows of ``claims`` that pass, shape (n,); None when nothing is asked.

        Raises:
            BadInput: there is no such claim type.
        """
        masks = []
        if self.type is not None:
            masks.append(pc.equal(claims["type"], _claim_type(self.type)))
        if self.paper_id is not None:
            masks.append(pc.equal(claims["paper_id"], self.paper_id))
        if self.venue is not None:
            masks.append(pc.is_in(claims["venue"], value_set=_spellings(claims["venue"], self.venue)))
        if self.year is not None:
            masks.append(pc.is_in(claims["year"], value_set=_years(self.year)))
        if self.core is not None:
            masks.append(pc.equal(claims["core"], self.core))
        if not masks:
            return None
        passed: NDArray[np.bool_] = np.logical_and.reduce(
            [pc.fill_null(mask, False).to_numpy() for mask in masks]
        )
        return passed


def rows_of_paper(claims: pa.Table, paper_id: str) -> list[int]:
    """Rows of one paper's claims, in order."""
    rows: list[int] = np.flatnonzero(pc.equal(claims["paper_id"], paper_id).to_numpy()).tolist()
    return rows


def _claim_type(name: ClaimType | str) -> str:
    try:
        return str(ClaimType(name))
    except ValueError:
        raise BadInput(f"no claim type {str(name)[:40]!r}", hint=f"known: {', '.join(ClaimType)}") from None


def _spellings(column: pa.ChunkedArray, venue: str) -> pa.Array:
    """The values of ``column`` that differ from ``venue`` only in case and spacing."""
    key = normalise(venue).casefold()
    values = (value for value in pc.unique(column).to_pylist() if value is not None)
    return pa.array([value for value in values if normalise(value).casefold() == key], pa.string())


def _years(year: int) -> pa.Array:
    """``year`` as a value set; empty when no paper can have it."""
    return pa.array([year] if 0 <= year < 2**31 else [], pa.int32())
