"""The vector index: FAISS over unit vectors, inner product, id = row of the claims table."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import faiss as faiss_with_stubs
import numpy as np
from numpy.typing import NDArray

from claimdex.errors import IndexMismatch

faiss: Any = faiss_with_stubs  # its type stubs know only part of it

FLAT_MAX = 200_000
"""Most vectors that are searched exhaustively; more are put into a graph."""

FLAT, GRAPH = "Flat", "HNSW32"
EF_CONSTRUCTION, EF_SEARCH = 80, 128
NARROW = 0.10
"""Share of allowed rows below which a graph is not used: filtered, it silently loses recall."""

_MAX_LOOPS = 100_000_000
_READING = threading.Lock()


class Vectors:
    """A searchable set of unit vectors of dimension ``dim``."""

    def __init__(self, index: Any) -> None:
        self._index: Any = index
        flat = faiss.downcast_index(index.storage) if isinstance(index, faiss.IndexHNSW) else index
        count, dim = index.ntotal, index.d
        self.matrix: NDArray[np.float32] = (
            faiss.rev_swig_ptr(flat.get_xb(), count * dim).reshape(count, dim)
            if count
            else np.empty((0, dim), np.float32)
        )
        """The stored vectors, shape (n, dim): a view of the index's own memory."""

    @classmethod
    def build(cls, vectors: NDArray[np.float16], *, flat_max: int | None = None) -> Vectors:
        """Index ``vectors``, shape (n, dim), rows of length 1."""
        count, dim = vectors.shape
        if count <= (FLAT_MAX if flat_max is None else flat_max):
            index = faiss.IndexFlatIP(dim)
        else:
            index = faiss.IndexHNSWFlat(dim, 32, faiss.METRIC_INNER_PRODUCT)
            index.hnsw.efConstruction = EF_CONSTRUCTION
        if count:
            index.add(vectors.astype(np.float32))
        return cls(index)

    @classmethod
    def read(cls, path: Path, *, factory: str, dim: int, rows: int) -> Vectors:
        """Read an index file that must be of this kind and size.

        Lengths in the file are not believed: FAISS is told to refuse any that exceed the file.

        Raises:
            IndexMismatch: the file is damaged, of another kind, or holds something not a number.
        """
        remedy = "claimdex rebuild makes it anew from the stored vectors"
        try:
            with _limits(path.stat().st_size):
                index = faiss.read_index(str(path))
        except (OSError, RuntimeError, MemoryError) as error:
            reason = " ".join(str(error).split()).rpartition("Error: ")[2][:160]
            raise IndexMismatch(f"{path} cannot be read: {reason}", hint=remedy) from error
        wanted = {FLAT: faiss.IndexFlatIP, GRAPH: faiss.IndexHNSWFlat}.get(factory)
        if wanted is None or type(index) is not wanted or index.metric_type != faiss.METRIC_INNER_PRODUCT:
            raise IndexMismatch(f"{path} is not a {factory} index with inner product", hint=remedy)
        if (index.d, index.ntotal) != (dim, rows):
            raise IndexMismatch(
                f"{path} holds {index.ntotal} vectors of {index.d} dimensions, "
                f"the manifest says {rows} of {dim}",
                hint=remedy,
            )
        if factory == GRAPH and not _is_plain(index):
            raise IndexMismatch(f"{path} keeps its vectors in an unknown form", hint=remedy)
        found = cls(index)
        if not np.isfinite(found.matrix).all():
            raise IndexMismatch(f"{path} holds a vector that is not a number", hint=remedy)
        return found

    def write(self, path: Path) -> None:
        """Write the index file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        faiss.write_index(self._index, str(path))

    @property
    def factory(self) -> str:
        """``Flat`` or ``HNSW32``."""
        return GRAPH if isinstance(self._index, faiss.IndexHNSW) else FLAT

    def search(
        self, query: NDArray[np.float32], k: int, allowed: NDArray[np.bool_] | None = None
    ) -> list[tuple[int, float]]:
        """The ``k`` nearest rows with their cosine, best first, ties by row.

        ``query`` has shape (dim,) and length 1. ``allowed``, shape (n,), limits the search to rows
        that are true. Few rows are compared one by one; a flat index is exact in any case.
        """
        total = len(self.matrix)
        rows = np.flatnonzero(allowed) if allowed is not None else np.arange(total)
        k = min(k, len(rows))
        if not k:
            return []
        if len(rows) < NARROW * total:
            return top(rows, self.matrix[rows] @ query, k)
        return self._by_index(query, k, allowed)

    def _by_index(
        self, query: NDArray[np.float32], k: int, allowed: NDArray[np.bool_] | None
    ) -> list[tuple[int, float]]:
        parameters = faiss.SearchParameters()
        if self.factory == GRAPH:
            parameters = faiss.SearchParametersHNSW(efSearch=max(EF_SEARCH, k))
        if allowed is not None:
            selector = faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))
            parameters.sel = selector
        with _one_thread():
            scores, rows = self._index.search(query[None], k, params=parameters)
        found = rows[0] >= 0
        return top(rows[0][found], scores[0][found], k)


def top(rows: NDArray[np.int64], scores: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
    """The ``k`` best (row, score) pairs, best first, ties by row.

    >>> top(np.array([4, 2, 9]), np.array([0.5, 0.5, 0.9], dtype=np.float32), 2)
    [(9, 0.8999999761581421), (2, 0.5)]
    """
    if k < len(rows):
        edge = np.partition(scores, len(scores) - k)[len(scores) - k]
        kept = scores >= edge
        rows, scores = rows[kept], scores[kept]
    order = np.lexsort((rows, -scores))[:k]
    return [(int(rows[i]), float(scores[i])) for i in order]


def _is_plain(index: Any) -> bool:
    storage = faiss.downcast_index(index.storage)
    return isinstance(storage, faiss.IndexFlat) and (storage.d, storage.ntotal) == (index.d, index.ntotal)


@contextmanager
def _limits(size: int) -> Iterator[None]:
    """Bound what FAISS may allocate for a file of ``size`` bytes (the limits are process-wide)."""
    if not hasattr(faiss, "set_deserialization_vector_byte_limit"):
        yield
        return
    with _READING:
        vector_bytes = faiss.get_deserialization_vector_byte_limit()
        loops = faiss.get_deserialization_loop_limit()
        faiss.set_deserialization_vector_byte_limit(size)
        faiss.set_deserialization_loop_limit(_MAX_LOOPS)
        try:
            yield
        finally:
            faiss.set_deserialization_vector_byte_limit(vector_bytes)
            faiss.set_deserialization_loop_limit(loops)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let FAISS answer in the calling thread (the setting is the thread's own).

    One query gains nothing from more threads, and on a busy machine waits for them.
    """
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
