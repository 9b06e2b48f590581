from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from claimdex.backends import Embedder
from claimdex.errors import IndexMismatch, NotFound
from claimdex.index import layout
from claimdex.index.manifest import describe_files, read_manifest, revision
from claimdex.index.parquet import read_table, write_table
from claimdex.index.search import ClaimIndex
from claimdex.index.tables import CLAIM_SCHEMA
from claimdex.index.verify import verify


def only(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def forge(root: Path, **changes: object) -> None:
    """Rewrite the manifest so that all its hashes fit the files that lie there now."""
    raw = json.loads((root / layout.MANIFEST).read_text("utf-8"))
    raw["files"] = {
        name: info.model_dump()
        for name, info in describe_files(root, ["data", "index", layout.README]).items()
    }
    raw["revision"] = revision(describe_files(root, ["data", "index"]))
    (root / layout.MANIFEST).write_text(json.dumps(raw | changes), "utf-8")


def rewrite(path: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    table = change(pq.read_table(path))
    path.unlink()
    write_table(table, path.parent, group_rows=5000)


def swap_two_rows(table: pa.Table) -> pa.Table:
    return table.take([1, 0, *range(2, table.num_rows)])


def test_a_fresh_index_has_no_findings(built: Path) -> None:
    assert verify(built) == []


def test_a_folder_without_index_is_not_found(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(NotFound, match="no index in"):
            ClaimIndex.open(path)
        with pytest.raises(NotFound):
            verify(path)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        (layout.CLAIMS + "/train-00000-of-00001.parquet", "index again"),
        (layout.EMBEDDINGS + "/train-00000-of-00001.parquet", "index again"),
        (layout.VECTORS, "claimdex rebuild"),
        (layout.LEXICAL + "/vocab.index.json", "claimdex rebuild"),
    ],
)
@pytest.mark.parametrize("harm", ["delete", "truncate", "flip"])
def test_every_missing_truncated_or_changed_file_is_named(
    built: Path, name: str, remedy: str, harm: str
) -> None:
    path = built / name
    data = path.read_bytes()
    middle = len(data) // 2
    if harm == "delete":
        path.unlink()
    elif harm == "truncate":
        path.write_bytes(data[:middle])
    else:
        path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    with pytest.raises(IndexMismatch, match=path.name) as caught:
        ClaimIndex.open(built)
    assert remedy in caught.value.hint
    assert [(finding.where, remedy in finding.hint) for finding in verify(built)] == [(name, True)]


def test_a_file_that_is_not_in_the_manifest_is_found(built: Path) -> None:
    (built / "data" / "claims" / "extra.parquet").write_bytes(b"PAR1")
    assert [finding.where for finding in verify(built)] == ["data/claims/extra.parquet"]


def test_an_edited_card_does_not_stop_opening_but_is_found(built: Path) -> None:
    (built / layout.README).write_text("edited", "utf-8")
    assert ClaimIndex.open(built).stats().counts.claims == 13
    assert [finding.where for finding in verify(built)] == [layout.README]


@pytest.mark.parametrize(
    "edit",
    [
        lambda raw: raw["files"][layout.VECTORS].update(sha256="0" * 64),
        lambda raw: raw["files"].pop(layout.VECTORS),
        lambda raw: raw.update(revision="0" * 16),
        lambda raw: raw.update(surprise=1),
        lambda raw: raw.update(schema_version="99"),
        lambda raw: raw["files"].update({"../../etc/passwd": {"bytes": 1, "sha256": "0" * 64}}),
        lambda raw: raw["files"].update({"/etc/passwd": {"bytes": 1, "sha256": "0" * 64}}),
        lambda raw: raw.update(order_sha256="0" * 64),
        lambda raw: raw["counts"].update(claims=14),
        lambda raw: raw["embedder"].update(dim=32),
        lambda raw: raw["vectors"].update(factory="HNSW32"),
        lambda raw: raw["lexical"].update(terms=3),
    ],
)
def test_every_edit_of_the_manifest_is_noticed(built: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    path = built / layout.MANIFEST
    raw = json.loads(path.read_text("utf-8"))
    edit(raw)
    path.write_text(json.dumps(raw), "utf-8")
    with pytest.raises(IndexMismatch):
        ClaimIndex.open(built)
    assert verify(built)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b" " * (5 * 2**20)])
def test_a_file_that_is_no_manifest_is_refused(built: Path, data: bytes) -> None:
    (built / layout.MANIFEST).write_bytes(data)
    with pytest.raises(IndexMismatch, match="manifest"):
        ClaimIndex.open(built)
    assert [finding.where for finding in verify(built)] == [layout.MANIFEST]


@pytest.mark.parametrize("folder", [layout.CLAIMS, layout.EMBEDDINGS])
def test_swapped_rows_are_noticed_even_with_forged_hashes(built: Path, folder: str) -> None:
    rewrite(only(built / folder), swap_two_rows)
    forge(built)
    assert "stand in another order" in verify(built)[0].problem
    if folder == layout.CLAIMS:
        with pytest.raises(IndexMismatch, match="stand in another order"):
            ClaimIndex.open(built)


def test_swapped_vectors_are_noticed_even_with_forged_hashes(built: Path, embedder: Embedder) -> None:
    index = faiss.read_index(str(built / layout.VECTORS))
    vectors = index.reconstruct_n(0, index.ntotal)
    swapped = faiss.IndexFlatIP(index.d)
    swapped.add(vectors[::-1].copy())
    faiss.write_index(swapped, str(built / layout.VECTORS))
    forge(built)
    assert [finding.where for finding in verify(built)] == [layout.VECTORS]
    with pytest.raises(IndexMismatch, match="another vector than the stored one"):
        ClaimIndex.open(built, embedder=embedder).search("moss")


def test_a_stored_vector_that_is_not_a_number_is_noticed(built: Path) -> None:
    def poison(table: pa.Table) -> pa.Table:
        rows = table["embedding"].combine_chunks()
        values = rows.flatten().to_numpy().copy()
        values[3] = np.nan
        return table.set_column(
            1, table.schema.field(1), pa.FixedSizeListArray.from_arrays(pa.array(values), 64)
        )

    rewrite(only(built / layout.EMBEDDINGS), poison)
    forge(built)
    assert "not a number" in verify(built)[0].problem


def test_a_record_that_differs_from_its_columns_is_noticed(built: Path) -> None:
    def change(table: pa.Table) -> pa.Table:
        place = CLAIM_SCHEMA.get_field_index("text")
        texts = ["changed", *table["text"].to_pylist()[1:]]
        return table.set_column(place, CLAIM_SCHEMA.field(place), pa.array(texts, pa.string()))

    rewrite(only(built / layout.CLAIMS), change)
    forge(built)
    assert [finding.problem for finding in verify(built)] == ["row 0 differs from its record"]


def test_counts_that_are_not_those_of_the_tables_are_noticed(built: Path) -> None:
    raw = json.loads((built / layout.MANIFEST).read_text("utf-8"))
    forge(built, counts=raw["counts"] | {"core": 1})
    assert [finding.problem for finding in verify(built)] == ["its counts are not those of the tables"]


def test_a_small_file_that_would_decode_to_far_more_is_refused_unread(tmp_path: Path) -> None:
    schema = pa.schema({"text": pa.string()})
    bomb = tmp_path / "bomb.parquet"
    dictionary = pa.DictionaryArray.from_arrays(np.zeros(200_000, np.int8), ["x" * 1000])
    pq.write_table(pa.table({"text": dictionary}).cast(schema), bomb, compression="zstd")
    assert bomb.stat().st_size < 100_000
    with pytest.raises(IndexMismatch, match="coded columns"):
        read_table([bomb], schema, rows=200_000)


def test_large_tables_are_split_into_files_in_row_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("claimdex.index.parquet.ROWS_PER_FILE", 10)
    table = pa.table({"n": list(range(25))})
    paths = write_table(table, tmp_path, group_rows=4)
    assert [path.name for path in paths] == [f"train-0000{n}-of-00003.parquet" for n in range(3)]
    assert read_table(paths, table.schema, rows=25)["n"].to_pylist() == list(range(25))
    with pytest.raises(IndexMismatch, match="has 20 rows, the manifest says 25"):
        read_table(paths[:2], table.schema, rows=25)


def test_the_revision_names_the_content_and_not_the_time(built: Path) -> None:
    manifest = read_manifest(built)
    assert manifest.revision == revision(describe_files(built, ["data", "index"]))
    assert set(manifest.files) == {
        p.relative_to(built).as_posix() for p in built.rglob("*") if p.is_file() and p.name != layout.MANIFEST
    }
