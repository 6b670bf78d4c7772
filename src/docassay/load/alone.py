"""Predictions without gold: a pair a prediction, whose gold side is not there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docassay.errors import DataError
from docassay.load.format import Record
from docassay.load.naming import SharedNames
from docassay.load.pairing import BROKEN, Paired, Pairing
from docassay.load.source import PYTHON, Source

NO_GOLD = "no gold"


def no_gold() -> Source:
    """Return the source of no documents at all."""
    return Source(iter(()), PYTHON, guessed=False, name=NO_GOLD)


class Alone(Pairing):
    """The predictions in their own order, each under its id, else under its number."""

    def _run(self) -> Iterator[Paired]:
        preds = [*self._pred]
        if all(record.id is None for record in preds):
            self.remark("no ids: documents are numbered in their order")
            preds = [
                record._replace(id=str(number)) for number, record in enumerate(preds, start=1)
            ]
        preds += self._unread(preds)
        rename = self._renamer(preds)
        shared = SharedNames(self.schema)
        for record in self._distinct("pred", preds, {}, lambda tree: tree):
            paired = rename(Paired(str(record.id), None, record))
            if self.schema is not None and paired.pred is not None and shared.wants_more:
                shared.add_alone(paired.pred.tree)
            yield paired
        if shared.pred and not shared.any:
            raise self._not_of_the_schema(shared)

    def _not_of_the_schema(self, shared: SharedNames) -> DataError:
        """Return the error of predictions none of whose fields the schema names."""
        from docassay.load.envelopes import root_candidate
        from docassay.load.likeness import option, side_by_side

        fields = [*shared.gold]
        root = root_candidate([pred for _, pred in shared.examples], fields)
        hint = option("--pred-root", root) if root else "--map PRED=FIELD, or another schema"
        columns = {"fields of the schema": fields, "fields of pred": [*shared.pred]}
        return DataError(
            "pred has no field that the schema names",
            where=self._sources[1].name,
            hint=f"add {hint}",
            details=side_by_side(columns),
        )

    def _unread(self, preds: Sequence[Record]) -> list[Record]:
        """Return an empty record for each answer of which nothing could be read, not even its id.

        With gold such an answer is missed where its document is; here nothing else would show it.
        """
        names = {record.id for record in preds}
        flaws = [problem for problem in self.problems if problem.code in BROKEN]
        places = (problem.where or "" for problem in flaws if problem.document not in names)
        return [Record(place.rpartition("/")[2], None, place) for place in dict.fromkeys(places)]
