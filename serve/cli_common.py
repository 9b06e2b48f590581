"""What the commands share: common options, settings, output and error lines."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimdex.errors import BadInput, ClaimdexError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from claimdex.settings import Settings

SOME_FAILED, INTERRUPTED = 3, 130

Json = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Ids only, one a line.")]
IndexDir = Annotated[Path, typer.Argument(metavar="DIR", help="An index folder.")]
Parser = Annotated[str | None, typer.Option(help="`pdf` (embedded) or `grobid` (a server).")]
GrobidUrl = Annotated[str | None, typer.Option(help="The GROBID server; implies `--parser grobid`.")]
Extractor = Annotated[
    str | None, typer.Option(help="`rules` (offline) or `llm` (any OpenAI-compatible endpoint).")
]


def settings_for(
    extractor: str | None = None,
    parser: str | None = None,
    grobid_url: str | None = None,
    workers: int | None = None,
) -> Settings:
    """Settings of environment and claimdex.toml, with what the command line says on top.

    Raises:
        BadInput: a setting has no such value; the message names it.
    """
    from pydantic import ValidationError

    from claimdex.backends import available
    from claimdex.settings import Settings

    try:
        settings = Settings()
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"setting {where}: {first['msg']}", hint="see docs/settings.md") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"claimdex.toml: {error}", hint="see docs/settings.md") from None
    for kind, name in (("parser", parser), ("extractor", extractor)):
        if name is not None and name not in available(kind):
            raise BadInput(f"no {kind} named {name!r}", hint=f"known: {', '.join(available(kind))}")
    given: dict[str, dict[str, str | int | None]] = {
        "extract": {"extractor": extractor, "parser": parser or ("grobid" if grobid_url else None)},
        "grobid": {"url": grobid_url},
        "run": {"workers": workers},
    }
    chosen = {
        group: getattr(settings, group).model_copy(update={k: v for k, v in values.items() if v is not None})
        for group, values in given.items()
    }
    return settings.model_copy(update=chosen)


def write(lines: Iterable[str]) -> None:
    """Print lines of data to standard output."""
    for line in lines:
        typer.echo(line)


def write_json(records: Iterable[BaseModel]) -> None:
    """Print records as one JSON array."""
    write([json.dumps([r.model_dump(mode="json") for r in records], ensure_ascii=False)])


def report_error(error: ClaimdexError) -> None:
    """One line on standard error: what is wrong, and what to do."""
    hint = f" ({error.hint})" if error.hint else ""
    typer.echo(f"error: {error.message}{hint}", err=True)
