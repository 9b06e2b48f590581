"""Calls in child processes that may time out, run out of memory or crash without harm to the rest.

One call is in flight in a child at a time, so a death is charged to exactly one call.
"""

from __future__ import annotations

import logging
import os
import pickle
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar, TypeVarTuple

from claimdex.errors import BadInput, WorkerDied
from claimdex.extract.bulk.worker import Job, Outcome, Worker
from claimdex.extract.bulk.worker_child import Orders
from claimdex.settings import Limits

__all__ = ["Job", "Outcome", "map_supervised", "run_one"]

R = TypeVar("R")
Ts = TypeVarTuple("Ts")


def run_one(task: Callable[[*Ts], R], args: tuple[*Ts], limits: Limits, label: str = "") -> R:
    """``task(*args)`` in a fresh child process.

    ``task`` must be importable in the child: a module's function, or a `partial` of one. ``label``
    names the call in messages of this module.

    Raises:
        LimitReached: it took more time or memory than ``limits`` allow.
        WorkerDied: the child crashed or could not start.
        ClaimdexError: what the task itself raised; any other exception arrives as this base class.
    """
    jobs = [Job("", args, label)]
    with closing(map_supervised(task, jobs, workers=1, limits=limits, recycle=1)) as outcomes:
        outcome = next(outcomes)
    if outcome.error is not None:
        raise outcome.error
    return outcome.result  # type: ignore[return-value]  # None only if that is what the task returned


def map_supervised(
    task: Callable[[*Ts], R], jobs: Iterable[Job[*Ts]], *, workers: int, limits: Limits, recycle: int
) -> Generator[Outcome[R], None, None]:
    """Call ``task`` for each job in up to ``workers`` children; yield each outcome as it is known.

    ``jobs`` is read lazily: a job is taken when a child is free for it and the outcomes before have
    been consumed, so at most ``workers`` jobs are taken and not yet yielded. End it to stop early and
    let those in flight finish; close this generator to kill them. A child is replaced after
    ``recycle`` calls.

    Raises:
        BadInput: ``task`` cannot be sent to another process.
        WorkerDied: children cannot even start, so that no job would fare better.
    """
    pool: _Pool[R] = _Pool(_orders(task, limits), workers, recycle)
    pending = iter(jobs)
    with closing(pool):
        while pool.feed(pending):
            yield from pool.harvest()


def _orders(task: Callable[..., object], limits: Limits) -> Orders:
    try:
        data = pickle.dumps(task)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise BadInput(f"{task!r} cannot be sent to a worker", hint="use a function of a module") from error
    level = logging.getLogger().getEffectiveLevel()
    return Orders(os.getpid(), data, limits.seconds, limits.memory_mb, level)


class _Pool(Generic[R]):
    """Workers, started when there is a job for them."""

    def __init__(self, orders: Orders, size: int, recycle: int) -> None:
        self._orders, self._size, self._recycle = orders, size, recycle
        self._idle: list[Worker] = []
        self._busy: dict[Connection, Worker] = {}
        self._proven = False

    def feed(self, jobs: Iterator[Job[*tuple[Any, ...]]]) -> bool:
        """Hand out jobs while a worker is free; whether any is in flight then."""
        for job in islice(jobs, self._size - len(self._busy)):
            worker = self._free_worker()
            self._busy[worker.link] = worker
            worker.give(job)
        return bool(self._busy)

    def harvest(self) -> Iterator[Outcome[R]]:
        """Wait until something happens; yield the outcomes there are."""
        soonest = min(worker.due for worker in self._busy.values())
        heard = set(wait(list(self._busy), max(0.0, soonest - time.monotonic())))
        now = time.monotonic()
        for link, worker in list(self._busy.items()):
            if link in heard:
                outcome = worker.hear()
            elif worker.due <= now:
                outcome = worker.overdue()
            else:
                continue
            self._proven = self._proven or worker.ready
            if outcome is not None:
                del self._busy[link]
                self._settle(worker, outcome)
                yield outcome

    def close(self) -> None:
        """Kill every worker."""
        for worker in [*self._idle, *self._busy.values()]:
            worker.end()
        self._idle.clear()
        self._busy.clear()

    def _free_worker(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.process.poll() is None:
                return worker
            worker.end()
        return Worker(self._orders)

    def _settle(self, worker: Worker, outcome: Outcome[R]) -> None:
        """Keep the worker for the next job, or end it."""
        if worker.link.closed:
            if not self._proven and outcome.error is not None:
                raise WorkerDied(f"workers cannot start: {outcome.error}", hint="run with --debug")
        elif worker.served >= self._recycle:
            worker.end()
        else:
            self._idle.append(worker)
