"""Glyphs to lines of text, in the order of the content stream.

LaTeX writes each column top to bottom, so stream order is reading order; sorting by height would
weave the columns together. Geometry only decides where one line ends and the next begins.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from claimdex.extract.pdf.glyphs import BREAK, Glyph, Style
from claimdex.paper import Rect

_SUPER = dict(zip("0123456789+-=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾", strict=True)) | {"−": "⁻"}
_SUB = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True)) | {"−": "₋"}
_COMBINING = {
    "´": "\u0301",
    "`": "\u0300",
    "ˋ": "\u0300",
    "ˊ": "\u0301",
    "¨": "\u0308",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "¯": "\u0304",
    "˘": "\u0306",
    "˙": "\u0307",
    "˚": "\u030a",
    "ˇ": "\u030c",
    "˝": "\u030b",
    "¸": "\u0327",
}
_ASCENT, _DESCENT = 0.72, 0.22
_SEGMENT_GAP = 1.8
_WORD_GAP = 0.18
_WIDE_GAP = 0.5


@dataclass(slots=True)
class Line:
    """A run of text on one baseline. ``edges`` has one value a character and the right end.

    ``styles`` holds the style of each character. ``size``, ``bold`` and ``italic`` are those of
    most of its letters.
    """

    page: int
    text: str
    edges: list[float]
    styles: list[Style]
    baseline: float
    size: float
    bold: bool
    italic: bool

    @property
    def x0(self) -> float:
        """Left end."""
        return self.edges[0]

    @property
    def x1(self) -> float:
        """Right end."""
        return self.edges[-1]

    @property
    def top(self) -> float:
        """Top of the letters."""
        return self.baseline + _ASCENT * self.size

    @property
    def bottom(self) -> float:
        """Bottom of the letters."""
        return self.baseline - _DESCENT * self.size

    @property
    def box(self) -> Rect:
        """Rectangle around the line."""
        return (round(self.x0, 1), round(self.bottom, 1), round(self.x1, 1), round(self.top, 1))

    def bold_prefix(self) -> int:
        """Number of leading characters set in bold (spaces count with what precedes them)."""
        return self._prefix(lambda style: style.bold)

    def styled_prefix(self) -> int:
        """Number of leading characters in bold, italic or small capitals."""
        return self._prefix(
            lambda s: s.bold or s.italic or "csc" in s.font.lower() or "smallcap" in s.font.lower()
        )

    def _prefix(self, wanted: Callable[[Style], bool]) -> int:
        end = 0
        for i, (character, style) in enumerate(zip(self.text, self.styles, strict=True)):
            if character == " ":
                continue
            if not wanted(style):
                break
            end = i + 1
        return end

    def cut(self, start: int, end: int | None = None) -> Line:
        """The characters ``start:end`` as a line of their own, outer spaces removed."""
        stop = len(self.text) if end is None else end
        while start < stop and self.text[start] == " ":
            start += 1
        while stop > start and self.text[stop - 1] == " ":
            stop -= 1
        return _finished(
            self.page,
            self.text[start:stop],
            self.edges[start : stop + 1],
            self.styles[start:stop],
            self.baseline,
        )


def build_lines(page: int, glyphs: Iterable[Glyph]) -> list[Line]:
    """Lines of one page, in stream order. Rotated glyphs are left out."""
    lines: list[Line] = []
    row = _Row()
    for glyph in glyphs:
        if glyph.style.angle:
            continue
        if not row.takes(glyph):
            row.close(page, lines)
            row = _Row()
        row.add(glyph)
    row.close(page, lines)
    return lines


class _Row:
    """Glyphs of the line being built."""

    def __init__(self) -> None:
        self.glyphs: list[Glyph] = []
        self.baseline = 0.0
        self.size = 0.0
        self.last_x1 = 0.0
        self.anchored = False

    def takes(self, glyph: Glyph) -> bool:
        if not self.glyphs or glyph.text in (" ", BREAK):
            return True
        size = max(self.size, glyph.style.size)
        gap = glyph.x0 - self.last_x1
        rise = abs(glyph.y - self.baseline)
        if _hangs(glyph) or not self.anchored:
            return rise < 1.6 * size and -0.9 * size < gap < _SEGMENT_GAP * size
        if glyph.text in _COMBINING and rise <= 0.3 * size:
            return self.glyphs[0].x0 - size < glyph.x0 < self.last_x1 + 0.8 * size
        if rise <= 0.12 * size:
            return -0.9 * size < gap < _SEGMENT_GAP * size
        small, large = sorted((self.size, glyph.style.size))
        script = small < 0.86 * large and rise < 0.62 * large
        return script and -0.7 * size < gap < 0.8 * size

    def add(self, glyph: Glyph) -> None:
        if glyph.text in (" ", BREAK):
            if self.glyphs and self.glyphs[-1].text not in (" ", BREAK):
                self.glyphs.append(glyph)
            return
        anchors = not _hangs(glyph)
        larger = anchors and (not self.anchored or glyph.style.size > 1.05 * self.size)
        if not self.glyphs or larger:
            self.baseline, self.size = glyph.y, glyph.style.size
            self.anchored = anchors
        self.glyphs.append(glyph)
        self.last_x1 = max(glyph.x1, self.last_x1 - 2 * self.size)

    def close(self, page: int, lines: list[Line]) -> None:
        while self.glyphs and self.glyphs[-1].text in (" ", BREAK):
            self.glyphs.pop()
        if self.glyphs:
            lines.append(_to_line(page, _accented(self.glyphs), self.baseline, self.size))


def _hangs(glyph: Glyph) -> bool:
    """Large operators and brackets of TeX hang from their reference point, far off the baseline."""
    return glyph.style.font.startswith("CMEX")


def _accented(glyphs: list[Glyph]) -> list[Glyph]:
    """Join accents that are drawn on their own with the letter they stand over.

    TeX draws them before or after the letter, and PDFium may hand them out later still.
    """
    if not any(g.text in _COMBINING and not g.style.math for g in glyphs):
        return glyphs
    kept = [g for g in glyphs if g.text not in _COMBINING or g.style.math]
    for accent in (g for g in glyphs if g.text in _COMBINING and not g.style.math):
        width = max(accent.x1 - accent.x0, 0.1)
        best = max(kept, key=lambda g: _overlap(g, accent) if g.text.isalpha() else 0.0, default=None)
        if best is None or not best.text.isalpha() or _overlap(best, accent) < 0.4 * width:
            kept.insert(min(glyphs.index(accent), len(kept)), accent)
            continue
        base = {"ı": "i", "ȷ": "j"}.get(best.text, best.text)
        joined = unicodedata.normalize("NFC", base + _COMBINING[accent.text])
        kept[kept.index(best)] = Glyph(joined, best.x0, best.x1, best.y, best.style)
    return kept


def _overlap(a: Glyph, b: Glyph) -> float:
    return min(a.x1, b.x1) - max(a.x0, b.x0)


def _to_line(page: int, glyphs: list[Glyph], baseline: float, size: float) -> Line:
    text: list[str] = []
    edges: list[float] = []
    styles: list[Style] = []
    last_x1 = glyphs[0].x0
    broken = False
    for glyph in glyphs:
        if glyph.text == BREAK:
            broken = True
            continue
        gap = glyph.x0 - last_x1
        blank = glyph.text == " " or gap > (_WORD_GAP if broken else _WIDE_GAP) * size
        if blank and text and text[-1] != " ":
            text.append(" ")
            edges.append(last_x1)
            styles.append(glyph.style)
        if glyph.text == " ":
            continue
        broken = False
        characters = _scripted(glyph, baseline, size, attached=bool(text) and text[-1] != " ")
        width = (glyph.x1 - glyph.x0) / max(len(characters), 1)
        for k, character in enumerate(characters):
            text.append(character)
            edges.append(glyph.x0 + k * width)
            styles.append(glyph.style)
        last_x1 = max(glyph.x1, glyph.x0)
    edges.append(last_x1)
    while text and text[-1] == " ":
        text.pop()
        edges.pop()
        styles.pop()
    return _finished(page, "".join(text), [round(e, 1) for e in edges], styles, baseline)


def _scripted(glyph: Glyph, baseline: float, size: float, *, attached: bool) -> str:
    """Digits set as super- or subscripts keep that look, so that 10⁵ never reads 105."""
    characters = (
        unicodedata.normalize("NFKC", glyph.text) if "\ufb00" <= glyph.text <= "\ufb06" else glyph.text
    )
    if len(characters) != 1 or glyph.style.size > 0.86 * size or not attached:
        return characters
    rise = glyph.y - baseline
    if rise > 0.2 * size:
        return _SUPER.get(characters, characters)
    if rise < -0.08 * size:
        return _SUB.get(characters, characters)
    return characters


def _finished(page: int, text: str, edges: list[float], styles: list[Style], baseline: float) -> Line:
    letters = [s for c, s in zip(text, styles, strict=True) if c.isalnum()] or styles
    if not letters:
        return Line(page, "", [0.0], [], baseline, 0.0, False, False)
    size = Counter(s.size for s in letters).most_common(1)[0][0]
    bold = sum(s.bold for s in letters) > 0.6 * len(letters)
    italic = sum(s.italic for s in letters) > 0.6 * len(letters)
    return Line(page, text, edges, styles, baseline, size, bold, italic)
