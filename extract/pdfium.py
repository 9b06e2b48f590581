"""What PDFium knows of a file: glyphs with place and style, rules, pictures, links, destinations.

The only module that calls the PDF engine. PDFium is not thread-safe and can abort the process on
a hostile file: call it in a child process (see ``claimdex.extract.workers``).
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from claimdex.errors import DamagedPdf, LimitReached, NeedsPassword, NotAPdf, NotFound
from claimdex.extract.tex_fonts import decode
from claimdex.paper import Rect
from claimdex.settings import Limits

BREAK = "\n"
"""A glyph that stands for a line break PDFium saw; our own reading of lines may differ."""

# The loose box is about 1.2 em high; a font size far below that misses the scale of an
# embedded figure, which PDFium leaves out of the matrix.
_LOOSE_HEIGHT = 1.2
_MAX_OBJECTS = 30_000
_MAX_LINKS = 5_000
_MAX_DESTS = 20_000
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
    """One character: text (may be several letters for a ligature), extent, baseline and style."""

    text: str
    x0: float
    x1: float
    y: float
    style: Style


@dataclass(slots=True)
class UrlLink:
    """A link annotation to a URL."""

    url: str
    page: int
    box: Rect


@dataclass(slots=True)
class Destination:
    """A named place ("section.3", "theorem.2"). ``y`` is the top in points, None if not given."""

    name: str
    page: int
    x: float | None
    y: float | None


@dataclass(slots=True)
class RawPage:
    """One page as drawn. ``glyphs`` stand in the order of the content stream."""

    number: int
    width: float
    height: float
    box: Rect
    glyphs: list[Glyph]
    rules: list[Rect] = field(default_factory=list)
    pictures: list[Rect] = field(default_factory=list)
    fills: list[Rect] = field(default_factory=list)
    links: list[UrlLink] = field(default_factory=list)
    truncated: bool = False


@dataclass(slots=True)
class RawDocument:
    """A whole file. ``failed`` lists pages that PDFium could not load."""

    pages: list[RawPage]
    destinations: list[Destination]
    total_pages: int
    failed: list[int]


def read_document(pdf: Path, limits: Limits) -> RawDocument:
    """Read every page of ``pdf`` within the limits.

    Raises:
        NotFound: there is no such file.
        NotAPdf, DamagedPdf, NeedsPassword, LimitReached: it cannot be read.
    """
    check_file(pdf, limits)
    with _opened(pdf) as document:
        total = len(document)
        pages: list[RawPage] = []
        failed: list[int] = []
        left = limits.paper_chars
        for index in range(min(total, limits.pages)):
            if left <= 0:
                break
            try:
                page = _read_page(document, index, min(limits.page_chars, left))
            except pdfium.PdfiumError:
                failed.append(index + 1)
                continue
            left -= len(page.glyphs)
            pages.append(page)
        return RawDocument(pages, _destinations(document), total, failed)


def check_file(pdf: Path, limits: Limits) -> None:
    """Refuse what is no PDF before the engine sees it.

    Raises:
        NotFound, NotAPdf, LimitReached: as the names say.
    """
    if not pdf.is_file():
        raise NotFound(f"{pdf}: no such file")
    size = pdf.stat().st_size
    if size > limits.file_mb * 1e6:
        raise LimitReached(
            f"{pdf.name}: {size / 1e6:.0f} MB, more than the limit of {limits.file_mb:.0f} MB",
            hint="raise limits.file_mb",
        )
    with pdf.open("rb") as file:
        head = file.read(2048)
    if b"%PDF-" in head:
        return
    what = "an empty file" if not head else "not a PDF"
    if head.lstrip().lower().startswith((b"<!doctype", b"<html", b"<?xml")):
        what = "a web page, not a PDF"
    raise NotAPdf(f"{pdf.name}: {what}", hint="download the paper again")


@contextmanager
def _opened(pdf: Path) -> Iterator[pdfium.PdfDocument]:
    try:
        document = pdfium.PdfDocument(str(pdf))
    except pdfium.PdfiumError as error:
        if raw.FPDF_GetLastError() == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise NeedsPassword(
                f"{pdf.name}: password-protected", hint="save a copy without a password"
            ) from None
        raise DamagedPdf(f"{pdf.name}: cannot be opened as a PDF", hint="download the paper again") from None
    try:
        if len(document) == 0:
            raise DamagedPdf(f"{pdf.name}: has no pages", hint="download the paper again")
        yield document
    finally:
        document.close()


def _read_page(document: pdfium.PdfDocument, index: int, max_chars: int) -> RawPage:
    page = document[index]
    try:
        width, height = page.get_size()
        box = tuple(page.get_cropbox())
        textpage = page.get_textpage()
        try:
            count = textpage.count_chars()
            glyphs = _glyphs(textpage.raw, min(count, max_chars))
        finally:
            textpage.close()
        result = RawPage(index + 1, width, height, box, glyphs, truncated=count > max_chars)
        _objects(page.raw, result)
        result.links = _links(document, page, index + 1)
        return result
    finally:
        page.close()


def _glyphs(textpage: Any, count: int) -> list[Glyph]:
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
    """Styles of the text objects of one page; font facts are read once a font."""

    def __init__(self, textpage: Any) -> None:
        self._textpage = textpage
        self._fonts: dict[int, tuple[str, bool, bool, bool]] = {}

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
        return Style(
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


def _objects(page: Any, result: RawPage) -> None:
    """Collect horizontal and vertical rules, and the extents of pictures and embedded figures."""
    x0, y0, x1, y1 = (ctypes.c_float() for _ in range(4))
    refs = [ctypes.byref(v) for v in (x0, y0, x1, y1)]
    paths: list[Rect] = []
    for i in range(min(raw.FPDFPage_CountObjects(page), _MAX_OBJECTS)):
        item = raw.FPDFPage_GetObject(page, i)
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_TEXT or not raw.FPDFPageObj_GetBounds(item, *refs):
            continue
        rect = (x0.value, y0.value, x1.value, y1.value)
        width, height = rect[2] - rect[0], rect[3] - rect[1]
        if kind in (raw.FPDF_PAGEOBJ_FORM, raw.FPDF_PAGEOBJ_IMAGE):
            if width > 20 and height > 20:
                result.pictures.append(rect)
        elif (width > 15 and height < 2.5) or (height > 6 and width < 2.5):
            result.rules.append(rect)
        elif width < result.width * 0.95 or height < result.height * 0.5:
            paths.append(rect)
            if _is_dark_fill(item):
                result.fills.append(rect)
    result.pictures += _clusters(paths)


def _is_dark_fill(item: Any) -> bool:
    mode, stroke = ctypes.c_int(0), ctypes.c_int(0)
    if not raw.FPDFPath_GetDrawMode(item, ctypes.byref(mode), ctypes.byref(stroke)) or not mode.value:
        return False
    red, green, blue, alpha = (ctypes.c_uint(0) for _ in range(4))
    refs = [ctypes.byref(c) for c in (red, green, blue, alpha)]
    if not raw.FPDFPageObj_GetFillColor(item, *refs):
        return False
    return alpha.value > 100 and min(red.value, green.value, blue.value) < 200


def _clusters(paths: list[Rect], gap: float = 12, least: int = 6) -> list[Rect]:
    """Extents of groups of drawn paths that lie near one another: vector plots."""
    groups: list[tuple[Rect, int]] = []
    for rect in paths[:5000]:
        box, members = rect, 1
        rest = []
        for other, count in groups:
            apart = (
                other[0] > box[2] + gap
                or other[2] < box[0] - gap
                or other[1] > box[3] + gap
                or other[3] < box[1] - gap
            )
            if apart:
                rest.append((other, count))
            else:
                box = (
                    min(box[0], other[0]),
                    min(box[1], other[1]),
                    max(box[2], other[2]),
                    max(box[3], other[3]),
                )
                members += count
        groups = [*rest, (box, members)]
    return [b for b, n in groups if n >= least and b[2] - b[0] > 40 and b[3] - b[1] > 30]


def _links(document: pdfium.PdfDocument, page: pdfium.PdfPage, number: int) -> list[UrlLink]:
    position, link, box = ctypes.c_int(0), raw.FPDF_LINK(), raw.FS_RECTF()
    found: list[UrlLink] = []
    for _ in range(_MAX_LINKS):
        if not raw.FPDFLink_Enumerate(page.raw, ctypes.byref(position), ctypes.byref(link)):
            break
        action = raw.FPDFLink_GetAction(link)
        if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
            continue
        length = raw.FPDFAction_GetURIPath(document.raw, action, None, 0)
        if not 1 < length < 4000:
            continue
        buffer = ctypes.create_string_buffer(length)
        raw.FPDFAction_GetURIPath(document.raw, action, buffer, length)
        if raw.FPDFLink_GetAnnotRect(link, ctypes.byref(box)):
            url = buffer.value.decode("utf-8", "replace")
            found.append(UrlLink(url, number, (box.left, box.bottom, box.right, box.top)))
    return found


def _destinations(document: pdfium.PdfDocument) -> list[Destination]:
    found: list[Destination] = []
    has = [ctypes.c_int() for _ in range(3)]
    at = [ctypes.c_float() for _ in range(3)]
    view, count = (ctypes.c_float * 4)(), ctypes.c_ulong()
    for i in range(min(raw.FPDF_CountNamedDests(document.raw), _MAX_DESTS)):
        length = ctypes.c_long(0)
        raw.FPDF_GetNamedDest(document.raw, i, None, ctypes.byref(length))
        if not 0 < length.value < 2000:
            continue
        buffer = ctypes.create_string_buffer(length.value)
        dest = raw.FPDF_GetNamedDest(document.raw, i, buffer, ctypes.byref(length))
        if not dest:
            continue
        page = raw.FPDFDest_GetDestPageIndex(document.raw, dest)
        if page < 0:
            continue
        x = y = None
        args = [ctypes.byref(v) for v in (*has, *at)]
        if raw.FPDFDest_GetLocationInPage(dest, *args):
            x = at[0].value if has[0].value else None
            y = at[1].value if has[1].value else None
        if y is None:
            kind = raw.FPDFDest_GetView(dest, ctypes.byref(count), view)
            if kind in (raw.PDFDEST_VIEW_FITH, raw.PDFDEST_VIEW_FITBH) and count.value:
                y = view[0]
        name = buffer.raw.decode("utf-16-le", "replace").rstrip("\x00")
        found.append(Destination(name, page + 1, x, y))
    return sorted(found, key=lambda d: (d.page, -(d.y or 0.0), d.name))
