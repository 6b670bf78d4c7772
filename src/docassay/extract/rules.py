"""A small extractor that needs no model: labels, types and places, as the schema names them.

It is a baseline, not a competitor: a figure, a day or a code is taken where its label stands beside
it or above it, the seller is what stands on top, the buyer what stands under "bill to", rows are
what stands under a header or ends in an amount. What has no evidence is left out. A confidence is
how sure text recognition was of the words, times how good the evidence is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from docassay.extract.labels import (
    BUYER,
    ROLES,
    SELLER,
    Phrase,
    TextCell,
    cells_of,
    label_end,
    label_score,
    name_words,
    phrases,
    same_word,
    tokens,
)
from docassay.extract.ocr import OcrPlaces, OcrText
from docassay.extract.tables import TYPED, Sighting, TypeReader, find_tables
from docassay.model.schema import DocumentType, Field, GroupSpec, Schema
from docassay.schema.listing import Listing, short_name

LABELLED = TYPED | {"id", "phone"}
"""Types whose values are looked for by their form, and chosen by their labels."""
ALIKE_TYPES = {
    "vrdu_date": "date",
    "vrdu_price": "money",
    "vrdu_numerical": "number",
    "vrdu_address": "address",
    "vrdu_name": "name",
}
"""Types of other tools -> ours that looks for the same."""
MOST_WORDS = 6
"""Words of a figure, a day or a code."""
LEAST = 0.35
"""The evidence below which nothing is taken."""
UNLABELLED = 0.4
"""The evidence that the first day of a page is its date."""
ABOVE = 0.85
"""What a label above a value is worth, against one beside it."""
BARE = 0.6
"""What an amount without decimals and sign is worth."""
ON_TOP = 0.8
ADDRESS = "address"
NEGATIONS = ("no", "not", "without", "excluding", "excl")
MOST_ADDRESS_LINES = 4
Lines = Sequence[Sequence[TextCell]]


class Page(NamedTuple):
    """A document to look at: its lines, those that tables take left empty, and what reads types."""

    lines: Lines
    reader: TypeReader
    fields: Sequence[Field]
    labels: Mapping[str, Sequence[Phrase]]
    """Of each field."""


def extract_by_rules(text: OcrText, schema: Schema) -> dict[str, object]:
    """Return the record that the rules find: values with confidence, page and box."""
    lines = cells_of(text.text)
    title = _document_type(lines, schema)
    listing = Listing(schema, None if title is None else title[0])
    reader = TypeReader(schema)
    groups = [group for group in schema.groups if group.fields and not group.section]
    expected = [group for group in groups if any(listing.expects(f.path) for f in group.fields)]
    tables = find_tables(lines, expected, reader)
    taken = frozenset(number for table in tables.values() for number in table.lines)
    fields = [field for field in _own_fields(schema) if listing.expects(field.path)]
    free: Lines = [[] if number in taken else line for number, line in enumerate(lines)]
    page = Page(free, reader, fields, {field.path: phrases(field) for field in fields})
    values = _values(page)
    if title is not None and listing.expects(schema.type_field):
        values[schema.type_field] = title[1]
    places = OcrPlaces(text)
    record = _placed_fields(schema, values, places)
    for group in expected:
        rows = tables[group.path].rows if group.path in tables else []
        if rows:
            record[group.path] = [
                {
                    short_name(field.path, [group.path]): _leaf(row[field.path], places)
                    for field in group.fields
                    if field.path in row
                }
                for row in rows
            ]
    return record


def _own_fields(schema: Schema) -> list[Field]:
    """Return the fields of the document itself, those of its sections among them."""
    fields = [*schema.fields, *(f for spec in schema.groups if spec.section for f in spec.fields)]
    return [replace(field, type=ALIKE_TYPES.get(field.type, field.type)) for field in fields]


def _placed_fields(
    schema: Schema, values: Mapping[str, Sighting], places: OcrPlaces
) -> dict[str, object]:
    """Return what was found as a tree, fields of a section inside it."""
    record: dict[str, object] = {}
    sections: dict[str, GroupSpec] = {
        field.path: spec for spec in schema.groups if spec.section for field in spec.fields
    }
    for path, sighting in values.items():
        spec = sections.get(path)
        if spec is None:
            record[path] = _leaf(sighting, places)
            continue
        inside = record.setdefault(spec.path, {})
        assert isinstance(inside, dict)
        inside[short_name(path, [spec.path])] = _leaf(sighting, places)
    return record


def _leaf(sighting: Sighting, places: OcrPlaces) -> dict[str, object]:
    """Return a value with what is known about it."""
    spans = [(cell.start, cell.end) for cell in sighting.cells]
    confidence = round(places.confidence(spans) * sighting.score, 4)
    return {"value": sighting.value, "confidence": confidence, **places.place(spans)}


def _document_type(lines: Lines, schema: Schema) -> tuple[DocumentType, Sighting] | None:
    """Return the type that a document says it is, in a cell of its own or else in passing."""
    if not schema.types:
        return None
    names = {
        tokens(name.replace("_", " ")): kind
        for kind in schema.types
        for name in (kind.name, *kind.aliases)
    }
    for score, inside in ((0.95, False), (0.6, True)):
        for cell in (cell for line in lines for cell in line):
            read = tokens(cell.text)
            for words, kind in sorted(names.items(), key=lambda item: -len(item[0])):
                whole = len(words) == len(read)
                if (inside or whole) and _starts(read, words):
                    return kind, Sighting((cell,), score)
    return None


def _starts(read: Sequence[str], words: Sequence[str]) -> bool:
    return bool(words) and len(words) <= len(read) and all(map(same_word, read, words))


def _values(page: Page) -> dict[str, Sighting]:
    """Return the best value of each field; a stretch of text is the value of one at most."""
    candidates = [
        (-sighting.score, sighting.cells[0].start, field.path, field, sighting)
        for field in page.fields
        for sighting in _candidates(page, field)
        if sighting.score >= LEAST
    ]
    candidates.sort(key=lambda item: item[:3])
    values: dict[str, Sighting] = {}
    spans: list[tuple[int, int]] = []
    for *_, field, sighting in candidates:
        own = [(cell.start, cell.end) for cell in sighting.cells]
        clash = any(start < end2 and start2 < end for start, end in own for start2, end2 in spans)
        if field.path in values or (clash and field.type != "boolean"):
            continue
        values[field.path] = sighting
        spans += own if field.type != "boolean" else []
    order = [field.path for field in page.fields]
    return dict(sorted(values.items(), key=lambda item: order.index(item[0])))


def _candidates(page: Page, field: Field) -> Iterator[Sighting]:
    if field.type in LABELLED:
        yield from _labelled(page, field)
    elif field.type == "boolean":
        yield from _stated(page, field)
    elif field.type == "choice":
        yield from _chosen(page, field)
    else:
        yield from _beside_label(page, field)
        yield from _of_party(page, field)


def _labelled(page: Page, field: Field) -> Iterator[Sighting]:
    """Yield what has the form of a value, by how well its label fits."""
    # a day without a label is the date of the document, not when it is due
    first = field.type == "date" and label_score("date", page.labels[field.path]) > ABOVE
    for line in page.lines:
        for place, cell in enumerate(line):
            for value in _forms(page, field, cell):
                before = cell.text[: value.left - cell.left]
                score = _label(page, field, line, place, before)
                if field.type == "money" and not re.search(r"[.,]\d{2}\b|[^\w\s.,()-]", value.text):
                    score *= BARE
                if first:
                    score = max(score, UNLABELLED)
                first = False
                yield Sighting((value,), score)


def _label(page: Page, field: Field, line: Sequence[TextCell], place: int, before: str) -> float:
    """Return how good the label of a value is: before it, to its left, or above it."""
    labels = page.labels[field.path]
    if tokens(before):
        return label_score(before, labels)
    left = label_score(line[place - 1].text, labels) if place else 0.0
    cell = line[place]
    above = next((page.lines[at] for at in range(cell.line - 1, -1, -1) if page.lines[at]), [])
    over = [head for head in above if head.left < cell.right and cell.left < head.right]
    return max([left, *(ABOVE * label_score(head.text, labels) for head in over)])


def _forms(page: Page, field: Field, cell: TextCell) -> Iterator[TextCell]:
    """Yield the longest stretches of a cell that are values of a field's type."""
    words = cell.words()
    start = 0
    while start < len(words):
        for end in range(min(len(words), start + MOST_WORDS), start, -1):
            value = _form(page, field, cell, words[start:end])
            if value is not None:
                yield value
                start = end
                break
        else:
            start += 1


def _form(page: Page, field: Field, cell: TextCell, words: Sequence[TextCell]) -> TextCell | None:
    value = cell.part(words[0].left - cell.left, words[-1].right - cell.left)
    if not re.search(r"\d", words[0].text if field.type != "phone" else value.text):
        return None
    if field.type == "time" and ":" not in value.text:
        return None
    if field.type == "phone" and len(re.findall(r"\d", value.text)) < 7:
        return None
    if field.type == "id":
        code = all(re.search(r"\d", word.text) for word in words)
        return value if code and len(value.text) > 2 else None
    reading = page.reader.read(field, value.text)
    if reading is None or len(words) == 1:
        return None if reading is None else value
    # a time behind a date is no part of it
    fewer = _form(page, field, cell, words[:-1])
    shorter = None if fewer is None else page.reader.read(field, fewer.text)
    same = shorter is not None and shorter.canonical == reading.canonical
    return fewer if same else value


def _stated(page: Page, field: Field) -> Iterator[Sighting]:
    """Yield whether a statement is there: its words in order, with or without a negation."""
    wanted = [word for word in name_words(field) if word not in {"is", "has"}]
    for cell in (cell for line in page.lines for cell in line):
        head, colon, answer = cell.text.partition(":")
        read = tokens(head)
        places = [
            next((i for i, word in enumerate(read) if same_word(word, w)), -1) for w in wanted
        ]
        if not wanted or -1 in places or places != sorted(places):
            continue
        reading = page.reader.read(field, answer.strip()) if colon else None
        said = not set(read) & set(NEGATIONS) if reading is None else reading.canonical == "true"
        yield Sighting((cell,), 0.8 if reading is None else 0.95, str(said))


def _chosen(page: Page, field: Field) -> Iterator[Sighting]:
    """Yield choices that stand in the text."""
    choices = field.options.get("choices")
    names = [str(choice) for choice in choices] if isinstance(choices, list | tuple) else []
    for cell in (cell for line in page.lines for cell in line):
        for name in names:
            at = cell.text.lower().find(name.lower())
            if at >= 0:
                value = cell.part(at, at + len(name))
                yield Sighting((value,), 0.9 if value.text == cell.text else 0.5)


def _beside_label(page: Page, field: Field) -> Iterator[Sighting]:
    """Yield words that follow a label: after a colon, in the next cell, or on the next line."""
    labels = page.labels[field.path]
    if _wants_address(field):
        # after "sold to" a name comes first
        labels = [phrase for phrase in labels if ADDRESS in phrase.words]
    for line in page.lines:
        for place, cell in enumerate(line):
            weight, end = label_end(cell, labels)
            if weight < LEAST:
                continue
            rest = cell.text[end:]
            value = cell.part(end + len(rest) - len(rest.lstrip(" :.#-")), len(cell.text))
            if value.text and rest.lstrip(" ").startswith((":", "#", ".")):
                yield Sighting((value,), weight)
            elif not value.text and place + 1 < len(line):
                yield Sighting((line[place + 1],), 0.9 * weight)
            elif not value.text:
                below = _below(page.lines, cell)
                yield from (Sighting((under,), 0.8 * weight) for under in below[:1])


def _below(lines: Lines, cell: TextCell) -> list[TextCell]:
    """Return the cells under a cell, down to a line that has none."""
    under = []
    for line in islice(lines, cell.line + 1, None):
        cells = [other for other in line if other.left < cell.right + 8 and cell.left < other.right]
        if not cells:
            break
        under.append(min(cells, key=lambda other: abs(other.left - cell.left)))
    return under


def _of_party(page: Page, field: Field) -> Iterator[Sighting]:
    """Yield the name or the address of the seller, on top, or of the buyer, under its label."""
    own = {*name_words(field)}
    wants_address = _wants_address(field)
    buyer = bool(own & {*BUYER})
    if not buyer and not own & {*SELLER} and not wants_address:
        return
    block = _buyer_block(page) if buyer else _seller_block(page)
    if not block:
        return
    if not wants_address:
        yield Sighting((block[0],), ON_TOP)
        return
    lines = [cell for cell in block[1:] if re.search(r"[\d,]", cell.text) and " " in cell.text]
    if lines:
        yield Sighting(tuple(lines[:MOST_ADDRESS_LINES]), ON_TOP)


def _wants_address(field: Field) -> bool:
    return field.type == ADDRESS or ADDRESS in name_words(field)


def _seller_block(page: Page) -> list[TextCell]:
    """Return the cells on top of the page that are no title, down to the first label."""
    titles = _titles(page.reader.schema)
    block: list[TextCell] = []
    for line in page.lines:
        cells = [cell for cell in line if tokens(cell.text) not in titles]
        if block:
            top = block[0]
            cells = [cell for cell in cells if cell.left < top.right and top.left < cell.right]
        if not cells:
            continue
        cell = cells[0]
        if _is_label(page, cell) or (block and _is_value(page, cell)):
            break
        if block or tokens(cell.text):
            block.append(cell)
    return block


def _buyer_block(page: Page) -> list[TextCell]:
    """Return the cells after a label of the buyer."""
    labels = [Phrase(tokens(label), 1.0) for label in ROLES[BUYER]]
    for cell in (cell for line in page.lines for cell in line):
        weight, end = label_end(cell, labels)
        rest = cell.text[end:].lstrip()
        if not weight or (rest and not rest.startswith(":")):
            continue
        value = cell.part(end + len(cell.text[end:]) - len(rest.lstrip(": ")), len(cell.text))
        below = _until_label(page, _below(page.lines, cell))
        return [value, *below] if value.text else below
    return []


def _until_label(page: Page, cells: Sequence[TextCell]) -> list[TextCell]:
    ends = (at for at, cell in enumerate(cells) if _is_label(page, cell) or _is_value(page, cell))
    return [*cells[: next(ends, len(cells))]]


def _is_value(page: Page, cell: TextCell) -> bool:
    """Whether a cell is a day or a figure and so is not a name or an address."""
    fields = (field for field in page.fields if field.type in TYPED)
    return any(page.reader.read(field, cell.text) for field in fields)


def _is_label(page: Page, cell: TextCell) -> bool:
    """Whether a cell begins with a label and so is not a name or an address."""
    if re.match(r"[^\W\d_][\w .]{0,24}:", cell.text):
        return True
    for labels in page.labels.values():
        weight, end = label_end(cell, labels)
        if weight >= 0.8 and not re.search(r"[^\W\d_]", cell.text[end:]):
            return True
    return False


def _titles(schema: Schema) -> set[tuple[str, ...]]:
    names = [name for kind in schema.types for name in (kind.name, *kind.aliases)]
    usual = ("invoice", "tax invoice", "receipt", "cash receipt", "statement")
    return {tokens(name.replace("_", " ")) for name in (*names, *usual)}
