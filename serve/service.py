"""The use cases, each one function: what every front end calls."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from claimdex.claim import Claim, ClaimSet
from claimdex.files import write_atomic
from claimdex.paper import Paper, PaperMeta, PaperRef, Record
from claimdex.settings import Settings, timestamp

if TYPE_CHECKING:
    from claimdex.index.search import ClaimIndex
    from claimdex.index.verify import Finding

_CLAIM_ID = re.compile(r"c[0-9a-f]{15}")


class Shown(Record):
    """A paper and the claims of it that were asked for."""

    paper: PaperMeta
    claims: tuple[Claim, ...]


def parse(pdf: Path, settings: Settings, ref: PaperRef | None = None) -> Paper:
    """The paper in ``pdf``, read in a child process.

    Raises:
        NotFound, ParseFailed, WorkerDied: it cannot be read.
    """
    from claimdex.extract.bulk.workers import run_one
    from claimdex.extract.parsing import parse_pdf

    return run_one(parse_pdf, (pdf, ref or PaperRef(), settings), settings.limits)


def write_overlay(pdf: Path, paper: Paper, out: Path, settings: Settings) -> None:
    """Write an HTML page that shows the pages of ``pdf`` with the structure of ``paper`` over them.

    Raises:
        ParseFailed, WorkerDied: the pages cannot be rendered.
    """
    from claimdex.extract.bulk.workers import run_one
    from claimdex.extract.pdf.render import render_pages
    from claimdex.serve.overlay import overlay_html

    write_atomic(out, overlay_html(paper, run_one(render_pages, (pdf, settings.limits), settings.limits)))


def extract(pdf: Path, settings: Settings, ref: PaperRef | None = None) -> ClaimSet:
    """The grounded claims of the paper in ``pdf``, found in a child process.

    Raises:
        NotFound, ParseFailed, ModelFailed, WorkerDied: there are none to be had.
    """
    from claimdex.extract.bulk.workers import run_one
    from claimdex.extract.pipeline import process_pdf

    task = partial(process_pdf, created_at=timestamp())
    return run_one(task, (pdf, ref or PaperRef(), settings), settings.limits)


def open_index(folder: Path) -> ClaimIndex:
    """The index in ``folder``, checked against its manifest.

    Raises:
        NotFound: there is no index.
        IndexMismatch: its files do not belong together.
    """
    from claimdex.index.search import ClaimIndex

    return ClaimIndex.open(folder)


def show(folder: Path, name: str) -> Shown:
    """One claim by its id, or all claims of a paper by any of its names.

    Raises:
        NotFound: the index has no such claim or paper.
        BadInput: several papers go by that name.
    """
    index = open_index(folder)
    if _CLAIM_ID.fullmatch(name):
        claim = index.claim(name)
        return Shown(paper=index.paper(claim.paper_id), claims=(claim,))
    return Shown(paper=index.paper(name), claims=tuple(index.claims(name)))


def verify(folder: Path) -> list[Finding]:
    """What is wrong with the files of an index; empty if nothing is."""
    from claimdex.index import verify

    return verify.verify(folder)


def rebuild(folder: Path) -> str:
    """Make the FAISS and BM25 files of an index again from its tables; the index's revision."""
    from claimdex.index.build import rebuild

    return rebuild(folder).revision
