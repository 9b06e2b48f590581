"""Every PDF of the hostile collection ends in a documented status, and harms nobody."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from claimdex.errors import BY_CODE, ClaimdexError
from claimdex.extract.bulk.workers import run_one
from claimdex.extract.parsing import parse_pdf
from claimdex.paper import Paper, PaperRef
from claimdex.settings import Limits, Settings

pytestmark = [pytest.mark.slow, pytest.mark.timeout(200)]

HOSTILE = Path(__file__).parents[3] / "shared" / "hostile"
REFUSED = {"not_a_pdf", "damaged_pdf", "needs_password"}
PASSWORD = {"needs_password"}
STOPPED = {"limit_reached", "worker_died"}
NO_PAPER = {"no_text"}
EXPECTED = {
    "need-password": PASSWORD,
    "no_text or needs_password": PASSWORD | NO_PAPER,
    "refuse: needs_password, no retry": PASSWORD,
    "refuse": REFUSED,
    "refuse: not_a_pdf": {"not_a_pdf"},
    "refuse: empty_file": {"not_a_pdf"},
    "refuse: not_a_pdf; LaTeX is never compiled": {"not_a_pdf"},
    "refuse or no_text": REFUSED | NO_PAPER,
    "refuse or partial": REFUSED | NO_PAPER | {"ok"},
    "refuse or partial; never cached as done": REFUSED,
    "page cap; status no_text": NO_PAPER,
    "text-poor": NO_PAPER | {"ok"},
    "limit": STOPPED | NO_PAPER,
    "stopped by memory/time limit; typed error; other documents go on": STOPPED,
    "time limit; typed error": STOPPED,
    "ok: the true claim is found, no flag": {"ok"},
}
"""Statuses that some of the manifest's words allow; the rest may be read or refused, as long as it ends."""
ANY = {"ok", *REFUSED, *NO_PAPER, *STOPPED}


def manifest() -> list[dict[str, Any]]:
    path = HOSTILE / "manifest.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return [row for row in rows if row["file"].lower().endswith(".pdf")]


def rows_with(*fields: str) -> list[Any]:
    """Files with one of these fields."""
    rows = [row for row in manifest() if any(row.get(field) for field in fields)]
    params = [pytest.param(row, id=row["file"]) for row in rows]
    nothing: dict[str, Any] = {}
    missing = pytest.param(nothing, marks=pytest.mark.skip("no hostile files beside the checkout"), id="none")
    return params or [missing]


@cache
def outcome(file: str) -> Paper | ClaimdexError:
    """What comes of a file in a child process of its own, with the limits a user has by default."""
    settings = Settings(limits=Limits())
    try:
        return run_one(parse_pdf, (HOSTILE / file, PaperRef(), settings), settings.limits)
    except ClaimdexError as error:
        return error


def squeezed(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def shown(paper: Paper) -> str:
    """All that a model, an index or a reader gets of a paper."""
    return paper.model_copy(update={"passages": paper.visible_passages()}).model_dump_json()


@pytest.mark.parametrize("row", rows_with("file"))
def test_every_file_ends_in_a_status_its_manifest_allows(row: dict[str, Any]) -> None:
    found = outcome(row["file"])
    status = "ok" if isinstance(found, Paper) else found.code
    assert status == "ok" or status in BY_CODE
    assert status in EXPECTED.get(row["expected"], ANY), found
    if isinstance(found, ClaimdexError):
        assert found.message
        assert "\n" not in found.message


@pytest.mark.parametrize(
    "row",
    rows_with("canary", "must_not_contain"),
)
def test_hidden_text_reaches_no_visible_part_of_the_paper(row: dict[str, Any]) -> None:
    found = outcome(row["file"])
    assert isinstance(found, Paper)
    for phrase in (row.get("canary"), row.get("must_not_contain")):
        assert not phrase or squeezed(phrase) not in squeezed(shown(found))


@pytest.mark.parametrize("row", rows_with("true_claim"))
def test_the_visible_claim_of_a_readable_file_is_read(row: dict[str, Any]) -> None:
    found = outcome(row["file"])
    if isinstance(found, Paper):
        assert any(squeezed(row["true_claim"]) in squeezed(p.text) for p in found.visible_passages())


@pytest.mark.parametrize("row", [p for p in rows_with("file") if "hidden_text" in str(p.values[0])])
def test_hidden_text_is_flagged_in_neutral_words(row: dict[str, Any]) -> None:
    if not row["expected"].startswith("flag hidden_text"):
        pytest.skip("the manifest asks for no flag")
    found = outcome(row["file"])
    assert isinstance(found, Paper)
    assert {w.message for w in found.warnings if w.code == "hidden_text"} == {"hidden text found"}


@pytest.mark.parametrize("row", rows_with("must_not_contain_codepoints"))
def test_invisible_characters_reach_no_visible_text(row: dict[str, Any]) -> None:
    found = outcome(row["file"])
    assert isinstance(found, Paper)
    low, high = (int(bound.removeprefix("U+"), 16) for bound in row["must_not_contain_codepoints"].split("-"))
    assert not any(low <= ord(c) <= high for p in found.visible_passages() for c in p.text)


def test_no_text_of_a_readable_file_holds_controls_or_surrogates() -> None:
    if not manifest():
        pytest.skip("no hostile files beside the checkout")
    for row in manifest():
        found = outcome(row["file"])
        if isinstance(found, Paper):
            text = "".join(p.text for p in found.passages) + found.title
            wrong = {c for c in text if (ord(c) < 0x20 and c != "\n") or 0xD800 <= ord(c) < 0xE000}
            assert not wrong, row["file"]
