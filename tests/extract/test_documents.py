"""Documents to extract from: ids, pages, and files that break decoders."""

from __future__ import annotations

import io
import json
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from docassay.errors import DataError, FileError, UnknownName
from docassay.extract.documents import (
    LONGEST_SIDE,
    MOST_PAGES,
    DocumentFile,
    document_text,
    list_documents,
    page_images,
)


def png(path: Path, size: tuple[int, int] = (40, 30), mode: str = "RGB") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new(mode, size).save(path)
    return path


def pdf(pages: int = 1, size: tuple[float, float] = (200, 100)) -> bytes:
    import pypdfium2

    document = pypdfium2.PdfDocument.new()
    for _ in range(pages):
        document.new_page(*size).close()
    stream = io.BytesIO()
    document.save(stream)
    document.close()
    return stream.getvalue()


def png_of(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says that it is huge."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body


def only(path: Path) -> DocumentFile:
    (document,) = list_documents(path)
    return document


def test_a_folder_is_read_in_natural_order_and_named_by_stems(tmp_path: Path) -> None:
    for name in ("r10.png", "r2.JPG", "deep/r1.tif", ".hidden.png", "notes.docx"):
        png(tmp_path / name) if not name.endswith("docx") else (tmp_path / name).touch()
    assert [document.id for document in list_documents(tmp_path)] == ["r1", "r2", "r10"]
    assert [document.id for document in list_documents(tmp_path, limit=1)] == ["r1"]


def test_equal_stems_are_refused_before_anything_is_read(tmp_path: Path) -> None:
    for name in ("a/1.png", "b/1.png"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_bytes(b"no image at all")
    with pytest.raises(DataError, match=r"two documents have the id '1'.*--id path"):
        list_documents(tmp_path, limit=1)
    assert [document.id for document in list_documents(tmp_path, ids="path")] == [
        "a/1.png",
        "b/1.png",
    ]


def test_a_folder_may_be_a_document_of_pages(tmp_path: Path) -> None:
    for name in ("x/1.png", "x/10.png", "x/2.png", "y/1.png", "z.png"):
        png(tmp_path / name, (len(name), 9))
    documents = {document.id: document for document in list_documents(tmp_path, ids="folder")}
    assert [*documents] == ["x", "y", "z"]
    assert [path.name for path in documents["x"].files] == ["1.png", "2.png", "10.png"]
    assert documents["x"].path == tmp_path / "x"
    assert [page.number for page in page_images(documents["x"])] == [1, 2, 3]
    assert [page.width for page in page_images(documents["x"])] == [7, 7, 8]


def test_a_list_gives_documents_ids_of_their_own(tmp_path: Path) -> None:
    png(tmp_path / "images" / "p1.png")
    png(tmp_path / "images" / "p2.png", (50, 30))
    lines = [
        {"id": "b", "pages": ["images/p1.png", "images/p2.png"]},
        {"path": "images/p1.png"},
    ]
    listed = tmp_path / "documents.jsonl"
    listed.write_text("\n".join(json.dumps(line) for line in lines))
    document, single = list_documents(listed)
    assert (document.id, single.id) == ("b", "p1")
    assert [page.width for page in page_images(document)] == [40, 50]
    listed.write_text('{"id": "b"}\n')
    with pytest.raises(DataError, match=r"documents.jsonl:1: lists no document"):
        list_documents(listed)


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("missing", FileError, "no such file"),
        ("empty", DataError, "holds no document"),
        ("table.xlsx", DataError, "is no document"),
    ],
)
def test_nothing_to_read_is_an_error(
    tmp_path: Path, name: str, error: type[Exception], words: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "table.xlsx").touch()
    with pytest.raises(error, match=words):
        list_documents(tmp_path / name)


def test_an_unknown_way_to_name_documents_lists_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="there is: folder, path, stem"):
        list_documents(tmp_path, ids="name")


@pytest.mark.parametrize(("suffix", "media"), [("png", "image/png"), ("jpg", "image/jpeg")])
def test_an_image_that_fits_is_passed_on_byte_by_byte(
    tmp_path: Path, suffix: str, media: str
) -> None:
    path = png(tmp_path / f"a.{suffix}")
    (page,) = page_images(only(path), max_side=40)
    assert page == (1, path.read_bytes(), media, 40, 30)


def test_an_image_that_is_too_large_is_scaled_down(tmp_path: Path) -> None:
    (page,) = page_images(only(png(tmp_path / "a.png")), max_side=20)
    assert (page.media, page.width, page.height) == ("image/png", 20, 15)
    assert Image.open(io.BytesIO(page.data)).size == (20, 15)


def test_a_photograph_is_turned_as_it_says(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (40, 30)).save(tmp_path / "a.jpg", exif=exif)
    (page,) = page_images(only(tmp_path / "a.jpg"))
    assert (page.media, page.width, page.height) == ("image/png", 30, 40)


def test_every_page_of_a_tiff_counts(tmp_path: Path) -> None:
    pages = [Image.new(mode, (30 + place, 20)) for place, mode in enumerate(("1", "L", "CMYK"))]
    pages[0].save(tmp_path / "a.tif", save_all=True, append_images=pages[1:])
    images = page_images(only(tmp_path / "a.tif"))
    assert [(page.number, page.width) for page in images] == [(1, 30), (2, 31), (3, 32)]
    assert {page.media for page in images} == {"image/png"}


def test_what_is_transparent_becomes_white_and_sixteen_bits_become_eight(tmp_path: Path) -> None:
    Image.new("RGBA", (50, 9), (0, 0, 0, 0)).save(tmp_path / "clear.webp", lossless=True)
    Image.new("I;16", (50, 9), 65535).save(tmp_path / "deep.tif")
    for document in list_documents(tmp_path):
        (page,) = page_images(document)
        assert Image.open(io.BytesIO(page.data)).convert("RGB").getpixel((5, 5)) == (255, 255, 255)


def test_pages_of_a_pdf_are_drawn_at_200_dots_per_inch(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(2, (144, 72)))
    assert [(page.width, page.height) for page in page_images(only(path))] == [(400, 200)] * 2
    (small, _) = page_images(only(path), max_side=100)
    assert (small.width, small.height) == (100, 50)


def test_a_huge_page_of_a_pdf_is_drawn_small(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(1, (14_400, 1_440)))
    (page,) = page_images(only(path))
    assert max(page.width, page.height) <= LONGEST_SIDE


HOSTILE = {
    "a bomb": ("a.png", png_of(60_000, 60_000), "more than 80,000,000"),
    "a bomb that Pillow only warns of": ("a.png", png_of(10_000, 9_500), "more than 80,000,000"),
    "no image": ("a.png", b"GIF89a?", "is no image that can be read"),
    "an empty file": ("a.jpg", b"", "is no image that can be read"),
    "a broken PDF": ("a.pdf", b"%PDF-1.7\nnothing else", "is no PDF that can be read"),
    "an image that breaks off": ("a.png", png_of(400, 300), "cannot be read as pages"),
}


@pytest.mark.parametrize(("name", "content", "words"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_an_error_of_its_document(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=words) as caught:
        page_images(only(tmp_path / name))
    assert caught.value.where == str(tmp_path / name)


def test_a_pdf_of_too_many_pages_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf(MOST_PAGES + 1, (10, 10)))
    with pytest.raises(DataError, match="has 501 pages"):
        page_images(only(tmp_path / "a.pdf"))


def test_a_text_has_no_pages_and_an_image_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Total 5.00")
    assert document_text(only(tmp_path / "a.txt")) == "Total 5.00"
    assert page_images(only(tmp_path / "a.txt")) == ()
    assert document_text(only(png(tmp_path / "b.png"))) is None


def test_without_pillow_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = png(tmp_path / "a.png")
    monkeypatch.setitem(__import__("sys").modules, "PIL.Image", None)
    with pytest.raises(Exception, match=r"images need Pillow.*docassay\[images\]"):
        page_images(only(path))
