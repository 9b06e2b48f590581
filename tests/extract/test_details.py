from __future__ import annotations

import pytest

from claimdex.claim import BenchmarkDetails, ClaimType, ResourceDetails, SpeedupDetails
from claimdex.extract.rules.claim_types import admitted_types
from claimdex.extract.rules.conditions import conditions_of, scope_of
from claimdex.extract.rules.details import Facts, details_of
from claimdex.extract.rules.metrics import lower_is_better, metric_in
from claimdex.extract.rules.names import PaperNames

FACTS = Facts(PaperNames(own=("Swift",)), ("Alpha", "Alpha-XL"))


def benchmark(text: str) -> BenchmarkDetails:
    found = details_of(ClaimType.BENCHMARK, text, FACTS)
    assert isinstance(found, BenchmarkDetails)
    return found


def speedup(text: str) -> SpeedupDetails:
    found = details_of(ClaimType.SPEEDUP, text, FACTS)
    assert isinstance(found, SpeedupDetails)
    return found


def test_a_value_and_its_baseline_are_told_apart() -> None:
    found = benchmark("Swift reaches 74.9% accuracy on Alpha, against 71.2% for Adam.")
    assert (found.value, found.baseline_value, found.metric, found.dataset) == (
        74.9,
        71.2,
        "accuracy",
        "Alpha",
    )
    assert found.method == "Swift" and found.higher_is_better is True and found.baseline is not None


def test_from_one_value_to_another_gives_both() -> None:
    found = benchmark("Swift improves accuracy from 71.2% to 74.9% on Alpha.")
    assert (found.value, found.baseline_value) == (74.9, 71.2)


def test_points_are_a_difference_and_percent_is_not_points() -> None:
    points = benchmark("Swift outperforms Adam by 2.1 points on Alpha.")
    assert (points.value, points.delta, points.delta_unit) == (None, 2.1, "points")
    assert benchmark("Swift outperforms Adam by 2.1% on Alpha.").delta_unit == "percent"


def test_a_setting_is_not_the_result() -> None:
    found = benchmark("With 99% missing features Swift performs only 4.12% worse than Adam.")
    assert found.delta == 4.12


def test_the_longer_of_two_data_set_names_counts() -> None:
    assert benchmark("Swift reaches 74.9% on Alpha-XL.").dataset == "Alpha-XL"


@pytest.mark.parametrize(
    ("text", "factor", "percent", "bound"),
    [
        ("Swift is up to 18x faster than Adam.", 18, None, "up to"),
        ("Swift uses 30% less memory than Adam.", None, 30, None),
        ("Swift gains at least an order of magnitude in training speed.", 10, None, "at least"),
    ],
)
def test_gains_in_resources_keep_factor_percent_and_bound(
    text: str, factor: float | None, percent: float | None, bound: str | None
) -> None:
    found = speedup(text)
    assert (found.factor, found.percent, found.bound) == (factor, percent, bound)


def test_what_a_time_is_normalised_by_is_kept() -> None:
    found = speedup("Swift takes 51 s per epoch.")
    assert (found.value, found.unit, found.per) == (51, "s", "epoch")


def test_a_release_is_a_resource() -> None:
    text = "The code is available at https://github.com/swift/swift."
    assert admitted_types(text) == (ClaimType.RESOURCE,)
    found = details_of(ClaimType.RESOURCE, text, FACTS)
    assert isinstance(found, ResourceDetails)
    assert (found.kind, found.url) == ("code", "https://github.com/swift/swift")


def test_a_measured_time_is_no_theorem_and_no_number_is_no_benchmark() -> None:
    assert ClaimType.THEOREM not in admitted_types("The guarantee costs 44 ms per query.")
    assert ClaimType.BENCHMARK not in admitted_types("Swift outperforms Adam on Alpha.")


def test_metrics_know_their_direction() -> None:
    assert metric_in("Test accuracy on Alpha") is not None
    assert (
        lower_is_better("WER") is True and lower_is_better("F1") is False and lower_is_better("depth") is None
    )


def test_seeds_come_from_the_section_where_the_sentence_has_none() -> None:
    around = ["All results are averaged over 10 runs."]
    assert conditions_of("Swift wins under Assumption 2.", around) == (
        "under Assumption 2",
        "averaged over 10 runs",
    )
    assert scope_of("Swift wins on all data sets.", around, ()).seeds == 10


def test_a_setting_is_not_what_is_saved() -> None:
    assert speedup("Swift is 2.2x faster than full attention at 32k tokens.").quantity == "speed"
    assert (speedup("Swift needs 14 times fewer training steps.").quantity or "").endswith("steps")


def test_a_measured_error_rate_is_no_theorem() -> None:
    types = admitted_types("On a sample of 500 entries the character error rate of the text is 0.8%.")
    assert ClaimType.THEOREM not in types
