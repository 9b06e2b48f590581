"""Score predictions against gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from claimdex.claim import ClaimType
from claimdex.errors import BadInput
from claimdex.eval.bootstrap import RESAMPLES, SEED, Resampling, ratio, wilson
from claimdex.eval.figures import DECILES, FIGURES, rank_key, type_key
from claimdex.eval.gold import GoldClaim, GoldPaper, load_gold
from claimdex.eval.match import THRESHOLD, Likeness, Pair, assign, likeness
from claimdex.eval.predictions import PredictedClaim, PredictedPaper, load_predictions
from claimdex.eval.results import (
    Decile,
    FieldRow,
    Figure,
    Match,
    PaperScore,
    QuoteAt,
    Report,
    Side,
    TypeScore,
    Unmatched,
)
from claimdex.eval.tally import Tally, fields, tally
from claimdex.paper import Paper
from claimdex.text import sha256

Papers = Mapping[str, Paper]
"""Parsed papers by the sha256 of their PDF."""


def score(gold_path: Path | str, pred_path: Path | str, papers: Papers | None = None) -> Report:
    """The report on the predictions of a file or folder against the gold of a file or folder.

    A gold paper without predictions counts as one with none. With ``papers``, quotes are looked up
    in the papers' text.

    Raises:
        NotFound: a path does not exist.
        BadInput: a file does not fit its format.
    """
    gold, predictions = load_gold(gold_path), load_predictions(pred_path)
    return report_on(gold, predictions, (Path(gold_path).name, Path(pred_path).name), papers)


def report_on(
    gold: Sequence[GoldPaper],
    predictions: Mapping[str, PredictedPaper],
    names: tuple[str, str] = ("gold", "predictions"),
    papers: Papers | None = None,
) -> Report:
    """The report on predictions (by sha256) against gold; ``names`` are what the report calls the two."""
    if not gold:
        raise BadInput("there is no gold to score against")
    known = papers or {}
    keys = [g.paper.sha256 for g in gold]
    scores = [_paper_score(g, predictions.get(k), known.get(k)) for g, k in zip(gold, keys, strict=True)]
    draws = Resampling(len(scores))
    deciles = [Decile(tenth=i + 1, precision=_figure(scores, rank_key(i), draws)) for i in range(DECILES)]
    return Report(
        gold=names[0],
        predictions=names[1],
        gold_sha256=sha256("\n".join(sorted(g.model_dump_json() for g in gold))),
        threshold=THRESHOLD,
        resamples=RESAMPLES,
        seed=SEED,
        figures={name: _figure(scores, name, draws) for name in FIGURES},
        types=tuple(
            TypeScore(
                type=kind,
                precision=_figure(scores, type_key("precision", kind), draws),
                recall=_figure(scores, type_key("recall", kind), draws),
            )
            for kind in ClaimType
        ),
        calibration=tuple(deciles) if any(d.precision.cases for d in deciles) else (),
        papers=tuple(scores),
        without_gold=tuple(sorted(set(predictions) - set(keys))),
    )


def column(papers: Iterable[PaperScore], name: str) -> list[Tally]:
    """The tally of one figure in every paper."""
    return [p.tallies[name] for p in papers]


def _figure(papers: Sequence[PaperScore], name: str, draws: Resampling) -> Figure:
    counts = column(papers, name)
    low, high = draws.interval(counts)
    hits, cases = (sum(part) for part in zip(*counts, strict=True))
    return Figure(value=ratio(counts), low=low, high=high, hits=hits, cases=cases)


def _paper_score(gold: GoldPaper, predicted: PredictedPaper | None, paper: Paper | None) -> PaperScore:
    claims = predicted.claims if predicted else ()
    table = likeness(claims, gold.claims)
    pairs = assign(table.similarity)
    tallies = tally(predicted, gold, pairs, paper)
    mine = [_predicted_side(i, c) for i, c in enumerate(claims, 1)]
    theirs = [_gold_side(c) for c in gold.claims]
    by_gold = sorted(pairs, key=lambda p: p.gold)
    return PaperScore(
        key=gold.paper.key,
        title=gold.paper.title,
        sha256=gold.paper.sha256,
        predicted=predicted is not None,
        precision=_single(tallies["precision"]),
        recall=_single(tallies["recall"]),
        f1=ratio([tallies["f1"]]),
        tallies=tallies,
        pairs=tuple(_match(p, claims, gold.claims, mine, theirs) for p in by_gold),
        misses=_unmatched(theirs, {p.gold for p in pairs}, mine, table.turned),
        false_alarms=_unmatched(mine, {p.predicted for p in pairs}, theirs, table),
    )


def _single(counts: Tally) -> Figure:
    low, high = wilson(*counts)
    return Figure(value=ratio([counts]), low=low, high=high, hits=counts[0], cases=counts[1])


def _predicted_side(place: int, claim: PredictedClaim) -> Side:
    return Side(
        id=claim.id or f"no. {place}",
        text=claim.text,
        type=claim.type,
        core=claim.core,
        rank=claim.rank,
        quotes=tuple(QuoteAt(page=e.page, text=e.quote) for e in claim.evidence),
        details={k: v for k, v in claim.details.items() if v is not None and k != "type"},
    )


def _gold_side(claim: GoldClaim) -> Side:
    return Side(
        id=claim.id,
        text=claim.text,
        type=claim.type.value,
        core=claim.core,
        quotes=tuple(QuoteAt(page=e.page, text=e.quote) for e in claim.evidence),
        details=claim.details,
    )


def _match(
    pair: Pair,
    claims: Sequence[PredictedClaim],
    gold: Sequence[GoldClaim],
    mine: Sequence[Side],
    theirs: Sequence[Side],
) -> Match:
    found, wanted = claims[pair.predicted], gold[pair.gold]
    rows = (
        FieldRow(field=f.field, gold=f.gold, predicted=f.predicted, agrees=f.agrees)
        for f in fields(found, wanted)
    )
    return Match(
        predicted=mine[pair.predicted],
        gold=theirs[pair.gold],
        similarity=round(pair.similarity, 3),
        type_agrees=found.type == wanted.type,
        fields=tuple(rows),
    )


def _unmatched(
    sides: Sequence[Side], matched: set[int], others: Sequence[Side], table: Likeness
) -> tuple[Unmatched, ...]:
    """The sides without a match; row i of ``table`` sets ``sides[i]`` against ``others``."""
    found = []
    for i, side in enumerate(sides):
        if i in matched:
            continue
        near = table.nearest(i)
        nearest, alike = (others[near[0]], near[1]) if near else (None, 0.0)
        found.append(Unmatched(claim=side, nearest=nearest, similarity=round(alike, 3)))
    return tuple(found)
