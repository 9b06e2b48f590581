"""A PDF to a paper, by the parser the settings name. Apart from extraction, which is slow to import."""

from __future__ import annotations

from pathlib import Path

from claimdex import backends
from claimdex.paper import Paper, PaperRef
from claimdex.settings import Settings


def parse_pdf(pdf: Path, ref: PaperRef, settings: Settings) -> Paper:
    """The paper in ``pdf``, read by the parser the settings name.

    Raises:
        ParseFailed: it cannot be read.
    """
    parser: backends.Parser = backends.load("parser", settings.extract.parser, settings)
    return parser.parse(pdf, ref)
