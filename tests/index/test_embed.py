from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from claimdex.errors import BadInput, ModelFailed
from claimdex.index.embed import MiniLmEmbedder, SentenceTransformerEmbedder, embedder_for
from claimdex.index.encode import embed, embed_all
from claimdex.settings import EmbedSettings, Settings
from claimdex.text import sha256

TEXTS = [
    "Sparse attention halves the memory of long-context decoding",
    "Ducks prefer still water",
    "Memory use of decoding with long contexts drops by 50% under sparse attention",
]


def test_minilm_gives_unit_vectors_in_the_order_of_the_texts(minilm: MiniLmEmbedder) -> None:
    vectors = minilm.encode(TEXTS)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[2] > 0.7 > vectors[0] @ vectors[1]


def test_minilm_gives_the_same_bytes_twice(minilm: MiniLmEmbedder) -> None:
    assert minilm.encode(TEXTS).tobytes() == minilm.encode(TEXTS).tobytes()


def test_the_fingerprint_is_the_hash_of_the_weights(minilm: MiniLmEmbedder) -> None:
    assert minilm.fingerprint() == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert set(minilm.libraries()) == {"sentence-transformers", "transformers", "torch"}


def test_no_texts_give_no_vectors_and_load_no_model() -> None:
    embedder = MiniLmEmbedder(Settings())
    assert embedder.encode([]).shape == (0, 384)
    assert embedder._loaded is None


def test_a_folder_with_a_model_is_an_embedder_too(minilm: MiniLmEmbedder) -> None:
    embedder = embedder_for(Settings(embed=EmbedSettings(model=str(minilm._folder))))
    assert isinstance(embedder, SentenceTransformerEmbedder)
    assert (embedder.name, embedder.dim) == ("model", 384)
    assert embedder.fingerprint() == minilm.fingerprint()


def test_a_model_that_is_neither_known_nor_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no embedder named 'nobody/nothing'"):
        embedder_for(Settings(embed=EmbedSettings(model="nobody/nothing")))
    with pytest.raises(BadInput, match="not a sentence-transformers folder"):
        embedder_for(Settings(embed=EmbedSettings(model=str(tmp_path))))


def test_loading_tries_no_connection_and_prints_nothing(
    minilm: MiniLmEmbedder, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    minilm.encode(["so that the libraries are imported"])
    capfd.readouterr()

    def refuse(*args: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert MiniLmEmbedder(Settings()).encode(["a pond"]).shape == (1, 384)
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_a_first_import_and_load_opens_no_connection_prints_nothing_and_leaves_the_hub_usable() -> None:
    script = (
        "import socket\n"
        "def refuse(*args, **kwargs): raise AssertionError('a connection was tried')\n"
        "socket.socket.connect = refuse\n"
        "socket.getaddrinfo = refuse\n"
        "from claimdex.index.embed import MiniLmEmbedder\n"
        "from claimdex.settings import Settings\n"
        "assert MiniLmEmbedder(Settings()).encode(['a pond']).shape == (1, 384)\n"
        "import huggingface_hub.constants as hub\n"
        "assert not hub.HF_HUB_OFFLINE\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


class Broken:
    name, dim = "broken", 4

    def __init__(self, vectors: list[list[float]]) -> None:
        self._vectors = vectors

    def fingerprint(self) -> str:
        return "f" * 64

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        return np.array(self._vectors, np.float32)


@pytest.mark.parametrize(
    "vectors",
    [[[1, 0, 0]], [[1, 0, 0, 0], [1, 0, 0, 0]], [[2, 0, 0, 0]], [[0, 0, 0, 0]], [[float("nan"), 1, 0, 0]]],
)
def test_vectors_that_are_not_what_they_should_be_are_refused(vectors: list[list[float]]) -> None:
    with pytest.raises(ModelFailed, match="embedder broken gave"):
        embed(Broken(vectors), ["a text"])


def test_known_texts_are_not_embedded_again_and_repeated_ones_once(
    minilm: MiniLmEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    original = minilm.encode

    def watched(texts: list[str]) -> NDArray[np.float32]:
        seen.extend(texts)
        return original(texts)

    monkeypatch.setattr(minilm, "encode", watched)
    known = {sha256(TEXTS[1]): np.full(384, 0.5, np.float16)}
    calls: list[tuple[int, int]] = []
    vectors = embed_all(minilm, [*TEXTS, TEXTS[0]], known, lambda done, total: calls.append((done, total)))
    assert sorted(seen) == sorted([TEXTS[0], TEXTS[2]])
    assert np.array_equal(vectors[1], known[sha256(TEXTS[1])])
    assert np.array_equal(vectors[0], vectors[3])
    assert calls == [(1, 3), (3, 3)]
