"""GROBID's coordinates to boxes on our pages.

GROBID counts from the top left of what is shown of a page, y downwards; we count from the bottom
left of the page's own space (see ``claimdex.paper``). The size of the page is needed to convert.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree.ElementTree import Element

import pypdfium2 as pdfium

from claimdex.paper import PageBox, Rect

Frames = Mapping[int, Rect]
"""What is shown of each page, in the page's own space: (left, bottom, right, top)."""

_MAX_BOXES = 5000


def surface_frames(tei: Element) -> dict[int, Rect]:
    """Page sizes as the TEI gives them (``facsimile/surface``, from GROBID 0.6 on)."""
    frames = {}
    for surface in tei.iterfind("facsimile/surface"):
        values = _floats([surface.get(k, "") for k in ("n", "ulx", "uly", "lrx", "lry")])
        if values and values[3] > values[1] and values[4] > values[2]:
            frames[int(values[0])] = (0.0, 0.0, values[3] - values[1], values[4] - values[2])
    return frames


def pdf_frames(pdf: Path) -> dict[int, Rect | None]:
    """Page boxes as the file gives them; None for a turned page, whose boxes cannot be converted.

    Empty if PDFium cannot open the file, which GROBID's own reader may still have done.
    """
    try:
        document = pdfium.PdfDocument(str(pdf))
    except pdfium.PdfiumError:
        return {}
    frames: dict[int, Rect | None] = {}
    try:
        for index in range(len(document)):
            frames[index + 1] = _pdf_frame(document, index)
    finally:
        document.close()
    return frames


def _pdf_frame(document: pdfium.PdfDocument, index: int) -> Rect | None:
    try:
        page = document[index]
    except pdfium.PdfiumError:
        return None
    try:
        if page.get_rotation():
            return None
        left, bottom, right, top = page.get_cropbox()
        return left, bottom, right, top
    finally:
        page.close()


def boxes_of(coords: str | None, frames: Frames) -> list[PageBox]:
    """Boxes of a ``coords`` attribute ("page,x,y,width,height;..."), cut to their pages.

    Boxes that are malformed, outside their page or on a page of unknown size are left out.
    """
    return list(_boxes(coords or "", frames))


def _boxes(coords: str, frames: Frames) -> Iterator[PageBox]:
    for part in coords.split(";", _MAX_BOXES)[:_MAX_BOXES]:
        values = _floats(part.split(","))
        if not values or len(values) != 5:
            continue
        page, x, y, width, height = int(values[0]), *values[1:]
        frame = frames.get(page)
        if frame is None or page < 1:
            continue
        x0, x1 = max(frame[0] + x, frame[0]), min(frame[0] + x + width, frame[2])
        y0, y1 = max(frame[3] - y - height, frame[1]), min(frame[3] - y, frame[3])
        if x0 < x1 and y0 < y1:
            yield PageBox(page=page, box=(round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2)))


def _floats(parts: list[str]) -> list[float]:
    """All parts as finite numbers, or an empty list."""
    try:
        values = [float(part) for part in parts]
    except ValueError:
        return []
    return values if all(math.isfinite(v) for v in values) else []
