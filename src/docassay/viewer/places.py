"""Where decisions about a document would stand in gold, and which may be made.

What gold lacks is added where it belongs: to the row that stands for pred's, or at the end of a
list, after what was decided to be added before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from docassay.analysis.audit.observe import GoldDocument, tree_path
from docassay.load.patch import BOTH_FINE, LEAVE, SET, TAKE_PRED, GoldDecision
from docassay.load.patching import leaf_value, resolve, same_value, value_at
from docassay.matching.case import Case
from docassay.model.report import DiffData
from docassay.viewer.runs import OpenedDocument

_INDEX = re.compile(r"\[\d+\]$")


class Placed(NamedTuple):
    """Where a decision about a value would stand in gold, and what may be decided."""

    path: str
    was: object
    pred: object
    """What pred has there, None for nothing."""
    actions: tuple[str, ...]


class Desk:
    """The two trees of a document, to be asked where values stand in gold."""

    def __init__(
        self, document: OpenedDocument, rows: Sequence[DiffData], held: Sequence[GoldDecision]
    ) -> None:
        case: Case = document.case
        self._gold = document.raw_gold
        self._pred = case.given[1]
        self._document = GoldDocument(self._gold, case.layout)
        self._held = held
        self._partners = {row["pred"]: row["gold"] for row in rows if row["state"] == "matched"}
        self._twins = self._counted([row for row in rows if row["gold"] is None])

    def _counted(self, rows: Sequence[DiffData]) -> dict[str, int]:
        """Return how many rows of the same content come before each row that gold lacks."""
        seen: Counter[str] = Counter()
        twins: dict[str, int] = {}
        for row in rows:
            key = repr((row["type"], _plain(self._pred_row(row))))
            twins[str(row["pred"])] = seen[key]
            seen[key] += 1
        return twins

    def value_place(self, row: DiffData, value: DiffData) -> Placed | None:
        """Return where a value of a row stands, or would stand, in gold."""
        gold_path, pred_path = value.get("gold_path"), value.get("pred_path")
        if isinstance(gold_path, str):
            path = tree_path(self._document, gold_path, str(value["field"]))
            pred = self._pred_value(pred_path, value["pred"])
            actions = (TAKE_PRED, BOTH_FINE, SET, LEAVE) if pred is not None else _WITHOUT_PRED
            return Placed(path, self._gold_value(path, value["gold"]), pred, actions)
        if not isinstance(pred_path, str) or not isinstance(row["gold"], str):
            return None  # a row that gold does not have is decided about as a whole
        pred = self._pred_value(pred_path, value["pred"])
        free = self._free_path(row, value, pred_path, pred)
        return None if free is None else Placed(free, None, pred, (TAKE_PRED, SET, LEAVE))

    def row_place(self, row: DiffData) -> Placed | None:
        """Return where a row that only one side has stands, or would stand, in gold."""
        gold_path, pred_path = row["gold"], row["pred"]
        if isinstance(gold_path, str):
            was = value_at(self._gold, resolve(self._gold, gold_path))
            return None if was is None else Placed(gold_path, was, None, (TAKE_PRED, LEAVE))
        content = self._pred_row(row)
        rows_path = self._rows_path(str(pred_path))
        if not isinstance(content, Mapping) or rows_path is None:
            return None
        steps = resolve(self._gold, rows_path)
        if steps is not None and not isinstance(value_at(self._gold, steps), list):
            return None
        path = self._end_of(rows_path, content, self._twins[str(pred_path)])
        return Placed(path, None, _plain(content), (TAKE_PRED, LEAVE))

    def _pred_row(self, row: DiffData) -> object:
        return value_at(self._pred, resolve(self._pred, str(row["pred"])))

    def _rows_path(self, pred_path: str) -> str | None:
        """Return the list in gold that a row of pred would belong to."""
        parent, _, name = _INDEX.sub("", pred_path).rpartition(".")
        if not parent:
            return name
        partner = self._partners.get(parent)
        return f"{partner}.{name}" if partner else None

    def _end_of(self, list_path: str, content: object, twins: int) -> str:
        """Return where something is added to a list of gold: where it was, else at its end.

        So many others of the same content come before it.
        """
        present = value_at(self._gold, resolve(self._gold, list_path))
        end = len(present) if isinstance(present, list) else 0
        added = [each for each in self._held if _is_added(each, list_path, end)]
        same = [each.path for each in added if same_value(each.value, content)]
        return same[twins] if twins < len(same) else f"{list_path}[{end + len(added)}]"

    def _free_path(
        self, row: DiffData, value: DiffData, pred_path: str, pred: object
    ) -> str | None:
        """Return where gold could get a value, None where it has another under the same key."""
        place = str(row["gold"])
        name = _INDEX.sub("", pred_path.rpartition(".")[2] if place else pred_path)
        path = tree_path(self._document, f"{place}.{name}" if place else name, str(value["field"]))
        held = value_at(self._gold, resolve(self._gold, path))
        several = isinstance(held, list) or _INDEX.search(pred_path) is not None
        if held is not None and held != "" and not isinstance(held, list):
            return None
        if not several:
            return path
        values = row["values"]
        assert isinstance(values, list)
        own = (value["field"], value["pred"])
        before = takewhile(lambda each: each is not value, values)
        twins = sum(
            "gold_path" not in each and (each["field"], each["pred"]) == own for each in before
        )
        return self._end_of(path, pred, twins)

    def _gold_value(self, path: str, text: object) -> object:
        steps = resolve(self._gold, path)
        return text if steps is None else _plain(leaf_value(value_at(self._gold, steps)))

    def _pred_value(self, path: object, text: object) -> object:
        """Return a value of pred as it was written, else its text."""
        steps = resolve(self._pred, path) if isinstance(path, str) else None
        raw = leaf_value(value_at(self._pred, steps))
        return text if raw is None or isinstance(raw, dict | list) else raw


_WITHOUT_PRED = (TAKE_PRED, SET, LEAVE)


def _is_added(decision: GoldDecision, rows_path: str, end: int) -> bool:
    """Whether a decision adds a row at or after the end of a list."""
    if decision.action == LEAVE:
        return False
    start = f"{rows_path}["
    number = decision.path.removeprefix(start).removesuffix("]")
    return decision.path.startswith(start) and number.isdecimal() and int(number) >= end


def _plain(content: object) -> object:
    """Return a part of a tree without what is said about its values: confidences, boxes."""
    if isinstance(content, Mapping):
        bare = leaf_value(content)
        if bare is not content:
            return _plain(bare)
        return {name: _plain(part) for name, part in content.items()}
    return [_plain(part) for part in content] if isinstance(content, list) else content
