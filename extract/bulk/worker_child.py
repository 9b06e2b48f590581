"""The child side of ``claimdex.extract.bulk.workers``: import the task, take on limits, answer the calls.

Kept light: everything heavy comes with the task, before the memory limit is set and the clock runs.
"""

from __future__ import annotations

import ctypes
import logging
import os
import pickle
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from claimdex.errors import ClaimdexError

MAX_MESSAGE = 256 * 2**20
"""Bytes of the largest answer a child may send."""

_LOG_LINES = 20
_PR_SET_PDEATHSIG = 1
_ALARM_GRACE = 30


@dataclass(frozen=True, slots=True)
class Orders:
    """What a child is told at its start. ``task`` is the pickled callable."""

    parent: int
    task: bytes
    seconds: float
    memory_mb: int
    log_level: int


@dataclass(frozen=True, slots=True)
class Ready:
    """The task is imported and the limits are set."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """The task cannot be imported; the child ends."""

    message: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """A log record on its way to the parent's logging."""

    name: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call gave no result.

    ``settled``: another try would end the same. ``named``: the message says what it is about.
    """

    code: str
    message: str
    hint: str = ""
    settled: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer to one call. ``fit``: the child can take another. ``peak_mb``: its resident memory."""

    result: Any
    failure: Failure | None
    fit: bool
    seconds: float
    peak_mb: float


def serve(link: Connection) -> None:
    """Take orders, then answer calls (pickled argument tuples) until the parent closes the link."""
    orders: Orders = link.recv()
    os.set_inheritable(link.fileno(), False)
    _depend_on(orders.parent)
    log = _ToParent(link)
    logging.basicConfig(level=orders.log_level, handlers=[log], force=True)
    logging.captureWarnings(True)
    try:
        task = pickle.loads(orders.task)
    except Exception as error:  # noqa: BLE001 - process border: whatever it is, the parent must know
        link.send(Unfit(f"{type(error).__name__}: {error}"))
        return
    _limit_memory(orders.memory_mb)
    link.send(Ready())
    fit = True
    while fit:
        try:
            call = link.recv_bytes()
        except EOFError:
            return
        log.left = _LOG_LINES
        signal.setitimer(signal.ITIMER_REAL, orders.seconds + _ALARM_GRACE)
        answer, fit = _answer(task, call)
        signal.setitimer(signal.ITIMER_REAL, 0)
        link.send_bytes(answer)
        del answer  # it may be large, and the next call has the same memory to live in


def _answer(task: Callable[..., Any], call: bytes) -> tuple[bytes, bool]:
    """The reply to one call, ready to send, and whether this process can take another."""
    _reset_peak()
    start = time.monotonic()
    result, failure, fit = None, None, True
    try:
        result = task(*pickle.loads(call))
    except ClaimdexError as error:
        failure = Failure(error.code, error.message, error.hint, settled=True, named=True)
    except MemoryError:
        failure, fit = Failure("limit_reached", "out of memory", "raise limits.memory_mb"), False
    except Exception as error:
        logging.getLogger(__name__).debug("unexpected error", exc_info=True)
        failure = Failure(ClaimdexError.code, _described(error), "a defect: please report it", settled=True)
    reply = Reply(result, failure, fit, time.monotonic() - start, _peak_mb())
    return _packed(reply), fit


def _described(error: Exception) -> str:
    """One line: what, and the line of code it came from."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {text} ({Path(frame.filename).name}:{frame.lineno})"


def _packed(reply: Reply) -> bytes:
    try:
        data = pickle.dumps(reply, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 - process border: anything can go wrong in a foreign __reduce__
        return _without_result(reply, Failure("error", f"cannot be sent: {_described(error)}", settled=True))
    if len(data) > MAX_MESSAGE:
        message = f"the result has {len(data) / 1e6:.0f} MB, more than a worker may send"
        return _without_result(reply, Failure("limit_reached", message, settled=True))
    return data


def _without_result(reply: Reply, failure: Failure) -> bytes:
    return pickle.dumps(Reply(None, failure, reply.fit, reply.seconds, reply.peak_mb))


def _depend_on(parent: int) -> None:
    """Die with the parent, leave Ctrl-C to it, write no core files, be the first the kernel kills for memory.

    Where the kernel offers no parent-death signal, the closed link and an alarm after the time limit
    end an orphan.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    _write_proc("oom_score_adj", "1000")


def _limit_memory(megabytes: int) -> None:
    """Cap the address space at its present size plus ``megabytes`` (Linux; no effect elsewhere)."""
    if sys.platform != "linux":
        return
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + megabytes * 2**20
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _reset_peak() -> None:
    _write_proc("clear_refs", "5")


def _peak_mb() -> float:
    """Most resident memory since the last reset (Linux), else since the start."""
    return peak_of("self") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def peak_of(pid: int | str) -> float | None:
    """Peak resident memory of a process in MB; None where there is no /proc or no such process."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return None


def _write_proc(name: str, value: str) -> None:
    try:
        Path(f"/proc/self/{name}").write_text(value, encoding="ascii")
    except OSError:
        logging.getLogger(__name__).debug("cannot write /proc/self/%s", name)


class _ToParent(logging.Handler):
    """Sends records to the parent, ``left`` of them for each call."""

    def __init__(self, link: Connection) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(message)s"))
        self._link = link
        self.left = _LOG_LINES

    def emit(self, record: logging.LogRecord) -> None:
        """Send the record, unless this call has logged enough."""
        if self.left > 0:
            self.left -= 1
            self._link.send(LogLine(record.name, record.levelno, self.format(record)))
