from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from claimdex.errors import DamagedPdf, LimitReached, NotAPdf, NotFound
from claimdex.extract.pdf.parser import EmbeddedParser
from claimdex.paper import Paper, PaperRef, PassageKind, SectionKind
from claimdex.settings import Limits, Settings

STEMS = ["calendar-descent", "label-noise-rankers", "osprel-attention", "pellicle-shell", "quaytext-dataset"]
Sample = Callable[[str], Paper]


def outline(paper: Paper) -> str:
    lines = [
        f"title: {paper.title}",
        f"authors: {'; '.join(paper.authors)}",
        f"abstract: {paper.abstract}",
        "",
    ]
    lines += [f"{'  ' * s.level}{s.number} {s.title} [{s.kind}] p{s.page}" for s in paper.sections]
    lines.append("")
    for p in paper.passages:
        mark = "" if p.visible else " HIDDEN"
        lines.append(f"{p.kind}{mark} {p.label or ''} p{p.page}: {p.text}".replace("\n", "\n    "))
    lines += ["", *(f"link {link.url} p{link.page} [{link.text}]" for link in paper.links)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("stem", STEMS)
def test_a_sample_paper_reads_as_its_golden_file(
    stem: str, sample: Sample, golden: Callable[[str, str], None]
) -> None:
    golden(f"{stem}.parsed.txt", outline(sample(stem)))


@pytest.mark.parametrize("stem", STEMS)
def test_spans_cover_every_word_of_a_passage_once_and_in_order(stem: str, sample: Sample) -> None:
    for passage in sample(stem).passages:
        covered = bytearray(len(passage.text))
        last = 0
        for span in passage.spans:
            assert last <= span.start < span.end <= len(passage.text)
            assert len(span.edges) == span.end - span.start + 1
            covered[span.start : span.end] = b"\x01" * (span.end - span.start)
            last = span.end
        missed = "".join(c for c, seen in zip(passage.text, covered, strict=True) if not seen)
        assert missed.strip(" \n|") == ""


@pytest.mark.parametrize("stem", STEMS)
def test_cells_stand_in_the_text_where_they_say(stem: str, sample: Sample) -> None:
    tables = [p for p in sample(stem).passages if p.kind is PassageKind.TABLE]
    assert tables
    for table in tables:
        assert all(table.text[c.start : c.end] == c.text for c in table.cells)


def test_passage_and_section_ids_are_unique_and_resolve(sample: Sample) -> None:
    for stem in STEMS:
        paper = sample(stem)
        passages, sections = [p.id for p in paper.passages], [s.id for s in paper.sections]
        assert len(set(passages)) == len(passages)
        assert len(set(sections)) == len(sections)
        assert {p.section for p in paper.passages} - {None} <= set(sections)


def test_parsing_twice_gives_the_same_paper(sample: Sample) -> None:
    pdf = Path(__file__).parents[2] / "data/papers/osprel-attention.pdf"
    again = EmbeddedParser(Settings()).parse(pdf, PaperRef())
    assert again == sample("osprel-attention")


def test_hidden_text_is_set_apart_and_flagged(sample: Sample) -> None:
    paper = sample("label-noise-rankers")
    hidden = [p for p in paper.passages if not p.visible]
    assert any("99.99" in p.text for p in hidden)
    assert not any("99.99" in p.text for p in paper.visible_passages())
    assert [w.message for w in paper.warnings if w.code == "hidden_text"] == ["hidden text found"]


def test_margin_line_numbers_are_not_read_as_text(sample: Sample) -> None:
    texts = [p.text for p in sample("pellicle-shell").passages if p.kind is PassageKind.PARAGRAPH]
    assert texts
    assert not any(text.strip().isdigit() for text in texts)
    assert "of image x and w" in " ".join(texts)


def test_a_table_cell_knows_its_row_and_column(sample: Sample) -> None:
    table = next(
        p
        for p in sample("label-noise-rankers").passages
        if p.label == "Table 1" and p.kind is PassageKind.TABLE
    )
    cell = next(c for c in table.cells if c.text.startswith("45.4"))
    assert (cell.row_header, cell.column_header) == ("300M", "20%")


def test_a_quote_maps_to_a_box_on_its_page(sample: Sample) -> None:
    paper = sample("osprel-attention")
    passage = next(p for p in paper.passages if p.kind is PassageKind.ABSTRACT)
    start = passage.text.index("3.4")
    (box,) = passage.boxes(start, start + 3)
    x0, y0, x1, y1 = box.box
    assert box.page == 1
    assert 8 < x1 - x0 < 20
    assert 5 < y1 - y0 < 14


def test_what_is_given_wins_over_what_is_read() -> None:
    pdf = Path(__file__).parents[2] / "data/papers/osprel-attention.pdf"
    ref = PaperRef(
        paper_id="arxiv:2601.99001v1", aliases=("doi:10.5072/x",), title="Given", venue="ICX", year=2026
    )
    paper = EmbeddedParser(Settings()).parse(pdf, ref)
    assert (paper.paper_id, paper.title, paper.venue, paper.year) == (
        "arxiv:2601.99001v1",
        "Given",
        "ICX",
        2026,
    )
    assert f"sha256:{paper.source.sha256}" in paper.aliases
    assert "title:given" in paper.aliases


def test_references_end_the_body_and_the_appendix_follows(sample: Sample) -> None:
    kinds = [s.kind for s in sample("calendar-descent").sections if s.level == 1]
    assert kinds.index(SectionKind.REFERENCES) < kinds.index(SectionKind.APPENDIX)
    assert len(sample("calendar-descent").references) >= 3


def _write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_bad_files_are_refused_with_their_own_error(tmp_path: Path) -> None:
    parser = EmbeddedParser(Settings())
    with pytest.raises(NotFound, match="no such file"):
        parser.parse(tmp_path / "absent.pdf", PaperRef())
    with pytest.raises(NotAPdf, match="empty"):
        parser.parse(_write(tmp_path / "empty.pdf", b""), PaperRef())
    with pytest.raises(NotAPdf, match="web page"):
        parser.parse(_write(tmp_path / "page.pdf", b"<!DOCTYPE html><html>busy</html>"), PaperRef())
    with pytest.raises(DamagedPdf, match="cannot be opened"):
        parser.parse(_write(tmp_path / "cut.pdf", b"%PDF-1.7\n1 0 obj"), PaperRef())


def test_a_page_limit_leaves_pages_out_and_says_so() -> None:
    pdf = Path(__file__).parents[2] / "data/papers/calendar-descent.pdf"
    paper = EmbeddedParser(Settings(limits=Limits(pages=2))).parse(pdf, PaperRef())
    assert {p.page for p in paper.passages} == {1, 2}
    assert "pages_left_out" in [w.code for w in paper.warnings]


def test_a_file_over_the_size_limit_is_refused() -> None:
    pdf = Path(__file__).parents[2] / "data/papers/calendar-descent.pdf"
    with pytest.raises(LimitReached, match="more than the limit"):
        EmbeddedParser(Settings(limits=Limits(file_mb=0.01))).parse(pdf, PaperRef())
