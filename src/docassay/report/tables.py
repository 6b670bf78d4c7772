"""Which columns the tables of fields, groups and slices have, in every rendering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from docassay.model.report import Report, Score
from docassay.report.lines import KeyLine

TOLD = frozenset({"entity", "kieval"})
"""Metrics whose overall readouts the headline tells in words."""


class Column(NamedTuple):
    """A column: its label, and the first of some readouts that was measured, or its support."""

    label: str
    readouts: tuple[str, ...]
    support: bool = False
    error: bool = False
    """Whether small values are the good ones."""

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
    Column("entity F1", ("kieval.entity_f1", "entity.f1")),
    Column("gold", ("kieval.entity_recall", "entity.recall"), support=True),
    Column("right", ("kieval.tp", "entity.tp")),
    Column("≠ subst", ("kieval.substitutions",)),
    Column("+ add", ("kieval.additions",)),
    Column("− delete", ("kieval.deletions",)),
)
GROUP_COLUMNS = (
    Column("group F1", ("kieval.group_f1",)),
    Column("precision", ("kieval.group_precision",)),
    Column("recall", ("kieval.group_recall",)),
    Column("in gold", ("kieval.group_recall",), support=True),
    Column("in pred", ("kieval.group_precision",), support=True),
    Column("wholly right", ("kieval.group_tp",)),
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
SLICE_COLUMNS = (
    Column("documents", ("kieval.documents_exact",), support=True),
    *FIELD_COLUMNS,
)


def filled(lines: Sequence[KeyLine], known: Sequence[Column]) -> tuple[list[KeyLine], list[Column]]:
    """Return the lines and the columns that have something to show."""
    columns = [one for one in known if any(one.score(line) is not None for line in lines)]
    shown = [line for line in lines if any(one.score(line) is not None for one in columns)]
    return shown, columns


def other_metrics(report: Report) -> list[tuple[str, list[Score]]]:
    """Return the overall readouts of every metric that the headline does not tell in words."""
    found: dict[str, list[Score]] = {}
    for score in report.scores:
        if not score.key and not score.slice and score.metric not in TOLD:
            found.setdefault(score.metric, []).append(score)
    return [*found.items()]
