"""Corpora: a stream of documents with predictions, or the files of one with several models.

Document i depends only on the seed and on i, and its prediction on the profile besides: a small
corpus is the beginning of a large one, and all models read the same documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.analysis.draw import pick, shuffled, stream
from docassay.errors import ConfigurationError, UnknownName
from docassay.run.output import new_file, write_bytes, writing
from docassay.synth.documents import KINDS, Gold, Row, amount, gold_document
from docassay.synth.profiles import Profile, profile_of
from docassay.synth.values import Hand, Note, PredictedRecord, plain, plain_row, read_record
from docassay.synth.words import FALSE_ITEMS, FALSE_TRANSACTIONS


def read_rows(
    golds: Sequence[Row], columns: Mapping[str, str], hand: Hand
) -> tuple[list[PredictedRecord], list[Note]]:
    """Return the rows as the model reads them, and the notes that belong to none of them."""
    apart: list[Note] = []
    rows = list(_read_each(golds, columns, hand, apart))
    if hand.happens(hand.profile.swapped):
        _swap(golds, rows, hand)
    if hand.happens(hand.profile.added):
        place = int(hand.draw() * (len(rows) + 1))
        rows.insert(place, _added(golds, columns, hand))
    if hand.happens(hand.profile.reordered):
        rows = _reordered(rows, hand, golds, apart)
    return rows, apart


def _read_each(
    golds: Sequence[Row], columns: Mapping[str, str], hand: Hand, apart: list[Note]
) -> Iterator[PredictedRecord]:
    numbered = iter(enumerate(golds))
    for number, gold in numbered:
        fate = _fate(hand.profile, hand.draw() / hand.difficulty)
        if fate == "row_dropped":
            apart.append(Note(None, fate, gold, number))
        elif fate == "rows_merged" and number + 1 < len(golds):
            yield _merged(number, gold, next(numbered)[1], hand)
        elif fate == "row_split":
            yield from _split(number, gold, hand)
        else:
            row = read_record(gold, columns, hand, origin=number)
            yield row
            if fate == "row_duplicated":
                yield PredictedRecord(dict(row.leaves), [Note(None, fate, None, None)], None)


def _fate(profile: Profile, chance: float) -> str | None:
    """Return what befalls a row as a whole, None for most."""
    for cause, share in (
        ("row_dropped", profile.dropped),
        ("rows_merged", profile.merged),
        ("row_split", profile.split),
        ("row_duplicated", profile.duplicated),
    ):
        if chance < share:
            return cause
        chance -= share
    return None


def _misread(values: Mapping[str, str], notes: list[Note], hand: Hand) -> PredictedRecord:
    return PredictedRecord(
        {field: hand.shaky(value) for field, value in values.items()}, notes, None
    )


def _merged(number: int, first: Row, second: Row, hand: Hand) -> PredictedRecord:
    """Return one row for two: both descriptions, the figures of the first."""
    values = {**first, "description": f"{first['description']} {second['description']}"}
    notes = [Note(None, "rows_merged", row, number + n) for n, row in enumerate((first, second))]
    return _misread(values, notes, hand)


def _split(number: int, gold: Row, hand: Hand) -> Iterator[PredictedRecord]:
    """Yield two rows for one: a description that ran over two lines, the figures on the second."""
    words = gold["description"].split(" ")
    half = (len(words) + 1) // 2
    note = Note(None, "row_split", gold, number)
    yield _misread({"description": " ".join(words[:half])}, [note], hand)
    yield _misread({**gold, "description": " ".join(words[half:])}, [note], hand)


def _added(golds: Sequence[Row], columns: Mapping[str, str], hand: Hand) -> PredictedRecord:
    """Return a row that is none: a line of sums or of charges taken for one."""
    if "date" in columns:
        values = {
            "date": golds[0]["date"],
            "description": pick(hand.draw, FALSE_TRANSACTIONS),
            "balance": amount(hand.draw),
        }
    else:
        values = {"description": pick(hand.draw, FALSE_ITEMS), "total": amount(hand.draw)}
    return _misread(values, [Note(None, "row_invented", None, None)], hand)


def _swap(golds: Sequence[Row], rows: list[PredictedRecord], hand: Hand) -> None:
    """Exchange one column's values between two neighbours, where they differ and are right."""
    pairs = [
        (field, (a, a.origin), (b, b.origin))
        for a, b in pairwise(rows)
        if a.origin is not None and b.origin is not None
        for field, value in golds[a.origin].items()
        if value != golds[b.origin].get(field, value)
        and all(note.field != field for note in (*a.notes, *b.notes))
    ]
    if not pairs:
        return
    field, first, second = pick(hand.draw, pairs)
    for (row, own), (_, other) in ((first, second), (second, first)):
        row.leaves[field] = hand.shaky(golds[other][field])
        row.notes.append(Note(field, "values_swapped", golds[own][field], own))


def _reordered(
    rows: list[PredictedRecord], hand: Hand, golds: Sequence[Row], apart: list[Note]
) -> list[PredictedRecord]:
    order = shuffled(hand.draw, range(len(rows)))
    origins = [rows[n].origin for n in order if rows[n].origin is not None]
    if origins != sorted(o for o in origins if o is not None):
        apart.append(Note(None, "rows_reordered", list(golds), None))
    return [rows[n] for n in order]


class Cause(NamedTuple):
    """Why gold and pred differ at one place: a value, a row, or the order of all rows."""

    path: str
    """Where it stands in gold, or in pred when gold has nothing there."""
    cause: str
    gold: object
    """What gold has there, None for nothing."""
    pred: object
    """What pred has instead, without confidences, None for nothing."""
    pred_path: str | None
    """Where it stands in pred: rows may have moved. None when pred has nothing."""


class Prediction(NamedTuple):
    """The tree a model returns, and every difference from gold by its cause."""

    tree: dict[str, object]
    causes: tuple[Cause, ...]


def predict(
    gold: Gold, profile: Profile, *, seed: int, index: int, confidences: bool = True
) -> Prediction:
    """Return the prediction for a document; confidences or not, its values are the same."""
    kind = KINDS[gold.kind]
    hand = Hand(profile, gold.difficulty, stream(seed, index, profile.name), confidences)
    own = read_record(gold.fields, kind.fields, hand)
    rows, apart = read_rows(gold.rows, kind.columns, hand)
    causes = [_cause("", note, own, None) for note in own.notes]
    for number, row in enumerate(rows):
        causes += [_cause(kind.group, note, row, number) for note in row.notes]
    causes += _causes_apart(kind.group, apart, rows)
    return Prediction({**own.leaves, kind.group: [row.leaves for row in rows]}, tuple(causes))


def _cause(group: str, note: Note, record: PredictedRecord, number: int | None) -> Cause:
    pred: object = (
        plain_row(record.leaves) if note.field is None else plain(record.leaves.get(note.field))
    )
    origin = number if note.origin is None else note.origin
    return Cause(
        _path(group, origin, note.field),
        note.cause,
        note.gold,
        pred,
        None if pred is None else _path(group, number, note.field),
    )


def _path(group: str, number: int | None, field: str | None) -> str:
    row = group if number is None else f"{group}[{number}]"
    return ".".join(part for part in (row, field) if part)


def _causes_apart(group: str, apart: list[Note], rows: list[PredictedRecord]) -> Iterator[Cause]:
    for note in apart:
        if note.origin is not None:
            yield Cause(_path(group, note.origin, None), note.cause, note.gold, None, None)
        else:
            order = [plain_row(row.leaves) for row in rows]
            yield Cause(group, note.cause, note.gold, order, group)


_OPTIONS = {
    "document_type": "type: choice",
    "money": "type: money, currency: AUD",
}
_WEIGHTS = {"TOTAL_AMOUNT": "weight: 3"}
_CATEGORIES = {
    "identification": ("DOCUMENT_TYPE",),
    "business": ("BUSINESS_ABN", "SUPPLIER_NAME", "BUSINESS_ADDRESS"),
    "customer": ("PAYER_NAME", "PAYER_ADDRESS"),
    "dates": ("INVOICE_DATE", "STATEMENT_DATE_RANGE"),
    "totals": ("IS_GST_INCLUDED", "GST_AMOUNT", "TOTAL_AMOUNT"),
}
_RULES = """\
rules:
  - {name: ABN has its check digits, check: abn(BUSINESS_ABN)}
  - {name: quantity times price, check: line_items.quantity * line_items.price == line_items.total}
  - {name: line totals make the total, check: sum(line_items.total) == TOTAL_AMOUNT}
  - {name: GST is an eleventh, check: GST_AMOUNT == TOTAL_AMOUNT / 11, when: IS_GST_INCLUDED}
  - name: running balance
    check: running(transactions.balance, transactions.amount_received, transactions.amount_paid)
  - {name: dates in order, check: ordered(transactions.date)}"""
_CATEGORY = {field: name for name, fields in _CATEGORIES.items() for field in fields}


def schema_text(name: str = "synthetic") -> str:
    """Return a schema with the fields, groups and document types of all kinds."""
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    yield f"name: {name}"
    yield "absent: [NOT_FOUND]"
    yield "dates: day-first"
    yield "types:"
    for kind_name, kind in KINDS.items():
        aliases = ", ".join(kind.aliases)
        counted = ", ".join((*kind.fields, kind.group))
        yield f"  {kind_name}:"
        yield f"    aliases: [{aliases}]"
        yield f"    fields: [{counted}]"
    yield "fields:"
    fields = {field: type_ for kind in KINDS.values() for field, type_ in kind.fields.items()}
    yield from _field_lines(fields, "  ")
    yield "groups:"
    for group, columns in {kind.group: kind.columns for kind in KINDS.values()}.items():
        yield f"  {group}:"
        yield "    match: best"
        yield "    fields:"
        yield from _field_lines(columns, "      ", category=group.replace("_", " "))
    yield _RULES


def _field_lines(
    types: Mapping[str, str], indent: str, *, category: str | None = None
) -> Iterator[str]:
    for field, type_ in types.items():
        options = [
            _OPTIONS.get(type_, f"type: {type_}"),
            *filter(None, [_WEIGHTS.get(field)]),
            f"category: {_CATEGORY[field] if category is None else category}",
        ]
        yield f"{indent}{field}: {{{', '.join(options)}}}"


ALL_KINDS = tuple(KINDS)
_PROGRESS_EVERY = 100
_OWN_NAMES = frozenset({"gold", "causes"})


class Sample(NamedTuple):
    """One document: gold, what a model made of it, and why they differ."""

    id: str
    gold: dict[str, object]
    pred: dict[str, object]
    causes: tuple[Cause, ...]


def generate(
    docs: int,
    *,
    rows: int | None = 5,
    seed: int = 0,
    kinds: Sequence[str] = ALL_KINDS,
    profile: Profile | str = "careful",
    confidences: bool = True,
) -> Iterator[Sample]:
    """Return a stream of documents with `rows` rows each, or with one to twelve for None."""
    _check(docs, rows, kinds)
    return _samples(docs, rows, seed, tuple(kinds), profile_of(profile), confidences)


def _samples(
    docs: int,
    rows: int | None,
    seed: int,
    kinds: tuple[str, ...],
    model: Profile,
    confidences: bool,
) -> Iterator[Sample]:
    for index in range(docs):
        gold = gold_document(seed, index, kinds=kinds, rows=rows)
        pred = predict(gold, model, seed=seed, index=index, confidences=confidences)
        yield Sample(gold.id, gold.tree, pred.tree, pred.causes)


def write_corpus(
    out: Path,
    *,
    docs: int,
    rows: int | None = None,
    seed: int = 0,
    models: Sequence[Profile | str] = ("careful", "hasty"),
    kinds: Sequence[str] = ALL_KINDS,
    confidences: bool = True,
    progress: Callable[[int], None] | None = None,
) -> list[Path]:
    """Write gold.jsonl, a file a model, causes.jsonl and schema.yaml, and return their paths.

    Files of these names are replaced. `progress` is called with the number of documents done.
    """
    _check(docs, rows, kinds)
    profiles = _distinct([profile_of(model) for model in models])
    names = ["gold", *(profile.name for profile in profiles), "causes"]
    paths = [out / f"{name}.jsonl" for name in names]
    schema = out / "schema.yaml"
    encode = msgspec.json.Encoder().encode
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        write_bytes(schema, schema_text().encode())
        with ExitStack() as stack:
            golds, *preds, causes = [stack.enter_context(new_file(path)) for path in paths]
            for index in range(docs):
                gold = gold_document(seed, index, kinds=tuple(kinds), rows=rows)
                golds.write(encode({"id": gold.id, "fields": gold.tree}) + b"\n")
                for profile, file in zip(profiles, preds, strict=True):
                    pred = predict(gold, profile, seed=seed, index=index, confidences=confidences)
                    file.write(encode({"id": gold.id, "fields": pred.tree}) + b"\n")
                    for cause in pred.causes:
                        label = {"id": gold.id, "model": profile.name, **cause._asdict()}
                        causes.write(encode(label) + b"\n")
                _report(progress, index + 1, docs)
    return [*paths, schema]


def _report(progress: Callable[[int], None] | None, done: int, docs: int) -> None:
    if progress is not None and (done % _PROGRESS_EVERY == 0 or done == docs):
        progress(done)


def _check(docs: int, rows: int | None, kinds: Sequence[str]) -> None:
    if docs < 0:
        raise ConfigurationError(f"docs: {docs} is not a number of documents")
    if rows is not None and rows < 1:
        raise ConfigurationError(
            f"rows: {rows} is not a number of rows", hint="at least 1, or none for a natural spread"
        )
    if not kinds:
        raise ConfigurationError("kinds: none given", hint=f"there is: {', '.join(KINDS)}")
    for kind in kinds:
        if kind not in KINDS:
            raise UnknownName("kind of document", kind, KINDS)


def _distinct(profiles: Sequence[Profile]) -> Sequence[Profile]:
    taken = set(_OWN_NAMES)
    for profile in profiles:
        if profile.name in taken:
            raise ConfigurationError(
                f"models: two files would be called {profile.name}.jsonl",
                hint="give each model a name of its own",
            )
        taken.add(profile.name)
    return profiles
