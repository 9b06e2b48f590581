"""The ``claimdex`` command. Commands only parse, call the service and print."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeVar

import typer

from claimdex.errors import BadInput, ClaimdexError
from claimdex.serve.cli_common import (
    INTERRUPTED,
    SOME_FAILED,
    Extractor,
    GrobidUrl,
    IndexDir,
    Json,
    Parser,
    Quiet,
    report_error,
    settings_for,
    write,
    write_json,
)
from claimdex.serve.cli_eval import eval_app

if TYPE_CHECKING:
    from pydantic import BaseModel

app = typer.Typer(
    name="claimdex",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="""From conference papers to an index of testable claims, each with its evidence.

Data goes to standard output, progress and messages to standard error. Exit codes: 0 ok, 1 failure,
2 usage, 3 some papers failed, 4 not found, 130 interrupted.

**Start:** `claimdex index papers/ --out out/mine`, then `claimdex search out/mine "your question"`.""",
)
app.add_typer(eval_app, name="eval")

Pdfs = Annotated[list[Path], typer.Argument(metavar="PDF...", help="PDF files.")]
_Found = TypeVar("_Found", bound="BaseModel")


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks and debug logs.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show informative logs.")] = False,
) -> None:
    """Options of every command."""
    level = logging.DEBUG if debug else logging.INFO if verbose else logging.WARNING
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)


@app.command()
def parse(
    pdfs: Pdfs,
    as_json: Json = False,
    html: Annotated[
        Path | None, typer.Option(help="Write a page that shows one PDF with its structure drawn over it.")
    ] = None,
    parser: Parser = None,
    grobid_url: GrobidUrl = None,
) -> None:
    """Show the structure of papers: sections, passages, tables, links.

    Example: `claimdex parse paper.pdf --html paper.html`
    """
    from claimdex.serve import output, service

    settings = settings_for(parser=parser, grobid_url=grobid_url)
    if html is None:
        _each(pdfs, lambda pdf: service.parse(pdf, settings), output.print_paper, as_json)
        return
    if len(pdfs) != 1:
        raise BadInput("--html takes one PDF", hint="call it once a paper")
    paper = service.parse(pdfs[0], settings)
    service.write_overlay(pdfs[0], paper, html, settings)
    write([f"written: {html}"])


@app.command()
def extract(
    pdfs: Pdfs,
    as_json: Json = False,
    extractor: Extractor = None,
    parser: Parser = None,
    grobid_url: GrobidUrl = None,
) -> None:
    """Extract the testable claims of papers, each with its evidence.

    With `--json`, one object a line: `{"paper": ..., "artifacts": [...], "claims": [...]}`.

    Example: `claimdex extract paper.pdf --json > claims.jsonl`
    """
    from claimdex.serve import output, service

    settings = settings_for(extractor, parser, grobid_url)
    _each(pdfs, lambda pdf: service.extract(pdf, settings), output.print_claim_set, as_json)


@app.command()
def index(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...", help="Folders, PDFs, or a CSV/TSV/JSONL manifest with a `pdf` column."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The index folder to make or to go on with.")],
    as_json: Json = False,
    extractor: Extractor = None,
    parser: Parser = None,
    grobid_url: GrobidUrl = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Papers read at once (default: all cores).")
    ] = None,
) -> None:
    """Index papers: parse, extract, ground, embed. Run it again to go on after an interruption.

    A broken PDF costs itself only; the failures are listed at the end and in DIR/run/failures.jsonl.

    Example: `claimdex index papers.csv --out icml2026/`
    """
    from claimdex.serve import indexing, progress

    settings = settings_for(extractor, parser, grobid_url, workers)
    with progress.bars() as tell:
        report = indexing.index(paths, out, settings, tell, progress.say_stopping)
    if as_json:
        write([report.model_dump_json()])
    else:
        progress.print_report(report)
    if report.interrupted:
        raise typer.Exit(INTERRUPTED)
    if report.failed:
        raise typer.Exit(SOME_FAILED)


@app.command()
def search(
    directory: IndexDir,
    query: Annotated[str, typer.Argument(help="What to look for, in words.")],
    k: Annotated[int, typer.Option("-k", help="Number of claims.")] = 10,
    type: Annotated[
        str | None, typer.Option(help="theorem, benchmark, speedup, empirical or resource.")
    ] = None,
    paper: Annotated[str | None, typer.Option(help="Only this paper: any id, URL or title.")] = None,
    venue: Annotated[str | None, typer.Option(help="Only this venue.")] = None,
    year: Annotated[int | None, typer.Option(help="Only this year.")] = None,
    core: Annotated[bool, typer.Option("--core", help="Only core claims.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find claims by meaning and by words.

    Example: `claimdex search icml2026/ "linear attention faster than softmax" --type speedup`
    """
    from claimdex.serve import output, service

    hits = service.open_index(directory).search(
        query, k=k, type=type, paper=paper, venue=venue, year=year, core=core or None
    )
    if quiet:
        write(hit.claim.claim_id for hit in hits)
    elif as_json:
        write_json(hits)
    else:
        output.print_hits(output.stdout(), hits)


@app.command()
def show(
    directory: IndexDir,
    name: Annotated[
        str, typer.Argument(metavar="ID", help="A claim id, or any id, URL or title of a paper.")
    ],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show one claim in full, or all claims of a paper.

    Example: `claimdex show icml2026/ openreview:NJes6aeTem`
    """
    from claimdex.serve import output, service

    shown = service.show(directory, name)
    if quiet:
        write(claim.claim_id for claim in shown.claims)
    elif as_json:
        write([shown.model_dump_json()])
    else:
        output.print_shown(output.stdout(), shown)


@app.command()
def stats(directory: IndexDir, as_json: Json = False) -> None:
    """What an index holds: papers, claims by type, revision, embedder."""
    from claimdex.serve import output, service

    found = service.open_index(directory).stats()
    if as_json:
        write([found.model_dump_json()])
    else:
        output.print_stats(output.stdout(), found)


@app.command()
def verify(directory: IndexDir, as_json: Json = False) -> None:
    """Check every file of an index against its manifest. Exit code 1 if anything is wrong."""
    from claimdex.serve import service

    findings = service.verify(directory)
    if as_json:
        write_json(findings)
    else:
        write(
            [f"{f.where}: {f.problem} ({f.hint})" for f in findings]
            or ["ok: every file is as the manifest says"]
        )
    if findings:
        raise typer.Exit(1)


@app.command()
def rebuild(directory: IndexDir) -> None:
    """Make the FAISS and BM25 files of an index again from its tables, without embedding."""
    from claimdex.serve import service

    revision = service.rebuild(directory)
    write([f"rebuilt: revision {revision}"])


def _each(
    pdfs: Iterable[Path], read: Callable[[Path], _Found], show: Callable[..., None], as_json: bool
) -> None:
    """Read and print file after file; one that fails is reported and does not stop the rest."""
    from claimdex.serve import output

    failures: list[ClaimdexError] = []
    files = list(pdfs)
    for pdf in files:
        try:
            found = read(pdf)
        except ClaimdexError as error:
            failures.append(error)
            report_error(error)
            continue
        if as_json:
            write([found.model_dump_json()])
        else:
            show(output.stdout(), found)
    if failures:
        raise typer.Exit(failures[0].exit_code if len(files) == 1 else SOME_FAILED)


def main() -> NoReturn:
    """Run the command; errors become one line and an exit code."""
    try:
        app()
    except ClaimdexError as error:
        if "--debug" in sys.argv:
            raise
        report_error(error)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(0)


if __name__ == "__main__":
    main()
