"""A report as one page that needs nothing else: plots, and every claim beside its counterpart."""

from __future__ import annotations

from claimdex.eval.figures import FIGURES, FigureInfo
from claimdex.eval.markup import escape
from claimdex.eval.page_style import STYLE
from claimdex.eval.plots import Row, Series, bars, columns, dots, strip
from claimdex.eval.report_markdown import interval, measured
from claimdex.eval.results import FieldRow, Figure, Match, PaperScore, Report, Side, Unmatched

_HEADLINES = ("f1", "precision", "recall", "core_recall", "type_accuracy", "artifact_f1")
_PERCENT = FIGURES["precision"]
_KEY = '<p class="soft"><i class="key precision"></i>precision<i class="key recall"></i>recall</p>'
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(report: Report) -> str:
    """The HTML of a report. It runs no script and asks for nothing from outside itself."""
    title = f"{report.predictions} against {report.gold}"
    body = "\n".join((_head(report, title), _figures(report), _plots(report), _claims(report)))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _head(report: Report, title: str) -> str:
    gold = sum(len(p.pairs) + len(p.misses) for p in report.papers)
    found = sum(len(p.pairs) + len(p.false_alarms) for p in report.papers)
    notes = [f"{len(report.papers)} papers, {gold} gold claims, {found} predicted."]
    absent = sum(not p.predicted for p in report.papers)
    if absent:
        notes.append(f"{absent} papers have no prediction and count as missed.")
    if report.without_gold:
        notes.append(f"{len(report.without_gold)} predicted papers have no gold and are left out.")
    notes.append(f"Intervals are 95%, over papers, from {report.resamples} resamples.")
    cards = "".join(_card(FIGURES[name], report.figures[name]) for name in _HEADLINES)
    under = escape(" ".join(notes))
    return f'<h1>{escape(title)}</h1><p class="soft">{under}</p><div class="cards">{cards}</div>'


def _card(info: FigureInfo, figure: Figure) -> str:
    return (
        f'<div class="card" title="{escape(info.about)}">{escape(info.label)}<b>{info.show(figure.value)}</b>'
        f'<span class="soft">{interval(info, figure)}</span>{strip(figure)}</div>'
    )


def _figures(report: Report) -> str:
    rows = "".join(
        f'<tr><td>{escape(info.label)}</td><td class="n">{info.show(f.value)}</td>'
        f'<td class="n">{interval(info, f)}</td><td>{strip(f) if info.share else ""}</td>'
        f'<td class="n">{f.hits} of {f.cases}</td><td class="soft">{escape(info.about)}</td></tr>'
        for info, f in measured(report.figures)
    )
    head = (
        "<tr><th>figure</th><th>value</th><th>95%</th><th></th><th>counted</th><th>what it counts</th></tr>"
    )
    return f'<h2>All figures</h2><div class="wide"><table>{head}{rows}</table></div>'


def _plots(report: Report) -> str:
    types = [t for t in report.types if t.precision.cases or t.recall.cases]
    by_type = bars(
        "Precision and recall by type",
        [Row(t.type.value) for t in types],
        _series([t.precision for t in types], [t.recall for t in types]),
    )
    order = sorted(enumerate(report.papers), key=lambda p: (-(p[1].f1 or 0), p[1].key))
    by_paper = dots(
        "Precision and recall by paper",
        [Row(p.key, f"paper-{i}") for i, p in order],
        _series([p.precision for _, p in order], [p.recall for _, p in order]),
    )
    parts = [
        "<h2>By type</h2><p>A match counts here when both types agree.</p>",
        f"{_KEY}{by_type}",
        "<h2>By paper</h2><p>Best F1 first. Lines are 95% intervals of each paper's own share (Wilson).</p>",
        f"{_KEY}{by_paper}",
    ]
    if report.calibration:
        tenths = [str(d.tenth) for d in report.calibration]
        plot = columns(
            "Precision by tenth of the ranking",
            tenths,
            [d.precision for d in report.calibration],
            report.figures["precision"].value,
        )
        text = (
            "Precision of each tenth of the papers' rankings, best ranked first. A useful rank falls from"
            " left to right. The dashed line is the precision of all claims."
        )
        parts.append(f"<h2>Calibration of rank</h2><p>{text}</p>{plot}")
    return "\n".join(parts)


def _series(precision: list[Figure], recall: list[Figure]) -> tuple[Series, Series]:
    return (
        Series("precision", "precision", tuple(precision)),
        Series("recall", "recall", tuple(recall)),
    )


def _claims(report: Report) -> str:
    boxes = "".join(
        f'<label><input type="checkbox" id="{name}" checked> {name.replace("alarms", "false alarms")}</label>'
        for name in ("pairs", "misses", "alarms")
    )
    papers = "\n".join(_paper(i, p) for i, p in enumerate(report.papers))
    intro = "<h2>Every claim</h2><p>Gold on the left, predicted on the right.</p>"
    return f'{intro}<div class="filter">{boxes}</div>{papers}'


def _paper(place: int, paper: PaperScore) -> str:
    counts = (
        f"precision {_PERCENT.show(paper.precision.value)}, recall {_PERCENT.show(paper.recall.value)}: "
        f"{len(paper.pairs)} pairs, {len(paper.misses)} misses, {len(paper.false_alarms)} false alarms"
    )
    cases = "".join(
        (
            *map(_pair, paper.pairs),
            *map(_miss, paper.misses),
            *map(_alarm, paper.false_alarms),
        )
    )
    return (
        f'<details class="paper" id="paper-{place}"><summary><b>{escape(paper.key)}</b> {escape(paper.title)}'
        f'<span class="soft">{counts}</span></summary><div>{cases}</div></details>'
    )


def _pair(match: Match) -> str:
    agrees = (
        _tag("good", "types agree")
        if match.type_agrees
        else _tag("bad", f"{match.gold.type} taken for {match.predicted.type}")
    )
    head = f"<b>pair</b> similarity {match.similarity:.2f} {agrees}"
    rows = "".join(map(_field, match.fields))
    below = f'<div class="fields">{rows}</div>' if rows else ""
    return _case("pair", head, _side("gold", match.gold), _side("predicted", match.predicted), below)


def _field(row: FieldRow) -> str:
    mark = _tag("good", "agrees") if row.agrees else _tag("bad", "differs")
    other = escape(row.predicted) or "nothing"
    shown = escape(row.gold) if row.agrees else f"{escape(row.gold)} / {other}"
    return f"<span>{escape(row.field)}: {shown} {mark}</span>"


def _miss(found: Unmatched) -> str:
    nearest = _nearest("nearest predicted", found)
    return _case("miss", "<b>miss</b>" + _closeness(found), _side("gold", found.claim), nearest)


def _alarm(found: Unmatched) -> str:
    nearest = _nearest("nearest gold", found)
    return _case("alarm", "<b>false alarm</b>" + _closeness(found), nearest, _side("predicted", found.claim))


def _closeness(found: Unmatched) -> str:
    if found.nearest is None:
        return ""
    if found.similarity == 0:
        return " the nearest by wording states other numbers"
    return f" similarity to the nearest {found.similarity:.2f}"


def _nearest(who: str, found: Unmatched) -> str:
    if found.nearest is None:
        return f'<div class="side other"><div class="who">{who}: none is alike</div></div>'
    return _side(who, found.nearest, other=True)


def _case(kind: str, head: str, left: str, right: str, below: str = "") -> str:
    sides = f'<div class="sides">{left}{right}</div>'
    return f'<div class="case {kind}"><div class="head">{head}</div>{sides}{below}</div>'


def _side(who: str, side: Side, other: bool = False) -> str:
    tags = _tag("", side.type or "no type") + (_tag("core", "core") if side.core else "")
    rank = f", rank {side.rank}" if side.rank else ""
    quotes = "".join(
        f"<blockquote>{escape(q.text)} <span>(p. {'?' if q.page is None else q.page})</span></blockquote>"
        for q in side.quotes
    )
    style = "side other" if other else "side"
    return (
        f'<div class="{style}"><div class="who">{who} {escape(side.id)}{rank} {tags}</div>'
        f"<p>{escape(side.text)}</p>{quotes}</div>"
    )


def _tag(style: str, text: str) -> str:
    return f'<span class="tag {style}">{escape(text)}</span>'
