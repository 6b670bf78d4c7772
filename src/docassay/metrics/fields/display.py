"""What the numbers of `fields` mean: headline, levels, what to look at next, charts, checklist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from docassay.metrics.fields.levels import (
    PERFECT,
    document_levels,
    drawn_thresholds,
    field_level,
    field_thresholds,
    readiness,
    share,
    thresholds,
)
from docassay.metrics.fields.readouts import DOCUMENTS, FIELDS
from docassay.metrics.fields.summary import summary
from docassay.metrics.metric import DocumentFacts, OwnRow, View
from docassay.model.chart import (
    LEVELS,
    Bar,
    Bars,
    Confusion,
    Dashboard,
    HeatMap,
    Histogram,
    Picture,
    Threshold,
)
from docassay.model.report import (
    FIELD,
    GROUP,
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
from docassay.model.stats import PARTS, Stats, parts_table, ratio, text_table
from docassay.model.words import count, in_words, number

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
        *("mean_field_accuracy", "pooled_accuracy", "weighted_accuracy", "coverage"),
        "hallucination_rate",
        kind=FIELD,
        unit="share",
    ),
)


def documents(stats: Stats) -> DocumentFacts:
    """Return the accuracy of each field of a document, and the type that pred states."""
    pair = next(iter(parts_table(stats, "confusion")), ("", ""))
    return DocumentFacts(_field_scores(stats), pair[-1], _accuracy(stats))


_ACCURACY, _SCORED = FIELDS.index("accuracy"), FIELDS.index("scored")
_DOCUMENT_ACCURACY, _DOCUMENT_SCORED = DOCUMENTS.index("accuracy"), DOCUMENTS.index("scored")


def _field_scores(stats: Stats) -> dict[str, float | None]:
    """Return the accuracy of each field of a document, None for one that was not scored."""
    return {
        path: ratio(counts[_ACCURACY], counts[_SCORED] * PARTS)
        for path, counts in text_table(stats, "fields").items()
    }


def _accuracy(stats: Stats) -> float | None:
    counts = text_table(stats, "documents").get("", ())
    return counts[_DOCUMENT_ACCURACY] / PARTS if counts and counts[_DOCUMENT_SCORED] else None


def accuracies(view: View) -> dict[str, float]:
    """Return the accuracy of each document that has one, by id."""
    return {row.id: value for row in view.rows() if (value := _accuracy(row.stats)) is not None}


def facts(view: View) -> Mapping[str, object]:
    """Return the summary that evaluation scripts of extraction teams write."""
    return {"summary": summary(view.scores, accuracies(view), view.context.schema)}


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield what the accuracies are means of, what was predicted of what, and perfect documents."""
    scores, options = view.overall(), view.context.options
    accuracy, pooled = scores["overall_accuracy"], scores["pooled_accuracy"]
    by_field, perfect = scores["mean_field_accuracy"], scores["perfect_documents"]
    invented, coverage = scores["hallucination_rate"], scores["coverage"]
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
    least = f"of {count(perfect.support, 'document')} are at least {options['perfect_from']}"
    rows += [
        ("fields matched", scores["fields_matched"], above),
        ("coverage", coverage, _predicted(coverage, "in gold")),
        ("hallucination", invented, _predicted(invented, "absent in gold")),
        ("perfect", perfect, least),
    ]
    for place, (label, score, meaning) in enumerate(rows, start=200):
        note = f"{meaning}{in_words(score.low, score.high)}"
        yield HeadlineLine(label, score.readout, note, place)


def _predicted(score: Score, which: str) -> str:
    if score.value is None:
        return f"no field is {which}"
    predicted = number(round(score.value * score.support))
    return f"{predicted} of {count(score.support, 'field')} {which} predicted"


def weakest(view: View, readout: str = "accuracy") -> list[Score]:
    """Return the scores of a readout by key, weakest first, those without a value last."""
    scores = view.by_key(readout).values()
    return sorted(
        scores, key=lambda score: (score.value is None, score.value or 0, -score.support, score.key)
    )


def sections(view: View) -> Iterator[Section]:
    """Yield readiness and levels for the summary, and types that were taken for another."""
    accuracy = view.overall()["overall_accuracy"].value
    verdict = "No field could be scored, so there is nothing to hold against the thresholds."
    if accuracy is not None:
        verdict = f"{number(accuracy)} is {readiness(accuracy, view.context.options)}."
    yield Section("Readiness", (verdict,), summary_only=True)
    yield _levels(view)
    yield from _weak_fields(view)
    yield from _weak_documents(view)
    wrong = mistaken(view)
    if wrong:
        rows = tuple((gold, pred, number(amount)) for gold, pred, amount in wrong)
        table = SectionTable(("gold type", "taken for", "documents"), rows, "nnr")
        yield Section("document types taken for another", tables=(table,))


def _levels(view: View) -> Section:
    """Return the fields by level."""
    options = view.context.options
    by_level: dict[str, list[str]] = {level: [] for level in LEVELS}
    for score in weakest(view):
        if score.value is not None:
            by_level[field_level(score.value, options)].append(score.key)
    bounds = field_thresholds(options)
    reach = (*(f"at least {edge.least:.2f}" for edge in bounds), f"below {bounds[-1].least:.2f}")
    rows = tuple(
        (level, bound, number(len(by_level[level])), tuple(by_level[level]))
        for level, bound in zip(LEVELS, reach, strict=True)
    )
    table = SectionTable(("level", "accuracy", "fields", "weakest first"), rows, "llrl")
    return Section("Fields by level", tables=(table,), summary_only=True)


def _weak_fields(view: View) -> Iterator[Section]:
    weak = [score for score in weakest(view) if score.value is not None and score.value < 1][:MOST]
    rows = tuple((score.key, number(score.value), number(score.support)) for score in weak)
    if rows:
        table = SectionTable(("weakest field", "accuracy", "documents"), rows, "nrr")
        yield Section("Weakest fields", tables=(table,), summary_only=True)


def _worst(view: View) -> list[tuple[OwnRow, float]]:
    """Return the documents that have an accuracy, worst first."""
    scored = [(row, value) for row in view.rows() if (value := _accuracy(row.stats)) is not None]
    return sorted(scored, key=lambda one: (one[1], one[0].id))


def _weak_documents(view: View) -> Iterator[Section]:
    worst = [(row, value) for row, value in _worst(view) if value < 1][:MOST]
    rows = tuple((row.id, (row.type,) if row.type else (), number(value)) for row, value in worst)
    if rows:
        table = SectionTable(("worst document", "type", "accuracy"), rows, "nlr")
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
    options, scores = view.context.options, view.overall()
    accuracy, perfect = scores["overall_accuracy"].value, scores["perfect_documents"]
    boxes: list[Sentence] = [
        f"{name}: {_against(accuracy, least)}" for name, least in thresholds(options)
    ]
    reached = f"{number(perfect.value)} of {count(perfect.support, 'document')}"
    boxes.append(f"{PERFECT} documents: {reached} at least {share(options, 'perfect_from'):.2f}")
    yield Section("Overall", tuple(boxes))
    bound = field_thresholds(options)[0]
    below = f"A field is ready from {bound.name} ({bound.least:.2f}) on."
    yield Section(
        "Fields, weakest first",
        tuple(_box(score, bound.least, options) for score in weakest(view)),
        below=(below,),
    )


def _box(score: Score, least: float, options: Mapping[str, object]) -> Sentence:
    level = "" if score.value is None else f", {field_level(score.value, options)}"
    amount = count(0 if score.value is None else score.support, "document")
    return ("", score.key, f": {_against(score.value, least)}{level} ({amount})")


def _against(value: float | None, least: float) -> str:
    """Return a number beside its threshold, in words."""
    if value is None:
        return f"undefined, nothing to hold against {least:.2f}"
    reached = "reached" if value >= least else "not reached"
    return f"{reached}, {number(value)} against {least:.2f}"


def pictures(view: View) -> Iterator[Picture]:
    """Yield the charts that the scores have the numbers for."""
    yield Picture("field-accuracy", field_bars(view), (FIELD,))
    yield Picture("dashboard", dashboard(view), (CATEGORY, TYPE))
    yield Picture("document-scores", histogram(view))
    yield Picture("field-by-document", heat_map(view))
    if confusions(view):
        yield Picture("type-confusion", confusion(view))


def field_bars(view: View) -> Bars:
    """Return the accuracy of each field, weakest first."""
    documents = count(view.context.documents, "document")
    return Bars(
        f"Accuracy by field, {documents} ({view.context.options['method']})",
        _bars(weakest(view), view),
        drawn_thresholds(view.context.options),
        "mean over documents; lines: 95 % interval; n: documents",
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


def histogram(view: View) -> Histogram:
    """Return the accuracies of all documents."""
    values = tuple(accuracies(view).values())
    bounds = thresholds(view.context.options)
    return Histogram(
        f"Accuracy of {count(len(values), 'document')}",
        values,
        view.overall()["overall_accuracy"].value,
        tuple(Threshold(name.replace("_", " "), least) for name, least in bounds),
        "accuracy of a document, the mean of its fields",
    )


def heat_map(view: View) -> HeatMap:
    """Return the accuracy of every field in every document, of many documents the worst."""
    worst = _worst(view)
    shown = [(row.id, _field_scores(row.stats)) for row, _ in worst[:MOST_DOCUMENTS]]
    which = count(len(shown), "document")
    if len(worst) > len(shown):
        which = f"the worst {len(shown)} of {count(len(worst), 'document')}"
    rows = [
        score.key
        for score in weakest(view)
        if any(fields.get(score.key) is not None for _, fields in shown)
    ]
    return HeatMap(
        f"Accuracy by field and document, {which}",
        tuple(rows),
        tuple(id for id, _ in shown),
        tuple(tuple(fields.get(row) for _, fields in shown) for row in rows),
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


def dashboard(view: View) -> Dashboard:
    """Return accuracy over documents, by category and type, and how many are perfect."""
    options, overall = view.context.options, view.overall()["overall_accuracy"]
    values = accuracies(view)
    bar = None
    if overall.value is not None:
        bar = Bar("", overall.value, overall.low, overall.high, overall.support)
    return Dashboard(
        f"{count(view.context.documents, 'document')}, {options['method']}",
        bar,
        tuple(accuracy for _, accuracy in sorted(values.items())),
        (
            ("Categories of fields", _bars(weakest(view, "category_accuracy"), view)),
            ("Document types", _bars(weakest(view, "type_accuracy"), view)),
        ),
        tuple(document_levels(values.values(), options).items()),
        tuple(drawn_threshold._replace(name="") for drawn_threshold in drawn_thresholds(options)),
    )
