"""Lines that belong to the page, not to the paper: running heads, page numbers, margin numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from claimdex.extract.pdf.lines import Line
from claimdex.extract.pdf.pdfium import RawPage

_EDGE = 0.11
_PAGE_NUMBER = re.compile(
    r"(?:page\s+)?[-–]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–]?(?:\s+of\s+\d+)?", re.IGNORECASE
)
_BANNER = re.compile(
    r"(?:published as a|under review|preprint\b|accepted (?:at|to|by)|proceedings of|submitted to|"
    r"anonymous authors|arxiv:\d{4}\.\d+)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class PageLines:
    """Lines of one page in stream order, with the page they stand on."""

    page: RawPage
    lines: list[Line]


def without_furniture(pages: Sequence[PageLines]) -> list[PageLines]:
    """The pages without running heads, page numbers and margin line numbers."""
    repeated = _repeated_keys(pages)
    cleaned = []
    for item in pages:
        kept = [line for line in item.lines if not _is_furniture(item.page, line, repeated)]
        cleaned.append(PageLines(item.page, _without_margin_numbers(kept)))
    return cleaned


def _key(page: RawPage, line: Line) -> tuple[str, int] | None:
    """Text with digits masked and the height band, for lines near the top or bottom edge."""
    low, high = page.box[1], page.box[3]
    height = max(high - low, 1.0)
    place = (line.baseline - low) / height
    if _EDGE < place < 1 - _EDGE:
        return None
    text = re.sub(r"\d+", "#", re.sub(r"\s+", "", line.text)).casefold()
    return text[:60], round(line.baseline / 4)


def _repeated_keys(pages: Sequence[PageLines]) -> set[tuple[str, int]]:
    seen: Counter[tuple[str, int]] = Counter()
    for item in pages:
        seen.update({key for line in item.lines if (key := _key(item.page, line))})
    least = 2 if len(pages) < 6 else max(3, len(pages) // 4)
    return {key for key, count in seen.items() if count >= least}


def _is_furniture(page: RawPage, line: Line, repeated: set[tuple[str, int]]) -> bool:
    key = _key(page, line)
    if key is None:
        return False
    text, band = key
    if any((text, band + shift) in repeated for shift in (-1, 0, 1)) and len(text) > 1:
        return True
    if _PAGE_NUMBER.fullmatch(line.text.strip()):
        return True
    top = line.baseline > page.box[3] - _EDGE * (page.box[3] - page.box[1])
    return top and bool(_BANNER.match(line.text.strip()))


def _without_margin_numbers(lines: list[Line]) -> list[Line]:
    """Drop the running numbers that submission styles print beside every line.

    A margin is a right edge at which at least eight whole numbers end, first or last in their
    lines, most of them rising by one.
    """
    margins: dict[int, list[tuple[int, Line, int, int]]] = defaultdict(list)
    for line in lines:
        for match in (re.match(r"\d{1,4}(?=\s|$)", line.text), re.search(r"(?<=\s)\d{1,4}$", line.text)):
            if match:
                place = (int(match[0]), line, match.start(), match.end())
                margins[round(line.edges[match.end()] / 3)].append(place)
    drop: dict[int, tuple[int, int]] = {}
    for members in margins.values():
        numbers = sorted(n for n, *_ in members)
        rising = sum(b - a == 1 for a, b in pairwise(numbers))
        if len(members) >= 8 and rising >= 0.7 * (len(members) - 1):
            drop.update({id(line): (start, end) for _, line, start, end in members})
    cleaned = []
    for line in lines:
        if id(line) in drop:
            start, end = drop[id(line)]
            line = line.cut(end) if start == 0 else line.cut(0, start)
        if line.text:
            cleaned.append(line)
    return cleaned
