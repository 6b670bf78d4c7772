"""What became of whole rows: missing, invented, in another place, split or merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from docassay.causes.names import INVENTED_ROW, MISSING_ROW, OTHER, SPLIT, WRONG_ROW
from docassay.causes.pairs import Pair
from docassay.causes.split import Seams
from docassay.causes.values import cause_between
from docassay.model.document import Group
from docassay.verdicts import RIGHT

STRANGERS = 2
"""Fields from which two rows can be told not to stand for each other; one may just be wrong."""


class RowCauses(NamedTuple):
    """Why rows are wrong as a whole, by the identity of their pair."""

    alone: dict[int, tuple[str, str]]
    """Of rows without a partner, or with one that is none: what became of gold's, of pred's."""
    seams: set[tuple[int, str]]
    """The fields of pairs that hold, or lack, a piece of another row."""


def row_causes(pairs: Sequence[Pair]) -> RowCauses:
    """Return what became of the rows of a document."""
    alone = [pair for pair in pairs if _is_alone(pair)]
    kept = {path: _contents(alone, path) for path in {pair.type for pair in alone}}
    wrong: dict[str, list[Pair]] = {}
    for pair in pairs:
        if any(fate.verdict != RIGHT for fate in pair.fates):
            wrong.setdefault(pair.type, []).append(pair)
    joints_of = {
        (path, gold): Seams(wrong.get(path, ()), gold=gold)
        for path in kept
        for gold in (True, False)
    }
    found = RowCauses({}, set())
    for pair in alone:
        causes = []
        for gold, usual in ((True, MISSING_ROW), (False, INVENTED_ROW)):
            own, other = (pair.gold, pair.pred) if gold else (pair.pred, pair.gold)
            joints = joints_of[pair.type, gold].of(pair)
            found.seams.update((id(one.pair), path) for one in joints for path in one.fields)
            # gold's rows are looked for among pred's, pred's among gold's
            elsewhere = kept[pair.type][1 if gold else 0]
            moved = own is not None and other is None and own.content() in elsewhere
            causes.append(SPLIT if joints else WRONG_ROW if moved else usual)
        found.alone[id(pair)] = (causes[0], causes[1])
    return found


def _contents(alone: Iterable[Pair], path: str) -> tuple[set[object], set[object]]:
    """Return what gold's and what pred's rows of a type say that have no partner."""
    rows = [pair for pair in alone if pair.type == path]
    return (
        {one.gold.content() for one in rows if one.gold is not None},
        {one.pred.content() for one in rows if one.pred is not None},
    )


def _is_alone(pair: Pair) -> bool:
    """Whether a row has no partner; a lone object that is in no list is no row."""
    if not pair.type:
        return False
    if pair.gold is not None and pair.pred is not None:
        return _in_list(pair.gold, pair.pred) and _are_strangers(pair)
    return _in_list(pair.gold, pair.pred)


def _in_list(*groups: Group | None) -> bool:
    return any(one is not None and one.index is not None for one in groups)


def _are_strangers(pair: Pair) -> bool:
    """Whether two rows have nothing right and more that is unlike than alike in common."""
    if len(pair.fates) < STRANGERS:
        return False
    if any(fate.verdict == RIGHT for one in pair.walk() for fate in one.fates):
        return False
    causes = [
        cause_between(gold, pred, fate.field)
        for fate in pair.fates
        for gold, pred in [pair.readings(fate)]
        if gold is not None and pred is not None
    ]
    return 2 * causes.count(OTHER) > len(causes)
