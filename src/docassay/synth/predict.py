"""Predictions: a gold document as a model of some profile reads it, and why it differs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from docassay.synth.documents import KINDS, Gold
from docassay.synth.draw import stream
from docassay.synth.profiles import Profile
from docassay.synth.rows import read_rows
from docassay.synth.values import Hand, Note, Record, plain, plain_row, read_record


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


def _cause(group: str, note: Note, record: Record, number: int | None) -> Cause:
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


def _causes_apart(group: str, apart: list[Note], rows: list[Record]) -> Iterator[Cause]:
    for note in apart:
        if note.origin is not None:
            yield Cause(_path(group, note.origin, None), note.cause, note.gold, None, None)
        else:
            order = [plain_row(row.leaves) for row in rows]
            yield Cause(group, note.cause, note.gold, order, group)
