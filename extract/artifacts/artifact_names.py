"""Names of data sets and benchmarks in one sentence, read from the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from claimdex.extract.artifacts.known_artifacts import BENCHMARKS, COMMON_WORDS, DATASETS, MODELS, key

_TOKEN = r"(?:[A-Z][\w+’'/.-]*[\w+]|[A-Z]\b|[a-z]+[A-Z][\w-]*\w|(?:ogb[nlg]|open|wiki|enwik|text)-?[\w-]*\w)"
_NAME = rf"{_TOKEN}(?:[ ](?:{_TOKEN}|\d+(?:\.\d+)?k?|v\d)){{0,4}}"
_CITATION = re.compile(
    r"\s?\[[^\[\]]*\d[^\[\]]*\]|\s?\([^()]*\b(?:19|20)\d\d[a-z]?[^()]*\)|"
    r"\s[A-Z]\w+ (?:et al\.|& [A-Z]\w+) \((?:19|20)\d\d[a-z]?\)|[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
)
_NOUN = r"(?:data ?sets?|corpus|corpora|benchmarks?|benchmark suite|test ?sets?|suite|data|challenge)"
_KIND_WORDS = (
    r"(?:(?:training|test|validation|development|evaluation|benchmark|image|text|graph|"
    r"classification|[a-z]+-[a-z]+) )?"
)
_BEFORE_NOUN = re.compile(
    rf"(?P<list>{_NAME}(?:\s*,\s*{_NAME})*(?:,?\s+(?:and|or|&)\s+{_NAME})?)\s+"
    rf"(?:\(\s*(?P<acronym>[A-Z][\w+-]+)\s*\)\s+)?{_KIND_WORDS}(?P<noun>{_NOUN})\b(?! scaling)"
)
_LEAD = re.compile(
    r"\b(?:data ?sets|corpora|benchmarks|test ?sets)\b"
    r"(?:[^.;:()]{0,60}:|,? (?:including|such as|namely|i\.e\.,?)| (?:are|is|\()(?! (?:not|also)))\s*(?=\S)",
)
_ON = re.compile(
    rf"\b(?:on|from|using|over|for|of|against|with|"
    rf"to)\s+(?:the\s+)?(?P<list>{_NAME}(?:\s*,\s*(?:the\s+)?{_NAME})*(?:,?\s+(?:and|or|"
    rf"&)\s+(?:the\s+)?{_NAME})?)"
)
_BULLET = re.compile(rf"^[•◦\-–*]?\s*(?P<name>{_NAME})\s?(?:[-–:.]|is\b|(?:or|,)\s)(?P<rest>.*)", re.DOTALL)
_APPOSITION = re.compile(
    rf"(?P<short>{_TOKEN}),? the (?P<long>[A-Z]\w+(?: (?:[A-Z][\w-]+|of|for|in|and)){{1,6}} (?:Benchmark|"
    rf"Dataset|Corpus))\b"
)
_IS_DATA = re.compile(
    r"\s*(?:is |are )?(?:a |an |the )?(?:[\w-]+ ){0,4}(?:data ?set|corpus|subset of)\b|"
    r"[^.]{0,60}\bdata ?set\b"
)
_SPLIT = re.compile(r"\s*(?:,\s*(?:and|or|&)?|;|\band\b|\bor\b|&)\s+")
_EXPANDED = re.compile(r"^(?P<head>.*?[A-Za-z])[- ]?(?P<first>\d+)/(?P<second>\d+)$")

_MODEL = re.compile(rf"(?:{MODELS})[-_ ]?[\w/.]*")


def is_known(name: str) -> bool:
    """Whether the name is that of a well-known data set or benchmark."""
    return key(name) in DATASETS or key(name) in BENCHMARKS


def described(sentence: str) -> list[str]:
    """Names the sentence itself calls data: "the X and Y data sets", "datasets: X, Y", "X (a dataset ...)".

    >>> described("We use two datasets: Foo-10 [3] and BarQA (Doe et al., 2020).")
    ['Foo-10', 'BarQA']
    >>> described("Results on the Foo-10 and BarQA corpora are mixed.")
    ['Foo-10', 'BarQA']
    """
    text = _CITATION.sub("", sentence)
    found: list[str] = []
    for match in _BEFORE_NOUN.finditer(text):
        if match["noun"] in ("data", "challenge", "suite") and not any(map(is_known, _items(match["list"]))):
            continue
        items = list(_items(match["list"]))
        found += [match["acronym"]] if match["acronym"] and len(items) == 1 else items
    for match in _LEAD.finditer(text):
        found += _run_of_names(text[match.end() :])
    return list(dict.fromkeys(n for n in found if is_name(n)))


def mentioned(sentence: str) -> list[str]:
    """Well-known names in a list behind a preposition: "trained on MNIST and CIFAR-10".

    >>> mentioned("We train ResNet-18 on the CIFAR-10 and Foo sets.")
    ['CIFAR-10']
    """
    text = _CITATION.sub("", sentence)
    found = [n for match in _ON.finditer(text) for n in _items(match["list"]) if is_known(n)]
    return list(dict.fromkeys(found))


def defined(list_item: str) -> str | None:
    """The data set that a list item describes: "• Foo-10 is a dataset of ...".

    >>> defined("• Foo-10³ is a dataset of birds.")
    'Foo-10'
    """
    match = _BULLET.match(_CITATION.sub("", list_item))
    if not match or not is_name(match["name"]) or not re.search(r"[A-Z].*\w", match["name"]):
        return None
    return match["name"] if _IS_DATA.match(match["rest"]) or is_known(match["name"]) else None


def members(sentence: str) -> tuple[str, list[str]] | None:
    """A benchmark and the parts of it that the sentence lists.

    >>> members("We use six GLUE datasets: SST-2, RTE, and QNLI.")
    ('GLUE', ['SST-2', 'RTE', 'QNLI'])
    """
    text = _CITATION.sub("", sentence)
    for lead in _LEAD.finditer(text):
        listed = _run_of_names(text[lead.end() :])
        around = re.findall(_NAME, text[max(0, lead.start() - 20) : lead.end()])
        whole = [n for part in around for n in _items(part) if key(n) in BENCHMARKS]
        if whole and len(listed) >= 3:
            return whole[0], listed
    return None


def acronyms(text: str) -> dict[str, str]:
    """Long forms that the text abbreviates, each with its acronym.

    >>> acronyms("the Penn Tree Bank (PTB) and Foo (Doe et al., 2020)")
    {'Penn Tree Bank': 'PTB'}
    """
    found = {}
    for match in re.finditer(
        rf"(?P<long>{_TOKEN}(?: (?:{_TOKEN}|of|for|in|the))+) \((?P<short>[A-Z][\w-]+)\)", text
    ):
        words = [w for w in re.split(r"[ -]", match["long"]) if w[:1].isupper()]
        short = re.sub(r"\W", "", match["short"]).casefold()
        for start in range(len(words)):
            if "".join(w[0] for w in words[start:]).casefold() == short:
                long = match["long"]
                found[long[long.index(words[start]) :]] = match["short"]
                break
    for match in _APPOSITION.finditer(text):
        found.setdefault(match["long"], match["short"])
    return found


def is_name(text: str) -> bool:
    """Whether ``text`` can be the name of a data set: short, with a capital or digit, not a common word."""
    words = text.split()
    if not words or len(words) > 5 or len(text) > 40 or not re.search(r"[A-Z0-9]|-", text):
        return False
    if all(key(w) in COMMON_WORDS or w.isdigit() for w in words) or len(key(text)) < 3:
        return False
    if not text[0].isalnum() or _MODEL.fullmatch(text):
        return False
    return is_known(text) or bool(re.search(r"[A-Z]", text))


def _run_of_names(text: str) -> list[str]:
    """Names with which ``text`` begins, up to the first item that is none."""
    found: list[str] = []
    clause = re.split(r"[.:;)](?:\s|$)", text, maxsplit=1)[0]
    for piece in _SPLIT.split(clause):
        piece = re.sub(r"^(?:the|a|an)\s+", "", piece.strip())
        match = re.match(rf"{_NAME}", piece)
        whole = match.group() if match else ""
        names = [n for n in _items(whole) if is_name(n)]
        rest = piece[len(whole) :].strip()
        if not names:
            break
        found += names
        if rest and not rest.startswith("("):
            break
    return found


def _items(listed: str) -> Iterator[str]:
    """Names of a list, "CIFAR-10/100" as two, without the words that only lead in."""
    for item in _SPLIT.split(listed):
        words = item.strip(" .,'’").removeprefix("the ").split()
        while words and key(words[0]) in COMMON_WORDS:
            words = words[1:]
        name = re.sub(r"[’']s$", "", " ".join(words))
        double = _EXPANDED.match(name)
        if double:
            yield f"{double['head']}-{double['first']}"
            yield f"{double['head']}-{double['second']}"
        elif name:
            yield name
