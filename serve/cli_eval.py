"""The ``claimdex eval`` commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimdex.serve.cli_common import SOME_FAILED, Extractor, Json, report_error, settings_for, write

eval_app = typer.Typer(no_args_is_help=True, help="Score claims against gold annotations.")

Gold = Annotated[Path, typer.Option(help="Gold file or folder (format: data/schema/gold.schema.json).")]
Pred = Annotated[Path, typer.Option(help="Claims: what `claimdex extract --json` printed, file or folder.")]
ReportPath = Annotated[
    Path | None, typer.Option("--report", help="Also write a report: .html, .md or .json.")
]


@eval_app.command("run")
def run(
    gold: Gold,
    papers: Annotated[Path, typer.Option(help="Folder with the gold's PDFs (found by their sha256).")],
    pred: Annotated[Path, typer.Option(help="Where the claims go (JSONL).")] = Path("predictions.jsonl"),
    report: ReportPath = None,
    as_json: Json = False,
    extractor: Extractor = None,
) -> None:
    """Extract the gold's papers and score the claims.

    Example: `claimdex eval run --gold data/gold --papers data/papers --report report.html`
    """
    from claimdex.serve import scoring

    failed = scoring.predict(gold, papers, pred, settings_for(extractor), report_error)
    write([scoring.score(gold, pred, report, ".json" if as_json else ".md")])
    if failed:
        raise typer.Exit(SOME_FAILED)


@eval_app.command("score")
def score(gold: Gold, pred: Pred, report: ReportPath = None, as_json: Json = False) -> None:
    """Score claims against gold: precision, recall, types, values, with 95 % intervals.

    Example: `claimdex eval score --gold data/gold --pred claims.jsonl --report report.html`
    """
    from claimdex.serve import scoring

    write([scoring.score(gold, pred, report, ".json" if as_json else ".md")])


@eval_app.command("compare")
def compare(
    gold: Gold,
    a: Annotated[Path, typer.Argument(help="Claims of the first run.")],
    b: Annotated[Path, typer.Argument(help="Claims of the second run.")],
    as_json: Json = False,
) -> None:
    """Is run B better than run A? Differences with intervals, paper by paper.

    Example: `claimdex eval compare --gold data/gold before.jsonl after.jsonl`
    """
    from claimdex.serve import scoring

    write([scoring.compare(gold, a, b, ".json" if as_json else ".md")])


@eval_app.command("agree")
def agree(
    first: Annotated[Path, typer.Argument(help="Gold of one annotator.")],
    second: Annotated[Path, typer.Argument(help="Gold of another, of some of the same papers.")],
    as_json: Json = False,
) -> None:
    """Agreement between two annotators, in the same terms: the ceiling for any extractor.

    Example: `claimdex eval agree gold/first gold/second`
    """
    from claimdex.serve import scoring

    write([scoring.agree(first, second, ".json" if as_json else ".md")])


@eval_app.command("gate")
def gate(
    gold: Gold,
    pred: Pred,
    baseline: Annotated[Path, typer.Option(help="Stored figures (JSON).")],
    update: Annotated[
        bool, typer.Option("--update", help="Store these figures instead of checking.")
    ] = False,
) -> None:
    """Fail (exit code 1) when a figure fell below the stored one by more than its interval.

    Example: `claimdex eval gate --gold data/gold --pred claims.jsonl --baseline data/gold/baseline.json`
    """
    from claimdex.serve import scoring

    if update:
        scoring.write_baseline(gold, pred, baseline)
        write([f"stored: {baseline}"])
        return
    findings = scoring.gate(gold, pred, baseline)
    write([finding.message for finding in findings] or ["ok: no figure fell below its interval"])
    if findings:
        raise typer.Exit(1)
