"""Claims to an index folder: tables, vectors, lexical index, card and, last, the manifest."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimdex.backends import Embedder
from claimdex.claim import ClaimSet
from claimdex.index import encode, layout, lexical, parquet, stored, vectors
from claimdex.index.card import CONFIGS, dataset_card
from claimdex.index.counts import count
from claimdex.index.manifest import (
    EmbedderInfo,
    FileInfo,
    LexicalInfo,
    Manifest,
    VectorsInfo,
    check_files,
    describe_files,
    order_sha256,
    read_manifest,
    revision,
)
from claimdex.index.tables import PaperStatus, Tables, embedding_table, make_tables

_CLAIM_GROUP, _PAPER_GROUP, _VECTOR_GROUP = 5_000, 5_000, 25_000


def build_index(
    claim_sets: Iterable[ClaimSet],
    out: Path,
    embedder: Embedder,
    *,
    created_at: str,
    failures: Sequence[PaperStatus] = (),
    progress: Callable[[int, int], None] | None = None,
    reuse: encode.Known | None = None,
) -> Manifest:
    """Build the index of ``claim_sets`` in the folder ``out``, replacing the one that stands there.

    The text of each claim is embedded. Vectors of ``reuse`` (by sha256 of their text), else those of
    the index in ``out`` if it has the same embedder, are not computed again. ``failures`` tells of
    papers that failed or were read in part. ``progress`` is called with texts embedded and texts in
    all. The same claims, embedder and ``created_at`` give the same bytes (above `vectors.FLAT_MAX`
    claims, the graph's may depend on the number of threads).

    Raises:
        BadInput: an id occurs twice, a text cannot be stored, ``out`` holds something else or is
            being written.
        ModelFailed: the embedder gave no usable vectors.
    """
    with layout.writing(out) as stage:
        tables = make_tables(claim_sets, failures)
        known = stored.stored_vectors(out, embedder) if reuse is None else reuse
        matrix = encode.embed_all(embedder, tables.texts, known, progress)
        _write_data(stage, tables, matrix)
        if (out / layout.VERDICTS).is_dir():
            shutil.copytree(out / layout.VERDICTS, stage / layout.VERDICTS)
        folders = (layout.CLAIMS, layout.PAPERS, layout.EMBEDDINGS)
        data = describe_files(stage, folders)
        manifest = _write_index(stage, tables, matrix, encode.describe(embedder), data, created_at)
        layout.finish(out)
    return manifest


def rebuild(path: Path) -> Manifest:
    """Make the FAISS and BM25 files, card and manifest anew from the tables and stored vectors.

    Nothing is embedded. Also finishes a build that was killed while it moved into place.

    Raises:
        NotFound: there is no index.
        IndexMismatch: the tables themselves are damaged.
    """
    if not layout.interrupted(path):
        read_manifest(path)
    with layout.writing(path) as stage:
        manifest = read_manifest(path)
        check_files(path, manifest, ["data"])
        tables = Tables(stored.read_claims(path, manifest), stored.read_papers(path, manifest))
        matrix = stored.read_embeddings(path, manifest)
        data = {name: info for name, info in manifest.files.items() if name.startswith("data/")}
        manifest = _write_index(stage, tables, matrix, manifest.embedder, data, manifest.created_at)
        layout.finish(path)
    return manifest


def _write_data(stage: Path, tables: Tables, matrix: NDArray[np.float16]) -> None:
    parquet.write_table(tables.claims, stage / layout.CLAIMS, group_rows=_CLAIM_GROUP)
    parquet.write_table(tables.papers, stage / layout.PAPERS, group_rows=_PAPER_GROUP)
    parquet.write_table(
        embedding_table(tables.claim_ids, matrix),
        stage / layout.EMBEDDINGS,
        group_rows=_VECTOR_GROUP,
        split_bytes=["embedding.list.element"],
    )


def _write_index(
    stage: Path,
    tables: Tables,
    matrix: NDArray[np.float16],
    embedder: EmbedderInfo,
    data: dict[str, FileInfo],
    created_at: str,
) -> Manifest:
    """Write all that derives from the tables; ``data`` describes their files."""
    dense = vectors.Vectors.build(matrix)
    dense.write(stage / layout.VECTORS)
    sparse = lexical.Lexical.build(tables.texts)
    sparse.write(stage / layout.LEXICAL)
    files = data | describe_files(stage, ["index"])
    manifest = Manifest(
        claimdex=version("claimdex"),
        revision=revision(files),
        created_at=created_at,
        counts=count(tables),
        order_sha256=order_sha256(tables.claim_ids),
        embedder=embedder,
        vectors=_vectors_info(dense),
        lexical=_lexical_info(sparse),
        canaries=encode.canaries(tables.texts),
        files=files,
    )
    has_verdicts = (stage.parent / layout.VERDICTS).is_dir()
    configs = (*CONFIGS, "verdicts") if has_verdicts else CONFIGS
    (stage / layout.README).write_text(dataset_card(manifest, configs=configs), "utf-8")
    files |= describe_files(stage, [layout.README])
    manifest = manifest.model_copy(update={"files": dict(sorted(files.items()))})
    text = manifest.model_dump_json(indent=1) + "\n"
    (stage / f"{layout.MANIFEST}.part").write_text(text, "utf-8")
    (stage / f"{layout.MANIFEST}.part").rename(stage / layout.MANIFEST)
    return manifest


def _vectors_info(dense: vectors.Vectors) -> VectorsInfo:
    graph = dense.factory == vectors.GRAPH
    return VectorsInfo.model_validate(
        {
            "factory": dense.factory,
            "ef_construction": vectors.EF_CONSTRUCTION if graph else None,
            "faiss": version("faiss-cpu"),
        }
    )


def _lexical_info(sparse: lexical.Lexical) -> LexicalInfo:
    return LexicalInfo(
        k1=lexical.K1,
        b=lexical.B,
        terms=sparse.terms,
        stemmer=f"snowball english {version('snowballstemmer')}",
        bm25s=version("bm25s"),
    )
