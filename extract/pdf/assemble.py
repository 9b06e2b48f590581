"""Blocks to the sections and passages of a ``Paper``, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from claimdex.extract.pdf.blocks import Block, paragraphs
from claimdex.extract.pdf.floats import Float
from claimdex.extract.pdf.front import Front
from claimdex.extract.pdf.furniture import PageLines
from claimdex.extract.pdf.headings import Heading, section_kind
from claimdex.extract.pdf.identity import Identities
from claimdex.extract.pdf.layout import Layout
from claimdex.extract.pdf.lines import Line
from claimdex.extract.pdf.links import annotated_links, text_links
from claimdex.extract.pdf.passages import Vocabulary, join_lines, join_rows
from claimdex.extract.pdf.references import ARXIV, DOI, label_of, split_entries
from claimdex.extract.pdf.tables import Grid, read_grid
from claimdex.extract.pdf.theorems import mark_theorems
from claimdex.paper import Link, Passage, PassageKind, Reference, Section, SectionKind

Placed = tuple[int, Float | list[Line]]
"""A float or footnote and the number of flowing lines that stand before it."""


class Assembly:
    """Collects passages and sections as the paper is walked from front to back."""

    def __init__(self, layout: Layout, pages: Sequence[PageLines]) -> None:
        self._layout = layout
        self._vocabulary = Vocabulary(line for item in pages for line in item.lines)
        self._ids = Identities()
        self._section: Section | None = None
        self._appendix = False
        self.title = ""
        self.abstract = ""
        self.sections: list[Section] = []
        self.passages: list[Passage] = []
        self.references: list[Reference] = []
        self.grids_failed: list[tuple[str, int]] = []

    def add_front(self, front: Front) -> None:
        """Title, abstract (with a section of its own) and what else stands before the body."""
        if front.title:
            self._add(Block(PassageKind.TITLE, front.title))
            self.title = self.passages[-1].text
        for block in paragraphs([x for x in front.rest if x.text], self._layout):
            self._add(Block(PassageKind.FOOTNOTE, block.lines))
        if front.abstract:
            heading = Heading([front.abstract[0]], "", "Abstract", 1)
            self._open_section(heading)
            blocks = paragraphs(front.abstract, self._layout)
            for block in blocks:
                self._add(Block(PassageKind.ABSTRACT, block.lines))
            self.abstract = " ".join(p.text for p in self.passages if p.kind is PassageKind.ABSTRACT)

    def add_body(
        self, flow: Sequence[Line], headings: Mapping[int, Heading], start: int, placed: Sequence[Placed]
    ) -> None:
        """The flowing text from index ``start`` on, with floats and notes after the block they cut."""
        waiting = sorted(placed, key=lambda item: item[0])
        cuts = sorted(i for i in headings if i >= start)
        ends = [*cuts[1:], len(flow)] if cuts else []
        if not cuts or cuts[0] > start:
            self._add_run(flow, start, cuts[0] if cuts else len(flow), waiting)
        for cut, end in zip(cuts, ends, strict=True):
            heading = headings[cut]
            self._open_section(heading)
            self._add(Block(PassageKind.HEADING, heading.lines))
            self._add_run(flow, cut + len(heading.lines), end, waiting)
        for _, item in waiting:
            self._add_placed(item)

    def add_hidden(self, lines: Iterable[Line]) -> None:
        """Text that cannot be seen, kept apart and marked."""
        worded = [line for line in lines if any(c.isalnum() for c in line.text)]
        for _, run in groupby(worded, key=lambda line: line.page):
            self._add(Block(PassageKind.PARAGRAPH, list(run)), visible=False)

    def links(self, pages: Sequence[PageLines]) -> list[Link]:
        """Every URL of the paper with its place."""
        known = [link for item in pages for link in annotated_links(item.page, item.lines)]
        return [*known, *text_links(self.passages, known)]

    def _add_run(self, flow: Sequence[Line], start: int, end: int, waiting: list[Placed]) -> None:
        lines = flow[start:end]
        if self._section and self._section.kind is SectionKind.REFERENCES:
            self._add_references(lines)
        else:
            position = {id(line): i for i, line in enumerate(lines, start)}
            for block in mark_theorems(paragraphs(lines, self._layout)):
                self._add(block)
                done = position[id(block.lines[-1])]
                while waiting and waiting[0][0] <= done:
                    self._add_placed(waiting.pop(0)[1])
        while waiting and waiting[0][0] <= end:
            self._add_placed(waiting.pop(0)[1])

    def _add_references(self, lines: Sequence[Line]) -> None:
        for entry in split_entries(lines, self._layout):
            self._add(Block(PassageKind.REFERENCE, entry))
            passage = self.passages[-1]
            doi, arxiv = DOI.search(passage.text), ARXIV.search(passage.text)
            self.references.append(
                Reference(
                    id=passage.id,
                    label=label_of(passage.text),
                    text=passage.text,
                    page=passage.page,
                    doi=doi[0] if doi else None,
                    arxiv=arxiv[1] if arxiv else None,
                )
            )

    def _add_placed(self, item: Float | list[Line]) -> None:
        if isinstance(item, list):
            self._add(Block(PassageKind.FOOTNOTE, item))
            return
        if item.caption:
            self._add(Block(PassageKind.CAPTION, item.caption, label=item.label))
        if not item.body:
            return
        grid = None if item.kind is PassageKind.ALGORITHM else self._grid(item)
        if grid is None:
            self._add_listing(item)
            return
        text, spans, cells = join_rows(grid.rows, grid.header_rows, grid.headers)
        self._append(PassageKind.TABLE, text, label=item.label or None, spans=spans, cells=cells)

    def _grid(self, item: Float) -> Grid | None:
        if item.kind is PassageKind.FIGURE and not item.rules:
            return None
        return read_grid(item.body, item.rules)

    def _add_listing(self, item: Float) -> None:
        """Lines of a figure or algorithm, one a line."""
        if item.kind is PassageKind.TABLE:
            self.grids_failed.append((item.label, item.body[0].page))
        text = ""
        spans = []
        for line in item.body:
            text += "\n" if text else ""
            piece, own = join_lines([line], self._vocabulary)
            spans += [
                s.model_copy(update={"start": s.start + len(text), "end": s.end + len(text)}) for s in own
            ]
            text += piece
        self._append(item.kind, text, label=item.label or None, spans=tuple(spans))

    def _open_section(self, heading: Heading) -> None:
        kind = section_kind(heading.title)
        letter = heading.number[:1].isalpha() and not set(heading.number) <= set("IVX")
        self._appendix = self._appendix or letter or kind is SectionKind.APPENDIX
        if (
            self._appendix
            and heading.level == 1
            and kind
            not in (
                SectionKind.REFERENCES,
                SectionKind.ACKNOWLEDGEMENTS,
            )
        ):
            kind = SectionKind.APPENDIX
        parent = next((s for s in reversed(self.sections) if s.level < heading.level), None)
        if parent and kind is SectionKind.OTHER:
            kind = parent.kind
        self._section = Section(
            id=self._ids.section(heading.number, heading.title),
            number=heading.number,
            title=heading.title or heading.number,
            level=heading.level,
            kind=kind,
            page=heading.lines[0].page,
            parent=parent.id if parent else None,
        )
        self.sections.append(self._section)

    def _add(self, block: Block, *, visible: bool = True) -> None:
        text, spans = join_lines(block.lines, self._vocabulary)
        self._append(block.kind, text, label=block.label, name=block.name, spans=spans, visible=visible)

    def _append(self, kind: PassageKind, text: str, **fields: object) -> None:
        if not text.strip():
            return
        identity = self._ids.passage(kind, text)
        section = self._section.id if self._section else None
        self.passages.append(
            Passage.model_validate({"id": identity, "kind": kind, "text": text, "section": section, **fields})
        )
