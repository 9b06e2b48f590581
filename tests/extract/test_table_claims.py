from __future__ import annotations

from claimdex.claim import BenchmarkDetails
from claimdex.extract.rules.main_text import main_text
from claimdex.extract.rules.names import PaperNames
from claimdex.extract.rules.table_claims import table_drafts
from claimdex.paper import Cell, Paper, ParserInfo, Passage, PassageKind, Source


def table(rows: list[list[str]]) -> Passage:
    """A table passage; the first row and column are headers."""
    cells, lines, at = [], [], 0
    for i, row in enumerate(rows):
        lines.append(" | ".join(row))
        for j, text in enumerate(row):
            cells.append(
                Cell(
                    row=i,
                    column=j,
                    text=text,
                    header=i == 0,
                    row_header=rows[i][0] if j else "",
                    column_header=rows[0][j],
                    start=at,
                    end=at + len(text),
                )
            )
            at += len(text) + (3 if j + 1 < len(row) else 1)
    return Passage(id="t", kind=PassageKind.TABLE, text="\n".join(lines), label="Table 1", cells=tuple(cells))


def texts(rows: list[list[str]], caption: str, own: tuple[str, ...] = ()) -> list[str]:
    paper = Paper(
        paper_id="sha256:0",
        title="A paper",
        source=Source(sha256="0", pages=1),
        parser=ParserInfo(name="test", version="0"),
        passages=(table(rows), Passage(id="c", kind=PassageKind.CAPTION, text=caption, label="Table 1")),
    )
    drafts = table_drafts(paper, PaperNames(own=own), main_text(paper))
    for draft in drafts:
        assert isinstance(draft.details, BenchmarkDetails)
        assert all(paper.passage(p).text[a:b].strip() for p, a, b in draft.spans)
    return [d.text for d in drafts]


ROWS = [
    ["Method", "Alpha", "Beta"],
    ["Adam [3]", "71.2", "60.0"],
    ["SGD", "69.9", "63.5"],
    ["Swift (ours)", "74.9", "62.1"],
]
CAPTION = "Table 1: Test accuracy of all methods."


def test_the_own_row_is_set_against_the_best_other_one() -> None:
    assert texts(ROWS, CAPTION) == [
        "Swift reaches 74.9 test accuracy on Alpha (Table 1), against 71.2 for Adam.",
        "Swift reaches 62.1 test accuracy on Beta (Table 1), against 63.5 for SGD.",
    ]


def test_methods_may_stand_in_columns() -> None:
    turned = [list(row) for row in zip(*ROWS, strict=True)]
    assert texts(turned, CAPTION) == texts(ROWS, CAPTION)


def test_where_lower_is_better_the_lowest_other_value_counts() -> None:
    assert "against 69.9 for SGD" in texts(ROWS, "Table 1: Word error of all methods.")[0]


def test_without_an_own_row_a_metric_or_unique_headers_nothing_is_said() -> None:
    nameless = [*ROWS[:3], ["Swift", "74.9", "62.1"]]
    assert texts(nameless, CAPTION) == []
    assert len(texts(nameless, CAPTION, own=("Swift",))) == 2
    assert texts(ROWS, "Table 1: Numbers.") == []
    assert texts([*ROWS, ROWS[1]], CAPTION) == []


def test_two_own_rows_are_ambiguous() -> None:
    assert texts([*ROWS, ["Swift-2 (ours)", "75.0", "62.2"]], CAPTION) == []


def test_oracles_are_no_rivals_and_a_table_gives_five_claims_at_most() -> None:
    wide = [["Method", *(f"Set-{i}" for i in "ABCDEFG")], ["Oracle", *["99.0"] * 7], ["Adam", *["71.2"] * 7]]
    said = texts([*wide, ["Swift (ours)", *["74.9"] * 7]], CAPTION)
    assert len(said) == 5 and all("for Adam" in s for s in said)
