"""What the numbers of `fields` mean: headline, levels, what to look at next, charts, checklist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from docassay.metrics.fields.levels import (
    FULLY_CORRECT,
    HEADLINE,
    Lead,
    document_levels,
    documents,
    drawn_thresholds,
    field_level,
    field_thresholds,
    lead,
    readiness,
    thresholds,
)
from docassay.metrics.metric import View
from docassay.model.chart import (
    LEVELS,
    Bar,
    Bars,
    Confusion,
    Dashboard,
    HeatMap,
    Histogram,
    LaterPicture,
    Threshold,
)
from docassay.model.report import (
    FIELD,
    GROUP,
    LOWER,
    CsvColumn,
    HeadlineLine,
    ReadoutSpec,
    Score,
    Section,
    SectionTable,
    Sentence,
    SupportColumn,
    hidden,
)
from docassay.model.schema import METHODS
from docassay.model.words import count, number

CATEGORY, TYPE, CONFUSION = "field category", "document type", "type confusion"
MOST = 5
MOST_DOCUMENTS = 60
"""Columns of a heat map; of more documents the worst are shown."""
_BESIDE = ("aligned",)
"""With corrections by kind in the table there is no room for more of a field's means."""

SPECS = (
    ReadoutSpec(
        "accuracy",
        label="field acc.",
        column=20,
        support=SupportColumn(96, "n", _BESIDE),
        csv=(
            CsvColumn(1, "mean"),
            CsvColumn(3, "low", "low"),
            CsvColumn(4, "high", "high"),
            CsvColumn(5, "n", "support"),
        ),
    ),
    ReadoutSpec(
        "overall_accuracy",
        label="field acc.",
        column=21,
        support=SupportColumn(1, "documents"),
        short="field_accuracy",
        meaning="mean over documents of the mean over their fields",
    ),
    ReadoutSpec(
        "deviation",
        better=None,
        label="±",
        column=91,
        unless=_BESIDE,
        csv=(CsvColumn(2, "standard_deviation"),),
    ),
    ReadoutSpec("exact", label="exact", column=92, unless=_BESIDE, listed=True),
    ReadoutSpec("f1", label="F1", column=93, unless=_BESIDE, listed=True),
    ReadoutSpec(
        "precision", label="precision", column=94, unless=_BESIDE, csv=(CsvColumn(6, "precision"),)
    ),
    ReadoutSpec("recall", label="recall", column=95, unless=_BESIDE, csv=(CsvColumn(7, "recall"),)),
    *(
        ReadoutSpec(name, column=None, listed=True)
        for name in METHODS
        if name not in ("exact", "f1", "correlation_f1")
    ),
    ReadoutSpec("correlation_f1", GROUP, label="correlation", column=70, listed=True),
    ReadoutSpec(
        "category_accuracy",
        CATEGORY,
        label="accuracy",
        column=10,
        support=SupportColumn(20, "scores"),
    ),
    ReadoutSpec(
        "type_accuracy", TYPE, label="accuracy", column=10, support=SupportColumn(20, "documents")
    ),
    *hidden("type_confusion", kind=CONFUSION),
    *hidden(
        *("total_fields", "fields_evaluated", "fields_extracted", "fields_matched"),
        *("absent_agreed", "perfect_documents"),
    ),
    *hidden(
        *("mean_field_accuracy", "pooled_accuracy", "weighted_accuracy"),
        kind=FIELD,
        unit="share",
    ),
    ReadoutSpec(
        "coverage",
        column=None,
        short="coverage",
        meaning="share of the fields in gold that are predicted",
    ),
    ReadoutSpec(
        "hallucination_rate",
        better=LOWER,
        column=None,
        short="hallucination_rate",
        meaning="share of the fields absent in gold that are predicted",
    ),
)


def accuracies(view: View) -> Iterator[tuple[str, float]]:
    """Yield the id and the accuracy of each document that has one."""
    every = view.document_scores(documents)
    return ((own.id, own.score) for own in every if own.score is not None)


def facts(view: View) -> Mapping[str, object]:
    """Return the summary that evaluation scripts of extraction teams write."""
    from docassay.metrics.fields.summary import summary

    return {"summary": summary(view.scores, accuracies(view), view.context.schema)}


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield what the accuracies are means of, what was predicted of what, and whole documents."""
    scores, options = view.overall(), view.context.options
    accuracy, pooled = scores["overall_accuracy"], scores["pooled_accuracy"]
    by_field, perfect = scores["mean_field_accuracy"], scores["perfect_documents"]
    hallucinated, coverage = scores["hallucination_rate"], scores["coverage"]
    of_documents = f"mean of {count(accuracy.support, 'document')}, each the mean of its fields"
    of_fields = f"mean of {count(by_field.support, 'field')}, each the mean of its documents"
    rows = [
        ("field accuracy", accuracy, f"{of_documents} ({options['method']})"),
        ("mean of fields", by_field, of_fields),
        ("pooled", pooled, f"mean of all {count(pooled.support, 'score')} of fields"),
    ]
    if "weighted_accuracy" in scores:
        weighted = "pooled, each field counted by its weight in the schema"
        rows.append(("pooled, weighted", scores["weighted_accuracy"], weighted))
    above = f"of {count(pooled.support, 'score')} are > {options['matched_above']}"
    rows += [
        ("fields matched", scores["fields_matched"], above),
        ("coverage", coverage, _predicted(coverage, "in gold")),
        ("hallucination", hallucinated, _predicted(hallucinated, "absent in gold")),
    ]
    if HEADLINE not in view.others:
        rows.append(("documents", perfect, f"of {number(perfect.support)} {FULLY_CORRECT}"))
    for place, (label, score, meaning) in enumerate(rows, start=200):
        yield HeadlineLine(label, score.readout, meaning, place)


def _predicted(score: Score, which: str) -> str:
    if score.value is None:
        return f"no field is {which}"
    predicted = number(round(score.value * score.support))
    return f"{predicted} of {count(score.support, 'field')} {which} predicted"


def sections(view: View) -> Iterator[Section]:
    """Yield readiness and levels for the summary, and types that were taken for another."""
    leading = lead(view)
    value = leading.overall.value
    verdict = "No field could be scored, so there is nothing to hold against the thresholds."
    if value is not None:
        level = readiness(value, view.context.options)
        verdict = f"{leading.word.capitalize()} {number(value)} is {level}."
    yield Section("Readiness", (verdict,), summary_only=True)
    yield _levels(leading, view.context.options)
    yield from _weak_fields(leading)
    yield from _weak_documents(leading)
    wrong = mistaken(view)
    if wrong:
        rows = tuple((gold, pred, number(amount)) for gold, pred, amount in wrong)
        table = SectionTable(("gold type", "taken for", "documents"), rows, "nnr")
        yield Section("document types taken for another", tables=(table,))


def _levels(leading: Lead, options: Mapping[str, object]) -> Section:
    """Return the fields by level."""
    by_level: dict[str, list[str]] = {level: [] for level in LEVELS}
    for score in leading.fields:
        if score.value is not None:
            by_level[field_level(score.value, options)].append(score.key)
    bounds = field_thresholds(options)
    reach = (*(f"at least {edge.least:.2f}" for edge in bounds), f"below {bounds[-1].least:.2f}")
    rows = tuple(
        (level, bound, number(len(by_level[level])), tuple(by_level[level]))
        for level, bound in zip(LEVELS, reach, strict=True)
    )
    table = SectionTable(("level", leading.word, "fields", "weakest first"), rows, "llrl")
    return Section("Fields by level", tables=(table,), summary_only=True)


def _weak_fields(leading: Lead) -> Iterator[Section]:
    weak = [score for score in leading.fields if score.value is not None and score.value < 1][:MOST]
    rows = tuple((score.key, number(score.value), number(score.support)) for score in weak)
    if rows:
        table = SectionTable(("weakest field", leading.word, leading.unit), rows, "nrr")
        yield Section("Weakest fields", tables=(table,), summary_only=True)


def _weak_documents(leading: Lead) -> Iterator[Section]:
    worst = [document for document in leading.weakest(MOST) if document.score < 1]
    rows = tuple(
        (document.id, (document.type,) if document.type else (), number(document.score))
        for document in worst
    )
    if rows:
        table = SectionTable(("worst document", "type", leading.word), rows, "nlr")
        yield Section("Worst documents", tables=(table,), summary_only=True)


def confusions(view: View) -> list[tuple[str, str, int]]:
    """Return how many documents of each type were taken for which, the right ones included."""
    scores = view.by_key("type_confusion").values()
    return sorted((*_pair(score), int(score.value or 0)) for score in scores)


def _pair(score: Score) -> tuple[str, str]:
    gold, pred = score.parts
    return gold, pred


def mistaken(view: View) -> list[tuple[str, str, int]]:
    """Return the types that were taken for another, most documents first."""
    wrong = [row for row in confusions(view) if row[0] != row[1]]
    return sorted(wrong, key=lambda row: (-row[2], row[0], row[1]))


def checklist(view: View) -> Iterator[Section]:
    """Yield what stands between the run and its thresholds."""
    options, leading = view.context.options, lead(view)
    exact = leading.exact
    boxes: list[Sentence] = [
        f"{name}: {_against(leading.overall.value, least)}" for name, least in thresholds(options)
    ]
    whole = f"{number(exact.value)} of {count(exact.support, 'document')}"
    boxes.append(f"documents: {whole} {FULLY_CORRECT}")
    yield Section("Overall", tuple(boxes))
    bound = field_thresholds(options)[0]
    below = f"A field is ready from {bound.name} ({bound.least:.2f}) on."
    yield Section(
        "Fields, weakest first",
        tuple(_box(score, bound.least, leading, options) for score in leading.fields),
        below=(below,),
    )


def _box(score: Score, least: float, leading: Lead, options: Mapping[str, object]) -> Sentence:
    level = "" if score.value is None else f", {field_level(score.value, options)}"
    amount = count(0 if score.value is None else score.support, leading.unit.removesuffix("s"))
    return ("", score.key, f": {_against(score.value, least)}{level} ({amount})")


def _against(value: float | None, least: float) -> str:
    """Return a number beside its threshold, in words."""
    if value is None:
        return f"undefined, nothing to hold against {least:.2f}"
    reached = "reached" if value >= least else "not reached"
    return f"{reached}, {number(value)} against {least:.2f}"


def pictures(view: View) -> Iterator[LaterPicture]:
    """Yield the charts that the scores have the numbers for."""
    leading = lead(view)
    bars, board = partial(field_bars, leading, view), partial(dashboard, leading, view)
    yield LaterPicture("field-accuracy", Bars, bars, (FIELD,))
    yield LaterPicture("dashboard", Dashboard, board, (CATEGORY, TYPE))
    yield LaterPicture("document-scores", Histogram, partial(histogram, leading, view))
    yield LaterPicture("field-by-document", HeatMap, partial(heat_map, leading))
    if confusions(view):
        yield LaterPicture("type-confusion", Confusion, partial(confusion, view))


def field_bars(leading: Lead, view: View) -> Bars:
    """Return the score of each field, weakest first."""
    documents = count(view.context.documents, "document")
    return Bars(
        f"{leading.word.capitalize()} by field, {documents}",
        _bars(leading.fields, view),
        drawn_thresholds(view.context.options),
        f"{leading.word} over all documents; lines: 95 % interval; n: {leading.unit}",
    )


def _bars(scores: Sequence[Score], view: View) -> tuple[Bar, ...]:
    return tuple(
        Bar(
            score.key,
            score.value,
            score.low,
            score.high,
            score.support,
            field_level(score.value, view.context.options),
        )
        for score in scores
        if score.value is not None
    )


def histogram(leading: Lead, view: View) -> Histogram:
    """Return the scores of all documents."""
    values = tuple(document.score for document in leading.documents())
    bounds = thresholds(view.context.options)
    return Histogram(
        f"{leading.word.capitalize()} of {count(len(values), 'document')}",
        values,
        leading.overall.value,
        tuple(Threshold(name.replace("_", " "), least) for name, least in bounds),
        f"{leading.word} of a document",
        f"{leading.word} of all",
    )


def heat_map(leading: Lead) -> HeatMap:
    """Return the score of every field in every document, of many documents the worst."""
    shown = leading.worst(MOST_DOCUMENTS)
    every = sum(1 for _ in leading.documents())
    which = count(len(shown), "document")
    if every > len(shown):
        which = f"the worst {len(shown)} of {count(every, 'document')}"
    rows = [
        score.key
        for score in leading.fields
        if any(document.fields.get(score.key) is not None for document in shown)
    ]
    return HeatMap(
        f"{leading.word.capitalize()} by field and document, {which}",
        tuple(rows),
        tuple(document.id for document in shown),
        tuple(tuple(document.fields.get(row) for document in shown) for row in rows),
        leading.word,
    )


def confusion(view: View) -> Confusion:
    """Return how many documents of each type were taken for which."""
    amounts = {(gold, pred): amount for gold, pred, amount in confusions(view)}
    golds = sorted({gold for gold, _ in amounts})
    preds = sorted({pred for _, pred in amounts} | {*golds})
    return Confusion(
        f"Document types, {count(view.context.documents, 'document')}",
        tuple(golds),
        tuple(preds),
        tuple(tuple(amounts.get((gold, pred), 0) for pred in preds) for gold in golds),
    )


def dashboard(leading: Lead, view: View) -> Dashboard:
    """Return a score over documents, by category and type, and documents by level."""
    options = view.context.options
    documents = sorted(leading.documents(), key=lambda document: document.id)
    return Dashboard(
        f"{count(view.context.documents, 'document')}, {leading.word}",
        tuple(document.score for document in documents),
        (
            ("Categories of fields", _bars(leading.by_category(), view)),
            ("Document types", _bars(leading.by_type(), view)),
        ),
        tuple(document_levels(documents, options).items()),
        tuple(drawn_threshold._replace(name="") for drawn_threshold in drawn_thresholds(options)),
        leading.word,
    )
