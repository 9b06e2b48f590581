"""The gate shuts when a figure leaves its stored interval on the bad side, and tells which."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimdex.errors import BadInput, NotFound
from claimdex.eval.gate import baseline_of, gate, load_baseline, write_baseline
from claimdex.eval.report import write_report
from claimdex.eval.results import Figure, Report
from claimdex.eval.scoring import score

GOLD = Path(__file__).parents[2] / "data" / "gold"


@pytest.fixture(scope="module")
def perfect() -> Report:
    return score(GOLD, GOLD)


def changed(report: Report, name: str, value: float | None, low: float = 0.0, high: float = 1.0) -> Report:
    figure = Figure(value=value, low=low, high=high, hits=0, cases=1)
    return report.model_copy(update={"figures": {**report.figures, name: figure}})


def test_an_unchanged_run_passes_its_own_baseline(perfect: Report, tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(perfect, path)
    assert gate(perfect, path) == ()
    assert load_baseline(path) == baseline_of(perfect)


def test_a_json_report_serves_as_a_baseline(perfect: Report, tmp_path: Path) -> None:
    write_report(perfect, tmp_path / "report.json")
    assert gate(perfect, tmp_path / "report.json") == ()


def test_a_figure_may_wander_within_its_interval_and_no_further(perfect: Report) -> None:
    stored = baseline_of(changed(perfect, "recall", 0.8, low=0.7, high=0.9))
    assert gate(changed(perfect, "recall", 0.7), stored) == ()
    assert gate(changed(perfect, "recall", 0.95), stored) == ()
    (finding,) = gate(changed(perfect, "recall", 0.69), stored)
    assert (finding.figure, finding.stored, finding.bound, finding.now) == ("recall", 0.8, 0.7, 0.69)
    assert finding.message == "Recall fell to 69.0%; it was 80.0%, and 70.0% is the least allowed"


def test_a_rate_that_should_be_low_is_guarded_from_above(perfect: Report) -> None:
    stored = baseline_of(changed(perfect, "compound_rate", 0.05, low=0.02, high=0.08))
    assert gate(changed(perfect, "compound_rate", 0.0), stored) == ()
    (finding,) = gate(changed(perfect, "compound_rate", 0.2), stored)
    assert "rose to 20.0%" in finding.message


def test_the_number_of_claims_is_not_judged(perfect: Report) -> None:
    stored = baseline_of(changed(perfect, "claims_per_paper", 20.0, low=19.0, high=21.0))
    assert gate(changed(perfect, "claims_per_paper", 3.0), stored) == ()


def test_a_figure_that_can_no_longer_be_measured_is_a_finding(perfect: Report) -> None:
    stored = baseline_of(changed(perfect, "verified", 0.9, low=0.8))
    (finding,) = gate(perfect, stored)
    assert (finding.figure, finding.now) == ("verified", None)


def test_other_gold_is_a_finding_of_its_own(perfect: Report) -> None:
    stored = baseline_of(perfect.model_copy(update={"gold_sha256": "0" * 64}))
    (finding,) = gate(perfect, stored)
    assert finding.figure == "gold"


def test_a_missing_or_foreign_baseline_is_told(perfect: Report, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        gate(perfect, tmp_path / "none.json")
    (tmp_path / "x.json").write_text('{"figures": {}}', "utf-8")
    with pytest.raises(BadInput, match=r"x\.json:1: gold_sha256: Field required"):
        gate(perfect, tmp_path / "x.json")
