"""Section headings: from the file's named destinations where they stand, else from typography."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claimdex.extract.pdf.anchors import Destination
from claimdex.extract.pdf.layout import Layout
from claimdex.extract.pdf.lines import Line
from claimdex.paper import SectionKind

_NUMBER = re.compile(r"(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,3}|[IVX]{1,5})\.?(?=\s)\s*(?P<title>\S.*)")
_APPENDIX = re.compile(r"appendix\s+(?P<number>[A-Z])\b[.:]?\s*(?P<title>.*)", re.IGNORECASE)
_KNOWN = re.compile(
    r"(?:abstract|introduction|related works?|background|preliminaries|conclusions?|discussion|"
    r"limitations?|acknowledge?ments?|references|bibliography|appendix|appendices|broader impacts?|"
    r"impact statement|reproducibility(?: statement)?|ethics statement|supplementary materials?|"
    r"funding|author contributions?|societal impact)(?:\s+(?:and|of|for)\b.*)?[.:]?",
    re.IGNORECASE,
)
_DEST = re.compile(r"(?:(?:sub){0,2}section|appendix|(?:sub){0,2}paragraph|chapter)\*?\.(?P<number>.+)")
_STARRED = re.compile(r"(?:sub){0,2}section\*\.")
_KINDS = (
    (SectionKind.ABSTRACT, r"^abstract"),
    (SectionKind.INTRODUCTION, r"introduction"),
    (SectionKind.REFERENCES, r"^(?:references|bibliography)"),
    (SectionKind.ACKNOWLEDGEMENTS, r"acknowledge?ment|^funding"),
    (SectionKind.LIMITATIONS, r"limitation|broader impact|impact statement|ethic"),
    (SectionKind.RELATED_WORK, r"related work|^background|prior work|previous work|literature"),
    (
        SectionKind.EXPERIMENTS,
        r"experiment|evaluation|results|empirical|ablation|simulation|benchmark|case stud",
    ),
    (SectionKind.CONCLUSION, r"conclusion|concluding|^summary|discussion"),
    (SectionKind.THEORY, r"theor|analysis|convergence|guarantee|bound|proof|complexity"),
    (SectionKind.METHOD, r"method|approach|algorithm|model|architecture|framework|training|preliminar|^our "),
    (SectionKind.APPENDIX, r"appendix|appendices|supplement"),
)


@dataclass(slots=True)
class Heading:
    """A heading's lines (one or more), its printed number and title, and its level (1 is top)."""

    lines: list[Line]
    number: str
    title: str
    level: int


def section_kind(title: str) -> SectionKind:
    """What a section is for, by its title."""
    for kind, pattern in _KINDS:
        if re.search(pattern, title, re.IGNORECASE):
            return kind
    return SectionKind.OTHER


def find_headings(
    flow: Sequence[Line], layout: Layout, destinations: Sequence[Destination]
) -> dict[int, Heading]:
    """Headings among the flowing lines, by the index of their first line."""
    anchored = _anchored(flow, destinations)
    sequence = _Sequence()
    found: dict[int, Heading] = {}
    skip_to = 0
    for i, line in enumerate(flow):
        if i < skip_to:
            continue
        number, title = _split(line.text)
        previous = flow[i - 1] if i else None
        if i in anchored:
            accepted = bool(number or _KNOWN.fullmatch(line.text) or _distinct(line, layout))
        else:
            accepted = _looks_like_heading(line, previous, number, title, layout)
        if not accepted or (number and i not in anchored and not sequence.allows(number)):
            continue
        end = _last_line(flow, i, layout)
        lines = list(flow[i:end])
        title = " ".join([title, *(x.text for x in lines[1:])]).strip()
        sequence.add(number)
        found[i] = Heading(lines, number, _clean(title), _level(number, line, found))
        skip_to = end
    return found


def _split(text: str) -> tuple[str, str]:
    appendix = _APPENDIX.match(text)
    if appendix:
        return appendix["number"].upper(), appendix["title"]
    match = _NUMBER.match(text)
    if match and re.search(r"[^\W\d]", match["title"]):
        return match["number"], match["title"]
    return "", text


def _clean(title: str) -> str:
    title = re.sub(r"(\w)- (?=[a-z])", r"\1", title)
    return re.sub(r"\s+", " ", title).strip().rstrip(".:")


def _anchored(flow: Sequence[Line], destinations: Sequence[Destination]) -> set[int]:
    """Indexes of lines that a section destination points at."""
    by_page: dict[int, list[int]] = {}
    for i, line in enumerate(flow):
        by_page.setdefault(line.page, []).append(i)
    hits: set[int] = set()
    for dest in destinations:
        match = _DEST.fullmatch(dest.name)
        if not match or dest.y is None or "paragraph" in dest.name:
            continue
        starred = bool(_STARRED.match(dest.name))
        near = [
            i
            for i in by_page.get(dest.page, [])
            if -4 < dest.y - flow[i].baseline < 34 and (dest.x is None or abs(flow[i].x0 - dest.x) < 120)
        ]
        near = [i for i in near if (flow[i].bold or _distinct_face(flow[i])) or _split(flow[i].text)[0]]
        wanted = re.sub(r"^.*?([A-Z0-9][A-Z0-9.]*)$", r"\1", match["number"])
        exact = [i for i in near if _split(flow[i].text)[0] == wanted] if not starred else []
        known = [i for i in near if _KNOWN.fullmatch(flow[i].text)] if starred else []
        chosen = exact or known
        if not chosen and not starred:
            chosen = [i for i in near if flow[i].bold and _split(flow[i].text)[0]]
        if chosen:
            hits.add(min(chosen, key=lambda i: abs((dest.y or 0.0) - flow[i].top)))
    return hits


def _distinct_face(line: Line) -> bool:
    return any("csc" in s.font.lower() or "smallcap" in s.font.lower() for s in line.styles[:8])


def _distinct(line: Line, layout: Layout) -> bool:
    return line.bold or line.size > 1.08 * layout.body or _distinct_face(line)


def _looks_like_heading(line: Line, previous: Line | None, number: str, title: str, layout: Layout) -> bool:
    text = line.text.strip()
    if len(text) > 130 or not re.search(r"[^\W\d]{3}", title):
        return False
    capitals = text.isupper() and len(text) > 4 and line.size < layout.body
    if not (_distinct(line, layout) or capitals):
        return bool(_KNOWN.fullmatch(text) and _alone(line, previous, layout) and len(text) < 30)
    if _KNOWN.fullmatch(text):
        return True
    if not number or not (title[0].isupper() or title[0].isdigit() or not title[0].isascii()):
        return False
    if line.bold_prefix() < len(number) and not capitals and line.size < 1.05 * layout.body:
        return _distinct_face(line)
    column = layout.column(line)
    inset = line.x0 - column.left
    centred = abs((line.x0 + line.x1) / 2 - (column.left + column.right) / 2) < 12
    return (inset < 2.5 * layout.body or centred) and _gap_above(line, previous, layout)


def _gap_above(line: Line, previous: Line | None, layout: Layout) -> bool:
    if previous is None or previous.page != line.page:
        return True
    step = previous.baseline - line.baseline
    return step < 0 or step > 1.12 * layout.leading or previous.bold


def _alone(line: Line, previous: Line | None, layout: Layout) -> bool:
    if previous is None or previous.page != line.page:
        return True
    return abs(previous.baseline - line.baseline) > 1.3 * layout.leading


def _last_line(flow: Sequence[Line], i: int, layout: Layout) -> int:
    """Index after the last line of the heading that starts at ``i``."""
    end = i + 1
    first = flow[i]
    while end < len(flow) and end - i < 4:
        line, last = flow[end], flow[end - 1]
        step = last.baseline - line.baseline
        same = (
            abs(line.size - first.size) < 0.2
            and line.bold == first.bold
            and line.styles[0].font == first.styles[-1].font
        )
        room = 0.45 if step < 1.3 * first.size else 0.3
        runs_on = last.x1 > layout.column(last).right - room * layout.column(last).width
        wraps = line.page == last.page and 0.5 * first.size < step < 1.5 * first.size and runs_on
        if (
            not (same and wraps and _distinct(first, layout))
            or _split(line.text)[0]
            or _KNOWN.fullmatch(line.text)
        ):
            break
        if _KNOWN.fullmatch(first.text):
            break
        end += 1
    return end


def _level(number: str, line: Line, found: dict[int, Heading]) -> int:
    if number:
        return number.count(".") + 1
    if _KNOWN.fullmatch(line.text):
        return 1
    for heading in reversed(list(found.values())):
        first = heading.lines[0]
        if heading.number and abs(first.size - line.size) < 0.3 and first.bold == line.bold:
            return heading.level
    return 1


class _Sequence:
    """Numbers seen so far; a heading's number must follow from them."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._last_top = 0
        self._letters = False

    def allows(self, number: str) -> bool:
        parts = number.split(".")
        if number in self._seen:
            return False
        if len(parts) > 1:
            parent = ".".join(parts[:-1])
            before = ".".join([*parts[:-1], str(int(parts[-1]) - 1)])
            first = parts[-1] in ("0", "1")
            return (first and parent in self._seen) or before in self._seen
        if number.isdigit():
            return not self._letters and self._last_top < int(number) <= self._last_top + 2
        if re.fullmatch(r"[IVX]+", number) and (self._last_top == 0 or "I" in self._seen):
            return number not in "CDLM" or "IV" in self._seen
        return len(number) == 1 and (number == "A" or chr(ord(number) - 1) in self._seen)

    def add(self, number: str) -> None:
        if not number:
            return
        self._seen.add(number)
        top = number.split(".")[0]
        if number.isdigit():
            self._last_top = int(number)
        elif len(top) == 1 and top.isalpha() and "I" not in self._seen:
            self._letters = True
