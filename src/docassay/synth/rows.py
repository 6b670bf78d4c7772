"""The rows of a document as a model reads them: dropped, merged, split, doubled, made up, mixed up.

A row that is misread as a whole keeps no further mistakes in its values, and a value exchanged with
another row had none before, so that every wrong value has one cause.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from docassay.synth.documents import Row, amount
from docassay.synth.draw import pick, shuffled
from docassay.synth.profiles import Profile
from docassay.synth.values import Hand, Note, Record, read_record
from docassay.synth.words import FALSE_ITEMS, FALSE_TRANSACTIONS


def read_rows(
    golds: Sequence[Row], columns: Mapping[str, str], hand: Hand
) -> tuple[list[Record], list[Note]]:
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
) -> Iterator[Record]:
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
                yield Record(dict(row.leaves), [Note(None, fate, None, None)], None)


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


def _misread(values: Mapping[str, str], notes: list[Note], hand: Hand) -> Record:
    return Record({field: hand.shaky(value) for field, value in values.items()}, notes, None)


def _merged(number: int, first: Row, second: Row, hand: Hand) -> Record:
    """Return one row for two: both descriptions, the figures of the first."""
    values = {**first, "description": f"{first['description']} {second['description']}"}
    notes = [Note(None, "rows_merged", row, number + n) for n, row in enumerate((first, second))]
    return _misread(values, notes, hand)


def _split(number: int, gold: Row, hand: Hand) -> Iterator[Record]:
    """Yield two rows for one: a description that ran over two lines, the figures on the second."""
    words = gold["description"].split(" ")
    half = (len(words) + 1) // 2
    note = Note(None, "row_split", gold, number)
    yield _misread({"description": " ".join(words[:half])}, [note], hand)
    yield _misread({**gold, "description": " ".join(words[half:])}, [note], hand)


def _added(golds: Sequence[Row], columns: Mapping[str, str], hand: Hand) -> Record:
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


def _swap(golds: Sequence[Row], rows: list[Record], hand: Hand) -> None:
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
    field, one, two = pick(hand.draw, pairs)
    for (row, own), (_, other) in ((one, two), (two, one)):
        row.leaves[field] = hand.shaky(golds[other][field])
        row.notes.append(Note(field, "values_swapped", golds[own][field], own))


def _reordered(
    rows: list[Record], hand: Hand, golds: Sequence[Row], apart: list[Note]
) -> list[Record]:
    order = shuffled(hand.draw, range(len(rows)))
    origins = [rows[n].origin for n in order if rows[n].origin is not None]
    if origins != sorted(o for o in origins if o is not None):
        apart.append(Note(None, "rows_reordered", list(golds), None))
    return [rows[n] for n in order]
