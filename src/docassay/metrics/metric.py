"""Metrics: pure functions from one case to statistics, and from summed statistics to readouts.

A metric states the tables it keeps with the names of their columns, and a `readouts` function that
turns the sum over any set of documents into named numbers, the overall ones first. Corpus scores,
single documents, slices and resamples are the same two functions with a different sum between.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from math import lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from docassay.errors import ConfigurationError
from docassay.kernel.counting import Shares, weighted_sums
from docassay.model.chart import LaterPicture, Picture
from docassay.model.problem import ProblemCode, Violation
from docassay.model.report import (
    FIELD,
    LAST,
    CauseLine,
    HeadlineLine,
    ReadoutSpec,
    Score,
    Section,
    default_spec,
)
from docassay.model.schema import Field, GroupSpec, Schema
from docassay.model.stats import Counts, Stats
from docassay.registry import Extension, Registry, options_of

if TYPE_CHECKING:
    from docassay.matching.case import Case

GOLD, ORIGINALS, LINKS = "gold", "originals", "links"
"""What a metric may need besides predictions."""
Totals = Stats
"""Table name -> key -> counts, summed over documents."""


class Readout(NamedTuple):
    """One named number of a metric."""

    name: str
    key: str
    """"" for overall, else a field path, a group type, a category or what its spec says."""
    value: float | int | None
    """A whole number for counts, None where undefined."""
    support: int
    """What the number rests on: the gold values, groups or documents behind it."""
    parts: tuple[str, ...] = ()
    """The key as data, where it is made of several."""


class _ContextFacts(NamedTuple):
    documents: int
    schema: Schema | None
    options: Mapping[str, object]
    """Those of counting and those of display."""
    most_steps: int | None = None
    """Readouts of more steps of arithmetic than these are not wanted; None: all are."""


class Context(_ContextFacts):
    """What readouts may know besides the sums: how many documents, the schema, the options."""

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """The weights that the schema states, by field path; unstated ones are 1."""
        return weights_of(self.schema)

    @cached_property
    def whole_weights(self) -> tuple[int, Mapping[str, int]]:
        """The same as whole numbers: what a weight of 1 is, and the stated ones by field path."""
        weights = {path: Fraction(weight) for path, weight in self.weights.items()}
        one = lcm(*[weight.denominator for weight in weights.values()])
        return one, {path: int(weight * one) for path, weight in weights.items()}


class OwnRow(NamedTuple):
    """What a metric counted in one document."""

    id: str
    type: str
    stats: Stats


class OwnScore(NamedTuple):
    """What a metric says of one document as a whole."""

    id: str
    type: str
    score: float | None
    exact: bool | None


class View(NamedTuple):
    """What sections and pictures are made of: a metric's own scores over all documents."""

    scores: tuple[Score, ...]
    context: Context
    rows: Callable[[], Iterator[OwnRow]]
    """Gives what the metric counted in each document."""
    others: Mapping[str, View] = MappingProxyType({})
    """What every metric of the run sees, by name."""
    kept_scores: Callable[[], Iterator[OwnScore]] | None = None
    """Gives the scores of documents, where they were noted while these were scored."""

    def document_scores(self, explain: Callable[[Stats], DocumentFacts]) -> Iterator[OwnScore]:
        """Return what the metric says of each document, as its `documents` explains it."""
        if self.kept_scores is not None:
            return self.kept_scores()
        return (
            OwnScore(row.id, row.type, facts.score, facts.exact)
            for row in self.rows()
            for facts in [explain(row.stats)]
        )

    def overall(self) -> dict[str, Score]:
        """Return the overall scores by readout."""
        return {score.readout: score for score in self.scores if not score.key}

    def by_key(self, readout: str) -> dict[str, Score]:
        """Return the scores of a readout by key."""
        return {score.key: score for score in self.scores if score.key and score.readout == readout}

    def number(self, option: str) -> float:
        """Return an option that is a number."""
        return float(str(self.context.options[option]))


class DocumentFacts(NamedTuple):
    """What a metric says of one document beside its overall readouts."""

    fields: Mapping[str, float | None] | Shares = MappingProxyType({})
    """The score of each field, by path."""
    pred_type: str = ""
    score: float | None = None
    """What the scores of its fields come to."""
    exact: bool | None = None
    """Whether it is fully correct; None where that is not said."""
    place: float = LAST
    """Of several metrics the one with the least place is heard first."""


MetricFunction = Callable[..., Stats]
Readouts = Callable[..., Iterator[Readout]]
"""(totals, context, *, display options) -> readouts, the overall ones first."""
Value = float | int | None
OverallOf = Callable[[Stats], Sequence[Value]]
"""statistics of a document -> the values of its overall readouts."""
Overall = Callable[..., OverallOf]
"""(context, *, display options) -> what gives the overall values of one document after the other.

They are those of `readouts`, in the same order, whatever order the statistics have. A metric has as
many for each document: those that `readouts` has of no document.
"""
Singly = Callable[[Stats], Value]
"""statistics of a document -> the value of one overall readout, whatever is asked of display."""
Headline = Callable[[View], Iterator[HeadlineLine]]
Sections = Callable[[View], Iterator[Section]]
Pictures = Callable[[View], Iterator[Picture] | Iterator[LaterPicture]]
Facts = Callable[[View], Mapping[str, object]]
Causes = Callable[[View], Iterator[CauseLine]]
Checklist = Callable[[View], Iterator[Section]]
Documents = Callable[[Stats], DocumentFacts]
"""statistics of a document, keys sorted -> what is known of it.

A metric that has `overall` is asked about statistics in whatever order here, too.
"""
Ready = Callable[..., object]
"""(cases, options) -> nothing: what was worked out is kept by the cases."""
Violations = Callable[["Case"], "Iterator[Violation]"]


class Flaw(NamedTuple):
    """What a metric could not do for a document, and on whose account."""

    message: str
    side: str = "pred"
    code: ProblemCode = ProblemCode.METRIC_LIMIT


Flaws = Callable[[Stats], Iterator[Flaw]]
"""A document's statistics -> what the metric could not do for it, to be counted as problems."""


class Unseen(NamedTuple):
    """When the first screen of a run shows nothing of a metric, which then need not count."""

    numbers: Callable[[Schema | None, Collection[str]], bool]
    """(schema, metrics of the run) -> whether none of its numbers can be on the screen."""
    flaws: Callable[[Case], bool]
    """(case) -> whether a document surely has none of its flaws, told without counting."""
    behind: str | None = None
    """A metric that takes its place on the screen once a value is wrong by that; None: none."""
    violations: Violations | None = None
    """Those that the screen tells of, where these are not all."""


class Implied(NamedTuple):
    """How the sums of a metric follow from those of another one with its usual options.

    Where sums are all that is shown, such a metric need not count.
    """

    by: str
    sums: Callable[[Stats], Stats]


M = TypeVar("M", bound=MetricFunction)


@dataclass(frozen=True)
class Metric(Extension):
    """A metric: statistics of a case, and readouts of summed statistics."""

    function: MetricFunction
    version: int
    tables: Mapping[str, tuple[str, ...]]
    """The tables it keeps, with the names of their columns."""
    readouts: Readouts
    specs: Mapping[str, ReadoutSpec] = field(default_factory=dict)
    """What its readouts are, by name, as far as it differs from `default_spec`."""
    kind: str = FIELD
    """What keys name, where no spec says so."""
    flaws: Flaws | None = None
    refuse: Callable[..., object] | None = None
    """Called with the options before a document is read, to refuse what cannot work."""
    follows: tuple[str, ...] = ()
    """Metrics whose options go for this one too where it has the same."""
    headline: Headline | None = None
    sections: Sections | None = None
    pictures: Pictures | None = None
    facts: Facts | None = None
    checklist: Checklist | None = None
    documents: Documents | None = None
    overall: Overall | None = None
    """Gives the overall values of one document in fewer steps than `readouts` does."""
    singly: Mapping[str, Singly] = field(default_factory=dict)
    """Those of its overall values that one document has in yet fewer steps, by name."""
    violations: Violations | None = None
    causes: Causes | None = None
    alternatives: Mapping[str, Sequence[object]] = field(default_factory=dict)
    """Other values of its options that are as reasonable, by name of the option."""
    needs: tuple[str, ...] = (GOLD,)
    """What it cannot count without: gold, the text of documents, links between values."""
    unseen: Unseen | None = None
    """When the first screen shows nothing of it; None: it may always show something."""
    implied: Implied | None = None
    """How its sums follow from those of another metric, of which alone the first screen is made."""
    ready: Ready | None = None
    """Works out what it needs of several cases before it counts in each."""

    @cached_property
    def counting_options(self) -> Mapping[str, object]:
        """Options that decide what is counted in a document, with their defaults."""
        return options_of(self.function, self.name)

    @cached_property
    def display_options(self) -> Mapping[str, object]:
        """Options that only decide how counts are shown, with their defaults."""
        return options_of(self.readouts, self.name)

    @cached_property
    def options(self) -> Mapping[str, object]:
        """All options with their defaults; none is one of counting and of display."""
        both = self.counting_options.keys() & self.display_options.keys()
        if both:
            raise ConfigurationError(
                f"metric {self.name!r}: {', '.join(sorted(both))} cannot be an option of counting "
                "and of display"
            )
        return MappingProxyType({**self.counting_options, **self.display_options})

    def overall_names(self, context: Context, display: Mapping[str, object]) -> tuple[str, ...]:
        """Return the names of the values that `overall` gives."""
        return (*overall_values(self.readouts({}, context, **display)),)

    def spec(self, readout: Readout) -> ReadoutSpec:
        """Return what a readout is."""
        return self.specs.get(readout.name) or default_spec(readout.name, readout.value, self.kind)


METRICS: Registry[Metric] = Registry(
    "metric",
    "docassay.metrics",
    {
        "causes": "docassay.metrics.causes.metric",
        "confidence": "docassay.metrics.confidence",
        "effort": "docassay.metrics.effort",
        "entity": "docassay.metrics.entity",
        "fields": "docassay.metrics.fields.metric",
        "grounded": "docassay.metrics.grounded",
        "hybrid": "docassay.metrics.hybrid",
        "kieval": "docassay.metrics.kieval",
        "kieval_official": "docassay.compat.kieval.official",
        "linking": "docassay.metrics.linking",
        "located": "docassay.metrics.located",
        "ner": "docassay.metrics.ner.metric",
        "rules": "docassay.metrics.rules",
        "tree": "docassay.metrics.tree.metric",
        "valid": "docassay.metrics.valid",
        "vrdu": "docassay.metrics.vrdu",
        "vrdu_official": "docassay.compat.vrdu.official",
    },
)


def metric(
    name: str,
    *,
    version: int,
    tables: Mapping[str, tuple[str, ...]],
    readouts: Readouts,
    specs: Sequence[ReadoutSpec] = (),
    kind: str = FIELD,
    flaws: Flaws | None = None,
    check: Callable[..., object] | None = None,
    follows: Sequence[str] = (),
    headline: Headline | None = None,
    sections: Sections | None = None,
    pictures: Pictures | None = None,
    facts: Facts | None = None,
    checklist: Checklist | None = None,
    documents: Documents | None = None,
    overall: Overall | None = None,
    singly: Mapping[str, Singly] = MappingProxyType({}),
    violations: Violations | None = None,
    causes: Causes | None = None,
    alternatives: Mapping[str, Sequence[object]] = MappingProxyType({}),
    needs: Sequence[str] = (GOLD,),
    unseen: Unseen | None = None,
    implied: Implied | None = None,
    ready: Ready | None = None,
) -> Callable[[M], M]:
    """Register a metric: `def score(case: Case, *, option=default) -> Stats`.

    Keyword-only parameters of the function are options of counting, those of `readouts` options of
    display: changing one of these needs no rescoring.

    `specs` says what readouts are, where that differs from a share or a count of a `kind` of key.
    `check` is called with the options before a document is read, to refuse what cannot work.
    `follows` names metrics whose options go for this one too where it has the same and is not told
    otherwise.

    `headline`, `sections`, `pictures`, `facts` (of the JSON report) and `checklist` are made of the
    metric's own scores, and so are `causes`, the reasons for wrong values. `documents` says what is
    known of one document from its statistics, `overall` gives the values of its overall readouts in
    fewer steps than `readouts` takes, `singly` single ones of them, and `violations` says which
    rules it breaks.
    `alternatives` are other values of its options that are as reasonable, for `sensitivity`; the
    other truth of a yes-or-no option is one of its own accord. `needs` says what it cannot count
    without: `gold`, `originals` (the text of documents) or `links`. `unseen` says when the first
    screen shows nothing of it, so that a run of which nothing else is shown leaves it out.
    `implied` makes its sums of those of another metric, where the screen shows nothing else of it.
    `ready` is called with cases and the options of counting before any of them is counted, to work
    out for all of them what takes several steps, one step after the other.
    """

    def register(function: M) -> M:
        METRICS.add(
            Metric(
                name,
                function,
                version,
                tables,
                readouts,
                {spec.name: spec for spec in specs},
                kind,
                flaws,
                check,
                tuple(follows),
                headline,
                sections,
                pictures,
                facts,
                checklist,
                documents,
                overall,
                singly,
                violations,
                causes,
                alternatives,
                tuple(needs),
                unseen,
                implied,
                ready,
            )
        )
        return function

    return register


def weights_of(schema: Schema | None) -> Mapping[str, float]:
    """Return the weights that a schema states, by field path; unstated ones are 1."""
    if schema is None:
        return {}
    return {
        field.path: field.weight
        for field in _fields(schema.fields, schema.groups)
        if field.weight != 1
    }


def _fields(fields: tuple[Field, ...], groups: tuple[GroupSpec, ...]) -> list[Field]:
    inside = [field for group in groups for field in _fields(group.fields, group.groups)]
    return [*fields, *inside]


def weighted(
    name: str,
    fields: Mapping[str, Counts],
    formula: Callable[..., float | None],
    context: Context,
) -> Iterator[Readout]:
    """Yield `weighted_<name>`, if the schema weighs fields: the formula on weighted counts."""
    weights = context.weights
    if not weights:
        return
    columns = zip(
        *(
            [count * Fraction(weights.get(path, 1)) for count in counts]
            for path, counts in fields.items()
        ),
        strict=True,
    )
    sums = [sum(column, Fraction(0)) for column in columns]
    value = formula(*sums) if sums else None
    # a fraction that remembers how it was made stays what it is
    number = float(value) if isinstance(value, Fraction) else value
    yield Readout(f"weighted_{name}", "", number, len(fields))


def weighted_values(
    fields: Mapping[str, Counts],
    columns: tuple[int, ...],
    formula: Callable[..., float | None],
    context: Context,
) -> list[Value]:
    """Return the value that `weighted` gives for columns of counts of one document, if it does."""
    if not context.weights:
        return []
    one, weights = context.whole_weights
    # a share is the same of sums that are all so many times as large
    return [formula(*weighted_sums(fields, columns, weights, one)) if fields else None]


def overall_values(readouts: Iterable[Readout]) -> dict[str, Value]:
    """Return the values of the overall ones among readouts, which come first, by name."""
    overall = takewhile(lambda readout: not readout.key, readouts)
    return {readout.name: readout.value for readout in overall}


class ShortName(NamedTuple):
    """A name by which a score may be asked for without its metric."""

    short: str
    address: str
    meaning: str


def short_names(metrics: Iterable[Metric] | None = None) -> tuple[ShortName, ...]:
    """Return the short names of scores, in the order of their addresses; None: of all metrics.

    A name that two scores claim is an error.
    """
    entries = METRICS.entries() if metrics is None else metrics
    names = sorted(
        (
            ShortName(spec.short, f"{entry.name}.{spec.name}", spec.meaning)
            for entry in entries
            for spec in entry.specs.values()
            if spec.short
        ),
        key=lambda name: name.address,
    )
    owners: dict[str, str] = {}
    for short, address, _ in names:
        owner = owners.setdefault(short, address)
        if owner != address:
            raise ConfigurationError(f"{short!r} is short for {owner} and for {address}")
    return tuple(names)
