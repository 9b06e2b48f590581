"""When two printed quantities are the same one: value, unit class and ends, never the value alone."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from claimdex.extract.grounding.terms import stem
from claimdex.extract.quantities import Quantity

_LOOSE_UNITS = frozenset(("plain", "count"))


def same_value(one: float, other: float) -> bool:
    """Equal but for sign: a drop of 4.1% is printed as -4.1% in a table."""
    return math.isclose(abs(one), abs(other), rel_tol=1e-9, abs_tol=1e-15)


def same_class(one: Quantity, other: Quantity) -> bool:
    """Whether the units can mean the same: percent are not points, ms are not s; no unit fits any."""
    if one.kind == other.kind:
        return one.kind not in ("time", "memory") or stem(one.unit) == stem(other.unit)
    if "plain" in (one.kind, other.kind):
        return True
    return {one.kind, other.kind} <= {"factor", "count"} and "times" in (one.unit, other.unit)


def same_quantity(claim: Quantity, evidence: Quantity) -> bool:
    """Whether the evidence prints the claim's quantity.

    A single number meets a range only at the end its bound names ("up to" the upper one); a range
    meets a range with the same two ends.
    """
    if not same_class(claim, evidence):
        return False
    if claim.kind == "complexity":
        return formula(claim.unit) == formula(evidence.unit)
    if claim.spread and evidence.spread and not same_value(claim.spread, evidence.spread):
        return False
    if claim.change and evidence.change and claim.ends and evidence.ends:
        return all(same_value(a, b) for a, b in zip(claim.ends, evidence.ends, strict=True))
    if claim.ends and evidence.ends:
        return all(same_value(a, b) for a, b in zip(sorted(claim.ends), sorted(evidence.ends), strict=True))
    if claim.ends or not claim.values:
        return False
    if evidence.ends and not evidence.change:
        if claim.bound in ("up to", "at most"):
            return same_value(claim.values[0], evidence.high or 0)
        return claim.bound == "at least" and same_value(claim.values[0], evidence.low or 0)
    return any(same_value(claim.values[0], v) for v in evidence.values)


def printed_in(claim: Quantity, evidence: Sequence[Quantity]) -> Quantity | None:
    """The evidence quantity that prints the claim's; for a range, the first of two that print its ends."""
    for quantity in evidence:
        if same_quantity(claim, quantity):
            return quantity
    if claim.ends:
        singles = [q for q in evidence if q.values and not q.ends and same_class(claim, q)]
        found = [
            next((q for q in singles if same_value(end, q.values[0])), None) for end in claim.ends if singles
        ]
        if len(found) == 2 and all(found):
            return found[0]
    return None


def rounds_to(claim: Quantity, printed: str, evidence: Sequence[Quantity]) -> bool:
    """Whether an "about" number is an evidence number rounded to the digits the claim prints."""
    if claim.bound != "about" or claim.ends or not claim.values:
        return False
    digits = re.search(r"\.(\d+)", printed)
    places = len(digits[1]) if digits else 0
    value = abs(claim.values[0])
    return any(
        same_class(claim, q) and any(round(abs(v), places) == value and value != 0 for v in q.values)
        for q in evidence
    )


def formula(text: str) -> str:
    """Letters and digits of a formula, in lower case: what survives a PDF.

    >>> formula("O(n log n)") == formula("O (n logn)")
    True
    """
    return re.sub(
        r"[^\w]", "", text.casefold().replace("omega", "ω").replace("theta", "θ").replace("sqrt", "")
    )
