"""Texts to checked vectors: known ones are reused, new ones embedded, none trusted blindly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from claimdex.backends import Embedder
from claimdex.errors import IndexMismatch, ModelFailed
from claimdex.index.manifest import Canary, EmbedderInfo
from claimdex.text import sha256

BLOCK = 512
MIN_COSINE = 0.999
"""Least cosine of a canary with its stored vector: above float16 rounding, below any other model."""

Progress = Callable[[int, int], None]
Known = Mapping[str, NDArray[np.float16]]
"""Vectors by the sha256 of their text."""


def embed(embedder: Embedder, texts: list[str]) -> NDArray[np.float32]:
    """``texts`` as unit vectors, shape (n, dim).

    Raises:
        ModelFailed: the embedder gave another shape, or vectors that are not of length 1.
    """
    vectors = embedder.encode(texts)
    if vectors.shape != (len(texts), embedder.dim):
        raise ModelFailed(
            f"embedder {embedder.name} gave shape {vectors.shape} for {len(texts)} texts "
            f"of {embedder.dim} dimensions"
        )
    lengths = np.linalg.norm(vectors, axis=1)
    if not np.allclose(lengths, 1.0, atol=1e-3):
        raise ModelFailed(f"embedder {embedder.name} gave vectors whose length is not 1")
    return vectors.astype(np.float32, copy=False)


def embed_all(
    embedder: Embedder, texts: Sequence[str], known: Known, progress: Progress | None = None
) -> NDArray[np.float16]:
    """Vectors of ``texts`` in their order, shape (n, dim), rounded to the float16 that is stored.

    Each distinct text is embedded once, in an order that depends on the texts alone. ``progress``
    is called with texts done and texts in all.
    """
    keys = [sha256(text) for text in texts]
    vectors = {key: known[key] for key in keys if key in known and known[key].shape == (embedder.dim,)}
    new = {key: text for key, text in zip(keys, texts, strict=True) if key not in vectors}
    todo = sorted(new.items(), key=lambda item: (len(item[1]), item[1]))
    total = len(vectors) + len(todo)
    for start in range(0, len(todo), BLOCK):
        if progress:
            progress(len(vectors), total)
        block = todo[start : start + BLOCK]
        found = embed(embedder, [text for _, text in block]).astype(np.float16)
        vectors.update(zip((key for key, _ in block), found, strict=True))
    if progress:
        progress(total, total)
    if not keys:
        return np.empty((0, embedder.dim), np.float16)
    return np.stack([vectors[key] for key in keys])


def describe(embedder: Embedder) -> EmbedderInfo:
    """What the manifest says of an embedder."""
    libraries: Callable[[], dict[str, str]] = getattr(embedder, "libraries", dict)
    return EmbedderInfo(
        name=embedder.name,
        fingerprint=embedder.fingerprint(),
        dim=embedder.dim,
        libraries=libraries(),
    )


def canaries(texts: Sequence[str]) -> tuple[Canary, ...]:
    """First, middle and last claim, to know the embedder by."""
    rows = sorted({0, len(texts) // 2, len(texts) - 1}) if texts else []
    return tuple(Canary(row=row, text=texts[row]) for row in rows)


def check_fingerprint(embedder: Embedder, info: EmbedderInfo) -> None:
    """Compare an embedder with the one that the index was built with.

    Raises:
        IndexMismatch: it is another one.
    """
    fingerprint = embedder.fingerprint()
    if (fingerprint, embedder.dim) != (info.fingerprint, info.dim):
        raise IndexMismatch(
            f"the index was built with {info.name} ({info.fingerprint[:12]}, {info.dim} dimensions), "
            f"this is {embedder.name} ({fingerprint[:12]}, {embedder.dim} dimensions)",
            hint=f"set embed.model to {info.name}, or index again with {embedder.name}",
        )


def check_canaries(embedder: Embedder, found: Sequence[Canary], matrix: NDArray[np.float32]) -> None:
    """Embed the canaries again and compare with the vectors of the index, shape (n, dim).

    Raises:
        IndexMismatch: the embedder or the vectors are not those that the index was built with.
    """
    if not found:
        return
    vectors = embed(embedder, [canary.text for canary in found])
    for canary, vector in zip(found, vectors, strict=True):
        cosine = float(vector @ matrix[canary.row])
        if not cosine >= MIN_COSINE:
            raise IndexMismatch(
                f"embedder {embedder.name} maps the claim of row {canary.row} to another vector than the "
                f"stored one (cosine {cosine:.3f})",
                hint="claimdex rebuild if the index was changed; index again if the model was",
            )
