"""Gold comes from plain tables and goes to annotation tools."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from claimdex.errors import BadInput
from claimdex.eval.gold import load_gold
from claimdex.eval.label_studio import label_studio_config, label_studio_tasks
from claimdex.eval.plain import import_plain

DATA = Path(__file__).parents[2] / "data"
SHA = "ab" * 32
HEAD = "paper,text,type,page,quote\n"


def table(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_rows_with_one_text_are_one_claim_with_several_quotes(tmp_path: Path) -> None:
    rows = f'{SHA},Kea wins.,empirical,1,"so ""Kea"" wins"\n{SHA},Kea  wins.,empirical,4,Kea does win\n'
    (paper,) = import_plain(table(tmp_path, HEAD + rows))
    (claim,) = paper.claims
    assert [(e.page, e.quote) for e in claim.evidence] == [(1, 'so "Kea" wins'), (4, "Kea does win")]


def test_csv_and_jsonl_give_the_same_gold_whatever_the_order(tmp_path: Path) -> None:
    rows = [
        {
            "paper": SHA,
            "text": f"Kea gains {n} points.",
            "type": "benchmark",
            "page": n,
            "quote": f"gains {n}",
        }
        for n in (1, 2, 3)
    ]
    csv = HEAD + "".join(",".join(map(str, r.values())) + "\n" for r in rows)
    jsonl = "".join(json.dumps(r) + "\n" for r in reversed(rows))
    a = import_plain(table(tmp_path, csv))[0]
    b = import_plain(table(tmp_path, jsonl, "t.jsonl"))[0]
    assert a.paper == b.paper
    assert {c.id: c for c in a.claims} == {c.id: c for c in b.claims}


def test_papers_can_be_named_by_their_file(tmp_path: Path) -> None:
    path = table(tmp_path, HEAD + "pellicle-shell,Pellicle wins.,empirical,1,it wins\n")
    (paper,) = import_plain(path, DATA / "papers")
    gold = {g.paper.key: g for g in load_gold(DATA / "gold")}
    assert paper.paper.sha256 == gold["pellicle-shell"].paper.sha256
    assert paper.paper.file == "pellicle-shell.pdf"


def test_imported_gold_loads_again(tmp_path: Path) -> None:
    papers = import_plain(table(tmp_path, HEAD + f"{SHA},Kea wins.,empirical,1,it wins\n"))
    path = table(tmp_path, papers[0].model_dump_json(), "gold.json")
    assert load_gold(path) == papers


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (f"{SHA},Kea wins.,opinion,1,it wins\n", r"t\.csv:2: type: "),
        (f'{SHA},"Kea\nwins.",empirical,1,it wins\n{SHA},x,empirical,0,q\n', r"t\.csv:4: page: "),
        (f"{SHA},Kea wins.,empirical,1,\n", r"t\.csv:2: quote: "),
        (f"{SHA},a,empirical,1,q,r\n", r"t\.csv:2: more cells than columns"),
        ("kea.pdf,Kea wins.,empirical,1,it wins\n", r"t\.csv:2: paper 'kea\.pdf' is not a sha256"),
        ("", "holds no rows"),
    ],
)
def test_a_faulty_row_is_told_with_its_line(tmp_path: Path, rows: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        import_plain(table(tmp_path, HEAD + rows))


def test_missing_columns_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"t\.csv:1: no column page, quote"):
        import_plain(table(tmp_path, "paper,text,type\n"))


@pytest.mark.parametrize("name", ["../papers/pellicle-shell", "/etc/passwd", "none"])
def test_a_paper_column_never_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    path = table(tmp_path, HEAD + f"{name},Kea wins.,empirical,1,it wins\n")
    with pytest.raises(BadInput, match="no PDF"):
        import_plain(path, DATA / "papers")


def test_label_studio_gets_one_task_a_claim_that_fits_its_interface() -> None:
    gold = load_gold(DATA / "gold")
    tasks = json.loads(label_studio_tasks(gold))
    assert len(tasks) == sum(len(g.claims) for g in gold)
    config = ET.fromstring(label_studio_config())
    controls = {e.get("name"): e for e in config if e.get("toName")}
    variables = {v[1:] for e in config if (v := e.get("value", "")).startswith("$")}
    for task in tasks:
        assert variables <= task["data"].keys()
        for result in task["annotations"][0]["result"]:
            control = controls[result["from_name"]]
            assert control.tag.lower() == result["type"]
            choices = {c.get("value") for c in control}
            assert set(result["value"].get("choices", ())) <= choices
