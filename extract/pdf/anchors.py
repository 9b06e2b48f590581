"""Link annotations and named destinations of a file, as PDFium reads them."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from claimdex.paper import Rect

_MAX_LINKS = 5_000
_MAX_DESTS = 20_000


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


def read_links(document: pdfium.PdfDocument, page: pdfium.PdfPage, number: int) -> list[UrlLink]:
    """Link annotations of a page (``number`` counts from 1) that lead to a URL."""
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


def read_destinations(document: pdfium.PdfDocument) -> list[Destination]:
    """Named destinations of a file, by page and from top to bottom."""
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
        args = [*map(ctypes.byref, has), *map(ctypes.byref, at)]
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
