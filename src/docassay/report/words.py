"""What the numbers of a report mean, in words: the lines above every table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from docassay.model.report import Report, Score
from docassay.report.safe import UNDEFINED

THIS_RUN = "this run"
"""The name of a report beside others that have one."""


class Line(NamedTuple):
    """A headline number with what it says."""

    label: str
    score: Score
    meaning: str


def number(value: float | int | None) -> str:
    """Return a count with its thousands apart, a share with four decimals, or a dash."""
    if value is None:
        return UNDEFINED
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


def shown(score: Score) -> str:
    """Return a score's value, with its interval when it has one."""
    if score.low is None or score.high is None:
        return number(score.value)
    return f"{number(score.value)} [{score.low:.3f}, {score.high:.3f}]"


def count(amount: float | int | None, one: str, many: str | None = None) -> str:
    """Return an amount with its noun: "1 document", "2 documents"."""
    noun = one if amount == 1 else many or f"{one}s"
    return f"{number(amount)} {noun}"


def headline(report: Report) -> list[Line]:
    """Return the lines that say how good the predictions are, for metrics told in words."""
    return [*_kieval(report), *_entity(report), *_fields(report), *_hybrid(report)]


def _kieval(report: Report) -> Iterator[Line]:
    of = {score.readout: score for score in report.of("kieval", key="")}
    if not of:
        return
    kinds = ", ".join(
        count(of[f"{kind}s"].value, kind) for kind in ("substitution", "addition", "deletion")
    )
    yield Line("aligned", of["aligned"], f"{count(of['corrections'].value, 'correction')}: {kinds}")
    if "weighted_aligned" in of:
        told = "the same, each field counted by its weight in the schema"
        yield Line("weighted aligned", of["weighted_aligned"], told)
    loose = {score.readout: score for score in report.of("entity", key="")}
    if loose:
        found = _found(loose["tp"], loose["recall"].support)
        yield Line("entity F1", loose["f1"], f"{found}, wherever they stand")
    found = _found(of["tp"], of["entity_recall"].support)
    yield Line("F1 in rows", of["entity_f1"], f"{found} in the right row")
    if of["group_f1"].support or of["group_precision"].support:
        whole = f"{number(of['group_tp'].value)} of {count(of['group_f1'].support, 'group')}"
        yield Line("group F1", of["group_f1"], f"{whole} wholly right")
    if of["structure_gap"].value is not None:
        yield Line("structure gap", of["structure_gap"], _gap(report, of))
    exact = of["documents_exact"]
    whole = f"{number(exact.value)} of {count(exact.support, 'document')} wholly right"
    yield Line("exact documents", exact, whole)


def _entity(report: Report) -> Iterator[Line]:
    of = {score.readout: score for score in report.of("entity", key="")}
    if of and not any(report.of("kieval", key="")):
        yield Line("F1", of["f1"], "precision and recall in one")
        predicted = count(of["precision"].support, "predicted value")
        right = f"{number(of['tp'].value)} of {predicted} right"
        yield Line("precision", of["precision"], right)
        yield Line("recall", of["recall"], _found(of["tp"], of["recall"].support))


def _fields(report: Report) -> Iterator[Line]:
    of = {score.readout: score for score in report.of("fields", key="")}
    if not of:
        return
    settings = report.settings
    accuracy, pooled = of["overall_accuracy"], of["pooled_accuracy"]
    told = f"mean of {count(accuracy.support, 'document')}, each the mean of its fields"
    yield _plain("field accuracy", accuracy, f"{told} ({settings['fields.method']})")
    by_field = of["mean_field_accuracy"]
    told = f"mean of {count(by_field.support, 'field')}, each the mean of its documents"
    yield _plain("mean of fields", by_field, told)
    yield _plain("pooled", pooled, f"mean of all {count(pooled.support, 'score')} of fields")
    if "weighted_accuracy" in of:
        told = "the same, each field counted by its weight in the schema"
        yield _plain("weighted fields", of["weighted_accuracy"], told)
    above = f"of {count(pooled.support, 'score')} are > {settings['fields.matched_above']}"
    yield _plain("fields matched", of["fields_matched"], above)
    yield _plain("coverage", of["coverage"], _predicted(of["coverage"], "in gold"))
    invented = of["hallucination_rate"]
    yield _plain("hallucination", invented, _predicted(invented, "absent in gold"))
    perfect = of["perfect_documents"]
    told = f"of {count(perfect.support, 'document')} are at least {settings['fields.perfect_from']}"
    yield _plain("perfect", perfect, told)


def _hybrid(report: Report) -> Iterator[Line]:
    of = {score.readout: score for score in report.of("hybrid", key="")}
    if of:
        weight = float(str(report.settings["hybrid.weight"]))
        right, apart = number(of["f1"].value), number(of["ned"].value)
        told = f"{weight:g} × F1 {right} + {1 - weight:g} × (1 − NED {apart})"
        yield Line("hybrid", of["score"], told)


def _plain(label: str, score: Score, meaning: str) -> Line:
    """Return a line whose interval is told in words, which leaves room beside short numbers."""
    if score.low is not None and score.high is not None:
        meaning = f"{meaning}; 95 % interval {score.low:.3f} to {score.high:.3f}"
    return Line(label, score._replace(low=None, high=None), meaning)


def _predicted(score: Score, which: str) -> str:
    if score.value is None:
        return f"no field is {which}"
    predicted = number(round(score.value * score.support))
    return f"{predicted} of {count(score.support, 'field')} {which} predicted"


def _found(right: Score, gold: int) -> str:
    return f"{number(right.value)} of {count(gold, 'gold value')} found"


def _gap(report: Report, of: dict[str, Score]) -> str:
    if of["structure_gap"].value == 0:
        return "the values found stand in the right rows"
    loose = next((s for s in report.of("entity", key="") if s.readout == "tp"), None)
    if loose is None or loose.value is None or of["tp"].value is None:
        return "what entity F1 loses to values in a wrong row"
    strays = loose.value - of["tp"].value
    return f"{count(strays, 'more value')} found, but in a wrong row"
