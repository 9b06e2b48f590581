"""Typed details of a claim: what was measured, on what, how much, against what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claimdex.claim import (
    BenchmarkDetails,
    ClaimType,
    Details,
    EmpiricalDetails,
    ResourceDetails,
    SpeedupDetails,
    TheoremDetails,
)
from claimdex.extract.quantities import Quantity, quantities
from claimdex.extract.rules.metrics import lower_is_better, metric_in
from claimdex.extract.rules.names import PaperNames

_RESOURCE = re.compile(
    r"\b(?:(?:training|inference|wall-?clock|preprocessing|peak|GPU|main|communication|computational?|"
    r"total|trainable|running|run|query|"
    r"convergence|decoding|sampling|memory|model)[ -])*(?:time|times|runtime|run-time|speed|"
    r"speed-?ups?|latency|throughput|memory(?: consumption| usage| footprint)?|"
    r"costs?|parameters|FLOPs|energy|tokens|samples|steps|iterations|epochs|convergence|"
    r"rounds|storage|bandwidth|gradient evaluations|"
    r"queries|processors)\b",
    re.I,
)
_BASELINE = re.compile(
    r"\b(?:than|compared (?:to|with)|against|versus|vs\.?|relative to|over|outperforms?|"
    r"beats?|surpass(?:es)?|exceeds?|improv\w+ (?:on|upon|over))\s+(?:that of |those of "
    r"|the |all |both |its )?"
    r"(?P<name>[^,;.()]{2,70}?)(?=\s+(?:on|in|by|at|for|with|when|while|under|across|that|"
    r"which|and (?:achieves|has|is))\b|[,;.()]|$)"
)
_DATASET = re.compile(
    r"\b(?:on|for|over|across)\s+(?:the\s+)?(?P<name>(?:[A-Z][\w@'’./+-]*|[a-z]+-?[A-Z][\w-]*|"
    r"ogb\w-[\w-]+)(?:[ -](?:[A-Z0-9][\w'’./+-]*|\d+))*)(?!\w)"
)
_PER = re.compile(r"\bper (?P<what>(?:training )?(?:\w+))\b|\b(?P<batch>batch(?: size)? of \d+)\b", re.I)
_HARDWARE = re.compile(
    r"\b(?:on|with|using) (?P<what>(?:an? |one |single |\d+ ?x? )*(?:NVIDIA |Nvidia |AMD "
    r"|Intel )?(?:[A-Z]\d{2,3}\w*|GPUs?|CPUs?|TPUs?|RTX[ \w]*|GTX[ \w]*|Tesla \w+|Titan "
    r"\w+)(?: (?:GPUs?|CPUs?|cores?))?)\b"
)
_DELTA = re.compile(
    r"\b(?:by|gains?|gain of|improvement of|increase of|decrease of|drop of|loses?|outperform\w*|"
    r"improv\w*|reduc\w*|higher|lower|better|worse|additional|more|less|difference\w*|gap)\b",
    re.I,
)
_AGAINST = re.compile(
    r"\b(?:than|compared (?:to|with)|against|versus|vs\.?|from|instead of|previously|over)\b", re.I
)
_RELEASED = re.compile(
    r"\b(?:releas\w+|open[- ]sourc\w+|publicly available|available (?:at|online|on)|make\w* "
    r"(?:\w+ )?available)\b",
    re.I,
)
_RESOURCE_KINDS = (
    ("dataset", r"data ?sets?|corpus|corpora"),
    ("benchmark", r"benchmarks?"),
    ("checkpoint", r"weights|checkpoints?|models?"),
    ("code", r"code|implementation|library|software|toolkit|package"),
)
_SCENE = re.compile(
    r"\b(?:with|when|at|using|under|for|after|top|first|of|retrieving|than|previous best of) "
    r"(?:only |about |around |approximately |the |more than |less than |over |up to )*$",
    re.I,
)
_QUALITY_KINDS = ("percent", "points", "plain", "factor", "count")
_SPEED_KINDS = ("factor", "percent", "time", "memory", "rate", "money", "magnitude", "count", "plain")
_URL = re.compile(r"https?://\S+|github\.com/\S+")


@dataclass(frozen=True)
class Facts:
    """What of a paper its details draw on: its names and the data sets it uses."""

    names: PaperNames
    datasets: tuple[str, ...] = ()


def details_of(kind: ClaimType, text: str, facts: Facts) -> Details:
    """The details of a claim of one type, read off its text; what the text does not give stays empty."""
    if kind is ClaimType.BENCHMARK:
        return _benchmark(text, facts)
    if kind is ClaimType.SPEEDUP:
        return _speedup(text)
    if kind is ClaimType.RESOURCE:
        return _resource(text)
    if kind is ClaimType.THEOREM:
        return TheoremDetails(
            kind="bound" if re.search(r"\bbound|\brate\b|O\(", text) else "result",
            conclusion=text.rstrip("."),
        )
    return _empirical(text)


def _benchmark(text: str, facts: Facts) -> BenchmarkDetails:
    stated = results_in(text, _QUALITY_KINDS)
    main = next(
        (
            q
            for kinds in (("percent", "points", "plain"), ("factor", "count"))
            for q in stated
            if q.kind in kinds
        ),
        None,
    )
    metric = metric_in(text)
    lower = lower_is_better(metric) if metric else None
    baseline = _BASELINE.search(text)
    common = {
        "method": facts.names.named_in(text),
        "dataset": dataset_in(text, facts.datasets),
        "metric": metric,
        "higher_is_better": None if lower is None else not lower,
        "baseline": baseline["name"].strip() if baseline else None,
    }
    if main is None:
        return BenchmarkDetails(**common)
    if _is_delta(text, main):
        unit = {"percent": "percent", "points": "points", "factor": "x"}.get(main.kind)
        return BenchmarkDetails(**common, delta=main.value, delta_unit=unit, bound=main.bound)
    value, other = _with_baseline(text, main, stated)
    return BenchmarkDetails(
        **common, value=value, unit=main.unit or None, baseline_value=other, bound=main.bound
    )


def results_in(text: str, kinds: Sequence[str]) -> list[Quantity]:
    """Quantities of these kinds, those that only set the scene ("with 99% missing features") last."""
    found = [q for q in quantities(text) if q.kind in kinds and q.values]
    return sorted(found, key=lambda q: (bool(_SCENE.search(text[: q.start])), q.start))


def _is_delta(text: str, quantity: Quantity) -> bool:
    if quantity.change:
        return False
    before, after = text[max(0, quantity.start - 30) : quantity.start], text[quantity.end : quantity.end + 25]
    if quantity.kind == "points":
        return True
    return bool(
        re.search(
            r"\b(?:by|gains?(?: of)?|(?:improvement|increase|decrease|drop|reduction|gap|"
            r"difference)s? (?:of|by)|loses)\s+(?:\w+ ){0,3}$",
            before,
        )
    ) or bool(
        re.match(
            r"\s*(?:\([^)]*\) )?(?:absolute |relative )?(?:higher|lower|better|worse|improvement|"
            r"increase|decrease|drop|reduction|gain|more|less|fewer)\b",
            after,
        )
    )


def _with_baseline(
    text: str, main: Quantity, stated: Sequence[Quantity]
) -> tuple[float | None, float | None]:
    """Value and baseline value: the ends of a change, or the next number behind "than" or "against"."""
    if main.change and main.ends:
        return main.ends[1], main.ends[0]
    after = next((q for q in stated if q.start > main.end and q.kind == main.kind), None)
    if after is not None and _AGAINST.search(text[main.end : after.start]):
        return main.value, after.value
    return main.value, None


def dataset_in(text: str, known: Sequence[str]) -> str | None:
    """The data set a claim speaks of: one of the paper's, else the name behind "on"."""
    places = [
        (text.find(name), -len(name), name)
        for name in known
        if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
    ]
    if places:
        return min(places)[2]
    match = _DATASET.search(text)
    return match["name"] if match else None


def _speedup(text: str) -> SpeedupDetails:
    stated = results_in(text, _SPEED_KINDS)
    first = {kind: next((q for q in stated if q.kind == kind), None) for kind in _SPEED_KINDS}
    measured = first["time"] or first["memory"] or first["rate"] or first["money"]
    factor, percent = first["factor"], first["percent"]
    if factor is None and first["magnitude"] is not None and first["magnitude"].value is not None:
        order = first["magnitude"]
        factor = Quantity(
            10.0 ** (order.value or 0), "factor", "x", order.start, order.end, bound=order.bound
        )
    baseline, per = _BASELINE.search(text), _PER.search(text)
    hardware = _HARDWARE.search(text)
    main = factor or percent or measured
    counted = first["count"] or first["plain"] if main is None else None
    return SpeedupDetails(
        quantity=_resource_of(text),
        factor=factor.value if factor else None,
        percent=percent.value if percent else None,
        value=measured.value if measured else (counted.value if counted else None),
        unit=measured.unit if measured else (counted.unit or None if counted else None),
        baseline=baseline["name"].strip() if baseline else None,
        hardware=hardware["what"] if hardware else None,
        per=(per["what"] or per["batch"]) if per else None,
        bound=main.bound if main else None,
    )


def _resource_of(text: str) -> str | None:
    """What is saved: the first resource that is not a setting ("at 32k tokens"), else speed."""
    for found in _RESOURCE.finditer(text):
        if not re.search(r"\d[\w,.]*\s?$", text[: found.start()]):
            return found.group().lower()
    return "speed" if re.search(r"\b(?:faster|slower|speed-?ups?)\b", text) else None


def _resource(text: str) -> ResourceDetails:
    kind = next(
        (name for name, pattern in _RESOURCE_KINDS if re.search(rf"\b(?:{pattern})\b", text, re.I)), None
    )
    counted = next((q for q in quantities(text) if q.kind == "count"), None)
    url = _URL.search(text)
    return ResourceDetails(
        kind=kind,
        size=counted.value if counted else None,
        unit=counted.unit if counted else None,
        url=url.group().rstrip(".,)") if url else None,
    )


_CAUSE = re.compile(
    r"^(?P<variable>.{3,120}?)\s+(?P<effect>(?:(?:also|significantly|substantially|consistently|"
    r"only|still|often|always|generally)\s+)*(?:outperforms?|improves?|reduces?|increases?|"
    r"decreases?|leads? to|results? in|causes?|helps?|hurts?|degrades?|achieves?|performs?|"
    r"converges?|is|are|has|have|does|do|can|cannot|requires?|shows?|"
    r"remains?|becomes?|prevents?|yields?|gives?|provides?|matches|exhibits?)\b.*)$"
)


def _empirical(text: str) -> EmpiricalDetails:
    match = _CAUSE.match(text.rstrip("."))
    return (
        EmpiricalDetails(variable=match["variable"], effect=match["effect"])
        if match
        else EmpiricalDetails(effect=text.rstrip("."))
    )


def is_release(text: str) -> bool:
    """Whether the claim says that something is made available."""
    return bool(_RELEASED.search(text)) and any(
        re.search(rf"\b(?:{p})\b", text, re.I) for _, p in _RESOURCE_KINDS
    )
