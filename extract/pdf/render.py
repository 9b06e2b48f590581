"""Pages of a PDF as PNG images, for people to look at.

PDFium can abort on a hostile file and a page may ask for a bitmap of any size: call this in a child
process with limits, like the parser.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from numpy.typing import NDArray

from claimdex.extract.pdf.drawings import read_drawings
from claimdex.extract.pdf.pdfium import check_file, opened
from claimdex.paper import Rect
from claimdex.settings import Limits

MAX_PIXELS = 4_000_000
"""Pixels of one page image; a page that would need more is drawn smaller."""
_MAX_SOURCE_PIXELS = 40_000_000
_LEAST_SIDE, _LARGEST_SIDE = 1.0, 20_000.0
_ALMOST_GREY = 8


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as drawn. ``box`` is the part of the page's space shown, in points, before turning.

    ``rotation`` turns it clockwise: 0, 90, 180 or 270 degrees. ``png`` is empty if the page could
    not or should not be drawn; ``note`` then says why.
    """

    number: int
    box: Rect
    rotation: int = 0
    png: bytes = b""
    note: str = ""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points, as shown."""
        width, height = self.box[2] - self.box[0], self.box[3] - self.box[1]
        return (height, width) if self.rotation in (90, 270) else (width, height)


def render_pages(pdf: Path, limits: Limits, width_px: int = 900, max_pages: int = 60) -> list[PageImage]:
    """The first ``max_pages`` pages (at most ``limits.pages``), each about ``width_px`` wide.

    Raises:
        NotFound, NotAPdf, DamagedPdf, NeedsPassword, LimitReached: the file cannot be read.
    """
    check_file(pdf, limits)
    with opened(pdf) as document:
        count = min(len(document), limits.pages, max_pages)
        return [_render(document, index, width_px) for index in range(count)]


def _render(document: pdfium.PdfDocument, index: int, width_px: int) -> PageImage:
    number = index + 1
    try:
        page = document[index]
    except pdfium.PdfiumError:
        return PageImage(number, (0, 0, 612, 792), note="the page could not be loaded")
    try:
        return _drawn(page, number, width_px)
    finally:
        page.close()


def _drawn(page: pdfium.PdfPage, number: int, width_px: int) -> PageImage:
    x0, y0, x1, y1 = page.get_bbox()
    box, rotation = (x0, y0, x1, y1), page.get_rotation()
    sides = (x1 - x0, y1 - y0)
    if not all(_LEAST_SIDE <= side <= _LARGEST_SIDE for side in sides):
        note = f"not drawn: the page measures {sides[0]:.4g} x {sides[1]:.4g} points"
        return PageImage(number, (0, 0, 612, 792), note=note)
    largest = read_drawings(page.raw, page.get_size()).largest_image
    if largest > _MAX_SOURCE_PIXELS:
        return PageImage(number, box, rotation, note=f"not drawn: it holds an image of {largest:,} pixels")
    width, height = page.get_size()
    scale = min(width_px / width, (MAX_PIXELS / (width * height)) ** 0.5)
    bitmap = page.render(scale=scale, rev_byteorder=True, may_draw_forms=False, draw_annots=False)
    try:
        return PageImage(number, box, rotation, encode_png(bitmap.to_numpy()))
    finally:
        bitmap.close()


def encode_png(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG file of ``pixels``, shape ``(height, width, 3)`` RGB, in 16 shades a channel.

    Grey where there is no colour. After the PNG specification (W3C, third edition).
    """
    height, width = pixels.shape[:2]
    red, green, blue = (pixels[:, :, channel].astype(np.int16) for channel in range(3))
    grey = max(int(np.abs(red - green).max()), int(np.abs(green - blue).max())) < _ALMOST_GREY
    shades = (pixels[:, :, :1] if grey else pixels) // 16 * np.uint8(17)
    rows = np.zeros((height, 1 + width * shades.shape[2]), np.uint8)
    rows[:, 1:] = shades.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 0 if grey else 2, 0, 0, 0)
    data = zlib.compress(rows.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
