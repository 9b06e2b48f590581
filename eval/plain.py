"""Gold from plain tables: one row a claim and quote, with paper, text, type, page, quote."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from claimdex.claim import ClaimType
from claimdex.errors import BadInput, NotFound
from claimdex.eval.gold import GoldClaim, GoldEvidence, GoldPaper, GoldPaperInfo, Text
from claimdex.eval.json_files import read_documents
from claimdex.files import file_sha256
from claimdex.text import claim_id, normalise

_SHA256 = re.compile(r"[0-9a-f]{64}")


class PlainRow(BaseModel):
    """One row. ``paper`` is a PDF's sha256 or its file name; rows with equal text are one claim."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    paper: Text
    text: Text
    type: ClaimType
    page: int = Field(ge=1)
    quote: Text
    core: bool = False


@dataclass(frozen=True)
class _Placed:
    row: PlainRow
    where: str


def import_plain(path: Path | str, papers: Path | str | None = None) -> list[GoldPaper]:
    """Gold of a ``.csv`` or ``.jsonl`` table with the columns paper, text, type, page, quote (and core).

    ``papers`` is the folder of PDFs, needed where the paper column names files, not sha256s.
    Claims get ids from their content, so that a re-ordered table gives the same gold.

    Raises:
        NotFound: there is no such file.
        BadInput: a row does not fit or names no paper that is there; its line is named.
    """
    path, folder = Path(path), Path(papers) if papers else None
    if not path.is_file():
        raise NotFound(f"{path}: no such file")
    rows = _csv_rows(path) if path.suffix == ".csv" else _json_rows(path)
    by_paper: dict[str, list[_Placed]] = {}
    for placed in rows:
        by_paper.setdefault(placed.row.paper, []).append(placed)
    if not by_paper:
        raise BadInput(f"{path}: holds no rows")
    gold = [_paper(name, found, folder) for name, found in by_paper.items()]
    return sorted(gold, key=lambda p: p.paper.key)


def _json_rows(path: Path) -> Iterator[_Placed]:
    for document in read_documents(path):
        yield _Placed(document.parse(PlainRow), f"{document.path}:{document.line}")


def _csv_rows(path: Path) -> Iterator[_Placed]:
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 (byte {error.start})") from None
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    line = 2
    try:
        missing = {"paper", "text", "type", "page", "quote"} - set(reader.fieldnames or ())
        if missing:
            raise BadInput(f"{path}:1: no column {', '.join(sorted(missing))}")
        for cells in reader:
            if None in cells:
                raise BadInput(f"{path}:{line}: more cells than columns")
            yield _Placed(
                _row({k: v for k, v in cells.items() if v != ""}, f"{path}:{line}"), f"{path}:{line}"
            )
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(f"{path}:{line}: not CSV: {error}") from None


def _row(cells: dict[str, str], where: str) -> PlainRow:
    try:
        return PlainRow.model_validate(cells)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise BadInput(f"{where}: {first['loc'][0]}: {first['msg']}") from None


def _paper(name: str, placed: list[_Placed], folder: Path | None) -> GoldPaper:
    digest, file = _identify(name, folder, placed[0].where)
    by_text: dict[str, list[PlainRow]] = {}
    for item in placed:
        by_text.setdefault(normalise(item.row.text), []).append(item.row)
    claims: dict[str, GoldClaim] = {}
    for text, rows in by_text.items():
        sentences = [r.quote for r in rows]
        parts = (f"sha256:{digest}", rows[0].type, sentences, text)
        known = claim_id(*parts)
        identity = claim_id(*parts, salt=text) if known in claims else known
        claims[identity] = GoldClaim(
            id=identity,
            text=rows[0].text,
            type=rows[0].type,
            core=any(r.core for r in rows),
            evidence=tuple(GoldEvidence(page=r.page, quote=r.quote) for r in rows),
        )
    key = Path(file).stem if file else digest[:12]
    info = GoldPaperInfo(key=key, file=file, sha256=digest)
    return GoldPaper(paper=info, claims=tuple(claims.values()))


def _identify(name: str, folder: Path | None, where: str) -> tuple[str, str]:
    """sha256 and file name of the paper that a row names."""
    if _SHA256.fullmatch(name):
        return name, ""
    if folder is None:
        raise BadInput(f"{where}: paper {name!r} is not a sha256", hint="give the folder of the PDFs")
    file = folder / f"{name.removesuffix('.pdf')}.pdf"
    if Path(name).name != name or not file.is_file():
        raise BadInput(f"{where}: no PDF {name!r} in {folder}")
    return file_sha256(file), file.name
