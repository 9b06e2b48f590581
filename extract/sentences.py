"""Sentences of scientific prose.

spaCy's tokenizer with a component of our own: a full stop ends a sentence only outside matched
brackets, not after an abbreviation, an initial or a version number, and only when what follows can
begin a sentence. Precision matters more than recall here: a quote cut in half is worse than one
that holds two sentences.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

import spacy
from spacy.language import Language
from spacy.tokens import Doc

_SHORT = """
al e.g i.e cf resp w.r.t vs viz etc s.t a.k.a i.i.d a.s w.h.p w.l.o.g u.s u.k ph.d
fig figs eq eqs eqn eqns thm thms sec secs sect tab tabs alg algs prop props cor cors def defs lem rem ex ass
app appx ch no nos vol pp p ref refs ed eds approx avg min max std
st dr prof mr mrs ms jr sr dept univ inc ltd assoc proc conf trans j int adv comput neural
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
_ENDS_ANYWAY = frozenset(
    ("al", "etc", "i.i.d", "w.h.p", "a.s", "resp", "min", "max", "std", "neural", "app", "ex")
)
"""Abbreviations and words that also stand last in a sentence: they end it if a clear beginning follows."""

_STOP = re.compile(r"(?:[.?!]+|\.{3}|…)[\"'’”]*(?:\s*\[\d[\d,;\s–-]*\])?[)\]]?(?=\s)")
_BEGINS = re.compile(r"\s+[\"'‘“(\[]*(?:[A-Z0-9À-ÞΑ-Ω\u2022•∀∃‘“(\[]|[a-z]+[A-Z])")
_CLEAR_START = re.compile(
    r"\s+[\"'‘“(]*(?:We|Our|The|This|These|Those|In|On|For|However|Moreover|Furthermore|Finally|It|To|As|An?|"
    r"Although|While|Thus|Hence|Here|Then|Under|With|By|From|If|Let|Note|Since|There|Both|Each|All|Unlike|"
    r"Similarly|Table|Figure|Theorem)\b"
)
_WORD_BEFORE = re.compile(r"[\w.]*\w$")
_LIST_MARK = re.compile(r"(?:^|\s)(?:\d{1,2}|[A-Za-z]|[ivx]{1,4}|[A-Z]\.\d)$")
# spaCy peels punctuation off a token one character at a time, copying the rest: a long run stalls it.
_RUN = re.compile(r"\S{300,}")
_CLOSERS = {")": "(", "]": "[", "}": "{"}
_LONGEST_BRACKET = 600


@dataclass(frozen=True, slots=True, order=True)
class Sentence:
    """Characters ``start:end`` (half-open) of the text, without the space around them."""

    start: int
    end: int


def sentences(text: str) -> list[Sentence]:
    """Sentences of ``text`` in order; they are disjoint and hold every non-space character.

    >>> text = "Smith et al. (2020) use Llama 2. We gain 2.1 points, cf. Fig. 3. See also [12]."
    >>> [text[s.start : s.end] for s in sentences(text)][1:]
    ['We gain 2.1 points, cf. Fig. 3.', 'See also [12].']
    """
    return list(_split(text))


@lru_cache(maxsize=2048)  # extractor, grounding and conflict search ask for the same passages
def _split(text: str) -> tuple[Sentence, ...]:
    if not text.strip():
        return ()
    found = []
    tame = _RUN.sub(lambda run: "x" * len(run[0]), text)
    for sent in _pipeline()(tame).sents:
        raw = text[sent.start_char : sent.end_char]
        body = raw.strip()
        if body:
            start = sent.start_char + raw.index(body[0])
            found.append(Sentence(start, start + len(body)))
    return tuple(found)


def enclosing(text: str, start: int, end: int) -> Sentence:
    """The run of whole sentences that holds ``start:end``; the span itself if it holds no text."""
    touched = [s for s in sentences(text) if s.start < end and s.end > start]
    if not touched:
        return Sentence(start, end)
    return Sentence(min(touched[0].start, start), max(touched[-1].end, end))


@cache
def _pipeline() -> Language:
    nlp = spacy.blank("en")
    nlp.max_length = 10**8  # the limit guards the parser's memory, and there is none here
    nlp.add_pipe("paper_sentences")
    return nlp


@Language.component("paper_sentences")
def _mark_sentences(doc: Doc) -> Doc:
    """The same tokens with sentence starts. Built anew: setting them one by one is quadratic in spaCy."""
    cuts = iter(_cuts(doc.text))
    cut = next(cuts, None)
    words: list[str] = []
    spaces: list[bool] = []
    starts: list[bool | int | None] = []
    for token in doc:
        begins = not words
        while cut is not None and cut <= token.idx:
            begins, cut = True, next(cuts, None)
        words.append(token.text)
        spaces.append(bool(token.whitespace_))
        starts.append(begins)
    return Doc(doc.vocab, words=words, spaces=spaces, sent_starts=starts)


def _cuts(text: str) -> list[int]:
    """Offsets behind the stops that end a sentence."""
    inside = _bracketed(text)
    return [
        stop.end()
        for stop in _STOP.finditer(text)
        if not inside[stop.start()] and _is_end(text, stop.start(), stop.end())
    ]


def _is_end(text: str, at: int, after: int) -> bool:
    """Whether the stop ``text[at:after]`` ends a sentence."""
    if not _BEGINS.match(text, after):
        return False
    if text[at] != "." or text[at : at + 2] == "..":
        return True
    before = text[max(0, at - 24) : at]
    word = _WORD_BEFORE.search(before)
    last = word.group().lower() if word else ""
    clear = bool(_CLEAR_START.match(text, after))
    if last in _ABBREVIATIONS or last.rpartition(".")[2] in ("al",):
        return last in _ENDS_ANYWAY and clear
    if re.search(r"(?:^|[\s.(\-])[A-Z]$", before):  # an initial, or a variable or panel that ends a sentence
        return clear
    return not (_LIST_MARK.search(before) and _at_line_start(text, at))


def _at_line_start(text: str, at: int) -> bool:
    """Whether the mark that ends at ``at`` stands first in its line, as "1." of a list or heading does."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return len(line.split()) == 1


def _bracketed(text: str) -> bytearray:
    """For each character, 1 if it stands inside a matched pair of brackets that is not too long."""
    inside = bytearray(len(text))
    stack: list[tuple[str, int]] = []
    for at, char in enumerate(text):
        if char in "([{":
            stack.append((char, at))
        elif char in _CLOSERS:
            if not any(kind == _CLOSERS[char] for kind, _ in stack):
                continue  # an enumeration's "a)" or half-open interval
            while stack:
                kind, begin = stack.pop()
                if kind == _CLOSERS[char]:
                    if at - begin <= _LONGEST_BRACKET:
                        inside[begin:at] = b"\x01" * (at - begin)
                    break
    return inside
