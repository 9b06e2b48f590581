"""Progress of long work on standard error, and the summary at its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from claimdex.serve.indexing import IndexReport
from claimdex.serve.indexing import Progress as Tell
from claimdex.serve.output import stderr, stdout

_NAMES = {"scan": "looking at files", "read": "reading papers", "embed": "embedding claims"}


class _Rate(ProgressColumn):
    """Things a second."""

    def render(self, task: Task) -> Text:
        """The rate, once there is one."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


@contextmanager
def bars() -> Iterator[Tell]:
    """Bars with rate and time left, one a stage; silent when standard error is no terminal."""
    console = stderr()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(compact=True),
    )
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:

        def tell(stage: Literal["scan", "read", "embed"], done: int, total: int, note: str) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(_NAMES[stage], total=total)
            progress.update(tasks[stage], completed=done, total=total)
            if note and console.is_terminal:
                progress.console.print(f"[yellow]{escape(note)}[/yellow]")

        yield tell


def say_stopping() -> None:
    """What the first interrupt does."""
    stderr().print("stopping after the papers in flight; interrupt again to stop at once")


def print_report(report: IndexReport) -> None:
    """Papers, claims by type, failures with their reasons, and how to go on."""
    console = stdout()
    table = Table(show_header=False, box=None, pad_edge=False)
    resumed = f", {report.resumed} of them before" if report.resumed else ""
    table.add_row("papers", f"{report.papers}{resumed}")
    for name, count in (("ok", report.ok), ("partial", report.partial), ("failed", report.failed)):
        table.add_row(f"  {name}", str(count))
    table.add_row("claims", str(sum(report.claims.values())))
    for name, count in report.claims.items():
        table.add_row(f"  {name}", str(count))
    table.add_row("time", f"{report.seconds:.1f} s reading ({report.papers_per_second:.2f} papers/s)")
    console.print(table)
    for failure in report.failures:
        name, message = Path(str(failure["pdf"])).name, str(failure["message"])
        named = message if name in message else f"{name}: {message}"
        hint = f" ({failure['hint']})" if failure["hint"] else ""
        console.print(escape(f"{failure['state']}: {named} [{failure['code']}]{hint}"))
    for warning in report.warnings:
        console.print(f"note: {escape(warning)}")
    if report.failures:
        console.print(f"all of them: {escape(report.out)}/run/failures.jsonl")
    if report.interrupted:
        console.print(f"{report.waiting} papers are left; run the same command again to go on")
    else:
        console.print(f"index: {escape(report.out)} (revision {report.revision})")
