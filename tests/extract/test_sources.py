from __future__ import annotations

import json
import os
import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from claimdex.errors import BadInput, ClaimdexError, NotFound
from claimdex.extract.bulk.manifests import Problem, printable
from claimdex.extract.bulk.sources import Sources, read_sources
from claimdex.paper import PaperRef

HEADER = "pdf,openreview,arxiv,doi,submission,title,authors,venue,year,version,url"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.pdf").write_bytes(f"%PDF-1.7 {name * (ord(name) - 90)}".encode())
    return tmp_path


def manifest(folder: Path, text: str | bytes, name: str = "papers.csv") -> Sources:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_sources([path])


def names(sources: Sources) -> list[str]:
    return [paper.pdf.name for paper in sources.papers]


def errors(sources: Sources) -> list[tuple[str, str, str]]:
    return [(p.where, p.code, p.message) for p in sources.problems if p.level == "error"]


def warnings(sources: Sources) -> list[str]:
    return [f"{p.where}: {p.message}" for p in sources.problems if p.level == "warning"]


def test_a_folder_is_searched_to_the_bottom_in_a_fixed_order(folder: Path) -> None:
    (folder / "sub" / "deep").mkdir(parents=True)
    (folder / "sub" / "deep" / "d.PDF").write_bytes(b"%PDF d")
    (folder / "notes.txt").touch()
    (folder / "._a.pdf").write_bytes(b"resource fork")
    (folder / ".trash").mkdir()
    (folder / ".trash" / "old.pdf").write_bytes(b"%PDF old")
    (folder / "folder.pdf").mkdir()
    sources = read_sources([folder])
    assert names(sources) == ["a.pdf", "b.pdf", "c.pdf", "d.PDF"]
    assert all(paper.ref == PaperRef() for paper in sources.papers)
    assert sources.problems == ()


def test_a_pdf_can_be_given_by_itself(folder: Path) -> None:
    assert names(read_sources([folder / "b.pdf", folder / "a.pdf"])) == ["b.pdf", "a.pdf"]


def test_a_row_gives_ids_and_metadata(folder: Path) -> None:
    text = (
        f"{HEADER}\na.pdf,NJes6aeTem,2409.07653v2,10.1000/XYZ,1234,On  Things,Ann A; Bob B,ICML,2026,,"
        "https://example.org/a?x=1\n"
    )
    (paper,) = manifest(folder, text).papers
    assert paper.pdf == folder / "a.pdf"
    assert paper.where == "papers.csv:2"
    assert paper.ref == PaperRef(
        paper_id="openreview:NJes6aeTem",
        aliases=("arxiv:2409.07653v2", "doi:10.1000/xyz", "submission:1234"),
        title="On Things",
        authors=("Ann A", "Bob B"),
        venue="ICML",
        year=2026,
        version="v2",
        url="https://example.org/a?x=1",
    )


def test_json_lines_say_the_same_as_a_table(folder: Path) -> None:
    row = {
        "pdf": "a.pdf",
        "openreview": "NJes6aeTem",
        "submission": 1234,
        "authors": ["Ann A", "Bob B"],
        "year": 2026,
        "venue": None,
        "doi": float("nan"),
    }
    table = "pdf,openreview,submission,authors,year\na.pdf,NJes6aeTem,1234,Ann A; Bob B,2026.0\n"
    lines = manifest(folder, json.dumps(row) + "\n\n", "papers.jsonl")
    assert lines.papers[0].ref == manifest(folder, table).papers[0].ref
    assert lines.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        b'\xef\xbb\xbfpdf,title\r\na.pdf,"One, ""two"""\r\n',
        b'pdf;title\na.pdf;"One, ""two"""\n',
        b"PDF\t Title \na.pdf\tOne, \xe2\x80\x9ctwo\xe2\x80\x9d",
    ],
    ids=["BOM, quotes, CRLF", "semicolons", "tabs, capitals, no last newline"],
)
def test_the_dialects_of_spreadsheets_are_read(folder: Path, text: bytes) -> None:
    (paper,) = manifest(folder, text).papers
    assert paper.ref.title == 'One, "two"'


@pytest.mark.parametrize(
    ("column", "value", "paper_id"),
    [
        ("arxiv", "https://arxiv.org/abs/2409.07653v1", "arxiv:2409.07653v1"),
        ("arxiv", "arXiv:2409.07653", "arxiv:2409.07653"),
        ("doi", "https://doi.org/10.5555/ABC", "doi:10.5555/abc"),
        ("openreview", "https://openreview.net/forum?id=NJes6aeTem&noteId=x", "openreview:NJes6aeTem"),
    ],
)
def test_an_id_may_be_written_as_a_url(folder: Path, column: str, value: str, paper_id: str) -> None:
    (paper,) = manifest(folder, f"pdf,{column}\na.pdf,{value}\n").papers
    assert paper.ref.paper_id == paper_id


def test_a_paper_without_a_lasting_id_is_left_to_be_named_by_its_contents(folder: Path) -> None:
    (paper,) = manifest(folder, "pdf,submission\na.pdf,77\n").papers
    assert (paper.ref.paper_id, paper.ref.aliases) == (None, ("submission:77",))


def test_a_faulty_row_costs_itself_and_is_told_with_its_line(folder: Path) -> None:
    text = (
        'pdf,arxiv,title,year\na.pdf,,"two\nlines",\nmissing.pdf,,,\n,,no pdf,\n\nb.pdf,not an id,,\n'
        "b.pdf,,,next year\nb.pdf,,,,,extra\nhttps://example.org/x.pdf,,,\nc.pdf,,,2026\n"
    )
    sources = manifest(folder, text)
    assert names(sources) == ["a.pdf", "c.pdf"]
    assert errors(sources) == [
        ("papers.csv:4", "not_found", "missing.pdf: no such file"),
        ("papers.csv:5", "bad_input", "the row names no pdf"),
        ("papers.csv:7", "bad_input", "'not an id' is not a valid arxiv id"),
        ("papers.csv:8", "bad_input", "'next year' is not a year"),
        ("papers.csv:9", "bad_input", "6 cells in a table of 4 columns"),
        ("papers.csv:10", "bad_input", "pdf is a URL"),
    ]


def test_a_faulty_json_line_costs_itself(folder: Path) -> None:
    lines = [
        '{"pdf": "a.pdf"',
        "[1]",
        '{"pdf": 7}',
        '{"pdf": "a.pdf", "title": {}}',
        "[" * 100_000,
        json.dumps({"pdf": "a.pdf", "title": "x" * 5_000}),
        '{"pdf": "a\\u0000.pdf"}',
        json.dumps({"pdf": "x" * 5_000 + ".pdf"}),
        '{"pdf": "\\ud800.pdf"}',
        '{"pdf": "a.pdf", "title": "T\\ud800", "authors": ["\\udc00A"], "url": "u\\ud800"}',
    ]
    sources = manifest(folder, "\n".join(lines), "papers.jsonl")
    assert [where for where, _code, _message in errors(sources)] == [
        f"papers.jsonl:{i}" for i in range(1, 10)
    ]
    assert sources.papers[0].ref == PaperRef(title="T", authors=("A",), url="u")


def test_unknown_columns_are_named_once(folder: Path) -> None:
    sources = manifest(folder, "pdf,score,area\na.pdf,5,x\nb.pdf,6,y\n")
    assert warnings(sources) == ["papers.csv: unknown columns are ignored: area, score"]
    assert len(sources.papers) == 2


def test_a_pdf_is_found_beside_the_manifest_wherever_one_stands(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "lists").mkdir()
    (folder / "lists" / "p.csv").write_text(f"pdf\n../a.pdf\n{folder / 'b.pdf'}\n", encoding="utf-8")
    monkeypatch.chdir("/")
    assert names(read_sources([folder / "lists" / "p.csv"])) == ["a.pdf", "b.pdf"]


def test_rows_with_one_canonical_id_become_one_paper(folder: Path) -> None:
    text = (
        "pdf,openreview,arxiv,title,venue\na.pdf,NJes6aeTem,,On things,\na.pdf,NJes6aeTem,2409.07653,,ICML\n"
    )
    sources = manifest(folder, text)
    (paper,) = sources.papers
    assert paper.ref == PaperRef(
        paper_id="openreview:NJes6aeTem", aliases=("arxiv:2409.07653",), title="On things", venue="ICML"
    )
    assert sources.problems == ()


def test_the_same_bytes_under_two_names_are_one_paper(folder: Path) -> None:
    (folder / "copy.pdf").write_bytes((folder / "a.pdf").read_bytes())
    sources = manifest(folder, "pdf,arxiv,doi\na.pdf,2409.07653,\nb.pdf,,\ncopy.pdf,,10.1000/x\n")
    assert names(sources) == ["a.pdf", "b.pdf"]
    assert sources.papers[0].ref == PaperRef(paper_id="arxiv:2409.07653", aliases=("doi:10.1000/x",))


def test_a_file_of_a_folder_takes_the_metadata_of_its_row(folder: Path) -> None:
    (folder / "papers.csv").write_text("pdf,title\nb.pdf,B\n", encoding="utf-8")
    sources = read_sources([folder, folder / "papers.csv"])
    assert [(p.pdf.name, p.ref.title) for p in sources.papers] == [
        ("a.pdf", None),
        ("b.pdf", "B"),
        ("c.pdf", None),
    ]
    assert sources.problems == ()


def test_rows_that_meet_through_a_third_are_one_paper(folder: Path) -> None:
    (folder / "copy.pdf").write_bytes((folder / "a.pdf").read_bytes())
    text = "pdf,openreview,arxiv\na.pdf,NJes6aeTem,\nb.pdf,,2409.07653\ncopy.pdf,,2409.07653\n"
    sources = manifest(folder, text)
    assert [(p.pdf.name, p.ref.paper_id) for p in sources.papers] == [("a.pdf", "openreview:NJes6aeTem")]


def test_contradictions_are_told_and_the_first_row_wins(folder: Path) -> None:
    text = "pdf,openreview,title,venue\na.pdf,NJes6aeTem,On things,ICML\nb.pdf,NJes6aeTem,On stuff,ICML\n"
    sources = manifest(folder, text)
    (paper,) = sources.papers
    assert (paper.pdf.name, paper.ref.title) == ("a.pdf", "On things")
    assert warnings(sources) == [
        "papers.csv:3: the same paper as papers.csv:2, but with another title, PDF; the first is kept"
    ]
    assert sources.problems[0].pdf == str(folder / "b.pdf")


def test_one_file_under_two_ids_of_a_kind_is_told(folder: Path) -> None:
    sources = manifest(folder, "pdf,openreview\na.pdf,NJes6aeTem\na.pdf,Zzzzzzzzzz\n")
    (paper,) = sources.papers
    assert (paper.ref.paper_id, paper.ref.aliases) == ("openreview:NJes6aeTem", ("openreview:Zzzzzzzzzz",))
    assert "another openreview" in warnings(sources)[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "no rows"),
        (b"pdf,title\n", "no rows"),
        (b"file,title\na.pdf,x\n", "no column 'pdf'"),
        (b"pdf,title,Title\na.pdf,x,y\n", "column 'title' occurs twice"),
        (b"pdf,title\na.pdf,caf\xe9\n", r"not UTF-8 \(byte 19\)"),
        ("pdf,title\na.pdf,x\n".encode("utf-16"), "not UTF-8"),
        (b'pdf,title\na.pdf,x\nb.pdf,"open\nc.pdf,y\n', r"papers\.csv:3: not a table"),
    ],
)
def test_an_unusable_manifest_is_refused_as_a_whole(folder: Path, text: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        manifest(folder, text)


def test_paths_that_lead_nowhere_are_refused(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "notes.txt").touch()
    with pytest.raises(NotFound, match=r"gone\.pdf: no such file"):
        read_sources([folder / "gone.pdf"])
    with pytest.raises(NotFound, match=r"gone\.csv: no such file"):
        read_sources([folder / "gone.csv"])
    with pytest.raises(NotFound, match="empty: no PDF in this folder"):
        read_sources([folder / "empty"])
    with pytest.raises(BadInput, match=r"notes\.txt: neither a PDF nor a manifest") as caught:
        read_sources([folder / "notes.txt"])
    assert ".jsonl" in caught.value.hint
    with pytest.raises(BadInput, match="no papers given"):
        read_sources([])


def test_a_pipe_named_pdf_does_not_stop_the_reading(folder: Path) -> None:
    os.mkfifo(folder / "pipe.pdf")
    assert names(read_sources([folder])) == ["a.pdf", "b.pdf", "c.pdf"]
    sources = manifest(folder, "pdf\npipe.pdf\na.pdf\n")
    assert errors(sources) == [("papers.csv:2", "not_found", "pipe.pdf: not a file")]


def test_ids_and_titles_never_make_paths(folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    sources = manifest(folder, 'pdf,submission,title\na.pdf,../../etc/passwd,"/etc/passwd"\n')
    (folder / "papers.csv").unlink()
    assert sources.papers[0].pdf == folder / "a.pdf"
    assert sorted(folder.rglob("*")) == before


def test_a_name_that_is_no_text_can_be_printed(folder: Path) -> None:
    odd = os.fsdecode(bytes(folder) + b"/\xff\x1b[2J.pdf")
    Path(odd).write_bytes(b"%PDF odd")
    printed = [printable(paper.pdf.name) for paper in read_sources([folder]).papers]
    assert "\\udcff\\x1b[2J.pdf" in printed
    assert all(name.isprintable() and name.encode() for name in printed)


CELL = st.text(alphabet=st.sampled_from([*string.printable, "é", "\u202e", "\ufeff", "\x00"]), max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.lists(CELL, max_size=5), max_size=6), st.sampled_from(["papers.csv", "p.tsv", "p.jsonl"]))
@example([["pdf", "title"], ["a.pdf", '"']], "papers.csv")
def test_any_text_gives_papers_and_problems_or_one_typed_error(
    folder: Path, table: list[list[str]], name: str
) -> None:
    text = "pdf,arxiv,title\n" * (name != "p.jsonl") + "\n".join(",".join(row) for row in table)
    try:
        sources = manifest(folder, text, name)
    except ClaimdexError as error:
        assert error.message
        return
    assert all(paper.pdf.is_file() for paper in sources.papers)
    assert all(isinstance(problem, Problem) and problem.where for problem in sources.problems)
    assert sources == manifest(folder, text, name)
