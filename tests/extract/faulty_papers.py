"""A stand-in for the pipeline: papers that are text files, and do what their first word says."""

from __future__ import annotations

import hashlib
import importlib
import os
from pathlib import Path

from claimdex.claim import (
    Claim,
    ClaimSet,
    ClaimType,
    EmpiricalDetails,
    Evidence,
    Grounding,
    Provenance,
    SpeedupDetails,
    Verdict,
)
from claimdex.errors import BackendMissing, ModelFailed
from claimdex.files import file_sha256
from claimdex.paper import PaperMeta, PaperRef, ParserInfo, ParseWarning, Source
from claimdex.settings import Settings
from claimdex.text import claim_id, sha256

tasks = importlib.import_module("faulty_tasks")


def read(pdf: Path, ref: PaperRef, settings: Settings) -> ClaimSet:
    """A paper's claims, or the fault that the first word of the file asks for."""
    calls = os.environ.get("FAULTY_CALLS")
    if calls:
        with Path(calls).open("a", encoding="utf-8") as log:
            log.write(f"{pdf.name}\n")
    order, *words = pdf.read_text(encoding="utf-8").split()
    match order:
        case "ok":
            return claim_set(pdf, ref, int(words[0]))
        case "work":
            hashlib.pbkdf2_hmac("sha256", b"some", b"work", 60_000)
            return claim_set(pdf, ref, int(words[0]))
        case "partial":
            return claim_set(
                pdf, ref, 1, ParseWarning(code="page_failed", message="page 2 could not be read")
            )
        case "id":
            return claim_set(pdf, PaperRef(paper_id=words[0]), 1)
        case "once":
            if Path(words[0]).exists():
                return claim_set(pdf, ref, 1)
            Path(words[0]).touch()
            os._exit(1)
        case "wait":
            Path(words[0]).read_bytes()
            return claim_set(pdf, ref, 1)
        case "model":
            raise ModelFailed("no answer from the model")
        case "backend":
            raise BackendMissing.for_extra("grobid", "grobid")
    tasks.fault(order)
    raise AssertionError(order)


def claim_set(pdf: Path, ref: PaperRef, count: int, *warnings: ParseWarning) -> ClaimSet:
    """A paper with ``count`` claims that depend on the file's bytes, the id and nothing else."""
    digest = file_sha256(pdf)
    paper_id = ref.paper_id or f"sha256:{digest}"
    source = Source(sha256=digest, pages=3)
    meta = PaperMeta(
        paper_id=paper_id,
        aliases=ref.aliases,
        title=ref.title or digest,
        source=source,
        parser=ParserInfo(name="faulty", version="1"),
        warnings=warnings,
    )
    return ClaimSet(paper=meta, claims=tuple(_claim(paper_id, source, i) for i in range(count)))


def _claim(paper_id: str, source: Source, number: int) -> Claim:
    text = f"Our method is {number}.5x faster than the baseline. {source.sha256}"
    return Claim(
        claim_id=claim_id(paper_id, "speedup", [text], text),
        paper_id=paper_id,
        source=source,
        text=text,
        text_sha256=sha256(text),
        type=ClaimType.SPEEDUP if number % 2 else ClaimType.EMPIRICAL,
        details=SpeedupDetails() if number % 2 else EmpiricalDetails(),
        evidence=(Evidence(quote=text, passage_id="p1", start=0, end=len(text), page=1),),
        grounding=Grounding(verdict=Verdict.VERIFIED),
        provenance=Provenance(extractor="faulty", version="1"),
    )
