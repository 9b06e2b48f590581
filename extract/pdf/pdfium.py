"""A PDF file as PDFium reads it, page by page.

PDFium is not thread-safe and can abort the process on a hostile file: call this in a child process
(see ``claimdex.extract.bulk.workers``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from claimdex.errors import DamagedPdf, LimitReached, NeedsPassword, NotAPdf, NotFound
from claimdex.extract.pdf.anchors import Destination, UrlLink, read_destinations, read_links
from claimdex.extract.pdf.drawings import Drawings, read_drawings
from claimdex.extract.pdf.glyphs import Glyph, read_glyphs
from claimdex.extract.pdf.ink import mark_inkless
from claimdex.paper import Rect
from claimdex.settings import Limits


@dataclass(slots=True)
class RawPage:
    """One page as drawn. ``glyphs`` stand in the order of the content stream."""

    number: int
    width: float
    height: float
    box: Rect
    glyphs: list[Glyph]
    drawings: Drawings
    links: list[UrlLink]
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
    with opened(pdf) as document:
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
        return RawDocument(pages, read_destinations(document), total, failed)


def check_file(pdf: Path, limits: Limits) -> None:
    """Refuse what is no PDF before the engine sees it.

    Raises:
        NotFound, NotAPdf, LimitReached: as the names say.
    """
    if pdf.is_dir():
        raise NotAPdf(f"{pdf}: a folder, not a PDF", hint="claimdex index reads folders")
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
def opened(pdf: Path) -> Iterator[pdfium.PdfDocument]:
    """The document in ``pdf``, closed at the end.

    Raises:
        DamagedPdf, NeedsPassword: it cannot be opened.
    """
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
        if not (box[2] > box[0] and box[3] > box[1]):
            box = tuple(page.get_bbox())
        textpage = page.get_textpage()
        try:
            count = textpage.count_chars()
            glyphs = read_glyphs(textpage.raw, min(count, max_chars))
        finally:
            textpage.close()
        drawings = read_drawings(page.raw, (width, height))
        mark_inkless(page, box, glyphs, drawings.largest_image)
        links = read_links(document, page, index + 1)
        return RawPage(index + 1, width, height, box, glyphs, drawings, links, count > max_chars)
    finally:
        page.close()
