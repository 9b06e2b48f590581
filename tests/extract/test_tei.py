from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimdex.errors import LimitReached, NoText, ParseFailed
from claimdex.extract.grobid.page_frames import boxes_of, surface_frames
from claimdex.extract.grobid.tei import TeiPaper, read_tei
from claimdex.extract.grobid.tei_heads import HeadRole, RawHead, read_heads
from claimdex.extract.grobid.tei_text import fold, spread
from claimdex.extract.grobid.tei_xml import load_tei
from claimdex.extract.grobid.theorem_text import opens_proof, statement_head, statement_starts
from claimdex.extract.pdf.identity import Identities
from claimdex.paper import PageBox, Passage, PassageKind, SectionKind
from claimdex.settings import Limits

FRAMES = {1: (0.0, 0.0, 612.0, 792.0), 2: (0.0, 0.0, 612.0, 792.0)}
FILLER = "<p>Kettles boil water, and this sentence has enough letters to count as text of a paper.</p>"


def document(body: str, back: str = "", header: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>'
        '<encodingDesc><appInfo><application version="0.8.2" ident="GROBID"/></appInfo></encodingDesc>'
        f"{header}</teiHeader><text><body>{body}</body><back>{back}</back></text></TEI>"
    )


def read(body: str, back: str = "", header: str = "", limits: Limits | None = None) -> TeiPaper:
    tei = load_tei(document(f"<div>{FILLER}</div>{body}", back, header).encode())
    return read_tei(tei, FRAMES, limits or Limits())


def only(paper: TeiPaper, kind: PassageKind) -> Passage:
    (found,) = [p for p in paper.passages if p.kind is kind]
    return found


def outline(paper: TeiPaper) -> list[tuple[int, str, str]]:
    return [(s.level, s.number, s.title) for s in paper.sections]


# Sections


def test_flat_heads_become_a_tree_by_their_numbers() -> None:
    paper = read(
        '<div><head n="1">Introduction</head><p>One.</p></div>'
        '<div><head n="2.">Method</head></div><div><head n="2.1">Losses</head><p>Two.</p></div>'
        "<div><head>2.1.1 Details</head><p>Three.</p></div><div><head n='3'>Results</head><p>Four.</p></div>"
    )
    assert outline(paper) == [
        (1, "1", "Introduction"),
        (1, "2", "Method"),
        (2, "2.1", "Losses"),
        (3, "2.1.1", "Details"),
        (1, "3", "Results"),
    ]
    by_number = {s.number: s for s in paper.sections}
    assert by_number["2.1.1"].parent == by_number["2.1"].id
    assert by_number["2.1"].kind is by_number["2.1.1"].kind is SectionKind.METHOD


def test_a_level_that_grobid_states_is_believed() -> None:
    paper = read(
        '<div><head level="1">Methods</head><p>One.</p></div><div>'
        '<head level="2">Cells</head><p>Two.</p></div>'
    )
    cells = paper.sections[1]
    assert (cells.level, cells.parent, cells.kind) == (2, paper.sections[0].id, SectionKind.METHOD)


def test_letters_under_roman_numerals_are_subsections() -> None:
    paper = read(
        "<div><head>I. INTRODUCTION</head><p>One.</p></div><div><head>A. Motivation</head><p>Two.</p></div>"
        "<div><head>II. DATA AND MODELS A. Prices</head><p>Three.</p></div><div>"
        "<head>B. News</head><p>F.</p></div>"
    )
    assert [(s.level, s.number, s.title) for s in paper.sections] == [
        (1, "I", "INTRODUCTION"),
        (2, "A", "Motivation"),
        (1, "II", "DATA AND MODELS"),
        (2, "A", "Prices"),
        (2, "B", "News"),
    ]


def test_lettered_heads_after_the_numbered_ones_are_the_appendix() -> None:
    body = "".join(f'<div><head n="{i}">Part {name}</head>{FILLER}</div>' for i, name in enumerate("xyz", 1))
    annex = (
        "<div><head>A Proofs of the bounds</head><p>P.</p></div><div>"
        "<head>A.1 First bound</head><p>Q.</p></div>"
    )
    paper = read(body, f'<div type="annex">{annex}</div>')
    found = {s.number: s for s in paper.sections}
    assert found["A"].kind is SectionKind.APPENDIX
    assert (found["A.1"].level, found["A.1"].parent) == (2, found["A"].id)


def test_a_body_section_that_strayed_into_the_annex_keeps_its_kind() -> None:
    body = "".join(f'<div><head n="{i}">Part {name}</head>{FILLER}</div>' for i, name in enumerate("xyz", 1))
    paper = read(body, '<div type="annex"><div><head n="4">Experiments</head><p>We ran it.</p></div></div>')
    assert paper.sections[-1].kind is SectionKind.EXPERIMENTS


def test_back_matter_without_a_head_gets_a_section_of_its_kind() -> None:
    paper = read("", '<div type="acknowledgement"><div><p>We thank the kettle.</p></div></div>')
    section = paper.sections[-1]
    assert (section.title, section.kind) == ("Acknowledgements", SectionKind.ACKNOWLEDGEMENTS)
    assert paper.passages[-1].section == section.id


def test_an_item_of_a_list_that_grobid_took_for_a_head_stays_text() -> None:
    numbered = "".join(
        f'<div><head n="{i}">Part {name}</head>{FILLER}</div>' for i, name in enumerate("xyz", 1)
    )
    paper = read(f'{numbered}<div><head n="5.">Calibration</head><p>and testing. We fit the scale.</p></div>')
    assert "Calibration" not in {s.title for s in paper.sections}
    assert any(p.text == "5. Calibration and testing. We fit the scale." for p in paper.passages)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Structural observation.", HeadRole.RUN_IN),
        ("Method BLEU ROUGE", HeadRole.LOOSE),
        ("Acknowledgments", HeadRole.SECTION),
        ("Published as a conference paper at ICLR 2031", HeadRole.FURNITURE),
        ("Theorem 2 (Bound).", HeadRole.RUN_IN),
        ("x = 3", HeadRole.RUN_IN),
        ("A kettle for everyone", HeadRole.LOOSE),
    ],
)
def test_heads_without_numbers_in_a_numbered_paper(text: str, role: HeadRole) -> None:
    numbered = [RawHead("Introduction", "1"), RawHead("Method", "2"), RawHead("Results", "3")]
    assert read_heads([*numbered, RawHead(text)])[-1][0].role is role


# Text


def test_a_formula_is_put_back_into_the_sentence_it_interrupts() -> None:
    paper = read(
        "<div><head>Model</head><p>The loss is</p><formula>L = x 2 <label>(3)</label></formula>"
        "<p>where x is small.</p><p>Another paragraph.</p></div>"
    )
    texts = [p.text for p in paper.passages if p.kind is PassageKind.PARAGRAPH]
    assert texts[1:] == ["The loss is L = x 2 (3) where x is small.", "Another paragraph."]


def test_a_formula_that_stands_alone_is_an_equation_with_its_label() -> None:
    paper = read("<div><p>It boils.</p><formula>a = b <label>(A.7)</label></formula><p>Then tea.</p></div>")
    assert (only(paper, PassageKind.EQUATION).label, only(paper, PassageKind.EQUATION).text) == (
        "Equation A.7",
        "a = b (A.7)",
    )


def test_a_sentence_cut_by_a_page_break_is_joined() -> None:
    paper = read("<div><p>We find that the kettle</p><p>boils at once.</p></div>")
    assert paper.passages[-1].text == "We find that the kettle boils at once."


def test_bullets_in_one_paragraph_and_list_elements_are_items() -> None:
    paper = read(
        "<div><p>• Fast boiling. • Low cost.</p><list><item>Quiet.</item><item>Small.</item></list></div>"
    )
    items = [p.text for p in paper.passages if p.kind is PassageKind.LIST_ITEM]
    assert items == ["• Fast boiling.", "• Low cost.", "Quiet.", "Small."]


def test_text_is_cleaned_of_ligatures_soft_hyphens_and_loose_space() -> None:
    paper = read(
        "<div><p>An e\ufb03\u00adcient \n\t <ref type='bibr'>[1]</ref>,\u200b   cafe\u0301.</p></div>"
    )
    assert paper.passages[-1].text == "An efficient [1], café."


def test_stray_text_between_elements_is_not_lost() -> None:
    assert read("<div><p>One.</p>Two alone.</div>").passages[-1].text == "Two alone."


def test_footnotes_follow_the_text_that_points_at_them() -> None:
    paper = read(
        '<div><p>First.<ref type="foot" target="#foot_0">1</ref></p><p>Second.</p></div>'
        '<note place="foot" n="1" xml:id="foot_0">See https://example.org/kettle.</note>'
    )
    kinds = [p.kind for p in paper.passages[1:]]
    assert kinds == [PassageKind.PARAGRAPH, PassageKind.FOOTNOTE, PassageKind.PARAGRAPH]
    assert [link.url for link in paper.links] == ["https://example.org/kettle"]


# Statements


@pytest.mark.parametrize(
    ("text", "label", "name"),
    [
        ("Theorem 3.2. Let f be convex.", "Theorem 3.2", None),
        ("Theorem 3.2 (Upper (tight) bound). Let f be convex.", "Theorem 3.2", "Upper (tight) bound"),
        ("LEMMA A.1: For all x, f(x) > 0.", "Lemma A.1", None),
        ("Theorem 2 [12]. Every kettle boils.", "Theorem 2", None),
        ("Proposition 4 Suppose that f is smooth.", "Proposition 4", None),
        ("Remark (Tightness). The bound is tight.", "Remark", "Tightness"),
        ("Informal Theorem 1. With high probability, it boils.", "Theorem 1", None),
        ("Definition. A kettle is a pot.", "Definition", None),
        ("Lemma 5. x ≤ y holds for all kettles.", "Lemma 5", None),
    ],
)
def test_statements_are_told_by_their_text(text: str, label: str, name: str | None) -> None:
    assert statement_head(text) == (label, name)


@pytest.mark.parametrize(
    "text",
    [
        "Theorem 2 shows that kettles boil.",
        "Theorem 2. where the first step used Lemma 1.",
        "Theorems 2 and 3 hold.",
        "Lemma 3 (Appendix B) implies the claim.",
        "Definition of vertex types. For any vertex, we say so.",
        "Examples of interactions are shown.",
        "Proof of concept experiments ran for a week.",
        "Setting. We boil water.",
        "Result: it boils.",
    ],
)
def test_running_text_that_names_a_statement_is_not_one(text: str) -> None:
    assert statement_head(text) is None
    assert not opens_proof(text)


def test_a_statement_inside_a_paragraph_is_taken_apart() -> None:
    text = "We need a bound. Lemma 4 (Heat). If it is hot, it boils. Proof of Lemma 4. It is hot. □"
    assert [text[i:][:8] for i in statement_starts(text)] == ["Lemma 4 ", "Proof of"]
    paper = read(f"<div><p>{text}</p></div>")
    assert [(p.kind, p.label) for p in paper.passages[1:]] == [
        (PassageKind.PARAGRAPH, None),
        (PassageKind.THEOREM, "Lemma 4"),
        (PassageKind.PROOF, None),
    ]


def test_a_statement_takes_its_formulas_and_its_list() -> None:
    paper = read(
        "<div><p>Assumption 1 (Heat). The following hold:</p><list><item>(i) it is hot;</item>"
        "<item>(ii) it is wet.</item></list><p>We use this below.</p></div>"
    )
    assert only(paper, PassageKind.THEOREM).text == (
        "Assumption 1 (Heat). The following hold: (i) it is hot; (ii) it is wet."
    )
    assert paper.passages[-1].kind is PassageKind.PARAGRAPH


def test_a_proof_goes_on_to_its_end_mark_and_no_further_without_one() -> None:
    marked = read("<div><p>Proof. It is hot.</p><p>So it boils. □</p><p>Next.</p></div>")
    assert [p.kind for p in marked.passages[1:]] == [PassageKind.PROOF] * 2 + [PassageKind.PARAGRAPH]
    unmarked = read("<div><p>Proof. It is hot.</p><p>We now turn to tea.</p></div>")
    assert [p.kind for p in unmarked.passages[1:]] == [PassageKind.PROOF, PassageKind.PARAGRAPH]


# Figures and tables

TABLE = (
    '<figure type="table" xml:id="tab_0" coords="2,100,100,200,50;2,100,160,220,20"><head>Table 1 :</head>'
    "<label>1</label><figDesc>Boiling times.</figDesc><table>"
    "<row><cell/><cell cols='2'>Seconds</cell></row><row><cell>Kettle</cell>"
    "<cell>small</cell><cell>large</cell></row>"
    "<row><cell>Ours</cell><cell>31.5</cell><cell>40.2</cell></row>"
    "<row><cell>Base</cell><cell>60.1</cell><cell/></row></table><note>Mean of 5.</note></figure>"
)


def test_table_cells_know_their_headers_and_stand_in_the_text() -> None:
    table = only(read(TABLE), PassageKind.TABLE)
    assert table.text == "Seconds\nKettle | small | large\nOurs | 31.5 | 40.2\nBase | 60.1"
    assert all(table.text[c.start : c.end] == c.text for c in table.cells)
    cell = next(c for c in table.cells if c.text == "40.2")
    assert (cell.row, cell.column, cell.row_header, cell.column_header) == (2, 2, "Ours", "Seconds / large")
    assert [c.header for c in table.cells] == [True] * 4 + [False] * 5
    assert table.boxes(0, 5) == (PageBox(page=2, box=(100, 612, 320, 692)),)


def test_a_float_follows_the_text_that_points_at_it_or_names_it() -> None:
    figure = (
        '<figure xml:id="fig_0"><head>Fig. 2 .</head><label>2</label><figDesc>Fig. 2. Tea.</figDesc></figure>'
    )
    paper = read(
        '<div><head>Results</head><p>See <ref type="table" target="#tab_0">1</ref>.</p>'
        "<p>So, Fig. 2 shows it.</p>"
        f"<p>End.</p></div>{figure}{TABLE}"
    )
    found = [(p.kind, p.label) for p in paper.passages if p.label]
    assert found == [
        (PassageKind.CAPTION, "Table 1"),
        (PassageKind.TABLE, "Table 1"),
        (PassageKind.CAPTION, "Figure 2"),
    ]
    assert {p.section for p in paper.passages if p.label} == {paper.sections[0].id}
    assert only(paper, PassageKind.FOOTNOTE).text == "Mean of 5."
    captions = [p.text for p in paper.passages if p.kind is PassageKind.CAPTION]
    assert captions == ["Table 1: Boiling times.", "Fig. 2. Tea."]


def test_a_table_without_cells_keeps_its_caption_and_a_warning() -> None:
    paper = read(
        '<figure type="table"><head>TABLE V</head><label>V</label><figDesc>TIMES.</figDesc><table/></figure>'
    )
    assert only(paper, PassageKind.CAPTION).label == "Table V"
    assert [w.message for w in paper.warnings if w.code == "table_unread"] == [
        "Table V: rows and columns not recovered"
    ]


def test_running_text_that_grobid_took_for_a_table_is_a_paragraph() -> None:
    paper = read(
        '<figure type="table"><head>Table 3</head><label>3</label>'
        "<figDesc>reports all times.</figDesc><table/></figure>"
    )
    last = paper.passages[-1]
    assert (last.kind, last.text, last.label) == (PassageKind.PARAGRAPH, "Table 3 reports all times.", None)


# Front matter and references

HEADER = (
    "<fileDesc><titleStmt><title>On  Kettles</title></titleStmt><sourceDesc><biblStruct><analytic>"
    '<author><persName><forename type="first">Ada</forename><forename type="middle">B</forename>'
    "<surname>Cole</surname></persName></author><author><email>x@example.org</email></author>"
    "<author><persName><surname>Ng</surname></persName></author></analytic></biblStruct>"
    "</sourceDesc></fileDesc>"
    "<profileDesc><abstract><div><p>We boil water.</p><p>Twice.</p></div></abstract></profileDesc>"
)


def test_title_authors_and_abstract_are_read() -> None:
    paper = read("", header=HEADER)
    assert (paper.title, paper.authors, paper.version) == ("On Kettles", ("Ada B Cole", "Ng"), "0.8.2")
    assert paper.abstract == "We boil water. Twice."
    assert [p.kind for p in paper.passages[:3]] == [
        PassageKind.TITLE,
        PassageKind.ABSTRACT,
        PassageKind.ABSTRACT,
    ]
    assert paper.sections[0].kind is SectionKind.ABSTRACT


def test_references_have_text_label_doi_arxiv_and_links() -> None:
    entries = (
        '<biblStruct xml:id="b0" coords="2,50,700,200,9"><analytic><title type="main">Tea</title></analytic>'
        '<note type="raw_reference">A. Cole. Tea brew- ing. doi:10.5555/abc.1, 2030.</note></biblStruct>'
        '<biblStruct xml:id="b1"><analytic><title type="main">Coffee</title><author>'
        "<persName><forename>B</forename>"
        "<surname>Dee</surname></persName></author></analytic><monogr>"
        '<idno type="arXiv">arXiv:2501.00001v2</idno>'
        '<ptr target="https://example.org/c"/><imprint><date when="2031-02">2031</date>'
        "</imprint></monogr></biblStruct>"
    )
    body = (
        "<div>"
        '<p>As in <ref type="bibr" target="#b0">[7]</ref> and '
        '<ref type="bibr" target="#b1">[8,</ref>.</p></div>'
    )
    paper = read(body, f'<div type="references"><listBibl>{entries}</listBibl></div>')
    first, second = paper.references
    assert (first.label, first.text, first.doi) == (
        "7",
        "A. Cole. Tea brewing. doi:10.5555/abc.1, 2030.",
        "10.5555/abc.1",
    )
    assert first.page == 2
    assert (second.label, second.arxiv) == ("8", "2501.00001v2")
    assert second.text == "B Dee. Coffee. arXiv:2501.00001v2. 2031"
    assert [link.url for link in paper.links] == ["https://example.org/c"]
    assert paper.sections[-1].kind is SectionKind.REFERENCES


def test_a_marked_link_has_its_words_and_box() -> None:
    paper = read(
        "<div>"
        '<p>Code is <ref type="url" target="https://example.org/k" coords="1,90,10,30,10">'
        "here</ref>.</p></div>"
    )
    (link,) = paper.links
    assert (link.url, link.text, link.page, link.box) == (
        "https://example.org/k",
        "here",
        1,
        (90, 772, 120, 782),
    )


# Places


def test_coordinates_are_turned_to_our_origin_and_cut_to_the_page() -> None:
    frames = {1: (10.0, 20.0, 610.0, 820.0)}
    assert boxes_of("1,5,10,100,20", frames) == [PageBox(page=1, box=(15, 790, 115, 810))]
    assert boxes_of("1,590,10,100,20", frames)[0].box[2] == 610
    assert boxes_of("2,5,10,1,1;1,900,1,5,5;1,nan,1,5,5;1,1,1;x;;1,5,10,-4,5", frames) == []


def test_page_sizes_come_from_the_facsimile() -> None:
    tei = load_tei(
        b'<TEI><facsimile><surface n="1" ulx="0.0" uly="0.0" lrx="595" lry="842"/>'
        b'<surface n="x"/></facsimile></TEI>'
    )
    assert surface_frames(tei) == {1: (0, 0, 595, 842)}


def test_sentences_with_boxes_count_more_than_their_paragraph() -> None:
    paper = read(
        '<div><p coords="1,0,0,600,700"><s coords="1,50,100,200,10">It boils.</s>'
        '<s coords="1,50,112,80,10">Twice.</s></p></div>'
    )
    passage = paper.passages[-1]
    assert passage.text == "It boils. Twice."
    assert passage.boxes(10, 16) == (PageBox(page=1, box=(50, 670, 130, 680)),)


def test_text_without_coordinates_has_no_boxes_and_a_warning_says_so() -> None:
    paper = read("")
    assert not any(p.spans for p in paper.passages)
    assert "no_boxes" in {w.code for w in paper.warnings}


@given(st.text("ab ", min_size=1, max_size=200), st.lists(st.floats(1, 500), min_size=1, max_size=12))
def test_spread_spans_are_in_order_and_cover_the_text(text: str, widths: list[float]) -> None:
    boxes = [PageBox(page=1, box=(0, 700 - 12 * i, w, 710 - 12 * i)) for i, w in enumerate(widths)]
    spans = spread(text, 0, len(text), boxes)
    assert [s.start for s in spans] == [0, *(s.end for s in spans[:-1])]
    assert spans[-1].end == len(text)
    assert all(s.start < s.end for s in spans)


# Ids, limits, hostile files


def test_ids_come_from_content() -> None:
    body = "<div><head>Results</head><p>Same words.</p><p>Same words.</p></div>"
    paper, again = read(body), read(f"<div><p>Put before.</p></div>{body}")
    twice = [p.id for p in paper.passages if p.text == "Same words."]
    assert twice == [p.id for p in again.passages if p.text == "Same words."]
    assert twice[1] == f"{twice[0]}-2"
    assert twice[0] == Identities().passage(PassageKind.PARAGRAPH, "Same words.")


def test_text_beyond_the_limit_is_left_out_with_a_warning() -> None:
    paper = read("<div><p>Too much.</p></div>", limits=Limits(paper_chars=90))
    assert [p.kind for p in paper.passages] == [PassageKind.PARAGRAPH]
    assert "truncated" in {w.code for w in paper.warnings}


@pytest.mark.parametrize(
    ("xml", "kind", "words"),
    [
        ('<!DOCTYPE TEI [<!ENTITY e "x">]><TEI>&e;</TEI>', ParseFailed, "DTD"),
        ('<!DOCTYPE TEI SYSTEM "http://127.0.0.1:9/x.dtd"><TEI/>', ParseFailed, "DTD"),
        ("<TEI>" + "<p>" * 100 + "</p>" * 100 + "</TEI>", LimitReached, "deeper"),
        ('<?xml version="1.0" encoding="UTF-7"?><TEI/>', ParseFailed, "encoding"),
        ("<TEI><text>", ParseFailed, "not well-formed"),
        ("<html/>", ParseFailed, "not TEI"),
        ("", ParseFailed, "not well-formed"),
    ],
)
def test_xml_that_is_not_safe_or_not_tei_is_refused(xml: str, kind: type[ParseFailed], words: str) -> None:
    with pytest.raises(ParseFailed, match=words) as caught:
        load_tei(xml.encode())
    assert type(caught.value) is kind


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda t: f"<TEI>{t}</TEI>".encode()))
def test_any_bytes_are_read_or_refused_with_a_typed_error(data: bytes) -> None:
    try:
        read_tei(load_tei(data), FRAMES, Limits())
    except ParseFailed:
        return


HOSTILE = {
    "control": None,
    "html_injection": None,
    "huge_attr": None,
    "xxe_file": ParseFailed,
    "xxe_http": ParseFailed,
    "external_dtd": ParseFailed,
    "billion_laughs": ParseFailed,
    "quadratic_blowup": ParseFailed,
    "truncated": ParseFailed,
    "empty_200": ParseFailed,
    "utf7": ParseFailed,
    "deep_100k": LimitReached,
    "no_body": NoText,
    "xinclude": NoText,
}


@pytest.mark.parametrize(("name", "kind"), HOSTILE.items())
def test_hostile_tei_ends_as_documented(shared: Path, name: str, kind: type[ParseFailed] | None) -> None:
    data = (shared / "hostile" / "made" / f"tei_{name}.xml").read_bytes()
    if kind is None:
        paper = read_tei(load_tei(data), {}, Limits())
        assert 0 < len(paper.title) <= 1000
        return
    with pytest.raises(ParseFailed) as caught:
        read_tei(load_tei(data), {}, Limits())
    assert type(caught.value) is kind


# Real files


@cache
def real(path: Path) -> tuple[Element, TeiPaper]:
    tei = load_tei(path.read_bytes())
    return tei, read_tei(tei, surface_frames(tei), Limits())


def entries(shared: Path) -> list[dict[str, int | str]]:
    lines = (shared / "tei" / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_all_real_files_are_read_with_their_references_tables_and_abstracts(shared: Path) -> None:
    found = entries(shared)
    assert len(found) == 35
    for entry in found:
        tei, paper = real(shared / "tei" / str(entry["file"]))
        assert len(paper.references) == entry["bibl"], entry["file"]
        assert bool(paper.abstract) == bool(entry["abstract"]), entry["file"]
        assert paper.version.startswith(str(entry["grobid"])), entry["file"]
        assert len(list(tei.iterfind("text//figure[@type='table']"))) == entry["tables"], entry["file"]
        cells = sum(bool(fold("".join(c.itertext())).strip()) for c in tei.iter("cell"))
        read_cells = sum(len(p.cells) for p in paper.passages)
        unread = sum(
            len(p.text.split()) for p in paper.passages if p.kind is PassageKind.TABLE and not p.cells
        )
        assert read_cells <= cells <= read_cells + unread + 40, entry["file"]


def test_every_head_of_a_real_file_is_a_section_a_passage_or_the_start_of_one(shared: Path) -> None:
    for entry in entries(shared):
        tei, paper = real(shared / "tei" / str(entry["file"]))
        heads = [
            h
            for place in ("text/body", "text/back")
            for x in tei.iterfind(place)
            for h in x.iterfind(".//div/head")
        ]
        assert len(list(tei.iter("head"))) >= int(entry["heads"]), entry["file"]
        texts = " ".join(re.sub(r"\W", "", p.text) for p in paper.passages)
        for head in heads:
            words = re.sub(r"\W", "", fold("".join(head.itertext())))
            furniture = re.match(r"(?i)publishedas|preprint|arxiv\d", words)
            assert words in texts or furniture, (entry["file"], words)


def test_no_letter_of_the_text_of_real_files_is_lost_or_doubled(shared: Path) -> None:
    for entry in entries(shared):
        tei, paper = real(shared / "tei" / str(entry["file"]))
        source: Counter[str] = Counter()
        for element in tei.iterfind("text//div/p"):
            source.update(c for c in fold("".join(element.itertext())) if c.isalnum())
        kinds = {PassageKind.TITLE, PassageKind.ABSTRACT, PassageKind.REFERENCE}
        read_text = Counter(c for p in paper.passages if p.kind not in kinds for c in p.text if c.isalnum())
        assert not source - read_text, entry["file"]


def test_boxes_of_real_files_lie_on_their_pages_and_spans_in_their_text(shared: Path) -> None:
    placed = 0
    for entry in entries(shared):
        tei, paper = real(shared / "tei" / str(entry["file"]))
        frames = surface_frames(tei)
        for passage in paper.passages:
            for span in passage.spans:
                placed += 1
                x0, y0, x1, y1 = frames[span.page]
                assert x0 <= span.box[0] < span.box[2] <= x1 and y0 <= span.box[1] < span.box[3] <= y1
                assert 0 <= span.start < span.end <= len(passage.text)
            assert all(passage.text[c.start : c.end] == c.text for c in passage.cells)
    assert placed > 200


def test_ids_of_real_files_are_unique_and_resolve(shared: Path) -> None:
    for entry in entries(shared):
        _, paper = real(shared / "tei" / str(entry["file"]))
        sections = [s.id for s in paper.sections]
        assert len(set(sections)) == len(sections)
        assert len({p.id for p in paper.passages}) == len(paper.passages)
        assert {p.section for p in paper.passages} - {None} <= set(sections)
        assert {s.parent for s in paper.sections} - {None} <= set(sections)
