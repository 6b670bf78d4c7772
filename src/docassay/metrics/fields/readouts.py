"""What the summed statistics of `fields` say: accuracies, coverage, hallucinations, types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.kernel.counting import Shares, mean_share, sums_of
from docassay.kernel.marks import accuracies
from docassay.metrics.metric import (
    Context,
    Flaw,
    OverallOf,
    Readout,
    Totals,
    Value,
    weighted,
    weighted_values,
)
from docassay.model.problem import ProblemCode
from docassay.model.schema import METHODS, Schema
from docassay.model.stats import PARTS, Counts, Stats, mean, parts_table, ratio, text_table
from docassay.schema.listing import Listing

FIELDS = (
    *("listed", "gold", "pred", "evaluated", "scored", "matched", "tp", "fp", "fn"),
    *METHODS,
    *("accuracy", "squares"),
)
_LISTED, _SCORED, _ACCURACY = map(FIELDS.index, ("listed", "scored", "accuracy"))
COUNTED = (
    "total_fields",
    "fields_evaluated",
    "fields_extracted",
    "fields_matched",
    "absent_agreed",
)
"""Readouts that count fields."""
OVERALL = (
    *("overall_accuracy", "mean_field_accuracy", "pooled_accuracy"),
    *METHODS,
    *("coverage", "hallucination_rate"),
    *COUNTED,
    "perfect_documents",
)
"""Readouts that are not told by field, in their order."""
GROUPS = ("documents", "correlation_f1")
DOCUMENTS = ("scored", "perfect", "unlisted", "parted", *METHODS, "accuracy")
NO_DOCUMENTS = (0,) * len(DOCUMENTS)
TYPES = ("documents", "accuracy")
CONFUSION = ("documents",)
ARROW = " -> "
"""Between the gold and the predicted type in the address of a confusion."""
SUBSTITUTIONS = ("both", "fn")
SHARES = ("matched_above", "item_similarity", "item_words")
AUTO = "auto"
"""The method that asks the schema of each list whether its order counts."""
READINESS = ("deployment_ready", "pilot_ready", "needs_optimization")
FIELD_LEVELS = ("excellent_field", "good_field", "poor_field")


def check(**options: object) -> None:
    """Refuse options that cannot work."""
    for name, choices in (("method", (AUTO, *METHODS)), ("substitution", SUBSTITUTIONS)):
        if options[name] not in choices:
            raise UnknownName(name, str(options[name]), choices, where=f"fields.{name}")
    for name in (*SHARES, *READINESS, *FIELD_LEVELS):
        value = options[name]
        if not isinstance(value, float) or not 0 <= value <= 1:
            raise ConfigurationError(f"{value} is not between 0 and 1", where=f"fields.{name}")
    for names in (READINESS, FIELD_LEVELS):
        values = [options[name] for name in names]
        if values != sorted(values, key=float, reverse=True):  # type: ignore[arg-type]
            raise ConfigurationError(f"{' >= '.join(names)} does not hold", where="fields")


def flaws(stats: Stats) -> Iterator[Flaw]:
    """Yield what was predicted beside the fields of the type, and lists compared in parts."""
    _, _, unlisted, parted, *_ = text_table(stats, "documents")[""]
    if parted:
        noun = "list is" if parted == 1 else "lists are"
        yield Flaw(f"{parted} {noun} too long to compare all items: compared in parts")
    if unlisted:
        noun = "field that is" if unlisted == 1 else "fields that are"
        what = "not listed for the document type: not scored"
        message = f"predicted {unlisted} {noun} {what}"
        yield Flaw(message, code=ProblemCode.UNLISTED_FIELD)


def readouts(
    totals: Totals,
    context: Context,
    *,
    deployment_ready: float = 0.9,
    pilot_ready: float = 0.8,
    needs_optimization: float = 0.7,
    excellent_field: float = 0.9,
    good_field: float = 0.8,
    poor_field: float = 0.5,
) -> Iterator[Readout]:
    """Yield the overall readouts, then those by field, group, category and document type.

    The thresholds shape no readout, only what is said of accuracies: see `levels`.
    """
    fields = text_table(totals, "fields")
    documents = text_table(totals, "documents").get("", NO_DOCUMENTS)
    yield from _overall(documents, fields, context)
    yield from weighted("accuracy", _pooled(fields), _accuracy, context)
    for path, counts in fields.items():
        yield from _field(path, _named(FIELDS, counts))
    for path, (number, parts) in text_table(totals, "groups").items():
        yield Readout("correlation_f1", path, _accuracy(parts, number), number)
    for category, (parts, scored) in categories_of(_pooled(fields), context.schema).items():
        yield Readout("category_accuracy", category, _accuracy(parts, scored), scored)
    for kind, (number, parts) in text_table(totals, "types").items():
        yield Readout("type_accuracy", kind, _accuracy(parts, number), number)
    for pair, (number,) in parts_table(totals, "confusion").items():
        yield Readout("type_confusion", ARROW.join(pair), number, context.documents, pair)


Named = Mapping[str, int]


def _named(columns: tuple[str, ...], counts: Counts) -> Named:
    return dict(zip(columns, counts, strict=True))


def _accuracy(parts: int, count: int) -> float | None:
    return ratio(parts, count * PARTS)


def overall(context: Context, **_: float) -> OverallOf:
    """Return what gives the values of a document's overall readouts; thresholds shape none."""
    weighs = bool(context.weights)

    def values_of(stats: Stats) -> list[Value]:
        fields = text_table(stats, "fields")
        documents = text_table(stats, "documents").get("", NO_DOCUMENTS)
        # each field belongs in a document once, whether a schema lists it or not
        sums = [len(fields), *sums_of(fields, _SUMMED)]
        average = mean_share(fields, _ACCURACY, _SCORED, PARTS)
        values = accuracies(documents, sums, average)
        if weighs:
            values += weighted_values(fields, (_ACCURACY, _SCORED), _accuracy, context)
        return values

    return values_of


def accuracies_of(fields: Mapping[str, Counts]) -> Shares:
    """Return the accuracy of each field, keys sorted."""
    return Shares(fields, _ACCURACY, (_SCORED,), PARTS)


class _Sums(NamedTuple):
    """Columns of the table of fields, added up."""

    listed: int
    """A field belongs in so many documents: one that no schema lists, in all of them."""
    gold: int
    pred: int
    evaluated: int
    scored: int
    matched: int
    accuracy: int


def _sums(rows: Sequence[Counts], context: Context) -> _Sums:
    listed = sum([row[_LISTED] or context.documents for row in rows])
    columns = [*zip(*rows, strict=True)] or [()] * len(FIELDS)
    return _Sums(listed, *[sum(columns[at]) for at in _SUMMED])


_SUMMED = tuple(map(FIELDS.index, _Sums._fields[1:]))


def _overall(
    documents: Counts, fields: Mapping[str, Counts], context: Context
) -> Iterator[Readout]:
    scored, *_ = documents
    rows = [*fields.values()]
    sums = _sums(rows, context)
    by_field = [_accuracy(row[_ACCURACY], row[_SCORED]) for row in rows]
    supports = {
        "mean_field_accuracy": sum(value is not None for value in by_field),
        "pooled_accuracy": sums.scored,
        "coverage": sums.gold,
        "hallucination_rate": sums.listed - sums.gold,
        **dict.fromkeys(COUNTED, sums.listed),
    }
    values = accuracies(documents, [*sums], mean(by_field))
    for name, value in zip(OVERALL, values, strict=True):
        yield Readout(name, "", value, supports.get(name, scored))


def _field(path: str, counts: Named) -> Iterator[Readout]:
    scored = counts["scored"]
    yield Readout("accuracy", path, _accuracy(counts["accuracy"], scored), scored)
    yield Readout("deviation", path, _deviation(counts), scored)
    for name in METHODS[:-1]:
        yield Readout(name, path, _accuracy(counts[name], scored), scored)
    tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
    yield Readout("precision", path, ratio(tp, tp + fp), tp + fp)
    yield Readout("recall", path, ratio(tp, tp + fn), tp + fn)
    yield Readout("fields_matched", path, counts["matched"], scored)


def _deviation(counts: Named) -> float | None:
    """Return the sample standard deviation of a field's scores over documents."""
    number = counts["scored"]
    if number < 2:
        return None
    total, squares = counts["accuracy"] / PARTS, counts["squares"] / PARTS
    return sqrt(max(0.0, squares - total * total / number) / (number - 1))


def _pooled(fields: Mapping[str, Counts]) -> dict[str, Counts]:
    return {path: (row[_ACCURACY], row[_SCORED]) for path, row in fields.items()}


def categories_of(fields: Mapping[str, Counts], schema: Schema | None) -> dict[str, Counts]:
    """Return two counts of fields (a sum and a number) by category, for fields that have one."""
    categories: dict[str, Counts] = {}
    if schema is None:
        return categories
    known_fields = Listing(schema, None).fields
    for path, (parts, scored) in fields.items():
        name = known_fields[path].category if path in known_fields else None
        if name is not None:
            sums = categories.get(name, (0, 0))
            categories[name] = (sums[0] + parts, sums[1] + scored)
    return dict(sorted(categories.items()))
