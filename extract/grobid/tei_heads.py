"""GROBID's flat heads to sections with number, title and level.

GROBID marks table heads, run-in heads and items of lists as heads too, gives a number for fewer
than half of the real ones, and never a depth (attribute ``level`` excepted, where the file has an
outline). What is certain becomes a section, the rest stays text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from claimdex.extract.grobid.theorem_text import opens_proof, statement_head
from claimdex.extract.pdf.headings import section_kind
from claimdex.paper import SectionKind

_NUMBERED = re.compile(
    r"(?P<number>(?:S?\d{1,2}|[A-Z])(?:\.\d{1,2}){0,3}|[IVX]{1,5})"
    r"(?:(?P<dot>\.)\s*(?=[A-Z])|(?P<dot2>\.?)\s+)(?P<title>\S.*)"
)
_APPENDIX = re.compile(r".{0,30}?\bappendix\s+(?P<number>[A-Z])\b[.:]?\s*(?P<title>.*)", re.IGNORECASE)
_GIVEN = re.compile(r"(?:S?\d{1,2}|[A-Z])(?:\.\d{1,2}){0,3}|[IVX]{1,5}")
_KNOWN = re.compile(
    r"(?:abstract|introduction|related works?|background|preliminaries|"
    r"discussions?|conclusions?|limitations?|acknowledge?ments?|references|bibliography|appendix|appendices|"
    r"broader impacts?|impact statement|ethics statement|reproducibility statement|funding|"
    r"supplement(?:ary|al) materials?|(?:data|code) availability|author contributions?|"
    r"competing interests|conflicts? of interest)(?:\s+(?:and|of|for)\b.*)?",
    re.IGNORECASE,
)
_FURNITURE = re.compile(
    r"(?:published as a conference paper|under review|preprint\b|arxiv:\d{4}\.\d{4,5})", re.IGNORECASE
)
_ITEM = re.compile(r"\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})\)")
_WORD = re.compile(r"[^\W\d_]{3}")
_ROMAN = {"I": 1, "V": 5, "X": 10}
_LEAST_NUMBERED = 3


class HeadRole(StrEnum):
    """What a head of GROBID's really is."""

    SECTION = "section"
    RUN_IN = "run_in"
    """The first words of the paragraph that follows."""
    LOOSE = "loose"
    """Words set apart that open no section: part of a figure or table, a line of a prompt."""
    FURNITURE = "furniture"


@dataclass(frozen=True, slots=True)
class RawHead:
    """A head as GROBID gives it, with its attributes ``n`` and ``level``."""

    text: str
    n: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """A head understood. ``level`` 1 is the top; ``number`` is empty where none is printed."""

    role: HeadRole
    title: str
    number: str = ""
    level: int = 1


@dataclass(slots=True)
class _Parts:
    number: str
    title: str
    dotted: bool = False


class _Style:
    """How a paper numbers its top-level sections: "1", "1." or not at all."""

    def __init__(self, main: Sequence[_Parts], *, numbered: bool) -> None:
        top = [p for p in main if p.number.isdigit()]
        self.numbered = numbered
        self._dotted = 2 * sum(p.dotted for p in top) > len(top)
        self._sure = {p.number for p in top if p.dotted == self._dotted}
        self._parents = {p.number.partition(".")[0] for p in main if "." in p.number}

    def fits(self, part: _Parts) -> bool:
        """Whether a single number is a section's; one with the wrong stop is an item of a list.

        Unless nothing else has that number, and subsections do name it.
        """
        if not self.numbered or part.number in self._sure:
            return self.numbered and part.dotted == self._dotted
        return part.number in self._parents


def read_heads(raws: Sequence[RawHead]) -> list[list[Head]]:
    """The heads of a paper, in order; one head of GROBID's may hold two ("III. DATA A. Prices")."""
    parts = [_split(raw) for raw in raws]
    lettered = [p for p in parts if re.match(r"[A-Z](?:\.|$)", p.number) and not _roman(p.number)]
    if len(lettered) < 2:
        parts = [_without_article(p) for p in parts]
    main = [p for p in parts if p.number[:1].isdigit() or _roman(p.number) > 1]
    style = _Style(main, numbered=len(main) >= _LEAST_NUMBERED)
    levels = _Levels()
    found = []
    for raw, part in zip(raws, parts, strict=True):
        role = _role(raw, part, style)
        if role is not HeadRole.SECTION:
            found.append([Head(role, f"{raw.n} {raw.text}".strip())])
            continue
        given = int(raw.level) if re.fullmatch(r"[1-6]", raw.level) else None
        found.append([_section(p, levels, given) for p in _two(part)])
    return found


def _section(part: _Parts, levels: _Levels, given: int | None) -> Head:
    level = levels.of(part.number)
    return Head(HeadRole.SECTION, part.title.strip().rstrip(".:") or part.number, part.number, given or level)


def _split(raw: RawHead) -> _Parts:
    given = raw.n.strip()
    number = given.rstrip(".)")
    if number and _GIVEN.fullmatch(number):
        return _Parts(number, raw.text, given.endswith("."))
    text = f"{given} {raw.text}".strip()
    match = _NUMBERED.match(text)
    if match and _WORD.search(match["title"]):
        return _Parts(match["number"], match["title"], bool(match["dot"] or match["dot2"]))
    match = _APPENDIX.match(text)
    if match:
        return _Parts(match["number"].upper(), match["title"], dotted=False)
    return _Parts("", text)


def _without_article(part: _Parts) -> _Parts:
    """A single letter without a second one is a word of the title ("A framework for ...")."""
    if len(part.number) == 1 and part.number.isalpha() and not part.dotted:
        return _Parts("", f"{part.number} {part.title}")
    return part


def _two(part: _Parts) -> list[_Parts]:
    """Two heads that GROBID ran together, taken apart."""
    if not part.number:
        return [part]
    first = "A" if _roman(part.number) and part.title.isascii() else f"{part.number}.1"
    match = re.search(rf"(?<=\S)\s+{re.escape(first)}\.?\s+(?=[A-Z])", part.title)
    if not match or (first == "A" and "." not in match[0]):
        return [part]
    return [
        _Parts(part.number, part.title[: match.start()], part.dotted),
        _Parts(first, part.title[match.end() :], part.dotted),
    ]


def _role(raw: RawHead, part: _Parts, style: _Style) -> HeadRole:
    text = raw.text.strip()
    if _FURNITURE.match(text):
        return HeadRole.FURNITURE
    if not _WORD.search(text) or len(text) > 200 or _ITEM.match(text):
        return HeadRole.RUN_IN
    statement = statement_head(f"{text} Let") is not None or opens_proof(f"{text} Let")
    if statement and not part.number:
        return HeadRole.RUN_IN
    if raw.level or (part.number and not part.number.isdigit()):
        return HeadRole.SECTION
    if part.number:
        return HeadRole.SECTION if style.fits(part) else HeadRole.RUN_IN
    if _KNOWN.fullmatch(text):
        return HeadRole.SECTION
    if text[-1] in ".:":
        return HeadRole.RUN_IN
    titled = text[0].isupper() or section_kind(text) is not SectionKind.OTHER
    return HeadRole.SECTION if titled and not style.numbered and len(text) < 130 else HeadRole.LOOSE


class _Levels:
    """Depth of a head by its number, and by the scheme of the heads before it."""

    def __init__(self) -> None:
        self._roman = 0
        self._letter = ""

    def of(self, number: str) -> int:
        """1 for a top-level section. Under Roman numerals letters are level 2 and digits level 3."""
        depth = number.count(".")
        value = _roman(number)
        if value and self._continues(number, value):
            self._roman = value
            return 1
        if len(number) == 1 and number.isalpha():
            self._letter = number
        if self._roman and number:
            return 3 + depth if number[0].isdigit() else 2 + depth
        return 1 + depth

    def _continues(self, number: str, value: int) -> bool:
        if len(number) > 1:
            return True
        after_letter = self._letter and ord(number) == ord(self._letter) + 1
        return not after_letter and self._roman < value <= self._roman + 2


def _roman(number: str) -> int:
    """Value of a Roman numeral up to XXXIX, 0 if it is none."""
    if not re.fullmatch(r"X{0,3}(?:IX|IV|V?I{0,3})", number) or not number:
        return 0
    values = [_ROMAN[c] for c in number]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))
