"""The review loop: decisions about gold, appended to a patch, and what they do to the score.

Gold itself is never written. A decision is checked before it is kept: it must fit the gold there
is, and taking pred's value must make that value right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import msgspec

from docassay.analysis.audit.observe import GoldDocument, tree_path
from docassay.errors import ConfigurationError, DataError, DocassayError, FileError
from docassay.load.files import numbered_lines
from docassay.load.patch import (
    BOTH_FINE,
    LEAVE,
    REMOVE,
    SET,
    TAKE_PRED,
    GoldDecision,
    GoldPatch,
    append_decision,
    decision_of,
    load_patch,
)
from docassay.load.patching import (
    as_written,
    leaf_value,
    patched,
    resolve,
    same_value,
    value_at,
)
from docassay.load.wire import decode
from docassay.matching.case import Case
from docassay.model.report import DiffData
from docassay.report.diff_data import WRONG
from docassay.run.score import Row
from docassay.viewer.index import DocumentEntry, StoredSuspect
from docassay.viewer.runs import Memory, OpenedDocument, ViewedRun, lines_of

SUBSTITUTED, ADDED, DELETED = WRONG
ACTIONS = (TAKE_PRED, BOTH_FINE, SET, LEAVE)
LONGEST_WHY = 2_000
REMEMBERED = 10_000
"""Documents with decisions whose rows are remembered."""
MOST_UNFIT = 100
_INDEX = re.compile(r"\[\d+\]$")
NO_DECISIONS: tuple[GoldDecision, ...] = ()


class Unfit(ConfigurationError):  # noqa: N818 - reads as a statement about a decision
    """A decision that does not fit the gold there is."""


class AskedDecision(msgspec.Struct, forbid_unknown_fields=True):
    """What a browser asks to be written down."""

    document: str
    action: str
    gold: str | None = None
    """The path of the value, or row, in gold; None where gold has none."""
    pred: str | None = None
    row: bool = False
    value: str | None = None
    why: str = ""


class Review:
    """Decisions of a patch file, for all runs that are looked at."""

    def __init__(self, file: Path, reviewer: str, *, now: Callable[[], str]) -> None:
        self.file = file
        self.reviewer = reviewer
        self._now = now
        self._lock = Lock()
        self._read: tuple[tuple[int, int], GoldPatch] | None = None
        self._rows: Memory[_Outcome | None] = Memory(REMEMBERED)

    def patch(self) -> GoldPatch:
        """Return the decisions that hold, read again where the file has changed."""
        try:
            facts = self.file.stat()
        except OSError:
            return GoldPatch(str(self.file), {})
        stamp = (facts.st_size, facts.st_mtime_ns)
        if self._read is None or self._read[0] != stamp:
            decisions = load_patch([*_decisions(self.file)]).decisions
            self._read = stamp, GoldPatch(str(self.file), decisions)
        return self._read[1]

    def decided(self) -> list[str]:
        """Return the ids of documents with decisions."""
        return [*self.patch().decisions]

    def diff(self, run: ViewedRun, entry: DocumentEntry) -> DiffData:
        """Return a document with the decisions about its values, and which may be made."""
        diff = run.diff(entry)
        document = run.opened(entry)
        decisions = self.patch().decisions.get(entry.id, NO_DECISIONS)
        suspects = {each.path: each for each in run.index.suspects(entry.n)}
        rows = diff["rows"]
        assert isinstance(rows, list)
        desk = None
        if document is not None and not run.header.plan.without_gold:
            desk = _Desk(document, rows, decisions)
        for row in rows:
            if desk is not None and row["state"] != "matched":
                _annotate(row, desk.row_place(row), decisions, suspects)
            for value in row["values"]:
                place = None if desk is None else desk.value_place(row, value)
                if value["verdict"] in WRONG or (place is not None and place.path in suspects):
                    _annotate(value, place, decisions, suspects)
        return {**diff, "reviewable": desk is not None}

    def decide(self, run: ViewedRun, entry: DocumentEntry, asked: AskedDecision) -> None:
        """Write a decision down; one that does not fit raises Unfit."""
        if asked.action not in ACTIONS:
            raise ConfigurationError(f"there is no action {asked.action!r}")
        if len(asked.why) > LONGEST_WHY:
            raise ConfigurationError(f"why has more than {LONGEST_WHY:,} characters")
        document = run.opened(entry)
        if document is None or run.header.plan.without_gold:
            raise Unfit("gold of the document is not there")
        rows = run.diff(entry)["rows"]
        assert isinstance(rows, list)
        with self._lock:
            held = self.patch().decisions.get(entry.id, NO_DECISIONS)
            place = _asked_place(_Desk(document, rows, held), rows, asked)
            if asked.action not in place.actions:
                raise Unfit(f"{asked.action} cannot be said of it")
            decision = self._decision(document.row.id, place, asked)
            _check(run, entry, document, _joined(run.decided(entry.id), held), decision)
            try:
                append_decision(self.file, decision)
            except FileError as error:
                hint = "--patch FILE keeps decisions elsewhere"
                raise FileError(error.what, where=error.where, hint=hint) from None

    def _decision(self, id: str, place: Placed, asked: AskedDecision) -> GoldDecision:
        action, value = asked.action, None
        if action == TAKE_PRED:
            action = TAKE_PRED if place.pred is not None else REMOVE
            value = place.pred
        elif action == BOTH_FINE:
            value = place.pred
        elif action == SET:
            if not asked.value:
                raise Unfit("no value is given")
            value = as_written(asked.value, place.was)
        why = asked.why.strip()
        return GoldDecision(
            id, place.path, action, place.was, value, self.reviewer, self._now(), why
        )

    def data(self, run: ViewedRun, headline: Sequence[Mapping[str, object]]) -> DiffData:
        """Return the scores of a run as they are and with the decisions, and what did not fit."""
        patch = self.patch()
        changes: list[tuple[Row, Row]] = []
        unfit: list[DiffData] = []
        for id, decisions in patch.decisions.items():
            entry = run.index.entry(id)
            outcome = None if entry is None else self._outcome(run, entry, decisions)
            if entry is None or outcome is None:
                missing = "the run has no such document" if entry is None else "gold is not there"
                refusals = [(each, missing) for each in decisions if each.action != LEAVE]
            else:
                changes.append((run.row(entry), outcome.row))
                refusals = [(each, why) for each, why in outcome.refused if each in decisions]
            unfit += [{"document": id, "path": each.path, "why": why} for each, why in refusals]
        before, after = run.scores(()), run.scores(changes)
        return {
            "file": str(self.file),
            "reviewer": self.reviewer,
            "decisions": len(patch),
            "unfit": unfit[:MOST_UNFIT],
            "scores": [
                {name: line[name] for name in ("address", "label", "unit", "better")}
                | {
                    "as_is": before.get(str(line["address"])),
                    "with_decisions": after.get(str(line["address"])),
                }
                for line in headline
                if line["label"]
            ],
        }

    def _outcome(
        self, run: ViewedRun, entry: DocumentEntry, decisions: Sequence[GoldDecision]
    ) -> _Outcome | None:
        every = _joined(run.decided(entry.id), decisions)
        key = (run.key, entry.n, lines_of(every))
        return self._rows.recall(key, lambda: _rescored(run, entry, every))


class _Outcome(NamedTuple):
    row: Row
    refused: tuple[tuple[GoldDecision, str], ...]


def _rescored(
    run: ViewedRun, entry: DocumentEntry, decisions: tuple[GoldDecision, ...]
) -> _Outcome | None:
    """Return the row of a document with decisions, and those that do not fit."""
    trees = run.index.trees(entry.n)
    row = run.rescored(entry, decisions)
    if trees is None or row is None:
        return None
    refused = patched(trees.gold, decisions).refused
    return _Outcome(row, tuple((each.decision, each.why) for each in refused))


def _decisions(file: Path) -> Iterator[GoldDecision]:
    """Yield the decisions of a patch; lines that state none are left to `score` to name."""
    try:
        for number, line in numbered_lines(file):
            try:
                yield decision_of(decode(line, f"{file}:{number}").tree)
            except DataError:
                continue
    except DocassayError:
        return


def _joined(
    earlier: Iterable[GoldDecision], later: Iterable[GoldDecision]
) -> tuple[GoldDecision, ...]:
    latest = {each.path: each for each in earlier}
    for each in later:
        latest.pop(each.path, None)
        latest[each.path] = each
    return tuple(latest.values())


class Placed(NamedTuple):
    """Where a decision about a value would stand in gold, and what may be decided."""

    path: str
    was: object
    pred: object
    """What pred has there, None for nothing."""
    actions: tuple[str, ...]


class _Desk:
    """The two trees of a document, to be asked where values stand in gold."""

    def __init__(
        self, document: OpenedDocument, rows: Sequence[DiffData], held: Sequence[GoldDecision]
    ) -> None:
        case: Case = document.case
        self._gold = document.raw_gold
        self._pred = case.given[1]
        self._document = GoldDocument(self._gold, case.layout)
        self._rows = rows
        self._held = held
        self._partners = {row["pred"]: row["gold"] for row in rows if row["state"] == "matched"}

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
        before = self._rows[: self._rows.index(row)]
        alone = [each for each in before if each["gold"] is None and each["type"] == row["type"]]
        twins = sum(same_value(self._pred_row(each), content) for each in alone)
        path = self._end_of(rows_path, content, twins)
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
        before = values[: values.index(value)]
        alone = [each for each in before if "gold_path" not in each]
        twins = sum(
            (each["field"], each["pred"]) == (value["field"], value["pred"]) for each in alone
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


def _annotate(
    shown: DiffData,
    place: Placed | None,
    decisions: Sequence[GoldDecision],
    suspects: Mapping[str, StoredSuspect],
) -> None:
    """Add to a value or row what may be decided, what was decided, and whether it is suspect."""
    if place is None:
        return
    shown["actions"] = [*place.actions]
    decision = next((each for each in decisions if each.path == place.path), None)
    if decision is not None:
        facts = ("action", "value", "who", "when", "why")
        shown["decision"] = {name: getattr(decision, name) for name in facts}
    suspect = suspects.get(place.path)
    if suspect is not None:
        shown["suspect"] = {
            "score": suspect.score,
            "evidence": [*suspect.evidence],
            "proposal": suspect.proposed,
        }


def _asked_place(
    desk: _Desk,
    rows: Sequence[DiffData],
    asked: AskedDecision,
) -> Placed:
    """Return where the value or row that was asked about stands."""
    for row in rows:
        if asked.row:
            if row["state"] != "matched" and (row["gold"], row["pred"]) == (asked.gold, asked.pred):
                place = desk.row_place(row)
                if place is None:
                    raise Unfit("the row cannot be decided about as a whole")
                return place
            continue
        values = row["values"]
        assert isinstance(values, list)
        for value in values:
            if (value.get("gold_path"), value.get("pred_path")) == (asked.gold, asked.pred):
                place = desk.value_place(row, value)
                if place is None:
                    raise Unfit("gold has no place for the value; decide about its row")
                return place
    raise Unfit("the document has no such value")


def _check(
    run: ViewedRun,
    entry: DocumentEntry,
    document: OpenedDocument,
    held: Sequence[GoldDecision],
    decision: GoldDecision,
) -> None:
    """Refuse a decision that does not fit, or that does not do what it says."""
    others = tuple(each for each in held if each.path != decision.path)
    together = patched(document.raw_gold, [*others, decision])
    unfit = [each.decision.path for each in patched(document.raw_gold, held).refused]
    for refused, why in together.refused:
        if refused is decision:
            raise Unfit(why)
        if refused.path not in unfit:
            raise Unfit(f"the decision about {refused.path} rests on the earlier one")
    if decision.action in (SET, LEAVE):
        return
    # by itself or beside the others: another one may have settled the document's type
    if not any(
        _is_fewer(run.wrong_with(entry, (*beside, decision)), run.wrong_with(entry, beside))
        for beside in (others, NO_DECISIONS)
    ):
        raise Unfit(
            "the decision would not make the value right", hint="correct gold in its own file"
        )


def _is_fewer(after: int | None, before: int | None) -> bool:
    return after is None or before is None or after < before
