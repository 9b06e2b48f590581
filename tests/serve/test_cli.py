from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "data" / "papers"
Result = subprocess.CompletedProcess[str]
Run = Callable[..., Result]


@pytest.fixture(scope="session")
def run() -> Run:
    """The installed command, as a user runs it."""

    def call(*arguments: str | Path, env: dict[str, str] | None = None) -> Result:
        return subprocess.run(
            [sys.executable, "-m", "claimdex.serve.cli", *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            cwd=ROOT,
            env={**os.environ, "SOURCE_DATE_EPOCH": "1780000000", **(env or {})},
        )

    return call


@pytest.fixture(scope="session")
def samples(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the sample papers."""
    out = tmp_path_factory.mktemp("index") / "samples"
    result = run("index", PAPERS / "manifest.csv", "--out", out, "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert (report["papers"], report["ok"], report["failed"]) == (5, 5, 0)
    return out


def test_help_names_every_command_and_loads_nothing_heavy(run: Run) -> None:
    heavy_ones = ("torch", "spacy", "faiss", "pydantic")
    code = f"import sys, claimdex.serve.cli; print([m for m in {heavy_ones} if m in sys.modules])"
    heavy = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert heavy.stdout.strip() == "[]"
    text = run("--help").stdout
    for command in ("parse", "extract", "index", "search", "show", "stats", "verify", "rebuild", "eval"):
        assert command in text


def test_search_finds_the_claim_and_says_where_it_stands(run: Run, samples: Path) -> None:
    result = run("search", samples, "decoding speed with a long context", "-k", "3", "--json")
    hits = json.loads(result.stdout)
    assert len(hits) == 3
    assert hits[0]["paper"]["title"].startswith("Osprel")
    evidence = hits[0]["claim"]["evidence"][0]
    assert evidence["quote"]
    assert evidence["page"] >= 1
    assert evidence["boxes"]


def test_search_filters_by_type_and_paper(run: Run, samples: Path) -> None:
    result = run("search", samples, "regret bound", "--type", "theorem", "-q")
    ids = result.stdout.split()
    assert ids
    shown = json.loads(run("show", samples, ids[0], "--json").stdout)
    assert shown["claims"][0]["type"] == "theorem"
    hits = json.loads(run("search", samples, "accuracy", "--paper", "arxiv:2601.99001", "--json").stdout)
    assert {hit["paper"]["paper_id"] for hit in hits} <= {hits[0]["paper"]["paper_id"]}


def test_a_paper_is_shown_under_any_of_its_names(run: Run, samples: Path) -> None:
    papers = json.loads(run("search", samples, "Osprel", "-k", "1", "--json").stdout)
    paper = papers[0]["paper"]
    for name in (paper["paper_id"], paper["title"], *paper["aliases"]):
        shown = json.loads(run("show", samples, name, "--json").stdout)
        assert shown["paper"]["paper_id"] == paper["paper_id"]
        assert shown["claims"]


def test_indexing_again_reads_nothing_and_changes_nothing(run: Run, samples: Path) -> None:
    before = (samples / "manifest.json").read_bytes()
    report = json.loads(run("index", PAPERS / "manifest.csv", "--out", samples, "--json").stdout)
    assert report["resumed"] == 5
    assert (samples / "manifest.json").read_bytes() == before


def test_hidden_text_reaches_no_claim_and_no_table(run: Run, samples: Path) -> None:
    shown = run("show", samples, "How Much Label Noise Can a Small Ranker Take?", "--json").stdout
    assert "99.99" not in shown
    assert "SYSTEM NOTE" not in shown.replace("SYSTEMNOTE", "SYSTEM NOTE")
    assert "hidden_text" in shown


def test_unknown_names_and_wrong_options_have_their_exit_codes(run: Run, samples: Path) -> None:
    for arguments, code, words in (
        (("show", samples, "no such paper at all"), 4, "no paper called"),
        (("show", samples, "c000000000000000"), 4, "c000000000000000"),
        (("search", samples, "x", "--type", "opinion"), 2, "opinion"),
        (("search", samples, "   "), 2, "query"),
        (("search", samples / "nowhere", "x"), 4, "no index"),
        (("index", samples / "nowhere", "--out", samples), 4, "nowhere"),
        (("parse", samples / "nowhere.pdf"), 4, "no such file"),
        (("search",), 2, "Missing argument"),
    ):
        result = run(*arguments)
        assert (result.returncode, result.stdout) == (code, ""), arguments
        assert words in result.stderr
        assert "Traceback" not in result.stderr


def test_a_truncated_faiss_file_is_an_error_and_rebuild_mends_it(
    run: Run, samples: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(samples, broken)
    faiss = broken / "index" / "claims.faiss"
    faiss.write_bytes(faiss.read_bytes()[:-100])
    result = run("search", broken, "anything")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "claimdex rebuild" in result.stderr
    assert run("verify", broken).returncode == 1
    assert run("rebuild", broken).returncode == 0
    assert run("verify", broken).returncode == 0
    assert faiss.read_bytes() == (samples / "index" / "claims.faiss").read_bytes()


def test_bad_files_cost_themselves_only(run: Run, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    shutil.copy(PAPERS / "osprel-attention.pdf", papers)
    (papers / "empty.pdf").write_bytes(b"")
    (papers / "page.pdf").write_bytes(b"<!DOCTYPE html><html>busy</html>")
    result = run("index", papers, "--out", tmp_path / "out", "--json")
    assert result.returncode == 3
    report = json.loads(result.stdout)
    assert (report["ok"], report["failed"]) == (1, 2)
    assert {f["code"] for f in report["failures"]} == {"not_a_pdf"}
    failures = (tmp_path / "out/run/failures.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(failures) == 2


def test_extract_prints_one_claim_set_a_line(run: Run) -> None:
    result = run("extract", PAPERS / "osprel-attention.pdf", PAPERS / "quaytext-dataset.pdf", "--json")
    sets = [json.loads(line) for line in result.stdout.splitlines()]
    assert [set(s) >= {"paper", "artifacts", "claims"} for s in sets] == [True, True]
    assert all(s["claims"] for s in sets)


def test_a_wrong_setting_is_named(run: Run) -> None:
    result = run("parse", PAPERS / "osprel-attention.pdf", env={"CLAIMDEX_LIMITS__PAGES": "many"})
    assert result.returncode == 2
    assert "limits.pages" in result.stderr


def test_the_written_pages_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/write_docs", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_load_dataset_reads_the_folder_as_it_lies(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    code = (
        "import sys, datasets; d = datasets.load_dataset(sys.argv[1], 'claims', split='train');"
        "print(len(d), d.column_names[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, samples],
        capture_output=True,
        text=True,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )
    assert done.returncode == 0, done.stderr
    count, first = done.stdout.split()
    assert int(count) > 20
    assert first == "claim_id"


def test_a_foreign_folder_is_left_as_it_is(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mine.txt").write_text("mine", encoding="utf-8")
    result = run("index", PAPERS / "osprel-attention.pdf", "--out", tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert "will not be overwritten" in result.stderr
    assert [p.name for p in tmp_path.rglob("*")] == ["data", "mine.txt"]


def test_a_broken_settings_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "claimdex.toml").write_text("[bad", encoding="utf-8")
    command = [sys.executable, "-m", "claimdex.serve.cli", "parse", str(PAPERS / "osprel-attention.pdf")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: claimdex.toml:")
    assert done.stderr.count("\n") == 1
