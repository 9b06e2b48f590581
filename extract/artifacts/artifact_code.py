"""Code: what the paper releases or promises, and the software of others that it builds on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from urllib.parse import urlsplit

from claimdex.claim import ArtifactKind, Availability
from claimdex.extract.artifacts.artifact_places import Found, Links, Place
from claimdex.extract.artifacts.known_artifacts import COMMON_WORDS, SOFTWARE, key
from claimdex.paper import Paper, PassageKind, SectionKind

_HOSTS = re.compile(
    r"(?:^|\.)(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|huggingface\.co|zenodo\.org|"
    r"anonymous\.4open\.science|"
    r"code\.google\.com|osf\.io|figshare\.com|kaggle\.com|github\.io|colab\.research\.google\.com)$"
)
_CODE = (
    r"(?:code(?:base)?|source|implementations?|software|scripts?|repository|repo|project page|package|"
    r"library)"
)
_OPEN = re.compile(
    rf"\b(?:our|the|all|source|full|accompanying)?\s?{_CODE}\b[^.;]{{0,80}}?\b(?:(?:is|are|can be|"
    rf"be) (?:made |publicly |freely |"
    r"openly )*(?:available|released|found|accessed|provided|hosted|online|open-?sourced?)|"
    r"available (?:online|at|here)|at:?\s|"
    r"in the following link)|"
    rf"\bwe (?:also )?(?:\w+ )?(?:release|open-?source|provide|publish|share|make)\b[^.;]{{0,60}}\b{_CODE}\b|"
    rf"\b(?:link to (?:the|our) code|(?:^|[.;]\s*)code(?: and \w+)?:|code available|project (?:page|"
    rf"website):)",
    re.IGNORECASE,
)
_PROMISE = re.compile(
    rf"\b(?:will|shall|plan to|intend to|upon (?:acceptance|publication))\b[^.;]{{0,80}}\b(?:{_CODE}|"
    rf"open-?source\w*)\b|"
    rf"\b{_CODE}\b[^.;]{{0,60}}\b(?:will be|to be|upon (?:acceptance|publication))\b",
    re.IGNORECASE,
)
_RELEASE_VERB = re.compile(
    r"release|publish|open-?source|available|public|share|provide|upload", re.IGNORECASE
)
_OTHERS = re.compile(
    r"\b(?:provided by|implementation (?:of|from|by|provided)|official|authors?['’]?|their|et al|baselines?|"
    r"we (?:use|used|utili[sz]e\w*|adopt\w*|follow\w*|build|borrow)|based on|built (?:up)?on|using|"
    r"adapted from|taken from)\b",
    re.IGNORECASE,
)
_OURS = re.compile(
    r"\b(?:our|we (?:release|open|provide|make|publish|share)|this (?:paper|work))\b", re.IGNORECASE
)
_SOFTWARE = re.compile(
    r"\b(?:we (?:\w+ )?(?:use|used|utili[sz]ed?|employ(?:ed)?|adopt(?:ed)?|build|built|rely)\b|"
    r"implement(?:ed|ations?)\b|"
    r"based on|built (?:up)?on|using|have used|generated)[^.;]{0,60}?",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"\b(?:the|use|using)\s+(?P<all>(?P<name>[a-z]*[A-Z][A-Za-z0-9.-]*(?:\s[A-Z][A-Za-z0-9.-]*)?|"
    r"[a-z]+-[a-z]+)"
    r"[⁰¹²³⁴⁵⁶⁷⁸⁹]*(?:\s?\[\d+\])?\s+(?:[a-z]+\s){0,2}?"
    r"(?:library|package|toolkit|framework|codebase|implementation)\b)"
)
_VERSION = re.compile(r"[\s=]*v?(?:ersion )?\d+\.\d+")
_UNLIKE = re.compile(r"\b(?:similar\w*|unlike|like|e\.g\.|such as)\s(?:\w+\s){0,2}$")


def own_code(paper: Paper, where: Sequence[Place], links: Links) -> list[Found]:
    """Code the paper says is, or will be, open; at most one that is released and one that is promised."""
    released: list[Found] = []
    promised: list[Found] = []
    name = _method(paper)
    for place in where:
        text, opens = place.text, _OPEN.search(place.text)
        later = _PROMISE.search(text)
        urls = [u for u in links.within(place) if _is_repository(u) or (opens and _is_page(u))]
        if opens and urls and not later and _is_ours(place):
            url = _following(text[opens.start() :], urls)
            label = f"{name} code" if name else _slug(url)
            released.append(Found(ArtifactKind.CODE, label, place, Availability.RELEASED, url))
        elif (
            later
            and _RELEASE_VERB.search(text)
            and not urls
            and place.section is not SectionKind.RELATED_WORK
        ):
            label = f"{name} code" if name else _what(text)
            promised.append(Found(ArtifactKind.CODE, label, place, Availability.PROMISED))
        elif opens and not urls and _OURS.search(text) and re.search(r"supplement", text, re.IGNORECASE):
            label = f"{name} code" if name else "code in the supplementary material"
            released.append(Found(ArtifactKind.CODE, label, place, Availability.RELEASED))
    released.sort(key=lambda f: f.url is None)
    return released[:1] or promised[:1]


def software_of(where: Sequence[Place], links: Links, other: Sequence[Found]) -> list[Found]:
    """Libraries and implementations by others that the experiments use; not the addresses of ``other``."""
    taken = {f.url for f in other}
    found: dict[str, Found] = {}
    for place in where:
        if place.section is SectionKind.RELATED_WORK or place.passage.kind is PassageKind.TABLE:
            continue
        for name, at, shown in _named(place.text):
            url = links.noted(place, name)
            if url not in taken or url is None:
                spot = place.around(place.start + at, place.start + at + len(name))
                found.setdefault(key(name), Found(ArtifactKind.CODE, shown, spot, Availability.PUBLIC, url))
        if place.passage.kind is PassageKind.FOOTNOTE and not _OTHERS.search(place.text):
            continue
        named = {f.url for f in found.values()}
        for url in links.within(place):
            if _is_repository(url) and url not in taken | named and _OTHERS.search(place.text):
                slug = _slug(url)
                found.setdefault(key(slug), Found(ArtifactKind.CODE, slug, place, Availability.PUBLIC, url))
    return list(found.values())


def _named(text: str) -> list[tuple[str, int, str]]:
    """Software the sentence says is used: its name, its place and the words it goes by."""
    found = []
    for match in _CALLED.finditer(text):
        name, at = match["name"], match.start("name")
        used = _SOFTWARE.search(text[max(0, at - 80) : at])
        if used and key(name.split()[0]) not in COMMON_WORDS and not _UNLIKE.search(text[:at]):
            shown = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\s?\[\d+\]", "", match["all"])
            found.append((name, at, shown))
    words = list(re.finditer(r"[A-Za-z][\w.+-]*", text))
    for this, following in zip_longest(words, words[1:]):
        pair = text[this.start() : following.end()] if following else this.group()
        name = next((n.rstrip(".") for n in (pair, this.group()) if key(n) in SOFTWARE), "")
        if name and re.search(r"[A-Z]|-", name) and not any(name in n for n, _, _ in found):
            cue = text[max(0, this.start() - 80) : this.start()]
            if _SOFTWARE.search(cue) or _VERSION.match(text[this.start() + len(name) :]):
                found.append((name, this.start(), name))
    return found


def _is_ours(place: Place) -> bool:
    """A release sentence speaks of the paper's own code unless it names somebody else's."""
    text = place.text
    return bool(_OURS.search(text)) or not (_OTHERS.search(text) or place.section is SectionKind.RELATED_WORK)


def _is_repository(url: str) -> bool:
    parts = urlsplit(url)
    return bool(_HOSTS.search((parts.hostname or "").removeprefix("www."))) and parts.path.strip("/") != ""


def _is_page(url: str) -> bool:
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    return not re.search(
        r"(?:^|\.)(?:arxiv\.org|doi\.org|openreview\.net|neurips\.cc|mlr\.press|aclanthology\.org)$", host
    )


def _slug(url: str) -> str:
    """Owner and name of a repository, else host and path."""
    parts = urlsplit(url)
    path = [p for p in parts.path.split("/") if p]
    host = (parts.hostname or "").removeprefix("www.")
    if host == "code.google.com":
        return path[-1]
    return "/".join(path[:2]) if _HOSTS.search(host) and len(path) >= 2 else "/".join((host, *path[:2]))


def _following(text: str, urls: list[str]) -> str:
    """Of the sentence's addresses, the first that is printed in ``text``, else the first of all."""
    squeezed = re.sub(r"\s", "", text)
    printed = {squeezed.find(u): u for u in reversed(urls) if u in squeezed}
    return printed[min(printed)] if printed else urls[0]


def _what(text: str) -> str:
    """What is promised, as the sentence puts it: "CTC implementation", else "code"."""
    match = re.search(r"(?:[A-Z][\w-]*\s){0,3}(?:code(?:base)?|implementation|software)\b", text)
    return match.group() if match else "code"


def _method(paper: Paper) -> str:
    """The method's name if the title gives one before its colon."""
    head, colon, _ = paper.title.partition(":")
    return head.strip() if colon and len(head.split()) <= 2 else ""
