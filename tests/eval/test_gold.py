"""Gold is validated, and a fault is told with its file, line and place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimdex.errors import BadInput, NotFound
from claimdex.eval.gold import gold_schema, load_gold
from claimdex.eval.json_files import json_path, line_of

DATA = Path(__file__).parents[2] / "data"
SHA = "ab" * 32


def gold_file(folder: Path, name: str = "one", **changes: Any) -> Path:
    claim: dict[str, Any] = {"id": "c1", "text": "Kea beats Rook.", "type": "empirical", "needs": ["a1"]}
    claim["evidence"] = [{"page": 1, "quote": "Kea beats Rook on every task that we tried."}]
    paper: dict[str, Any] = {
        "paper": {"key": name, "sha256": SHA, "pages": 3},
        "artifacts": [{"id": "a1", "kind": "code", "name": "kea"}],
        "claims": [claim],
    }
    paper.update(changes)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(paper, indent=1), "utf-8")
    return path


def edited(folder: Path, old: str, new: str) -> Path:
    path = gold_file(folder)
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return path


def test_the_sample_papers_gold_loads_in_order_of_keys() -> None:
    gold = load_gold(DATA / "gold")
    assert len(gold) == 5
    assert [g.paper.key for g in gold] == sorted(g.paper.key for g in gold)
    assert sum(len(g.claims) for g in gold) == 92


def test_the_real_papers_gold_loads(shared: Path) -> None:
    gold = load_gold(shared / "gold" / "papers")
    assert len(gold) == 20
    assert sum(len(g.claims) for g in gold) == 623
    assert sum(len(g.artifacts) for g in gold) == 138


def test_details_keep_keys_that_claims_have_no_field_for(tmp_path: Path) -> None:
    path = edited(tmp_path, '"type": "empirical"', '"type": "empirical", "details": {"p98": [1, null]}')
    assert load_gold(path)[0].claims[0].details == {"p98": [1, None]}


@pytest.mark.parametrize(
    ("old", "new", "line", "place"),
    [
        ('"page": 1', '"page": 0', 24, "claims[0].evidence[0].page"),
        ('"page": 1', '"page": 4', 24, "claims[0].evidence[0].page"),
        ('"type": "empirical"', '"type": "opinion"', 18, "claims[0].type"),
        ('"id": "c1"', '"ident": "c1"', 15, "claims[0].id"),
        ('    "a1"\n', '    "a1",\n    "a9"\n', 21, "claims[0].needs[1]"),
        ('"kind": "code"', '"kind": "codes"', 10, "artifacts[0].kind"),
        (SHA, SHA[:-1], 4, "paper.sha256"),
    ],
)
def test_a_fault_is_told_with_its_line_and_json_path(
    tmp_path: Path, old: str, new: str, line: int, place: str
) -> None:
    path = edited(tmp_path, old, new)
    with pytest.raises(BadInput) as caught:
        load_gold(path)
    assert str(caught.value).startswith(f"{path}:{line}: {place}: ")
    assert "\n" not in str(caught.value)


def test_unknown_fields_are_refused_since_they_are_mostly_misspelt(tmp_path: Path) -> None:
    path = edited(tmp_path, '"needs"', '"need"')
    with pytest.raises(BadInput, match=r"claims\[0\]\.need: Extra inputs"):
        load_gold(path)


@pytest.mark.parametrize("part", ["artifacts", "claims"])
def test_ids_that_stand_twice_are_refused_at_the_second(tmp_path: Path, part: str) -> None:
    first = json.loads(gold_file(tmp_path).read_text("utf-8"))[part][0]
    changes: dict[str, Any] = {part: [first, first]}
    path = gold_file(tmp_path, "one", **changes)
    with pytest.raises(BadInput, match=rf"{part}\[1\]\.id: id .* is used twice"):
        load_gold(path)


def test_one_paper_annotated_in_two_files_of_a_folder_is_refused(tmp_path: Path) -> None:
    gold_file(tmp_path, "one")
    gold_file(tmp_path, "two")
    with pytest.raises(BadInput, match=r"two\.json:4: paper\.sha256: .*one\.json already"):
        load_gold(tmp_path)


def test_one_key_for_two_papers_is_refused(tmp_path: Path) -> None:
    gold_file(tmp_path, "one")
    path = gold_file(tmp_path, "two")
    path.write_text(path.read_text("utf-8").replace(SHA, "cd" * 32).replace('"two"', '"one"'), "utf-8")
    with pytest.raises(BadInput, match=r"paper\.key: key 'one' is used in"):
        load_gold(tmp_path)


def test_jsonl_counts_lines_of_the_file(tmp_path: Path) -> None:
    good = json.loads(gold_file(tmp_path).read_text("utf-8"))
    bad = {**good, "claims": 3}
    path = tmp_path / "all.jsonl"
    path.write_text(json.dumps(good) + "\n\n" + json.dumps(bad) + "\n", "utf-8")
    with pytest.raises(BadInput, match=r"all\.jsonl:3: claims: "):
        load_gold(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"paper": \n nonsense}', r":2: not JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"", "holds no JSON"),
        (b'{"paper": NaN}', "NaN is not a JSON number"),
        (b"[" * 200_000, "not JSON"),
        (b'"words"', ":1: Input should be"),
        (b"[1]", r":1: \[0\]: Input should be"),
        (b'{"paper": {"key": "\\ud800", "sha256": "' + SHA.encode() + b'"}}', r"paper\.key"),
    ],
)
def test_files_that_are_no_gold_are_bad_input(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=says):
        load_gold(path)


def test_a_path_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no such file or folder"):
        load_gold(tmp_path / "none")


def test_the_stored_schema_is_that_of_the_types() -> None:
    stored = (DATA / "schema" / "gold.schema.json").read_text("utf-8")
    assert stored == gold_schema(), "run claimdex.eval.gold.write_gold_schema on data/schema/gold.schema.json"


Json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(before=Json, after=Json, key=st.text(max_size=4), indent=st.sampled_from([None, 1]))
def test_the_line_of_a_value_is_found_behind_any_other_value(
    before: object, after: object, key: str, indent: int | None
) -> None:
    text = json.dumps(
        {"0before": before, "k" + key: ["other", {"mark": "HERE!"}], "0after": after}, indent=indent
    )
    expected = text[: text.index('"HERE!"')].count("\n") + 1
    assert line_of(text, ("k" + key, 1, "mark")) == expected


def test_keys_that_are_not_words_are_quoted_in_paths() -> None:
    assert json_path(("details", "a b\n", 0)) == 'details["a b\\n"][0]'
