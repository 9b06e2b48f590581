"""Whether a claim keeps the wording that commits: bounds, quantifiers, polarity, hedges (check 5)."""

from __future__ import annotations

import re

from claimdex.claim import Check
from claimdex.extract.grounding import qualifiers
from claimdex.extract.grounding.binding import about
from claimdex.extract.grounding.case import Case
from claimdex.extract.grounding.checks import formula_number, printed
from claimdex.extract.grounding.eligibility import carrying_clause
from claimdex.extract.grounding.matching import printed_in
from claimdex.extract.quantities import quantities

_ADDED_BOUNDS = frozenset(("at least", "at most", "more than", "less than", "up to"))


def check_quantifiers(case: Case) -> Check:
    """5. Bounds, quantifiers, polarity and formal qualifiers are those of the evidence."""
    joint = " ".join(case.sentences)
    finding = _bounds(case) or _polarity(case) or _scope(case, joint)
    return Check(name="quantifiers", passed=finding is None, finding=finding or "")


def _bounds(case: Case) -> str | None:
    """A bound of a number that the claim dropped, added or changed."""
    for quantity in case.stated:
        if any(
            q.values == quantity.values and q.kind == quantity.kind and q.bound
            for q in case.stated
            if q is not quantity
        ):
            continue  # said again, with its bound
        for text in case.sentences:
            matches = [q for q in quantities(text) if printed_in(quantity, [q])]
            if (
                formula_number(case, quantity)
                or not matches
                or any(q.bound == quantity.bound for q in matches)
            ):
                break
            theirs, mine = matches[0].bound, quantity.bound
            if matches[0].ends and not quantity.ends:
                break  # "up to" the upper end of a range: checked with the number
            number = printed(case, quantity)
            if theirs == "up to":
                return f"the evidence says up to {number}"
            if mine in _ADDED_BOUNDS and not _same_side(mine, theirs):
                return f"the evidence does not say {mine} {number}"
    return None


def _same_side(mine: str, theirs: str | None) -> bool:
    sides = ({"at least", "more than"}, {"at most", "less than", "up to"})
    return any(mine in side and theirs in side for side in sides)


def _polarity(case: Case) -> str | None:
    """A direction or negation turned round, judged by all the prose of the evidence together."""
    prose = [s for s, p in zip(case.sentences, case.passages, strict=True) if not p.cells]
    if not prose:
        return None
    joint = " ".join(prose)
    clauses = " ".join(carrying_clause(case.draft.text, s) for s in prose)
    word = qualifiers.flipped(case.draft.text, clauses) or qualifiers.flipped(case.draft.text, joint)
    if word:
        return f"{word!r} against the evidence"
    added = qualifiers.added_negation(case.draft.text, joint)
    if added:
        return f"the evidence does not say {added!r}"
    dropped = [qualifiers.dropped_negation(case.said, text) for text in prose]
    return f"the evidence says {dropped[0]!r}" if all(dropped) else None


def _scope(case: Case, evidence: str) -> str | None:
    """A quantifier or formal qualifier dropped, or a wider or stronger word added."""
    if all(p.cells for p in case.passages):
        said = qualifiers.WIDENING.search(case.draft.text)
        return f"{said.group()!r} is more than a table row says" if said and not case.formal else None
    if case.stated and _average_dropped(case):
        return "the evidence is an average"
    partial = [d for d in (qualifiers.dropped_partial(case.said, s) for s in case.sentences) if d]
    if partial and len(partial) == len(case.sentences):
        return f"the evidence says {partial[0]!r}"
    if case.formal:
        nearest = max(case.sentences, key=lambda s: about(case.draft.text, s))
        for family in qualifiers.MUST_SURVIVE:
            missing = family.pattern.search(nearest)
            if family.strict and missing and not family.kept.search(case.said):
                return f"{missing.group()!r} is lost"
    wide = qualifiers.widened(case.draft.text, evidence, case.formal)
    if wide:
        return f"{wide!r} is not in the evidence"
    strong = qualifiers.strengthened(case.draft.text, evidence, case.paper.text)
    return f"{strong!r} is not in the evidence" if strong else None


def _average_dropped(case: Case) -> bool:
    if qualifiers.AVERAGE.search(case.said):
        return False
    hits = [
        re.search(r"\bon average\b|\baveraged?\s+(?:of\s+)?[\d.]|\b(?:average|mean) of \d", s)
        for s in case.carrying
    ]
    return bool(hits) and all(hits)


def check_hedges(case: Case) -> Check:
    """5b. Softer words survive: "about", "may", "to our knowledge", "up to constants", named assumptions."""
    joint = " ".join(case.sentences)
    priority = qualifiers.PRIORITY.search(case.draft.text) and qualifiers.PRIORITY_HEDGE.search(joint)
    if priority and not qualifiers.PRIORITY_HEDGE.search(case.said):
        return Check(name="hedges", passed=False, finding="'to our knowledge' is lost")
    for quantity in case.stated:
        matches = [q for s in case.sentences for q in quantities(s) if printed_in(quantity, [q])]
        if matches and all(
            q.bound in ("about", "more than", "less than") and quantity.bound is None for q in matches
        ):
            return Check(name="hedges", passed=False, finding=f"the evidence says {matches[0].bound}")
    soft = qualifiers.SOFT.search(case.carrying[0]) if len(case.sentences) == 1 else None
    if soft and not qualifiers.SOFT_KEPT.search(case.said):
        return Check(name="hedges", passed=False, finding=f"{soft.group()!r} is lost")
    if case.formal and qualifiers.ASSUMPTION.search(joint) and not _conditioned(case):
        return Check(name="hedges", passed=False, finding="the assumptions are lost")
    for family in qualifiers.MUST_SURVIVE:
        if (
            not family.strict
            and case.formal
            and family.pattern.search(joint)
            and not family.pattern.search(case.said)
        ):
            return Check(name="hedges", passed=False, finding=f"{family.name} are lost")
    scope = None if case.formal else qualifiers.other_scope(case.draft.text, " ".join([joint, *case.context]))
    if scope:
        return Check(name="hedges", passed=False, finding=f"the evidence does not speak of {scope!r}")
    return Check(name="hedges", passed=True)


def _conditioned(case: Case) -> bool:
    details = case.draft.details
    assumptions = getattr(details, "assumptions", ())
    return bool(assumptions or case.draft.conditions or qualifiers.UNDER.search(case.draft.text))
