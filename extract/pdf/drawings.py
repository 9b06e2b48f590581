"""Rules, pictures and filled areas of a page, as PDFium reads them."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as raw

from claimdex.paper import Rect

_MAX_OBJECTS = 30_000


@dataclass(slots=True)
class Drawings:
    """What is drawn on a page besides text.

    ``rules``: thin lines. ``pictures``: images, embedded figures and clusters of paths. ``fills``:
    areas filled in a colour dark enough to read white text on. ``largest_image`` in pixels.
    """

    rules: list[Rect] = field(default_factory=list)
    pictures: list[Rect] = field(default_factory=list)
    fills: list[Rect] = field(default_factory=list)
    largest_image: int = 0


def read_drawings(page: Any, size: tuple[float, float]) -> Drawings:
    """Rules, pictures and dark areas of a page of ``size`` (width, height)."""
    result = Drawings()
    x0, y0, x1, y1 = (ctypes.c_float() for _ in range(4))
    refs = [ctypes.byref(v) for v in (x0, y0, x1, y1)]
    paths: list[Rect] = []
    for i in range(min(raw.FPDFPage_CountObjects(page), _MAX_OBJECTS)):
        item = raw.FPDFPage_GetObject(page, i)
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_TEXT or not raw.FPDFPageObj_GetBounds(item, *refs):
            continue
        rect = (x0.value, y0.value, x1.value, y1.value)
        width, height = rect[2] - rect[0], rect[3] - rect[1]
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            result.largest_image = max(result.largest_image, _pixels(item))
        elif kind == raw.FPDF_PAGEOBJ_FORM:
            result.largest_image = max(result.largest_image, _largest_within(item))
        if kind in (raw.FPDF_PAGEOBJ_FORM, raw.FPDF_PAGEOBJ_IMAGE):
            if width > 20 and height > 20:
                result.pictures.append(rect)
        elif (width > 15 and height < 2.5) or (height > 6 and width < 2.5):
            result.rules.append(rect)
        elif width < size[0] * 0.95 or height < size[1] * 0.5:
            paths.append(rect)
            if _is_dark_fill(item):
                result.fills.append(rect)
    result.pictures += _clusters(paths, result.rules)
    return result


def _largest_within(form: Any, depth: int = 3) -> int:
    """Pixels of the largest image in an embedded form, to a depth that stops a form that holds itself."""
    largest = 0
    for i in range(min(raw.FPDFFormObj_CountObjects(form), 1000)):
        item = raw.FPDFFormObj_GetObject(form, i)
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            largest = max(largest, _pixels(item))
        elif kind == raw.FPDF_PAGEOBJ_FORM and depth:
            largest = max(largest, _largest_within(item, depth - 1))
    return largest


def _pixels(image: Any) -> int:
    width, height = ctypes.c_uint(0), ctypes.c_uint(0)
    known = raw.FPDFImageObj_GetImagePixelSize(image, ctypes.byref(width), ctypes.byref(height))
    return width.value * height.value if known else 0


def _is_dark_fill(item: Any) -> bool:
    mode, stroke = ctypes.c_int(0), ctypes.c_int(0)
    if not raw.FPDFPath_GetDrawMode(item, ctypes.byref(mode), ctypes.byref(stroke)) or not mode.value:
        return False
    red, green, blue, alpha = (ctypes.c_uint(0) for _ in range(4))
    refs = [ctypes.byref(c) for c in (red, green, blue, alpha)]
    if not raw.FPDFPageObj_GetFillColor(item, *refs):
        return False
    return alpha.value > 100 and min(red.value, green.value, blue.value) < 200


def _clusters(paths: list[Rect], rules: list[Rect], gap: float = 12) -> list[Rect]:
    """Extents of groups of drawn things that lie near one another: vector plots.

    At least six things, three of them more than a thin line, which the rules of a table are not.
    """
    groups: list[tuple[Rect, int, int]] = []
    for rect, weight in [*((p, 1) for p in paths[:5000]), *((r, 0) for r in rules[:2000])]:
        box, members, solid = rect, 1, weight
        rest = []
        for group in groups:
            other = group[0]
            apart = (
                other[0] > box[2] + gap
                or other[2] < box[0] - gap
                or other[1] > box[3] + gap
                or other[3] < box[1] - gap
            )
            if apart:
                rest.append(group)
                continue
            box = (
                min(box[0], other[0]),
                min(box[1], other[1]),
                max(box[2], other[2]),
                max(box[3], other[3]),
            )
            members, solid = members + group[1], solid + group[2]
        groups = [*rest, (box, members, solid)]
    return [b for b, n, solid in groups if n >= 6 and solid >= 3 and b[2] - b[0] > 40 and b[3] - b[1] > 30]
