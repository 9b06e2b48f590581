"""Rows of result tables as drafts: the paper's own method against the best other one.

Only what headers, cells and caption say without doubt. A table whose methods cannot be told from its
data sets, whose headers repeat, or whose metric has no known direction gives none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claimdex.claim import Anchor, AnchorKind, BenchmarkDetails, ClaimType, Draft, Scope
from claimdex.extract.quantities import quantities
from claimdex.extract.rules.cleaning import plain_math
from claimdex.extract.rules.metrics import lower_is_better, metric_in
from claimdex.extract.rules.names import PaperNames
from claimdex.paper import Cell, Paper, Passage, PassageKind

_MAX_ROWS = 5
_OURS = re.compile(r"\b(?:ours?|proposed)\b", re.I)
_NOT_RIVAL = re.compile(
    r"\b(?:oracle|upper bound|lower bound|human|joint|full features|ideal|random|chance)\b", re.I
)
_REFERENCE = re.compile(r"\s*(?:\[[\d, ]+\]|\([^()]*(?:19|20|’|')\d\d[^()]*\))")
_MARK = re.compile(r"\s*\(?\b(?:ours?|proposed)\b\)?\s*$", re.I)
_ARROW = {"↑": False, "↓": True}
_SUMMARY = re.compile(r"^(?:avg|average|mean|overall)\b|\b(?:avg|average|mean)\.?$", re.I)
_NUMBER = re.compile(r"^[-+−]?\d+(?:\.\d+)?\s?%?(?:\s?(?:±|\+/-)\s?\d+(?:\.\d+)?\s?%?|\s?\(\d*\.?\d+\))?$")


@dataclass(frozen=True)
class Grid:
    """A table's numbers by (method, setting), the methods' and settings' headers each unique."""

    cells: Mapping[tuple[str, str], Cell]
    methods: tuple[str, ...]
    settings: tuple[str, ...]


def table_drafts(paper: Paper, names: PaperNames, main: frozenset[str]) -> list[Draft]:
    """Drafts of the main text's tables, at most five a table, without a score."""
    captions = {
        p.label: plain_math(p.text) for p in paper.passages if p.kind is PassageKind.CAPTION and p.label
    }
    found: list[Draft] = []
    for table in paper.passages:
        if table.kind is PassageKind.TABLE and table.visible and table.id in main and table.label:
            found += _drafts(table, captions.get(table.label, ""), names)
    return found


def _drafts(table: Passage, caption: str, names: PaperNames) -> list[Draft]:
    for grid in _grids(table):
        own = _own_method(grid, names)
        if own is None:
            continue
        settings = sorted(grid.settings, key=lambda s: not _SUMMARY.search(s))
        drafts = [_draft(table, caption, grid, own, setting) for setting in settings]
        return [d for d in drafts if d is not None][:_MAX_ROWS]
    return []


def _grids(table: Passage) -> list[Grid]:
    """The table read with its methods in rows, and in columns; not if headers repeat."""
    data = [
        c
        for c in table.cells
        if not c.header and c.row_header and c.column_header and _NUMBER.match(c.text.strip())
    ]
    found = []
    for flip in (False, True):
        cells: dict[tuple[str, str], Cell] = {}
        for cell in data:
            pair = (cell.row_header, cell.column_header)
            at = pair[::-1] if flip else pair
            if at in cells:
                break
            cells[at] = cell
        else:
            methods = tuple(dict.fromkeys(m for m, _ in cells))
            settings = tuple(dict.fromkeys(s for _, s in cells))
            if len(methods) > 1 and all(len(h) < 60 and h.count("/") < 2 for h in (*methods, *settings)):
                found.append(Grid(cells, methods, settings))
    return found


def _own_method(grid: Grid, names: PaperNames) -> str | None:
    """The header of the paper's own method, if exactly one is marked "ours", or one alone bears its name."""
    marked = [m for m in grid.methods if _OURS.search(m)]
    if len(marked) == 1:
        return marked[0]
    if marked:
        return None
    named = [m for m in grid.methods if names.own and names.named_in(m)]
    return named[0] if len(named) == 1 else None


def _draft(table: Passage, caption: str, grid: Grid, own: str, setting: str) -> Draft | None:
    cell = grid.cells.get((own, setting))
    rivals = [(m, grid.cells[m, setting]) for m in grid.methods if m != own and (m, setting) in grid.cells]
    rivals = [(m, c) for m, c in rivals if not _NOT_RIVAL.search(m)]
    metric = metric_in(setting) or metric_in(caption) or _performance(caption)
    if cell is None or not rivals or metric is None:
        return None
    lower = _direction(setting, caption, metric)
    if lower is None:
        return None
    mine = _value(cell)
    scored = [(v, m, c) for m, c in rivals for v in [_value(c)] if v is not None]
    if mine is None or not scored:
        return None
    best, rival, other = min(scored, key=lambda s: s[0]) if lower else max(scored, key=lambda s: s[0])
    place = _place(setting, caption)
    if place is None:
        return None
    method, against = _clean(own), _clean(rival)
    text = (
        f"{method} reaches {_printed(cell)} {metric}{place} ({table.label}), against {_printed(other)} "
        f"for {against}."
    )
    dataset = place.removeprefix(" on ") if place.startswith(" on ") else None
    return Draft(
        text=text,
        type=ClaimType.BENCHMARK,
        details=BenchmarkDetails(
            method=method,
            dataset=dataset,
            metric=metric,
            value=mine,
            unit="%" if "%" in cell.text else None,
            higher_is_better=not lower,
            baseline=against,
            baseline_value=best,
        ),
        spans=_spans(table, [cell, other]),
        anchor=Anchor(kind=AnchorKind.TABLE, label=table.label or ""),
        scope=Scope(datasets=(dataset,) if dataset else ()),
    )


def _performance(caption: str) -> str | None:
    """The word a caption uses when it names no metric."""
    match = re.search(r"\b[Pp]erformance\b", caption)
    return "performance" if match else None


def _direction(setting: str, caption: str, metric: str) -> bool | None:
    """Whether lower is better: by the arrow in header or caption, else by the metric."""
    for text in (setting, caption):
        arrows = {a for a in _ARROW if a in text}
        if len(arrows) == 1:
            return _ARROW[arrows.pop()]
    return lower_is_better(metric)


def _place(setting: str, caption: str) -> str | None:
    """Where it was measured: " on Cora"; "" where the setting is the metric and the caption names no set."""
    header = _clean(setting).strip("↑↓ ")
    if metric_in(header):
        on = re.search(r"\bon (?:the )?(?P<name>[A-Z][\w-]*(?: [A-Z0-9][\w-]*)*)", caption)
        return f" on {on['name']}" if on else ""
    if _SUMMARY.search(header):
        return f" ({header})"
    if not re.search(r"[A-Za-z]{2}", header):
        return None
    return f" on {header}"


def _clean(header: str) -> str:
    return (
        re.sub(r"\s{2,}", " ", _MARK.sub("", _REFERENCE.sub("", plain_math(header)))).strip(" ,;:")
        or "The proposed method"
    )


def _printed(cell: Cell) -> str:
    return plain_math(cell.text).strip()


def _value(cell: Cell) -> float | None:
    found = quantities(plain_math(cell.text))
    return found[0].value if found else None


def _spans(table: Passage, cells: Sequence[Cell]) -> tuple[tuple[str, int, int], ...]:
    """The lines the cells stand in, each once."""
    lines = []
    for cell in cells:
        start = table.text.rfind("\n", 0, cell.start) + 1
        end = table.text.find("\n", cell.end)
        lines.append((table.id, start, end if end >= 0 else len(table.text)))
    return tuple(dict.fromkeys(lines))
