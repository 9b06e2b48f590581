from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from claimdex.errors import DamagedPdf, NotAPdf, NotFound
from claimdex.extract.pdf.render import MAX_PIXELS, encode_png, render_pages
from claimdex.settings import Limits

SAMPLE = Path(__file__).parents[2] / "data/papers/pellicle-shell.pdf"


def one_page(folder: Path, page: str, content: str = "0 0 1 rg 10 10 50 50 re f", *more: str) -> Path:
    """A PDF of one page with these page entries, this content stream and further objects from 5 on."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /Contents 4 0 R {page} >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        *more,
    ]
    body, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    trailer = f"trailer << /Root 1 0 R /Size {len(objects) + 1} >>\nstartxref\n{len(body)}\n%%EOF\n"
    path = folder / "page.pdf"
    path.write_text(
        f"{body}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}", encoding="latin-1"
    )
    return path


def decoded(png: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Pixels of a PNG as this project writes it, its checksums verified."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(png):
        length = struct.unpack(">I", png[at : at + 4])[0]
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + data)
        chunks[kind], at = data, at + 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert depth == 8
    channels = 3 if colour == 2 else 1
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + width * channels)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, channels)


def test_every_page_of_a_sample_is_drawn_at_the_width_asked_for() -> None:
    images = render_pages(SAMPLE, Limits(), width_px=300)
    assert [image.number for image in images] == [1, 2, 3]
    for image in images:
        pixels = decoded(image.png)
        assert abs(pixels.shape[1] - 300) <= 1
        assert pixels.shape[0] / pixels.shape[1] == pytest.approx(image.size[1] / image.size[0], abs=0.01)
        assert pixels.min() < 100
        assert np.median(pixels) == 255


def test_no_more_pages_are_drawn_than_asked_for_or_allowed() -> None:
    assert len(render_pages(SAMPLE, Limits(), width_px=100, max_pages=2)) == 2
    assert len(render_pages(SAMPLE, Limits(pages=1), width_px=100)) == 1


def test_drawing_twice_gives_the_same_bytes() -> None:
    assert render_pages(SAMPLE, Limits(), 200, 1) == render_pages(SAMPLE, Limits(), 200, 1)


def test_a_turned_page_is_shown_as_the_reader_sees_it(tmp_path: Path) -> None:
    pdf = one_page(tmp_path, "/MediaBox [0 0 200 100] /Rotate 90")
    (image,) = render_pages(pdf, Limits(), width_px=100)
    assert (image.rotation, image.box, image.size) == (90, (0, 0, 200, 100), (100, 200))
    blue = (decoded(image.png) == [0, 0, 255]).all(axis=2)
    rows, columns = np.nonzero(blue)
    assert (rows.min(), columns.min()) == (10, 10)


def test_only_the_visible_part_of_a_cropped_page_is_drawn(tmp_path: Path) -> None:
    pdf = one_page(tmp_path, "/MediaBox [0 0 200 100] /CropBox [50 20 150 100]")
    (image,) = render_pages(pdf, Limits(), width_px=100)
    assert (image.box, image.size) == ((50, 20, 150, 100), (100, 80))


@pytest.mark.parametrize("box", ["0 0 1000000 1000000", "0 0 100 1000000000", "0 0 0.5 100"])
def test_a_page_of_an_insane_size_is_not_drawn_and_says_so(tmp_path: Path, box: str) -> None:
    (image,) = render_pages(one_page(tmp_path, f"/MediaBox [{box}]"), Limits())
    assert image.png == b""
    assert image.note.startswith("not drawn: the page measures")


@pytest.mark.parametrize("box", ["0 0 0 0", "nan nan nan nan"])
def test_a_page_without_a_usable_size_is_drawn_as_a_letter(tmp_path: Path, box: str) -> None:
    (image,) = render_pages(one_page(tmp_path, f"/MediaBox [{box}]"), Limits(), width_px=100)
    assert image.size == (612, 792)
    assert image.png


def test_a_long_thin_page_is_drawn_smaller_rather_than_large(tmp_path: Path) -> None:
    (image,) = render_pages(one_page(tmp_path, "/MediaBox [0 0 10 19000]"), Limits(), width_px=900)
    height, width, _ = decoded(image.png).shape
    assert height * width <= 1.1 * MAX_PIXELS


def test_a_page_that_holds_a_giant_image_is_not_drawn(tmp_path: Path) -> None:
    size = "/Width 30000 /Height 30000 /BitsPerComponent 1"
    image = f"<< /Subtype /Image {size} /ColorSpace /DeviceGray /Length 0 >>"
    page = "/MediaBox [0 0 200 100] /Resources << /XObject << /I 5 0 R >> >>"
    pdf = one_page(tmp_path, page, "q 100 0 0 100 0 0 cm /I Do Q", f"{image}\nstream\n\nendstream")
    (drawn,) = render_pages(pdf, Limits())
    assert (drawn.png, drawn.note) == (b"", "not drawn: it holds an image of 900,000,000 pixels")


def test_files_that_are_no_readable_pdf_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        render_pages(tmp_path / "absent.pdf", Limits())
    page = tmp_path / "page.pdf"
    page.write_text("<html></html>", encoding="utf-8")
    with pytest.raises(NotAPdf):
        render_pages(page, Limits())
    page.write_text("%PDF-1.4\n1 0 obj", encoding="utf-8")
    with pytest.raises(DamagedPdf):
        render_pages(page, Limits())


def test_a_png_keeps_sixteen_shades_and_white_and_black_as_they_are() -> None:
    ramp = np.arange(256, dtype=np.uint8).reshape(16, 16, 1).repeat(3, axis=2)
    grey = decoded(encode_png(ramp))
    assert grey.shape == (16, 16, 1)
    assert (grey[0, 0, 0], grey[-1, -1, 0], len(np.unique(grey))) == (0, 255, 16)
    ramp[0, 0] = (255, 0, 0)
    colour = decoded(encode_png(ramp))
    assert colour.shape == (16, 16, 3)
    assert colour[0, 0].tolist() == [255, 0, 0]
