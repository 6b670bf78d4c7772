"""Rendering a page to PNG, in a process of its own with limits: `python -m docassay.viewer.render`.

A file comes in on stdin and a picture, or sizes as JSON, goes out on stdout; the process opens no
file of its own accord and may write none. What a file is, its first bytes say: its name is not
asked, and anything but PNG, JPEG, TIFF and PDF is refused.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

REFUSED, TOO_LARGE, BROKEN, NO_PAGE, NOT_INSTALLED = 10, 11, 12, 13, 14
"""Exit codes: not a page, too many pixels, cannot be read, no such page, a package is missing."""
MOST_PIXELS = 50_000_000
LONGEST_SIDE = 2_200
"""Pixels of the picture that is shown."""
PDF_RESOLUTION = 150 / 72
"""Pixels a point."""
MEMORY = 2 << 30
SECONDS = 20
MOST_PAGES = 2_000
SIGNS = {
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"II*\x00": "TIFF",
    b"MM\x00*": "TIFF",
    b"%PDF-": "PDF",
}


class PageError(Exception):
    """A page that is not shown, by exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def kind_of(content: bytes) -> str:
    """Return what a file is by its first bytes."""
    for sign, kind in SIGNS.items():
        if content.startswith(sign):
            return kind
    raise PageError(REFUSED)


def limit() -> None:
    """Give the process little memory, little time and no files to write."""
    with suppress(ImportError):  # not on Windows: there a time limit from outside is all
        import resource

        for what, most in (
            (resource.RLIMIT_AS, MEMORY),
            (resource.RLIMIT_CPU, SECONDS),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with suppress(ValueError, OSError):
                resource.setrlimit(what, (most, most))


def sizes(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield the width and height of each page."""
    if kind_of(content) == "PDF":
        import pypdfium2

        document = pypdfium2.PdfDocument(content)
        for number in range(min(len(document), MOST_PAGES)):
            width, height = document.get_page_size(number)
            yield round(width * PDF_RESOLUTION), round(height * PDF_RESOLUTION)
        return
    from PIL import ExifTags, Image

    with Image.open(io.BytesIO(content), formats=[kind_of(content)]) as image:
        for number in range(min(getattr(image, "n_frames", 1), MOST_PAGES)):
            image.seek(number)
            turned = image.getexif().get(ExifTags.Base.Orientation, 1) >= 5
            width, height = image.size
            yield (height, width) if turned else (width, height)


def picture(content: bytes, page: int) -> bytes:
    """Return a page, counted from 1, as PNG."""
    from PIL import Image

    every = [*sizes(content)]
    if not 1 <= page <= len(every):
        raise PageError(NO_PAGE)
    width, height = every[page - 1]
    if width * height > MOST_PIXELS or width < 1 or height < 1:
        raise PageError(TOO_LARGE)
    shrink = min(1.0, LONGEST_SIDE / max(width, height))
    if kind_of(content) == "PDF":
        import pypdfium2

        document = pypdfium2.PdfDocument(content)
        shown = document[page - 1].render(scale=PDF_RESOLUTION * shrink).to_pil()
    else:
        shown = _decoded(content, page)
        size = max(1, round(width * shrink)), max(1, round(height * shrink))
        shown = shown.resize(size, Image.Resampling.LANCZOS) if shrink < 1 else shown
    out = io.BytesIO()
    shown.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _decoded(content: bytes, page: int) -> Image.Image:
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(content), formats=[kind_of(content)]) as image:
        image.seek(page - 1)
        upright = ImageOps.exif_transpose(image)
        return upright.convert("RGB")


def main(arguments: list[str]) -> int:
    """Render the page of a number, or tell the sizes of all pages; return the exit code."""
    content = sys.stdin.buffer.read()
    try:
        kind_of(content)
        import PIL.Image  # before the limits: libraries are files too

        if content.startswith(b"%PDF-"):
            import pypdfium2  # noqa: F401
        PIL.Image.MAX_IMAGE_PIXELS = MOST_PIXELS
        limit()
        if arguments[0] == "sizes":
            out = json.dumps([*sizes(content)]).encode()
        else:
            out = picture(content, int(arguments[0]))
    except PageError as error:
        return error.code
    except ImportError:
        return NOT_INSTALLED
    except Exception as error:  # whatever a decoder stumbles over
        return TOO_LARGE if type(error).__name__.startswith("DecompressionBomb") else BROKEN
    sys.stdout.buffer.write(out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
