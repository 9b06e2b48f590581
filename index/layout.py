"""Where the parts of an index lie, and how a new one takes the place of the old.

A new index is written whole into ``.next/`` inside the folder and then moved into place, its
manifest last. A crash before ``.next/manifest.json`` exists leaves the old index as it was; a crash
after it is finished by the next writer (`finish`). What is not ours (``run/``) is never touched.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from claimdex.errors import BadInput

MANIFEST = "manifest.json"
README = "README.md"
CLAIMS = "data/claims"
PAPERS = "data/papers"
EMBEDDINGS = "data/embeddings"
VERDICTS = "data/verdicts"
VECTORS = "index/claims.faiss"
LEXICAL = "index/bm25"
STAGE = ".next"

_PARTS = ("data", "index", README)


@contextmanager
def writing(root: Path) -> Iterator[Path]:
    """Hold ``root`` as its only writer and yield an empty folder to write the next index into.

    Raises:
        BadInput: another process writes there, or the folder holds files that are not an index.
    """
    root.mkdir(parents=True, exist_ok=True)
    handle = os.open(root, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(f"{root} is being written by another process", hint="wait for it to end") from None
        finish(root)
        refuse_foreign(root)
        stage = root / STAGE
        shutil.rmtree(stage, ignore_errors=True)
        stage.mkdir()
        try:
            yield stage
        finally:
            if not (stage / MANIFEST).exists():
                shutil.rmtree(stage, ignore_errors=True)
    finally:
        os.close(handle)


def finish(root: Path) -> None:
    """Move a complete ``.next`` into place; does nothing when there is none. Can be repeated."""
    stage = root / STAGE
    if not (stage / MANIFEST).exists():
        return
    for path in sorted(stage.rglob("*")):
        _sync(path)
    (root / MANIFEST).unlink(missing_ok=True)
    for name in _PARTS:
        if (stage / name).exists():
            _remove(root / name)
            (stage / name).rename(root / name)
    (stage / MANIFEST).rename(root / MANIFEST)
    _sync(root)
    shutil.rmtree(stage)


def interrupted(root: Path) -> bool:
    """Whether a complete new index waits to be moved into place."""
    return (root / STAGE / MANIFEST).exists()


def refuse_foreign(root: Path) -> None:
    """See that nothing of somebody else's would be overwritten by an index in ``root``.

    Raises:
        BadInput: the folder holds files by an index's names, but no index; or it is no folder.
    """
    if root.exists() and not root.is_dir():
        raise BadInput(f"{root} is a file", hint="give an empty or new folder")
    if (root / MANIFEST).exists():
        return
    for name in _PARTS:
        if (root / name).exists():
            raise BadInput(
                f"{root} holds {name!r} but no index; it will not be overwritten",
                hint="give an empty or new folder",
            )


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
