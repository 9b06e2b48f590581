"""The checks a claim must pass against its evidence, each its own function: ``Case`` in, ``Check`` out.

``passed`` is None where a check does not apply. What a failure costs is decided in ``ground``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimdex.claim import Check
from claimdex.extract.grounding.alignment import exchanged_numbers, exchanged_sides, replaced_name
from claimdex.extract.grounding.binding import (
    Bound,
    about,
    bind_in_table,
    contradiction_in_sentence,
    header_text,
)
from claimdex.extract.grounding.case import Case
from claimdex.extract.grounding.matching import formula, printed_in, rounds_to
from claimdex.extract.grounding.terms import LABEL, label_key, names, stem
from claimdex.extract.quantities import Quantity, quantities
from claimdex.text import normalise

_MIN_KNOWN = 0.6
"""Share of a claim's content words that its paper must use."""
_MIN_ABOUT = 0.25
"""Share of a claim's content words that its evidence and the place it stands in must use."""

_SETTING = re.compile(
    r"\b(?:with|after|for|using|over|under|within|per|batch of)\s+(?:only |about |all |up to |the )?$", re.I
)
_SELF = re.compile(
    r"\b(?:we|our|ours|this|it|its|the (?:proposed|model|method|approach|algorithm|framework|system))\b", re.I
)
_REACH = re.compile(
    r"\b(?:of|on|across|over|in|for|with|all|both|these|the|top|among|between|from|at|after|"
    r"than)\s+(?:\w+\s+){0,2}$",
    re.I,
)
_IN_FORMULA = re.compile(r"[\^_/{*√(|]\s?[-+]?$|[=≤≥<>]\s?$")


def check_quote(case: Case) -> Check:
    """1. The quotes stand in the paper, at the offsets given."""
    for evidence, passage in zip(case.evidence, case.passages, strict=True):
        if passage.text[evidence.start : evidence.end] != evidence.quote or not evidence.quote.strip():
            return Check(
                name="quote", passed=False, finding=f"{evidence.quote[:60]!r} is not in {passage.id}"
            )
    return Check(name="quote", passed=True)


def check_numbers(case: Case) -> Check:
    """2. Every number of the claim stands in its evidence, with its unit, and belongs to its names."""
    if not case.stated:
        return Check(name="numbers", passed=None)
    missing = [q for q in case.stated if not _stands(case, q)]
    for quantity in missing:
        if not (_setting_nearby(case, quantity) or _known_count(case, quantity) or _rounded(case, quantity)):
            return Check(
                name="numbers", passed=False, finding=f"{printed(case, quantity)} is not in the evidence"
            )
    printing = [i for i in range(len(case.evidence)) if any(_stands(case, q, (i,)) for q in case.stated)]
    wrong = [f for f in (_misplaced(case, i) for i in printing) if f is not None]
    if wrong and len(wrong) == len(printing):
        return Check(name="numbers", passed=False, finding=wrong[0])
    return Check(name="numbers", passed=True)


def printed(case: Case, quantity: Quantity) -> str:
    """The quantity as the claim prints it."""
    return case.draft.text[quantity.start : quantity.end]


def _stands(case: Case, quantity: Quantity, among: Sequence[int] | None = None) -> bool:
    """Whether one of the evidences (those of index ``among``) prints the quantity."""
    for i in range(len(case.evidence)) if among is None else among:
        text, passage = case.sentences[i], case.passages[i]
        if printed_in(quantity, quantities(text)):
            return True
        if passage.cells and printed_in(quantity, [q for c in passage.cells for q in quantities(c.text)]):
            return True
        if passage.cells and printed_in(quantity, quantities(header_text(passage))):
            return True
        if formula_number(case, quantity) and _digits_of(case, quantity) <= set(re.findall(r"\d+", text)):
            return True
        if quantity.kind == "complexity" and formula(quantity.unit) in formula(text):
            return True
    return False


def formula_number(case: Case, quantity: Quantity) -> bool:
    """Whether the number is part of a formula, whose layout a PDF does not keep."""
    text = case.draft.text
    before, after = text[max(0, quantity.start - 3) : quantity.start], text[quantity.end : quantity.end + 1]
    glued = bool(_IN_FORMULA.search(before)) or after in ("/", "^", "*", ")", "}") or after.isalpha()
    return quantity.kind in ("plain", "complexity") and (
        glued or (case.formal and quantity.kind == "complexity")
    )


def _digits_of(case: Case, quantity: Quantity) -> set[str]:
    return set(re.findall(r"\d+", printed(case, quantity)))


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
            re.search(rf"\b{re.escape(symbol[1])} ?= ?{re.escape(printed(case, quantity))}", case.paper.text)
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
    return any(rounds_to(quantity, printed(case, quantity), quantities(t)) for t in case.sentences)


def _misplaced(case: Case, index: int) -> str | None:
    """What is wrong with the binding of numbers in one evidence, if anything."""
    passage, sentence = case.passages[index], case.sentences[index]
    if passage.cells:
        bound, finding = bind_in_table(case.draft.text, case.stated, passage)
        return finding if bound is Bound.WRONG else None
    text = case.draft.text
    return contradiction_in_sentence(text, case.stated, sentence) or exchanged_numbers(
        text, case.stated, sentence
    )


def check_binding(case: Case) -> Check:
    """2b. Number and names stand together: in one sentence, or in one cell and its headers."""
    for quantity in case.stated:
        if not _stands(case, quantity):
            return Check(
                name="binding", passed=False, finding=f"{printed(case, quantity)} stands beside the evidence"
            )
    tables = [p for p in case.passages if p.cells]
    if tables and len(tables) == len(case.passages):
        results = [bind_in_table(case.draft.text, case.stated, t) for t in tables]
        loose = [finding for bound, finding in results if bound is Bound.LOOSE]
        if len(loose) == len(results):
            return Check(name="binding", passed=False, finding=loose[0])
    unnamed = _unnamed(case)
    return Check(
        name="binding", passed=not unnamed, finding=f"{unnamed} is not named there" if unnamed else ""
    )


def _unnamed(case: Case) -> str | None:
    """A technical name of the claim that neither the evidence nor its place names.

    Title and abstract only name what "we", "our method" or "it" can stand for.
    """
    joint = " ".join(case.sentences)
    place = [*case.sentences, *(case.context if _SELF.search(joint) else case.context[:-2])]
    near = normalise(" ".join(place)).casefold()
    for name in names(case.draft.text):
        if name.technical and not _symbol(name.text) and not _near(name.text, near):
            return name.text
    return None


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
    retold = [_retold(case, s) for s, p in zip(case.sentences, case.passages, strict=True) if not p.cells]
    if retold and all(retold):
        return Check(name="names", passed=False, finding=retold[0] or "")
    return Check(name="names", passed=True)


def _retold(case: Case, sentence: str) -> str | None:
    """A name replaced or two sides exchanged in retelling the sentence."""
    text = case.draft.text
    return replaced_name(text, sentence, case.paper.is_name) or exchanged_sides(text, sentence)


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


def check_visible(case: Case) -> Check:
    """7. The evidence is text that a reader of the page sees."""
    hidden = [p.id for p in case.passages if not p.visible]
    return Check(name="visible", passed=not hidden, finding=f"{hidden[0]} is hidden text" if hidden else "")
