"""The GROBID parser: a PDF to a ``Paper`` by way of a GROBID server."""

from __future__ import annotations

from pathlib import Path

from claimdex.errors import ParseFailed
from claimdex.extract.grobid.page_frames import pdf_frames, surface_frames
from claimdex.extract.grobid.server import GrobidServer
from claimdex.extract.grobid.tei import TeiPaper, read_tei
from claimdex.extract.grobid.tei_xml import load_tei
from claimdex.extract.pdf.pdfium import check_file
from claimdex.ids import canonical, title_key
from claimdex.paper import Paper, PaperRef, ParserInfo, ParseWarning, Rect, Source
from claimdex.settings import Settings
from claimdex.text import sha256

READER_VERSION = "1"


class GrobidParser:
    """Parser ``grobid``. The server is that of ``settings.grobid`` (see docs/grobid.md)."""

    def __init__(self, settings: Settings) -> None:
        self._limits = settings.limits
        self._server = GrobidServer(settings)

    def parse(self, pdf: Path, ref: PaperRef) -> Paper:
        """The paper in ``pdf``. ``ref`` wins over what the file says of title and authors.

        Raises:
            NotFound: there is no such file.
            ParseFailed: the file cannot be read, or the server not be reached (see its subclasses).
        """
        check_file(pdf, self._limits)
        data = pdf.read_bytes()
        answer = self._server.fulltext(data, pdf.name)
        try:
            tei = load_tei(answer)
            own = pdf_frames(pdf)
            # The file knows where its crop box lies, the surfaces only how large it is.
            frames = {page: box for page, box in {**surface_frames(tei), **own}.items() if box is not None}
            read = read_tei(tei, frames, self._limits)
        except ParseFailed as error:
            raise type(error)(f"{pdf.name}: {error.message}", hint=error.hint) from None
        return _paper(pdf, ref, read, sha256(data), self._pages(own, frames))

    def _pages(self, own: dict[int, Rect | None], frames: dict[int, Rect]) -> tuple[int, int]:
        """Pages of the file, and how many of them the limits left out."""
        total = len(own) or max(frames, default=0)
        return total, max(total - self._limits.pages, 0)


def _paper(pdf: Path, ref: PaperRef, read: TeiPaper, digest: str, pages: tuple[int, int]) -> Paper:
    ids = [i for i in (ref.paper_id, *ref.aliases) if i]
    paper_id = ref.paper_id or canonical(ids) or f"sha256:{digest}"
    title = ref.title or read.title or pdf.stem
    aliases = dict.fromkeys([*ids, f"title:{title_key(title)}", f"sha256:{digest}"])
    total, left_out = pages
    warnings = list(read.warnings)
    if left_out:
        message = f"{left_out} of {total} pages left out by the limits"
        warnings.append(ParseWarning(code="pages_left_out", message=message))
    return Paper(
        paper_id=paper_id,
        aliases=tuple(a for a in aliases if a != paper_id),
        title=title,
        authors=ref.authors or read.authors,
        abstract=read.abstract,
        venue=ref.venue,
        year=ref.year,
        source=Source(sha256=digest, version=ref.version, url=ref.url, pages=total),
        parser=ParserInfo(name="grobid", version=f"{READER_VERSION}+grobid-{read.version}"),
        warnings=tuple(warnings),
        sections=tuple(read.sections),
        passages=tuple(read.passages),
        references=tuple(read.references),
        links=tuple(read.links),
    )
