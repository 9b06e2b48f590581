"""The embedded parser: a PDF to a ``Paper``, with PDFium and our own reading of its structure."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from claimdex.errors import NoText
from claimdex.extract.pdf.assemble import Assembly, Placed
from claimdex.extract.pdf.floats import Float, find_floats
from claimdex.extract.pdf.footnotes import find_footnotes
from claimdex.extract.pdf.front import read_front
from claimdex.extract.pdf.furniture import PageLines, without_furniture
from claimdex.extract.pdf.headings import find_headings
from claimdex.extract.pdf.hidden import is_scan, split_hidden
from claimdex.extract.pdf.layout import Layout, measure
from claimdex.extract.pdf.lines import Line, build_lines
from claimdex.extract.pdf.pdfium import RawDocument, read_document
from claimdex.files import file_sha256
from claimdex.ids import canonical, title_key
from claimdex.paper import Link, Paper, PaperRef, ParserInfo, ParseWarning, Source
from claimdex.settings import Settings

PARSER_VERSION = "1"
_LEAST_LETTERS = 50
_SIDEWAYS = 200


class EmbeddedParser:
    """Parser ``pdf``. Reads in this process: run it in a child (``claimdex.extract.bulk.workers``)."""

    def __init__(self, settings: Settings) -> None:
        self._limits = settings.limits

    def parse(self, pdf: Path, ref: PaperRef) -> Paper:
        """The paper in ``pdf``. ``ref`` wins over what the file says of title and authors.

        Raises:
            ParseFailed: the file cannot be read (see its subclasses).
        """
        document = read_document(pdf, self._limits)
        pages, hidden = _visible_lines(document)
        letters = sum(c.isalpha() for item in pages for line in item.lines for c in line.text)
        if letters < _LEAST_LETTERS:
            raise NoText(
                f"{pdf.name}: hardly any text ({letters} letters on {document.total_pages} pages)",
                hint="run OCR first, for example: ocrmypdf in.pdf out.pdf",
            )
        clean = without_furniture(pages)
        layout = measure(clean)
        flow, placed = _flow(clean, layout)
        headings = find_headings(flow, layout, document.destinations)
        front = read_front(flow, sorted(headings), layout)
        assembly = Assembly(layout, clean)
        assembly.add_front(front)
        assembly.add_body(flow, headings, front.after, placed)
        assembly.add_hidden(hidden)
        return _paper(pdf, ref, document, assembly, front.authors, assembly.links(clean))


def _visible_lines(document: RawDocument) -> tuple[list[PageLines], list[Line]]:
    pages, hidden = [], []
    for page in document.pages:
        seen, unseen = split_hidden(page)
        pages.append(PageLines(page, build_lines(page.number, seen)))
        hidden += build_lines(page.number, unseen)
    return pages, hidden


def _flow(pages: Sequence[PageLines], layout: Layout) -> tuple[list[Line], list[Placed]]:
    """Running text in order, and floats and footnotes with the number of lines before each."""
    flow: list[Line] = []
    placed: list[Placed] = []
    for item in pages:
        floats = find_floats(item, layout)
        notes = find_footnotes(item, layout, floats)
        groups: list[tuple[Float | list[Line], list[Line]]] = [(f, [*f.caption, *f.body]) for f in floats]
        groups += [(note, note) for note in notes]
        owner = {id(line): group for group, lines in groups for line in lines}
        seen: set[int] = set()
        for line in item.lines:
            group = owner.get(id(line))
            if group is None:
                flow.append(line)
            elif id(group) not in seen:
                seen.add(id(group))
                placed.append((len(flow), group))
    return flow, placed


def _paper(
    pdf: Path,
    ref: PaperRef,
    document: RawDocument,
    assembly: Assembly,
    authors: tuple[str, ...],
    links: list[Link],
) -> Paper:
    digest = file_sha256(pdf)
    ids = [i for i in (ref.paper_id, *ref.aliases) if i]
    paper_id = ref.paper_id or canonical(ids) or f"sha256:{digest}"
    title = ref.title or assembly.title or pdf.stem
    aliases = dict.fromkeys([*ids, f"title:{title_key(title)}", f"sha256:{digest}"])
    return Paper(
        paper_id=paper_id,
        aliases=tuple(a for a in aliases if a != paper_id),
        title=title,
        authors=ref.authors or authors,
        abstract=assembly.abstract,
        venue=ref.venue,
        year=ref.year,
        source=Source(sha256=digest, version=ref.version, url=ref.url, pages=document.total_pages),
        parser=ParserInfo(name="pdf", version=f"{PARSER_VERSION}+pypdfium2-{version('pypdfium2')}"),
        warnings=_warnings(document, assembly),
        sections=tuple(assembly.sections),
        passages=tuple(assembly.passages),
        references=tuple(assembly.references),
        links=tuple(links),
    )


def _warnings(document: RawDocument, assembly: Assembly) -> tuple[ParseWarning, ...]:
    found = [
        ParseWarning(code="page_failed", message=f"page {page} could not be read", page=page)
        for page in document.failed
    ]
    read = len(document.pages) + len(document.failed)
    if read < document.total_pages:
        message = f"{document.total_pages - read} of {document.total_pages} pages left out by the limits"
        found.append(ParseWarning(code="pages_left_out", message=message))
    found += [
        ParseWarning(
            code="truncated", message=f"page {page.number} has more text than the limit", page=page.number
        )
        for page in document.pages
        if page.truncated
    ]
    scans = [page.number for page in document.pages if is_scan(page)]
    if scans:
        message = f"text of {len(scans)} scanned pages is what an OCR program read"
        found.append(ParseWarning(code="ocr_text", message=message, page=scans[0]))
    for page in document.pages:
        sideways = sum(bool(g.style.angle) for g in page.glyphs)
        if sideways > _SIDEWAYS:
            message = f"{sideways} characters set sideways were left out"
            found.append(ParseWarning(code="rotated_text", message=message, page=page.number))
    found += [
        ParseWarning(code="hidden_text", message="hidden text found", page=passage.page)
        for passage in assembly.passages
        if not passage.visible
    ]
    found += [
        ParseWarning(code="table_unread", message=f"{label}: rows and columns not recovered", page=page)
        for label, page in assembly.grids_failed
    ]
    if not assembly.abstract:
        found.append(ParseWarning(code="no_abstract", message="no abstract found"))
    return tuple(found)
