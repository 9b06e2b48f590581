"""What a bulk run came to: counts, claims by type, and each paper that was not read or not read whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from claimdex.extract.bulk.journal import Row, State
from claimdex.extract.bulk.manifests import Problem
from claimdex.paper import PaperRef, Record

DUPLICATE_ID = "duplicate_id"
"""Code of a paper that was left out because another one, listed before it, has the same id."""


class Failure(Record):
    """A paper that was not read (``failed``) or not read whole (``partial``), and why.

    ``code`` is that of an error in ``claimdex.errors``, of a parser's warning, or `DUPLICATE_ID`. ``tries``
    counts attempts that failed. ``where`` is a row of a manifest, if the row itself is at fault.
    """

    state: Literal["failed", "partial"]
    pdf: str
    paper_id: str | None
    code: str
    message: str
    hint: str = ""
    tries: int = 0
    where: str = ""
    ref: PaperRef = PaperRef()


class RunReport(Record):
    """Outcome of a run, papers of earlier, interrupted runs included.

    ``papers`` = ``ok`` + ``partial`` + ``failed`` + ``waiting``; ``resumed`` of them had been settled before
    this run; ``waiting`` are left for the next one. ``left_out`` papers are in the journal but no longer
    among the sources. ``seconds`` and ``papers_per_second`` are of this run alone.
    """

    created_at: str
    papers: int
    ok: int
    partial: int
    failed: int
    waiting: int
    resumed: int
    left_out: int
    claims: dict[str, int]
    failures: tuple[Failure, ...]
    warnings: tuple[str, ...]
    seconds: float
    papers_per_second: float
    peak_mb: float | None


def make_report(
    rows: Sequence[Row],
    problems: Iterable[Problem],
    *,
    created_at: str,
    resumed: int,
    left_out: int,
    settled: int,
    seconds: float,
) -> RunReport:
    """Sum up the rows of a run (in the order they were enlisted) and the problems of its sources.

    ``settled`` counts the papers that came to an end in this run.
    """
    problems = list(problems)
    kept, failures = _judged(rows)
    failures += [_of_problem(problem) for problem in problems if problem.level == "error"]
    counts = Counter(row.state for row in kept)
    claims: Counter[str] = Counter()
    for row in kept:
        claims.update(row.claims)
    waiting = sum(row.state in (State.QUEUED, State.RUNNING) for row in rows)
    failed = sum(failure.state == "failed" for failure in failures)
    return RunReport(
        created_at=created_at,
        papers=counts[State.OK] + counts[State.PARTIAL] + failed + waiting,
        ok=counts[State.OK],
        partial=counts[State.PARTIAL],
        failed=failed,
        waiting=waiting,
        resumed=resumed,
        left_out=left_out,
        claims=dict(sorted(claims.items())),
        failures=tuple(failures),
        warnings=tuple(f"{p.where}: {p.message}" for p in problems if p.level == "warning"),
        seconds=seconds,
        papers_per_second=settled / seconds if seconds else 0.0,
        peak_mb=max((row.peak_mb for row in rows if row.peak_mb is not None), default=None),
    )


def _judged(rows: Iterable[Row]) -> tuple[list[Row], list[Failure]]:
    """The rows whose claims count, and the papers of which there is something to tell."""
    owners: dict[str | None, Row] = {}
    kept: list[Row] = []
    failures: list[Failure] = []
    for row in rows:
        if row.state is State.FAILED:
            failures.append(_failure(row, "failed"))
        elif row.state in (State.OK, State.PARTIAL):
            owner = owners.setdefault(row.paper_id, row)
            if owner is not row:
                failures.append(_duplicate(row, owner))
                continue
            kept.append(row)
            if row.state is State.PARTIAL:
                failures.append(_failure(row, "partial"))
    return kept, failures


def _failure(row: Row, state: Literal["failed", "partial"]) -> Failure:
    return Failure(
        state=state,
        pdf=row.pdf,
        paper_id=row.paper_id,
        code=row.code,
        message=row.message,
        hint=row.hint,
        tries=row.tries,
        ref=row.ref,
    )


def _duplicate(row: Row, owner: Row) -> Failure:
    return Failure(
        state="failed",
        pdf=row.pdf,
        paper_id=row.paper_id,
        code=DUPLICATE_ID,
        message=f"{row.pdf}: has the id {row.paper_id}, as {owner.pdf} has",
        hint="give each paper its own id in a manifest",
        ref=row.ref,
    )


def _of_problem(problem: Problem) -> Failure:
    return Failure(
        state="failed",
        pdf=problem.pdf,
        paper_id=problem.ref.paper_id,
        code=problem.code,
        message=f"{problem.where}: {problem.message}",
        hint=problem.hint,
        where=problem.where,
        ref=problem.ref,
    )
