"""Claims, papers and embeddings as flat tables.

Each claim and each paper also carries its whole record as JSON in the column ``record``, so that
nothing is lost by the flat columns. Row ``i`` of claims, of embeddings and of the vector index is
the same claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from claimdex.claim import Artifact, Claim, ClaimSet, ClaimType
from claimdex.errors import BadInput
from claimdex.paper import Record
from claimdex.text import sha256

_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())
_DETAILS = {
    "method": _TEXT,
    "task": _TEXT,
    "dataset": _TEXT,
    "metric": _TEXT,
    "value": pa.float64(),
    "unit": _TEXT,
    "baseline": _TEXT,
    "baseline_value": pa.float64(),
    "delta": pa.float64(),
    "delta_unit": _TEXT,
    "factor": pa.float64(),
    "percent": pa.float64(),
    "quantity": _TEXT,
    "hardware": _TEXT,
    "label": _TEXT,
    "url": _TEXT,
}

CLAIM_SCHEMA = pa.schema(
    {
        "claim_id": _TEXT,
        "paper_id": _TEXT,
        "title": _TEXT,
        "venue": _TEXT,
        "year": pa.int32(),
        "type": _TEXT,
        "core": pa.bool_(),
        "rank": pa.int32(),
        "text": _TEXT,
        "quote": _TEXT,
        "page": pa.int32(),
        "anchor": _TEXT,
        "verdict": _TEXT,
        "conflicts": pa.int32(),
        "testable": pa.bool_(),
        "falsified_if": _TEXT,
        "cost": _TEXT,
        **_DETAILS,
        "conditions": _TEXTS,
        "needs": _TEXTS,
        "source_sha256": _TEXT,
        "source_version": _TEXT,
        "extractor": _TEXT,
        "model": _TEXT,
        "text_sha256": _TEXT,
        "supersedes": _TEXT,
        "record": _TEXT,
    }
)

PAPER_SCHEMA = pa.schema(
    {
        "paper_id": _TEXT,
        "title": _TEXT,
        "authors": _TEXTS,
        "venue": _TEXT,
        "year": pa.int32(),
        "aliases": _TEXTS,
        "abstract": _TEXT,
        "status": _TEXT,
        "code": _TEXT,
        "message": _TEXT,
        "claims": pa.int32(),
        "core": pa.int32(),
        **{str(kind): pa.int32() for kind in ClaimType},
        "rejected": pa.int32(),
        "artifacts": _TEXTS,
        "warnings": _TEXTS,
        "source_sha256": _TEXT,
        "source_version": _TEXT,
        "url": _TEXT,
        "pages": pa.int32(),
        "parser": _TEXT,
        "record": _TEXT,
    }
)


class PaperStatus(Record):
    """How a paper's reading ended, for a paper that failed or was read in part.

    ``paper_id`` is the canonical id or, if none is known, the file's name. ``code`` is stable, for
    machines (``no_text``); ``message`` is for people.
    """

    paper_id: str
    status: Literal["partial", "failed"] = "failed"
    code: str = ""
    message: str = ""
    title: str = ""
    aliases: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None


@dataclass(frozen=True)
class Tables:
    """Both tables in their final row order: papers by id; claims by paper, core and rank, id."""

    claims: pa.Table
    papers: pa.Table

    @property
    def claim_ids(self) -> list[str]:
        """Ids in row order."""
        ids: list[str] = self.claims["claim_id"].to_pylist()
        return ids

    @property
    def texts(self) -> list[str]:
        """Claim texts in row order."""
        texts: list[str] = self.claims["text"].to_pylist()
        return texts


def embedding_schema(dim: int) -> pa.Schema:
    """Schema of the embeddings: id and a float16 vector of ``dim`` values."""
    return pa.schema({"claim_id": _TEXT, "embedding": pa.list_(pa.float16(), dim)})


def embedding_table(claim_ids: Sequence[str], vectors: NDArray[np.float16]) -> pa.Table:
    """The rows of ``vectors``, shape (n, dim), with their claim ids."""
    dim = vectors.shape[1]
    values = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), dim)
    return pa.table([pa.array(claim_ids, _TEXT), values], schema=embedding_schema(dim))


def embedding_matrix(table: pa.Table, dim: int) -> NDArray[np.float16]:
    """The vectors of an embeddings table, shape (n, dim)."""
    parts = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in table["embedding"].chunks]
    flat = np.concatenate(parts) if parts else np.empty(0, np.float16)
    matrix: NDArray[np.float16] = flat.astype(np.float16, copy=False).reshape(-1, dim)
    return matrix


def make_tables(claim_sets: Iterable[ClaimSet], statuses: Sequence[PaperStatus] = ()) -> Tables:
    """Flatten, check and order the claims and papers of an index.

    A status whose paper has a claim set sets that paper's status; the others give rows of their own.

    Raises:
        BadInput: a claim id or paper id occurs twice, a claim names another paper than its set's,
            or a text is not valid Unicode.
    """
    left = {status.paper_id: status for status in statuses}
    if len(left) != len(statuses):
        raise BadInput("two statuses are given for one paper", hint="give one record a paper")
    papers: dict[str, dict[str, Any]] = {}
    claims: dict[str, pa.RecordBatch] = {}
    seen: dict[str, str] = {}
    for claim_set in claim_sets:
        paper_id = claim_set.paper.paper_id
        if paper_id in papers:
            raise BadInput(f"paper {paper_id} is given twice", hint="give one claim set a paper")
        _check_ids(claim_set, seen)
        try:
            papers[paper_id] = _paper_row(claim_set, left.pop(paper_id, None))
            claims[paper_id] = pa.RecordBatch.from_pylist(list(_claim_rows(claim_set)), CLAIM_SCHEMA)
        except (UnicodeError, ValueError) as error:
            reason = " ".join(str(error).split())[:200]
            raise BadInput(f"paper {paper_id} has text that cannot be stored: {reason}") from error
    papers.update((status.paper_id, _status_row(status)) for status in left.values())
    return Tables(
        claims=pa.Table.from_batches([claims[key] for key in sorted(claims)], CLAIM_SCHEMA),
        papers=pa.Table.from_pylist([papers[key] for key in sorted(papers)], PAPER_SCHEMA),
    )


def _check_ids(claim_set: ClaimSet, seen: dict[str, str]) -> None:
    paper_id = claim_set.paper.paper_id
    for claim in claim_set.claims:
        if claim.paper_id != paper_id:
            raise BadInput(f"claim {claim.claim_id} of {claim.paper_id} stands in the set of {paper_id}")
        if claim.claim_id in seen:
            raise BadInput(f"claim id {claim.claim_id} occurs in {seen[claim.claim_id]} and in {paper_id}")
        seen[claim.claim_id] = paper_id


def _claim_rows(claim_set: ClaimSet) -> Iterator[dict[str, Any]]:
    paper = claim_set.paper
    for claim in sorted(claim_set.claims, key=lambda c: (not c.core, c.rank, c.claim_id)):
        yield {
            "title": paper.title,
            "venue": paper.venue,
            "year": paper.year,
            **_claim_columns(claim),
            **{name: getattr(claim.details, name, None) for name in _DETAILS},
            "needs": [_artifact(artifact) for artifact in claim.needs],
            "text_sha256": sha256(claim.text),
            "record": claim.model_dump_json(),
        }


def _claim_columns(claim: Claim) -> dict[str, Any]:
    first = claim.evidence[0]
    return {
        "claim_id": claim.claim_id,
        "paper_id": claim.paper_id,
        "type": str(claim.type),
        "core": claim.core,
        "rank": claim.rank,
        "text": claim.text,
        "quote": first.quote,
        "page": first.page,
        "anchor": first.anchor.label if first.anchor else None,
        "verdict": str(claim.grounding.verdict),
        "conflicts": len(claim.grounding.conflicts),
        "testable": claim.test.testable,
        "falsified_if": claim.test.falsified_if,
        "cost": claim.test.cost,
        "conditions": list(claim.conditions),
        "source_sha256": claim.source.sha256,
        "source_version": claim.source.version,
        "extractor": f"{claim.provenance.extractor} {claim.provenance.version}",
        "model": claim.provenance.model,
        "supersedes": claim.supersedes,
    }


def _paper_row(claim_set: ClaimSet, status: PaperStatus | None) -> dict[str, Any]:
    paper, claims = claim_set.paper, claim_set.claims
    return {
        "paper_id": paper.paper_id,
        "title": paper.title,
        "authors": list(paper.authors),
        "venue": paper.venue,
        "year": paper.year,
        "aliases": list(paper.aliases),
        "abstract": paper.abstract,
        "status": status.status if status else "ok",
        "code": status.code if status else "",
        "message": status.message if status else "",
        "claims": len(claims),
        "core": sum(claim.core for claim in claims),
        **{str(kind): sum(claim.type is kind for claim in claims) for kind in ClaimType},
        "rejected": len(claim_set.rejected),
        "artifacts": [_artifact(artifact) for artifact in claim_set.artifacts],
        "warnings": [f"{warning.code}: {warning.message}" for warning in paper.warnings],
        "source_sha256": paper.source.sha256,
        "source_version": paper.source.version,
        "url": paper.source.url,
        "pages": paper.source.pages,
        "parser": f"{paper.parser.name} {paper.parser.version}",
        "record": paper.model_dump_json(),
    }


def _status_row(status: PaperStatus) -> dict[str, Any]:
    counts = dict.fromkeys(("claims", "core", *map(str, ClaimType), "rejected"), 0)
    row = status.model_dump() | counts | {"authors": [], "artifacts": [], "warnings": []}
    return row | {"aliases": list(status.aliases)}


def _artifact(artifact: Artifact) -> str:
    where = f" <{artifact.url}>" if artifact.url else ""
    return f"{artifact.kind}: {artifact.name} ({artifact.availability}){where}"
