"""Manifests: tables of papers, one row a PDF, as CSV, TSV or JSON lines.

Columns: ``pdf`` (relative to the manifest) and any of ``openreview``, ``arxiv``, ``doi``, ``submission``,
``title``, ``authors``, ``venue``, ``year``, ``version``, ``url``. A faulty row is a `Problem` of that row.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from claimdex.errors import BadInput, ClaimdexError, NotFound
from claimdex.ids import canonical, lookup_keys, make_id
from claimdex.paper import PaperRef
from claimdex.text import normalise

_ID_COLUMNS = ("openreview", "arxiv", "doi", "submission")
_COLUMNS = ("pdf", *_ID_COLUMNS, "title", "authors", "venue", "year", "version", "url")
_MAX_BYTES = 200 * 10**6
_MAX_TEXT = 2_000
_YEARS = range(1900, 2201)


@dataclass(frozen=True, slots=True)
class Source:
    """A PDF to read, what is known of the paper, and where that was found (``papers.csv:12``)."""

    pdf: Path
    ref: PaperRef
    where: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something amiss with the sources. An ``error`` costs its paper; a ``warning`` costs nothing."""

    level: Literal["error", "warning"]
    where: str
    code: str
    message: str
    hint: str = ""
    pdf: str = ""
    ref: PaperRef = PaperRef()  # noqa: RUF009 - immutable


SUFFIXES = {".csv": "csv", ".tsv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""Kinds of manifest by the end of their name."""


def read_manifest(path: Path) -> list[Source | Problem]:
    """The rows of a manifest, in order; then one warning that names unknown columns, if there are any.

    Raises:
        NotFound: there is no such file.
        BadInput: it is no manifest: not UTF-8, too large, without rows or without a column ``pdf``.
    """
    kind = SUFFIXES[path.suffix.lower()]
    text = _text_of(path)
    rows = _csv_rows(path, text) if kind == "csv" else _json_rows(path, text)
    found: list[Source | Problem] = []
    unknown: dict[str, None] = {}
    for line, row in rows:
        where = f"{path.name}:{line}"
        if isinstance(row, str):
            found.append(Problem("error", where, BadInput.code, row))
            continue
        unknown.update(dict.fromkeys(name for name in row if name not in _COLUMNS))
        found.append(_source(path.parent, where, row))
    if not found:
        raise BadInput(f"{path}: no rows", hint="a manifest has one row a paper, with a column 'pdf'")
    if unknown:
        names = ", ".join(sorted(unknown)[:10])[:200]
        message, hint = f"unknown columns are ignored: {names}", f"known: {', '.join(_COLUMNS)}"
        found.append(Problem("warning", path.name, "unknown_columns", message, hint))
    return found


def _text_of(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > _MAX_BYTES:
            raise BadInput(
                f"{path}: {size / 1e6:.0f} MB is more than a manifest may have", hint="split it into several"
            )
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise NotFound(f"{path}: no such file") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 (byte {error.start})", hint="save the file as UTF-8") from None


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, object] | str]]:
    """Line number and row of a table; a string in place of a row says what is wrong with it."""
    head = text.lstrip("\r\n").partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max("\t,;", key=head.count), strict=True)
    names: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                pass
            elif names is None:
                names = _column_names(path, cells)
            elif any(cell.strip() for cell in cells[len(names) :]):
                yield line, f"{len(cells)} cells in a table of {len(names)} columns"
            else:
                yield line, dict(zip(names, cells, strict=False))
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(f"{path}:{line}: not a table ({error})", hint="is a quote left open?") from None


def _column_names(path: Path, cells: list[str]) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise BadInput(f"{path}: column {twice[0]!r} occurs twice")
    if "pdf" not in names:
        raise BadInput(
            f"{path}: no column 'pdf'", hint=f"the first line names the columns: {', '.join(_COLUMNS)}"
        )
    return [name or f"column {i}" for i, name in enumerate(names, 1)]


def _json_rows(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, object] | str]]:
    for line, raw in enumerate(io.StringIO(text, newline=None), 1):
        if not raw.strip():
            continue
        try:
            row = json.loads(raw)
        except (ValueError, RecursionError) as error:
            yield line, f"not JSON ({error})"
            continue
        if isinstance(row, dict):
            yield line, {str(name).strip().lower(): value for name, value in row.items()}
        else:
            yield line, f"not a JSON object but {type(row).__name__}"


def _source(folder: Path, where: str, row: Mapping[str, object]) -> Source | Problem:
    pdf = ""
    ref = PaperRef()
    try:
        pdf = _path_text(row.get("pdf"))
        ref = _reference(row)
        return Source(existing(folder / pdf, pdf), ref, where)
    except ClaimdexError as error:
        return Problem("error", where, error.code, error.message, error.hint, printable(pdf), ref)


def existing(path: Path, name: str) -> Path:
    """``path`` if a file is there.

    Raises:
        NotFound: there is none (messages call it ``name``).
    """
    try:
        if path.is_file():
            return path
        reason = "not a file" if path.exists() else "no such file"
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a possible file name"
    raise NotFound(f"{printable(name)[:200]}: {reason}")


def printable(name: str | Path) -> str:
    """A file name as text that can be stored and shown: undecodable bytes and control characters escaped.

    >>> printable("a\\n\\udcff.pdf")
    'a\\\\n\\\\udcff.pdf'
    """
    text = str(name).encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _path_text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadInput("the row names no pdf")
    if re.match(r"https?://", value.strip(), re.IGNORECASE):
        raise BadInput("pdf is a URL", hint="download the file and give its path")
    return value.strip()


def _reference(row: Mapping[str, object]) -> PaperRef:
    """What a row says of its paper.

    Raises:
        BadInput: an id, the year or the type of a value is wrong.
    """
    ids = [_identifier(name, text) for name in _ID_COLUMNS if (text := _text(row, name))]
    paper_id = canonical(ids)
    arxiv = next((i for i in ids if i.startswith("arxiv:")), "")
    version = _text(row, "version") or "".join(re.findall(r"v\d+$", arxiv)) or None
    return PaperRef(
        paper_id=paper_id,
        aliases=tuple(i for i in ids if i != paper_id),
        title=_text(row, "title") or None,
        authors=_authors(row),
        venue=_text(row, "venue") or None,
        year=_year(_text(row, "year")),
        version=version,
        url=_text(row, "url") or None,
    )


def _text(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput(f"{name} is not text but {type(value).__name__}")
    text = str(value).encode("utf-8", "ignore").decode("utf-8").strip()
    text = text if name == "url" else normalise(text)
    if len(text) > _MAX_TEXT:
        raise BadInput(f"{name} has {len(text)} characters, more than {_MAX_TEXT}")
    return text


def _identifier(scheme: str, value: str) -> str:
    """The id in ``value``: bare, with its scheme, or as a URL."""
    for key in lookup_keys(value):
        if key.startswith(scheme + ":"):
            return make_id(scheme, key.partition(":")[2])
    return make_id(scheme, value)


def _authors(row: Mapping[str, object]) -> tuple[str, ...]:
    value = row.get("authors")
    if isinstance(value, list):
        names = [_text({"authors": name}, "authors") for name in value]
    else:
        names = [name.strip() for name in _text(row, "authors").split(";")]
    return tuple(name for name in names if name)


def _year(text: str) -> int | None:
    if not text:
        return None
    match = re.fullmatch(r"(\d{4})(?:\.0+)?", text, re.ASCII)
    if match is None or int(match[1]) not in _YEARS:
        raise BadInput(f"{text[:40]!r} is not a year")
    return int(match[1])
