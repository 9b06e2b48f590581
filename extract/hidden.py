"""Text that a reader of the rendered page cannot see, set apart before anything reads it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import groupby

from claimdex.extract.glyphs import Glyph, Style
from claimdex.extract.pdfium import RawPage

_TINY = 2.0
_FAINT = 13
_INVISIBLE_MODES = (3, 7)
_WHITE = 0.93


def split_hidden(page: RawPage) -> tuple[list[Glyph], list[Glyph]]:
    """Visible and hidden glyphs of a page, each in stream order.

    Hidden: drawn in an invisible mode or with (nearly) no opacity, smaller than 2 points, outside
    the page, in white on nothing dark, without ink on the rendered page (covered, clipped, on a
    layer that is off), or made of invisible characters (Unicode tags, zero-width and bidirectional
    controls).
    """
    visible: list[Glyph] = []
    hidden: list[Glyph] = []
    for style, run in groupby(page.glyphs, key=lambda g: g.style):
        glyphs = list(run)
        if _unseen(style):
            hidden += glyphs
            continue
        for glyph in glyphs:
            unseen = not glyph.inked or _invisible(glyph.text) or _outside(glyph, page)
            if unseen or (style.grey > _WHITE and not _on_ink(glyph, page)):
                hidden.append(glyph)
            else:
                visible.append(glyph)
    return visible, [g for g in hidden if g.text.strip()]


def _unseen(style: Style) -> bool:
    return style.mode in _INVISIBLE_MODES or style.alpha < _FAINT or 0 < style.size < _TINY


def _invisible(text: str) -> bool:
    return bool(text) and all(unicodedata.category(c) == "Cf" for c in text)


def _outside(glyph: Glyph, page: RawPage) -> bool:
    x0, y0, x1, y1 = page.box
    middle = (glyph.x0 + glyph.x1) / 2
    return not (x0 - 1 <= middle <= x1 + 1 and y0 - 1 <= glyph.y + 0.3 * glyph.style.size <= y1 + 1)


def _on_ink(glyph: Glyph, page: RawPage) -> bool:
    """Whether something is drawn behind a white glyph that may make it readable."""
    x, y = (glyph.x0 + glyph.x1) / 2, glyph.y + 0.3 * glyph.style.size
    return any(r[0] - 1 <= x <= r[2] + 1 and r[1] - 1 <= y <= r[3] + 1 for r in _inked(page))


def _inked(page: RawPage) -> Sequence[tuple[float, float, float, float]]:
    return [*page.drawings.pictures, *page.drawings.fills]
