"""Text that a reader of the rendered page cannot see, set apart before anything reads it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from itertools import groupby

from claimdex.extract.pdf.glyphs import Glyph, Style
from claimdex.extract.pdf.pdfium import RawPage

_TINY = 2.0
_FAINT = 13
_INVISIBLE_MODES = (3, 7)
_WHITE = 0.93


def split_hidden(page: RawPage) -> tuple[list[Glyph], list[Glyph]]:
    """Visible and hidden glyphs of a page, each in stream order.

    Hidden: drawn in an invisible mode or with (nearly) no opacity, smaller than 2 points, outside
    the page, in white on nothing dark, without ink on the rendered page (covered, clipped, on a
    layer that is off), or made of invisible characters (Unicode tags, zero-width and bidirectional
    controls). The text layer of a scanned page counts as visible.
    """
    visible: list[Glyph] = []
    hidden: list[Glyph] = []
    inside = _inside(page)
    scan = is_scan(page)
    for _, run in groupby(page.glyphs, key=lambda g: id(g.style)):
        glyphs = list(run)
        style = glyphs[0].style
        if _unseen(style) and not (scan and style.mode in _INVISIBLE_MODES):
            hidden += glyphs
        elif style.grey > _WHITE:
            for glyph in glyphs:
                seen = inside(glyph) and not _invisible(glyph.text) and _on_ink(glyph, page)
                (visible if seen else hidden).append(glyph)
        else:
            for glyph in glyphs:
                seen = glyph.inked and inside(glyph) and (glyph.text.isascii() or not _invisible(glyph.text))
                (visible if seen else hidden).append(glyph)
    return visible, [g for g in hidden if g.text.strip()]


def is_scan(page: RawPage) -> bool:
    """Whether a page is one picture with a text layer from OCR: all its text is drawn invisibly over it."""
    width, height = page.box[2] - page.box[0], page.box[3] - page.box[1]
    covered = any(r[2] - r[0] > 0.8 * width and r[3] - r[1] > 0.8 * height for r in page.drawings.pictures)
    layer = sum(g.style.mode in _INVISIBLE_MODES for g in page.glyphs)
    return covered and layer > 0.95 * len(page.glyphs) > 0


def _unseen(style: Style) -> bool:
    return style.mode in _INVISIBLE_MODES or style.alpha < _FAINT or 0 < style.size < _TINY


def _invisible(text: str) -> bool:
    return bool(text) and all(unicodedata.category(c) == "Cf" for c in text)


def _inside(page: RawPage) -> Callable[[Glyph], bool]:
    x0, y0, x1, y1 = page.box[0] - 1, page.box[1] - 1, page.box[2] + 1, page.box[3] + 1

    def inside(glyph: Glyph) -> bool:
        return x0 <= (glyph.x0 + glyph.x1) / 2 <= x1 and y0 <= glyph.y + 0.3 * glyph.style.size <= y1

    return inside


def _on_ink(glyph: Glyph, page: RawPage) -> bool:
    """Whether something is drawn behind a white glyph that may make it readable."""
    x, y = (glyph.x0 + glyph.x1) / 2, glyph.y + 0.3 * glyph.style.size
    return any(r[0] - 1 <= x <= r[2] + 1 and r[1] - 1 <= y <= r[3] + 1 for r in _inked(page))


def _inked(page: RawPage) -> Sequence[tuple[float, float, float, float]]:
    return [*page.drawings.pictures, *page.drawings.fills]
