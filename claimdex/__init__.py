"""claimdex turns the papers of a conference into an index of testable claims.

>>> import claimdex
>>> claimdex.open("icml2026/").search("linear attention")  # doctest: +SKIP
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from claimdex.version import __version__

if TYPE_CHECKING:
    from claimdex.claim import ClaimSet
    from claimdex.index.search import ClaimIndex
    from claimdex.paper import Paper
    from claimdex.settings import Settings

__all__ = ["__version__", "extract", "open", "parse"]


def open(folder: str | os.PathLike[str]) -> ClaimIndex:
    """The index in ``folder``, checked and ready: ``.search(...)``, ``.claims(paper=...)``.

    Raises:
        NotFound: there is no index.
        IndexMismatch: its files do not belong together.
    """
    from claimdex.serve import service

    return service.open_index(Path(folder))


def parse(pdf: str | os.PathLike[str], settings: Settings | None = None) -> Paper:
    """The paper in a PDF: sections, passages, tables, links. Reads in a child process.

    Raises:
        ParseFailed: the file cannot be read.
    """
    from claimdex.serve import service
    from claimdex.settings import Settings

    return service.parse(Path(pdf), settings or Settings())


def extract(pdf: str | os.PathLike[str], settings: Settings | None = None) -> ClaimSet:
    """The grounded claims of the paper in a PDF. Reads in a child process.

    Raises:
        ParseFailed: the file cannot be read.
        ModelFailed: the extractor's model gave no usable answer.
    """
    from claimdex.serve import service
    from claimdex.settings import Settings

    return service.extract(Path(pdf), settings or Settings())
