"""Reading JSON and JSONL files so that every fault is told with its file and line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from claimdex.errors import BadInput, NotFound

Loc = Sequence[str | int]
"""Path into a JSON value: keys and list positions, outermost first."""

_Model = TypeVar("_Model", bound=BaseModel)
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[\s,]*")


@dataclass(frozen=True)
class Document:
    """One JSON value of a file. ``text`` begins on line ``line`` of it; ``prefix`` leads to the value."""

    path: Path
    line: int
    text: str
    value: object
    prefix: tuple[str | int, ...] = ()

    def fault(self, loc: Loc, message: str, hint: str = "") -> BadInput:
        """The error that names file, line and JSON path of a fault in this document."""
        full = (*self.prefix, *loc)
        line = self.line + line_of(self.text, full) - 1
        where = f"{self.path}:{line}"
        return BadInput(
            f"{where}: {json_path(full)}: {message}" if full else f"{where}: {message}", hint=hint
        )

    def parse(self, model: type[_Model]) -> _Model:
        """The value as ``model``.

        Raises:
            BadInput: the value does not fit; the first fault is named, the others are counted.
        """
        try:
            return model.model_validate(self.value)
        except ValidationError as error:
            first, *others = error.errors(include_url=False)
            found = "" if first["type"] == "missing" else f" (found {_short(first['input'])})"
            more = f"; and {len(others)} more" if others else ""
            raise self.fault(first["loc"], f"{first['msg']}{found}{more}") from None


def read_documents(path: Path) -> list[Document]:
    """The JSON objects of a file or of a folder's ``*.json`` and ``*.jsonl`` files, in name order.

    A file holds one object, a list of objects, or one object a line.

    Raises:
        NotFound: there is no such file or folder.
        BadInput: a file is not UTF-8 or not JSON, or there is nothing in it.
    """
    if path.is_dir():
        files = sorted(f for f in path.iterdir() if f.suffix in (".json", ".jsonl"))
    elif path.is_file():
        files = [path]
    else:
        raise NotFound(f"{path}: no such file or folder")
    documents = [document for file in files for document in _read(file)]
    if not documents:
        raise BadInput(f"{path}: holds no JSON", hint="give a .json or .jsonl file, or a folder of them")
    return documents


def _read(path: Path) -> Iterator[Document]:
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 (byte {error.start})") from None
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    one_a_line = path.suffix == ".jsonl" or (len(lines) > 1 and _is_json(lines[0][1]))
    parts = lines if one_a_line else [(1, text)] if lines else []
    for first, part in parts:
        value = _load(path, first, part)
        if isinstance(value, list):
            for i, item in enumerate(value):
                yield Document(path, first, part, item, (i,))
        else:
            yield Document(path, first, part, value)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _load(path: Path, first: int, text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        where = f"{path}:{first + error.lineno - 1}"
        raise BadInput(f"{where}: not JSON: {error.msg} (column {error.colno})") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}:{first}: not JSON: {error}") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def line_of(text: str, loc: Loc) -> int:
    """Line, from 1, on which the value at ``loc`` stands, or the nearest container that exists.

    >>> line_of('{"a": 1,\\n "b": [1,\\n 2]}', ("b", 1))
    3
    """
    at = _skip(text, 0)
    for step in loc:
        child = _child(text, at, step)
        if child is None:
            break
        at = child
    return text.count("\n", 0, at) + 1


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _child(text: str, at: int, step: str | int) -> int | None:
    """Where the value of key or position ``step`` begins in the container that begins at ``at``."""
    opener = text[at : at + 1]
    if opener != ("{" if isinstance(step, str) else "["):
        return None
    at, position = _skip(text, at + 1), 0
    while text[at] not in "}]":
        key: object = position
        if opener == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if key == step:
            return at
        _, at = _DECODER.raw_decode(text, at)
        at, position = _skip(text, at), position + 1
    return None


def json_path(loc: Loc) -> str:
    """The path as people write it.

    >>> json_path(("claims", 3, "evidence", 0, "page"))
    'claims[3].evidence[0].page'
    """
    out = ""
    for step in loc:
        if isinstance(step, int):
            out += f"[{step}]"
        elif re.fullmatch(r"\w+", step):
            out += f".{step}" if out else step
        else:
            out += f"[{json.dumps(step)}]"
    return out


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
