"""The scores of a report turned round: a line a field, a group type or a slice, weakest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from docassay.metrics.fields_readouts import ARROW
from docassay.model.report import DocumentLine, Report, Score

ACCURACY, OVERALL = "fields.accuracy", "fields.overall_accuracy"
"""Of a field, and of a document or a run."""
LEADING = (
    *("kieval.aligned", "entity.f1", ACCURACY, OVERALL),
    *("vrdu.f1", "vrdu.micro_f1"),
)
"""What lines of fields and of documents are sorted by: the first of these that was measured."""
BY_ACCURACY = (ACCURACY, OVERALL, *LEADING)
"""The same where field accuracy comes first."""
FIELD, GROUP, CATEGORY, TYPE, CONFUSION = "field", "group", "category", "type", "confusion"
RULE, CAUSE = "rule", "cause"
_KINDS = {
    "group_": GROUP,
    "category_": CATEGORY,
    "type_confusion": CONFUSION,
    "type_": TYPE,
}


class KeyLine(NamedTuple):
    """All scores of one key (or slice), by `metric.readout`."""

    name: str
    scores: Mapping[str, Score]

    def value(self, name: str) -> float | int | None:
        """Return a value, None when it is undefined or was not measured."""
        score = self.scores.get(name)
        return None if score is None else score.value

    @property
    def gold(self) -> int | None:
        """How many values gold has, None when no metric says so."""
        counted = ("kieval.entity_recall", "entity.recall")
        return next((self.scores[name].support for name in counted if name in self.scores), None)


def kind(score: Score) -> str:
    """Return what the key of a score names."""
    if score.metric in ("rules", "causes"):
        return RULE if score.metric == "rules" else CAUSE
    if score.metric == "fields" and score.readout == "correlation_f1":
        return GROUP
    return next((one for start, one in _KINDS.items() if score.readout.startswith(start)), FIELD)


def fields(report: Report, *, by: Sequence[str] = LEADING) -> list[KeyLine]:
    """Return a line for each field, weakest first."""
    return sorted(_by_key(report, FIELD), key=lambda line: _weakness(line, by))


def groups(report: Report) -> list[KeyLine]:
    """Return a line for each group type, weakest first."""
    leading = ("kieval.group_f1", "fields.correlation_f1")
    return sorted(_by_key(report, GROUP), key=lambda line: _weakness(line, leading))


def rules(report: Report) -> list[KeyLine]:
    """Return a line for each rule, in the order of the schema."""
    return _by_key(report, RULE)


def categories(report: Report) -> list[KeyLine]:
    """Return a line for each category of fields, weakest first."""
    return sorted(
        _by_key(report, CATEGORY), key=lambda line: _weakness(line, ("fields.category_accuracy",))
    )


def types(report: Report) -> list[KeyLine]:
    """Return a line for each document type, weakest first."""
    return sorted(
        _by_key(report, TYPE), key=lambda line: _weakness(line, ("fields.type_accuracy",))
    )


class Confused(NamedTuple):
    """Documents of one type that pred states to be of a type, right or wrong."""

    gold: str
    pred: str
    documents: int


def confusions(report: Report) -> list[Confused]:
    """Return how many documents of each type were taken for which, the right ones included."""
    found = []
    for line in _by_key(report, CONFUSION):
        gold, _, pred = line.name.partition(ARROW)
        found.append(Confused(gold, pred, int(line.value("fields.type_confusion") or 0)))
    return sorted(found)


def mistaken(report: Report) -> list[Confused]:
    """Return the types that were taken for another, most documents first."""
    wrong = [one for one in confusions(report) if one.gold != one.pred]
    return sorted(wrong, key=lambda one: (-one.documents, one.gold, one.pred))


def slices(report: Report) -> list[KeyLine]:
    """Return a line for each slice, by name."""
    found: dict[str, dict[str, Score]] = {}
    for score in report.scores:
        if score.slice and not score.key:
            found.setdefault(score.slice, {})[f"{score.metric}.{score.readout}"] = score
    return [KeyLine(name, found[name]) for name in sorted(found)]


def documents(report: Report, *, by: Sequence[str] = LEADING) -> list[DocumentLine]:
    """Return the line of each document, worst first."""

    def badness(line: DocumentLine) -> tuple[bool, float, float, str]:
        value = next((line.scores[name] for name in by if name in line.scores), None)
        corrections = line.scores.get("kieval.corrections") or 0
        return (value is None, 0 if value is None else value, -corrections, line.id)

    return sorted(report.lines, key=badness)


def columns(lines: Sequence[KeyLine]) -> list[str]:
    """Return every `metric.readout` of some lines, in the order of the report."""
    return [*dict.fromkeys(name for line in lines for name in line.scores)]


def _by_key(report: Report, wanted: str) -> list[KeyLine]:
    """Return a line a key; one key may name a field and a group, when documents differ in shape."""
    found: dict[str, dict[str, Score]] = {}
    for score in report.scores:
        if score.key and not score.slice and kind(score) == wanted:
            found.setdefault(score.key, {})[f"{score.metric}.{score.readout}"] = score
    return [KeyLine(name, scores) for name, scores in found.items()]


def _weakness(line: KeyLine, names: Sequence[str]) -> tuple[int, float, float, str]:
    """Return what sorts lines by the first readout, then those without it by the next."""
    for place, name in enumerate(names):
        score = line.scores.get(name)
        if score is not None and score.value is not None:
            return (place, score.value, -score.support, line.name)
    return (len(names), 0, 0, line.name)
