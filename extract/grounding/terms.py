"""Words, names and labels: what tells whether two texts speak of the same things."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from claimdex.claim import Anchor, AnchorKind
from claimdex.extract.quantities import quantities
from claimdex.paper import Paper, Passage, PassageKind, Section, SectionKind
from claimdex.text import normalise

_STOP_WORDS = """
 a about above according achieve achieves after against all almost also among an and any approximately are
as at average be because been before being below best better between both but by can compared could do does
down due during each either even every few fewer first for from further gain gains give gives had has have
having hence here high higher highest how however if in increase increases into is it its just large larger
least less like low lower lowest made many may more moreover most much must near no nor not number obtain
obtains of on one only onto or other others our out over own paper per proposed provide provides reach
reaches reduce reduces reported respectively result results same several show shows significant
significantly similar similarly since small smaller so some such than that the their them then there these
they this those through thus to too toward towards two under up upon us use used uses using value values
very via was we well were what when where whereas whether which while whose will with within without work
worse would yet
"""
_STOP = frozenset(_STOP_WORDS.split())
_WORD = re.compile(r"[^\W\d_][\w]*(?:[-./@+’'][\w]+)*|\d+[-]?[^\W\d_]\w*")
_SENTENCE_START = re.compile(r"(?:^|[.?!:]\s+|[\"“(]\s*|•\s*)$")
_SUFFIX = re.compile(
    r"(?:isations?|izations?|ations?|ings?|ised?|ized?|ises|izes|ies|ied|ed|es|ly|er|est|s|e|y)$"
)

LABEL_KINDS: dict[str, AnchorKind] = {
    "table": AnchorKind.TABLE,
    "tab": AnchorKind.TABLE,
    "figure": AnchorKind.FIGURE,
    "fig": AnchorKind.FIGURE,
    "equation": AnchorKind.EQUATION,
    "eq": AnchorKind.EQUATION,
    "eqn": AnchorKind.EQUATION,
    "algorithm": AnchorKind.ALGORITHM,
    "alg": AnchorKind.ALGORITHM,
    "section": AnchorKind.SECTION,
    "sec": AnchorKind.SECTION,
    "appendix": AnchorKind.SECTION,
    "abstract": AnchorKind.ABSTRACT,
}
_FORMAL = {
    "theorem": "theorem",
    "thm": "theorem",
    "lemma": "lemma",
    "corollary": "corollary",
    "cor": "corollary",
    "proposition": "proposition",
    "prop": "proposition",
    "claim": "claim",
    "conjecture": "conjecture",
    "fact": "fact",
    "observation": "observation",
    "remark": "remark",
    "definition": "definition",
    "assumption": "assumption",
}
LABEL_KINDS |= dict.fromkeys(_FORMAL, AnchorKind.THEOREM)
_LONG = {
    "tab": "table",
    "fig": "figure",
    "eq": "equation",
    "eqn": "equation",
    "alg": "algorithm",
    "sec": "section",
}
_LONG |= _FORMAL
LABEL = re.compile(
    r"\b(?P<kind>Tab(?:le|\.)|Fig(?:ure|\.)|Eqn?\.|Equation|Alg(?:orithm|\.)|Sec(?:tion|\.)|Appendix|"
    r"Theorem|Thm\.?|"
    r"Lemma|Corollary|Cor\.|Proposition|Prop\.|Conjecture|Assumption|Definition|Observation)"
    r"\s?\(?(?P<number>[A-Z](?:\.?\d+(?:\.\d+)*)?|\d+(?:\.\d+)*)(?![\w%])\)?"
)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Crude stem in lower case: enough to meet "converges" with "convergence" half of the time.

    >>> stem("improves"), stem("improved"), stem("GCNs")
    ('improv', 'improv', 'gcn')
    """
    word = word.casefold().replace("’", "'").removesuffix("'s").replace("-", "")
    shorter = _SUFFIX.sub("", word)
    return shorter if len(shorter) >= 3 else word


@dataclass(frozen=True, slots=True)
class Word:
    """A word or name and its place in the text. ``opens`` is true at the start of a sentence."""

    text: str
    start: int
    end: int
    opens: bool = False

    @property
    def technical(self) -> bool:
        """Whether its form alone makes it a name: inner capitals, or letters with digits."""
        parts = re.split(r"[-/]", self.text)
        return any(p[1:] != p[1:].lower() or (p[0].isalpha() and re.search(r"\d", p)) for p in parts if p)


@lru_cache(maxsize=8192)
def words(text: str) -> tuple[Word, ...]:
    """Words of the text, hyphenated ones whole."""
    return tuple(
        Word(
            m.group(),
            m.start(),
            m.end(),
            bool(_SENTENCE_START.search(text[max(0, m.start() - 4) : m.start()])),
        )
        for m in _WORD.finditer(text)
    )


def names(text: str, *, openers: bool = False) -> list[Word]:
    """Words that look like names: technical ones, and capitalised ones that open no sentence.

    With ``openers`` also capitalised words at the start of a sentence.

    >>> [w.text for w in names("The gap of LoopNet on Kestrel shrinks, see Table 2.")]
    ['LoopNet', 'Kestrel']
    """
    labels = [m.span() for m in LABEL.finditer(text)]
    return [
        w
        for w in words(text)
        if len(w.text) > 1
        and (w.technical or (w.text[0].isupper() and (openers or not w.opens)))
        and w.text.casefold() not in _STOP
        and not any(a <= w.start < b for a, b in labels)
    ]


@lru_cache(maxsize=8192)
def content(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning."""
    found = set()
    for word in words(text):
        for part in (word.text, *word.text.split("-")):
            if len(part) > 2 and part.casefold() not in _STOP:
                found.add(stem(part))
    return frozenset(found)


def label_key(text: str) -> tuple[str, str] | None:
    """A label as (kind, number), whatever its spelling; None if the text begins with none.

    >>> label_key("Thm. 3.2"), label_key("Fig. 4: Loss")
    (('theorem', '3.2'), ('figure', '4'))
    """
    match = LABEL.match(text.strip())
    if match is None:
        return None
    kind = match["kind"].rstrip(".").casefold()
    return _LONG.get(kind, kind), match["number"]


class PaperWords:
    """The words, names and labels of one paper, each computed once."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.passages = {p.id: p for p in paper.passages}
        self.order = {p.id: i for i, p in enumerate(paper.passages)}
        self.visible = [
            p
            for p in paper.passages
            if p.visible and p.kind not in (PassageKind.REFERENCE, PassageKind.HEADING)
        ]

    @cached_property
    def text(self) -> str:
        """All visible text, title first."""
        parts = [self.paper.title, self.paper.abstract, *(p.text for p in self.paper.passages if p.visible)]
        return normalise("\n".join(parts))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word and part of a hyphenated word of the paper, case folded, and their stems."""
        found: set[str] = set()
        for word in words(self.text):
            for part in (word.text, *re.split(r"[-/.@+]", word.text)):
                found.update((part.casefold(), stem(part)))
        return frozenset(found)

    @cached_property
    def counts(self) -> frozenset[tuple[str, tuple[float, ...]]]:
        """What the paper counts, as (stem of the noun, number)."""
        texts = [self.paper.title, self.paper.abstract, *(p.text for p in self.visible)]
        return frozenset((stem(q.unit), q.values) for t in texts for q in quantities(t) if q.kind == "count")

    @cached_property
    def labels(self) -> dict[tuple[str, str], str]:
        """Printed label by its key, of passages and numbered sections."""
        found: dict[tuple[str, str], str] = {}
        for passage in self.paper.passages:
            key = label_key(passage.label) if passage.label else None
            if key and passage.label:
                found.setdefault(key, passage.label)
        for section in self.paper.sections:
            if section.number:
                anchor = section_anchor(section)
                found.setdefault((anchor.label.split()[0].casefold(), section.number), anchor.label)
        return found

    @cached_property
    def _names(self) -> frozenset[str]:
        texts = [self.paper.title, self.paper.abstract, *(p.text for p in self.visible)]
        return frozenset(w.text for t in texts for w in names(t))

    def is_name(self, word: str) -> bool:
        """Whether the paper uses the word as a name."""
        return word in self._names and not word.islower()

    def knows(self, word: str) -> bool:
        """Whether the paper has ``word`` as a word (or, hyphenated, all its parts)."""
        forms = (word.casefold(), stem(word))
        if any(f in self.vocabulary for f in forms):
            return True
        parts = [p for p in re.split(r"[-/.@+’']", word) if p]
        return len(parts) > 1 and all(
            p.casefold() in self.vocabulary or stem(p) in self.vocabulary for p in parts if not p.isdigit()
        )


def section_anchor(section: Section) -> Anchor:
    """The anchor of a section: "Section 4.2", "Appendix B", or its title if it has no number."""
    if section.kind is SectionKind.ABSTRACT:
        return Anchor(kind=AnchorKind.ABSTRACT, label="Abstract")
    if not section.number:
        return Anchor(kind=AnchorKind.SECTION, label=section.title)
    kind = "Appendix" if section.number[0].isalpha() else "Section"
    return Anchor(kind=AnchorKind.SECTION, label=f"{kind} {section.number}")


def anchor_of(paper: Paper, passage: Passage) -> Anchor | None:
    """The labelled place a passage is: its own label, else the abstract or its section."""
    key = label_key(passage.label) if passage.label else None
    if key and passage.label and key[0] in LABEL_KINDS:
        return Anchor(kind=LABEL_KINDS[key[0]], label=passage.label)
    if passage.kind is PassageKind.ABSTRACT:
        return Anchor(kind=AnchorKind.ABSTRACT, label="Abstract")
    section = paper.section(passage.section)
    return section_anchor(section) if section else None
