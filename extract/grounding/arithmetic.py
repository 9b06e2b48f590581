"""Whether the numbers of one claim agree with each other: sums, differences, ratios, percentages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from claimdex.claim import Check
from claimdex.extract.quantities import Quantity, quantities
from claimdex.text import format_number

_PARTS = re.compile(r"(?:\s*[\w-]+){0,5}?\s*(?::|\(|=|consisting of|comprising|made up of|split into)\s*")
_COMPARED = re.compile(
    r"\b(?:against|vs\.?|versus|compared (?:to|with)|instead of|rather than|than|over)\b", re.I
)
_MOVES = re.compile(
    r"\b(?:improv|increas|rais|reduc|lower|drop|decreas|f[ae]ll|cut|shr[iu]nk|gr[eo]w|ris|rose|"
    r"boost)\w*\s(?:[^,;.]{0,60}\s)?from\s$",
    re.I,
)
_CHANGE = re.compile(
    r"\b(?:reduc\w+|improve\w*|increas\w+|decreas\w+|faster|slower|fewer|less|more|higher|lower|better|"
    r"worse|drops?|"
    r"gains?|speed-?ups?|smaller|larger|saving\w*|by)\b",
    re.I,
)


def check_arithmetic(text: str) -> Check:
    """6. Sums, differences, ratios and percentages stated in the claim agree.

    >>> check_arithmetic("The set has 405 items: 145 easy, 128 hard and 135 mixed.").finding
    '145 + 128 + 135 = 408, not 405'
    """
    found = quantities(text)
    findings = [*_sums(text, found), *_percent_and_factor(text, found), *_changes(text, found)]
    applies = sum(1 for q in found if q.values) + sum(1 for q in found if q.ends) >= 2
    if not applies:
        return Check(name="arithmetic", passed=None)
    return Check(name="arithmetic", passed=not findings, finding=findings[0] if findings else "")


def _sums(text: str, found: list[Quantity]) -> Iterator[str]:
    """A total followed by its parts: "405 questions: 145 on law, 128 on medicine and 135 on finance"."""
    for i, total in enumerate(found[:-2]):
        opened = _PARTS.match(text, total.end)
        if (
            opened is None
            or opened.end() > found[i + 1].start
            or total.value is None
            or total.kind != "count"
        ):
            continue
        closing = ")" if "(" in opened.group() else "."
        end = text.find(closing, opened.end())
        inside = [q for q in found[i + 1 :] if end < 0 or q.start < end or closing == "."]
        parts = [q.value for q in inside if q.value is not None and q.kind in ("count", "plain", total.kind)]
        whole = all(v == int(v) for v in [total.value, *parts])
        if len(parts) >= 2 and len(parts) == len(inside) and whole and max(parts) < total.value:
            result = sum(parts)
            if result != total.value and 0.8 < result / total.value < 1.25:
                sum_shown = " + ".join(map(format_number, parts))
                yield f"{sum_shown} = {format_number(result)}, not {format_number(total.value)}"


def _percent_and_factor(text: str, found: list[Quantity]) -> Iterator[str]:
    """The same gain in percent and as a factor: "120% (1.21x) improvement" cannot be."""
    for one, other in pairwise(found):
        between = text[one.end : other.start]
        if {one.kind, other.kind} != {"percent", "factor"} or not re.fullmatch(
            r"\s*[(,]?\s*(?:or|i\.e\.,?)?\s*", between
        ):
            continue
        percent, factor = (one, other) if one.kind == "percent" else (other, one)
        if not percent.value or not factor.value or percent.ends or factor.ends:
            continue
        expected = [1 + percent.value / 100]
        if percent.value < 100:
            expected += [1 / (1 - percent.value / 100), 1 - percent.value / 100]
        if not any(abs(e - factor.value) <= 0.05 * factor.value for e in expected):
            yield f"{format_number(percent.value)}% is not {format_number(factor.value)}x"


def _changes(text: str, found: list[Quantity]) -> Iterator[str]:
    """Two values and the difference or ratio between them."""
    pair = _pair(text, found)
    if pair is None:
        return
    first, last, used = pair
    rest = [q for q in found if q not in used and q.kind in ("percent", "points", "factor") and not q.ends]
    if len(rest) != 1 or rest[0].value is None or not first or not last:
        return
    stated = rest[0]
    around = text[max(0, stated.start - 30) : stated.end + 30]
    if stated.bound not in (None, "about") or not _CHANGE.search(around):
        return
    step = _last_place(text[stated.start : stated.end]) * (1 if stated.bound is None else 5)
    small, large = sorted((abs(first), abs(last)))
    options = {
        "factor": [large / small, small / large],
        "points": [large - small, 100 * (large - small)],
        "percent": [large - small, 100 * (large - small) / large, 100 * (large - small) / small],
    }[stated.kind]
    value = abs(stated.value or 0)
    slack = step + 0.04 * value * (any(x != int(x) for x in (first, last)))
    if stated.kind == "percent" and not any(q.kind in ("percent", "points", "plain") for q in used):
        options = options[1:]
    if not any(abs(option - value) <= slack for option in options):
        shown = text[stated.start : stated.end].strip()
        yield f"{format_number(first)} and {format_number(last)} do not give {shown}"


def _pair(text: str, found: list[Quantity]) -> tuple[float, float, list[Quantity]] | None:
    """The two values a claim compares, if it compares exactly two."""
    changes = [q for q in found if q.change and q.ends]
    if len(changes) == 1 and changes[0].ends and _MOVES.search(text[: changes[0].start]):
        return (*changes[0].ends, [changes[0]])
    for one, other in pairwise(found):
        alike = one.kind == other.kind and one.unit == other.unit and not one.ends and not other.ends
        between = text[one.end : other.start]
        if alike and one.value and other.value and _COMPARED.search(between) and len(between) < 60:
            return one.value, other.value, [one, other]
    return None


def _last_place(printed: str) -> float:
    """The unit of the last printed digit: 0.1 for "2.7x"."""
    digits = re.search(r"\d+(?:\.(\d+))?", printed)
    return 10.0 ** -len(digits[1]) if digits and digits[1] else 1.0
