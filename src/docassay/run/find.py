"""Finding one document of a run by its id, with its places and problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Unpack

from docassay.errors import ConfigurationError
from docassay.load.files import stem
from docassay.load.pairing import Paired, Pairing
from docassay.matching.case import Case, make_case
from docassay.model.problem import Problem
from docassay.run.open import Prepared, open_run
from docassay.run.options import Data, Options, ReadingArgs

NEAREST = 5


class FoundDocument(NamedTuple):
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
    settings: Mapping[str, object] | None = None,
    **options: Unpack[ReadingArgs],
) -> FoundDocument:
    """Return the case of an id, or of a file name's stem; an unknown one names the nearest."""
    return find_in(open_run(gold, pred, Options(**options, settings=settings)), id)


def find_in(prepared: Prepared, id: str) -> FoundDocument:
    """Return the case of an id in a run that is ready, or of a file name's stem."""
    pairing = prepared.pairing
    match: Paired | None = None
    ids = []
    for paired in pairing:
        ids.append(paired.id)
        # an equal id goes before an equal stem, whichever comes first
        if paired.id == id or (match is None and stem(paired.id) == stem(id)):
            match = paired
    if match is None:
        source = prepared.pred if prepared.bound.plan.without_gold else prepared.gold
        raise _unknown(id, ids, pairing, source.name)
    gold_record, pred_record = match.gold, match.pred
    case = make_case(match.id, *match.trees, prepared.bound.layouts, origin=match)
    case.tally()  # which may find that a document is too large to be matched as a whole
    own = (problem for problem in pairing.problems if problem.document == match.id)
    return FoundDocument(
        case,
        None if gold_record is None else gold_record.where,
        None if pred_record is None else pred_record.where,
        (*own, *case.problems),
        prepared.notes,
    )


def _unknown(wanted: str, ids: Sequence[str], pairing: Pairing, where: str) -> ConfigurationError:
    for problem in pairing.problems:
        if problem.document == wanted:
            return ConfigurationError(f"document {wanted!r} {problem.message}", where=problem.where)
    return unknown_document(wanted, ids, where)


def unknown_document(wanted: str, ids: Sequence[str], where: str) -> ConfigurationError:
    """Return the error of an id that no document has, with the nearest that some have."""
    from rapidfuzz import fuzz, process

    near = [name for name, *_ in process.extract(wanted, ids, scorer=fuzz.ratio, limit=NEAREST)]
    hint = f"the nearest of {len(ids):,}: {', '.join(near)}" if near else "there are no documents"
    return ConfigurationError(f"there is no document {wanted!r}", where=where, hint=hint)
