"""The values of one record (a document's own fields, or a row) as a model reads them.

How a confidence comes to mean something: the doubt in a value, its chance of coming out wrong, is
drawn before the value is. A candid model reports one less its doubt, so that among values reported
with 0.8 about one in five is wrong; an over-confident one admits only a part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from docassay.synth.draw import Draw
from docassay.synth.formats import reformat
from docassay.synth.mistakes import invent, spoil
from docassay.synth.profiles import Profile

Leaf = str | None | dict[str, str | float | None]
NOT_FOUND = "NOT_FOUND"
_HARDNESS = {
    "document_type": 0.4,
    "boolean": 0.7,
    "quantity": 0.6,
    "date": 0.7,
    "money": 0.8,
    "date_range": 1.0,
    "name": 1.0,
    "id": 1.2,
    "text": 1.4,
    "address": 1.8,
}


class Hand(NamedTuple):
    """A model at work on one document."""

    profile: Profile
    difficulty: float
    draw: Draw
    confidences: bool

    def happens(self, chance: float) -> bool:
        """Draw whether something of this chance on an average document happens on this one."""
        return self.draw() < chance * self.difficulty

    def leaf(self, value: str | None, doubt: float) -> Leaf:
        """Return a value with the confidence that the model reports for this much doubt."""
        confidence = 1 - doubt * self.profile.candour + 0.03 * (self.draw() - 0.5)
        if not self.confidences:
            return value
        return {"value": value, "confidence": round(min(max(confidence, 0.01), 0.999), 3)}

    def shaky(self, value: str | None) -> Leaf:
        """Return a value of a row that was misread as a whole."""
        return self.leaf(value, 0.3 + 0.5 * self.draw())


class Note(NamedTuple):
    """What went wrong at a field, or at the record as a whole (field None)."""

    field: str | None
    cause: str
    gold: object
    origin: int | None
    """The number of the gold row; None for a document's own fields and for what gold has not."""


class Record(NamedTuple):
    """Predicted leaves and what was done to them."""

    leaves: dict[str, Leaf]
    notes: list[Note]
    origin: int | None
    """The number of the gold row that this one reads, None when it reads no single one."""


def plain(leaf: Leaf) -> str | None:
    """Return the value of a leaf, None when it says that there is none."""
    value = leaf.get("value") if isinstance(leaf, dict) else leaf
    return value if isinstance(value, str) and value != NOT_FOUND else None


def plain_row(leaves: Mapping[str, Leaf]) -> dict[str, str]:
    """Return the values of a row without confidences and without what is not there."""
    values = {field: plain(leaf) for field, leaf in leaves.items()}
    return {field: value for field, value in values.items() if value is not None}


def read_record(
    gold: Mapping[str, str], types: Mapping[str, str], hand: Hand, *, origin: int | None = None
) -> Record:
    """Return a record as the model reads it."""
    profile, difficulty, draw, _ = hand
    record = Record({}, [], origin)
    for field, kind in types.items():
        value = gold.get(field)
        if value is None:
            _read_nothing(field, kind, hand, record)
            continue
        doubt = _doubt(profile.wrong * difficulty * _HARDNESS[kind], draw)
        if draw() < doubt:
            others = [v for f, v in gold.items() if types[f] == kind and v != value]
            cause, wrong = spoil(value, kind, others, prone=profile.prone, draw=draw)
            record.notes.append(Note(field, cause, value, origin))
            _put(field, wrong, doubt, hand, record)
            continue
        if draw() < profile.reformatted:
            new = reformat(value, kind, draw)
            if new is not None:
                record.notes.append(Note(field, new[0], value, origin))
                value = new[1]
        record.leaves[field] = hand.leaf(value, doubt)
    return record


def _doubt(mean: float, draw: Draw) -> float:
    """Return a doubt with this mean: next to nothing for most values, large for a few."""
    u = draw()
    u *= u
    u *= u
    u *= u
    u *= u
    return min(0.95, 17 * u * mean)


def _read_nothing(field: str, kind: str, hand: Hand, record: Record) -> None:
    if hand.happens(hand.profile.invented):
        record.notes.append(Note(field, "invented", None, None))
        record.leaves[field] = hand.shaky(invent(kind, hand.draw))
    elif record.origin is None and hand.draw() < 0.5:
        record.leaves[field] = hand.leaf(NOT_FOUND, 0.02)


def _put(field: str, value: str | None, doubt: float, hand: Hand, record: Record) -> None:
    """Add a wrong value; one gone missing is left out, null or said to be not found."""
    way = hand.draw()
    if value is not None:
        record.leaves[field] = hand.leaf(value, doubt)
    elif way < 0.6:
        record.leaves[field] = hand.leaf(NOT_FOUND if way < 0.3 else None, doubt)
