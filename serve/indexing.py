"""Indexing a conference: read the papers, then build the index; what ``claimdex index`` does."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from claimdex.paper import Record
from claimdex.settings import Settings, timestamp
from claimdex.text import sha256

if TYPE_CHECKING:
    from types import FrameType

    from claimdex.claim import ClaimSet
    from claimdex.extract.bulk.run import RunEvent
    from claimdex.extract.bulk.run_report import Failure, RunReport
    from claimdex.index.tables import PaperStatus

Progress = Callable[[Literal["scan", "read", "embed"], int, int, str], None]
"""Called with the stage, what is done, what there is in all, and a name or note."""


class IndexReport(Record):
    """What an indexing run came to. ``revision`` is None if it was stopped before the index was built."""

    out: str
    papers: int
    ok: int
    partial: int
    failed: int
    resumed: int
    waiting: int
    claims: dict[str, int]
    failures: tuple[dict[str, object], ...]
    warnings: tuple[str, ...]
    seconds: float
    papers_per_second: float
    peak_mb: float | None
    interrupted: bool
    revision: str | None


def index(
    paths: Sequence[Path], out: Path, settings: Settings, progress: Progress, on_stop: Callable[[], None]
) -> IndexReport:
    """Read every paper of ``paths`` that ``out`` does not have yet, and build the index of all.

    The first interrupt (SIGINT, SIGTERM) finishes the papers in flight and calls ``on_stop``, the second
    stops at once; the next call goes on in either case.

    Raises:
        BadInput, NotFound: the paths hold no papers, or ``out`` cannot be used.
    """
    from claimdex.extract.bulk.run import run
    from claimdex.extract.bulk.sources import read_sources
    from claimdex.extract.pipeline import process_pdf
    from claimdex.index.layout import refuse_foreign

    refuse_foreign(out)
    sources = read_sources(paths)
    created_at = timestamp()
    with _interrupts(on_stop) as stopped:
        report = run(
            sources,
            out,
            settings,
            partial(process_pdf, created_at=created_at),
            created_at=created_at,
            progress=partial(_tell, progress),
            stop=stopped.is_set,
        )
    interrupted = stopped.is_set() and report.waiting > 0
    revision = None if interrupted else _build(out, settings, report, created_at, progress)
    return _summary(out, report, interrupted, revision)


def _build(out: Path, settings: Settings, report: RunReport, created_at: str, progress: Progress) -> str:
    from claimdex.extract.bulk.run import claim_sets
    from claimdex.index.build import build_index
    from claimdex.index.embed import embedder_for

    found = list(claim_sets(out))
    manifest = build_index(
        found,
        out,
        embedder_for(settings),
        created_at=_latest(found) or created_at,
        failures=[_status(f) for f in report.failures],
        progress=lambda done, total: progress("embed", done, total, ""),
    )
    return manifest.revision


def _latest(found: Sequence[ClaimSet]) -> str | None:
    """When the newest claim was made: the same papers give the same index, however often it is built."""
    return max((c.provenance.created_at for claims in found for c in claims.claims), default=None)


def _status(failure: Failure) -> PaperStatus:
    """The failure as a row of its own; a second paper under a known id must not stand for the first."""
    from claimdex.extract.bulk.run_report import DUPLICATE_ID
    from claimdex.index.tables import PaperStatus

    place = failure.pdf or failure.where
    own = f"file:{Path(place).name}:{sha256(place)[:8]}"
    return PaperStatus(
        paper_id=own if failure.code == DUPLICATE_ID else failure.paper_id or own,
        status=failure.state,
        code=failure.code,
        message=failure.message,
        title=failure.ref.title or "",
        aliases=failure.ref.aliases,
        venue=failure.ref.venue,
        year=failure.ref.year,
    )


def _tell(progress: Progress, event: RunEvent) -> None:
    stage: Literal["scan", "read"] = "scan" if event.stage == "scan" else "read"
    note = f"{event.pdf}: {event.message}" if event.message else ""
    progress(stage, event.done, event.total, note)


@contextmanager
def _interrupts(on_stop: Callable[[], None]) -> Iterator[threading.Event]:
    """While this lasts, the first signal to stop sets the event, the second raises KeyboardInterrupt."""
    stopped = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()
        on_stop()

    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _summary(out: Path, report: RunReport, interrupted: bool, revision: str | None) -> IndexReport:
    return IndexReport(
        out=str(out),
        papers=report.papers,
        ok=report.ok,
        partial=report.partial,
        failed=report.failed,
        resumed=report.resumed,
        waiting=report.waiting,
        claims=report.claims,
        failures=tuple(f.model_dump(mode="json", exclude={"ref"}) for f in report.failures),
        warnings=report.warnings,
        seconds=round(report.seconds, 2),
        papers_per_second=round(report.papers_per_second, 3),
        peak_mb=report.peak_mb,
        interrupted=interrupted,
        revision=revision,
    )
