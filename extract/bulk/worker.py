"""The parent's hold on one child process (``claimdex.extract.bulk.worker_child`` is the other end).

A child is a fresh interpreter: never a fork, for the parent may hold threads and locks; and not
``multiprocessing.Process``, which imports the caller's ``__main__`` and so breaks every script without a
main guard. It leads its own process group: Ctrl-C reaches the parent alone, and a kill takes
everything the child started.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Pipe
from typing import Any, Generic, TypeVar, TypeVarTuple

from claimdex.errors import BY_CODE, ClaimdexError, LimitReached, WorkerDied
from claimdex.extract.bulk.worker_child import (
    MAX_MESSAGE,
    Failure,
    LogLine,
    Orders,
    Ready,
    Reply,
    Unfit,
    peak_of,
)

logger = logging.getLogger(__name__)

R = TypeVar("R")
Ts = TypeVarTuple("Ts")

_START_SECONDS = 300.0
_EXIT_SECONDS = 5.0
_BOOT = (
    "import sys; from multiprocessing.connection import Connection; "
    "link = Connection(int(sys.argv[1])); sys.path[:] = link.recv(); "
    "from claimdex.extract.bulk.worker_child import serve; serve(link)"
)
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_HINTS = {
    -signal.SIGKILL: "the machine may be out of memory: lower run.workers",
    -signal.SIGABRT: "often a sign of too little memory: raise limits.memory_mb, or leave it out",
}


@dataclass(frozen=True, slots=True)
class Job(Generic[*Ts]):
    """One call of the task: the key it is known by, the arguments, and its name in error messages."""

    key: str
    args: tuple[*Ts]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[R]):
    """How one call ended: with a result, or with an error.

    ``settled`` is false if another try may end otherwise: the worker died, or time or memory ran out.
    ``seconds`` is wall time; ``peak_mb`` the
    child's peak resident memory (None if it died by itself).
    """

    key: str
    result: R | None
    error: ClaimdexError | None
    settled: bool
    seconds: float
    peak_mb: float | None


class Worker:
    """A child and its link. ``job`` is the call in flight; ``due`` is when its time runs out (monotonic).

    Raises:
        WorkerDied: the system gives no process.
    """

    def __init__(self, orders: Orders) -> None:
        self.link, theirs = Pipe()
        self._orders = orders
        with theirs:
            try:
                self.process = _spawned(theirs.fileno())
            except OSError as error:
                self.link.close()
                raise WorkerDied(
                    f"workers cannot start: {error.strerror}", hint="lower run.workers"
                ) from error
        self.job: Job[*tuple[Any, ...]] | None = None
        self.served = 0
        self.ready = False
        self.since = self.due = 0.0
        with suppress(OSError):  # a child that died at once is noticed when its answer is waited for
            self.link.send(sys.path)
            self.link.send(orders)

    def give(self, job: Job[*tuple[Any, ...]]) -> None:
        """Put a job in flight. The clock of a new child's first job starts when the child is ready."""
        self.job = job
        self._start_clock(self._orders.seconds if self.ready else _START_SECONDS)
        with suppress(OSError):
            self.link.send_bytes(pickle.dumps(job.args))

    def hear(self) -> Outcome[Any] | None:
        """Take one message; the outcome of the job if that is what it was.

        Raises:
            WorkerDied: the task cannot be imported.
        """
        try:
            message = pickle.loads(self.link.recv_bytes(MAX_MESSAGE))
        except Exception:  # noqa: BLE001 - process border: a dying child may leave half a message
            return self._lost()
        match message:
            case Ready():
                self.ready = True
                self._start_clock(self._orders.seconds)
            case LogLine(name, level, text):
                logging.getLogger(name).log(level, "%s", text)
            case Unfit(text):
                raise WorkerDied(f"workers cannot start: {text}", hint="is claimdex installed completely?")
            case Reply():
                return self._answered(message)
        return None

    def overdue(self) -> Outcome[Any]:
        """The outcome of a job whose time has run out; the child is killed."""
        seconds, peak = time.monotonic() - self.since, peak_of(self.process.pid)
        self.end()
        if not self.ready:
            return self._failed(WorkerDied(self._says("the worker did not start in time")), seconds, peak)
        message = self._says(f"not done within {self._orders.seconds:g} s")
        return self._failed(LimitReached(message, hint="raise limits.seconds"), seconds, peak)

    def end(self) -> None:
        """Kill the child and all it started, and reap it."""
        if self.process.returncode is None:  # once reaped, its number may be another's
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        try:
            self.process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            logger.warning("worker %d does not die; left behind", self.process.pid)
        self.link.close()

    def _start_clock(self, seconds: float) -> None:
        self.since = time.monotonic()
        self.due = self.since + seconds

    def _answered(self, reply: Reply) -> Outcome[Any]:
        self.served += 1
        if not reply.fit:
            self.end()
        if reply.failure is not None:
            return self._failed(
                self._rebuilt(reply.failure), reply.seconds, reply.peak_mb, settled=reply.failure.settled
            )
        return Outcome(self._taken().key, reply.result, None, True, reply.seconds, reply.peak_mb)

    def _lost(self) -> Outcome[Any]:
        """The outcome of a job whose child is gone, or sends rubbish."""
        seconds, dead = time.monotonic() - self.since, _dies_soon(self.process.pid)
        self.end()
        code = self.process.returncode
        how = _how(code) if dead else "sent no usable answer"
        message = self._says(f"the worker {how}" if self.ready else f"the worker {how} while starting")
        return self._failed(WorkerDied(message, hint=_HINTS.get(code, "") if dead else ""), seconds, None)

    def _failed(
        self, error: ClaimdexError, seconds: float, peak: float | None, *, settled: bool = False
    ) -> Outcome[Any]:
        return Outcome(self._taken().key, None, error, settled, seconds, peak)

    def _rebuilt(self, failure: Failure) -> ClaimdexError:
        """The error the child reported, as what it was there (a plug-in's own class becomes the base)."""
        message = failure.message if failure.named else self._says(failure.message)
        return BY_CODE.get(failure.code, ClaimdexError)(message, hint=failure.hint)

    def _taken(self) -> Job[*tuple[Any, ...]]:
        job, self.job = self.job, None
        assert job is not None
        return job

    def _says(self, what: str) -> str:
        return f"{self.job.label}: {what}" if self.job and self.job.label else what


def _spawned(descriptor: int) -> subprocess.Popen[bytes]:
    """A fresh interpreter that listens on ``descriptor``, with a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _BOOT, str(descriptor)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=None if logger.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL,
        env=dict.fromkeys(_THREADS, "1") | os.environ,
        pass_fds=[descriptor],
        process_group=0,
    )


def _dies_soon(pid: int) -> bool:
    """Whether the process ends within a few seconds. It is not reaped: its group keeps its number."""
    until = time.monotonic() + _EXIT_SECONDS
    while time.monotonic() < until:
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return True
        time.sleep(0.01)
    return False


def _how(code: int) -> str:
    """How a process ended, in words."""
    if code >= 0:
        return f"ended with exit status {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"
