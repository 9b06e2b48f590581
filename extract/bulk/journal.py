"""The journal of a bulk run: what became of each paper, safe against a kill at any moment.

One row a paper, known by its content (`paper_key`), and one transaction for each change of state. SQLite in
WAL mode with ``synchronous=FULL``: what was committed outlives a crash and a power cut. One process
writes at a time, which holds the lock file beside the journal.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from claimdex.errors import ClaimdexError, NotFound
from claimdex.extract.bulk.journal_file import connected, locked, prepare, translated
from claimdex.extract.bulk.reading import Reading
from claimdex.paper import PaperRef
from claimdex.settings import Settings, timestamp
from claimdex.text import sha256
from claimdex.version import __version__

_COLUMNS = "key, pdf, ref, state, tries, paper_id, code, message, hint, budget, seconds, peak_mb, claims"


class State(StrEnum):
    """Where a paper stands."""

    QUEUED = "queued"
    RUNNING = "running"
    OK = "ok"
    PARTIAL = "partial"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Listed:
    """A paper of the present run: its key, the PDF as printed, and what is known of it beforehand."""

    key: str
    pdf: str
    ref: PaperRef


@dataclass(frozen=True, slots=True)
class Row:
    """A paper's row, without its claims.

    ``tries`` counts attempts that ended in an error. ``code``, ``message`` and ``hint`` tell of the last
    error, or of what a partial paper lacks. ``budget`` is set if the error came of time, memory or a
    crash: the limits under which it did. ``claims`` counts claims by type.
    """

    key: str
    pdf: str
    ref: PaperRef
    state: State
    tries: int
    paper_id: str | None
    code: str
    message: str
    hint: str
    budget: str
    seconds: float | None
    peak_mb: float | None
    claims: dict[str, int]


def paper_key(content: str, ref: PaperRef, settings: Settings) -> str:
    """Key of a paper's row: changes with everything that may change its claims, and with nothing else.

    ``content`` is the sha256 of the PDF; the settings' hash covers the names of parser and extractor.
    """
    return sha256("\x1f".join((content, ref.model_dump_json(), settings.extraction_hash(), __version__)))


class Journal:
    """The journal at ``path``, open for writing. Rows left ``running`` by a dead run become ``queued``.

    Raises:
        BadInput: another run has it open, or the file is no journal of this version.
        ClaimdexError: it cannot be written; what was committed before is safe.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._noted: list[tuple[bytes, int, int, str]] = []
        self._lock = locked(path.with_suffix(".lock"))
        try:
            with translated(path):
                self._db = connected(path)
                prepare(self._db, path)
                self._write("UPDATE papers SET state = 'queued' WHERE state = 'running'")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let go of the lock."""
        if hasattr(self, "_db"):
            self._db.close()
        os.close(self._lock)

    def file_sha256(self, path: Path, size: int, mtime_ns: int) -> str | None:
        """The sha256 noted for a file, if its size and time are as they were then."""
        with translated(self._path):
            found = self._db.execute(
                "SELECT sha256 FROM files WHERE path = ? AND size = ? AND mtime_ns = ?",
                (os.fsencode(path), size, mtime_ns),
            ).fetchone()
        return found[0] if found else None

    def note_file(self, path: Path, size: int, mtime_ns: int, digest: str) -> None:
        """Note a file's sha256, so that a resumed run need not read it again (kept from `enlist` on)."""
        self._noted.append((os.fsencode(path), size, mtime_ns, digest))

    def enlist(self, papers: Iterable[Listed]) -> None:
        """Make these, in this order, the papers of the run, and keep the files noted so far.

        Papers of earlier runs stay in the journal, but out of this run.
        """
        now = timestamp()
        rows = [
            (p.key, place, p.pdf, p.ref.model_dump_json(), p.ref.paper_id, now)
            for place, p in enumerate(papers)
        ]
        with self._transaction():
            self._db.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", self._noted)
            self._db.execute("UPDATE papers SET place = NULL")
            self._db.executemany(
                "INSERT INTO papers (key, place, pdf, ref, paper_id, updated_at) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET place = excluded.place, pdf = excluded.pdf",
                rows,
            )
        self._noted.clear()

    def rows(self) -> list[Row]:
        """The rows of the run's papers, in the order they were enlisted."""
        with translated(self._path):
            found = self._db.execute(f"SELECT {_COLUMNS} FROM papers WHERE place IS NOT NULL ORDER BY place")
            return [_row(values) for values in found]

    def left_out(self) -> int:
        """How many papers are in the journal but not in the run."""
        with translated(self._path):
            (count,) = self._db.execute("SELECT count(*) FROM papers WHERE place IS NULL").fetchone()
        return int(count)

    def requeue(self, keys: Iterable[str]) -> None:
        """Give papers a new start, their tries forgotten."""
        with self._transaction():
            self._db.executemany(
                "UPDATE papers SET state = 'queued', tries = 0 WHERE key = ?", [(key,) for key in keys]
            )

    def start(self, key: str) -> None:
        """The paper is being read."""
        self._write("UPDATE papers SET state = 'running', updated_at = ? WHERE key = ?", (timestamp(), key))

    def finish(self, key: str, reading: Reading, seconds: float, peak_mb: float | None) -> None:
        """The paper was read, whole or in part."""
        code, message = reading.loss or ("", "")
        self._write(
            "UPDATE papers SET state = ?, paper_id = ?, code = ?, message = ?, hint = '', budget = '', "
            "seconds = ?, peak_mb = ?, claims = ?, claim_set = ?, updated_at = ? WHERE key = ?",
            (
                State.PARTIAL if reading.loss else State.OK,
                reading.paper_id,
                code,
                message,
                seconds,
                peak_mb,
                json.dumps(reading.claims),
                reading.packed,
                timestamp(),
                key,
            ),
        )

    def fail(
        self,
        key: str,
        error: ClaimdexError,
        state: State,
        *,
        budget: str = "",
        seconds: float | None = None,
        peak_mb: float | None = None,
    ) -> None:
        """An attempt failed; ``state`` is ``failed``, or ``queued`` if there will be another."""
        self._write(
            "UPDATE papers SET state = ?, tries = tries + 1, code = ?, message = ?, hint = ?, budget = ?, "
            "seconds = ?, peak_mb = ?, updated_at = ? WHERE key = ?",
            (state, error.code, error.message, error.hint, budget, seconds, peak_mb, timestamp(), key),
        )

    def _write(self, sql: str, values: tuple[object, ...] = ()) -> None:
        with self._transaction():
            self._db.execute(sql, values)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with translated(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                yield


def packed_claim_sets(path: Path) -> Iterator[bytes]:
    """The claim sets of the run's papers, packed, by paper id. Of several under one id, the first enlisted.

    Raises:
        NotFound: there is no journal at ``path``.
    """
    if not path.is_file():
        raise NotFound(f"{path}: no such journal")
    with translated(path), closing(connected(path)) as database:
        chosen: dict[str, str] = {}
        for paper_id, key in database.execute(
            "SELECT paper_id, key FROM papers WHERE place IS NOT NULL AND state IN ('ok', 'partial') "
            "ORDER BY paper_id, place"
        ):
            chosen.setdefault(paper_id, key)
        for key in chosen.values():
            (packed,) = database.execute("SELECT claim_set FROM papers WHERE key = ?", (key,)).fetchone()
            yield packed


def _row(values: tuple[object, ...]) -> Row:
    fields = dict(zip(_COLUMNS.split(", "), values, strict=True))
    fields["ref"] = PaperRef.model_validate_json(str(fields["ref"]))
    fields["state"] = State(str(fields["state"]))
    fields["claims"] = json.loads(str(fields["claims"]))
    return Row(**fields)  # type: ignore[arg-type]  # the columns' types are those of the schema
