"""The regression gate: figures may wander within their stored interval, and no further."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from claimdex.eval.figures import FIGURES, FigureInfo
from claimdex.eval.json_files import read_documents
from claimdex.eval.results import Figure, Report
from claimdex.files import write_atomic
from claimdex.paper import SCHEMA_VERSION, Record

_ROUNDING = 1e-9


class Baseline(BaseModel):
    """The figures to hold, and the gold they were measured on. A JSON report can be read as one, too."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: Literal["1"] = SCHEMA_VERSION
    gold_sha256: str
    figures: dict[str, Figure]


class Finding(Record):
    """Why the gate is shut. ``bound`` is the end of the stored interval that was passed."""

    figure: str
    stored: float | None
    bound: float | None
    now: float | None
    message: str


def gate(report: Report, baseline: Baseline | Path | str) -> tuple[Finding, ...]:
    """What got worse than the baseline's interval allows; nothing means the gate is open.

    A figure that the baseline has and the report can no longer measure is a finding, and so is
    gold other than the baseline's: figures on different gold say nothing about each other.

    Raises:
        NotFound: the baseline file does not exist.
        BadInput: it is not a baseline.
    """
    stored = baseline if isinstance(baseline, Baseline) else load_baseline(baseline)
    if stored.gold_sha256 != report.gold_sha256:
        message = "the baseline was measured on other gold; store it anew"
        return (Finding(figure="gold", stored=None, bound=None, now=None, message=message),)
    findings = (
        _finding(info, stored.figures[name], report.figures.get(name))
        for name, info in FIGURES.items()
        if name in stored.figures
    )
    return tuple(f for f in findings if f is not None)


def _finding(info: FigureInfo, stored: Figure, figure: Figure | None) -> Finding | None:
    bound = stored.low if info.better == "higher" else stored.high
    if info.better == "neither" or stored.value is None or bound is None:
        return None
    now = figure.value if figure else None
    was = f"it was {info.show(stored.value)}"
    if now is None:
        message = f"{info.label} can no longer be measured; {was}"
    elif info.better == "higher" and now < bound - _ROUNDING:
        message = f"{info.label} fell to {info.show(now)}; {was}, and {info.show(bound)} is the least allowed"
    elif info.better == "lower" and now > bound + _ROUNDING:
        message = f"{info.label} rose to {info.show(now)}; {was}, and {info.show(bound)} is the most allowed"
    else:
        return None
    return Finding(figure=info.name, stored=stored.value, bound=bound, now=now, message=message)


def baseline_of(report: Report) -> Baseline:
    """The report's figures, to be stored as the baseline of later runs."""
    return Baseline(gold_sha256=report.gold_sha256, figures=report.figures)


def write_baseline(report: Report, path: Path | str) -> None:
    """Store :func:`baseline_of` as JSON."""
    write_atomic(Path(path), baseline_of(report).model_dump_json(indent=1) + "\n")


def load_baseline(path: Path | str) -> Baseline:
    """Read a stored baseline.

    Raises:
        NotFound: there is no such file.
        BadInput: it is not a baseline.
    """
    return read_documents(Path(path))[0].parse(Baseline)
