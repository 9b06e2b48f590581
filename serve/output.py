"""What the CLI prints for people: papers, claims and hits as plain, wrapped text."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from claimdex.claim import Claim, ClaimSet, Evidence
from claimdex.paper import Paper, PaperMeta

if TYPE_CHECKING:
    from claimdex.index.search import SearchHit, Stats
    from claimdex.serve.service import Shown

_COLOURS = {
    "theorem": "magenta",
    "benchmark": "cyan",
    "speedup": "green",
    "empirical": "yellow",
    "resource": "blue",
}


def stdout() -> Console:
    """Console on standard output; plain text when that is no terminal."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def stderr() -> Console:
    """Console on standard error."""
    return Console(stderr=True, highlight=False)


def print_paper(console: Console, paper: Paper) -> None:
    """Title block, section tree and what the paper consists of."""
    _print_title(console, paper)
    console.print(f"[bold]Abstract[/bold] {escape(paper.abstract) or '(none found)'}\n")
    for section in paper.sections:
        name = escape(f"{section.number} {section.title}".strip())
        console.print(f"{'  ' * section.level}{name} [dim]{section.kind}, p. {section.page}[/dim]")
    kinds: dict[str, int] = {}
    for passage in paper.passages:
        kinds[passage.kind] = kinds.get(passage.kind, 0) + 1
    counted = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
    rest = f"{len(paper.references)} references; {len(paper.links)} links"
    console.print(f"\n{paper.source.pages} pages; {counted}; {rest}")
    _print_warnings(console, paper)


def print_claim_set(console: Console, found: ClaimSet) -> None:
    """A paper's claims, core first, with their evidence; then artifacts and what was rejected."""
    _print_title(console, found.paper)
    for claim in found.claims:
        print_claim(console, claim)
    if found.artifacts:
        console.print("[bold]Needed to test them[/bold]")
        for artifact in found.artifacts:
            url = f" {artifact.url}" if artifact.url else ""
            console.print(
                f"  {artifact.kind}: {escape(artifact.name + url)} [dim]({artifact.availability})[/dim]"
            )
    core = sum(claim.core for claim in found.claims)
    console.print(
        f"\n{len(found.claims)} claims ({core} core), {len(found.artifacts)} artifacts; "
        f"{len(found.rejected)} statements rejected (see --json)"
    )
    _print_warnings(console, found.paper)


def print_claim(console: Console, claim: Claim, *, full: bool = False) -> None:
    """One claim: id, type, text, and where it was read; with ``full`` all that is known of it."""
    star = "[bold]*[/bold] " if claim.core else ""
    partial = "" if claim.grounding.verdict == "verified" else f" [red]{claim.grounding.verdict}[/red]"
    head = f"[{_COLOURS[claim.type]}]{claim.type}[/] [dim]{claim.claim_id}[/dim]"
    console.print(f"{star}{head}{partial}  {_where(claim.evidence)}")
    _indented(console, Text(claim.text), 2)
    if full:
        _print_details(console, claim)
    console.print()


def print_hits(console: Console, hits: Sequence[SearchHit]) -> None:
    """Search results, best first."""
    for place, hit in enumerate(hits, 1):
        claim, paper = hit.claim, hit.paper
        console.print(
            f"[bold]{place}.[/bold] [{_COLOURS[claim.type]}]{claim.type}[/] [dim]{claim.claim_id}[/dim] "
            f"score {hit.score:.4f}"
        )
        _indented(console, Text(claim.text), 3)
        venue = " ".join(str(v) for v in (paper.venue, paper.year) if v)
        _indented(console, Text(f"{paper.title} [{paper.paper_id}] {venue}".rstrip(), style="dim"), 3)
        first = claim.evidence[0]
        _indented(console, Text(f"p. {first.page}: “{_short(first.quote)}”", style="italic"), 3)
        console.print()
    if not hits:
        console.print("no claims found")


def print_shown(console: Console, shown: Shown) -> None:
    """A paper and its claims; one claim alone is shown in full."""
    _print_title(console, shown.paper)
    for claim in shown.claims:
        print_claim(console, claim, full=True)
    if not shown.claims:
        console.print("no claims of this paper are in the index")


def print_stats(console: Console, stats: Stats) -> None:
    """Counts of an index, and what it was made with."""
    counts = stats.counts
    rows = [("papers", f"{counts.papers} ({counts.ok} ok, {counts.partial} in part, {counts.failed} failed)")]
    rows += [("claims", f"{counts.claims} ({counts.core} core)")]
    rows += [(f"  {name}", str(n)) for name, n in counts.types.items()]
    rows += [("revision", stats.revision), ("made", stats.created_at)]
    rows += [("embedder", stats.embedder), ("FAISS", stats.factory)]
    table = Table(show_header=False, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _print_title(console: Console, paper: PaperMeta) -> None:
    console.print(f"[bold]{escape(paper.title)}[/bold]")
    if paper.authors:
        console.print(escape(", ".join(paper.authors)))
    console.print(f"[dim]{paper.paper_id}[/dim]\n")


def _print_warnings(console: Console, paper: PaperMeta) -> None:
    for warning in paper.warnings:
        page = f" (p. {warning.page})" if warning.page else ""
        console.print(f"[yellow]note[/yellow] {warning.code}: {escape(warning.message)}{page}")


def _indented(console: Console, text: Text, indent: int) -> None:
    """Wrapped to the terminal; one long line where there is none, so that it can be searched."""
    if console.is_terminal:
        console.print(Padding(text, (0, 0, 0, indent)))
    else:
        console.print(Text(" " * indent) + text)


def _where(evidence: Sequence[Evidence]) -> str:
    places = []
    for item in evidence:
        anchor = f", {item.anchor.label}" if item.anchor else ""
        places.append(f"p. {item.page}{anchor}")
    return f"[dim]{escape('; '.join(dict.fromkeys(places)))}[/dim]"


def _print_details(console: Console, claim: Claim) -> None:
    details = claim.details.model_dump(exclude_none=True, exclude={"type"}, exclude_defaults=True)
    scope = claim.scope.model_dump(exclude_none=True, exclude_defaults=True)
    rows = [(name, str(value)) for name, value in {**details, **scope}.items() if value not in ("", (), [])]
    rows += [("condition", text) for text in claim.conditions]
    rows += [(f"needs {a.kind}", f"{a.name} {a.url or ''} ({a.availability})") for a in claim.needs]
    if claim.test.falsified_if:
        rows.append(("falsified if", claim.test.falsified_if))
    rows += [("quote", f"p. {e.page}: “{e.quote}”") for e in claim.evidence]
    rows += [
        ("check", f"{c.name}: {c.finding or 'failed'}") for c in claim.grounding.checks if c.passed is False
    ]
    rows += [
        ("conflict", f"{c.value} here, {c.other_value} on p. {c.evidence.page}: “{c.evidence.quote}”")
        for c in claim.grounding.conflicts
    ]
    for name, value in rows:
        _indented(console, Text(f"{name}: ", style="dim") + Text(value, style="not dim"), 4)


def _short(quote: str, limit: int = 220) -> str:
    flat = " ".join(quote.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rsplit(" ", 1)[0] + " …"
