"""Reports hold every claim, and foreign text in them is shown and never obeyed."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimdex.errors import BadInput
from claimdex.eval.comparing import agreement, compare
from claimdex.eval.gold import GoldPaper, load_gold
from claimdex.eval.predictions import PredictedPaper
from claimdex.eval.report import rendered, write_report
from claimdex.eval.results import Report
from claimdex.eval.scoring import report_on

GOLD = Path(__file__).parents[2] / "data" / "gold"
VOID = {"meta", "input", "br", "i"}
TAGS = """html head meta title style body h1 h2 p div span b i a table tr th td label input details summary
    blockquote svg g rect path circle text"""
KNOWN = set(TAGS.split())


class Page(HTMLParser):
    """Checks that tags are known, balanced and quiet, and gathers the text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in KNOWN, tag
        for name, value in attrs:
            assert not name.startswith("on") and name not in ("src", "style", "srcdoc")
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")
        if tag not in VOID - {"i"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def predictions(papers: list[GoldPaper]) -> dict[str, PredictedPaper]:
    """Gold with some claims dropped, some invented, some re-typed, and all ranked."""
    found = {}
    for paper in papers:
        record: dict[str, Any] = paper.model_dump(mode="json")
        extra = {**record["claims"][0], "id": "x", "text": "Zebra wins 12345 games.", "evidence": []}
        record["claims"] = [extra, *record["claims"][3:]]
        for i, claim in enumerate(record["claims"], 1):
            claim["rank"] = i
        record["claims"][2]["type"] = "resource"
        found[paper.paper.sha256] = PredictedPaper.model_validate(record)
    return found


@pytest.fixture(scope="module")
def report() -> Report:
    papers = load_gold(GOLD)
    return report_on(papers, predictions(papers), ("gold", "run-7"))


def test_the_page_shows_every_claim_and_quote_and_asks_for_nothing(report: Report) -> None:
    source = rendered(report, ".html")
    page = Page(source)
    for paper in report.papers:
        sides = [s for m in paper.pairs for s in (m.gold, m.predicted)]
        sides += [u.claim for u in (*paper.misses, *paper.false_alarms)]
        for side in sides:
            assert " ".join(side.text.split()) in page.text
            assert all(" ".join(q.text.split()) in page.text for q in side.quotes)
    assert set(page.links) <= {f"#{i}" for i in page.ids}
    assert len(page.ids) == len(set(page.ids))
    assert "http" not in re.sub(r">[^<]*<", "><", source).replace("http-equiv", "")
    assert "url(" not in source and "@import" not in source
    assert "prefers-color-scheme:dark" in source
    assert source.count('class="plot"') == 3


def test_the_report_is_readable_again_from_its_json(report: Report, tmp_path: Path) -> None:
    write_report(report, tmp_path / "r.json")
    assert Report.model_validate_json((tmp_path / "r.json").read_text("utf-8")) == report


def test_markdown_tables_have_equal_rows(report: Report) -> None:
    text = rendered(report, ".md")
    for block in text.split("\n\n"):
        if block.startswith("|"):
            widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
            assert len(widths) == 1
    assert "| Recall | 83.7% |" in text


def test_comparisons_and_agreements_have_markdown_and_json_but_no_page() -> None:
    for result in (compare(GOLD, GOLD, GOLD), agreement(GOLD, GOLD)):
        assert "| F1 | 100.0% |" in rendered(result, ".md")
        assert json.loads(rendered(result, ".json"))["papers"] == 5
        with pytest.raises(BadInput, match=r"cannot write"):
            rendered(result, ".html")


def test_an_unknown_ending_is_refused(report: Report, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"as '\.pdf'"):
        write_report(report, tmp_path / "r.pdf")
    with pytest.raises(BadInput, match="file without ending"):
        write_report(report, tmp_path / "r")
    assert list(tmp_path.iterdir()) == []


HOSTILE = st.one_of(
    st.text(min_size=1, max_size=30),
    st.sampled_from(
        [
            "<script>alert(1)</script>",
            "</title></style><img src=x onerror=alert(1)>",
            "\" onload='x' \x00\u202e<b>",
            "a | b\n# c [x](javascript:alert(1)) `d` &lt;",
        ]
    ),
)


@given(st.lists(HOSTILE, min_size=6, max_size=6))
@settings(max_examples=30)
def test_hostile_text_stays_text_in_page_and_tables(words: list[str]) -> None:
    key, title, text, quote, label, kind = words
    evidence = [{"page": 1, "quote": quote}]
    claim = {"id": text, "text": text, "type": "theorem", "evidence": evidence, "details": {"label": label}}
    paper = {"key": key, "title": title, "sha256": "ab" * 32}
    gold = GoldPaper.model_validate({"paper": paper, "claims": [claim]})
    other = {**claim, "text": quote, "type": kind, "rank": 1}
    for claims in ([claim], [{**claim, "type": kind}, other], [other]):
        predicted = PredictedPaper.model_validate({"paper": paper, "claims": claims})
        report = report_on([gold], {"ab" * 32: predicted}, (key, title))
        page = Page(rendered(report, ".html"))
        assert set(page.ids) == {"paper-0", "pairs", "misses", "alarms"}
        assert not set("\x00\u202e") & set(rendered(report, ".html"))
        table = next(b for b in rendered(report, ".md").split("\n\n") if b.startswith("| paper"))
        assert len(table.splitlines()) == 3
        assert not re.search(r"(?<!\\)[<`\[]", table)
