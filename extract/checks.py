"""The checks a claim must pass against its evidence, each its own function: ``Case`` in, ``Check`` out.

``passed`` is None where a check does not apply. What a failure costs is decided in ``ground``.
"""

from __future__ import annotations

import re

from claimdex.claim import Check
from claimdex.extract import qualifiers
from claimdex.extract.binding import Bound, about, bind_in_table, contradiction_in_sentence, header_text
from claimdex.extract.case import Case
from claimdex.extract.matching import formula, printed_in, rounds_to
from claimdex.extract.quantities import Quantity, quantities
from claimdex.extract.terms import LABEL, label_key, names, stem
from claimdex.text import normalise

_MIN_KNOWN = 0.6
"""Share of a claim's content words that its paper must use."""
_MIN_ABOUT = 0.25
"""Share of a claim's content words that its evidence and the place it stands in must use."""

_SETTING = re.compile(
    r"\b(?:with|after|for|using|over|under|within|per|batch of)\s+(?:only |about |all |up to |the )?$", re.I
)
_REACH = re.compile(
    r"\b(?:of|on|across|over|in|for|with|all|both|these|the|top|among|between|from|at|after|than)\s+(?:\w+\s+){0,2}$",
    re.I,
)
_IN_FORMULA = re.compile(r"[\^_/{*√(|]\s?[-+]?$|[=≤≥<>]\s?$")
_ADDED_BOUNDS = frozenset(("at least", "at most", "more than", "less than", "up to"))


def check_quote(case: Case) -> Check:
    """1. The quotes stand in the paper, at the offsets given."""
    for evidence, passage in zip(case.evidence, case.passages, strict=True):
        if passage.text[evidence.start : evidence.end] != evidence.quote or not evidence.quote.strip():
            return Check(
                name="quote", passed=False, finding=f"{evidence.quote[:60]!r} is not in {passage.id}"
            )
    return Check(name="quote", passed=True)


def check_numbers(case: Case) -> Check:
    """2. Every number of the claim stands in its evidence, with its unit, and belongs to the claim's names."""
    if not case.stated:
        return Check(name="numbers", passed=None)
    missing = [q for q in case.stated if not _stands(case, q)]
    for quantity in missing:
        if not (_setting_nearby(case, quantity) or _known_count(case, quantity) or _rounded(case, quantity)):
            return Check(
                name="numbers", passed=False, finding=f"{_printed(case, quantity)} is not in the evidence"
            )
    wrong = [f for f in (_misplaced(case, i) for i in range(len(case.evidence))) if f is not None]
    if wrong and len(wrong) == len(case.evidence):
        return Check(name="numbers", passed=False, finding=wrong[0])
    return Check(name="numbers", passed=True)


def _printed(case: Case, quantity: Quantity) -> str:
    return case.draft.text[quantity.start : quantity.end]


def _stands(case: Case, quantity: Quantity) -> bool:
    """Whether one of the evidences prints the quantity."""
    for text, passage in zip(case.sentences, case.passages, strict=True):
        if printed_in(quantity, quantities(text)):
            return True
        if passage.cells and printed_in(quantity, [q for c in passage.cells for q in quantities(c.text)]):
            return True
        if passage.cells and printed_in(quantity, quantities(header_text(passage))):
            return True
        if _formula_number(case, quantity) and _digits_of(case, quantity) <= set(re.findall(r"\d+", text)):
            return True
        if quantity.kind == "complexity" and formula(quantity.unit) in formula(text):
            return True
    return False


def _formula_number(case: Case, quantity: Quantity) -> bool:
    """Whether the number is part of a formula, whose layout a PDF does not keep."""
    text = case.draft.text
    before, after = text[max(0, quantity.start - 3) : quantity.start], text[quantity.end : quantity.end + 1]
    glued = bool(_IN_FORMULA.search(before)) or after in ("/", "^", "*", ")", "}") or after.isalpha()
    return quantity.kind in ("plain", "complexity") and (
        glued or (case.formal and quantity.kind == "complexity")
    )


def _digits_of(case: Case, quantity: Quantity) -> set[str]:
    return set(re.findall(r"\d+", _printed(case, quantity)))


def _setting_nearby(case: Case, quantity: Quantity) -> bool:
    """Whether the number only names a setting ("with 99% of ...") that the same passage or caption prints."""
    if not _SETTING.search(case.draft.text[: quantity.start]):
        return False
    return printed_in(quantity, [q for t in case.context for q in quantities(t)]) is not None


def _known_count(case: Case, quantity: Quantity) -> bool:
    """Whether the number only tells how far the claim reaches, in words that the paper prints elsewhere.

    "all six data sets" for the sentence's "all data sets", "K = 20" for "on longer runs". Not if the
    evidence counts the same things and gets another number.
    """
    text = case.draft.text
    symbol = re.search(r"(\w+) ?= ?$", text[: quantity.start])
    if symbol:
        return (
            re.search(rf"\b{re.escape(symbol[1])} ?= ?{re.escape(_printed(case, quantity))}", case.paper.text)
            is not None
        )
    if quantity.kind != "count" or not _REACH.search(text[: quantity.start]):
        return False
    rivals = [
        q
        for s in case.sentences
        for q in quantities(s)
        if q.kind == "count" and stem(q.unit) == stem(quantity.unit)
    ]
    return not rivals and (stem(quantity.unit), quantity.values) in case.paper.counts


def _rounded(case: Case, quantity: Quantity) -> bool:
    return any(rounds_to(quantity, _printed(case, quantity), quantities(t)) for t in case.sentences)


def _misplaced(case: Case, index: int) -> str | None:
    """What is wrong with the binding of numbers in one evidence, if anything."""
    passage, sentence = case.passages[index], case.sentences[index]
    if passage.cells:
        bound, finding = bind_in_table(case.draft.text, case.stated, passage)
        return finding if bound is Bound.WRONG else None
    return contradiction_in_sentence(case.draft.text, case.stated, sentence)


def check_binding(case: Case) -> Check:
    """2b. Number and names stand together: in one sentence, or in one cell and its headers."""
    if not case.stated:
        return Check(name="binding", passed=None)
    for quantity in case.stated:
        if not _stands(case, quantity):
            return Check(
                name="binding", passed=False, finding=f"{_printed(case, quantity)} stands beside the evidence"
            )
    tables = [p for p in case.passages if p.cells]
    if tables and len(tables) == len(case.passages):
        results = [bind_in_table(case.draft.text, case.stated, t) for t in tables]
        loose = [finding for bound, finding in results if bound is Bound.LOOSE]
        if len(loose) == len(results):
            return Check(name="binding", passed=False, finding=loose[0])
    near = normalise(" ".join([*case.sentences, *case.context])).casefold()
    for name in names(case.draft.text):
        if name.technical and not _symbol(name.text) and not _near(name.text, near):
            return Check(
                name="binding", passed=False, finding=f"{name.text} is not named where the number stands"
            )
    return Check(name="binding", passed=True)


def _near(name: str, text: str) -> bool:
    plain = name.casefold().removesuffix("s")
    parts = [plain, *(p for p in re.split(r"[-/]", plain) if len(p) > 2)]
    return any(re.search(rf"(?<![^\W_]){re.escape(p)}", text) for p in parts)


def check_names(case: Case) -> Check:
    """3. The claim's names are words of this paper, and its evidence speaks of the same things."""
    text = case.draft.text
    foreign = [w.text for w in names(text) if not _symbol(w.text) and not case.paper.knows(w.text)]
    if foreign:
        return Check(name="names", passed=False, finding=f"{foreign[0]} does not occur in the paper")
    if about(text, case.paper.text) < _MIN_KNOWN:
        return Check(name="names", passed=False, finding="most words of the claim do not occur in the paper")
    if about(text, *case.sentences, *case.context) < _MIN_ABOUT:
        return Check(name="names", passed=False, finding="the evidence speaks of something else")
    return Check(name="names", passed=True)


def _symbol(word: str) -> bool:
    """Whether the word is mathematics spelled out, which no PDF prints that way: d_0, Theta, x178."""
    return (
        "_" in word
        or re.fullmatch(r"x\d+|(?i:theta|omega|sigma|delta|gamma|lambda|phi|psi|pi|xi)\b.*", word) is not None
    )


def check_anchor(case: Case) -> Check:
    """4. Labels named by the claim or its anchor are labels of this version, and those of its evidence."""
    asked = [case.draft.anchor.label] if case.draft.anchor else []
    asked += [m.group() for m in LABEL.finditer(case.draft.text)]
    own = {label_key(p.label): p.label for p in case.passages if p.label}
    for label in asked:
        key = label_key(label)
        if key is None or key in own:
            continue
        if key not in case.paper.labels and not re.search(
            rf"\b{re.escape(label)}(?![\d.]*\d)", case.paper.text
        ):
            return Check(name="anchor", passed=False, finding=f"{label} is not in this version of the paper")
        rivals = [theirs for other, theirs in own.items() if other and other[0] == key[0]]
        if rivals and not any(label in s for s in case.sentences):
            return Check(
                name="anchor", passed=False, finding=f"{label} is cited, but the words stand in {rivals[0]}"
            )
    return Check(name="anchor", passed=True if asked or own else None)


def check_quantifiers(case: Case) -> Check:
    """5. Bounds, quantifiers, polarity and formal qualifiers are those of the evidence; nothing is widened."""
    joint = " ".join(case.sentences)
    finding = _bounds(case) or _polarity(case) or _scope(case, joint)
    return Check(name="quantifiers", passed=finding is None, finding=finding or "")


def _bounds(case: Case) -> str | None:
    """A bound of a number that the claim dropped, added or changed."""
    for quantity in case.stated:
        for text in case.sentences:
            matches = [q for q in quantities(text) if printed_in(quantity, [q])]
            if (
                _formula_number(case, quantity)
                or not matches
                or any(q.bound == quantity.bound for q in matches)
            ):
                break
            theirs, mine = matches[0].bound, quantity.bound
            if matches[0].ends and not quantity.ends:
                break  # "up to" the upper end of a range: checked with the number
            printed = _printed(case, quantity)
            if theirs == "up to":
                return f"the evidence says up to {printed}"
            if mine in _ADDED_BOUNDS and not _same_side(mine, theirs):
                return f"the evidence does not say {mine} {printed}"
    return None


def _same_side(mine: str, theirs: str | None) -> bool:
    sides = ({"at least", "more than"}, {"at most", "less than", "up to"})
    return any(mine in side and theirs in side for side in sides)


def _polarity(case: Case) -> str | None:
    """A direction or negation turned round in every evidence."""
    found = []
    for text, passage in zip(case.sentences, case.passages, strict=True):
        if passage.cells:
            return None
        word = qualifiers.flipped(case.draft.text, text)
        dropped = qualifiers.dropped_negation(case.said, text)
        added = qualifiers.added_negation(case.draft.text, text)
        if word:
            found.append(f"{word!r} against the evidence")
        elif dropped:
            found.append(f"the evidence says {dropped!r}")
        elif added:
            found.append(f"{added!r} is not in the evidence")
    return found[0] if found and len(found) == len(case.sentences) else None


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
        for family in qualifiers.MUST_SURVIVE:
            missing = family.pattern.search(evidence)
            if family.strict and missing and not family.kept.search(case.said):
                return f"{missing.group()!r} is lost"
    else:
        wide = qualifiers.widened(case.draft.text, evidence)
        if wide:
            return f"{wide!r} is not in the evidence"
    strong = qualifiers.strengthened(case.draft.text, evidence, case.paper.text)
    return f"{strong!r} is not in the evidence" if strong else None


def _average_dropped(case: Case) -> bool:
    if qualifiers.AVERAGE.search(case.said):
        return False
    hits = [
        re.search(r"\bon average\b|\baveraged?\s+(?:of\s+)?[\d.]|\b(?:average|mean) of \d", s)
        for s in case.sentences
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
    return Check(name="hedges", passed=True)


def _conditioned(case: Case) -> bool:
    details = case.draft.details
    assumptions = getattr(details, "assumptions", ())
    return bool(assumptions or case.draft.conditions or qualifiers.UNDER.search(case.draft.text))


def check_visible(case: Case) -> Check:
    """7. The evidence is text that a reader of the page sees."""
    hidden = [p.id for p in case.passages if not p.visible]
    return Check(name="visible", passed=not hidden, finding=f"{hidden[0]} is hidden text" if hidden else "")
