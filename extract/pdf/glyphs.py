"""Glyphs of a page with their place and style, as PDFium reads them."""

from __future__ import annotations

import ctypes
import math
import re
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2.raw as raw

from claimdex.extract.pdf.tex_fonts import decode

BREAK = "\n"
"""A glyph that stands for a line break PDFium saw; our own reading of lines may differ."""

# The loose box is about 1.2 em high; a font size far below that misses the scale of an
# embedded figure, which PDFium leaves out of the matrix.
_LOOSE_HEIGHT = 1.2
_BOLD = re.compile(r"bold|black|heavy|medi(?!um|ate)|semib|demi|cmbx|sfbx|ecbx|-bd|\bbx", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|slanted|cmti|cmsl|sfti|ecti|cmmi|-it\b|reguita|mediita", re.IGNORECASE)
_MATH = re.compile(
    r"cmsy|cmmi|cmex|msam|msbm|euf|eur[mbs]|math|symbol|rsfs|stmary|txsy|txmi|ntxmi", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Style:
    """Look of a run of glyphs. ``size`` in points; ``grey`` 0 black to 1 white; ``angle`` degrees."""

    font: str
    size: float
    bold: bool
    italic: bool
    math: bool
    grey: float
    alpha: int
    mode: int
    angle: float


@dataclass(slots=True)
class Glyph:
    """One character: text (may be several letters for a ligature), extent, baseline and style.

    ``inked`` is false if the rendered page shows nothing in its place.
    """

    text: str
    x0: float
    x1: float
    y: float
    style: Style
    inked: bool = True


def read_glyphs(textpage: Any, count: int) -> list[Glyph]:
    """Glyphs with their own place; of what PDFium made up, spaces and line breaks are kept."""
    rect, x, y = raw.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    rect_ref, x_ref, y_ref = ctypes.byref(rect), ctypes.byref(x), ctypes.byref(y)
    unicode_of, box_of = raw.FPDFText_GetUnicode, raw.FPDFText_GetLooseCharBox
    origin_of, object_of = raw.FPDFText_GetCharOrigin, raw.FPDFText_GetTextObject
    styles = _Styles(textpage)
    glyphs: list[Glyph] = []
    current: int | None = None
    style: Style | None = None
    baseline = 0.0
    pending_high = 0
    fresh = False
    for i in range(count):
        code = unicode_of(textpage, i)
        pointer = object_of(textpage, i)
        if not pointer:
            if glyphs and style and (code == 32 or code == 10):
                gap = " " if code == 32 else BREAK
                glyphs.append(Glyph(gap, glyphs[-1].x1, glyphs[-1].x1, baseline, style))
            continue
        address = ctypes.addressof(pointer.contents)
        if address != current or style is None:
            current, style, fresh = address, styles.of(pointer, i), True
            origin_of(textpage, i, x_ref, y_ref)
            baseline = y.value
        if 0xD800 <= code < 0xDC00:
            pending_high = code
            continue
        if 0xDC00 <= code < 0xE000 and pending_high:
            code = 0x10000 + ((pending_high - 0xD800) << 10) + (code - 0xDC00)
        pending_high = 0
        if style.angle:
            origin_of(textpage, i, x_ref, y_ref)
            baseline = y.value
        box_of(textpage, i, rect_ref)
        if fresh and rect.top - rect.bottom > 2 * style.size:
            style = replace(style, size=round((rect.top - rect.bottom) / _LOOSE_HEIGHT, 2))
        fresh = False
        text = _character(code, textpage, i, style)
        if text:
            glyphs.append(Glyph(text, rect.left, rect.right, baseline, style))
    return glyphs


# Slots of TeX text fonts that hold ligatures; PDFium hands the bare code when a font has no map.
_LIGATURES = {0x1B: "ff", 0x1C: "fi", 0x1D: "fl", 0x1E: "ffi", 0x1F: "ffl"} | {
    0x0B: "ff",
    0x0C: "fi",
    0x0D: "fl",
    0x0E: "ffi",
    0x0F: "ffl",
}


def _character(code: int, textpage: Any, i: int, style: Style) -> str:
    if style.math and (known := decode(style.font, code)) is not None:
        return known
    if code in (0x02, 0xFFFE, 0xAD):
        return "-"
    if code in _LIGATURES and not style.math and raw.FPDFText_HasUnicodeMapError(textpage, i) == 1:
        return _LIGATURES[code]
    if code < 0x20 or 0x7F <= code < 0xA0:
        return " " if code in (0x09, 0x0A, 0x0D) else ""
    if code == 0xA0:
        return " "
    if 0xE000 <= code <= 0xF8FF or 0xD800 <= code < 0xE000 or code > 0x10FFFF or code in (0xFFFD, 0xFFFF):
        return ""
    return chr(code)


class _Styles:
    """Styles of the text objects of one page; font facts are read once a font, equal styles are one."""

    def __init__(self, textpage: Any) -> None:
        self._textpage = textpage
        self._fonts: dict[int, tuple[str, bool, bool, bool]] = {}
        self._styles: dict[Style, Style] = {}

    def of(self, pointer: Any, i: int) -> Style:
        name, bold, italic, math_font = self._font(raw.FPDFTextObj_GetFont(pointer))
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(self._textpage, i, ctypes.byref(matrix))
        scale = math.hypot(matrix.c, matrix.d) or 1.0
        angle = round(math.degrees(math.atan2(matrix.b, matrix.a)))
        size = raw.FPDFText_GetFontSize(self._textpage, i) * scale
        red, green, blue, alpha = (ctypes.c_uint(0) for _ in range(4))
        refs = [ctypes.byref(c) for c in (red, green, blue, alpha)]
        known = raw.FPDFText_GetFillColor(self._textpage, i, *refs)
        grey = (0.299 * red.value + 0.587 * green.value + 0.114 * blue.value) / 255 if known else 0.0
        mode = raw.FPDFTextObj_GetTextRenderMode(pointer)
        style = Style(
            name,
            round(size, 2),
            bold,
            italic,
            math_font,
            round(grey, 3),
            alpha.value if known else 255,
            mode,
            float(angle if abs(angle) > 2 else 0),
        )
        return self._styles.setdefault(style, style)

    def _font(self, font: Any) -> tuple[str, bool, bool, bool]:
        if not font:
            return "", False, False, False
        address = ctypes.addressof(font.contents)
        if address not in self._fonts:
            buffer = ctypes.create_string_buffer(256)
            raw.FPDFFont_GetBaseFontName(font, buffer, 256)
            name = re.sub(r"^[A-Z]{6}\+", "", buffer.value.decode("utf-8", "replace"))
            weight = raw.FPDFFont_GetWeight(font)
            angle = ctypes.c_int(0)
            raw.FPDFFont_GetItalicAngle(font, ctypes.byref(angle))
            math_font = bool(_MATH.search(name))
            italic = bool(_ITALIC.search(name)) or angle.value not in (0, -1)
            bold = bool(_BOLD.search(name)) or weight >= 600
            self._fonts[address] = (name, bold, italic, math_font)
        return self._fonts[address]
