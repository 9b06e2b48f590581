"""Whether a field of a predicted claim says the same as gold's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue

from claimdex.eval.gold import GoldArtifact
from claimdex.eval.predictions import PredictedArtifact
from claimdex.eval.words import bag, bag_f1
from claimdex.text import normalise

Details = Mapping[str, JsonValue]

NAMED = ("metric", "dataset", "baseline")
"""Details that are compared as names."""

_VALUES = ("value", "factor", "percent", "delta")
_NAME_F1 = 0.5
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_LABEL = re.compile(r"([a-z]+)\.?\s*\(?((?:[a-z]\.?)?\d+(?:\.\d+)*)\)?", re.IGNORECASE)
_LABEL_KINDS = {
    "thm": "theorem",
    "prop": "proposition",
    "cor": "corollary",
    "fig": "figure",
    "tab": "table",
    "eq": "equation",
    "eqn": "equation",
    "sec": "section",
    "alg": "algorithm",
}


def gold_value(details: Details) -> float | None:
    """The number a gold claim is about: its value, else its factor; None where that is no single number."""
    value = details["value"] if "value" in details else details.get("factor")
    return float(value) if isinstance(value, int | float) else None


def value_agrees(predicted: Details, wanted: float) -> bool:
    """Whether value, factor, percent or delta of the prediction is ``wanted`` (to one part in a million)."""
    return any(_close(predicted.get(key), wanted) for key in _VALUES)


def _close(found: JsonValue, wanted: float) -> bool:
    if not isinstance(found, int | float | str):
        return False
    try:
        return abs(float(found) - wanted) <= 1e-6 * max(1.0, abs(wanted))
    except ValueError:
        return False


def names_agree(predicted: str, gold: str) -> bool:
    """Whether two names mean one thing: most words shared or one within the other, digits not in conflict.

    >>> names_agree("top-1 accuracy", "accuracy"), names_agree("CIFAR-10", "CIFAR-100")
    (True, False)
    """
    if _same_name(predicted, gold):
        return True
    digits = set(_DIGITS.findall(predicted)), set(_DIGITS.findall(gold))
    if digits[0] != digits[1] and all(digits):
        return False
    a, b = bag(predicted), bag(gold)
    within = bool(a and b) and (a.keys() <= b.keys() or b.keys() <= a.keys())
    return within or bag_f1(a, b) >= _NAME_F1


def _same_name(one: str, other: str) -> bool:
    plain = normalise(one).casefold()
    return bool(plain) and plain == normalise(other).casefold()


def labels_in(text: str) -> set[str]:
    """Labels named in a text, in one spelling.

    >>> sorted(labels_in("Thm. 3.2 (informal) and Table 1"))
    ['table 1', 'theorem 3.2']
    """
    found = set()
    for kind, number in _LABEL.findall(normalise(text)):
        word = kind.lower()
        word = word.removesuffix("s") if word not in _LABEL_KINDS else word
        found.add(f"{_LABEL_KINDS.get(word, word)} {number.upper()}")
    return found


def labels_agree(predicted: Iterable[str], gold: str) -> bool:
    """Whether one of the predicted labels is one that gold names."""
    return bool(labels_in(gold) & {label for text in predicted for label in labels_in(text)})


def artifacts_found(predicted: Sequence[PredictedArtifact], gold: Sequence[GoldArtifact]) -> int:
    """How many gold artifacts are predicted, one for one: same kind, and same URL or like name."""
    free = [(g, bag(g.name)) for g in gold]
    total = len(free)
    for artifact in predicted:
        name = bag(artifact.name)
        for i, (wanted, wanted_name) in enumerate(free):
            same = bool(artifact.url) and artifact.url == wanted.url
            # Names like "A100" have no words to be compared in.
            same = same or _same_name(artifact.name, wanted.name)
            if artifact.kind == wanted.kind and (same or bag_f1(name, wanted_name) >= _NAME_F1):
                del free[i]
                break
    return total - len(free)
