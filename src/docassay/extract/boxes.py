"""Places for values: where on the page the values of a record stand, by the words recognised there.

A value is looked for as a run of whole words, whatever their case and signs. Where it stands more
than once, values of one row are placed near each other, and no place serves two values while
another is free. A value that was rewritten (a date in another form) keeps no place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from docassay.extract.ocr import OcrPlaces, OcrText
from docassay.model.document import LEAF_KEYS
from docassay.values.read.characters import fold

Span = tuple[int, int]
"""The first word of a value and the one after its last."""


class WordPlaces:
    """Where values stand among the words of a text, and which places are taken."""

    def __init__(self, text: OcrText) -> None:
        self._words = text.words
        self._places = OcrPlaces(text)
        self._starts: list[int] = []
        parts = []
        length = 0
        for word in text.words:
            self._starts.append(length)
            parts.append(_bare(word.text))
            length += len(parts[-1])
        self._letters = "".join(parts)
        self._ends = [*self._starts[1:], length]
        self._taken: set[Span] = set()
        self._known: dict[str, list[Span]] = {}

    def spans(self, value: str) -> list[Span]:
        """Return where a value stands: the places that are free, or all where none is."""
        wanted = _bare(value)
        if wanted not in self._known:
            self._known[wanted] = [*self._all_spans(wanted)]
        spans = self._known[wanted]
        return [span for span in spans if span not in self._taken] or spans

    def _all_spans(self, wanted: str) -> Iterator[Span]:
        at = self._letters.find(wanted) if wanted else -1
        while at >= 0:
            first = bisect_left(self._starts, at)
            last = bisect_left(self._ends, at + len(wanted))
            whole = first < len(self._starts) and self._starts[first] == at
            if whole and self._ends[last] == at + len(wanted):
                yield first, last + 1
            at = self._letters.find(wanted, at + 1)

    def take(self, span: Span) -> dict[str, object]:
        """Return the page and the box of a place, which is taken from now on."""
        self._taken.add(span)
        first, last = self._words[span[0]], self._words[span[1] - 1]
        return self._places.place([(first.start, last.end)])


def with_boxes(record: Mapping[str, object], text: OcrText) -> dict[str, object]:
    """Return a record whose values have the pages and boxes where they stand in a text."""
    return _object(record, WordPlaces(text))


def _object(row: Mapping[str, object], places: WordPlaces) -> dict[str, object]:
    leaves = {key: value for key, value in row.items() if _leaf_text(value) is not None}
    placed = dict(_near_each_other(leaves, places))
    return {key: placed[key] if key in placed else _inside(row[key], places) for key in row}


def _inside(value: object, places: WordPlaces) -> object:
    if isinstance(value, Mapping) and not _is_leaf(value):
        return _object(value, places)
    if isinstance(value, list):
        return [_inside(item, places) for item in value]
    text = _leaf_text(value)
    spans = [] if text is None else places.spans(text)
    return _with_place(value, places.take(spans[0])) if spans else value


def _near_each_other(
    leaves: Mapping[str, object], places: WordPlaces
) -> Iterator[tuple[str, object]]:
    """Yield the values of a row with their places, from the rarest value on."""
    spans = {key: places.spans(_leaf_text(value) or "") for key, value in leaves.items()}
    anchor: int | None = None
    for key in sorted(leaves, key=lambda key: len(spans[key]) or len(leaves) ** 9):
        choices = places.spans(_leaf_text(leaves[key]) or "")
        if not choices:
            yield key, leaves[key]
            continue
        middle = choices[0][0] if anchor is None else anchor
        span = min(choices, key=lambda span: (abs(span[0] - middle), span))
        anchor = span[0] if anchor is None else anchor
        yield key, _with_place(leaves[key], places.take(span))


def _is_leaf(value: Mapping[str, object]) -> bool:
    return "value" in value and LEAF_KEYS.issuperset(value)


def _leaf_text(value: object) -> str | None:
    """Return the text of a leaf that has no place yet, None for anything else."""
    if isinstance(value, Mapping):
        return _leaf_text(value["value"]) if _is_leaf(value) and "box" not in value else None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value)


def _with_place(value: object, place: Mapping[str, object]) -> dict[str, object]:
    leaf = dict(value) if isinstance(value, Mapping) else {"value": value}
    return {**leaf, **place}


def _bare(text: str) -> str:
    """Return the letters and digits of a text."""
    return "".join(filter(str.isalnum, fold(text)))
