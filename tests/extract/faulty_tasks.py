"""Tasks that fail on demand, importable by child processes without pytest."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import subprocess
import time
import warnings
from pathlib import Path

from claimdex.errors import NeedsPassword

MB = 2**20


def add(a: int, b: int) -> int:
    return a + b


def fault(kind: str, size: int = 0, where: str = "") -> object:
    """Do what ``kind`` says; "ok" returns ``size`` bytes."""
    match kind:
        case "ok":
            return b"x" * size
        case "pid":
            return os.getpid(), os.getpgid(0), os.getsid(0)
        case "sleep":
            time.sleep(3600)
        case "spin":
            ctypes.CDLL(None).pause()
        case "family":
            child = subprocess.Popen(["sleep", "3600"])
            with Path(where).open("w", encoding="ascii") as out:
                out.write(f"{os.getpid()}\n{child.pid}\n")
            time.sleep(3600)
        case "allocate":
            return len(b"x" * size)
        case "exit":
            os._exit(3)
        case "abort":
            os.abort()
        case "segfault":
            ctypes.string_at(0)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "interrupt":
            os.kill(os.getpid(), signal.SIGINT)
        case "typed":
            raise NeedsPassword("x.pdf: password-protected", hint="save a copy without a password")
        case "untyped":
            raise ValueError("odd\nvalue")
        case "unsendable":
            return lambda: None
        case "log":
            logging.getLogger("faulty").warning("a warning from %s", "the child")
            warnings.warn("a Python warning", stacklevel=1)
            print("stray output")  # noqa: T201
        case _:
            raise AssertionError(kind)
    return None
