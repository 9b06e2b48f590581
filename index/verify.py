"""A full check of an index folder: every hash, and that all parts say the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from claimdex.claim import Claim
from claimdex.errors import IndexMismatch
from claimdex.index import layout, stored
from claimdex.index.counts import count
from claimdex.index.manifest import Manifest, file_problem, read_manifest
from claimdex.index.tables import Tables
from claimdex.paper import PaperMeta, Record


class Finding(Record):
    """Something wrong in an index. ``where``: path relative to the index."""

    where: str
    problem: str
    hint: str = ""


def verify(path: Path) -> list[Finding]:
    """All that is wrong with the index in ``path``; empty when it is sound.

    Raises:
        NotFound: there is no index.
    """
    try:
        manifest = read_manifest(path)
    except IndexMismatch as error:
        return [_finding(layout.MANIFEST, error)]
    findings = [*_files(path, manifest), *_strangers(path, manifest)]
    # Contents are compared only when every file is as it was written: else they cannot agree.
    return findings or [*_tables(path, manifest), *_indexes(path, manifest)]


def _files(root: Path, manifest: Manifest) -> Iterator[Finding]:
    for name, info in manifest.files.items():
        problem = file_problem(root / name, info)
        if problem:
            hint = "index again" if name.startswith("data/") else f"claimdex rebuild {root}"
            yield Finding(where=name, problem=problem, hint=hint)


def _strangers(root: Path, manifest: Manifest) -> Iterator[Finding]:
    for folder in ("data", "index"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_file() and name not in manifest.files and not name.startswith(layout.VERDICTS + "/"):
                yield Finding(where=name, problem="is not in the manifest", hint="remove it")


def _tables(root: Path, manifest: Manifest) -> Iterator[Finding]:
    try:
        tables = Tables(stored.read_claims(root, manifest), stored.read_papers(root, manifest))
    except IndexMismatch as error:
        yield _finding("data", error)
        return
    if count(tables) != manifest.counts:
        yield Finding(where=layout.MANIFEST, problem="its counts are not those of the tables")
    rows = tables.claims.select(["claim_id", "paper_id", "text", "record"]).to_pylist()
    papers = set(tables.papers["paper_id"].to_pylist())
    for number, row in enumerate(rows):
        try:
            claim = Claim.model_validate_json(row["record"])
        except ValidationError:
            yield Finding(where=layout.CLAIMS, problem=f"row {number} has no valid record")
            continue
        if (claim.claim_id, claim.paper_id, claim.text) != (row["claim_id"], row["paper_id"], row["text"]):
            yield Finding(where=layout.CLAIMS, problem=f"row {number} differs from its record")
        if claim.paper_id not in papers:
            yield Finding(where=layout.PAPERS, problem=f"{claim.paper_id} has claims but no row")
    for row in tables.papers.select(["paper_id", "record"]).to_pylist():
        try:
            if row["record"] is not None:
                PaperMeta.model_validate_json(row["record"])
        except ValidationError:
            yield Finding(where=layout.PAPERS, problem=f"{row['paper_id']} has no valid record")


def _indexes(root: Path, manifest: Manifest) -> Iterator[Finding]:
    try:
        dense = stored.read_vectors(root, manifest)
        vectors = stored.read_embeddings(root, manifest).astype(np.float32)
        if not np.array_equal(dense.matrix, vectors):
            yield Finding(
                where=layout.VECTORS,
                problem="holds other vectors than the embeddings table",
                hint=f"claimdex rebuild {root}",
            )
        stored.read_lexical(root, manifest)
    except IndexMismatch as error:
        yield _finding("index", error)


def _finding(where: str, error: IndexMismatch) -> Finding:
    return Finding(where=where, problem=error.message, hint=error.hint)
