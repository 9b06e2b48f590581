"""The SQLite file behind the journal: its tables, its lock, and its errors as ours."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from claimdex.errors import BadInput, ClaimdexError

_SCHEMA_VERSION = 1
_BUSY_SECONDS = 30.0
_SCHEMA = """
CREATE TABLE papers (
    key TEXT PRIMARY KEY,
    place INTEGER,
    pdf TEXT NOT NULL,
    ref TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'ok', 'partial', 'failed')),
    tries INTEGER NOT NULL DEFAULT 0,
    paper_id TEXT,
    code TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL DEFAULT '',
    hint TEXT NOT NULL DEFAULT '',
    budget TEXT NOT NULL DEFAULT '',
    seconds REAL,
    peak_mb REAL,
    claims TEXT NOT NULL DEFAULT '{}',
    updated_at TEXT NOT NULL,
    claim_set BLOB
);
CREATE INDEX papers_by_place ON papers (place) WHERE place IS NOT NULL;
CREATE TABLE files (
    path BLOB PRIMARY KEY,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    sha256 TEXT NOT NULL
);
"""


def connected(path: Path) -> sqlite3.Connection:
    """A connection whose commits are on the disk when they return; transactions are begun by hand."""
    database = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
    database.execute("PRAGMA synchronous = FULL")
    return database


def prepare(database: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new journal; check those of an old one."""
    database.execute("PRAGMA journal_mode = WAL")
    (found,) = database.execute("PRAGMA user_version").fetchone()
    if found == 0:
        database.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_SCHEMA_VERSION}; COMMIT;")
    elif found != _SCHEMA_VERSION:
        raise BadInput(f"{path}: a journal of another version of claimdex", hint="move it away to start anew")


def locked(path: Path) -> int:
    """Descriptor that holds the lock file; the kernel lets go of it when this process ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise BadInput(
            f"{path.parent}: cannot be written ({error.strerror})", hint="choose another folder"
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise BadInput(
            f"{path.parent} is being written by another run", hint="wait for it to end, or stop it"
        ) from None
    return handle


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's errors as ours."""
    try:
        yield
    except sqlite3.OperationalError as error:
        hint = "free some space and run again: nothing that was done is lost" if "full" in str(error) else ""
        raise ClaimdexError(f"{path}: {error}", hint=hint) from error
    except sqlite3.DatabaseError as error:
        raise BadInput(
            f"{path}: not a usable journal ({error})", hint="move it away to start anew"
        ) from error
