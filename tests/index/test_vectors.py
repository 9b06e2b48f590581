from __future__ import annotations

from pathlib import Path

import faiss
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from claimdex.errors import IndexMismatch
from claimdex.index.vectors import FLAT, GRAPH, Vectors


def unit(count: int, dim: int = 16, seed: int = 0) -> NDArray[np.float16]:
    rows = np.random.default_rng(seed).standard_normal((count, dim))
    scaled: NDArray[np.float16] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16)
    return scaled


def exact(matrix: NDArray[np.float32], query: NDArray[np.float32], k: int, rows: list[int]) -> list[int]:
    return sorted(rows, key=lambda row: (-float(matrix[row] @ query), row))[:k]


@pytest.mark.parametrize(("flat_max", "factory"), [(1000, FLAT), (10, GRAPH)])
def test_an_index_finds_each_vector_itself_after_a_round_trip(
    tmp_path: Path, flat_max: int, factory: str
) -> None:
    vectors = unit(300)
    Vectors.build(vectors, flat_max=flat_max).write(tmp_path / "v.faiss")
    read = Vectors.read(tmp_path / "v.faiss", factory=factory, dim=16, rows=300)
    assert read.factory == factory
    assert np.array_equal(read.matrix, vectors.astype(np.float32))
    for row in (0, 150, 299):
        assert read.search(read.matrix[row], 1)[0][0] == row


@given(seed=st.integers(0, 1000), share=st.floats(0, 1), k=st.integers(1, 30))
@settings(max_examples=60, deadline=None)
def test_filtered_search_of_a_flat_index_equals_brute_force(seed: int, share: float, k: int) -> None:
    vectors = Vectors.build(unit(120, seed=seed))
    allowed = np.random.default_rng(seed).random(120) < share
    query = unit(1, seed=seed + 1)[0].astype(np.float32)
    found = [row for row, _ in vectors.search(query, k, allowed)]
    rows = np.flatnonzero(allowed).tolist()
    scores = vectors.matrix @ query
    assert set(found) <= set(rows)
    assert np.allclose(scores[found], scores[exact(vectors.matrix, query, k, rows)], atol=1e-6)


@pytest.mark.parametrize("share", [0.02, 0.5])
def test_a_graph_answers_filtered_searches_almost_as_well_as_brute_force(share: float) -> None:
    vectors = Vectors.build(unit(3000), flat_max=10)
    allowed = np.random.default_rng(1).random(3000) < share
    query = unit(1, seed=9)[0].astype(np.float32)
    found = [row for row, _ in vectors.search(query, 10, allowed)]
    best = exact(vectors.matrix, query, 10, np.flatnonzero(allowed).tolist())
    assert allowed[found].all()
    assert len(set(found) & set(best)) >= (10 if share < 0.1 else 9)


def test_equal_vectors_come_in_row_order() -> None:
    vectors = Vectors.build(np.repeat(unit(1), 50, axis=0))
    query = unit(1)[0].astype(np.float32)
    assert [row for row, _ in vectors.search(query, 50)] == list(range(50))
    allowed = np.arange(50) >= 46
    assert [row for row, _ in vectors.search(query, 3, allowed)] == [46, 47, 48]


def test_no_vectors_and_no_allowed_rows_give_no_answer() -> None:
    query = unit(1)[0].astype(np.float32)
    assert Vectors.build(unit(0)).search(query, 5) == []
    assert Vectors.build(unit(9)).search(query, 5, np.zeros(9, bool)) == []


def write(index: faiss.Index, path: Path) -> Path:
    faiss.write_index(index, str(path))
    return path


@pytest.mark.parametrize(("flat_max", "factory"), [(1000, FLAT), (10, GRAPH)])
def test_a_truncated_file_is_refused_at_every_length(tmp_path: Path, flat_max: int, factory: str) -> None:
    Vectors.build(unit(20), flat_max=flat_max).write(tmp_path / "v.faiss")
    data = (tmp_path / "v.faiss").read_bytes()
    for length in range(0, len(data), 97):
        (tmp_path / "cut.faiss").write_bytes(data[:length])
        with pytest.raises(IndexMismatch):
            Vectors.read(tmp_path / "cut.faiss", factory=factory, dim=16, rows=20)


def test_a_length_that_exceeds_the_file_is_refused_without_allocating(tmp_path: Path) -> None:
    Vectors.build(unit(20)).write(tmp_path / "v.faiss")
    data = bytearray((tmp_path / "v.faiss").read_bytes())
    place = data.index((20 * 16 * 4).to_bytes(8, "little")) if (1280).to_bytes(8, "little") in data else 33
    data[place : place + 8] = (2**38).to_bytes(8, "little")
    (tmp_path / "v.faiss").write_bytes(data)
    with pytest.raises(IndexMismatch, match="cannot be read"):
        Vectors.read(tmp_path / "v.faiss", factory=FLAT, dim=16, rows=20)


def test_the_limits_of_other_users_of_faiss_stay_as_they_were(tmp_path: Path) -> None:
    before = faiss.get_deserialization_vector_byte_limit()
    Vectors.build(unit(5)).write(tmp_path / "v.faiss")
    Vectors.read(tmp_path / "v.faiss", factory=FLAT, dim=16, rows=5)
    assert faiss.get_deserialization_vector_byte_limit() == before


def test_other_sizes_metrics_and_kinds_are_refused(tmp_path: Path) -> None:
    vectors = unit(20).astype(np.float32)
    path = tmp_path / "v.faiss"
    Vectors.build(unit(20)).write(path)
    for dim, rows in ((16, 21), (8, 20)):
        with pytest.raises(IndexMismatch, match="holds 20 vectors of 16 dimensions"):
            Vectors.read(path, factory=FLAT, dim=dim, rows=rows)
    for foreign in (faiss.IndexFlatL2(16), faiss.IndexHNSWFlat(16, 32), faiss.IndexScalarQuantizer(16, 0)):
        foreign.train(vectors)
        foreign.add(vectors)
        with pytest.raises(IndexMismatch, match="is not a Flat index"):
            Vectors.read(write(foreign, path), factory=FLAT, dim=16, rows=20)
    with pytest.raises(IndexMismatch, match="is not a PQ8 index"):
        Vectors.read(path, factory="PQ8", dim=16, rows=20)


def test_a_vector_that_is_not_a_number_is_refused(tmp_path: Path) -> None:
    for value in (np.nan, np.inf):
        vectors = unit(20).astype(np.float32)
        vectors[7, 3] = value
        index = faiss.IndexFlatIP(16)
        index.add(vectors)
        with pytest.raises(IndexMismatch, match="not a number"):
            Vectors.read(write(index, tmp_path / "v.faiss"), factory=FLAT, dim=16, rows=20)
