"""One paper from PDF to claims: parse, extract, ground."""

from __future__ import annotations

from pathlib import Path

from claimdex import backends
from claimdex.claim import ClaimSet, Extraction
from claimdex.extract.grounding.ground import claims_of
from claimdex.extract.parsing import parse_pdf
from claimdex.paper import Paper, PaperRef
from claimdex.settings import Settings


def extract_claims(paper: Paper, settings: Settings, *, created_at: str, run_id: str = "") -> ClaimSet:
    """The grounded claims of a paper, found by the extractor the settings name.

    Raises:
        ModelFailed: the extractor's model gave no usable answer.
    """
    extractor: backends.Extractor = backends.load("extractor", settings.extract.extractor, settings)
    extraction: Extraction = extractor.extract(paper)
    return claims_of(paper, extraction, settings, created_at, run_id)


def process_pdf(
    pdf: Path, ref: PaperRef, settings: Settings, *, created_at: str, run_id: str = ""
) -> ClaimSet:
    """From PDF to grounded claims. Runs in a child process: the PDF engine can abort.

    Raises:
        ParseFailed: the PDF cannot be read.
        ModelFailed: the extractor's model gave no usable answer.
    """
    paper = parse_pdf(pdf, ref, settings)
    return extract_claims(paper, settings, created_at=created_at, run_id=run_id)
