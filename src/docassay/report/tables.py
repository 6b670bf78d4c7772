"""Which columns the tables of fields, groups and slices have, in every rendering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from docassay.model.report import Report, Score
from docassay.model.schema import METHODS
from docassay.report.lines import ACCURACY, OVERALL, KeyLine

TOLD: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("causes", "effort", "entity", "kieval", "rules"), ()),
    "fields": METHODS,
}
"""Metrics whose overall readouts are told in words, all but these."""

ACCURACIES = (ACCURACY, OVERALL)


class Column(NamedTuple):
    """A column: its label, and the first of some readouts that was measured, or its support."""

    label: str
    readouts: tuple[str, ...]
    support: bool = False
    error: bool = False
    """Whether small values are the good ones."""
    unless: tuple[str, ...] = ()
    """Readouts beside which there is no room for this column."""

    def score(self, line: KeyLine) -> Score | None:
        """Return the score that a line has for this column."""
        return next((line.scores[name] for name in self.readouts if name in line.scores), None)

    def value(self, line: KeyLine) -> float | int | None:
        """Return what a line has in this column."""
        score = self.score(line)
        if score is None:
            return None
        return score.support if self.support else score.value


FIELD_COLUMNS = (
    Column("aligned", ("kieval.aligned",)),
    Column("field acc.", ACCURACIES),
    Column("F1 in rows", ("kieval.entity_f1",)),
    Column("entity F1", ("entity.f1",), unless=("kieval.entity_f1",)),
    Column("gold", ("kieval.entity_recall", "entity.recall"), support=True),
    Column("right", ("kieval.tp", "entity.tp"), unless=ACCURACIES),
    Column("≠ subst", ("kieval.substitutions",)),
    Column("+ add", ("kieval.additions",)),
    Column("− delete", ("kieval.deletions",)),
    *(
        Column(label, (f"fields.{name}",), unless=("kieval.aligned",))
        for label, name in (
            ("±", "deviation"),
            ("exact", "exact"),
            ("F1", "f1"),
            ("precision", "precision"),
            ("recall", "recall"),
        )
    ),
    Column("n", (ACCURACY,), support=True, unless=("kieval.aligned",)),
)
GROUP_COLUMNS = (
    Column("group F1", ("kieval.group_f1",)),
    Column("precision", ("kieval.group_precision",)),
    Column("recall", ("kieval.group_recall",)),
    Column("in gold", ("kieval.group_recall",), support=True),
    Column("in pred", ("kieval.group_precision",), support=True),
    Column("wholly right", ("kieval.group_tp",)),
    Column("correlation", ("fields.correlation_f1",)),
)
FIELD_CATEGORY_COLUMNS = (
    Column("accuracy", ("fields.category_accuracy",)),
    Column("scores", ("fields.category_accuracy",), support=True),
)
TYPE_COLUMNS = (
    Column("accuracy", ("fields.type_accuracy",)),
    Column("documents", ("fields.type_accuracy",), support=True),
)
CATEGORY_COLUMNS = (
    Column("gold", ("ner.oiecer", "ner.be_recall"), support=True),
    Column("CER", ("ner.cer",), error=True),
    Column("ECER", ("ner.ecer",), error=True),
    Column("OIECER", ("ner.oiecer",), error=True),
    Column("Nerval F1", ("ner.nerval_f1",)),
    Column("OINerval F1", ("ner.oinerval_f1",)),
    Column("entities F1", ("ner.be_f1",)),
)
NAME_COLUMNS = (
    Column("vrdu F1", ("vrdu.f1",)),
    Column("precision", ("vrdu.precision",)),
    Column("recall", ("vrdu.recall",)),
    Column("gold", ("vrdu.recall", "vrdu_official.recall"), support=True),
    Column("grouping loss", ("vrdu.grouping_loss",), error=True),
    Column("official F1", ("vrdu_official.f1",)),
)
RULE_COLUMNS = (
    Column("gold checked", ("rules.gold_checked",)),
    Column("gold broken", ("rules.gold_broken",)),
    Column("pred checked", ("rules.pred_checked",)),
    Column("pred broken", ("rules.pred_broken",)),
)
SLICE_COLUMNS = (
    Column("documents", ("kieval.documents_exact", OVERALL), support=True),
    *FIELD_COLUMNS,
)


def filled(lines: Sequence[KeyLine], known: Sequence[Column]) -> tuple[list[KeyLine], list[Column]]:
    """Return the lines and the columns that have something to show."""
    measured = {name for line in lines for name in line.scores}
    columns = [one for one in known if measured.intersection(one.readouts)]
    columns = [one for one in columns if measured.isdisjoint(one.unless)]
    shown = [line for line in lines if any(one.score(line) is not None for one in columns)]
    return shown, columns


def other_metrics(report: Report) -> list[tuple[str, list[Score]]]:
    """Return the overall readouts, metric by metric, that are not told in words."""
    found: dict[str, list[Score]] = {}
    for score in report.scores:
        told = score.metric in TOLD and score.readout not in TOLD[score.metric]
        if not (score.key or score.slice or told):
            found.setdefault(score.metric, []).append(score)
    return [*found.items()]
