"""Scoring use cases: extract from gold papers, score, compare, agree, gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from claimdex.claim import ClaimSet
from claimdex.errors import ClaimdexError, NotFound
from claimdex.files import file_sha256, jsonl, write_atomic
from claimdex.settings import Settings

if TYPE_CHECKING:
    from claimdex.eval.gate import Finding

Form = Literal[".json", ".md"]


def score(gold: Path, predictions: Path, report: Path | None, form: Form) -> str:
    """Score a claims file against gold; writes the report if a path is given.

    Raises:
        BadInput, NotFound: a file is missing or faulty; the message names the line.
    """
    from claimdex.eval.report import rendered, write_report
    from claimdex.eval.scoring import score

    result = score(gold, predictions)
    if report is not None:
        write_report(result, report)
    return rendered(result, form)


def compare(gold: Path, a: Path, b: Path, form: Form) -> str:
    """Whether predictions ``b`` are better than ``a`` on the same gold, with intervals."""
    from claimdex.eval.comparing import compare
    from claimdex.eval.report import rendered

    return rendered(compare(gold, a, b), form)


def agree(first: Path, second: Path, form: Form) -> str:
    """Agreement of two annotators on the papers they share: the ceiling for any extractor."""
    from claimdex.eval.comparing import agreement
    from claimdex.eval.report import rendered

    return rendered(agreement(first, second), form)


def gate(gold: Path, predictions: Path, baseline: Path) -> tuple[Finding, ...]:
    """Figures that fell below the stored baseline by more than its interval; empty is a pass."""
    from claimdex.eval.gate import gate
    from claimdex.eval.scoring import score

    return gate(score(gold, predictions), baseline)


def write_baseline(gold: Path, predictions: Path, baseline: Path) -> None:
    """Store the figures of these predictions as the baseline."""
    from claimdex.eval.gate import write_baseline
    from claimdex.eval.scoring import score

    write_baseline(score(gold, predictions), baseline)


def predict(
    gold: Path, papers: Path, out: Path, settings: Settings, report: Callable[[ClaimdexError], None]
) -> int:
    """Extract the claims of the gold's papers into ``out`` (JSONL); the number of papers that failed.

    PDFs are found in ``papers`` by their sha256, whatever their names.

    Raises:
        NotFound: the folder has none of the papers.
    """
    from claimdex.serve import service

    failed = 0
    found: list[ClaimSet] = []
    for pdf in _gold_pdfs(gold, papers):
        try:
            found.append(service.extract(pdf, settings))
        except ClaimdexError as error:
            report(error)
            failed += 1
    write_atomic(out, jsonl(found))
    return failed


def _gold_pdfs(gold: Path, papers: Path) -> Iterator[Path]:
    from claimdex.eval.gold import load_gold

    wanted = {paper.paper.sha256 for paper in load_gold(gold)}
    files = [pdf for pdf in sorted(papers.glob("*.pdf")) if file_sha256(pdf) in wanted]
    if not files:
        raise NotFound(f"{papers}: none of the gold's papers is here", hint="--papers names their folder")
    yield from files
