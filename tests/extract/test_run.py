from __future__ import annotations

import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from claimdex.errors import BackendMissing, BadInput, NotFound
from claimdex.extract.bulk.journal import Journal, State
from claimdex.extract.bulk.run import RunEvent, RunReport, claim_sets, journal_path, run
from claimdex.extract.bulk.sources import read_sources
from claimdex.extract.bulk.workers import Job, map_supervised
from claimdex.settings import ExtractSettings, Limits, RunSettings, Settings

papers = importlib.import_module("faulty_papers")
NOW = "2026-01-01T00:00:00Z"


def settings(*, workers: int = 1, seconds: float = 60, tries: int = 2, extractor: str = "rules") -> Settings:
    return Settings(
        limits=Limits(seconds=seconds, memory_mb=512),
        run=RunSettings(workers=workers, tries=tries),
        extract=ExtractSettings(extractor=extractor),
    )


class Desk:
    """A folder of papers, an output folder, and a record of which papers were read how often."""

    def __init__(self, root: Path) -> None:
        self.folder, self.out, self.calls = root / "papers", root / "out", root / "calls"
        self.folder.mkdir()

    def put(self, **orders: str) -> None:
        for name, order in orders.items():
            (self.folder / f"{name}.pdf").write_text(f"{order}\n{name}", encoding="utf-8")

    def manifest(self, text: str) -> Path:
        path = self.folder / "papers.csv"
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, chosen: Settings | None = None, paths: Sequence[Path] = (), **options: object) -> RunReport:
        self.calls.unlink(missing_ok=True)
        sources = read_sources(list(paths) or [self.folder])
        return run(sources, self.out, chosen or settings(), papers.read, created_at=NOW, **options)  # type: ignore[arg-type]

    def read(self) -> dict[str, int]:
        """How often each paper was read in the last run."""
        if not self.calls.exists():
            return {}
        return dict(sorted(Counter(self.calls.read_text(encoding="utf-8").split()).items()))

    def export(self) -> bytes:
        return b"\n".join(found.model_dump_json().encode() for found in claim_sets(self.out))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk(tmp_path)
    monkeypatch.setenv("FAULTY_CALLS", str(desk.calls))
    return desk


def faults(report: RunReport) -> dict[str, tuple[str, str, int]]:
    return {Path(f.pdf).stem: (f.state, f.code, f.tries) for f in report.failures}


def test_each_paper_ends_in_a_state_of_its_own_and_the_report_adds_up(desk: Desk) -> None:
    desk.put(a="ok 3", b="ok 0", c="partial", d="typed", e="segfault", f="untyped", g="ok 1")
    report = desk.run(settings(workers=2))
    assert (report.papers, report.ok, report.partial, report.failed, report.waiting) == (7, 3, 1, 3, 0)
    assert report.claims == {"empirical": 4, "speedup": 1}
    assert faults(report) == {
        "c": ("partial", "page_failed", 0),
        "d": ("failed", "needs_password", 1),
        "e": ("failed", "worker_died", 2),
        "f": ("failed", "error", 1),
    }
    assert report.created_at == NOW
    assert report.papers_per_second > 0 < (report.peak_mb or 0)


def test_failures_are_written_one_a_line_with_what_to_do(desk: Desk) -> None:
    desk.put(a="ok 1", d="typed")
    report = desk.run()
    lines = (desk.out / "run" / "failures.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [f.model_dump(mode="json") for f in report.failures]
    assert json.loads(lines[0])["hint"] == "save a copy without a password"


def test_a_crash_is_tried_once_more_and_a_refusal_is_not(desk: Desk, tmp_path: Path) -> None:
    desk.put(d="typed", e="segfault", f=f"once {tmp_path / 'mark'}", u="untyped")
    report = desk.run()
    assert desk.read() == {"d.pdf": 1, "e.pdf": 2, "f.pdf": 2, "u.pdf": 1}
    assert (report.ok, report.failed) == (1, 3)


def test_the_number_of_tries_is_a_setting(desk: Desk) -> None:
    desk.put(e="abort", h="exit")
    desk.run(settings(tries=1))
    assert desk.read() == {"e.pdf": 1, "h.pdf": 1}


def test_a_paper_that_takes_too_long_fails_without_holding_up_the_rest(desk: Desk) -> None:
    desk.put(a="ok 1", s="sleep")
    report = desk.run(settings(seconds=1, tries=1))
    assert faults(report) == {"s": ("failed", "limit_reached", 1)}
    assert report.failures[0].message == "s.pdf: not done within 1 s"
    assert report.ok == 1


def test_a_second_run_reads_nothing_again(desk: Desk) -> None:
    desk.put(a="ok 2", c="partial", d="typed", e="exit")
    first = desk.run()
    export = desk.export()
    second = desk.run()
    assert desk.read() == {}
    assert second.resumed == second.papers == 4
    assert (second.claims, second.failures) == (first.claims, first.failures)
    assert desk.export() == export


def test_a_changed_pdf_is_read_again_alone(desk: Desk) -> None:
    desk.put(a="ok 1", b="ok 1")
    desk.run()
    desk.put(b="ok 2")
    report = desk.run()
    assert desk.read() == {"b.pdf": 1}
    assert (report.papers, report.left_out, sum(report.claims.values())) == (2, 1, 3)


def test_other_settings_read_everything_again_and_the_old_ones_nothing(desk: Desk) -> None:
    desk.put(a="ok 1", b="ok 1")
    desk.run()
    assert desk.run(settings(extractor="llm")).resumed == 0
    assert desk.run().resumed == 2
    assert desk.read() == {}


def test_a_moved_folder_is_not_read_again(desk: Desk) -> None:
    desk.put(a="ok 1")
    desk.run()
    desk.folder = desk.folder.rename(desk.folder.parent / "moved")
    assert desk.run().resumed == 1


def test_papers_taken_away_leave_the_export_and_come_back_unread(desk: Desk) -> None:
    desk.put(a="ok 1", b="ok 1")
    desk.run()
    both = desk.export()
    (desk.folder / "b.pdf").unlink()
    report = desk.run()
    assert (report.papers, report.left_out) == (1, 1)
    assert len(list(claim_sets(desk.out))) == 1
    desk.put(b="ok 1")
    desk.run()
    assert desk.read() == {}
    assert desk.export() == both


def test_failures_that_may_have_passed_are_tried_again_by_the_next_run(desk: Desk) -> None:
    desk.put(m="model", d="typed", s="sleep", u="untyped")
    desk.run(settings(seconds=1, tries=1))
    desk.run(settings(seconds=1, tries=1))
    assert desk.read() == {"m.pdf": 1, "u.pdf": 1}
    report = desk.run(settings(seconds=1.2, tries=1))
    assert desk.read() == {"m.pdf": 1, "s.pdf": 1, "u.pdf": 1}
    assert faults(report)["s"] == ("failed", "limit_reached", 1)


def test_two_papers_that_read_as_one_are_not_merged(desk: Desk) -> None:
    desk.put(b="id doi:10.1/x", a="id doi:10.1/x", c="ok 1")
    report = desk.run()
    assert faults(report) == {"b": ("failed", "duplicate_id", 0)}
    assert "a.pdf" in report.failures[0].message
    assert (report.ok, report.failed, report.papers) == (2, 1, 3)
    assert len(list(claim_sets(desk.out))) == 2
    (desk.folder / "a.pdf").unlink()
    report = desk.run()
    assert (report.ok, report.failed, desk.read()) == (2, 0, {})


def test_faulty_rows_of_a_manifest_are_failures_of_the_run(desk: Desk) -> None:
    desk.put(a="ok 1")
    manifest = desk.manifest("pdf,arxiv,x\na.pdf,2409.07653,1\ngone.pdf,2409.07654,2\n")
    report = desk.run(paths=[manifest])
    assert (report.papers, report.ok, report.failed) == (2, 1, 1)
    failure = report.failures[0]
    assert (failure.where, failure.code, failure.paper_id) == (
        "papers.csv:3",
        "not_found",
        "arxiv:2409.07654",
    )
    assert report.warnings == ("papers.csv: unknown columns are ignored: x",)
    assert next(claim_sets(desk.out)).paper.paper_id == "arxiv:2409.07653"


def test_a_file_that_is_too_large_is_left_to_the_parser_unread(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.put(a="ok 1")
    monkeypatch.setattr("claimdex.extract.bulk.run.file_sha256", lambda path: pytest.fail("was read"))
    small = settings().model_copy(update={"limits": Limits(file_mb=0.000001)})
    assert desk.run(small).papers == 1


def test_a_missing_back_end_ends_the_run_and_blames_no_paper(desk: Desk) -> None:
    desk.put(a="backend", b="ok 1")
    with pytest.raises(BackendMissing, match="grobid is not installed"):
        desk.run()
    with Journal(journal_path(desk.out)) as journal:
        assert {row.state for row in journal.rows()} <= {State.QUEUED, State.OK}


def test_a_second_run_into_the_same_folder_is_turned_away(desk: Desk) -> None:
    desk.put(a="ok 1")
    with Journal(journal_path(desk.out)), pytest.raises(BadInput, match="written by another run"):
        desk.run()


def test_there_are_no_claims_before_a_run(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        list(claim_sets(tmp_path))


def test_progress_counts_up_to_the_total(desk: Desk, tmp_path: Path) -> None:
    desk.put(a="ok 2", d="typed", f=f"once {tmp_path / 'mark'}")
    events: list[RunEvent] = []
    desk.run(progress=events.append)
    assert [(e.stage, e.done, e.total) for e in events[:4]] == [
        ("scan", 1, 3),
        ("scan", 2, 3),
        ("scan", 3, 3),
        ("start", 0, 3),
    ]
    read = events[4:]
    assert [e.done for e in read][-1] == 3
    assert Counter(e.state for e in read) == {State.OK: 2, State.FAILED: 1, State.QUEUED: 1}
    assert next(e.claims for e in read if e.pdf.endswith("a.pdf")) == 2
    again: list[RunEvent] = []
    desk.run(progress=again.append)
    assert (again[-1].stage, again[-1].done, again[-1].total) == ("start", 3, 3)


def test_a_stop_finishes_what_is_in_flight_and_leaves_the_rest_for_later(desk: Desk) -> None:
    desk.put(**{f"p{i}": "ok 1" for i in range(8)})
    seen: list[RunEvent] = []
    report = desk.run(
        settings(workers=2), progress=seen.append, stop=lambda: any(e.stage == "read" for e in seen)
    )
    assert report.waiting + report.ok == 8
    assert 1 <= report.ok <= 2
    assert sum(desk.read().values()) == report.ok
    assert desk.run().ok == 8


def started(folder: Path, out: Path, workers: int = 2) -> subprocess.Popen[bytes]:
    """The command, in a process group of its own, as it begins to read."""
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); import faulty_command; faulty_command.main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, Path(__file__).parent, folder, out, str(workers)],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"reading\n"
    return process


def test_the_first_ctrl_c_waits_for_the_paper_in_flight(desk: Desk, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    desk.put(a=f"wait {gate}", b="ok 1")
    with started(desk.folder, desk.out, workers=1) as process:
        with gate.open("wb"):  # opens when the child reads
            os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) == 130
    assert desk.read() == {"a.pdf": 1}
    assert desk.run().resumed == 1


def test_the_second_ctrl_c_kills_at_once_and_the_next_run_continues(desk: Desk, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    desk.put(a=f"wait {gate}", b="ok 1")
    with started(desk.folder, desk.out, workers=1) as process, gate.open("wb"):
        while process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
        assert process.returncode == -signal.SIGINT
    gate.unlink()
    gate.touch()
    assert desk.run().ok == 2


def storm(desk: Desk, kills: int, seed: int, longest: float) -> int:
    """Run to the end, killed ``kills`` times at random moments of reading; how many hit a live run."""
    chance, hits = random.Random(seed), 0
    for _ in range(kills):
        with started(desk.folder, desk.out) as process:
            try:
                process.wait(chance.uniform(0, longest))
            except subprocess.TimeoutExpired:
                process.kill()
                hits += 1
    with started(desk.folder, desk.out) as process:
        assert process.wait(300) == 0
    return hits


def check_storm(desk: Desk, order: str, papers_: int, kills: int, seed: int, longest: float) -> None:
    desk.put(**{f"p{i:05}": f"{order} {i % 4}" for i in range(papers_)}, x1="typed", x2="partial")
    hits = storm(desk, kills, seed, longest)
    assert hits
    read = desk.read()
    assert len(read) == papers_ + 2
    assert sum(read.values()) <= papers_ + 2 + 2 * hits
    stormy = desk.export()
    report = desk.run()
    assert desk.read() == {}
    shutil.rmtree(desk.out)
    calm = desk.run()
    assert desk.export() == stormy
    assert (
        (report.ok, report.partial, report.failed) == (calm.ok, calm.partial, calm.failed) == (papers_, 1, 1)
    )
    assert report.failures == calm.failures


def test_a_run_killed_at_random_moments_ends_like_an_undisturbed_one(desk: Desk) -> None:
    check_storm(desk, "work", papers_=40, kills=5, seed=1, longest=0.8)


@pytest.mark.slow
def test_a_long_run_killed_often_ends_like_an_undisturbed_one(desk: Desk) -> None:
    check_storm(desk, "ok", papers_=2_000, kills=20, seed=2, longest=2.0)


def pdf_text(pdf: Path) -> int:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    return sum(len(page.get_textpage().get_text_bounded()) for page in document)


@pytest.mark.slow
def test_no_hostile_pdf_brings_the_parent_down(shared: Path) -> None:
    pdfs = sorted(p for p in (shared / "hostile").rglob("*") if p.suffix.lower() == ".pdf")
    jobs = [Job(str(pdf), (pdf,)) for pdf in pdfs]
    limits = Limits(seconds=60, memory_mb=1536)
    ended = {o.key: o for o in map_supervised(pdf_text, jobs, workers=2, limits=limits, recycle=50)}
    assert len(ended) == len(pdfs) > 100
    assert Counter(o.error.code for o in ended.values() if o.error)["worker_died"] < 10
