"""The many names of one paper, and which of them is canonical."""

from __future__ import annotations

import re
from collections.abc import Iterable

from claimdex.errors import BadInput
from claimdex.text import normalise

SCHEMES = ("openreview", "arxiv", "doi", "acl", "event", "submission", "title", "sha256")
"""Known id schemes; the first of these that a paper has is its canonical one."""

_CANONICAL = ("openreview", "arxiv", "doi", "acl", "sha256")
_ARXIV = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_OPENREVIEW = re.compile(r"[A-Za-z0-9_-]{8,12}")
_BARE = {"arxiv": _ARXIV, "doi": _DOI, "openreview": _OPENREVIEW}

_URLS = (
    (re.compile(r"https?://(?:www\.)?openreview\.net/(?:forum|pdf|attachment)\?id=([^&#\s]+)"), "openreview"),
    (re.compile(r"https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/([^\s?#]+?)(?:\.pdf)?$"), "arxiv"),
    (re.compile(r"https?://(?:dx\.)?doi\.org/(\S+)"), "doi"),
)


def make_id(scheme: str, value: str) -> str:
    """``scheme:value`` after checking both.

    >>> make_id("arxiv", "2409.07653v2")
    'arxiv:2409.07653v2'

    Raises:
        BadInput: the scheme is unknown, or the value is not one of that scheme.
    """
    value = normalise(value)
    if scheme not in SCHEMES:
        raise BadInput(f"unknown id scheme {scheme!r}", hint=f"known: {', '.join(SCHEMES)}")
    if scheme == "title":
        value = title_key(value)
    pattern = _BARE.get(scheme)
    if not value or len(value) > 500 or (pattern and not pattern.fullmatch(value)):
        raise BadInput(f"{value[:80]!r} is not a valid {scheme} id")
    return f"{scheme}:{value.lower() if scheme == 'doi' else value}"


def title_key(title: str) -> str:
    """Title reduced to lower-case words, for matching.

    >>> title_key("Is  Attention\\nAll You Need?")
    'is attention all you need'
    """
    return " ".join(re.findall(r"\w+", normalise(title).casefold()))


def canonical(ids: Iterable[str]) -> str | None:
    """The id to file a paper under: OpenReview before arXiv before DOI before file hash.

    >>> canonical(["doi:10.1/x", "arxiv:2409.07653v2"])
    'arxiv:2409.07653v2'
    """
    known = list(ids)
    for scheme in _CANONICAL:
        for candidate in known:
            if candidate.startswith(scheme + ":"):
                return candidate
    return None


def lookup_keys(query: str) -> list[str]:
    """Every id a person may have meant by ``query``: an id, a URL, an arXiv number, a title.

    >>> lookup_keys("https://arxiv.org/abs/2409.07653v2")[:2]
    ['arxiv:2409.07653v2', 'arxiv:2409.07653']
    """
    query = query.strip()
    keys: list[str] = []
    for pattern, scheme in _URLS:
        match = pattern.match(query)
        if match:
            keys.append(f"{scheme}:{match[1]}")
    scheme, _, value = query.partition(":")
    if scheme.lower() in SCHEMES and value:
        value = value.strip()
        keys.append(f"{scheme.lower()}:{title_key(value) if scheme.lower() == 'title' else value}")
    keys += [f"{scheme}:{query}" for scheme, pattern in _BARE.items() if pattern.fullmatch(query)]
    if query.isdigit():
        keys.append(f"submission:{query}")
    if re.fullmatch(r"[0-9a-f]{64}", query):
        keys.append(f"sha256:{query}")
    if title_key(query):
        keys.append(f"title:{title_key(query)}")
    keys += [
        re.sub(r"v\d+$", "", key)
        for key in list(keys)
        if key.startswith("arxiv:") and re.search(r"v\d+$", key)
    ]
    keys = [k.lower() if k.startswith("doi:") else k for k in keys]
    return sorted(dict.fromkeys(keys), key=lambda k: SCHEMES.index(k.partition(":")[0]))
