from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimdex.extract.pdf.render import PageImage, encode_png, render_pages
from claimdex.paper import (
    Cell,
    Link,
    Paper,
    ParserInfo,
    Passage,
    PassageKind,
    Rect,
    Section,
    Source,
    Span,
)
from claimdex.serve import overlay
from claimdex.serve.overlay import overlay_html, regions, turned
from claimdex.serve.overlay_assets import COLOURS
from claimdex.settings import Limits

Sample = Callable[[str], Paper]
SAMPLES = Path(__file__).parents[2] / "data" / "papers"
PAGE: Rect = (0.0, 0.0, 600.0, 800.0)
VOID = {"meta", "img", "input"}


class Html(HTMLParser):
    """Elements of a page as (tag, attributes), its text, and whether tags are balanced."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(source)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {k: v or "" for k, v in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {k: v or "" for k, v in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def ids(self) -> list[str]:
        return [a["id"] for _, a in self.elements if "id" in a]

    def boxes(self, kind: str) -> list[dict[str, str]]:
        return [a for t, a in self.elements if t in ("a", "g") and f"k-{kind}" in a.get("class", "").split()]


def paper(*passages: Passage, title: str = "A title", pages: int = 1, links: tuple[Link, ...] = ()) -> Paper:
    return Paper(
        paper_id="sha256:0",
        title=title,
        source=Source(sha256="0", pages=pages),
        parser=ParserInfo(name="pdf", version="1"),
        sections=(Section(id="s1", number="2", title="Method", level=1, page=1),),
        passages=passages,
        links=links,
    )


def passage(text: str, *boxes: Rect, identity: str = "p1", page: int = 1, visible: bool = True) -> Passage:
    spans = tuple(Span(start=0, end=len(text), page=page, box=box) for box in boxes)
    kind = PassageKind.PARAGRAPH
    return Passage(id=identity, kind=kind, text=text, section="s1", spans=spans, visible=visible)


@pytest.mark.parametrize("stem", ["pellicle-shell", "label-noise-rankers"])
def test_every_passage_with_a_place_has_one_box_and_one_entry_that_lead_to_each_other(
    stem: str, sample: Sample
) -> None:
    read = sample(stem)
    page = Html(overlay_html(read, render_pages(SAMPLES / f"{stem}.pdf", Limits(), width_px=60)))
    ids = page.ids()
    assert max(Counter(ids).values()) == 1
    assert [i for i in ids if i.startswith("p-")] == [f"p-{p.id}" for p in read.passages]
    hrefs = {a["href"] for t, a in page.elements if t == "a"}
    assert {h.removeprefix("#") for h in hrefs} <= set(ids)
    for one in read.passages:
        assert {f"#b-{one.id}", f"#p-{one.id}"} <= hrefs
        assert one.text[:60].replace("\n", "") in page.text.replace("\n", "")


def test_boxes_of_a_sample_lie_on_their_pages(sample: Sample) -> None:
    images = render_pages(SAMPLES / "pellicle-shell.pdf", Limits(), width_px=60)
    page = Html(overlay_html(sample("pellicle-shell"), images))
    width, height = images[0].size
    placed = [a for t, a in page.elements if t == "rect" and "x" in a]
    assert len(placed) > 100
    for rect in placed:
        assert 0 <= float(rect["x"]) <= float(rect["x"]) + float(rect["width"]) <= width
        assert 0 <= float(rect["y"]) <= float(rect["y"]) + float(rect["height"]) <= height


def test_hidden_text_is_marked_in_the_list_and_on_the_page(sample: Sample) -> None:
    images = render_pages(SAMPLES / "label-noise-rankers.pdf", Limits(), width_px=60)
    page = Html(overlay_html(sample("label-noise-rankers"), images))
    assert page.boxes("hidden")
    assert any(t == "input" and a["id"] == "show-hidden" for t, a in page.elements)
    assert "hidden_text: hidden text found" in page.text


def test_the_page_loads_and_runs_nothing_but_its_own() -> None:
    source = overlay_html(paper(passage("x", (0, 0, 9, 9))), [PageImage(1, PAGE)])
    page = Html(source)
    policy = next(a["content"] for t, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"https?://|\son\w+=|\sstyle=", source)
    assert [t for t, _ in page.elements].count("script") == 1


EVIL = "</p></li></script><script>alert(1)</script><img src=x onerror=alert(2)>\"' & \x00\ud800"


def test_text_of_a_paper_never_becomes_markup() -> None:
    cell = Cell(row=0, column=0, text=EVIL, row_header=EVIL, column_header=EVIL, start=0, end=len(EVIL))
    span = Span(start=0, end=len(EVIL), page=1, box=(0, 0, 50, 9))
    table = Passage(
        id='"><b>', kind=PassageKind.TABLE, text=EVIL, label=EVIL, name=EVIL, spans=(span,), cells=(cell,)
    )
    link = Link(url=f"javascript:{EVIL}", page=1, box=(0, 0, 9, 9))
    source = overlay_html(paper(table, title=EVIL, links=(link,)), [PageImage(1, PAGE, note=EVIL)])
    page = Html(source)
    assert source.encode()
    tags = Counter(t for t, _ in page.elements)
    assert (tags["script"], tags["img"], tags["b"]) == (1, 0, 0)
    assert all(a["href"].startswith("#") for t, a in page.elements if "href" in a)
    assert "alert(1)" in page.text


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_and_id_give_a_well_formed_page(text: str, identity: str) -> None:
    made = passage(text, (0, 0, 9, 9), identity=identity)
    page = Html(overlay_html(paper(made, title=text), [PageImage(1, PAGE)]))
    assert len(page.boxes("paragraph")) == 1


def test_a_passage_over_two_columns_has_a_box_in_each() -> None:
    made = passage("x", (50, 100, 250, 110), (50, 88, 250, 98), (320, 700, 520, 710), (320, 688, 400, 698))
    assert [r.box for r in regions(made)] == [(50, 88, 250, 110), (320, 688, 520, 710)]


def test_pieces_of_one_line_and_scripts_within_it_are_one_box() -> None:
    made = passage("x", (50, 100, 100, 110), (180, 100, 250, 110), (120, 104, 126, 109))
    assert [r.box for r in regions(made)] == [(50, 100, 250, 110)]


def test_a_box_tells_kind_label_and_section() -> None:
    span = Span(start=0, end=3, page=1, box=(0, 0, 9, 9))
    made = Passage(
        id="p1", kind=PassageKind.THEOREM, text="abc", label="Lemma 2", section="s1", spans=(span,)
    )
    (box,) = [
        a for a in Html(overlay_html(paper(made), [PageImage(1, PAGE)])).boxes("theorem") if "href" in a
    ]
    assert box["aria-label"] == "theorem Lemma 2 in 2 Method"


def test_cells_of_a_table_are_drawn_with_their_headers(sample: Sample) -> None:
    read = sample("label-noise-rankers")
    images = render_pages(SAMPLES / "label-noise-rankers.pdf", Limits(), width_px=60)
    page = Html(overlay_html(read, images))
    assert len(page.boxes("cell")) >= sum(bool(c.text) for p in read.passages for c in p.cells)
    assert "300M | 20%: 45.4" in page.text


def test_pages_that_are_not_there_are_said_to_be_missing_and_get_no_dead_links() -> None:
    made = passage("far", (0, 0, 9, 9), page=7)
    page = Html(overlay_html(paper(made, pages=9), [PageImage(1, PAGE)]))
    assert "1 of 9 pages are shown" in page.text
    assert "#b-p1" not in {a.get("href") for _, a in page.elements}


def test_a_page_that_was_not_drawn_says_why_and_keeps_its_boxes() -> None:
    image = PageImage(1, PAGE, note="not drawn: too large")
    page = Html(overlay_html(paper(passage("x", (0, 0, 9, 9))), [image]))
    assert "not drawn: too large" in page.text
    assert len([a for a in page.boxes("paragraph") if "href" in a]) == 1


def test_pictures_beyond_the_size_cap_are_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    png = encode_png(np.full((4, 4, 3), 255, np.uint8))
    monkeypatch.setattr(overlay, "MAX_IMAGE_BYTES", len(png))
    page = Html(overlay_html(paper(pages=2), [PageImage(1, PAGE, png=png), PageImage(2, PAGE, png=png)]))
    assert [t for t, _ in page.elements].count("img") == 1
    assert page.text.count("picture left out") == 1


def test_every_kind_of_passage_has_a_colour() -> None:
    assert {k.value for k in PassageKind} <= set(COLOURS)


@pytest.mark.parametrize(
    ("rotation", "expected"),
    [
        (0, (10, 160, 30, 180)),
        (90, (20, 10, 40, 30)),
        (180, (70, 20, 90, 40)),
        (270, (160, 70, 180, 90)),
    ],
)
def test_boxes_turn_with_the_page(rotation: int, expected: Rect) -> None:
    assert turned((10, 20, 30, 40), (0, 0, 100, 200), rotation) == expected


def test_making_the_page_loads_no_pdf_engine() -> None:
    code = "import sys, claimdex.serve.overlay; print('pypdfium2' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_the_same_paper_gives_the_same_page(sample: Sample) -> None:
    images = render_pages(SAMPLES / "osprel-attention.pdf", Limits(), width_px=60)
    assert overlay_html(sample("osprel-attention"), images) == overlay_html(
        sample("osprel-attention"), images
    )
