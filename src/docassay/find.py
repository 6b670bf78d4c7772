"""One document of two sources, found by its id and read as it would be scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from docassay.case import Case, make_case
from docassay.errors import ConfigurationError
from docassay.load.pairs import Paired, Pairing, pair, stem
from docassay.model.document import Problem
from docassay.prepare import Data, open_source, prepare, schema_of

NEAREST = 5


class Found(NamedTuple):
    """A document with its places, what is wrong with it, and how the sources were read."""

    case: Case
    gold_where: str | None
    pred_where: str | None
    """None when there is no prediction."""
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


def find_document(
    gold: Data,
    pred: Data,
    id: str,
    *,
    schema: object = None,
    gold_format: str | None = None,
    pred_format: str | None = None,
    id_key: str | None = None,
) -> Found:
    """Return the case of an id, or of a file name's stem; an unknown one names the nearest."""
    known, said = schema_of(schema, gold, format=gold_format)
    bound = prepare(schema=known)
    sources = [
        open_source(data, format=name, plan=bound.plan, id_key=id_key)
        for data, name in ((gold, gold_format), (pred, pred_format))
    ]
    pairing = pair(sources[0], sources[1])
    pairing.notes += said
    found: Paired | None = None
    ids = []
    for each in pairing:
        ids.append(each.id)
        if each.id == id or (found is None and stem(each.id) == stem(id)):
            found = each
    if found is None:
        raise _unknown(id, ids, pairing, sources[0].name)
    gold_record, pred_record = found.gold, found.pred
    case = make_case(
        found.id,
        None if gold_record is None else gold_record.tree,
        None if pred_record is None else pred_record.tree,
        bound.layouts,
    )
    return Found(
        case,
        None if gold_record is None else gold_record.where,
        None if pred_record is None else pred_record.where,
        (*(one for one in pairing.problems if one.document == found.id), *case.problems),
        tuple(pairing.notes),
    )


def _unknown(wanted: str, ids: Sequence[str], pairing: Pairing, where: str) -> ConfigurationError:
    for problem in pairing.problems:
        if problem.document == wanted:
            return ConfigurationError(f"document {wanted!r} {problem.message}", where=problem.where)
    from rapidfuzz import fuzz, process

    near = [name for name, *_ in process.extract(wanted, ids, scorer=fuzz.ratio, limit=NEAREST)]
    hint = f"the nearest of {len(ids):,}: {', '.join(near)}" if near else "gold has no documents"
    return ConfigurationError(f"there is no document {wanted!r}", where=where, hint=hint)
