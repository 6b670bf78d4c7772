"""Documents to extract from: files of a folder, their ids, and their pages as images.

A document is an image, a PDF, a text, or with `--id folder` a folder of pages. A JSON lines file
lists documents with ids of their own: `{"id": …, "path": …}` or `{"id": …, "pages": [...]}`, paths
relative to that file. What a hostile or broken file does to a decoder becomes an error of its
document: none is decoded that would fill the memory, and nothing in it is executed.
"""

from __future__ import annotations

import io
import re
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docassay.errors import ConfigurationError, DataError, DocassayError, UnknownName
from docassay.load.files import existing, files, numbered_lines, read_bytes, stem
from docassay.load.wire import decode, to_text

if TYPE_CHECKING:
    from PIL.Image import Image

IMAGES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp")
PDF = ".pdf"
TEXTS = (".txt", ".md")
SUFFIXES = (*IMAGES, PDF, *TEXTS)
LISTS = (".jsonl", ".ndjson")
IDS = ("stem", "path", "folder")
"""What names a document: the file's stem, its path below the folder, or the folder of its pages."""
DECODERS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP")
"""What is tried on a file, whatever its suffix says; JPEG opens those of several pictures, MPO."""
MEDIA = {"PNG": "image/png", "JPEG": "image/jpeg", "MPO": "image/jpeg"}
"""Formats that are passed on as they are."""
MOST_PIXELS = 80_000_000
"""Pixels of an image that is decoded: a page of 28 by 32 inches at 300 dpi."""
SMALLER = "scale it down"
MOST_PAGES = 500
DOTS_PER_INCH = 200
LONGEST_SIDE = 5000
"""Pixels of the longer side of a page of a PDF, however large the page is."""
ORIENTATION = 0x0112
"""The tag by which a photograph says that it is to be turned."""
_LOCK = threading.Lock()
"""PDFium and Python's filter of warnings serve one thread at a time."""


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A document to extract from: its id, its file or folder, and the files of its pages."""

    id: str
    path: Path
    pages: tuple[Path, ...] = ()
    """The files of a document of several; () where `path` is the only one."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that hold the document."""
        return self.pages or (self.path,)


class PageImage(NamedTuple):
    """A page as bytes that a model or text recognition takes."""

    number: int
    """From 1."""
    data: bytes
    media: str
    width: int
    height: int


def list_documents(
    root: str | Path, *, ids: str = "stem", limit: int | None = None
) -> tuple[DocumentFile, ...]:
    """Return the documents of a file, a folder or a list, sorted by id; equal ids are an error."""
    if ids not in IDS:
        raise UnknownName("way to name documents", ids, IDS, where="--id")
    path = existing(Path(root))
    if path.is_dir():
        documents = _folders(path) if ids == "folder" else _files(path, ids)
    elif path.suffix.lower() in LISTS:
        documents = [*_listed(path)]
    elif path.suffix.lower() in SUFFIXES:
        documents = [DocumentFile(stem(path.name), path)]
    else:
        raise DataError("is no document", where=str(path), hint=f"there is: {' '.join(SUFFIXES)}")
    if not documents:
        raise DataError("holds no document", where=str(path), hint=f"put in {' '.join(SUFFIXES)}")
    _refuse_equal_ids(documents)
    documents.sort(key=lambda document: _natural(document.id))
    return tuple(documents[:limit])


def _files(folder: Path, ids: str) -> list[DocumentFile]:
    paths = files(folder, SUFFIXES)
    if ids == "path":
        return [DocumentFile(path.relative_to(folder).as_posix(), path) for path in paths]
    return [DocumentFile(stem(path.name), path) for path in paths]


def _folders(root: Path) -> list[DocumentFile]:
    """Return a document a folder; a file that stands in the root itself is one of its own."""
    pages: dict[Path, list[Path]] = {}
    for path in files(root, SUFFIXES):
        pages.setdefault(path.parent, []).append(path)
    own = [DocumentFile(stem(path.name), path) for path in pages.pop(root, [])]
    return own + [
        DocumentFile(
            folder.relative_to(root).as_posix(),
            folder,
            tuple(sorted(paths, key=lambda path: _natural(path.name))),
        )
        for folder, paths in pages.items()
    ]


def _listed(path: Path) -> Iterator[DocumentFile]:
    for number, line in numbered_lines(path):
        where = f"{path}:{number}"
        tree = decode(line, where).tree
        names = [tree.get("path")] if isinstance(tree, Mapping) else []
        if isinstance(tree, Mapping) and isinstance(tree.get("pages"), list):
            names = tree["pages"]
        texts = [str(name) for name in names if isinstance(name, str)]
        if not texts or len(texts) != len(names):
            raise DataError(
                "lists no document", where=where, hint='a line is {"id": "…", "path": "…"}'
            )
        pages = tuple(path.parent / text for text in texts)
        own = tree.get("id") if isinstance(tree, Mapping) else None
        id = stem(texts[0]) if own is None else str(own)
        yield DocumentFile(id, pages[0], pages if len(pages) > 1 else ())


def _refuse_equal_ids(documents: Iterable[DocumentFile]) -> None:
    paths: dict[str, Path] = {}
    for document in documents:
        other = paths.setdefault(document.id, document.path)
        if other is not document.path:
            raise DataError(
                f"two documents have the id {document.id!r}: {other} and {document.path}",
                hint="name documents by their paths with --id path, pages of one document by its "
                "folder with --id folder",
            )


def _natural(name: str) -> tuple[object, ...]:
    """Return what names are sorted by: 2 before 10."""
    parts = re.split(r"(\d+)", name)
    return tuple((int(part), part) if part.isdecimal() else (-1, part) for part in parts)


def document_text(document: DocumentFile) -> str | None:
    """Return the text of a document that is a text, None for one that is images."""
    if not all(path.suffix.lower() in TEXTS for path in document.files):
        return None
    return "\f".join(to_text(read_bytes(path)).text for path in document.files)


def page_images(document: DocumentFile, *, max_side: int | None = None) -> tuple[PageImage, ...]:
    """Return the pages of a document; () for a text.

    A PNG or JPEG that is small enough and stands upright is passed on byte by byte.
    """
    pages: list[PageImage] = []
    for path in document.files:
        if path.suffix.lower() in TEXTS:
            continue
        data = read_bytes(path)
        with _as_data_error(path):
            reader = _pdf_pages if _is_pdf(data) else _image_pages
            pages += reader(data, max_side, len(pages) + 1)
    return tuple(pages)


def require_pillow() -> None:
    """Raise a ConfigurationError where images cannot be read."""
    _require(lambda: __import__("PIL.Image"), "images need Pillow")


def _require(load: Callable[[], object], what: str) -> None:
    try:
        load()
    except ImportError:
        raise ConfigurationError(what, hint="pip install 'docassay[images]'") from None


@contextmanager
def _as_data_error(path: Path) -> Iterator[None]:
    """Turn whatever a decoder raises into an error of the document."""
    try:
        yield
    except DocassayError as error:
        error.where = str(path) if error.where is None else error.where
        raise
    except Exception as error:
        # decoders promise nothing about what they raise on broken or hostile bytes
        what = str(error).strip().rstrip(".").split("\n")[0] or type(error).__name__
        raise DataError(
            f"cannot be read as pages: {what}", where=str(path), hint="is the file whole?"
        ) from None


def _is_pdf(data: bytes) -> bool:
    return b"%PDF-" in data[:1024]


def _image_pages(data: bytes, max_side: int | None, first: int) -> list[PageImage]:
    image = _opened(data)
    if image.format in MEDIA and _upright(image) and not _too_large(image, max_side):
        image.load()  # a file that breaks off is found here, not by a model
        return [PageImage(first, data, MEDIA[image.format], image.width, image.height)]
    frames = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
    _refuse_many(frames)
    pages = []
    for frame in range(frames):
        image.seek(frame)
        _refuse_large(image)
        pages.append(_encoded(image, max_side, first + frame))
    return pages


def _opened(data: bytes) -> Image:
    """Return an image of which only the head was read."""
    require_pillow()
    import PIL.Image

    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore", PIL.Image.DecompressionBombWarning)
        try:
            image = PIL.Image.open(io.BytesIO(data), formats=DECODERS)
        except PIL.UnidentifiedImageError:
            raise DataError("is no image that can be read", hint="is the file whole?") from None
        except PIL.Image.DecompressionBombError:
            raise DataError(f"has more than {MOST_PIXELS:,} pixels", hint=SMALLER) from None
    _refuse_large(image)
    return image


def _refuse_large(image: Image) -> None:
    if image.width * image.height > MOST_PIXELS:
        raise DataError(
            f"has {image.width:,} x {image.height:,} pixels, more than {MOST_PIXELS:,} in all",
            hint=SMALLER,
        )


def _refuse_many(pages: int) -> None:
    if pages > MOST_PAGES:
        raise DataError(f"has {pages:,} pages, more than {MOST_PAGES}", hint="split it")
    if pages == 0:
        raise DataError("has no page")


def _upright(image: Image) -> bool:
    return bool(image.getexif().get(ORIENTATION, 1) == 1)


def _too_large(image: Image, max_side: int | None) -> bool:
    return max_side is not None and max(image.size) > max_side


def _encoded(image: Image, max_side: int | None, number: int) -> PageImage:
    """Return an image as a page: upright, on white, small enough, as PNG."""
    from PIL import Image, ImageOps

    page = ImageOps.exif_transpose(image)
    if page.mode not in {"1", "L", "RGB"}:
        if page.mode.startswith(("I", "F")):  # 16 bits and more: the full range becomes 8
            page = _eight_bits(page)
        elif page.mode in {"P", "PA", "LA", "RGBA", "La", "RGBa"}:
            above = page.convert("RGBA")
            page = Image.alpha_composite(Image.new("RGBA", above.size, "white"), above)
        page = page.convert("RGB")
    if _too_large(page, max_side):
        assert max_side is not None
        page = page.convert("L") if page.mode == "1" else page
        page.thumbnail((max_side, max_side), Image.Resampling.LANCZOS)
    stream = io.BytesIO()
    page.save(stream, "PNG")
    return PageImage(number, stream.getvalue(), "image/png", page.width, page.height)


def _eight_bits(page: Image) -> Image:
    import numpy as np
    from PIL import Image

    values = np.asarray(page, dtype=np.float64)
    top = 65535.0 if page.mode.startswith("I;16") or values.max(initial=0) > 255 else 255.0
    return Image.fromarray((values / top * 255).clip(0, 255).astype(np.uint8))


def _pdf_pages(data: bytes, max_side: int | None, first: int) -> list[PageImage]:
    _require(lambda: __import__("pypdfium2"), "a PDF needs pypdfium2")
    require_pillow()
    import pypdfium2

    with _LOCK:
        try:
            pdf = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            locked = "password" in str(error).lower()
            what = "is locked with a password" if locked else "is no PDF that can be read"
            raise DataError(what, hint="unlock it" if locked else "is the file whole?") from None
        try:
            _refuse_many(len(pdf))
            pdf.init_forms()
            return [_pdf_page(pdf[at], max_side, first + at) for at in range(len(pdf))]
        finally:
            pdf.close()


def _pdf_page(page: object, max_side: int | None, number: int) -> PageImage:
    from pypdfium2 import PdfPage

    assert isinstance(page, PdfPage)
    longest = max(*page.get_size(), 1.0)
    most = LONGEST_SIDE if max_side is None else min(max_side, LONGEST_SIDE)
    image = page.render(scale=min(DOTS_PER_INCH / 72, most / longest)).to_pil()
    page.close()
    return _encoded(image, max_side, number)
