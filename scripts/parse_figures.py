"""What `scripts/eval_parse` measures: a parsed paper against what is known of it.

Text: letters and digits only, lower case, after NFKD, Greek letters by name.
Headings: first equal titles; then, because truth from LaTeX has lost its macros and formulas, titles that
are 80% alike, or whose true words all stand in order in the printed title with at most two words more; a
title that was nothing but a macro takes any one left-over heading of its level. LaTeX truth lists neither
Abstract nor References: not counted there. Theorem-likes: the kinds of LaTeX truth, a restated one counted
once; kind and number by the labels of gold claims; and whether a quote of the claim stands in the labelled
passage (a lower bound: gold may quote the text around it). Captions: 80% alike in the first 60 letters
or, from eight words on, in the first 12 words; of the right kind first, then of any (a figure environment
can print "Table 1"). Prose: runs of words found anywhere, and the longest sequence of them in the right
order; runs that stand neither in our text nor in that of plain pypdfium2 belong to another version of the
LaTeX and are only counted. Authors: equal names; lenient: equal last name and first initial. Quotes: in one
visible passage, and on the page the gold names. Table quotes (mostly numbers): all numbers in cells of one
table.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from claimdex.paper import Paper, Passage, PassageKind

_FORMATTING = re.compile(r"\\(?:math\w+|text\w*|emph|operatorname|left|right|big\w*|widehat|hat|tilde)\b")
_LABEL = re.compile(r"(Theorem|Lemma|Proposition|Corollary|Remark|Definition) (?:[A-Z]\.?)?\d+(?:\.\d+)*")
_NUMBERS = re.compile(r"[-−]?\d+(?:\.\d+)?")


@dataclass
class Tally:
    """Hits among what was predicted and what is true. Either count may be 0: then it is not asked."""

    hits: int = 0
    predicted: int = 0
    true: int = 0
    misses: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.hits += other.hits
        self.predicted += other.predicted
        self.true += other.true

    def value(self) -> float | None:
        """F1, or recall where predictions are not counted; None if there was nothing to find."""
        if not self.predicted + self.true:
            return None
        return 2 * self.hits / (self.predicted + self.true) if self.predicted else self.hits / self.true

    def record(self) -> dict[str, Any]:
        figures = {"value": self.value(), "hits": self.hits, "predicted": self.predicted, "true": self.true}
        return figures | ({"misses": self.misses} if self.misses else {})


Figures = dict[str, Tally]


def against_gold(gold: dict[str, Any], head: dict[str, Any], paper: Paper) -> Figures:
    """Title, authors, abstract, headings, quotes and theorem labels against a gold annotation."""
    found = header(head, paper) | headings(gold["sections"], paper)
    return found | quotes(gold["claims"], paper) | theorem_labels(gold["claims"], paper)


def against_latex(truth: dict[str, Any], paper: Paper, raw: str) -> Figures:
    """Headings, theorem-likes, captions and prose against the LaTeX source. ``raw``: pypdfium2's letters."""
    found = headings(truth["sections"], paper, ("abstract", "references"))
    found |= {"theorem kinds": theorem_kinds(truth["theorems"], paper)}
    return found | {"captions": captions(truth["captions"], paper)} | prose(truth["prose"], paper, raw)


def squeezed(text: str) -> tuple[str, list[int]]:
    """Letters and digits of a text, folded, and the index each came from."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for c in unicodedata.normalize("NFKD", character).casefold():
            if not c.isalnum() or unicodedata.category(c) == "Lm":
                continue
            name = unicodedata.name(c, "") if ord(c) > 0x7F else ""
            if name.startswith("GREEK SMALL LETTER ") and " WITH " not in name:
                c = name.removeprefix("GREEK SMALL LETTER ").lower().split()[-1].replace("lamda", "lambda")
            letters += c
            places += [place] * len(c)
    return "".join(letters), places


def plain(text: str) -> str:
    return squeezed(text)[0]


def words(text: str) -> list[str]:
    return [w for w in (plain(part) for part in re.split(r"[\s\-–—/]+", text)) if w]


def alike(true: str, printed: str) -> bool:
    """Whether a printed title may be the true one, of which macros and formulas are lost."""
    if fuzz.ratio(plain(true), plain(printed)) >= 80:
        return True
    left, more = words(true), words(printed)
    rest = iter(more)
    return bool(left) and len(more) - len(left) <= 2 and all(word in rest for word in left)


def match_titles(true: list[tuple[str, int]], found: list[tuple[str, int]]) -> list[tuple[int, int]]:
    """Pairs of indexes (true, found), each used once: equal titles first, then those alike."""
    pairs: list[tuple[int, int]] = []
    tests: list[Callable[[tuple[str, int], tuple[str, int]], bool]] = [
        lambda a, b: plain(a[0]) == plain(b[0]) and a[1] == b[1],
        lambda a, b: plain(a[0]) == plain(b[0]),
        lambda a, b: alike(a[0], b[0]),
        lambda a, b: not plain(a[0]) and a[1] == b[1],
    ]
    for test in tests:
        for i, one in enumerate(true):
            free = (j for j, other in enumerate(found) if test(one, other) and all(j != q for _, q in pairs))
            if all(i != p for p, _ in pairs) and (j := next(free, None)) is not None:
                pairs.append((i, j))
    return pairs


def headings(true: Sequence[dict[str, Any]], paper: Paper, ignored: Iterable[str] = ()) -> Figures:
    skip = set(ignored)
    wanted = [s for s in true if plain(s["title"]) not in skip or not s["title"]]
    found = [s for s in paper.sections if plain(s.title) not in skip]
    a, b = [(s["title"], s["level"]) for s in wanted], [(s.title, s.level) for s in found]
    pairs = match_titles(a, b)
    level = sum(a[i][1] == b[j][1] for i, j in pairs)
    lost = [f"missing: {a[i][0]}" for i in range(len(a)) if all(i != p for p, _ in pairs)]
    lost += [f"extra: {b[j][0]}" for j in range(len(b)) if all(j != q for _, q in pairs)]
    figures = {
        "headings": Tally(len(pairs), len(b), len(a), lost),
        "headings+level": Tally(level, len(b), len(a)),
    }
    numbered = [(wanted[i]["number"], found[j].number) for i, j in pairs if wanted[i].get("number")]
    if numbered:
        right = sum(x.rstrip(".") == y.rstrip(".") for x, y in numbered)
        figures["heading numbers"] = Tally(right, 0, len(numbered))
    return figures


def theorem_kinds(true: Sequence[dict[str, Any]], paper: Paper) -> Tally:
    labels = [p.label for p in paper.passages if p.kind is PassageKind.THEOREM and p.label]
    numbered = {label for label in labels if " " in label}
    found = Counter(label.split()[0].lower() for label in [*numbered, *(x for x in labels if " " not in x)])
    wanted = Counter(t["kind"].lower() for t in true)
    lost = [f"missing: {n} {kind}" for kind, n in (wanted - found).items()]
    lost += [f"extra: {n} {kind}" for kind, n in (found - wanted).items()]
    return Tally((found & wanted).total(), found.total(), wanted.total(), lost)


def captions(true: dict[str, list[str]], paper: Paper) -> Tally:
    wanted = [(kind, text) for kind in ("table", "figure") for text in true.get(kind, [])]
    found = [((p.label or "").lower(), p.text) for p in paper.passages if p.kind is PassageKind.CAPTION]
    result = Tally(true=len(wanted))
    for strict in (True, False):
        for kind, text in list(wanted):
            scores = [
                likeness(text, other) if label.startswith(kind) or not strict else 0.0
                for label, other in found
            ]
            if max(scores, default=0) >= 80:
                result.hits += 1
                found.pop(scores.index(max(scores)))
                wanted.remove((kind, text))
    result.misses = [f"{kind}: {text}" for kind, text in wanted]
    return result


def likeness(true: str, printed: str) -> float:
    """How well the start of a caption fits a printed one, 0 to 100: by letters, or by most of its words."""
    start = _FORMATTING.sub("", true)
    by_letters = fuzz.partial_ratio(plain(start)[:60], plain(printed)[:100])
    some = words(start)[:12]
    by_words = 100 * sum(word in words(printed)[:30] for word in some) / len(some) if len(some) >= 8 else 0.0
    return max(by_letters, by_words)


def prose(true: Sequence[str], paper: Paper, raw: str) -> Figures:
    whole = "".join(plain(p.text) for p in paper.passages if p.visible)
    found = [place for run in true if (place := whole.find(plain(run))) >= 0]
    lost = [run for run in true if plain(run) not in whole]
    absent = [run for run in lost if plain(run) not in raw]
    return {
        "prose found": Tally(len(found), 0, len(true) - len(absent), [x for x in lost if x not in absent]),
        "prose in order": Tally(longest_rise(found), 0, len(found)),
        "prose of another version": Tally(len(absent), 0, len(true)),
    }


def longest_rise(values: Sequence[int]) -> int:
    """Length of the longest non-falling subsequence (patience sorting)."""
    tails: list[int] = []
    for value in values:
        at = bisect_left(tails, value + 1)
        tails[at : at + 1] = [value]
    return len(tails)


def header(true: dict[str, Any], paper: Paper) -> Figures:
    title = plain(paper.title) == plain(true["title"])
    figures = {"title": Tally(int(title), 0, 1, [] if title else [f"{paper.title} / {true['title']}"])}
    for name, key in (("authors", plain), ("authors (lenient)", initial_and_last)):
        found, wanted = (Counter(map(key, names)) for names in (paper.authors, true["authors"]))
        lost = [f"missing: {x}" for x in wanted - found] + [f"extra: {x}" for x in found - wanted]
        figures[name] = Tally((found & wanted).total(), found.total(), wanted.total(), lost)
    wanted_text, text = plain(_FORMATTING.sub("", true["abstract"])), plain(paper.abstract)
    alike_letters = round(1000 * Levenshtein.normalized_similarity(text, wanted_text))
    figures["abstract similarity"] = Tally(alike_letters, 0, 1000)
    return figures


def initial_and_last(name: str) -> str:
    parts = words(name)
    return f"{parts[0][0]} {parts[-1]}" if parts else ""


def quotes(claims: Sequence[dict[str, Any]], paper: Paper) -> Figures:
    texts = [(p, *squeezed(p.text)) for p in paper.passages if p.visible]
    figures = {name: Tally() for name in ("quotes", "quotes+page", "table quotes in cells")}
    for quote, page in dict.fromkeys((e["quote"], e["page"]) for c in claims for e in c["evidence"]):
        wanted = plain(quote)
        held = [(p, places, text.find(wanted)) for p, text, places in texts if wanted in text]
        pages = {p.page_of(places[k]) for p, places, at in held for k in (at, at + len(wanted) - 1)}
        if is_row(quote):
            figures["table quotes in cells"].true += 1
            figures["table quotes in cells"].hits += any(in_cells(quote, p) for p in paper.passages)
        for name, hit in (("quotes", bool(held)), ("quotes+page", page in pages)):
            figures[name].true += 1
            figures[name].hits += hit
        if page not in pages:
            figures["quotes+page"].misses.append(f"p. {page}{' (elsewhere)' if held else ''}: {quote}")
    return figures


def is_row(quote: str) -> bool:
    """Whether a quote reads like a row of a table: at least four numbers, and two words in five."""
    numbers = len(_NUMBERS.findall(quote))
    return numbers >= 4 and numbers >= 0.4 * len(quote.split())


def in_cells(quote: str, table: Passage) -> bool:
    held = Counter(n for cell in table.cells for n in _NUMBERS.findall(cell.text))
    return bool(table.cells) and not Counter(_NUMBERS.findall(quote)) - held


def theorem_labels(claims: Sequence[dict[str, Any]], paper: Paper) -> Figures:
    """Labels of gold claims among the parsed ones, and whether their passage holds a quote of the claim."""
    figures = {"theorem labels": Tally(), "theorem holds quote": Tally()}
    for claim in claims:
        match = _LABEL.match(str((claim.get("details") or {}).get("label") or ""))
        if not match:
            continue
        passages = [p for p in paper.passages if p.label == match[0] and p.kind is PassageKind.THEOREM]
        figures["theorem labels"].true += 1
        figures["theorem labels"].hits += bool(passages)
        if not passages:
            figures["theorem labels"].misses.append(match[0])
            continue
        inside = any(plain(e["quote"]) in plain(p.text) for e in claim["evidence"] for p in passages)
        figures["theorem holds quote"].true += 1
        figures["theorem holds quote"].hits += inside
        if not inside:
            figures["theorem holds quote"].misses.append(f"{match[0]}: {claim['evidence'][0]['quote']}")
    return figures
