"""Which types the wording of a claim admits, by the definitions of the types.

A comparison with a number is a benchmark or a speed-up, one without is empirical; a measured time or
memory is no theorem; a release is a resource. Between those that are left the trained model decides.
"""

from __future__ import annotations

import re

from claimdex.claim import ClaimType
from claimdex.extract.quantities import quantities
from claimdex.extract.rules.cues import CUES
from claimdex.extract.rules.details import is_release

_MEASURED = ("percent", "points", "factor", "magnitude", "time", "memory", "rate", "money")
_MACHINE = ("points", "time", "memory", "rate", "money")
_COMPARES = ("beats", "achieves", "lowers", "improves", "comparative", "compared", "than")
_FORMAL = re.compile(
    r"\b(?:bound\w*|theorem|lemma|corollary|proposition|prove\w*|proof|convex\w*|polynomial\w*|"
    r"probability|asymptotic\w*|"
    r"complexity|sublinear|"
    r"rates? of (?:convergence|order)|optimal\w*|oracle|smooth\w*|guarantee\w*|stab(?:le|ility)|"
    r"generali[sz]ation error|kernel|"
    r"undetectable|computable|equivalent)\b|[OΩΘ]̃?\s?\(",
    re.I,
)


def admitted_types(text: str) -> tuple[ClaimType, ...]:
    """The types a claim with this text can have, never none.

    >>> [t.value for t in admitted_types("Swift is 3x faster than Adam.")]
    ['benchmark', 'speedup']
    >>> [t.value for t in admitted_types("Dropout hurts accuracy.")]
    ['empirical']
    """
    if is_release(text):
        return (ClaimType.RESOURCE,)
    stated = [q for q in quantities(text) if q.values or q.kind == "complexity"]
    kinds = {q.kind for q in stated}
    formal = bool(_FORMAL.search(text)) and not kinds & {*_MACHINE, "percent"}
    theorem = (ClaimType.THEOREM,) if formal else ()
    compares = any(CUES[name].search(text) for name in _COMPARES)
    if kinds & set(_MEASURED) and compares:
        return (ClaimType.BENCHMARK, ClaimType.SPEEDUP, *theorem)
    if stated:
        return (ClaimType.EMPIRICAL, ClaimType.BENCHMARK, ClaimType.SPEEDUP, *theorem)
    return (ClaimType.EMPIRICAL, *theorem)
