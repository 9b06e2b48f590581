"""The vocabulary of printed quantities: which digits are none, what units there are, what bounds a number.

Everything here works on text of unchanged length, so that offsets hold: ``plain`` swaps single
characters, ``mask`` overwrites what is no quantity with NUL characters.
"""

from __future__ import annotations

import re

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−﹣－", "-"),
        **dict.fromkeys("∼≈～≃≅", "~"),
        **dict.fromkeys("\u00a0\u2009\u202f\r\n\t", " "),
    }
)

SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")

_WORDS = "two three four five six seven eight nine ten eleven twelve"
SMALL = dict(zip(_WORDS.split(), range(2, 13), strict=True)) | {
    "one": 1,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "hundred": 100,
}

FRACTIONS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10}

MAGNITUDES = {
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "B": 1e9,
    "T": 1e12,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}

_LABEL = r"\(?(?:[A-Z]\.?)?\d+(?:\.\d+)*[a-z]?\)?(?:\s?\([a-z\divx]{1,3}\))?"
_LABELLED = (
    r"Tables?|Tab\.|Figures?|Figs?\.?|Sections?|Secs?\.|Theorems?|Thms?\.|Lemmas?|Lemmata|Corollar(?:y|ies)|"
    r"Cors?\.|Propositions?|Props?\.|Definitions?|Defs?\.|Assumptions?|Algorithms?|Algs?\.|Equations?|"
    r"Eqs?\.?|"
    r"Eqns?\.?|Append(?:ix|ices)|Chapters?|Remarks?|Examples?|Propert(?:y|ies)|Conditions?|Conjectures?|"
    r"Observations?|Footnotes?|Refs?\.|Nos?\."
)
_ORDINAL_NOUN = r"Claim|Problem|Part|Step|Line|Page|Fact|Phase|Stage|Task|Setting|Case|Version|Experiment"
_YEAR = r"(?:19[5-9]\d|20[0-4]\d)"

_NOT_QUANTITIES = re.compile(
    "|".join(
        (
            r"(?:https?://|www\.|github\.com/|arxiv\.org/|arXiv:)\S+|\b10\.\d{4,}/\S+",
            r"\[\d+(?:\s*[,;-]\s*\d+)*\]",  # citation marks
            rf"(?i:\b(?:{_LABELLED})|§+)\s*{_LABEL}(?:\s*(?:,|-|,?\s*and|,?\s*or|to|"
            rf"&)\s*{_LABEL}(?!\s*[%×]))*",
            rf"(?i:\b(?:{_ORDINAL_NOUN}))\s\(?\d+\b\)?(?!\.\d|\s*[%×-])",
            rf"\(\s*{_YEAR}[a-z]?\s*\)|\b{_YEAR}[a-z]\b|(?<=[a-z.],\s){_YEAR}\b(?=[);,\s])",
            rf"(?<=\b[iI]n\s){_YEAR}\b(?!\s*(?:%|[a-z]+s\b))|(?<=\b[sS]ince\s){_YEAR}\b|"
            rf"(?<=[A-Z]{{2}}\s){_YEAR}\b",
            rf"(?<=['’]){_YEAR}\b|(?<=IPS\s){_YEAR}\b",
            r"\b\d+(?:st|nd|rd|th|D)\b",
            r"\b(?:[Oo]ne|1)-(?!(?:third|half|fifth|tenth|quarter))[A-Za-z][\w-]*",  # one-step, 1-Lipschitz
        )
    )
)
_NAME = re.compile(r"(?<![\w.])(?![x×]\d)[^\W\d_][\w]*(?:[-./@+_]\w+)*")
"""A word with its joined parts; it hides its digits: ResNet-50, Hits@10, ogbn-papers100M, top-5."""


def plain(text: str) -> str:
    """``text`` with plain dashes, tildes and spaces; the length is unchanged."""
    return text.translate(_PLAIN)


def mask(text: str) -> str:
    """``text`` with all digits that state no quantity overwritten by NUL; the length is unchanged.

    >>> mask("BERT2 gains 3 in Table 4 [5]").replace(chr(0), "_")
    '_____ gains 3 in _______ ___'
    """
    text = _NOT_QUANTITIES.sub(lambda m: "\0" * len(m.group()), plain(text))
    return _NAME.sub(lambda m: "\0" * len(m.group()) if re.search(r"\d", m.group()) else m.group(), text)


TIME_UNITS = {
    "ns": r"ns|nanoseconds?",
    "µs": r"[µμu]s|microseconds?",
    "ms": r"ms|msecs?|milli-?seconds?",
    "s": r"s|secs?|seconds?",
    "min": r"mins?|minutes?",
    "hours": r"h|hrs?|hours?",
    "days": r"days?",
    "weeks": r"weeks?",
    "months": r"months?",
    "years": r"years?",
}
_PROCESSORS = r"(?:[A-Z]*[GTC]PU|core|node|device|\0+)[- ]"

UNITS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    (
        "points",
        "points",
        re.compile(r"\s?%?[- ]?(?:percentage[- ])?(?:points?|pts)\b|\s?%?\s?p\.?p\.?(?![\w.])"),
    ),
    (
        "points",
        "points",
        re.compile(
            r"\s(?!data|sample|query|test|train|support|design|grid|time|inducing|end|key|saddle|"
            r"critical|fixed|"
            r"change|check|anchor|way|feature|reference|mesh|lattice|view)(?:[\w@-]+|\0+)\s(?:points?|pts)\b"
        ),
    ),
    ("percent", "%", re.compile(r"\s?%|[- ]?per\s?cent\b")),
    ("factor", "x", re.compile(r"\s?[×x](?![\w×])|X\b|[- ]?folds?\b(?!\s*cross)")),
    (
        "factor",
        "x",
        re.compile(
            r"[- ]times(?=[- ](?:\w+\s)?(?:fast|slow|more|less|few|small|larg|high|low|better|worse|"
            r"as|the|speed|reduc|improve|great|short|long|cheap|lighter))"
        ),
    ),
    ("rate", "FLOPs", re.compile(r"\s?[KMGTP]?FLOPS?(?:/s)?\b", re.IGNORECASE)),
    ("rate", "FPS", re.compile(r"\s?(?:FPS|fps|[KMG]?Hz|it/s|[a-z]+s/s(?:ec)?|[a-z]+s per second)\b")),
    ("memory", "B", re.compile(r"\s?[KMGTP]i?B\b|[- ]?(?:giga|mega|kilo|tera)?bytes?\b")),
    *(
        ("time", f"device {name}", re.compile(rf"[- ]?{_PROCESSORS}(?:{pattern})\b"))
        for name, pattern in TIME_UNITS.items()
    ),
    *(
        ("time", name, re.compile(rf"(?:\s?|-)(?:{pattern})(?![\w/(^=])"))
        for name, pattern in TIME_UNITS.items()
    ),
    ("money", "$", re.compile(r"\s(?:US\s)?(?:dollars|USD|cents|euros)\b")),
    ("count", "parameters", re.compile(r"[- ](?:\w+[- ])?(?:param(?:eter)?s?|weights)\b")),
    ("count", "shots", re.compile(r"-shot\b")),
    ("count", "bits", re.compile(r"[- ]?bits?\b")),
)
"""(kind, unit, what follows the number). The first that matches counts."""

_FUNCTION = (
    r"of|on|in|for|and|or|with|to|than|at|by|from|is|are|was|were|be|the|a|an|that|which|while|when|as|"
    r"vs|against|"
    r"over|across|its|their|our|under|after|per|but|we|it|does|do|has|have|had|this|times|points|"
    r"achieves?|shows?|"
    r"gives?|respectively|during|between|if|so|not|also"
)
COUNTED = re.compile(
    rf"(?:[- ](?!(?:{_FUNCTION})\b)(?:[A-Za-z][\w-]*|\0+)){{0,3}}?"
    rf"[- ](?!(?:{_FUNCTION}|less|plus|versus|thus|always|perhaps|towards|regardless)\b)"
    r"(?P<noun>[A-Za-z]+(?<!s)s|people|data|children)\b"
)
"""A plural noun phrase after a whole number: what is counted."""

COMPOUND = re.compile(r"-(?P<noun>[a-z]+)\b")
"""An attribute: 3-layer, 40-dimensional."""

_BOUNDS = {
    "up to": r"up[- ]to|as (?:much|many|large|high|fast) as|at best",
    "at most": r"at most|no more than|not more than|≤|<=|maximum of|within",
    "at least": r"at least|no (?:less|fewer) than|≥|>=|minimum of",
    "more than": r"(?:more|greater|larger|higher|better) than|(?<!averaged )(?<!average )(?<!mean )over|"
    r"above|exceed(?:s|ing)?|beyond|upwards of|>",
    "less than": r"(?:less|fewer|smaller|lower|worse) than|below|under|<",
    "about": r"about|around|approximately|approx\.|roughly|nearly|almost|close to|circa|~|on the order of",
}
_BEFORE = tuple(
    (
        name,
        re.compile(rf"(?:(?<!\w)(?:{p}))\s*(?:(?:only|just|a|an|by|factor of|another)\s+)*$", re.IGNORECASE),
    )
    for name, p in _BOUNDS.items()
)
_OR_MORE = re.compile(r"\s?(?:or|and) (?:more|above|higher|greater)\b|\+")


def bound_of(before: str, after: str) -> str | None:
    """The bound a number stands under: up to, at least, at most, more than, less than, about.

    >>> bound_of("it is roughly ", " days"), bound_of("we use ", " or more")
    ('about', 'at least')
    """
    tail = before[-40:]
    for name, pattern in _BEFORE:
        if pattern.search(tail):
            return name
    return "at least" if _OR_MORE.match(after) else None
