"""Where back-ends meet: one Protocol a kind and one table of names.

Classes are named by string and imported on first use, so that ``claimdex --help`` loads neither
torch nor spaCy nor FAISS. A plug-in adds itself with an entry point in the group
``claimdex.<kind>``.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from claimdex.claim import Extraction
from claimdex.errors import BadInput
from claimdex.paper import Paper, PaperRef
from claimdex.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Parser(Protocol):
    """Reads a PDF into a paper."""

    def parse(self, pdf: Path, ref: PaperRef) -> Paper:
        """The paper in ``pdf``. Raises ParseFailed."""
        ...


class Extractor(Protocol):
    """Proposes claims for a paper; grounding decides which are published."""

    def extract(self, paper: Paper) -> Extraction:
        """Drafts and artifacts of ``paper``. Raises ModelFailed."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    name: str
    dim: int

    def fingerprint(self) -> str:
        """Sha256 of the weights: the key by which indexes know their embedder."""
        ...

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Array of shape ``(len(texts), dim)``, rows of length 1."""
        ...


BACKENDS: dict[str, dict[str, str]] = {
    "parser": {
        "pdf": "claimdex.extract.pdf.parser:EmbeddedParser",
        "grobid": "claimdex.extract.grobid.parser:GrobidParser",
    },
    "extractor": {
        "rules": "claimdex.extract.rules.extractor:RuleExtractor",
        "llm": "claimdex.extract.llm.extractor:LlmExtractor",
    },
    "embedder": {"minilm": "claimdex.index.embed:MiniLmEmbedder"},
}


def available(kind: str) -> list[str]:
    """Names of the back-ends of a kind, plug-ins included."""
    return sorted({*BACKENDS[kind], *(e.name for e in entry_points(group=f"claimdex.{kind}"))})


def load(kind: str, name: str, settings: Settings) -> Any:
    """The back-end ``name`` of a kind, made from the settings.

    Raises:
        BadInput: there is no such back-end.
        BackendMissing: it needs an extra that is not installed.
    """
    target = BACKENDS[kind].get(name)
    if target is not None:
        module, _, attribute = target.partition(":")
        return getattr(import_module(module), attribute)(settings)
    for entry in entry_points(group=f"claimdex.{kind}"):
        if entry.name == name:
            return entry.load()(settings)
    raise BadInput(f"no {kind} named {name!r}", hint=f"known: {', '.join(available(kind))}")
