"""One document as plain data for pages: its rows side by side, what became of each value, and why.

It is made of the verdicts that the counts of a run come from, so a page cannot say anything else
than the score does. Members that say nothing (null, false, empty) are left out.
"""

from __future__ import annotations

import heapq
import json
import zlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from docassay.load.pairing import Paired
from docassay.matching.case import Case
from docassay.matching.verdicts import (
    ADDITION,
    DELETION,
    RIGHT,
    SUBSTITUTION,
    Verdict,
    VerdictBlock,
    blocks,
)
from docassay.metrics.causes import WRONG_FIELD, WRONG_ROW
from docassay.model.document import Group, Reading
from docassay.model.problem import Problem
from docassay.model.report import DiffData, KeptDiff, KeptDiffs
from docassay.run.reopen import StoredValue
from docassay.run.verdict_file import causes_by_row

WORDS = {
    RIGHT: "right",
    SUBSTITUTION: "substituted",
    ADDITION: "added",
    DELETION: "deleted",
}
"""Verdicts as pages call them: what a person would do to the prediction."""
WRONG = (WORDS[SUBSTITUTION], WORDS[ADDITION], WORDS[DELETION])
ALONE = "value"
"""The verdict of a value where there is no gold to compare with."""
MOVED = {WRONG_ROW: "row", WRONG_FIELD: "field"}
"""Causes by which a value stands somewhere else."""
MATCHED = "matched"
MOST_KEPT = 5_000
"""Documents in a page that is sent around."""
LONG = 1 << 14
"""Bytes of a diff from which on it is compressed while a run goes on."""
LONGEST_KEPT = 2_000
"""Characters of a value in such a page."""


def diff_data(
    case: Case,
    *,
    problems: Iterable[Problem] = (),
    notes: Sequence[str] = (),
    longest: int | None = None,
) -> DiffData:
    """Return a document with all its values; texts longer than `longest` are cut."""
    made = [*blocks(case, reasons=False)]
    origin = case.origin
    alone = origin is not None and origin.gold is None
    causes = {} if alone else causes_by_row(case)
    moved = {} if alone else _moved_rows(made)
    rows = [
        _row(block, causes.get(_pair_of(block), ()), longest, moved=at in moved, alone=alone)
        for at, block in enumerate(made)
    ]
    places = {
        f"{side}_where": record.where
        for side, record in (
            () if origin is None else (("gold", origin.gold), ("pred", origin.pred))
        )
        if record is not None
    }
    return _document(case.id, rows, type=case.type, alone=alone, places=places) | _sparse(
        problems=[
            _sparse(side=problem.side, field=problem.field, message=problem.message)
            for problem in (*problems, *case.problems)
        ],
        notes=[*notes],
    )


def stored_diff_data(
    id: str, values: Iterable[StoredValue], *, type: str = "", longest: int | None = None
) -> DiffData:
    """Return a document of which the wrong values alone were kept."""
    wrong = [value for value in values if value.verdict.verdict != RIGHT]
    partners = {
        _row_of(entry.gold_path): _row_of(entry.pred_path)
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
    made = [
        _row(
            VerdictBlock(kind, gold, pred, tuple(value.verdict for value in own)),
            [value.cause for value in own],
            longest,
        )
        for (kind, gold, pred), own in rows.items()
    ]
    return _document(id, made, type=type, whole=False)


def _row_of(path: str | None) -> str:
    return "" if path is None else path.rpartition(".")[0]


def _document(
    id: str,
    rows: list[DiffData],
    *,
    type: str,
    whole: bool = True,
    alone: bool = False,
    places: Mapping[str, str] | None = None,
) -> DiffData:
    counts: Counter[str] = Counter()
    for row in rows:
        for value in _values_of(row):
            counts[str(value["verdict"])] += 1
            counts["moved"] += "moved" in value
        counts["moved_rows"] += "moved" in row
    return {
        "id": id,
        **_sparse(type=type, alone=alone),
        **(places or {}),
        "whole": whole,
        "exact": not alone and not any(counts[word] for word in WRONG),
        "counts": {name: counts[name] for name in (*WORDS.values(), "moved", "moved_rows")},
        "rows": rows,
    }


def _values_of(row: DiffData) -> Sequence[DiffData]:
    values = row["values"]
    assert isinstance(values, list)
    return values


def _pair_of(block: VerdictBlock) -> tuple[int, int]:
    gold, pred = block.groups
    return id(gold), id(pred)


def _moved_rows(made: Sequence[VerdictBlock]) -> set[int]:
    """Return the places of matched rows that do not follow the order of gold.

    The longest series of rows that does so is taken to have stayed where it was.
    """
    series: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for at, block in enumerate(made):
        gold, pred = block.groups
        if gold is None or pred is None or gold.index is None or pred.index is None:
            continue
        parents = (block.type, _row_of(block.gold), _row_of(block.pred))
        series.setdefault(parents, []).append((at, pred.index))
    return {at for rows in series.values() for at in _out_of_order(rows)}


def _out_of_order(rows: Sequence[tuple[int, int]]) -> set[int]:
    ends: list[int] = []
    """The lowest last number of a rising series of each length."""
    lengths = []
    for _, number in rows:
        length = bisect_left(ends, number)
        ends[length : length + 1] = [number]
        lengths.append(length)
    stayed: set[int] = set()
    wanted = len(ends) - 1
    highest: float = float("inf")
    for (at, number), length in zip(reversed(rows), reversed(lengths), strict=True):
        if length == wanted and number < highest:
            stayed.add(at)
            wanted, highest = wanted - 1, number
    return {at for at, _ in rows} - stayed


def _row(
    block: VerdictBlock,
    causes: Sequence[str],
    longest: int | None,
    *,
    moved: bool = False,
    alone: bool = False,
) -> DiffData:
    golds, preds = (
        _readings(group, path)
        for group, path in zip(block.groups, (block.gold, block.pred), strict=True)
    )
    left = iter(causes)
    values = []
    for entry in block.verdicts:
        cause = None if alone or entry.verdict == RIGHT else next(left, None)
        value = _value(entry, block, cause, longest, alone=alone)
        if golds or preds:
            value |= _located(golds.get(entry.gold_path or ""), preds.get(entry.pred_path or ""))
        values.append(value)
    state = MATCHED
    if block.pred is None:
        state = WORDS[ADDITION]
    elif block.gold is None and not alone:
        state = WORDS[DELETION]
    return {
        "type": block.type,
        "gold": block.gold,
        "pred": block.pred,
        "state": state,
        **_sparse(moved=moved),
        "values": values,
    }


def _readings(group: Group | None, path: str | None) -> Mapping[str, Reading]:
    """Return the readings of a group by path, where any says more than its value."""
    if group is None or path is None:
        return {}
    if not any(
        reading.page is not None or reading.box is not None or reading.alternatives
        for readings in group.values.values()
        for reading in readings
    ):
        return {}
    prefix = f"{path}." if path else ""
    return {entity.path: entity.reading for entity in group.own_entities(prefix)}


def _located(gold: Reading | None, pred: Reading | None) -> DiffData:
    """Return where two values stand on pages, and what else gold accepts."""
    accepted = () if gold is None else gold.alternatives
    return _sparse(
        gold_at=_place(gold),
        pred_at=_place(pred),
        any_of=[reading.text for reading in accepted],
    )


def _place(reading: Reading | None) -> DiffData | None:
    if reading is None or (reading.page is None and reading.box is None):
        return None
    return {"page": reading.page or 1, "box": None if reading.box is None else [*reading.box]}


def _value(
    entry: Verdict, block: VerdictBlock, cause: str | None, longest: int | None, *, alone: bool
) -> DiffData:
    gold, pred = (_shortened(text, longest) for text in (entry.gold, entry.pred))
    prefix = f"{block.type}." if block.type else ""
    value: DiffData = {
        "field": entry.field,
        "name": entry.field.removeprefix(prefix),
        "verdict": ALONE if alone else WORDS[entry.verdict],
        "gold": gold,
        "pred": pred,
    }
    if entry.confidence is not None:
        value["confidence"] = entry.confidence
    if _is_plainly_right(entry) and gold == entry.gold:  # which is most values
        return {**value, "gold_path": entry.gold_path, "pred_path": entry.pred_path}
    return {
        **value,
        **_sparse(
            moved=MOVED.get(cause or ""),
            gold_read=_said_more(entry.gold, entry.gold_read),
            pred_read=_said_more(entry.pred, entry.pred_read),
            reason="" if alone else entry.reason,
            cause=cause,
            similarity=entry.similarity,
            gold_path=entry.gold_path,
            pred_path=entry.pred_path,
            gold_cut=_length_if_cut(entry.gold, longest),
            pred_cut=_length_if_cut(entry.pred, longest),
        ),
    }


def _is_plainly_right(entry: Verdict) -> bool:
    return entry.verdict == RIGHT and entry.gold == entry.pred


def _shortened(text: str | None, longest: int | None) -> str | None:
    return text if text is None or longest is None else text[:longest]


def _length_if_cut(text: str | None, longest: int | None) -> int | None:
    return len(text) if text is not None and longest is not None and len(text) > longest else None


def _said_more(text: str | None, read: str | None) -> str | None:
    """Return what a text was read as where that says more than the text."""
    if text is None or read is None or is_same_text(read, text):
        return None
    return read[:LONGEST_KEPT]


def is_same_text(read: str, text: str) -> bool:
    """Whether what a text was read as says no more than the text."""
    return read.casefold().split() == text.casefold().split()


def _sparse(**members: object) -> DiffData:
    """Return an object of the members that say something; 0 does."""
    return {
        name: value
        for name, value in members.items()
        if not (value is None or value is False or value == "" or value == [])
    }


class DiffKeeper:
    """Keeps the diffs of the worst documents while a run goes on, packed."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: list[tuple[float, int, str, KeptDiff]] = []
        self.seen = 0

    def add(self, case: Case, pair: Paired) -> None:
        """Look at a document, and keep its diff unless enough others are worse."""
        self.seen += 1
        counts = case.tally().fields.values()
        right, every = sum(tally[0] for tally in counts), sum(map(sum, counts))
        wrong = every - right
        rank = (wrong / every if every else 0.0, wrong, case.id)
        if len(self._kept) >= self._most and rank <= self._kept[0][:3]:
            return
        place = heapq.heappush if len(self._kept) < self._most else heapq.heapreplace
        place(self._kept, (*rank, kept_diff(diff_data(case, longest=LONGEST_KEPT))))

    def kept(self) -> KeptDiffs:
        """Return the diffs, the worst first."""
        worst = sorted(self._kept, key=lambda entry: (-entry[0], -entry[1], entry[2]))
        return KeptDiffs(self.seen, lambda: [diff for *_, diff in worst])


def stored_diffs(values: Iterable[StoredValue], types: Mapping[str, str]) -> Iterator[KeptDiff]:
    """Yield the diffs of some documents, by id and type, from the wrong values of a run."""
    own: dict[str, list[StoredValue]] = {id: [] for id in types}
    for value in values:
        if value.verdict.document in own:
            own[value.verdict.document].append(value)
    for id, kept in own.items():
        yield kept_diff(stored_diff_data(id, kept, type=types[id], longest=LONGEST_KEPT))


def kept_diff(diff: DiffData) -> KeptDiff:
    """Return a document packed, with what a list says about it."""
    rows = diff["rows"]
    assert isinstance(rows, list)
    wrong = [value for row in rows for value in row["values"] if value["verdict"] in WRONG]
    return KeptDiff(
        str(diff["id"]),
        len(wrong),
        _distinct(value["field"] for value in wrong),
        _distinct(value["cause"] for value in wrong if value.get("cause")),
        _distinct(value["verdict"] for value in wrong),
        _packed(encoded(diff)),
    )


def _packed(data: bytes) -> bytes:
    """Return JSON as it is kept: long ones compressed, most are not worth the time."""
    return zlib.compress(data, 1) if len(data) > LONG else data


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def encoded(data: object) -> bytes:
    """Return plain data as JSON, half of a surrogate pair as its escape."""
    try:
        return msgspec.json.encode(data)
    except UnicodeEncodeError:
        return json.dumps(data).encode()
