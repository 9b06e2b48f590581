"""The papers of a run: from folders, PDFs and manifests to one list, each paper once."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from claimdex.errors import BadInput, NotFound
from claimdex.extract.bulk.manifests import SUFFIXES, Problem, Source, existing, printable, read_manifest
from claimdex.files import file_sha256
from claimdex.ids import canonical, title_key
from claimdex.paper import PaperRef

__all__ = ["Problem", "Source", "Sources", "read_sources"]

_HASHED_BYTES = 500 * 10**6
_SCHEMES_OF_ONE = ("openreview", "doi", "arxiv")


@dataclass(frozen=True, slots=True)
class Sources:
    """The papers to read, in the order they were given, and what is amiss with the rest."""

    papers: tuple[Source, ...]
    problems: tuple[Problem, ...] = ()


def read_sources(paths: Sequence[Path]) -> Sources:
    """The papers in folders (searched to the bottom, hidden names left out), PDFs and manifests.

    Rows of one paper (the same canonical id, or the very same file contents) become one, their ids
    united; where they contradict each other the first one wins, with a warning.

    Raises:
        NotFound: a path does not exist, or a folder holds no PDF.
        BadInput: a file is neither PDF nor manifest, or a manifest as a whole cannot be used.
    """
    if not paths:
        raise BadInput("no papers given", hint="give folders, PDFs or manifests")
    found = [item for path in paths for item in _read(path)]
    papers = [item for item in found if isinstance(item, Source)]
    problems = [item for item in found if isinstance(item, Problem)]
    merged: list[Source] = []
    for group in _groups(papers):
        paper, doubts = _merged(group)
        merged.append(paper)
        problems += doubts
    return Sources(tuple(merged), tuple(problems))


def _read(path: Path) -> Iterable[Source | Problem]:
    if path.is_dir():
        return _read_folder(path)
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return read_manifest(path)
    existing(path, str(path))
    if suffix != ".pdf":
        raise BadInput(
            f"{printable(path)}: neither a PDF nor a manifest",
            hint=f"manifests end in {', '.join(SUFFIXES)}",
        )
    return [Source(path, PaperRef(), printable(path))]


def _read_folder(folder: Path) -> list[Source | Problem]:
    problems: list[Source | Problem] = []

    def unreadable(error: OSError) -> None:
        where = printable(error.filename or folder)
        problems.append(Problem("error", where, NotFound.code, f"{where}: {error.strerror}", pdf=where))

    pdfs = sorted(_pdfs(folder, unreadable))
    if not pdfs and not problems:
        raise NotFound(f"{printable(folder)}: no PDF in this folder", hint="PDFs are files named *.pdf")
    return [*(Source(pdf, PaperRef(), printable(pdf)) for pdf in pdfs), *problems]


def _pdfs(folder: Path, unreadable: object) -> Iterator[Path]:
    for root, folders, names in os.walk(folder, onerror=unreadable):  # type: ignore[arg-type]
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            pdf = Path(root, name)
            if pdf.suffix.lower() == ".pdf" and not name.startswith(".") and pdf.is_file():
                yield pdf


def _groups(papers: list[Source]) -> list[list[Source]]:
    """Papers that are one, together; groups in the order of their first members."""
    leaders: list[int] = []
    known: dict[str, int] = {}
    contents = _same_contents([paper.pdf for paper in papers])
    for place, paper in enumerate(papers):
        keys = [f"file {contents[place]}", *([paper.ref.paper_id] if paper.ref.paper_id else [])]
        met = sorted({_leader(leaders, known[key]) for key in keys if key in known})
        leaders.append(met[0] if met else place)
        for other in met[1:]:
            leaders[other] = met[0]
        for key in keys:
            known.setdefault(key, place)
    groups: defaultdict[int, list[Source]] = defaultdict(list)
    for place, paper in enumerate(papers):
        groups[_leader(leaders, place)].append(paper)
    return [groups[leader] for leader in sorted(groups)]


def _leader(leaders: list[int], place: int) -> int:
    while leaders[place] != place:
        place = leaders[place]
    return place


def _same_contents(pdfs: list[Path]) -> list[int]:
    """For each file, the place of the first with the same bytes. Only files of equal size are read."""
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for place, pdf in enumerate(pdfs):
        by_size[_size(pdf)].append(place)
    first = list(range(len(pdfs)))
    for size, places in by_size.items():
        if len(places) == 1:
            continue
        seen: dict[str, int] = {}
        for place in places:
            first[place] = seen.setdefault(_identity(pdfs[place], size), place)
    return first


def _size(pdf: Path) -> int:
    try:
        return pdf.stat().st_size
    except OSError:
        return -1


def _identity(pdf: Path, size: int) -> str:
    """What tells a file's contents: their sha256, or the path where they cannot or need not be read."""
    if not 0 <= size <= _HASHED_BYTES:
        return str(pdf.resolve())
    try:
        return file_sha256(pdf)
    except OSError:
        return str(pdf.resolve())


def _merged(group: list[Source]) -> tuple[Source, list[Problem]]:
    """One paper of several rows, and the contradictions between them."""
    first = group[0]
    if len(group) == 1:
        return first, []
    doubts = [doubt for other in group[1:] if (doubt := _contradiction(first, other))]
    ids = list(dict.fromkeys(i for s in group for i in (s.ref.paper_id, *s.ref.aliases) if i))
    paper_id = canonical(ids)
    values = first.ref.model_dump(exclude={"paper_id", "aliases"})
    for other in group[1:]:
        values |= {name: getattr(other.ref, name) for name in values if not values[name]}
    ref = PaperRef(paper_id=paper_id, aliases=tuple(i for i in ids if i != paper_id), **values)
    return Source(first.pdf, ref, first.where), doubts


def _contradiction(first: Source, other: Source) -> Problem | None:
    a, b = first.ref, other.ref
    differ = [
        name
        for name, one, two in (
            ("title", title_key(a.title or ""), title_key(b.title or "")),
            ("venue", (a.venue or "").casefold(), (b.venue or "").casefold()),
            ("year", a.year, b.year),
            ("version", a.version, b.version),
            *((scheme, _of_scheme(a, scheme), _of_scheme(b, scheme)) for scheme in _SCHEMES_OF_ONE),
        )
        if one and two and one != two
    ]
    if not _same_bytes(first.pdf, other.pdf):
        differ.append("PDF")
    if not differ:
        return None
    message = f"the same paper as {first.where}, but with another {', '.join(differ)}; the first is kept"
    return Problem("warning", other.where, "conflict", message, pdf=printable(other.pdf), ref=b)


def _of_scheme(ref: PaperRef, scheme: str) -> str:
    ids = (i for i in (ref.paper_id, *ref.aliases) if i)
    return next((i for i in ids if i.startswith(scheme + ":")), "")


def _same_bytes(one: Path, two: Path) -> bool:
    size = _size(one)
    return size == _size(two) and _identity(one, size) == _identity(two, size)
