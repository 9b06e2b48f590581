"""Compare two runs, and measure how far two annotators agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from claimdex.errors import BadInput
from claimdex.eval.bootstrap import Resampling, ratio
from claimdex.eval.figures import FIGURES
from claimdex.eval.gold import GoldPaper, load_gold
from claimdex.eval.predictions import PredictedPaper
from claimdex.eval.results import Agreement, Comparison, Contrast, PaperScore, Report
from claimdex.eval.scoring import column, report_on, score


def compare(gold: Path | str, a: Path | str, b: Path | str) -> Comparison:
    """Is run B better than run A? Every figure's paired difference, over the papers of ``gold``.

    Raises:
        NotFound: a path does not exist.
        BadInput: a file does not fit its format.
    """
    return compare_reports(score(gold, a), score(gold, b))


def compare_reports(a: Report, b: Report) -> Comparison:
    """The comparison of two reports that were measured on the same gold.

    Raises:
        BadInput: they were not.
    """
    if a.gold_sha256 != b.gold_sha256:
        raise BadInput("the two reports were measured on different gold", hint="score both runs anew")
    draws = Resampling(len(a.papers))
    figures = {name: _contrast(name, a.papers, b.papers, draws) for name in FIGURES}
    return Comparison(gold=a.gold, a=a.predictions, b=b.predictions, papers=len(a.papers), figures=figures)


def _contrast(name: str, a: Sequence[PaperScore], b: Sequence[PaperScore], draws: Resampling) -> Contrast:
    first, second = column(a, name), column(b, name)
    gap = draws.difference(first, second)
    better = FIGURES[name].better
    if gap.low is None or gap.high is None:
        verdict = "n/a"
    elif gap.low <= 0 <= gap.high:
        verdict = "no difference shown"
    elif better == "neither":
        verdict = "differs"
    else:
        verdict = "B is better" if (gap.low > 0) == (better == "higher") else "A is better"
    return Contrast.model_validate(
        {
            "a": ratio(first),
            "b": ratio(second),
            "difference": gap.value,
            "low": gap.low,
            "high": gap.high,
            "b_higher": gap.b_higher,
            "verdict": verdict,
        }
    )


def agreement(first: Path | str, second: Path | str) -> Agreement:
    """How far two annotators agree on the papers both have read: the ceiling to read figures against.

    Raises:
        NotFound: a path does not exist.
        BadInput: a file does not fit the format, or no paper was read by both.
    """
    one, two = load_gold(first), load_gold(second)
    both = {g.paper.sha256 for g in one} & {g.paper.sha256 for g in two}
    if not both:
        raise BadInput(f"no paper was annotated in both {first} and {second}")
    names = (Path(first).name, Path(second).name)
    one, two = ([g for g in side if g.paper.sha256 in both] for side in (one, two))
    forth = report_on(one, as_predictions(two), names)
    back = report_on(two, as_predictions(one), names[::-1])
    pairs = [pair for paper in forth.papers for pair in paper.pairs]
    return Agreement(
        first=names[0],
        second=names[1],
        papers=len(both),
        second_against_first=forth.figures,
        first_against_second=back.figures,
        type_kappa=cohen_kappa([(p.gold.type, p.predicted.type) for p in pairs]),
        core_kappa=cohen_kappa([(p.gold.core, p.predicted.core) for p in pairs]),
    )


def as_predictions(gold: Iterable[GoldPaper]) -> dict[str, PredictedPaper]:
    """Gold as if an extractor had found it, by sha256."""
    return {g.paper.sha256: PredictedPaper.model_validate(g.model_dump(mode="json")) for g in gold}


def cohen_kappa(pairs: Sequence[tuple[object, object]]) -> float | None:
    """Agreement beyond chance (Cohen 1960); None without pairs or where only one answer was given.

    >>> cohen_kappa([("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")])
    0.0
    """
    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(first[k] * second[k] for k in first) / (n * n) if n else 1.0
    if chance == 1.0:
        return None
    return (sum(a == b for a, b in pairs) / n - chance) / (1 - chance)
