"""Results as Markdown tables, for a terminal, a README or a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from claimdex.eval.figures import FIGURES, FigureInfo
from claimdex.eval.results import Agreement, Comparison, Figure, PaperScore, Report

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_BREAKS = re.compile(r"[\s\x00-\x1f\x7f\u2028\u2029]+")
_PERCENT = FIGURES["precision"]


def markdown(result: Report | Comparison | Agreement) -> str:
    """The result's tables. Every claim with its quotes is in the JSON and HTML forms."""
    if isinstance(result, Report):
        return _report(result)
    if isinstance(result, Comparison):
        return _comparison(result)
    return _agreement(result)


def _report(report: Report) -> str:
    figures = [
        (info.label, info.show(f.value), interval(info, f), f"{f.hits} / {f.cases}", info.about)
        for info, f in measured(report.figures)
    ]
    types = [
        (t.type.value, *_cells(t.precision), *_cells(t.recall))
        for t in report.types
        if t.precision.cases or t.recall.cases
    ]
    papers = [
        (p.key, *map(_PERCENT.show, (p.precision.value, p.recall.value, p.f1)), *_counts(p))
        for p in report.papers
    ]
    tenths = [(str(d.tenth), *_cells(d.precision)) for d in report.calibration]
    parts = [
        f"# {_text(report.predictions)} against {_text(report.gold)}",
        f"{len(report.papers)} papers; 95% intervals over papers ({report.resamples} resamples).",
        _table(("figure", "value", "95%", "of", "what it counts"), figures),
        "## By type",
        _table(("type", "precision", "95%", "recall", "95%"), types),
        "## By paper",
        _table(("paper", "precision", "recall", "F1", "pairs", "misses", "false alarms"), papers),
    ]
    if tenths:
        parts += ["## Precision by tenth of the ranking", _table(("tenth", "precision", "95%"), tenths)]
    if report.without_gold:
        parts.append(f"{len(report.without_gold)} predicted papers have no gold and were left out.")
    return "\n\n".join(parts) + "\n"


def _counts(paper: PaperScore) -> tuple[str, str, str]:
    return str(len(paper.pairs)), str(len(paper.misses)), str(len(paper.false_alarms))


def _comparison(result: Comparison) -> str:
    rows = []
    for name, contrast in result.figures.items():
        info = FIGURES[name]
        if contrast.difference is None or contrast.low is None or contrast.high is None:
            continue
        gap = _signed(info, contrast.difference)
        spread = f"{_signed(info, contrast.low)} to {_signed(info, contrast.high)}"
        values = info.show(contrast.a), info.show(contrast.b)
        rows.append((info.label, *values, gap, spread, contrast.verdict))
    return "\n\n".join(
        (
            f"# B: {_text(result.b)} against A: {_text(result.a)}",
            f"{result.papers} papers; paired 95% intervals over papers.",
            _table(("figure", "A", "B", "B - A", "95%", "verdict"), rows) + "\n",
        )
    )


def _agreement(result: Agreement) -> str:
    rows = []
    for info, there in measured(result.second_against_first):
        back = result.first_against_second[info.name]
        rows.append((info.label, info.show(there.value), interval(info, there), info.show(back.value)))
    kappas = [
        f"Cohen's kappa of the {what}: {value:.2f}."
        for what, value in (("types", result.type_kappa), ("core marks", result.core_kappa))
        if value is not None
    ]
    title = f"# Agreement of {_text(result.second)} with {_text(result.first)}"
    head = ("figure", "second against first", "95%", "first against second")
    return "\n\n".join((title, f"{result.papers} papers read by both.", _table(head, rows), *kappas)) + "\n"


def measured(figures: dict[str, Figure]) -> list[tuple[FigureInfo, Figure]]:
    """The figures that have a value, in the order of reports."""
    return [(info, f) for name, info in FIGURES.items() if (f := figures[name]).value is not None]


def interval(info: FigureInfo, figure: Figure) -> str:
    """The interval as people read it."""
    if figure.low is None or figure.high is None:
        return "n/a"
    return f"{info.show(figure.low)} to {info.show(figure.high)}"


def _cells(figure: Figure) -> tuple[str, str]:
    return f"{_PERCENT.show(figure.value)} ({figure.hits} / {figure.cases})", interval(_PERCENT, figure)


def _signed(info: FigureInfo, value: float) -> str:
    return f"{100 * value:+.1f} points" if info.share else f"{value:+.1f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    return text if text == "---" else _text(text)


def _text(text: str) -> str:
    """Foreign text that stays text: one line, nothing that Markdown or HTML reads as its own."""
    return _SPECIAL.sub(r"\\\1", _BREAKS.sub(" ", text)).strip()
