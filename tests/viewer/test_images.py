"""Pages of documents: found in their folder only, and rendered with limits."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from docassay.errors import ConfigurationError
from docassay.viewer.images import Images, PageRefused
from docassay.viewer.render import (
    BROKEN,
    MOST_PIXELS,
    NO_PAGE,
    REFUSED,
    TOO_LARGE,
    PageError,
    picture,
    sizes,
)

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HTML = b"<!doctype html><script>alert(1)</script>"


def image(kind: str = "PNG", size: tuple[int, int] = (40, 20), pages: int = 1) -> bytes:
    out = io.BytesIO()
    first, *more = [Image.new("RGB", size, (number * 40, 0, 0)) for number in range(pages)]
    if more:
        first.save(out, kind, save_all=True, append_images=more)
    else:
        first.save(out, kind)
    return out.getvalue()


def pdf(pages: int = 1, size: tuple[float, float] = (72, 144)) -> bytes:
    document = pypdfium2.PdfDocument.new()
    for _ in range(pages):
        document.new_page(*size)
    out = io.BytesIO()
    document.save(out)
    document.close()
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (image("PNG"), [(40, 20)]),
        (image("JPEG"), [(40, 20)]),
        (image("TIFF", pages=3), [(40, 20)] * 3),
        (pdf(2), [(150, 300)] * 2),
    ],
    ids=["png", "jpeg", "tiff of three pages", "pdf of two pages"],
)
def test_each_page_has_a_size_and_a_picture(
    content: bytes, expected: list[tuple[int, int]]
) -> None:
    assert [*sizes(content)] == expected
    for page, size in enumerate(expected, start=1):
        with Image.open(io.BytesIO(picture(content, page))) as shown:
            assert shown.format == "PNG"
            assert shown.size == pytest.approx(size, abs=1)


def test_a_photograph_stands_upright() -> None:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    Image.new("RGB", (40, 20)).save(out, "JPEG", exif=exif)
    assert [*sizes(out.getvalue())] == [(20, 40)]
    with Image.open(io.BytesIO(picture(out.getvalue(), 1))) as shown:
        assert shown.size == (20, 40)


@pytest.mark.parametrize(
    ("content", "page", "code"),
    [
        pytest.param(SVG, 1, REFUSED, id="svg"),
        pytest.param(HTML, 1, REFUSED, id="html"),
        pytest.param(b"GIF89a" + bytes(20), 1, REFUSED, id="gif"),
        pytest.param(b"", 1, REFUSED, id="nothing"),
        pytest.param(image(), 2, NO_PAGE, id="no second page"),
        pytest.param(image(), 0, NO_PAGE, id="no page nought"),
        pytest.param(pdf(size=(4_000, 4_000)), 1, TOO_LARGE, id="a poster"),
    ],
)
def test_what_is_no_page_is_refused(content: bytes, page: int, code: int) -> None:
    with pytest.raises(PageError) as error:
        picture(content, page)
    assert error.value.code == code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "images"
    (home / "many").mkdir(parents=True)
    (home / "one.png").write_bytes(image())
    (home / "two.PDF").write_bytes(pdf(2))
    (home / "photo.jpg").write_bytes(image("JPEG"))
    for number in (10, 9, 1):
        (home / "many" / f"{number}.png").write_bytes(image(size=(number, 5)))
    (home / "many" / "notes.png").write_bytes(image())
    (home / "drawing.png").write_bytes(SVG)
    (home / "broken.png").write_bytes(image()[:30])
    (home / "text.svg").write_bytes(SVG)
    (tmp_path / "secret.png").write_bytes(image())
    (home / "link.png").symlink_to(tmp_path / "secret.png")
    (home / "outside").symlink_to(tmp_path)
    (home / "inside.png").symlink_to(home / "one.png")
    return home


@pytest.mark.parametrize(
    ("id", "widths"),
    [
        ("one", [40]),
        ("two", [150, 150]),
        ("photo.jpg", [40]),
        ("many", [1, 9, 10]),
        ("inside", [40]),
    ],
)
def test_pages_are_found_by_id(folder: Path, id: str, widths: list[int]) -> None:
    images = Images(folder)
    pages = images.pages(id)
    assert [page.width for page in pages] == widths
    assert [page.page for page in pages] == [*range(1, len(widths) + 1)]
    with Image.open(io.BytesIO(images.picture(id, len(widths)))) as shown:
        assert shown.size[0] == pytest.approx(widths[-1], abs=1)


@pytest.mark.parametrize(
    "id",
    [
        *("nobody", "", ".", "..", "../secret", "many/../../secret", "link", "outside/secret"),
        *("text", "/etc/passwd", "one\0", "many/notes/..", "\\..\\secret"),
    ],
)
def test_what_lies_outside_or_leads_there_has_no_pages(folder: Path, id: str) -> None:
    images = Images(folder)
    assert images.pages(id) == []
    with pytest.raises(PageRefused, match="no such page"):
        images.picture(id, 1)


@pytest.mark.parametrize(("id", "code"), [("drawing", REFUSED), ("broken", BROKEN)])
def test_a_file_that_is_not_what_its_name_says_is_refused(folder: Path, id: str, code: int) -> None:
    with pytest.raises(PageRefused) as error:
        Images(folder).picture(id, 1)
    assert error.value.code == code


def test_a_bomb_is_refused(folder: Path) -> None:
    side = int(MOST_PIXELS**0.5) + 10
    out = io.BytesIO()
    Image.new("1", (side, side)).save(out, "PNG")
    (folder / "bomb.png").write_bytes(out.getvalue())
    assert len(out.getvalue()) < 1_000_000
    with pytest.raises(PageRefused) as error:
        Images(folder).picture("bomb", 1)
    assert error.value.code == TOO_LARGE


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no folder"):
        Images(tmp_path / "nothing")
