"""The quantities a text states: numbers with unit, bound, range and spread.

A grammar for the ways machine-learning papers print numbers. Digits inside names (ResNet-50),
labels (Table 3), citation marks and years are no quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from claimdex.extract.quantity_words import (
    COMPOUND,
    COUNTED,
    FRACTIONS,
    MAGNITUDES,
    SMALL,
    SUPERSCRIPTS,
    UNITS,
    bound_of,
    mask,
)

Kind = Literal[
    "percent",
    "points",
    "factor",
    "time",
    "memory",
    "count",
    "rate",
    "money",
    "magnitude",
    "complexity",
    "plain",
]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity as printed at ``start:end`` (half-open, bound not included, unit included).

    ``value`` is the number; for a range or change the last one, for a complexity None. ``ends`` are
    the two numbers of a range ("3-4x") or a change ("from 71.2% to 74.9%"), in printed order.
    ``kind`` is the unit's class, ``unit`` its plain name ("x", "%", "ms", "GPUs"; "" for none);
    ``magnitude`` counts orders of magnitude; ``complexity`` is O(...), its text in ``unit``.
    ``spread`` is what stands behind a plus-minus sign.
    """

    value: float | None
    kind: Kind
    unit: str
    start: int
    end: int
    ends: tuple[float, float] | None = None
    change: bool = False
    bound: str | None = None
    spread: float | None = None

    @property
    def low(self) -> float | None:
        """Lower end of a range or change, else the value."""
        return min(self.ends) if self.ends else self.value

    @property
    def high(self) -> float | None:
        """Upper end of a range or change, else the value."""
        return max(self.ends) if self.ends else self.value

    @property
    def values(self) -> tuple[float, ...]:
        """Every number printed in it, the spread left out."""
        if self.ends:
            return self.ends
        return () if self.value is None else (self.value,)


_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_POWER = r"10\s?(?:\^\s?\{?\s?(?P<power>[-+]?\d+)(?:\s?\})?|(?P<super>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))"
_NUMBER = re.compile(
    rf"(?:(?<![\w.])|(?<=(?<!\w)x))(?<!\w,)(?P<sign>(?<![\w)\]])[-+](?=[\d.]))?"
    rf"(?:{_POWER}|(?P<digits>{_DIGITS})(?:[eE](?P<exp>[-+]?\d+)(?!\w))?"
    rf"(?:\s?[×x·*]\s?{_POWER.replace('power', 'power2').replace('super', 'super2')})?)"
    r"(?:(?P<suffix>[kKMBT])(?![A-Za-z])|[- ](?P<word>thousand|million|billion|trillion)\b)?"
)
_WORD = re.compile(
    rf"(?<![\w-])(?P<small>{'|'.join(SMALL)})"
    r"(?:[- ](?P<word>thousand|million|billion|trillion|hundred)\b)?(?!\w)",
    re.IGNORECASE,
)
_PHRASES: tuple[tuple[re.Pattern[str], Kind, str, float], ...] = (
    (
        re.compile(r"(?<![\w-])twice\b|(?<![\w-])doubl(?:es?|ed|ing)\b|(?<![\w-])two-?fold\b", re.I),
        "factor",
        "x",
        2,
    ),
    (re.compile(r"(?<![\w-])tripl(?:es?|ed|ing)\b|(?<![\w-])thrice\b", re.I), "factor", "x", 3),
    (re.compile(r"(?<![\w-])(?:quadrupl(?:es?|ed|ing)|four-?fold)\b", re.I), "factor", "x", 4),
    (re.compile(r"(?<![\w-])(?:ten-?fold)\b", re.I), "factor", "x", 10),
    (
        re.compile(
            r"(?<![\w-])(?:halv(?:es?|ed|ing)|(?:one[- ])?half)\b(?![- ](?:precision|life|space))", re.I
        ),
        "factor",
        "x",
        0.5,
    ),
    (re.compile(r"(?<![\w-])(?:an|one) order of magnitude\b", re.I), "magnitude", "orders of magnitude", 1),
)
_ORDERS = re.compile(r"[- ]orders? of magnitudes?\b")
_FRACTION = re.compile(
    r"(?<![\w-])(?P<top>one|two|three|four|a)[- ](?P<part>third|quarter|fifth|tenth)s?\b", re.I
)
_COMPLEXITY = re.compile(r"(?<![\w])(?:\\?(?:tilde|wide)?\s?[OΩΘÕω](?:mega|meg)?|o|Omega|Theta)[~˜]?\s?\(")
_JOIN = re.compile(
    r"(?P<unit>\s?%|\s?[×x]|\s?(?:ms|s|GB|MB|hours|days))?(?P<dash>-| - |\s?to\s|\s?and\s)(?=[-+]?[\d.])"
)
_SPREAD = re.compile(rf"\s?(?:±|\+/-|\+-)\s?(?P<spread>{_DIGITS})")
_PAREN_SPREAD = re.compile(r"\s?\((?P<spread>\d*\.\d+)\)")
_FACTOR_OF = re.compile(r"\bfactors? of\s+(?:(?:up to|about|at least|over|more than|around|~)\s*)?$")
_FROM = re.compile(r"\b(?:from|between)\s+(?:about |around |~\s?)?$", re.I)
_RANGING = re.compile(r"\b(?:rang(?:e|es|ing) (?:from|between)|between)\s+(?:about |around |~\s?)?$", re.I)
_TIMES = re.compile(r"[- ]times\b")
_TIMES_BEFORE = re.compile(r"(?<!\w)(?<!\d\s)[×x]$")
_LOOK_BACK = 80
"""Characters before a number in which its unit and bound are looked for."""
_SHARED = ("percent", "points", "factor", "time", "memory", "count")
_LISTED = re.compile(r"\s?(?:,|/|,?\s?and|,?\s?or|,?\s?vs\.?|versus|(?:out )?of(?: the| all)?)\s?")
_REPEATED = re.compile(
    r"\b(?:repeat\w*|run|ran|train\w*|sampl\w*|execut\w*|perform\w*|experiments?)\b[^.]{0,30}$", re.I
)


def quantities(text: str) -> list[Quantity]:
    """Quantities of ``text`` in order of place; they do not overlap.

    >>> [(q.values, q.kind, q.bound) for q in quantities("up to 2.7x faster on 8 A100 GPUs, 51% of [12]")]
    [((2.7,), 'factor', 'up to'), ((8.0,), 'count', None), ((51.0,), 'percent', None)]
    """
    return list(_read(text))


@lru_cache(maxsize=8192)  # the checks of many claims ask for the same sentences
def _read(text: str) -> tuple[Quantity, ...]:
    masked = mask(text)
    taken: list[Quantity] = list(_complexities(masked))
    for found in (_phrases(masked), _fractions(masked), _printed(masked), _spelled(masked)):
        taken += [q for q in found if not any(q.start < t.end and t.start < q.end for t in taken)]
    shared = _share_bounds(masked, _share_units(masked, sorted(taken, key=lambda q: q.start)))
    return tuple(q for q in shared if q.kind != "plain" or not text[q.start].isalpha())


def _share_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """A unit said once after several numbers holds for all: "1.2 and 3.4 points", "two of nine settings"."""
    for i in range(len(found) - 2, -1, -1):
        one, after = found[i], found[i + 1]
        if one.kind == "plain" and after.kind in _SHARED and _LISTED.fullmatch(text, one.end, after.start):
            found[i] = replace(one, kind=after.kind, unit=after.unit)
    return found


def _share_bounds(text: str, found: list[Quantity]) -> list[Quantity]:
    """A bound said once holds for the next of the list: "at least 25% on A and 7% on B"."""
    for i, (one, after) in enumerate(pairwise(found)):
        if found[i].bound and after.bound is None and one.kind == after.kind:
            between = text[one.end : after.start]
            if len(between) < 50 and re.fullmatch(r"[^,;.:]*\b(?:and|or)\s", between):
                found[i + 1] = replace(after, bound=found[i].bound)
    return found


def _complexities(text: str) -> Iterator[Quantity]:
    at = 0
    while match := _COMPLEXITY.search(text, at):
        depth, end = 1, match.end()
        while end < len(text) and depth and end - match.start() < 200:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        at = end
        if depth == 0:
            unit = re.sub(r"\s+", "", text[match.start() : end]).replace("\0", "")
            yield Quantity(None, "complexity", unit, match.start(), end)


def _phrases(text: str) -> Iterator[Quantity]:
    for pattern, kind, unit, value in _PHRASES:
        for match in pattern.finditer(text):
            start, end = match.span()
            yield Quantity(
                value,
                kind,
                unit,
                start,
                end,
                bound=bound_of(text[max(0, start - 40) : start], text[end : end + 20]),
            )


def _fractions(text: str) -> Iterator[Quantity]:
    for match in _FRACTION.finditer(text):
        top = SMALL.get(match["top"].lower(), 1)
        start, end = match.span()
        value = top * FRACTIONS[match["part"].lower()]
        yield Quantity(
            value,
            "factor",
            "x",
            start,
            end,
            bound=bound_of(text[max(0, start - 40) : start], text[end : end + 20]),
        )


def _spelled(text: str) -> Iterator[Quantity]:
    """Number words; "one" only before a unit, since else it is a pronoun."""
    for match in _WORD.finditer(text):
        value = float(SMALL[match["small"].lower()])
        word = (match["word"] or "").lower()
        value *= 100 if word == "hundred" else MAGNITUDES.get(word, 1)
        quantity = _with_unit(text, Quantity(value, "plain", "", *match.span()))
        if value != 1 or quantity.kind == "time":
            yield quantity


def _printed(text: str) -> Iterator[Quantity]:
    """Numbers in digits, with range, spread and unit."""
    at = 0
    while match := _NUMBER.search(text, at):
        quantity = _ranged(text, match)
        quantity = _spread(text, quantity)
        quantity = _with_unit(text, quantity)
        at = max(quantity.end, match.end())
        if not _glued(text, quantity.end):
            yield quantity


def _glued(text: str, end: int) -> bool:
    """Whether a Latin letter follows without a gap: then it was a name ("4WD"), not a number with unit."""
    return end < len(text) and text[end - 1].isdigit() and text[end].isascii() and text[end].isalpha()


def _value(match: re.Match[str]) -> float:
    power = match["power"] or match["power2"] or match["super"] or match["super2"]
    factor = 10.0 ** min(300, max(-300, int(power.translate(SUPERSCRIPTS)))) if power else 1.0
    value = float(match["digits"].replace(",", "")) if match["digits"] else 1.0
    if match["exp"]:
        factor *= 10.0 ** min(300, max(-300, int(match["exp"])))
    value *= MAGNITUDES.get(match["suffix"] or match["word"] or "", 1)
    value = float(f"{value * factor:.12g}")
    return -value if match["sign"] == "-" else value


def _ranged(text: str, first: re.Match[str]) -> Quantity:
    """The number, or the range or change it begins."""
    single = Quantity(_value(first), "plain", "", first.start(), first.end())
    join = _JOIN.match(text, first.end())
    second = _NUMBER.match(text, join.end()) if join else None
    if join is None or second is None or (_glued(text, second.end()) and not _unit_at(text, second.end())):
        return single
    low, high = _value(first), _value(second)
    if first["suffix"] is None and second["suffix"] and low < 1000 and high >= 1000 and "-" in join["dash"]:
        low *= MAGNITUDES[second["suffix"]]  # "8-16k": the suffix is said once
    before, dash = text[max(0, first.start() - _LOOK_BACK) : first.start()], join["dash"].strip()
    leads, ranging = bool(_FROM.search(before)), bool(_RANGING.search(before))
    if dash == "and" and not ranging:
        return single
    if dash == "-" and (low >= high or (" " in join["dash"] and not _unit_at(text, second.end()))):
        return single
    factor = _unit_at(text, second.end()) == "factor"
    if dash == "to" and not leads and low >= high:
        return single
    return replace(
        single,
        value=high,
        ends=(low, high),
        end=second.end(),
        change=dash == "to" and leads and not ranging and not factor,
    )


def _spread(text: str, quantity: Quantity) -> Quantity:
    match = _SPREAD.match(text, quantity.end)
    if match is None and "." in text[quantity.start : quantity.end] and quantity.ends is None:
        match = _PAREN_SPREAD.match(text, quantity.end)
        if match and quantity.value is not None and float(match["spread"]) > abs(quantity.value) / 2:
            match = None
    if match is None:
        return quantity
    return replace(quantity, spread=float(match["spread"].replace(",", "")), end=match.end())


def _unit_at(text: str, at: int) -> str | None:
    """Kind of the unit that stands at ``at``, if one does."""
    if _ORDERS.match(text, at):
        return "magnitude"
    return next((kind for kind, _, pattern in UNITS if pattern.match(text, at)), None)


def _with_unit(text: str, quantity: Quantity) -> Quantity:
    """The quantity with unit and bound, from the words around it."""
    before, at = text[max(0, quantity.start - _LOOK_BACK) : quantity.start], quantity.end
    quantity = replace(quantity, bound=bound_of(before, text[at : at + 20]))
    if _FACTOR_OF.search(before):
        return replace(quantity, kind="factor", unit="x")
    if _TIMES_BEFORE.search(before):
        return replace(quantity, kind="factor", unit="x", start=quantity.start - 1)
    if before.rstrip().endswith(("$", "€", "£")):
        return replace(quantity, kind="money", unit="$")
    orders = _ORDERS.match(text, at)
    if orders:
        return replace(quantity, kind="magnitude", unit="orders of magnitude", end=orders.end())
    for kind, unit, pattern in UNITS:
        match = pattern.match(text, at)
        if match:
            named = match.group().strip(" -") if kind in ("memory", "rate") else unit
            return replace(quantity, kind=kind, unit=named, end=match.end())  # type: ignore[arg-type]
    times = _TIMES.match(text, at)
    if times:
        kind_of: Kind = "count" if _REPEATED.search(before) else "factor"
        return replace(quantity, kind=kind_of, unit="x" if kind_of == "factor" else "times", end=times.end())
    return _counted(text, quantity)


def _counted(text: str, quantity: Quantity) -> Quantity:
    """The quantity as a count, if it is whole and a plural noun or an attribute follows."""
    if quantity.value is None or quantity.value != int(quantity.value) or quantity.value < 0:
        return quantity
    for pattern in (COUNTED, COMPOUND):
        match = pattern.match(text, quantity.end)
        if match:
            scope = quantity.value < 100 and text[: quantity.start].endswith(
                "over "
            )  # "averaged over 7 tasks"
            bound = None if scope else quantity.bound
            return replace(quantity, kind="count", unit=match["noun"].lower(), bound=bound)
    return quantity
