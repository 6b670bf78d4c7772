"""The text of the documents themselves, beside what was extracted from them.

A folder holds a file a document, named by its id: `ID.txt`, `ID.tsv` (what tesseract writes) or
`ID.json` with words and their boxes; or a folder a document, with a file a page. A JSON lines file
holds `{"id": …, "text": …}` a line. The text may also stand beside a record, under `source` or
`text`. Boxes are fractions of the page, pages count from 1.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from docassay.errors import ConfigurationError, DataError, DocassayError, FileError
from docassay.load.files import existing, files, numbered_lines, read_bytes, stem
from docassay.load.likeness import (
    SAMPLE,
    compiled,
    option,
    part_of,
    side_by_side,
    suggested_pattern,
    without_role,
)
from docassay.load.pairing import Paired
from docassay.load.records import ID_KEYS
from docassay.load.wire import decode, to_text
from docassay.model.document import MAX_DEPTH, Number
from docassay.model.original import PAGE_END, Box, OriginalText, OriginalWord
from docassay.model.schema import EMPTY

INLINE = ("source", "text")
"""What a text is called that stands beside a record."""
SUFFIXES = (".json", ".jsonl", ".tsv", ".txt", ".md")
"""Of several files of one document the first in this order is read: words before bare text."""
TEXTS = ("text", "content", "value", "word", "Text")
BOXES = ("box", "bbox", "polygon", "geometry", "bounding_box", "boundingBox", "Geometry")
PAGES = ("page", "page_number", "pageNumber", "page_num", "Page")
INSIDE = ("words", "tokens", "pages", "blocks", "lines", "Blocks", "form", "analyzeResult")
"""Where words stand in what text recognition writes, the finest first."""


@dataclass(frozen=True, slots=True)
class OriginalPlace:
    """Where the text of one document is: files, or the text as it stands beside a record."""

    paths: tuple[str, ...] = ()
    inline: object = None
    flaw: str = ""

    def __call__(self) -> OriginalText:
        """Read the text; what cannot be read is named."""
        if self.flaw:
            return OriginalText("", flaw=self.flaw)
        try:
            if self.paths:
                pages = [_pages_of(Path(path)) for path in self.paths]
            else:
                pages = [_parsed(self.inline)]
        except DocassayError as error:
            return OriginalText("", flaw=f"its text cannot be read: {error.what}")
        original = _joined(pages)
        return original if original.text.strip() else OriginalText("", flaw="its text is empty")


class FoundWord(NamedTuple):
    """A word as a file has it."""

    text: str
    page: int
    box: Box | None
    line: object = None
    """Words of equal lines stand on one; None: as their boxes say."""


FoundText = str | list[FoundWord]


class Originals:
    """Finds the text of each document."""

    def __init__(self, source: object, id_pattern: str | None = None) -> None:
        self._given = source is not None
        self._name = str(source) if isinstance(source, str | Path) else "source"
        self._pattern = None if id_pattern is None else compiled(id_pattern, "--id-pattern")
        self._parts: dict[str, str] | None = None
        """What the pattern finds in the name of a text -> that name."""
        self._found = False
        self._without: list[str] = []
        """Ids of documents without a text, the first ones."""
        self._texts: Mapping[str, object] = EMPTY
        self._files: dict[str, list[str]] = {}
        self._pages: dict[str, list[str]] = {}
        self._stems: dict[str, list[str]] = {}
        if isinstance(source, Mapping):
            self._texts = {str(id): text for id, text in source.items()}
        elif isinstance(source, str | Path):
            self._list(Path(source))
        elif source is not None:
            raise ConfigurationError(
                f"source is a {type(source).__name__}",
                hint="give a folder of texts, a JSON lines file, or a dict {id: text}",
            )

    def _list(self, path: Path) -> None:
        if not existing(path).is_dir():
            self._texts = dict(_lines_of(path))
            return
        for file in files(path, SUFFIXES):
            below = str(file.relative_to(path).with_suffix("").as_posix())
            self._files.setdefault(below, []).append(str(file))
        for name in self._files:
            folder = name.rpartition("/")[0]
            self._pages.setdefault(folder, []).append(name)
            for short in {stem(name), stem(folder)} - {""}:
                self._stems.setdefault(short, []).append(name)

    def __call__(self, pair: Paired) -> Paired:
        """Return a pair that knows where its document's text is."""
        place = self._place(pair)
        self._found = self._found or place is None or not place.flaw
        if not self._found and len(self._without) < SAMPLE:
            self._without.append(pair.id)
        return pair if place is None else pair._replace(original=place)

    def of_all(self, pairs: Iterable[Paired]) -> Iterator[Paired]:
        """Yield pairs that know where their text is; a source without any of it is an error."""
        yield from map(self, pairs)
        if self._without and not self._found:
            raise self._none_found()

    def _none_found(self) -> DataError:
        names = self._names()
        pattern = suggested_pattern(self._without, names) if names else None
        advice = "name the texts by the ids of documents: ID.txt"
        return DataError(
            "the source has the text of no document",
            where=self._name,
            hint=advice if pattern is None else f"add {option('--id-pattern', pattern)}",
            details=side_by_side({"ids of documents": self._without, "texts": names}),
        )

    def _names(self) -> list[str]:
        return [*(self._texts or self._files)]

    def _place(self, pair: Paired) -> OriginalPlace | None:
        for id in (pair.id, self._by_pattern(pair.id), without_role(stem(pair.id))):
            place = self._place_of(id) if id else None
            if place is not None:
                return place
        flaw = self._paths(pair.id)[1]
        inline = _beside(pair)
        if inline is not None:
            return OriginalPlace(inline=inline)
        if not self._given:
            return None
        return OriginalPlace(flaw=flaw or "the source has no text of it")

    def _place_of(self, id: str) -> OriginalPlace | None:
        for name in (id, stem(id)):
            if name in self._texts:
                return OriginalPlace(inline=self._texts[name])
        paths, _ = self._paths(id)
        return OriginalPlace(tuple(paths)) if paths else None

    def _by_pattern(self, id: str) -> str:
        """Return the name of the text in which the pattern finds what it finds in an id."""
        if self._pattern is None:
            return ""
        if self._parts is None:
            self._parts = {part_of(self._pattern, name): name for name in self._names()}
        part = part_of(self._pattern, id)
        return self._parts.get(part, "") if part else ""

    def _paths(self, id: str) -> tuple[list[str], str]:
        """Return the files of a document, or why it has none."""
        wanted = id.replace("\\", "/").strip("/")
        bare = f"{wanted[: len(wanted) - len(wanted.rpartition('/')[2])]}{stem(id)}"
        for name in (wanted, bare):
            if name in self._files:
                return [_best(self._files[name])], ""
            if name and name in self._pages:
                pages = sorted(self._pages[name], key=_natural)
                return [_best(self._files[page]) for page in pages], ""
        names = self._stems.get(stem(id), [])
        own = [name for name in names if stem(name) == stem(id)]
        if len(own) == 1:
            return [_best(self._files[own[0]])], ""
        folders = {name.rpartition("/")[0] for name in names}
        if not own and len(folders) == 1:
            return [_best(self._files[name]) for name in sorted(names, key=_natural)], ""
        several = f"its text could be any of {', '.join(sorted(own or folders)[:3])}"
        return [], several if names else ""


def _best(paths: Sequence[str]) -> str:
    return min(paths, key=lambda path: (SUFFIXES.index(Path(path).suffix.lower()), path))


def _natural(name: str) -> tuple[object, ...]:
    """Return what pages are sorted by: 2 before 10."""
    parts = re.split(r"(\d+)", name)
    return tuple((int(part), part) if part.isdecimal() else (-1, part) for part in parts)


def _lines_of(path: Path) -> Iterator[tuple[str, object]]:
    """Yield the id and the text of each line."""
    for number, line in numbered_lines(path):
        where = f"{path}:{number}"
        tree = decode(line, where).tree
        names = [key for key in ID_KEYS if isinstance(tree, dict) and key in tree]
        if not isinstance(tree, dict) or not names:
            raise DataError(
                "is no text of a document",
                where=where,
                hint='a line is {"id": "…", "text": "…"}; --source also takes a folder of ID.txt',
            )
        rest = {key: value for key, value in tree.items() if key != names[0]}
        yield str(tree[names[0]]), rest.get("source", rest)


def _beside(pair: Paired) -> object:
    """Return the text that stands beside gold or pred, None where there is none."""
    for record in (pair.gold, pair.pred):
        whole = None if record is None else record.whole
        if record is None or not isinstance(whole, Mapping):
            continue
        tree = record.tree if isinstance(record.tree, Mapping) else EMPTY
        for key in INLINE:
            text = whole.get(key)
            if key not in tree and isinstance(text, str | list | dict) and text:
                return text
    return None


def _pages_of(path: Path) -> FoundText:
    """Return the text or the words of a file."""
    data = read_bytes(path)
    suffix = path.suffix.lower()
    if suffix == ".tsv":
        return _tesseract(to_text(data).text)
    if suffix == ".json":
        return _parsed(decode(data, str(path)).tree)
    if suffix == ".jsonl":
        return _parsed([decode(line, str(path)).tree for _, line in numbered_lines(path)])
    return to_text(data).text


def _tesseract(text: str) -> list[FoundWord]:
    """Return the words of a table that tesseract wrote."""
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    if not {"text", "left", "top", "width", "height"} <= {*(rows.fieldnames or ())}:
        raise FileError("is no table of words", hint="tesseract writes one: tesseract IMAGE ID tsv")
    words = []
    sizes: dict[int, tuple[float, float]] = {}
    for row in rows:
        numbers = {name: _number(row.get(name)) for name in ("left", "top", "width", "height")}
        left, top, width, height = (number or 0.0 for number in numbers.values())
        page = int(_number(row.get("page_num")) or 1)
        content = (row.get("text") or "").strip()
        if row.get("level") == "1":
            sizes[page] = (width, height)
        elif content:
            line = (page, row.get("block_num"), row.get("par_num"), row.get("line_num"))
            box = (left, top, left + width, top + height)
            words.append(FoundWord(content, page, _scaled(box, sizes.get(page)), line))
    return words


def _parsed(tree: object) -> FoundText:
    """Return the text or the words of JSON."""
    if isinstance(tree, str) and not isinstance(tree, Number):
        return tree
    if isinstance(tree, list) and tree and all(isinstance(item, str) for item in tree):
        return PAGE_END.join(tree)
    words = [*_words(tree, 1, None, 0)]
    if words or not isinstance(tree, Mapping):
        return words
    texts = (tree.get(key) for key in (*INLINE, *TEXTS))
    return next((text for text in texts if isinstance(text, str)), [])


def _words(
    tree: object, page: int, size: tuple[float, float] | None, depth: int
) -> Iterator[FoundWord]:
    """Yield the words of what text recognition wrote, the finest parts that it has."""
    if depth > MAX_DEPTH:
        return
    if isinstance(tree, list):
        for item in tree:
            yield from _words(item, page, size, depth + 1)
    if not isinstance(tree, Mapping):
        return
    if tree.get("BlockType", "WORD") != "WORD":
        return
    page, size = _page(tree, page), _size(tree) or size
    for key in INSIDE:
        if isinstance(tree.get(key), list | dict) and tree[key]:
            inside = [*_words(tree[key], page, size, depth + 1)]
            if inside:
                yield from inside
                return
    text = next((tree[key] for key in TEXTS if isinstance(tree.get(key), str)), "")
    box = next((tree[key] for key in BOXES if tree.get(key) is not None), None)
    if box is not None or depth:
        corners = _scaled(_corners(box), size)
        yield from (FoundWord(part, page, corners) for part in [text.strip()] if part)


def _page(tree: Mapping[str, object], page: int) -> int:
    numbers = [number for key in PAGES if (number := _number(tree.get(key))) is not None]
    if numbers:
        return max(int(numbers[0]), 1)
    index = _number(tree.get("page_idx"))
    return page if index is None else int(index) + 1


def _size(tree: Mapping[str, object]) -> tuple[float, float] | None:
    width, height = _number(tree.get("width")), _number(tree.get("height"))
    sides = tree.get("dimensions")
    if isinstance(sides, list) and len(sides) == 2:  # docTR: height first, boxes are fractions
        return None
    return (width, height) if width and height and min(width, height) > 0 else None


def _corners(raw: object) -> Box | None:
    """Return the box of four numbers, of points, or of left, top, width and height."""
    if isinstance(raw, Mapping):
        inside = raw.get("BoundingBox", raw)
        if not isinstance(inside, Mapping):
            return None
        parts = {str(key).lower(): _number(value) for key, value in inside.items()}
        left, top, width, height = (parts.get(name) for name in ("left", "top", "width", "height"))
        if left is None or top is None or width is None or height is None:
            return None
        return left, top, left + width, top + height
    numbers = [*_numbers(raw)]
    if len(numbers) == 4 or (len(numbers) >= 6 and len(numbers) % 2 == 0):
        across, down = numbers[::2], numbers[1::2]
        return min(across), min(down), max(across), max(down)
    return None


def _numbers(raw: object) -> Iterator[float]:
    for item in raw if isinstance(raw, list | tuple) else ():
        if isinstance(item, Mapping):
            item = [item.get("x", item.get("X")), item.get("y", item.get("Y"))]
        if isinstance(item, list | tuple):
            yield from (number for part in item if (number := _number(part)) is not None)
        else:
            number = _number(item)
            yield from () if number is None else (number,)


def _scaled(box: Box | None, size: tuple[float, float] | None) -> Box | None:
    """Return a box as fractions of its page, None where the size of the page is not known."""
    if box is None or max(box) <= 1:
        return box
    if size is None:
        return None
    width, height = size
    return box[0] / width, box[1] / height, box[2] / width, box[3] / height


def _number(raw: object) -> float | None:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        return None
    try:
        number = float(raw)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def _joined(pages: Sequence[FoundText]) -> OriginalText:
    """Return one text of several pages, a form feed between them."""
    parts: list[str] = []
    words: list[OriginalWord] = []
    length = 0
    for number, page in enumerate(pages, start=1):
        if parts:
            parts.append(PAGE_END)
            length += 1
        if isinstance(page, str):
            parts.append(page)
            length += len(page)
            continue
        before: FoundWord | None = None
        for word in page:
            if before is not None:
                parts.append(_gap(before, word))
                length += 1
            parts.append(word.text)
            at = word.page if len(pages) == 1 else number
            words.append(OriginalWord(length, length + len(word.text), at, word.box))
            length += len(word.text)
            before = word
    # pages of bare text among pages of words have no places of their own
    located = words if all(not isinstance(page, str) for page in pages) else []
    return OriginalText("".join(parts), tuple(located))


def _gap(before: FoundWord, word: FoundWord) -> str:
    """Return what stands between two words."""
    if before.page != word.page:
        return PAGE_END
    if before.line is not None or word.line is not None:
        return " " if before.line == word.line else "\n"
    if before.box is None or word.box is None:
        return " "
    middle = (word.box[1] + word.box[3]) / 2
    return " " if before.box[1] <= middle <= before.box[3] else "\n"
