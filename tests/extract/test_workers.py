from __future__ import annotations

import gc
import importlib
import logging
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from claimdex.errors import BadInput, ClaimdexError, LimitReached, NeedsPassword, WorkerDied
from claimdex.extract.bulk.workers import Job, Outcome, map_supervised, run_one
from claimdex.settings import Limits

tasks = importlib.import_module("faulty_tasks")
LIMITS = Limits(seconds=60, memory_mb=512)
SHORT = Limits(seconds=0.2, memory_mb=512)
MB = 2**20


def outcomes(*kinds: str, workers: int = 2, recycle: int = 100) -> dict[str, Outcome[object]]:
    jobs = [Job(f"{i} {kind}", (kind,), label=f"{kind}.pdf") for i, kind in enumerate(kinds)]
    found = list(map_supervised(tasks.fault, jobs, workers=workers, limits=LIMITS, recycle=recycle))
    assert sorted(o.key for o in found) == sorted(job.key for job in jobs)
    return {o.key.split(" ", 1)[1]: o for o in found}


def open_files() -> int:
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


def children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()


def wait_for_death(pid: int) -> None:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    with closing(os.fdopen(handle, "rb", buffering=0)):
        assert select.select([handle], [], [], 30)[0], f"process {pid} lives on"


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    before = open_files(), children()
    yield
    assert (open_files(), children()) == before


def test_a_call_returns_what_the_task_returns() -> None:
    assert run_one(tasks.add, (2, 3), LIMITS) == 5


def test_a_result_of_several_megabytes_crosses_the_border() -> None:
    assert run_one(tasks.fault, ("ok", 20 * MB), LIMITS) == b"x" * 20 * MB


def test_a_typed_error_arrives_as_itself_with_its_hint() -> None:
    with pytest.raises(NeedsPassword, match=r"x\.pdf: password-protected") as caught:
        run_one(tasks.fault, ("typed",), LIMITS)
    assert caught.value.hint == "save a copy without a password"


def test_any_other_exception_becomes_one_line_with_its_place() -> None:
    with pytest.raises(
        ClaimdexError, match=r"^a\.pdf: ValueError: odd value \(faulty_tasks\.py:\d+\)$"
    ) as caught:
        run_one(tasks.fault, ("untyped",), LIMITS, "a.pdf")
    assert type(caught.value) is ClaimdexError


def test_a_call_that_takes_too_long_is_killed() -> None:
    with pytest.raises(LimitReached, match=r"^a\.pdf: not done within 0\.2 s$"):
        run_one(tasks.fault, ("sleep",), SHORT, "a.pdf")


def test_a_call_stuck_in_native_code_is_killed_too() -> None:
    with pytest.raises(LimitReached, match="not done within"):
        run_one(tasks.fault, ("spin",), SHORT)


def test_what_the_child_started_dies_with_it(tmp_path: Path) -> None:
    with pytest.raises(LimitReached):
        run_one(tasks.fault, ("family", 0, str(tmp_path / "pids")), Limits(seconds=2))
    for pid in (tmp_path / "pids").read_text(encoding="ascii").split():
        wait_for_death(int(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="the address space is capped on Linux only")
def test_memory_is_capped_above_the_size_at_start() -> None:
    assert run_one(tasks.fault, ("allocate", 300 * MB), LIMITS) == 300 * MB
    with pytest.raises(LimitReached, match="out of memory"):
        run_one(tasks.fault, ("allocate", 600 * MB), LIMITS)


@pytest.mark.parametrize(
    ("kind", "how"),
    [
        ("exit", "ended with exit status 3"),
        ("abort", "was killed by SIGABRT"),
        ("segfault", "was killed by SIGSEGV"),
        ("kill", "was killed by SIGKILL"),
    ],
)
def test_the_death_of_a_child_names_its_cause(kind: str, how: str) -> None:
    with pytest.raises(WorkerDied, match=f"a.pdf: the worker {how}"):
        run_one(tasks.fault, (kind,), LIMITS, "a.pdf")


def test_deaths_are_charged_to_their_own_items_only() -> None:
    found = outcomes("ok", "segfault", "ok", "abort", "typed", "exit", "untyped", "ok", "unsendable")
    assert found["ok"].error is None
    wrong = {kind: o.error.code for kind, o in found.items() if o.error is not None}
    assert wrong == {
        "segfault": "worker_died",
        "abort": "worker_died",
        "exit": "worker_died",
        "typed": "needs_password",
        "untyped": "error",
        "unsendable": "error",
    }


def test_an_error_the_task_raised_is_settled_and_a_death_is_not() -> None:
    found = outcomes("ok", "segfault", "typed", "untyped")
    assert {kind: o.settled for kind, o in found.items()} == {
        "ok": True,
        "segfault": False,
        "typed": True,
        "untyped": True,
    }


def test_an_outcome_tells_its_time_and_memory() -> None:
    jobs = [Job("big", ("ok", 100 * MB)), Job("small", ("ok", 0))]
    found = {o.key: o for o in map_supervised(tasks.fault, jobs, workers=1, limits=LIMITS, recycle=9)}
    assert found["big"].seconds > 0
    peaks = {key: o.peak_mb or 0 for key, o in found.items()}
    assert peaks["big"] > 100 > peaks["small"] > 1


def test_a_worker_is_used_again_until_it_is_recycled() -> None:
    jobs = [Job(str(i), ("pid",)) for i in range(6)]
    found = list(map_supervised(tasks.fault, jobs, workers=1, limits=LIMITS, recycle=3))
    assert [o.result for o in found].count(found[0].result) == 3
    assert len({o.result for o in found}) == 2


def test_a_child_leads_its_own_process_group_and_ignores_ctrl_c() -> None:
    pid, group, _session = run_one(tasks.fault, ("pid",), LIMITS)
    assert pid == group != os.getpgid(0)
    assert run_one(tasks.fault, ("interrupt",), LIMITS) is None


def test_jobs_are_taken_only_when_a_worker_is_free_and_the_last_outcome_consumed() -> None:
    taken = 0

    def jobs() -> Iterator[Job[int, int]]:
        nonlocal taken
        for i in range(20):
            taken += 1
            yield Job(str(i), (i, i))

    done = 0
    for _ in map_supervised(tasks.add, jobs(), workers=2, limits=LIMITS, recycle=100):
        done += 1
        assert taken <= done + 1
    assert done == 20


def test_closing_early_kills_what_is_in_flight() -> None:
    jobs = [Job("a", ("ok",)), Job("b", ("sleep",)), Job("c", ("sleep",))]
    with closing(map_supervised(tasks.fault, jobs, workers=2, limits=LIMITS, recycle=9)) as found:
        assert next(found).key == "a"
        assert children()


def test_no_jobs_start_no_child() -> None:
    assert list(map_supervised(tasks.add, [], workers=2, limits=LIMITS, recycle=1)) == []


def test_a_child_s_logs_reach_the_parent_s_logging_and_nothing_else(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.WARNING):
        run_one(tasks.fault, ("log",), LIMITS)
    assert "a warning from the child" in caplog.messages
    assert any("a Python warning" in message for message in caplog.messages)
    assert capfd.readouterr() == ("", "")


def test_a_task_that_cannot_be_sent_is_refused() -> None:
    with pytest.raises(BadInput, match="cannot be sent to a worker"):
        run_one(lambda: None, (), LIMITS)


def test_a_task_that_cannot_be_imported_ends_the_whole_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fleeting.py").write_text("def task(): ...\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    task = importlib.import_module("fleeting").task
    (tmp_path / "fleeting.py").unlink()
    with pytest.raises(WorkerDied, match="workers cannot start: ModuleNotFoundError"):
        list(map_supervised(task, [Job("a", ()), Job("b", ())], workers=2, limits=LIMITS, recycle=9))


def test_a_system_without_room_for_a_child_is_a_typed_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WorkerDied, match="workers cannot start: No such file"):
        run_one(tasks.add, (1, 2), LIMITS)


SCRIPT = """
import sys
from claimdex.extract.bulk.workers import run_one
from claimdex.settings import Limits
sys.path.insert(0, sys.argv[1])
from faulty_tasks import add, fault
print(run_one(add, (20, 22), Limits()))
if len(sys.argv) > 2:
    run_one(fault, ("family", 0, sys.argv[2]), Limits())
"""


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, Path(__file__).parent],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("42\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="a parent-death signal is a thing of Linux")
def test_children_die_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    os.mkfifo(pids)
    command = [sys.executable, "-c", SCRIPT, str(Path(__file__).parent), str(pids)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as parent:
        worker, grandchild = map(int, pids.read_text(encoding="ascii").split())
        parent.send_signal(signal.SIGKILL)
    wait_for_death(worker)
    os.kill(grandchild, signal.SIGKILL)
