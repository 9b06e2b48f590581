"""Runs over faulty papers as the command line does, in a process of its own."""

from __future__ import annotations

import importlib
import signal
import sys
import threading
from pathlib import Path

from claimdex.extract.bulk.run import RunEvent, run
from claimdex.extract.bulk.sources import read_sources
from claimdex.settings import RunSettings, Settings

papers = importlib.import_module("faulty_papers")


def main() -> None:
    """``FOLDER OUT WORKERS``: the first Ctrl-C stops, the second kills.

    Says "reading" when it begins to read. Exit status 0 if all papers are settled, else 130.
    """
    folder, out, workers = sys.argv[1:]
    stopping = threading.Event()

    def interrupted(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stopping.set()

    def progress(event: RunEvent) -> None:
        if event.stage == "start":
            print("reading", flush=True)  # noqa: T201

    signal.signal(signal.SIGINT, interrupted)
    report = run(
        read_sources([Path(folder)]),
        Path(out),
        Settings(run=RunSettings(workers=int(workers), recycle=500)),
        papers.read,
        created_at="2026-01-01T00:00:00Z",
        progress=progress,
        stop=stopping.is_set,
    )
    sys.exit(130 if report.waiting else 0)
