"""Reading the tables and vectors of an index folder back, checked against its manifest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from claimdex.backends import Embedder
from claimdex.errors import IndexMismatch, NotFound
from claimdex.index import layout
from claimdex.index.encode import describe
from claimdex.index.lexical import Lexical
from claimdex.index.manifest import Manifest, check_files, order_sha256, read_manifest
from claimdex.index.parquet import read_table
from claimdex.index.tables import CLAIM_SCHEMA, PAPER_SCHEMA, embedding_matrix, embedding_schema
from claimdex.index.vectors import Vectors


def read_claims(root: Path, manifest: Manifest, columns: Sequence[str] | None = None) -> pa.Table:
    """The claims table (all columns, if None). ``claim_id`` must be among the columns.

    Raises:
        IndexMismatch: the table is damaged, or its rows stand in another order than indexed.
    """
    paths = manifest.paths(root, layout.CLAIMS)
    table = read_table(paths, CLAIM_SCHEMA, rows=manifest.counts.claims, columns=columns)
    _check_order(root, manifest, table, "claims")
    return table


def read_papers(root: Path, manifest: Manifest) -> pa.Table:
    """The papers table. Raises IndexMismatch."""
    return read_table(manifest.paths(root, layout.PAPERS), PAPER_SCHEMA, rows=manifest.counts.papers)


def read_embeddings(root: Path, manifest: Manifest) -> NDArray[np.float16]:
    """The stored vectors, shape (n, dim).

    Raises:
        IndexMismatch: the table is damaged, in another order, or holds something not a number.
    """
    dim = manifest.embedder.dim
    paths = manifest.paths(root, layout.EMBEDDINGS)
    table = read_table(paths, embedding_schema(dim), rows=manifest.counts.claims)
    _check_order(root, manifest, table, "embeddings")
    matrix = embedding_matrix(table, dim)
    if len(matrix) != table.num_rows or not np.isfinite(matrix).all():
        raise IndexMismatch(f"{root / layout.EMBEDDINGS} holds a vector that is not a number")
    return matrix


def read_vectors(root: Path, manifest: Manifest) -> Vectors:
    """The FAISS index. Raises IndexMismatch."""
    return Vectors.read(
        root / layout.VECTORS,
        factory=manifest.vectors.factory,
        dim=manifest.embedder.dim,
        rows=manifest.counts.claims,
    )


def read_lexical(root: Path, manifest: Manifest) -> Lexical:
    """The BM25 index. Raises IndexMismatch."""
    return Lexical.read(root / layout.LEXICAL, terms=manifest.lexical.terms, rows=manifest.counts.claims)


def stored_vectors(root: Path, embedder: Embedder) -> dict[str, NDArray[np.float16]]:
    """Vectors of the index in ``root`` by the sha256 of their claim's text.

    Empty when there is no intact index there, or it was built with another embedder.
    """
    try:
        manifest = read_manifest(root)
        if manifest.embedder.model_dump() != describe(embedder).model_dump():
            return {}
        check_files(root, manifest, ["data"])
        keys = read_claims(root, manifest, ["claim_id", "text_sha256"])["text_sha256"].to_pylist()
        return dict(zip(keys, read_embeddings(root, manifest), strict=True))
    except (NotFound, IndexMismatch):
        return {}


def _check_order(root: Path, manifest: Manifest, table: pa.Table, name: str) -> None:
    if order_sha256(table["claim_id"].to_pylist()) != manifest.order_sha256:
        raise IndexMismatch(
            f"the rows of {root / 'data' / name} stand in another order than the index was built for",
            hint="restore the file or index again",
        )
