"""GROBID's bibliography entries: text, printed label, DOI and arXiv number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from claimdex.extract.grobid.tei_text import Run, TextReader, fold
from claimdex.extract.pdf.references import ARXIV, DOI, label_of

_MARK = re.compile(r"[\[(]?(\d{1,3})[\]),;.]*")
_BROKEN_WORD = re.compile(r"(?<=[a-z])- (?=[a-z])")
_ARXIV_NUMBER = re.compile(r"\d{4}\.\d{4,5}(?:v\d+)?")


@dataclass(frozen=True, slots=True)
class TeiReference:
    """An entry before it has an id. ``urls`` are the addresses GROBID read from it."""

    run: Run
    label: str
    doi: str | None
    arxiv: str | None
    urls: tuple[str, ...]


def read_references(tei: Element, reader: TextReader) -> list[TeiReference]:
    """Entries of the bibliography in order. The label is the mark by which the text cites them."""
    marks = _marks(tei)
    found = []
    for entry in tei.iterfind("text//listBibl/biblStruct"):
        run = _text(entry, reader)
        if run.text:
            label = label_of(run.text) or marks.get(entry.get("id", ""), "")
            urls = tuple(p.get("target", "") for p in entry.iter("ptr"))
            found.append(TeiReference(run, label, _doi(entry, run.text), _arxiv(entry, run.text), urls))
    return found


def _marks(tei: Element) -> dict[str, str]:
    """Most common printed number by which each entry is cited."""
    counts: dict[str, Counter[str]] = {}
    for ref in tei.iterfind("text//ref[@type='bibr']"):
        match = _MARK.fullmatch("".join(ref.itertext()).strip())
        if match and ref.get("target"):
            counts.setdefault(ref.get("target", "")[1:], Counter())[match[1]] += 1
    return {target: count.most_common(1)[0][0] for target, count in counts.items()}


def _text(entry: Element, reader: TextReader) -> Run:
    """The entry as printed where GROBID gives it, else put together from its fields."""
    raw = entry.find("note[@type='raw_reference']")
    if raw is not None:
        text = _BROKEN_WORD.sub("", _plain(raw))
    else:
        text = ". ".join(part for part in _fields(entry) if part)
    return reader.placed(text, entry.get("coords"))


def _fields(entry: Element) -> Iterator[str]:
    yield ", ".join(name for name in map(person, entry.iter("persName")) if name)
    for title in entry.iter("title"):
        if title.get("type") != "abbrev":
            yield _plain(title)
    scope = [
        _plain(s) or "-".join(filter(None, (s.get("from"), s.get("to")))) for s in entry.iter("biblScope")
    ]
    yield ", ".join(s for s in scope if s)
    yield ", ".join(_plain(number) for number in entry.iter("idno"))
    dates = [date.get("when") or _plain(date) for date in entry.iter("date")]
    yield dates[0][:4] if dates and dates[0] else ""


def person(name: Element) -> str:
    """A ``persName`` as "Forename M. Surname"."""
    parts = [*name.iterfind("forename"), *name.iterfind("surname"), *name.iterfind("genName")]
    return " ".join(text for text in map(_plain, parts) if text)


def _plain(element: Element) -> str:
    return " ".join(fold("".join(element.itertext())).split())


def _doi(entry: Element, text: str) -> str | None:
    given = " ".join(_plain(i) for i in entry.iter("idno") if i.get("type", "").upper() == "DOI")
    match = DOI.search(given) or DOI.search(text)
    return match[0] if match else None


def _arxiv(entry: Element, text: str) -> str | None:
    given = " ".join(_plain(i) for i in entry.iter("idno") if i.get("type", "").lower() == "arxiv")
    match = _ARXIV_NUMBER.search(given)
    if match:
        return match[0]
    match = ARXIV.search(text)
    return match[1] if match else None
