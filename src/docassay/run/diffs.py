"""One document as plain data for pages: its rows side by side, what became of each value, and why.

It is made of the verdicts that the counts of a run come from, so a page cannot say anything else
than the score does. Members that say nothing (null, false, empty) are left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, Self

import msgspec

from docassay.kernel.judged import LONGEST_READ, ValueTexts, quoted, said_more
from docassay.kernel.judged import is_same_text as is_same_text
from docassay.kernel.pages import (
    Frame,
    Framed,
    Frames,
    PageRows,
    PageStyle,
    moved_rows,
    parent_of,
)
from docassay.kernel.verdicts import Told
from docassay.matching.case import Case
from docassay.matching.verdicts import (
    ADDITION,
    DELETION,
    RIGHT,
    SUBSTITUTION,
    RowPlace,
    Verdict,
    VerdictBlock,
)
from docassay.metrics.causes import WRONG_FIELD, WRONG_ROW
from docassay.model.document import Group, Reading
from docassay.model.problem import Problem
from docassay.model.report import DiffData
from docassay.run.reopen import StoredValue
from docassay.run.verdict_file import CaseValues

WORDS = {
    RIGHT: "right",
    SUBSTITUTION: "substituted",
    ADDITION: "added",
    DELETION: "deleted",
}
"""Verdicts as pages call them: what a person would do to the prediction."""
WRONG = (WORDS[SUBSTITUTION], WORDS[ADDITION], WORDS[DELETION])
_RIGHT = WORDS[RIGHT]
ALONE = "value"
"""The verdict of a value where there is no gold to compare with."""
MOVED = {WRONG_ROW: "row", WRONG_FIELD: "field"}
"""Causes by which a value stands somewhere else."""
MATCHED = "matched"
_SECOND = itemgetter(1)
LONGEST_KEPT = LONGEST_READ
"""Characters of a value in such a page."""
UNCUT = sys.maxsize
_encoder = msgspec.json.Encoder()
_TRUTH = {True: "true", False: "false"}


class DiffValue(msgspec.Struct, omit_defaults=True, gc=False):
    """A value as it stands on both sides, and what became of it."""

    field: str
    name: str
    """The field without the row that it belongs to."""
    verdict: str
    gold: str | None
    pred: str | None
    confidence: float | None = None
    moved: str | None = None
    gold_read: str | None = None
    """What a text was read as, where that says more than the text."""
    pred_read: str | None = None
    reason: str | None = None
    cause: str | None = None
    similarity: float | None = None
    gold_path: str | None = None
    pred_path: str | None = None
    gold_cut: int | None = None
    """The length of a text that was cut."""
    pred_cut: int | None = None
    gold_at: DiffData | None = None
    """Where a value stands on a page."""
    pred_at: DiffData | None = None
    any_of: list[str] | None = None
    """What else gold accepts."""


_NOTHING_BETWEEN = (None,) * 6
"""What a value that is right says between its confidence and its paths."""


class DocumentDiff(NamedTuple):
    """A document as pages have it, and what a list says about its wrong values."""

    id: str
    text: str
    """All of it as JSON; a character that UTF-8 cannot carry stands in it as it is."""
    wrong: int
    fields: tuple[str, ...]
    causes: tuple[str, ...]
    verdicts: tuple[str, ...]

    def json(self) -> bytes:
        """Return all of it as JSON, half of a surrogate pair as its escape."""
        try:
            return self.text.encode()
        except UnicodeEncodeError:
            return json.dumps(self.plain()).encode()

    def plain(self) -> DiffData:
        """Return all of it as plain data."""
        data: DiffData = json.loads(self.text)
        return data


def diff_data(
    case: Case, *, problems: Iterable[Problem] = (), notes: Sequence[str] = ()
) -> DiffData:
    """Return a document with all its values as plain data."""
    data = diff_of(CaseValues(case), problems=(*problems, *case.problems)).plain()
    return data | ({"notes": [*notes]} if notes else {})


def stored_diff_data(id: str, values: Iterable[StoredValue], *, type: str = "") -> DiffData:
    """Return a document of which the wrong values alone were kept, as plain data."""
    return stored_diff(id, values, type=type).plain()


def diff_of(
    values: CaseValues, longest: int = UNCUT, problems: Iterable[Problem] | None = None
) -> DocumentDiff:
    """Return a document with all its values; texts longer than `longest` are cut.

    Its problems are those of its case, unless others are given.
    """
    case, made = values.case, values.blocks
    origin = case.origin
    alone = origin is not None and origin.gold is None
    causes = {} if alone else values.causes
    moved = set() if alone else moved_rows(made)
    rows = PageRows(_style, longest, alone)
    rows.add_all(made, causes, moved)
    head = _typed(case.type) + (',"alone":true' if alone else "")
    if origin is not None and origin.gold is not None:
        head += f',"gold_where":{quoted(origin.gold.where)}'
    if origin is not None and origin.pred is not None:
        head += f',"pred_where":{quoted(origin.pred.where)}'
    return _document(case.id, head, rows, case.problems if problems is None else problems)


def stored_diff(
    id: str, values: Iterable[StoredValue], *, type: str = "", longest: int = UNCUT
) -> DocumentDiff:
    """Return a document of which the wrong values alone were kept."""
    wrong = [value for value in values if value.verdict.verdict != RIGHT]
    partners = {
        parent_of(entry.gold_path): parent_of(entry.pred_path)
        for entry, *_ in wrong
        if entry.gold_path is not None and entry.pred_path is not None
    }
    preds = {pred: gold for gold, pred in partners.items()}
    rows: dict[tuple[str, str | None, str | None], list[StoredValue]] = {}
    for value in wrong:
        entry = value.verdict
        kind = entry.field.rpartition(".")[0] if value.row else ""
        gold = value.row if entry.gold_path is not None or value.row in partners else None
        pred = partners.get(value.row, None if entry.pred_path is None else value.row)
        gold = preds.get(pred or "", gold) if gold is None else gold
        rows.setdefault((kind, gold, pred), []).append(value)
    made = PageRows(_style, longest, False)
    for (kind, gold, pred), own in rows.items():
        block = VerdictBlock(RowPlace(kind, gold, pred), [value.verdict for value in own])
        made.add(block, [value.cause for value in own], False)
    return _document(id, _typed(type), made, whole=False)


def _typed(kind: str) -> str:
    """Return the member of JSON that says the type of a document, if it has one."""
    return f',"type":{quoted(kind)}' if kind else ""


def _document(
    id: str, head: str, rows: PageRows, problems: Iterable[Problem] = (), *, whole: bool = True
) -> DocumentDiff:
    """Return a document of which `head` says more than its id and its rows."""
    right, *wrong = (rows.counts[verdict] for verdict in WORDS)
    substituted, added, deleted = wrong
    exact = not rows.alone and not any(wrong)
    start = (
        f'{{"id":{quoted(id)}{head},"whole":{_TRUTH[whole]},"exact":{_TRUTH[exact]},"counts":'
        f'{{"right":{right},"substituted":{substituted},"added":{added},"deleted":{deleted}'
        f',"moved":{rows.moved},"moved_rows":{rows.moved_rows}}},"rows":['
    )
    flaws = [
        _sparse(side=problem.side, field=problem.field, message=problem.message)
        for problem in problems
    ]
    text = rows.between(start, f'],"problems":{_json(flaws)}}}' if flaws else "]}")
    verdicts = tuple([WORDS[verdict] for verdict in rows.verdicts])
    return DocumentDiff(id, text, sum(wrong), tuple(rows.fields), tuple(rows.causes), verdicts)


def _json(value: object) -> str:
    """Return plain data as JSON; a character that UTF-8 cannot carry stays as it is."""
    try:
        return _encoder.encode(value).decode()
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), ensure_ascii=False)


@lru_cache(maxsize=1 << 12)
def _head(place: RowPlace, alone: bool, moved: bool = False) -> str:
    """Return how a row begins, up to its values."""
    state = MATCHED
    if place.pred is None:
        state = WORDS[ADDITION]
    elif place.gold is None and not alone:
        state = WORDS[DELETION]
    head: DiffData = {"type": place.type, "gold": place.gold, "pred": place.pred, "state": state}
    start = _json(head | ({"moved": True} if moved else {}))[:-1]
    return f'{start},"values":['


def _frame(fields: tuple[str, ...], place: RowPlace, moved: bool) -> Frame:
    """Return the frame of two rows that stand for each other, with fields in their order."""
    framed = [_framed(at, field, place) for at, field in enumerate(fields)]
    return _head(place, False, moved), sorted(framed, key=_SECOND)


_frames = Frames(_frame, most=1 << 12)


class _FieldPlace(NamedTuple):
    """A field, its name in its row and the paths of its value on both sides."""

    field: str
    name: str
    gold_path: str
    pred_path: str

    @classmethod
    def of(cls, field: str, place: RowPlace) -> Self:
        """Take a field of rows, and where these are."""
        name = field.removeprefix(f"{place.type}.")
        gold, pred = place.starts
        return cls(field, name, gold + name if gold else field, pred + name if pred else field)


def _framed(at: int, field: str, place: RowPlace) -> Framed:
    named = _FieldPlace.of(field, place)
    head = _json({"field": named.field, "name": named.name, "verdict": _RIGHT})
    tail = _json({"gold_path": named.gold_path, "pred_path": named.pred_path})
    start = f'{head[:-1]},"gold":"'
    return at, field, start, f",{start}", f'",{tail[1:]}'


def _cut_value(block: VerdictBlock, field: str, text: str, longest: int) -> str:
    """Return a value cut that is one and the same text on both sides, as JSON."""
    named = _FieldPlace.of(field, block.place)
    value = DiffValue(
        *(field, named.name, _RIGHT, text, text, None),
        *(*_NOTHING_BETWEEN, named.gold_path, named.pred_path),
    )
    _cut(value, longest)
    value.similarity = 1.0
    return _json(value)


def _unusual_value(
    block: VerdictBlock, told: Told, cause: str | None, longest: int, alone: bool
) -> str:
    """Return a value as JSON that may be long or have marks of its own."""
    entry = Verdict(*told)
    value = _value(entry, block, cause, longest, alone=alone)
    if block.marked:
        golds, preds = map(_readings, block.groups, (block.gold, block.pred))
        if golds or preds:
            _locate(value, golds.get(entry.gold_path or ""), preds.get(entry.pred_path or ""))
    return _json(value)


def _readings(group: Group | None, path: str | None) -> Mapping[str, Reading]:
    """Return the readings of a group by path, where any has marks of its own."""
    if group is None or path is None:
        return {}
    if not [True for own in group.values.values() for reading in own if reading.origin is not None]:
        return {}
    prefix = f"{path}." if path else ""
    return {entity.path: entity.reading for entity in group.own_entities(prefix)}


def _locate(value: DiffValue, gold: Reading | None, pred: Reading | None) -> None:
    """Say of a value where it stands on pages, and what else gold accepts."""
    accepted = () if gold is None else gold.alternatives
    value.gold_at, value.pred_at = _place(gold), _place(pred)
    value.any_of = [reading.text for reading in accepted] or None


def _place(reading: Reading | None) -> DiffData | None:
    if reading is None or (reading.page is None and reading.box is None):
        return None
    return {"page": reading.page or 1, "box": None if reading.box is None else [*reading.box]}


def _value(
    entry: Verdict, block: VerdictBlock, cause: str | None, longest: int, *, alone: bool
) -> DiffValue:
    field, gold, pred = entry.field, entry.gold, entry.pred
    value = DiffValue(
        field,
        field.removeprefix(f"{block.type}.") if block.type else field,
        ALONE if alone else WORDS[entry.verdict],
        gold,
        pred,
        entry.confidence,
        *_NOTHING_BETWEEN,
        entry.gold_path,
        entry.pred_path,
    )
    cut = _cut(value, longest)
    if entry.verdict == RIGHT and gold == pred and not cut:
        return value
    value.gold_read = said_more(gold, entry.gold_read)
    value.pred_read = said_more(pred, entry.pred_read)
    if not alone:
        value.reason = entry.reason or None
    if cause:
        value.moved, value.cause = MOVED.get(cause), cause
    value.similarity = entry.similarity
    value.gold_path, value.pred_path = entry.gold_path or None, entry.pred_path or None
    return value


def _cut(value: DiffValue, longest: int) -> bool:
    """Cut texts that are longer, say how long they were, and return whether there was one."""
    gold, pred = value.gold, value.pred
    if gold is not None and len(gold) > longest:
        value.gold, value.gold_cut = gold[:longest], len(gold)
    if pred is not None and len(pred) > longest:
        value.pred, value.pred_cut = pred[:longest], len(pred)
    return value.gold_cut is not None or value.pred_cut is not None


@lru_cache(maxsize=1 << 12)
def _value_start(kind: str, field: str, verdict: str) -> str:
    """Return how a value begins, up to the text of gold; there is no verdict without gold."""
    name = field.removeprefix(f"{kind}.") if kind else field
    word = WORDS[verdict] if verdict else ALONE
    return _json({"field": field, "name": name, "verdict": word})[:-1] + ',"gold":'


def _number(value: float) -> str:
    return _encoder.encode(value).decode()


_style = PageStyle(
    ValueTexts(_number, str), _frames, MOVED, _head, _value_start, _unusual_value, _cut_value
)


def _sparse(**members: str) -> DiffData:
    """Return an object of the members that say something."""
    return {name: value for name, value in members.items() if value}


def encoded(data: object) -> bytes:
    """Return plain data as JSON, half of a surrogate pair as its escape."""
    try:
        return msgspec.json.encode(data)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(data)).encode()
