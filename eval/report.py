"""Write a result where a person or a program wants it."""

from __future__ import annotations

from pathlib import Path

from claimdex.errors import BadInput
from claimdex.eval.results import Agreement, Comparison, Report
from claimdex.files import write_atomic

Result = Report | Comparison | Agreement


def write_report(result: Result, path: Path | str) -> None:
    """Write a result as ``.json`` (everything), ``.md`` (the tables) or ``.html`` (a report's page).

    Raises:
        BadInput: the ending is none of these, or ``.html`` was asked of a comparison.
    """
    path = Path(path)
    write_atomic(path, rendered(result, path.suffix.lower()))


def rendered(result: Result, suffix: str) -> str:
    """The text of the file that :func:`write_report` writes for this ending.

    Raises:
        BadInput: there is no such rendering.
    """
    # Only the asked-for writer is imported: a JSON result needs no page.
    if suffix == ".json":
        return result.model_dump_json(indent=1) + "\n"
    if suffix == ".md":
        from claimdex.eval.report_markdown import markdown

        return markdown(result)
    if suffix == ".html" and isinstance(result, Report):
        from claimdex.eval.report_html import page

        return page(result)
    kinds = ".json, .md or .html" if isinstance(result, Report) else ".json or .md"
    raise BadInput(f"cannot write a report as {suffix or 'a file without ending'!r}", hint=f"use {kinds}")
