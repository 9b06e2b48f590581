"""URLs of a paper: link annotations with the words they cover, and bare URLs in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimdex.extract.pdf.lines import Line
from claimdex.extract.pdf.pdfium import RawPage
from claimdex.paper import Link, Passage

_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"“”{}|\\^`]+", re.IGNORECASE)
_SCHEMES = ("http://", "https://", "ftp://")


def annotated_links(page: RawPage, lines: Sequence[Line]) -> list[Link]:
    """Links of the page's annotations to web addresses, with the text that lies under each."""
    links = []
    for item in page.links:
        url = item.url.strip()
        if not url.lower().startswith(_SCHEMES):
            continue
        x0, y0, x1, y1 = item.box
        words = [
            "".join(
                c
                for c, left, right in zip(line.text, line.edges, line.edges[1:], strict=False)
                if x0 - 1 <= (left + right) / 2 <= x1 + 1
            )
            for line in lines
            if y0 - 1 <= line.baseline + 0.25 * line.size <= y1 + 1
        ]
        box = (round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1))
        links.append(
            Link(url=url, page=item.page, box=box, text=" ".join(w for w in words if w.strip()).strip())
        )
    return links


def text_links(passages: Sequence[Passage], known: Sequence[Link]) -> list[Link]:
    """Bare URLs in visible text that no annotation gives, joined over line ends."""
    seen = {_bare(link.url) for link in known}
    links = []
    for passage in passages:
        if not passage.visible:
            continue
        for match in _URL.finditer(passage.text):
            url = match.group().rstrip(".,;:)]'\"")
            if len(url) < 10 or _bare(url) in seen or any(k.startswith(_bare(url)) for k in seen):
                continue
            seen.add(_bare(url))
            end = match.start() + len(url)
            boxes = passage.boxes(match.start(), end)
            links.append(
                Link(
                    url=url if "://" in url else f"http://{url}",
                    page=passage.page_of(match.start()),
                    box=boxes[0].box if boxes else None,
                    text=url,
                    source="text",
                )
            )
    return links


def _bare(url: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", url.lower()).rstrip("/")
