"""Applying the decisions of a gold patch to trees.

All paths are those of the gold that was looked at, so decisions do not depend on each other or on
their order: a row removed from the middle of a list leaves an empty object in its place, and a
value null. A decision whose `was` is not what gold has is left out and named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import pairwise
from typing import NamedTuple

from docassay.load.naming import fold
from docassay.load.patch import BOTH_FINE, LEAVE, SHOWN, GoldDecision, GoldPatch, plain_value
from docassay.load.records import is_leaf
from docassay.load.wire import encode
from docassay.model.document import Number, TaggedText
from docassay.model.problem import Problem
from docassay.model.words import cut

_INDEX = re.compile(r"\[(\d{1,9})\]\.?")
_LAST = re.compile(r"(?P<parent>.*)\[(?P<index>\d{1,9})\]", re.DOTALL)
_JSON_NUMBER = re.compile(r"-?(0|[1-9]\d{0,4000})(\.\d+)?([eE][-+]?\d{1,9})?", re.ASCII)
Steps = tuple[str | int, ...]
"""The keys and indices from the root of a tree down to a value."""


class Refusal(NamedTuple):
    """A decision that does not fit the gold there is, and why."""

    decision: GoldDecision
    why: str


class PatchedTree(NamedTuple):
    """A tree after the decisions about it."""

    tree: object
    applied: tuple[GoldDecision, ...] = ()
    already: tuple[GoldDecision, ...] = ()
    """What the tree says already, decisions to leave a value included."""
    refused: tuple[Refusal, ...] = ()


class _Placed(NamedTuple):
    decision: GoldDecision
    steps: Steps
    fresh: bool
    """Nothing stands there yet."""


def patched(
    tree: object, decisions: Sequence[GoldDecision], *, root: str = "", keeps_any_of: bool = True
) -> PatchedTree:
    """Return a tree with what was decided about it; the tree that was given is not changed.

    `root` is the path at which the document stands in the tree. Where the result is written in a
    format without alternatives, `keeps_any_of` is False.
    """
    if not isinstance(tree, Mapping) or isinstance(tree, TaggedText):
        pathless = "documents of this format have no paths"
        return PatchedTree(tree, refused=tuple(Refusal(each, pathless) for each in decisions))
    placed: dict[Steps, _Placed] = {}
    places: dict[Steps, GoldDecision] = {}
    already: list[GoldDecision] = []
    refused: list[Refusal] = []
    for decision in decisions:
        if decision.action == LEAVE:
            already.append(decision)
            continue
        place = _place(tree, decision, f"{root}.{decision.path}" if root else decision.path)
        why = place if isinstance(place, str) else _objection(tree, place, keeps_any_of)
        if not isinstance(place, str):
            places[place.steps] = decision
        if why == "":
            already.append(decision)
        if isinstance(place, str) or why is not None:
            refused += [Refusal(decision, why)] if why else []
            continue
        placed.pop(place.steps, None)  # two spellings of one path: the later decision holds
        placed[place.steps] = place
    changes = [*_independent(placed, places, refused)]
    changes = [*_contiguous(tree, changes, refused)]
    if not changes:
        return PatchedTree(tree, (), tuple(already), tuple(refused))
    result = deepcopy(tree)
    # what is set stands before anything is removed, and lists are shortened from their ends
    for change in sorted(changes, key=_order):
        _apply(result, change)
    applied = tuple(change.decision for change in changes)
    return PatchedTree(result, applied, tuple(already), tuple(refused))


def without(tree: object, paths: Iterable[str]) -> object:
    """Return a tree without what stands at some paths; other paths mean the same as before."""
    places = {steps for path in paths if (steps := resolve(tree, path))}
    if not places:
        return tree
    result = deepcopy(tree)
    for steps in sorted(places, key=len, reverse=True):
        *around, last = steps
        holder = _at(result, tuple(around))
        if isinstance(holder, list) and isinstance(last, int):
            holder[last] = _gap(holder[last])
        elif isinstance(holder, dict):
            holder.pop(last, None)
    return result


def _gap(removed: object) -> object:
    """Return what stands in a list where something was removed: it counts as nothing."""
    return {} if isinstance(removed, Mapping) and not is_leaf(removed) else None


def _order(change: _Placed) -> tuple[bool, tuple[tuple[bool, int, str], ...]]:
    removes = change.decision.result is None
    sign = -1 if removes else 1
    keys = [
        (isinstance(step, str), 0, step) if isinstance(step, str) else (False, sign * step, "")
        for step in change.steps
    ]
    return removes, tuple(keys)


def _place(tree: object, decision: GoldDecision, path: str) -> _Placed | str:
    """Return where a decision applies, or why it does so nowhere."""
    steps = resolve(tree, path)
    if steps is not None:
        held = _at(tree, steps)
        lone = isinstance(held, list) and len(held) == 1 and _is_plain_value(held[0])
        # reports name the only value of a list without its index
        inner = (0,) if lone and not isinstance(decision.was, list) else ()
        return _Placed(decision, (*steps, *inner), fresh=False)
    fresh = _fresh_place(tree, path)
    return fresh if isinstance(fresh, str) else _Placed(decision, fresh, fresh=True)


def _objection(tree: object, place: _Placed, keeps_any_of: bool) -> str | None:
    """Return why a decision does not fit, "" where nothing is left to do, None where it fits."""
    decision = place.decision
    current = None if place.fresh else _at(tree, place.steps)
    if same_value(current, decision.was):
        if decision.action != BOTH_FINE:
            return "" if same_value(current, decision.result) else None
        if not all(map(_is_plain_value, (*_alternatives(current), decision.value))):
            return "only single values have alternatives"
        if not keeps_any_of and not _holds(current, decision.value):
            return "the format of the file cannot list several right values"
        return "" if _holds(current, decision.value) else None
    done = (
        _holds(current, decision.value)
        if decision.action == BOTH_FINE
        else same_value(current, decision.result)
    )
    if done:
        return ""
    return f"gold has {_shown(current)}, and had {_shown(decision.was)} when it was decided"


def _independent(
    placed: Mapping[Steps, _Placed], places: Mapping[Steps, GoldDecision], refused: list[Refusal]
) -> Iterator[_Placed]:
    """Yield the decisions that do not lie inside what another one is about, fitting or not."""
    for steps, place in placed.items():
        around = (steps[:length] for length in range(1, len(steps)))
        outer = next((places[each] for each in around if each in places), None)
        if outer is None:
            yield place
        else:
            why = f"{outer.path}, which it is a part of, is decided as a whole"
            refused.append(Refusal(place.decision, why))


def _contiguous(
    tree: object, changes: Sequence[_Placed], refused: list[Refusal]
) -> Iterator[_Placed]:
    """Yield the decisions but for those that would add to a list beyond its end."""
    ends: dict[Steps, int] = {}
    for change in sorted(changes, key=_order):
        *around, last = change.steps
        parent = tuple(around)
        if change.fresh and isinstance(last, int):
            held = _at(tree, parent) if _exists(tree, parent) else None
            end = ends.get(parent, len(held) if isinstance(held, list) else 0)
            if last > end:
                why = f"the list has {end:,} elements"
                refused.append(Refusal(change.decision, why))
                continue
            ends[parent] = end + 1
        yield change


def _exists(tree: object, steps: Steps) -> bool:
    try:
        _at(tree, steps)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def resolve(tree: object, path: str) -> Steps | None:
    """Return the steps down to what stands at a path, None when nothing does.

    A key may hold dots and brackets itself, and case and punctuation of keys may differ.
    """
    if not path:
        return ()
    if isinstance(tree, Mapping):
        if path.startswith("[") and is_leaf(tree) and isinstance(tree.get("value"), list):
            return _below("value", resolve(tree["value"], path))
        for key, rest in _first_keys(path):
            name = _name_in(tree, key)
            inner = None if name is None else resolve(tree[name], rest)
            if name is not None and inner is not None:
                return (name, *inner)
        return None
    index = _INDEX.match(path) if isinstance(tree, list) else None
    if index is None or not isinstance(tree, list) or int(index[1]) >= len(tree):
        return None
    return _below(int(index[1]), resolve(tree[int(index[1])], path[index.end() :]))


def _below(step: str | int, inner: Steps | None) -> Steps | None:
    return None if inner is None else (step, *inner)


def _first_keys(path: str) -> Iterator[tuple[str, str]]:
    """Yield a path as its first key and the rest, the whole path as a key first."""
    yield path, ""
    for sign in re.finditer(r"[.\[]", path):
        rest = path[sign.start() :]
        yield path[: sign.start()], rest.removeprefix(".")


def _name_in(node: Mapping[str, object], key: str) -> str | None:
    if key in node or "." in key or "[" in key:
        return key if key in node else None
    folded = fold(key)
    return next((name for name in node if folded and fold(str(name)) == folded), None)


def _fresh_place(tree: object, path: str) -> Steps | str:
    """Return where a value is to be added, or why it cannot be."""
    last = _LAST.fullmatch(path)
    if last is not None:
        around = resolve(tree, last["parent"])
        place = _fresh_place(tree, last["parent"]) if around is None else around
        if isinstance(place, str):
            return place
        held = None if around is None else _at(tree, around)
        if isinstance(held, list) or held is None:
            return (*place, int(last["index"]))
        return f"there is no list at {cut(last['parent'], SHOWN)}"
    parent, _, key = path.rpartition(".")
    around = resolve(tree, parent)
    if around is None:
        # a record with flat keys such as `vendor.name` gets another flat key
        flat = isinstance(tree, Mapping) and any(
            str(name).startswith(f"{parent.split('.')[0]}.") for name in tree
        )
        if flat or "[" in parent:
            return (path,) if flat else f"there is no {cut(parent, SHOWN)}"
        place = _fresh_place(tree, parent)
        return place if isinstance(place, str) else (*place, key)
    held = _at(tree, around)
    if isinstance(held, Mapping) and not is_leaf(held):
        return (*around, key)
    return (*around, key) if held is None else f"there is no object at {cut(parent, SHOWN)}"


def _at(tree: object, steps: Steps) -> object:
    for step in steps:
        tree = tree[step]  # type: ignore[index]
    return tree


def _apply(tree: object, change: _Placed) -> None:
    decision = change.decision
    *around, last = change.steps
    holder = _holder(tree, around, last)
    if decision.result is None:
        _remove(holder, last)
        return
    old = None if change.fresh else _at(holder, (last,))
    new = _with_alternative(old, decision.value) if decision.action == BOTH_FINE else decision.value
    if isinstance(old, dict) and is_leaf(old) and _is_plain_value(decision.value):
        kept = {name: old[name] for name in ("page", "box") if name in old}
        new = {**(new if isinstance(new, dict) else {"value": new}), **kept} if kept else new
    if isinstance(holder, list) and isinstance(last, int):
        holder[last : last + 1] = [new]
    elif isinstance(holder, dict):
        holder[str(last)] = new


def _holder(tree: object, around: Sequence[str | int], last: str | int) -> object:
    """Return what a value stands in, made if need be."""
    for step, inside in pairwise((*around, last)):
        empty: object = [] if isinstance(inside, int) else {}
        if isinstance(tree, dict) and tree.get(str(step)) is None:
            tree[str(step)] = empty
        tree = _at(tree, (step,))
    return tree


def _remove(holder: object, last: str | int) -> None:
    if isinstance(holder, list) and isinstance(last, int):
        holder[last] = _gap(holder[last])
        if last == len(holder) - 1:
            holder.pop()
    elif isinstance(holder, dict):
        holder.pop(last, None)


def _with_alternative(old: object, value: object) -> dict[str, object]:
    return {"any_of": [*_alternatives(old), value]}


def _alternatives(current: object) -> list[object]:
    """Return the values that gold accepts at a place."""
    if isinstance(current, Mapping) and "any_of" in current and is_leaf(current):
        given = current["any_of"]
        return [*given] if isinstance(given, list) else [given]
    plain = plain_value(current)
    return [] if plain is None else [plain]


def _holds(current: object, value: object) -> bool:
    return any(same_value(each, value) for each in _alternatives(current))


def _is_plain_value(value: object) -> bool:
    return not isinstance(plain_value(value), Mapping | list)


def value_at(tree: object, steps: Sequence[str | int] | None) -> object:
    """Return what stands at the end of some steps that `resolve` gave, None for no steps."""
    return None if steps is None else _at(tree, tuple(steps))


def leaf_value(raw: object) -> object:
    """Return the value of a leaf that may say more, such as where it stands on a page."""
    return raw["value"] if isinstance(raw, dict) and "value" in raw else raw


def as_written(text: str, was: object) -> object:
    """Return a text that takes the place of a value: as a number where that is one."""
    if isinstance(was, Number | int | float) and not isinstance(was, bool):
        plain = text.strip()
        if _JSON_NUMBER.fullmatch(plain):
            return int(plain) if plain.isdecimal() else Number(plain)
    return text


def same_value(left: object, right: object) -> bool:
    """Return whether two parts of a tree say the same; 1.50 and "1.50" do, and null and ""."""
    left, right = plain_value(left), plain_value(right)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(
            same_value(left[key], right[key]) for key in left
        )
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_value, left, right))
    if isinstance(left, Mapping | list) or isinstance(right, Mapping | list):
        return False
    return _scalar_text(left) == _scalar_text(right)


def _scalar_text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


def _shown(value: object) -> str:
    plain = plain_value(value)
    if plain is None:
        return "nothing"
    try:
        text = plain if type(plain) in (str, Number) else encode(plain)
    except (TypeError, UnicodeError, RecursionError):
        text = repr(plain)
    return cut(f"{text!s}", SHOWN)


class PatchUse:
    """A patch while it is applied to the documents of a run, and what became of it."""

    def __init__(self, patch: GoldPatch) -> None:
        self.patch = patch
        self.problems: list[Problem] = [*patch.flaws]
        self.applied = 0
        self._left = dict(patch.decisions)

    def __call__(self, id: str, tree: object) -> object:
        """Return the tree of a document as patched, and count what does not fit."""
        decisions = self._left.pop(id, ())
        if not decisions:
            return tree
        result = patched(tree, decisions)
        self.applied += len(result.applied)
        self.problems += [self.patch.flaw(*refusal) for refusal in result.refused]
        return result.tree

    def finish(self) -> list[Problem]:
        """Return all that did not fit, once every document was seen."""
        why = "gold has no such document"
        left = (each for decisions in self._left.values() for each in decisions)
        lost = (self.patch.flaw(each, why) for each in left if each.action != LEAVE)
        return [*self.problems, *lost]
