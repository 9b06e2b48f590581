from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimdex.errors import IndexMismatch
from claimdex.index.lexical import Lexical, words

TEXTS = [
    "MossNet is 2.7x faster than FernNet",
    "FernNet reaches 78.2% accuracy",
    "The bound holds for all convex losses",
    "Faster training needs 1,024 ponds",
]


def test_numbers_stay_whole_and_words_are_stemmed() -> None:
    assert words("faster training, 78.2% of 1,024") == ["faster", "train", "78.2", "1024"]
    assert words("The and of") == []


def test_numbers_find_their_claim() -> None:
    index = Lexical.build(TEXTS)
    assert index.search("78.2", 3)[0][0] == 1
    assert index.search("1024", 3)[0][0] == 3
    assert [row for row, _ in index.search("2.7 times", 3)] == [0]


def test_texts_without_a_common_word_are_not_found() -> None:
    assert Lexical.build(TEXTS).search("zebra", 10) == []
    assert Lexical.build(TEXTS).search("the of", 10) == []


def test_allowed_rows_limit_the_answer() -> None:
    index = Lexical.build(TEXTS)
    allowed = np.array([False, True, True, False])
    assert [row for row, _ in index.search("FernNet faster", 10, allowed)] == [1]


@given(st.lists(st.text(alphabet="abc 1.", max_size=20), max_size=12), st.text(alphabet="abc 1.", max_size=9))
@settings(max_examples=60, deadline=None)
def test_every_found_text_shares_a_word_and_scores_fall(texts: list[str], query: str) -> None:
    found = Lexical.build(texts).search(query, 5)
    assert all(set(words(texts[row])) & set(words(query)) for row, _ in found)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


@pytest.mark.parametrize("texts", [TEXTS, [], ["the", "of"]])
def test_a_round_trip_changes_no_answer(tmp_path: Path, texts: list[str]) -> None:
    index = Lexical.build(texts)
    index.write(tmp_path / "bm25")
    read = Lexical.read(tmp_path / "bm25", terms=index.terms, rows=len(texts))
    assert read.search("faster FernNet", 5) == index.search("faster FernNet", 5)


def test_the_files_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from claimdex.index.lexical import Lexical\n"
        f"Lexical.build({TEXTS!r}).write(Path(sys.argv[1]))"
    )
    for seed in ("1", "2"):
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / seed)],
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        )
    for path in (tmp_path / "1").iterdir():
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes()


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    index = Lexical.build(TEXTS)
    for name in ("data.csc.index.npy", "indptr.csc.index.npy", "vocab.index.json", "params.index.json"):
        index.write(tmp_path)
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-7])
        with pytest.raises(IndexMismatch):
            Lexical.read(tmp_path, terms=index.terms, rows=4)
    index.write(tmp_path)
    with pytest.raises(IndexMismatch, match="does not fit"):
        Lexical.read(tmp_path, terms=index.terms, rows=5)


def test_rows_that_do_not_exist_are_refused(tmp_path: Path) -> None:
    index = Lexical.build(TEXTS)
    index.write(tmp_path)
    rows = np.load(tmp_path / "indices.csc.index.npy")
    rows[0] = 4_000
    np.save(tmp_path / "indices.csc.index.npy", rows)
    with pytest.raises(IndexMismatch, match="does not fit"):
        Lexical.read(tmp_path, terms=index.terms, rows=4)


class Canary:
    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (Path("unpickled"),))


def test_pickled_arrays_are_never_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    index = Lexical.build(TEXTS)
    index.write(tmp_path / "bm25")
    for data in (pickle.dumps(Canary()), b""):
        (tmp_path / "bm25" / "data.csc.index.npy").write_bytes(data)
        with pytest.raises(IndexMismatch):
            Lexical.read(tmp_path / "bm25", terms=index.terms, rows=4)
    np.save(tmp_path / "bm25" / "data.csc.index.npy", np.array([Canary()], dtype=object), allow_pickle=True)
    with pytest.raises(IndexMismatch):
        Lexical.read(tmp_path / "bm25", terms=index.terms, rows=4)
    assert not (tmp_path / "unpickled").exists()
    assert json.loads((tmp_path / "bm25" / "params.index.json").read_text("utf-8"))["method"] == "lucene"
