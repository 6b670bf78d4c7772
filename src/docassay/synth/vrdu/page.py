"""Pages: lines of words laid out as an OCR engine finds them, with the place of every value.

A value that ends a line takes the end of the line with it, as in the released data, so that the
text of every annotation is exactly what its segments cut out of the text of the document.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

LINES = 48
"""Lines that fit on a page."""
_HEIGHT, _WIDTH, _MARGIN = 0.012, 0.0065, 0.06
_COLUMN = 0.18
"""Columns stand this far apart."""


class FieldMark(NamedTuple):
    """Which value a piece belongs to: its name, its row in a table, and which occurrence it is."""

    name: str
    row: int | None = None
    time: int = 0


class Piece(NamedTuple):
    """Words beside each other; a value may go on in the next line under the same mark."""

    text: str
    mark: FieldMark | None = None


class Mention(NamedTuple):
    """A value where it stands: text, box with page, and segments of the document's text."""

    text: str
    box: tuple[int, float, float, float, float]
    segments: tuple[tuple[int, int], ...]


class Paper(NamedTuple):
    """A document as OCR finds it, and its values by their marks, in reading order."""

    ocr: dict[str, object]
    mentions: dict[FieldMark, Mention]


Line = tuple[tuple[Piece, ...], ...]
"""The columns of a line."""


def lay_out(lines: Iterable[Line]) -> Paper:
    """Return lines as pages of tokens with boxes, and where the marked values stand."""
    texts: list[str] = []
    pages: list[list[dict[str, object]]] = []
    mentions: dict[FieldMark, Mention] = {}
    start = 0
    for number, line in enumerate(lines):
        page, row = divmod(number, LINES)
        if row == 0:
            pages.append([])
        y = round(0.05 + 0.019 * row, 5)
        pieces = [(_MARGIN + _COLUMN * i, bit) for i, column in enumerate(line) for bit in column]
        x = 0.0
        for place, (left, piece) in enumerate(pieces):
            x = max(left, x)
            first, x_first = start, x
            for word in piece.text.split():
                right = round(x + _WIDTH * len(word), 5)
                box = (page, round(x, 5), y, right, round(y + _HEIGHT, 5))
                segment = (start, start + len(word))
                pages[page].append({"text": word, "bbox": box, "segments": [segment]})
                start += len(word) + 1
                x = right + _WIDTH
            ends = place == len(pieces) - 1
            whole = f"{' '.join(piece.text.split())}{chr(10) if ends else ' '}"
            texts.append(whole)
            if piece.mark is not None:
                end = start if ends else start - 1
                text = whole if ends else whole[:-1]
                spot = (page, round(x_first, 5), y, round(x - _WIDTH, 5), round(y + _HEIGHT, 5))
                mention = Mention(text, spot, ((first, end),))
                head = mentions.get(piece.mark)
                mentions[piece.mark] = mention if head is None else _joined(head, mention)
    found_pages = [
        {"page_id": number, "dimension": {"width": 1700, "height": 2200}, "tokens": tokens}
        for number, tokens in enumerate(pages)
    ]
    return Paper({"text": "".join(texts), "pages": found_pages}, mentions)


def _joined(one: Mention, other: Mention) -> Mention:
    page, left, top, right, _ = one.box
    box = (page, min(left, other.box[1]), top, max(right, other.box[3]), other.box[4])
    return Mention(one.text + other.text, box, one.segments + other.segments)
