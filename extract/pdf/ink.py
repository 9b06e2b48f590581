"""Which glyphs leave ink on the rendered page: text that is covered, clipped or switched off does not.

The test of last resort for hidden text: whatever the trick, where a reader sees nothing there is
no contrast.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pypdfium2 as pdfium
from numpy.typing import NDArray

from claimdex.extract.pdf.glyphs import BREAK, Glyph
from claimdex.paper import Rect

_MAX_PIXELS = 4_000_000
_LEAST_CONTRAST = 25
_RUN = 8
_TALL = frozenset("bdhkl0123456789")


def mark_inkless(page: pdfium.PdfPage, box: Rect, glyphs: Sequence[Glyph], largest_image: int) -> None:
    """Set ``inked`` to False on glyphs in runs that leave no contrast on the page.

    Rendered at 72 dpi in grey. Left alone where rendering would be dear: pages or images with too
    many pixels (``largest_image`` is the page's largest), and turned pages.
    """
    width, height = box[2] - box[0], box[3] - box[1]
    sane = 0 < width * height <= _MAX_PIXELS and largest_image <= 10 * _MAX_PIXELS
    if not glyphs or not sane or page.get_rotation():
        return
    bitmap = page.render(scale=1, grayscale=True, may_draw_forms=False, draw_annots=False)
    pixels = bitmap.to_numpy().reshape(bitmap.height, -1)[:, : bitmap.width]
    for run in _runs(glyphs):
        if not _has_contrast(pixels, box, run):
            for glyph in run:
                glyph.inked = False
    bitmap.close()


def _runs(glyphs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    """Up to eight neighbouring glyphs on one baseline in one style."""
    run: list[Glyph] = []
    for glyph in glyphs:
        if glyph.text in (" ", BREAK):
            continue
        ahead = not run or (run[-1].style is glyph.style and glyph.y == run[-1].y and glyph.x0 >= run[-1].x0)
        if len(run) >= _RUN or not ahead:
            yield run
            run = []
        run.append(glyph)
    if run:
        yield run


def _has_contrast(pixels: NDArray[np.uint8], box: Rect, run: Sequence[Glyph]) -> bool:
    """Whether the run shows in full, for a box may cover a part of it.

    Words of readable size must show in the lower and in the upper half of their small letters and,
    where they have tall ones, above these.
    """
    size = max(run[0].style.size, 1.0)
    bands = [(-0.25, 0.75)]
    if size >= 8 and sum(g.text.isalnum() for g in run) >= 4:
        bands = [(-0.05, 0.2), (0.25, 0.5)]
        if sum(g.text in _TALL or g.text.isupper() for g in run) >= 2:
            bands.append((0.5, 0.66))
    left, right = min(g.x0 for g in run) - box[0], max(g.x1 for g in run) - box[0]
    base = box[3] - run[0].y
    for low, high in bands:
        top, bottom = base - high * size, base - low * size
        area = pixels[max(int(top), 0) : int(bottom) + 1, max(int(left), 0) : int(right) + 1]
        if not area.size or int(area.max()) - int(area.min()) < _LEAST_CONTRAST:
            return False
    return True
