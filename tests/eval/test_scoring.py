"""A report counts what was found, missed and made up, with intervals over papers."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimdex.errors import BadInput
from claimdex.eval.bootstrap import Resampling, ratio, wilson
from claimdex.eval.comparing import agreement, as_predictions, cohen_kappa, compare, compare_reports
from claimdex.eval.figures import FIGURES
from claimdex.eval.gold import GoldPaper, load_gold
from claimdex.eval.predictions import PredictedPaper
from claimdex.eval.results import Report
from claimdex.eval.scoring import report_on, score
from claimdex.paper import Paper

GOLD = Path(__file__).parents[2] / "data" / "gold"
PERFECT = {
    name
    for name, info in FIGURES.items()
    if info.better == "higher" and name not in ("quotes_found", "verified")
}

Edit = Callable[[dict[str, Any]], None]


def gold() -> list[GoldPaper]:
    return load_gold(GOLD)


def edited(edit: Edit, keys: tuple[str, ...] = ()) -> dict[str, PredictedPaper]:
    """Gold as predictions, after an edit of every paper (or of those named)."""
    found = {}
    for paper in gold():
        record = paper.model_dump(mode="json")
        if not keys or paper.paper.key in keys:
            edit(record)
        found[paper.paper.sha256] = PredictedPaper.model_validate(record)
    return found


def report(edit: Edit, keys: tuple[str, ...] = ()) -> Report:
    return report_on(gold(), edited(edit, keys))


def values(found: Report) -> dict[str, float | None]:
    return {name: figure.value for name, figure in found.figures.items()}


def test_gold_scored_as_predictions_is_perfect() -> None:
    found = score(GOLD, GOLD)
    assert {name: found.figures[name].value for name in PERFECT} == dict.fromkeys(PERFECT, 1.0)
    assert found.figures["claims_per_paper"].value == pytest.approx(92 / 5)
    assert not any(p.misses or p.false_alarms for p in found.papers)


def test_a_report_is_the_same_bytes_each_time() -> None:
    assert score(GOLD, GOLD).model_dump_json() == score(GOLD, GOLD).model_dump_json()


def test_no_predictions_give_no_recall_and_no_precision() -> None:
    found = report_on(gold(), {})
    assert values(found)["precision"] is None
    assert (values(found)["recall"], values(found)["f1"], values(found)["type_accuracy"]) == (0.0, 0.0, None)
    assert not any(p.predicted for p in found.papers)


def test_another_paper_s_claims_hardly_ever_match() -> None:
    papers = gold()
    sets = [as_predictions([p]).popitem()[1] for p in papers]
    rotated = {p.paper.sha256: s for p, s in zip(papers, sets[1:] + sets[:1], strict=True)}
    found = report_on(papers, rotated)
    assert found.figures["precision"].hits <= 1


def test_papers_without_gold_are_named_and_left_out() -> None:
    papers = gold()
    found = report_on(papers[1:], as_predictions(papers))
    assert found.without_gold == (papers[0].paper.sha256,)
    assert values(found)["precision"] == 1.0


def test_dropped_claims_cost_recall_and_are_listed_as_misses() -> None:
    def drop(paper: dict[str, Any]) -> None:
        paper["claims"] = paper["claims"][2:]

    found = report(drop)
    assert values(found)["recall"] == pytest.approx(1 - 10 / 92)
    assert values(found)["precision"] == 1.0
    assert [len(p.misses) for p in found.papers] == [2] * 5


def test_made_up_claims_cost_precision_and_are_listed_with_what_is_near() -> None:
    def invent(paper: dict[str, Any]) -> None:
        quote = {"page": 1, "quote": "nothing of the kind stands here"}
        made_up = {
            "id": "x",
            "text": "Zebra wins 99999 of 12345 games.",
            "type": "empirical",
            "evidence": [quote],
        }
        paper["claims"].append(made_up)

    found = report(invent)
    assert values(found)["precision"] == pytest.approx(92 / 97)
    assert values(found)["recall"] == 1.0
    assert {p.false_alarms[0].claim.id for p in found.papers} == {"x"}


def test_types_are_judged_over_matches_and_by_type() -> None:
    def all_empirical(paper: dict[str, Any]) -> None:
        for claim in paper["claims"]:
            claim["type"] = "empirical"

    found = report(all_empirical)
    by_type = {t.type.value: t for t in found.types}
    share = sum(c.type == "empirical" for g in gold() for c in g.claims) / 92
    assert values(found)["f1"] == 1.0
    assert values(found)["type_accuracy"] == pytest.approx(share)
    assert by_type["empirical"].precision.value == pytest.approx(share)
    assert by_type["empirical"].recall.value == 1.0
    assert (by_type["theorem"].recall.value, by_type["theorem"].precision.value) == (0.0, None)


@pytest.mark.parametrize(
    ("field", "figure"),
    [
        ("value", "value_accuracy"),
        ("metric", "metric_accuracy"),
        ("dataset", "dataset_accuracy"),
        ("baseline", "baseline_accuracy"),
        ("label", "anchor_accuracy"),
    ],
)
def test_each_detail_has_its_own_figure(field: str, figure: str) -> None:
    def forget(paper: dict[str, Any]) -> None:
        for claim in paper["claims"]:
            claim["details"] = {k: v for k, v in claim["details"].items() if k not in (field, "factor")}

    found = values(report(forget))
    others = {f"{name}_accuracy" for name in ("metric", "dataset", "baseline", "anchor")} - {figure}
    assert (found[figure] or 0.0) < 0.3
    assert {name: found[name] for name in others} == dict.fromkeys(others, 1.0)


def test_the_anchor_of_a_quote_counts_as_a_label() -> None:
    def anchor(paper: dict[str, Any]) -> None:
        for claim in paper["claims"]:
            if label := claim["details"].pop("label", None):
                claim["evidence"][-1]["anchor"] = {"kind": "theorem", "label": label}

    assert values(report(anchor))["anchor_accuracy"] == 1.0


def test_verdicts_of_the_extractor_are_counted_where_there_are_any() -> None:
    def judge(paper: dict[str, Any]) -> None:
        for i, claim in enumerate(paper["claims"]):
            claim["grounding"] = {"verdict": "partial" if i % 2 else "verified", "checks": []}

    found = report(judge, ("pellicle-shell",)).figures["verified"]
    assert (found.hits, found.cases) == (10, 20)


def test_quotes_are_looked_up_in_the_visible_text_of_the_paper(sample: Callable[[str], Paper]) -> None:
    key = "calendar-descent"
    (paper,) = (g for g in gold() if g.paper.key == key)
    parsed = sample(key)

    def misquote(record: dict[str, Any]) -> None:
        record["claims"] = record["claims"][:2]
        record["claims"][0]["evidence"] = [{"page": 1, "quote": " ".join(parsed.abstract.split()[:9])}]
        record["claims"][1]["evidence"] = [{"page": 1, "quote": "words that stand nowhere in it"}]

    found = report_on([paper], edited(misquote), papers={paper.paper.sha256: parsed})
    assert (found.figures["quotes_found"].hits, found.figures["quotes_found"].cases) == (1, 2)
    assert report_on([paper], edited(misquote)).figures["quotes_found"].value is None


def test_calibration_shows_a_rank_that_puts_wrong_claims_last() -> None:
    def rank(paper: dict[str, Any]) -> None:
        paper["claims"] = paper["claims"][:10]
        wrong = [{"id": f"w{i}", "text": f"Nonsense {i}{i}"} for i in range(10)]
        paper["claims"] = [*wrong, *paper["claims"]]
        for i, claim in enumerate(paper["claims"]):
            claim["rank"] = 20 - i

    found = report(rank)
    assert [d.precision.value for d in found.calibration] == [1.0] * 5 + [0.0] * 5
    assert report(lambda paper: None).calibration == ()


def test_intervals_hold_the_value_and_shrink_to_it_when_all_papers_agree() -> None:
    def drop(paper: dict[str, Any]) -> None:
        paper["claims"] = paper["claims"][: len(paper["claims"]) // 2]

    found = report(drop, ("pellicle-shell", "quaytext-dataset")).figures
    recall, precision = found["recall"], found["precision"]
    assert recall.low is not None and recall.value is not None and recall.high is not None
    assert recall.low < recall.value < recall.high
    assert (precision.low, precision.high) == (1.0, 1.0)


Tallies = st.lists(
    st.integers(0, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=8
)


@given(Tallies)
@settings(max_examples=30)
def test_bootstrap_intervals_stay_within_the_papers_extremes(tallies: list[tuple[int, int]]) -> None:
    low, high = Resampling(len(tallies)).interval(tallies)
    shares = [h / n for h, n in tallies if n]
    if not shares:
        assert (low, high) == (None, None)
    else:
        assert low is not None and high is not None
        assert min(shares) - 1e-9 <= low <= high <= max(shares) + 1e-9


@given(Tallies)
@settings(max_examples=30)
def test_a_run_never_differs_from_itself(tallies: list[tuple[int, int]]) -> None:
    gap = Resampling(len(tallies)).difference(tallies, tallies)
    if ratio(tallies) is None:
        assert gap.value is None
    else:
        assert (gap.value, gap.low, gap.high, gap.b_higher) == (0.0, 0.0, 0.0, 0.5)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_s_interval_solves_its_equation(counts: tuple[int, int]) -> None:
    hits, cases = counts
    low, high = wilson(hits, cases)
    assert low is not None and high is not None
    assert 0.0 <= low <= hits / cases + 1e-12
    assert hits / cases - 1e-12 <= high <= 1.0
    for end in (low, high):
        assert abs(hits / cases - end) <= 1.96 * math.sqrt(end * (1 - end) / cases) + 1e-6


def test_the_better_run_is_named_whichever_side_it_stands_on(tmp_path: Path) -> None:
    for paper in gold():
        record = paper.model_dump(mode="json")
        record["claims"] = record["claims"][::2]
        for claim in record["claims"]:
            claim["text"] = "Our result: " + claim["text"] + " It is so; this is the second part of it."
        (tmp_path / f"{paper.paper.key}.json").write_text(json.dumps(record), "utf-8")
    forth, back = compare(GOLD, tmp_path, GOLD).figures, compare(GOLD, GOLD, tmp_path).figures
    assert (forth["recall"].verdict, back["recall"].verdict) == ("B is better", "A is better")
    assert (forth["compound_rate"].verdict, back["compound_rate"].verdict) == ("B is better", "A is better")
    assert forth["self_contained"].verdict == "B is better"
    assert forth["claims_per_paper"].verdict == "differs"
    assert forth["precision"].verdict == "no difference shown"
    assert forth["verified"].verdict == "n/a"
    gap = forth["recall"]
    assert gap.a is not None and gap.b is not None
    assert gap.difference == pytest.approx(gap.b - gap.a)
    assert gap.b_higher == 1.0


def test_reports_on_different_gold_are_not_compared() -> None:
    papers = gold()
    a, b = report_on(papers, {}), report_on(papers[1:], {})
    with pytest.raises(BadInput, match="different gold"):
        compare_reports(a, b)


def test_two_annotators_are_scored_on_the_papers_both_read(tmp_path: Path) -> None:
    for paper in gold()[:2]:
        record = paper.model_dump(mode="json")
        record["claims"] = record["claims"][:-4]
        (tmp_path / f"{paper.paper.key}.json").write_text(json.dumps(record), "utf-8")
    found = agreement(GOLD, tmp_path)
    assert found.papers == 2
    forth, back = found.second_against_first, found.first_against_second
    assert forth["precision"].value == back["recall"].value == 1.0
    assert forth["recall"].value == back["precision"].value
    assert (found.type_kappa, found.core_kappa) == (1.0, 1.0)


def test_annotators_without_a_common_paper_cannot_agree(tmp_path: Path) -> None:
    record = gold()[0].model_dump(mode="json")
    record["paper"]["sha256"] = "0" * 64
    (tmp_path / "x.json").write_text(json.dumps(record), "utf-8")
    with pytest.raises(BadInput, match="no paper was annotated in both"):
        agreement(GOLD, tmp_path / "x.json")


def test_kappa_is_agreement_beyond_chance() -> None:
    assert cohen_kappa([("a", "a")] * 45 + [("a", "b")] * 15 + [("b", "a")] * 25 + [("b", "b")] * 15) == (
        pytest.approx(0.1304, abs=1e-4)
    )
    assert cohen_kappa([]) is None
    assert cohen_kappa([("a", "a")]) is None
