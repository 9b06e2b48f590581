from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimdex.extract.quantities import Quantity, quantities


def only(text: str) -> Quantity:
    found = quantities(text)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "values", "kind", "unit"),
    [
        ("2.7x", (2.7,), "factor", "x"),
        ("2.7×", (2.7,), "factor", "x"),
        ("a 2.7 × gain", (2.7,), "factor", "x"),
        ("3-4x", (3, 4), "factor", "x"),
        ("3–4×", (3, 4), "factor", "x"),
        ("(×175)", (175,), "factor", "x"),
        ("5.2%", (5.2,), "percent", "%"),
        ("5.2 percent", (5.2,), "percent", "%"),
        ("5.2 points", (5.2,), "points", "points"),
        ("5.2 pp", (5.2,), "points", "points"),
        ("5.2 percentage points", (5.2,), "points", "points"),
        ("2 BLEU points", (2,), "points", "points"),
        ("700 data points", (700,), "count", "data"),
        ("by a factor of 8", (8,), "factor", "x"),
        ("twice as fast", (2,), "factor", "x"),
        ("half the time", (0.5,), "factor", "x"),
        ("three times faster", (3,), "factor", "x"),
        ("two orders of magnitude", (2,), "magnitude", "orders of magnitude"),
        ("an order of magnitude", (1,), "magnitude", "orders of magnitude"),
        ("10^5", (1e5,), "plain", ""),
        ("10⁻⁵", (1e-5,), "plain", ""),
        ("1.3e-4", (1.3e-4,), "plain", ""),
        ("1.3 × 10^{-4}", (1.3e-4,), "plain", ""),
        ("1,024 tokens", (1024,), "count", "tokens"),
        ("7B", (7e9,), "plain", ""),
        ("110M parameters", (110e6,), "count", "parameters"),
        ("1.2 million steps", (1.2e6,), "count", "steps"),
        ("8 A100 GPUs", (8,), "count", "gpus"),
        ("seven benchmarks", (7,), "count", "benchmarks"),
        ("seven common node-classification benchmarks", (7,), "count", "benchmarks"),
        ("5-shot", (5,), "count", "shots"),
        ("10-fold cross-validation", (10,), "count", "fold"),
        ("repeated five times", (5,), "count", "times"),
        ("16 GB of memory", (16,), "memory", "GB"),
        ("0.6s", (0.6,), "time", "s"),
        ("12 ms", (12,), "time", "ms"),
        ("3 days", (3,), "time", "days"),
        ("one day", (1,), "time", "days"),
        ("12 GPU hours", (12,), "time", "device hours"),
        ("300 frames per second", (300,), "rate", "frames per second"),
        ("$1.2", (1.2,), "money", "$"),
        ("-4.10%", (-4.1,), "percent", "%"),
        ("two thirds of it", (2 / 3,), "factor", "x"),
    ],
)
def test_a_printed_quantity_is_read_with_its_unit(
    text: str, values: tuple[float, ...], kind: str, unit: str
) -> None:
    quantity = only(text)
    assert quantity.values == pytest.approx(values)
    assert (quantity.kind, quantity.unit) == (kind, unit)


@pytest.mark.parametrize(
    ("text", "ends", "change"),
    [
        ("between 4.56 and 20.40 times faster", (4.56, 20.40), False),
        ("is 10 to 900 times faster", (10, 900), False),
        ("a 4.1-76.7× speed-up", (4.1, 76.7), False),
        ("from 71.2% to 74.9%", (71.2, 74.9), True),
        ("falls from 0.412 to 0.371", (0.412, 0.371), True),
        ("ranging from 3 to 5 points", (3, 5), False),
        ("8 to 10 days", (8, 10), False),
        ("8-16k", (8000, 16000), False),
    ],
)
def test_ranges_and_changes_keep_both_printed_ends(
    text: str, ends: tuple[float, float], change: bool
) -> None:
    quantity = only(text)
    assert quantity.ends == ends
    assert quantity.change is change
    assert (quantity.low, quantity.high) == (min(ends), max(ends))


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("up to 130x", "up to"),
        ("as much as 3%", "up to"),
        ("at least 0.995", "at least"),
        ("90+ tasks", "at least"),
        ("5 or more seeds", "at least"),
        ("at most 3 days", "at most"),
        ("more than 100 times", "more than"),
        ("over 20%", "more than"),
        ("by more than a factor of 8", "more than"),
        ("less than 5 s", "less than"),
        ("about 10 seconds", "about"),
        ("approximately 94%", "about"),
        ("∼0.6s", "about"),
        ("reaches 94%", None),
        ("averaged over 3 seeds", None),
    ],
)
def test_the_bound_of_a_quantity_is_read_from_the_words_around_it(text: str, bound: str | None) -> None:
    assert only(text).bound == bound


@pytest.mark.parametrize(
    ("text", "value", "spread"),
    [("0.51 ± 0.02", 0.51, 0.02), ("34.54±2.07", 34.54, 2.07), ("93.2 (0.4)", 93.2, 0.4), ("5 +/- 1", 5, 1)],
)
def test_a_spread_belongs_to_its_number(text: str, value: float, spread: float) -> None:
    quantity = only(text)
    assert (quantity.value, quantity.spread) == (value, spread)


@pytest.mark.parametrize(
    "text",
    [
        "as shown in [12] and [3, 4] and [5-7]",
        "by Lee (2020) and (Lee et al., 2019a)",
        "in Table 3, Section 4.2 and Figs. 5 and 6",
        "by Theorem 1, Lemmas 2.3 and 2.4, Eq. (5) and Appendix A.2",
        "ResNet-50, GPT-2, CIFAR-10, F1, BN-x5, H100, v2, Hits@10, FB15k-237, ogbn-papers100M",
        "the top-5 error in 3D",
        "one-step Q-learning is one of the methods",
        "see https://example.org/v1/2024",
        "a 3x3 convolution",
    ],
)
def test_digits_that_state_no_quantity_are_ignored(text: str) -> None:
    assert quantities(text) == []


@pytest.mark.parametrize("text", ["O(n log n)", "Ω(√d)", "Õ(1/T^2)", "Θ(f(n))", "Omega(1/T)"])
def test_a_complexity_is_one_quantity_without_a_value(text: str) -> None:
    quantity = only(text)
    assert (quantity.kind, quantity.value, quantity.values) == ("complexity", None, ())
    assert text[quantity.start : quantity.end] == text


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("by 1.2 and 3.4 points", ["points", "points"]),
        ("4B vs 30B tokens", ["count", "count"]),
        ("in two of nine settings", ["count", "count"]),
        ("by 0.51% or 51 points", ["percent", "points"]),
        ("120% (1.21x)", ["percent", "factor"]),
    ],
)
def test_a_unit_said_once_holds_for_the_listed_numbers_and_for_no_others(text: str, kinds: list[str]) -> None:
    assert [q.kind for q in quantities(text)] == kinds


def test_offsets_cut_the_printed_quantity_out_of_the_text() -> None:
    text = "We gain up to 2.7× on 8 GPUs, from 71.2% to 74.9%."
    assert [text[q.start : q.end] for q in quantities(text)] == ["2.7×", "8", "71.2% to 74.9%"]


@given(st.text(max_size=100))
def test_any_text_gives_ordered_disjoint_quantities(text: str) -> None:
    at = 0
    for q in quantities(text):
        assert at <= q.start < q.end <= len(text)
        at = q.end


@given(
    st.decimals(min_value=0, max_value=99999, places=2, allow_nan=False),
    st.sampled_from(
        [("%", "percent"), ("x", "factor"), (" points", "points"), (" ms", "time"), ("GB", "memory")]
    ),
)
def test_every_decimal_with_a_unit_is_read_back(value: object, unit: tuple[str, str]) -> None:
    quantity = only(f"The gain is {value}{unit[0]} here.")
    assert quantity.value == pytest.approx(float(str(value)))
    assert quantity.kind == unit[1]


@given(st.integers(min_value=0, max_value=10**9))
def test_thousands_separators_do_not_change_the_value(value: int) -> None:
    assert only(f"we see {value:,} of them").value == value


@given(st.text(alphabet="0123456789.,-+e^{}()%x× ±Õ$kMB\n", max_size=60))
def test_digit_soup_never_fails(text: str) -> None:
    quantities(text)
