"""Papers by any of their names."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from claimdex.errors import BadInput, NotFound
from claimdex.ids import lookup_keys, title_key

MAX_NAME = 2_000
_SHOWN = 5


class PaperDirectory:
    """Finds the canonical id for an id, alias, URL, arXiv number without version, or title."""

    def __init__(self, papers: Iterable[tuple[str, str, Iterable[str], str | None]]) -> None:
        """``papers``: canonical id, title, aliases and the sha256 of the file, if known."""
        self._ids: dict[str, list[str]] = {}
        self._titles: dict[str, str] = {}
        self._title_keys: dict[str, str] = {}
        for paper_id, title, aliases, source in papers:
            self._titles[paper_id] = title
            names = [paper_id, *aliases, *([f"sha256:{source}"] if source else [])]
            self._title_keys[paper_id] = title_key(title)
            keys = {f"title:{self._title_keys[paper_id]}", *names}
            for name in names:
                keys.update(k for k in lookup_keys(name) if not k.startswith("title:") or k == name)
            for key in sorted(keys):
                self._ids.setdefault(key, []).append(paper_id)

    def find(self, name: str) -> str:
        """The canonical id of the paper called ``name``.

        Raises:
            BadInput: the name is blank, too long, or several papers have it (all are listed).
            NotFound: no paper has it (the hint gives papers with a similar title).
        """
        if not name.strip() or len(name) > MAX_NAME:
            raise BadInput(f"a paper's name must have 1 to {MAX_NAME} characters")
        for key in [name.strip(), *lookup_keys(name)]:
            found = self._ids.get(key, [])
            if len(found) == 1:
                return found[0]
            if found:
                listed = "; ".join(self._label(paper_id) for paper_id in found[:_SHOWN])
                more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
                raise BadInput(
                    f"{len(found)} papers are called {one_line(name)!r}: {listed}{more}", hint="give the id"
                )
        raise NotFound(f"no paper called {one_line(name)!r}", hint=self._similar(name))

    def _similar(self, name: str) -> str:
        near = process.extract(
            title_key(name),
            self._title_keys,
            scorer=fuzz.token_set_ratio,
            score_cutoff=60,
            limit=3,
        )
        if not near:
            return "no title is like it; list the papers to see their ids"
        return "nearest titles: " + "; ".join(self._label(paper_id) for _, _, paper_id in near)

    def _label(self, paper_id: str) -> str:
        return f"{paper_id} ({one_line(self._titles[paper_id])})"


def one_line(text: str, limit: int = 80) -> str:
    """Text fit for an error message: printable characters of one line, cut to ``limit``."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
