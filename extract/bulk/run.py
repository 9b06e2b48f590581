"""Many papers to claims: resumable, each paper in a child process, every outcome in the journal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from claimdex.claim import ClaimSet
from claimdex.errors import BackendMissing, ClaimdexError
from claimdex.extract.bulk.journal import Journal, Listed, Row, State, packed_claim_sets, paper_key
from claimdex.extract.bulk.manifests import Problem, Source, printable
from claimdex.extract.bulk.reading import Reading, Task, read_paper, unpack
from claimdex.extract.bulk.run_report import Failure, RunReport, make_report
from claimdex.extract.bulk.sources import Sources
from claimdex.extract.bulk.workers import Job, Outcome, map_supervised
from claimdex.files import file_sha256, jsonl, write_atomic
from claimdex.paper import PaperRef
from claimdex.settings import Limits, Settings
from claimdex.text import sha256

__all__ = ["Failure", "RunEvent", "RunReport", "claim_sets", "run"]

_PASSING = frozenset({"model_failed", "not_found", "error"})
"""Codes of failures that the next run may not meet: an outage, a file on its way, a defect since mended."""


@dataclass(frozen=True, slots=True)
class RunEvent:
    """Progress of a run.

    ``scan``: a file was looked at (``done`` of ``total``). ``start``: reading begins, ``done`` papers having
    been settled by earlier runs. ``read``: an attempt at ``pdf`` ended; its ``state`` is ``queued`` if it
    will be tried again, and ``done`` counts settled papers.
    """

    stage: Literal["scan", "start", "read"]
    done: int
    total: int
    pdf: str = ""
    state: State = State.QUEUED
    paper_id: str | None = None
    claims: int = 0
    code: str = ""
    message: str = ""
    seconds: float = 0.0


def run(
    sources: Sources,
    out: Path,
    settings: Settings,
    task: Task,
    *,
    created_at: str,
    progress: Callable[[RunEvent], None] = lambda event: None,
    stop: Callable[[], bool] = lambda: False,
) -> RunReport:
    """Read every paper of ``sources`` that the journal in ``out/run`` does not have yet.

    A paper whose child crashed, or ran out of time or memory, is tried again alone, in a fresh child, after
    all others, up to ``settings.run.tries`` attempts. What ``task`` itself raises is not tried again.
    Once ``stop()`` is true, no new paper is begun and those in flight are finished; an exception
    (KeyboardInterrupt) kills them. Either way the next call continues. Failures of earlier runs are
    tried again if they may have passed: a model or a file that was not there, a defect, other limits.
    Writes ``out/run/failures.jsonl``; the claims are in `claim_sets`.

    Raises:
        BadInput: another run writes to ``out``, or its journal cannot be used.
        BackendMissing: the settings name a back-end that is not installed.
        WorkerDied: child processes cannot start.
        ClaimdexError: the journal cannot be written (disk full).
    """
    begun = time.monotonic()
    with Journal(journal_path(out)) as journal:
        places, problems = _scan(sources.papers, journal, settings, progress)
        journal.enlist(Listed(key, printable(s.pdf), s.ref) for key, s in places.items())
        journal.requeue(r.key for r in journal.rows() if _worth_again(r, settings.limits))
        reader = _Reader(journal, places, settings, task, progress, stop)
        reader.read()
        report = make_report(
            journal.rows(),
            [*sources.problems, *problems],
            created_at=created_at,
            resumed=reader.resumed,
            left_out=journal.left_out(),
            settled=reader.done - reader.resumed,
            seconds=time.monotonic() - begun,
        )
    write_atomic(out / "run" / "failures.jsonl", jsonl(report.failures))
    return report


def claim_sets(out: Path) -> Iterator[ClaimSet]:
    """The claims of the last run's papers, by paper id: the same whatever the order they were read in.

    Raises:
        NotFound: there was no run in ``out``.
    """
    return (unpack(packed) for packed in packed_claim_sets(journal_path(out)))


def journal_path(out: Path) -> Path:
    """Where the journal of the index folder ``out`` lies."""
    return out / "run" / "journal.sqlite"


def _scan(
    papers: tuple[Source, ...], journal: Journal, settings: Settings, progress: Callable[[RunEvent], None]
) -> tuple[dict[str, Source], list[Problem]]:
    """The papers by their keys, in order, and those whose file cannot be read."""
    places: dict[str, Source] = {}
    problems: list[Problem] = []
    for done, paper in enumerate(papers, 1):
        name = printable(paper.pdf)
        try:
            content = _content(paper.pdf, journal, settings.limits)
        except OSError as error:
            message = f"{name}: {error.strerror}"
            problems.append(Problem("error", paper.where, "not_found", message, pdf=name, ref=paper.ref))
        else:
            places.setdefault(paper_key(content, paper.ref, settings), paper)
        progress(RunEvent("scan", done, len(papers), pdf=name))
    return places, problems


def _content(pdf: Path, journal: Journal, limits: Limits) -> str:
    """The sha256 of a PDF, from the journal if the file is as it was. Files beyond the limit are not read."""
    found = pdf.stat()
    if found.st_size > limits.file_mb * 1e6:
        return sha256(f"{found.st_size} bytes: {printable(pdf)}")
    path = pdf.resolve()
    known = journal.file_sha256(path, found.st_size, found.st_mtime_ns)
    if known is not None:
        return known
    digest = file_sha256(pdf)
    journal.note_file(path, found.st_size, found.st_mtime_ns, digest)
    return digest


def _budget(limits: Limits) -> str:
    return f"{limits.seconds:g} s, {limits.memory_mb} MB"


def _worth_again(row: Row, limits: Limits) -> bool:
    """Whether a failure of an earlier run may have passed."""
    other_limits = bool(row.budget) and row.budget != _budget(limits)
    return row.state is State.FAILED and (row.code in _PASSING or other_limits)


class _Reader:
    """One run over the queued papers. ``done`` counts settled papers, ``resumed`` those settled before."""

    def __init__(
        self,
        journal: Journal,
        places: dict[str, Source],
        settings: Settings,
        task: Task,
        progress: Callable[[RunEvent], None],
        stop: Callable[[], bool],
    ) -> None:
        self._journal, self._places, self._settings = journal, places, settings
        self._task = partial(read_paper, task, settings)
        self._progress, self._stop = progress, stop
        self._tries = {row.key: row.tries for row in journal.rows() if row.state is State.QUEUED}
        self.resumed = self.done = len(places) - len(self._tries)

    def read(self) -> None:
        """Read all papers once; then, alone, those that failed in a way that may pass."""
        self._progress(RunEvent("start", self.done, len(self._places)))
        run = self._settings.run
        self._pass([k for k, tries in self._tries.items() if not tries], run.workers, run.recycle)
        while self._tries and not self._stop():
            self._pass(list(self._tries), workers=1, recycle=1)

    def _pass(self, keys: Iterable[str], workers: int, recycle: int) -> None:
        outcomes = map_supervised(
            self._task, self._jobs(keys), workers=workers, limits=self._settings.limits, recycle=recycle
        )
        with closing(outcomes):
            for outcome in outcomes:
                self._record(outcome)

    def _jobs(self, keys: Iterable[str]) -> Iterator[Job[Path, PaperRef]]:
        for key in keys:
            if self._stop():
                return
            source = self._places[key]
            self._journal.start(key)
            yield Job(key, (source.pdf, source.ref), label=printable(source.pdf.name))

    def _record(self, outcome: Outcome[Reading]) -> None:
        """Write one outcome to the journal and tell of it."""
        if isinstance(outcome.error, BackendMissing):
            raise outcome.error
        reading, error = outcome.result, outcome.error
        if reading is not None:
            self._journal.finish(outcome.key, reading, outcome.seconds, outcome.peak_mb)
            state = State.PARTIAL if reading.loss else State.OK
            code, message = reading.loss or ("", "")
        else:
            assert error is not None
            state = self._fail(outcome, error)
            code, message = error.code, error.message
        if state is State.QUEUED:
            self._tries[outcome.key] += 1
        else:
            del self._tries[outcome.key]
            self.done += 1
        source = self._places[outcome.key]
        event = RunEvent(
            "read",
            self.done,
            len(self._places),
            pdf=printable(source.pdf),
            state=state,
            paper_id=reading.paper_id if reading else source.ref.paper_id,
            claims=sum(reading.claims.values()) if reading else 0,
            code=code,
            message=message,
            seconds=outcome.seconds,
        )
        self._progress(event)

    def _fail(self, outcome: Outcome[Reading], error: ClaimdexError) -> State:
        """Note a failed attempt; whether the paper has failed for good or waits for another."""
        again = not outcome.settled and self._tries[outcome.key] + 1 < self._settings.run.tries
        state = State.QUEUED if again else State.FAILED
        budget = "" if outcome.settled else _budget(self._settings.limits)
        self._journal.fail(
            outcome.key, error, state, budget=budget, seconds=outcome.seconds, peak_mb=outcome.peak_mb
        )
        return state
