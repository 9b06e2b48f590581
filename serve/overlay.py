"""One HTML page that shows each page of a paper with the structure the parser saw drawn over it.

Everything of the paper is escaped, and the page's content security policy runs no script but ours.
"""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from claimdex.paper import PageBox, Paper, Passage, PassageKind, Rect, Section
from claimdex.serve.overlay_assets import COLOURS, POLICY, SCRIPT, STYLE

if TYPE_CHECKING:
    from claimdex.extract.pdf.render import PageImage

MAX_IMAGE_BYTES = 40_000_000
"""Bytes of page images embedded; later pages are shown as empty frames."""
_MAX_SHAPES = 4_000
_MAX_TEXT = 2_000
_WHOLE = (PassageKind.TABLE, PassageKind.FIGURE, PassageKind.ALGORITHM)
_EXTRAS = {"hidden": "hidden text", "cell": "table cells", "link": "links", "number": "reading order"}


def overlay_html(paper: Paper, images: Sequence[PageImage]) -> str:
    """A self-contained HTML page: every page image with boxes by kind, and the passages in order.

    Works without script: check boxes show and hide kinds, each box leads to its passage in the list
    and back. ``images`` may stop short of the paper's pages; what is missing is said on the page.
    """
    shapes = _shapes(paper)
    shown = {image.number for image in images}
    pages, left = [], MAX_IMAGE_BYTES
    for image in images:
        left -= len(image.png)
        over = "" if left >= 0 else "picture left out: the page would grow too large"
        pages.append(_page(image, shapes[image.number], over))
    numbered = enumerate(paper.passages, 1)
    items = "\n".join(_item(passage, paper, shown, place) for place, passage in numbered)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_safe(paper.title)}: what the parser saw</title>
<style>{STYLE}</style>
</head>
<body>
<a class="skip" href="#pages">Skip to the pages</a>
{_header(paper, images)}
<main>
<nav aria-label="Passages in reading order">
<h2>Passages in reading order</h2>
<ol>
{items}
</ol>
</nav>
<div id="pages" tabindex="-1">
{"".join(pages)}</div>
</main>
<script>{SCRIPT}</script>
</body>
</html>
"""


def _safe(text: str) -> str:
    """Escaped for HTML text and quoted attributes; no controls, no lone surrogates."""
    clean = "".join(c for c in text if c in "\n\t" or ord(c) >= 0x20)
    return escape(clean.encode("utf-8", "replace").decode(), quote=True)


def _header(paper: Paper, images: Sequence[PageImage]) -> str:
    kinds = sorted({_kind(p) for p in paper.passages}, key=list(COLOURS).index)
    kinds += [k for k in ("cell", "link", "number") if k not in kinds]
    boxes = "\n".join(
        f'<label><input type="checkbox" id="show-{kind}"{"" if kind == "link" else " checked"}>'
        f'<span class="dot k-{kind}"></span>{_EXTRAS.get(kind, kind.replace("_", " "))}</label>'
        for kind in kinds
    )
    notes = [f"{w.code}: {w.message}" + (f" (p. {w.page})" if w.page else "") for w in paper.warnings]
    if len(images) < paper.source.pages:
        notes.append(f"{len(images)} of {paper.source.pages} pages are shown")
    warned = "".join(f'<p class="soft">{_safe(note)}</p>' for note in notes)
    if len(notes) > 3:
        warned = f"<details><summary>{len(notes)} warnings</summary>{warned}</details>"
    return f"""<header>
<h1>{_safe(paper.title)}</h1>
<p class="soft">{_safe(", ".join(paper.authors) or "no authors found")}</p>
<p class="soft">{_safe(f"{paper.paper_id}; parser {paper.parser.name} {paper.parser.version}")};
{len(paper.sections)} sections, {len(paper.passages)} passages, {len(paper.references)} references.
Choose a box to find its passage in the list, and the passage to come back; j and k walk the boxes.</p>
{warned}
<fieldset><legend>Show</legend>
{boxes}
</fieldset>
</header>"""


def _kind(passage: Passage) -> str:
    return passage.kind.value if passage.visible else "hidden"


def _fragment(passage: Passage) -> str:
    return _safe(quote(passage.id, safe=""))


def _item(passage: Passage, paper: Paper, shown: set[int], place: int) -> str:
    """The passage's entry in the list, with a way to its box if its page is there."""
    name = _safe(f"{place}. {_name(passage, None)}, p. {passage.page}")
    title = _safe(_name(passage, paper.section(passage.section)))
    where = f'<span class="where" title="{title}">{name}</span>'
    if passage.spans and passage.page in shown:
        where = f'<a href="#b-{_fragment(passage)}" title="{title}">{name}</a>'
    text = passage.text if len(passage.text) <= _MAX_TEXT else passage.text[:_MAX_TEXT] + " ... (cut)"
    head = " head" if passage.kind in (PassageKind.HEADING, PassageKind.TITLE) else ""
    return (
        f'<li id="p-{_fragment(passage)}" class="pick k-{_kind(passage)}{head}">'
        f"{where}<p>{_safe(text)}</p></li>"
    )


def _name(passage: Passage, section: Section | None) -> str:
    """Kind, label and section, as shown beside the box."""
    parts = [
        _kind(passage).replace("_", " "),
        passage.label or "",
        f"({passage.name})" if passage.name else "",
    ]
    if section:
        parts.append(f"in {section.number} {section.title}".replace("  ", " "))
    return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class _Shape:
    """A rectangle to draw, with what is said of it.

    ``place`` counts the passages in reading order and stands on the first box of each; ``target``
    is the fragment of the passage a box belongs to, empty for cells and links.
    """

    rect: Rect
    kind: str
    name: str
    target: str = ""
    place: int = 0
    header: bool = False


def _shapes(paper: Paper) -> dict[int, list[_Shape]]:
    """What to draw, by page: boxes of passages, over them cells, and links over all."""
    found: dict[int, list[_Shape]] = defaultdict(list)
    for place, passage in enumerate(paper.passages, 1):
        name = _name(passage, paper.section(passage.section))
        for i, region in enumerate(regions(passage)):
            first = 0 if i else place
            shape = _Shape(region.box, _kind(passage), name, _fragment(passage), first)
            found[region.page].append(shape)
    for passage in paper.passages:
        for cell in passage.cells:
            said = " | ".join(x for x in (cell.row_header, cell.column_header) if x)
            name = f"{said}: {cell.text}" if said else cell.text
            for part in joined(passage.boxes(cell.start, cell.end)):
                found[part.page].append(_Shape(part.box, "cell", name, header=cell.header))
    for link in paper.links:
        if link.box:
            found[link.page].append(_Shape(link.box, "link", link.url[:300]))
    return found


def regions(passage: Passage) -> list[PageBox]:
    """The passage's boxes, lines joined as far as they follow one another down a column."""
    boxes = [PageBox(page=span.page, box=span.box) for span in passage.spans]
    return joined(boxes, whole=passage.kind in _WHOLE)


def joined(boxes: Sequence[PageBox], *, whole: bool = False) -> list[PageBox]:
    """Boxes of one page that touch or follow one another, as one; ``whole`` joins all of a page."""
    found: list[PageBox] = []
    for item in boxes:
        last = found[-1] if found else None
        if last and last.page == item.page and (whole or _follows(last.box, item.box)):
            found[-1] = PageBox(page=last.page, box=_union(last.box, item.box))
        else:
            found.append(item)
    return found


def _follows(box: Rect, line: Rect) -> bool:
    """Whether a line touches a box, goes on in its lowest row, or stands just below it."""
    height = max(line[3] - line[1], 1.0)
    across = line[0] < box[2] + height and line[2] > box[0] - height
    same_row = line[1] < box[1] + 0.8 * height and line[3] > box[1] + 0.2 * height
    touches = across and line[1] < box[3] and line[3] > box[1]
    below = across and 0 <= box[1] - line[3] < 3 * height
    return same_row or touches or below


def _union(a: Rect, b: Rect) -> Rect:
    return (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))


def _page(image: PageImage, shapes: Sequence[_Shape], over: str) -> str:
    width, height = image.size
    note = over or image.note
    if len(shapes) > _MAX_SHAPES:
        note = "; ".join([*filter(None, [note]), f"only {_MAX_SHAPES} of {len(shapes)} boxes are drawn"])
    picture = ""
    if image.png and not over:
        data = base64.b64encode(image.png).decode()
        picture = (
            f'<img src="data:image/png;base64,{data}" width="{width:.0f}" height="{height:.0f}" '
            f'alt="Page {image.number}">'
        )
    drawn = "\n".join(_drawn(shape, image) for shape in shapes[:_MAX_SHAPES])
    frame = "" if picture else '<rect class="empty" width="100%" height="100%"/>'
    return f"""<section class="page" aria-label="Page {image.number}">
<h2>Page {image.number}{": " + _safe(note) if note else ""}</h2>
<div class="sheet">{picture}<svg viewBox="0 0 {width:.1f} {height:.1f}" role="group" \
aria-label="Boxes of page {image.number}">{frame}
{drawn}
</svg></div>
</section>
"""


def _drawn(shape: _Shape, image: PageImage) -> str:
    """SVG of a shape: a link to its passage, or a group; its name is shown on hover and focus."""
    x0, y0, x1, y1 = turned(shape.rect, image.box, image.rotation)
    css, name = f"pick k-{shape.kind}", _safe(shape.name)
    opening, closing = f'<g class="shape {css}{" head" if shape.header else ""}">', "</g>"
    if shape.target:
        identity = f' id="b-{shape.target}"' if shape.place else ""
        href = f'href="#p-{shape.target}" aria-label="{name}"'
        opening, closing = f'<a{identity} class="box {css}" {href}>', "</a>"
    order = ""
    if shape.place:
        at = f'x="{x0 - 1:.1f}" y="{y0 + 5:.1f}" text-anchor="end"'
        order = f'<text class="number pick k-number" {at}>{shape.place}</text>'
    end = x0 > image.size[0] / 2
    at = f'x="{x1 if end else x0:.1f}" y="{max(y0 - 3, 8):.1f}"' + (' text-anchor="end"' if end else "")
    size = f'width="{x1 - x0 + 2:.1f}" height="{y1 - y0 + 2:.1f}"'
    return (
        f'{opening}<title>{name}</title><rect x="{x0 - 1:.1f}" y="{y0 - 1:.1f}" {size}/>{order}'
        f'<text class="name" {at}>{_safe(shape.name[:90])}</text>{closing}'
    )


def turned(rect: Rect, box: Rect, rotation: int) -> Rect:
    """A rectangle of the page's space as seen on the image: origin top left, y down, in points."""
    x0, y0, x1, y1 = box
    left, below, right, above = rect
    if rotation == 90:
        return (below - y0, left - x0, above - y0, right - x0)
    if rotation == 180:
        return (x1 - right, below - y0, x1 - left, above - y0)
    if rotation == 270:
        return (y1 - above, x1 - right, y1 - below, x1 - left)
    return (left - x0, y1 - above, right - x0, y1 - below)
