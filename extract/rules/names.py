"""What a paper calls its own things: methods, and its abbreviations.

A name is taken as the paper's own when the paper says so ("we propose X", "our X", "X (Full Name)"
after such words, "X:" opening the title), and only if it goes on to use it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from claimdex.extract.artifacts.known_artifacts import BENCHMARKS, DATASETS, SOFTWARE, key
from claimdex.paper import Paper, PassageKind, SectionKind
from claimdex.text import normalise

_COINED = (
    r"(?:[A-Z][\w]*[A-Z0-9][\w]*(?:-[\w]+)*|[A-Z][a-z]+(?:-[A-Z][\w]*)+|[a-z]+[A-Z][\w-]*|"
    r"[A-Z]{2,}[\w]*(?:[-+][\w]+)*|"
    r"[A-Z]-[A-Z][\w]+)"
)
_PROPER = r"(?:[A-Z][a-z]+(?:[ -][A-Z][a-z]+){0,3})"
_PROPOSE = (
    r"\b(?:[Ww]e|[Tt]his paper|[Tt]his work|[Tt]he paper)\s+(?:\w+\s+)?(?:propose|introduce|present|"
    r"develop|design|call|term|dub|name|"
    r"build|create|devise|investigate|contribute)s?\b"
)
_NAMED = re.compile(
    rf"(?:{_PROPOSE}[^.;:]{{0,160}}?|\b(?:called|named|dubbed|termed|coined|denoted|abbreviated(?: "
    rf"as)?|refer to (?:it|this|our \w+|the \w+) as|"
    rf"[Oo]ur (?:\w+ )?(?:method|approach|algorithm|model|framework|system|optimizer),?)"
    rf"\s+(?:the\s+)?[“\"‘']?)"
    rf"(?P<name>{_COINED})"
)
_NAMED_IN_BRACKETS = re.compile(
    rf"{_PROPOSE}\s[^.;()]{{0,80}}?(?:method|approach|algorithm|model|framework|technique|"
    rf"system|optimizer) \((?P<name>{_PROPER}|{_COINED})\)"
)
_NAMED_PROPER = re.compile(
    rf"(?:{_PROPOSE}\s+(?:a (?:\w+[ -]){{0,5}}(?:method|approach|algorithm|model|framework|"
    rf"technique|system)[^.;]{{0,60}}?"
    rf"(?:called|named|dubbed|termed|that we call|which we call)?\s*,?\s*(?:the\s+)?)?|\bour "
    rf"method is called |\bwe call (?:this |the |our )?(?:\w+ )?)[“\"]?(?P<name>{_PROPER})\b"
)
_ABBREVIATION = re.compile(
    r"(?P<long>(?:[A-Za-z][\w’'-]*[ -]){1,7}[\w’'-]+)\s+\((?:the\s+)?(?P<short>[A-Z][\w+-]*[A-Z0-9][\w+-]*|"
    r"[A-Z][\w-]{1,8})\)"
)
_TITLE_HEAD = re.compile(r"^\s*(?P<name>[\w+@-]+(?: [\w+@-]+){0,2})\s*:\s+\S")
_GENERIC = frozenset(
    [
        "gnn",
        "gnns",
        "cnn",
        "cnns",
        "rnn",
        "rnns",
        "lstm",
        "gru",
        "gpu",
        "gpus",
        "cpu",
        "cpus",
        "mlp",
        "mlps",
        "llm",
        "llms",
        "nlp",
        "rl",
        "sgd",
        "gd",
        "adam",
        "adamw",
        "relu",
        "ai",
        "ml",
        "api",
        "ode",
        "sde",
        "pde",
        "kl",
        "tv",
        "iid",
        "svm",
        "pca",
        "knn",
        "mse",
        "mae",
        "auc",
        "bert",
        "gpt",
        "resnet",
        "imagenet",
        "cifar10",
        "cifar100",
        "mnist",
        "we",
        "the",
        "in",
        "our",
        "this",
        "dnn",
        "dnns",
        "gan",
        "gans",
        "vae",
        "vit",
        "transformer",
        "ood",
        "fl",
        "cl",
        "asr",
        "wer",
        "plm",
        "plms",
        "peft",
        "ntk",
        "eos",
        "rkhs",
        "pac",
        "map",
        "mcmc",
        "rag",
        "qa",
        "vqa",
    ]
)
_CITED = re.compile(r"\s?(?:\[\d|\((?:[A-Z][^()]*,?\s)?(?:19|20)\d\d)")
_MIN_USES = 4
_SELF_WORDS = re.compile(
    r"\b(?:our|the proposed)\s+(?:\w+[- ])?(?:method|approach|algorithm|model|framework|"
    r"system|technique|scheme|architecture)s?\b",
    re.I,
)


@dataclass(frozen=True)
class PaperNames:
    """The paper's own names, most used first, and its abbreviations (short form to long form)."""

    own: tuple[str, ...] = ()
    abbreviations: dict[str, str] = field(default_factory=dict)

    @property
    def method(self) -> str | None:
        """The name "our method" stands for, if there is one."""
        return self.own[0] if self.own else None

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if not self.own:
            return None
        longest = sorted(self.own, key=len, reverse=True)
        return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?!\w)")

    def mentions(self, text: str) -> bool:
        """Whether the text speaks of the paper's method, by name or as "our method"."""
        return bool((self._pattern and self._pattern.search(text)) or _SELF_WORDS.search(text))

    def named_in(self, text: str) -> str | None:
        """The first own name in the text."""
        found = self._pattern.search(text) if self._pattern else None
        return found.group() if found else None


def paper_names(paper: Paper) -> PaperNames:
    """Read the names off a paper's title, abstract, introduction and contributions."""
    sections = {s.id: s.kind for s in paper.sections}
    early = [
        normalise(p.text)
        for p in paper.passages
        if p.visible
        and (
            p.kind is PassageKind.ABSTRACT
            or (
                p.section is not None
                and sections.get(p.section) in (SectionKind.ABSTRACT, SectionKind.INTRODUCTION)
            )
        )
    ]
    body = "\n".join(
        normalise(p.text) for p in paper.passages if p.visible and p.kind is not PassageKind.REFERENCE
    )
    abbreviations = _abbreviations([*early, body])
    votes = _votes(paper.title, early, abbreviations)
    uses = {name: _uses(name, body) for name in votes}
    kept = [n for n in votes if uses[n] >= _MIN_USES and not _foreign(n, body)]
    kept.sort(key=lambda n: (-votes[n], -uses[n], n))
    return PaperNames(own=tuple(kept[:8]), abbreviations=abbreviations)


def _votes(title: str, early: list[str], abbreviations: dict[str, str]) -> Counter[str]:
    votes: Counter[str] = Counter()
    head = _TITLE_HEAD.match(title)
    if head:
        votes[_as_printed(head["name"], early)] += 4
    for text in early:
        for match in _NAMED_IN_BRACKETS.finditer(text):
            votes[match["name"]] += 2
        for match in _NAMED.finditer(text):
            votes[match["name"].rstrip("-")] += 2
        for match in _NAMED_PROPER.finditer(text):
            votes[match["name"]] += 1
    for short, long in abbreviations.items():
        own = re.compile(
            rf"(?:{_PROPOSE}|\b(?:called|named|dubbed|termed)\b|\bour\b)(?:(?!\b(?:for|of|"
            rf"on|using|with|in|to|that|based|as|from)\b)[^.;:]){{0,60}}"
            rf"{re.escape(long)}\s*\({re.escape(short)}\)",
            re.I,
        )
        if any(own.search(t) for t in early):
            votes[short] += 2
    title_words = {key(w) for w in re.findall(r"[\w+-]+", title)}
    for name in list(votes):
        spelled = abbreviations.get(name)
        if key(name) in title_words or (spelled and _squeezed(spelled) in _squeezed(title)):
            votes[name] += 2
        if not _distinct(name):
            del votes[name]
    return votes


def _as_printed(name: str, texts: list[str]) -> str:
    """A title's name in the capitals of the running text: "PLASTIL" in a title is "PlaStIL"."""
    found = Counter(
        m.group() for t in texts for m in re.finditer(rf"(?<![\w-]){re.escape(name)}(?!\w)", t, re.I)
    )
    return found.most_common(1)[0][0] if found else name


def _abbreviations(texts: list[str]) -> dict[str, str]:
    """ "Full Name (FN)": the words before the bracket whose initials spell the short form."""
    found: dict[str, str] = {}
    for text in texts:
        for match in _ABBREVIATION.finditer(text):
            short, long = match["short"], _long_form(match["short"], match["long"])
            if long and short not in found:
                found[short] = long
    return found


def _long_form(short: str, before: str) -> str | None:
    """The shortest run of words at the end of ``before`` that spells ``short``, first letter first."""
    letters = [c for c in short.lower() if c.isalpha()]
    words = re.split(r"(?<=[ -])", before)
    for size in range(1, min(len(words), len(letters) + 3) + 1):
        run = "".join(words[-size:]).strip()
        if run[:1].lower() == letters[0] and _spells(letters, run.lower()) and size >= min(2, len(letters)):
            return run
    return None


def _spells(letters: list[str], run: str) -> bool:
    starts = [m.group()[0] for m in re.finditer(r"[a-z]+", run)]
    if len(starts) >= len(letters) - 1 and starts[: len(letters)] == letters[: len(starts)]:
        return True
    at = 0
    for letter in letters:
        at = run.find(letter, at) + 1
        if at == 0:
            return False
    return len(starts) * 2 >= len(letters)


def _distinct(name: str) -> bool:
    """Whether the name can be told from a word of the field."""
    bare = key(name)
    if (
        len(bare) < 2
        or bare in _GENERIC
        or bare.removesuffix("s") in _GENERIC
        or bare in DATASETS
        or bare in BENCHMARKS
        or bare in SOFTWARE
    ):
        return False
    return bool(re.search(r"[A-Z]", name)) and not re.fullmatch(
        r"(?:The|A|An|In|On|We|Our|For|This|Theorem|Section|Figure|Table|Algorithm).*", name
    )


def _uses(name: str, body: str) -> int:
    return len(re.findall(rf"(?<![\w-]){re.escape(name)}(?!\w)", body))


def _foreign(name: str, body: str) -> bool:
    """Whether the paper cites others for it most of the times it says it early."""
    places = list(re.finditer(rf"(?<![\w-]){re.escape(name)}(?!\w)", body))[:12]
    cited = sum(bool(_CITED.match(body, m.end())) for m in places)
    return cited * 3 > len(places)


def _squeezed(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
