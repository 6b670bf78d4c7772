"""A case: the gold and the pred record of one document, with the views that metrics share.

Costly views (which values are equal, which rows go together) are made once, when first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from docassay.errors import DataError
from docassay.kernel.plain import CaseCounts, Compared, PlainPair, compare, read_plain
from docassay.kernel.rows import is_nested, paths_in, rows_inside
from docassay.kernel.survey import Survey
from docassay.load.format import DescribedTree
from docassay.matching.groups import Matched, Matcher, TwinRows
from docassay.matching.tally import Tally
from docassay.model.document import NOTHING, Document, Group, Reading, TaggedText, Values
from docassay.model.problem import Problem, ProblemCode
from docassay.model.schema import Schema
from docassay.schema.layout import FREE, Layout
from docassay.schema.reading import TreeReader
from docassay.schema.selection import Selected, select
from docassay.values.read.characters import shortened

if TYPE_CHECKING:
    from docassay.load.pairing import Paired
    from docassay.model.original import OriginalText
    from docassay.schema.rules.check import BoundRules, RuleOutcomes


TYPE_FIELDS = ("DOCUMENT_TYPE", "document_type", "doc_type", "type")
"""Keys that may state a document's type where it decides on the schema."""
PARTED = (
    "too many values differ from gold to compare all with all: matched in parts, "
    "so a score may be lower than that of the best matching"
)
"""The problem of a field or group type beyond the limits of `large`."""
SHOWN = 4
"""How many names of an object a problem shows."""


class Matching:
    """The groups of two documents as matched: the pairs with their parents, and who is exact."""

    def __init__(self, matcher: Matcher, gold: Group, pred: Group) -> None:
        self.matcher = matcher
        self.gold = gold
        self.pred = pred

    def inside(self, gold: Group | None, pred: Group | None) -> Iterator[tuple[str, Matched]]:
        """Yield each group type inside a pair of groups with its rows as matched."""
        for path, golds, preds in rows_inside(gold, pred):
            yield path, self.matcher.match(golds, preds, path)


class Case:
    """One document's gold and pred, read by the layout of the gold document's type."""

    def __init__(
        self,
        id: str,
        gold: Document,
        pred: Document,
        layout: Layout,
        matcher: Matcher,
        *,
        rules: BoundRules | None = None,
        unlisted: frozenset[str] = frozenset(),
        selected: Selected | None = None,
        counted: CaseCounts | None = None,
    ) -> None:
        self.id = id
        self.gold = gold
        self.pred = pred
        self.layout = layout
        self.unlisted = unlisted
        """Fields that gold has beside those of its document type: they count on neither side."""
        self.aside = () if selected is None else selected.aside
        """What of either tree was left out before it was read."""
        self._flaws = () if selected is None else selected.problems
        self._labels = None if selected is None else selected.labels
        self.given = (gold.tree, pred.tree)
        """Gold and pred before anything was left out."""
        self._matcher = matcher
        self._matchings: dict[bool, Matching] = {}
        self._tallies: dict[bool, Tally] = {}
        if counted is not None:
            self._tallies[False] = Tally(matcher, gold.root, pred.root, counted)
        self._ungrouped: Mapping[str, int] | None = None
        self.origin: Paired | None = None
        """The records that the case was made of, and what stands beside them."""
        self.kept: dict[Hashable, object] = {}
        """What metrics have worked out, kept for others that ask."""
        self.rules = rules
        """What must hold in either document, None when the schema has no rules."""
        self._rule_outcomes: Mapping[str, RuleOutcomes] | None = None

    @property
    def pairwise(self) -> frozenset[str]:
        """Fields whose values a key cannot settle in this document."""
        return self._matcher.pairwise

    @cached_property
    def original(self) -> OriginalText | None:
        """The text of the document itself, None where nobody has said where it is."""
        read = None if self.origin is None else self.origin.original
        return None if read is None else read()

    @property
    def type(self) -> str:
        """The gold document's type, "" when the schema has none."""
        return "" if self.layout.kind is None else self.layout.kind.name

    @property
    def expected(self) -> tuple[str, ...]:
        """The fields that count for the document, whether or not it has them."""
        paths, labels = self.layout.expected, self._labels
        return paths if labels is None else tuple(filter(labels.know_field, paths))

    @property
    def pred_type(self) -> str:
        """The type that pred states: a name of the schema, "(other)" or "(none)"."""
        return self._stated_type(self.pred)

    @property
    def gold_type(self) -> str:
        """The type that gold states, in the same words."""
        return self._stated_type(self.gold)

    def _stated_type(self, document: Document) -> str:
        stated = self.layout.stated_type(document.tree)
        if stated is None:
            return "(none)"
        name = stated.canonical
        return name if name in self.layout.type_names else "(other)"

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong with either record, and what was too large for the matching so far."""
        problems = (*self._flaws, *self.gold.problems, *self.pred.problems)
        parted = self._matcher.parted
        for matching in self._matchings.values():
            parted = parted | matching.matcher.parted
        for path in sorted(parted) if parted else ():
            problems += (Problem(ProblemCode.METRIC_LIMIT, self.id, "pred", path, PARTED),)
        return problems

    def matching(self, *, flatten: bool = False) -> Matching:
        """Return how groups go together; `flatten` folds nested groups into their parents first."""
        matching = self._matchings.get(flatten)
        if matching is None:
            gold, pred, matcher = self.gold.root, self.pred.root, self._matcher
            if flatten:
                gold, pred = flattened(gold), flattened(pred)
                matcher = Matcher(self.layout, self.pairwise, confident=self.pred.confident)
            matching = self._matchings[flatten] = Matching(matcher, gold, pred)
        return matching

    def tally(self, *, flatten: bool = False) -> Tally:
        """Return what the matching counts: right, substituted, added and deleted values."""
        tally = self._tallies.get(flatten)
        if tally is None:
            matching = self.matching(flatten=flatten)
            tally = Tally(matching.matcher, matching.gold, matching.pred)
            self._tallies[flatten] = tally
        return tally

    @property
    def ungrouped(self) -> Mapping[str, int]:
        """The number of equal values by field, whatever group they stand in."""
        if self._ungrouped is None:
            self._ungrouped = self.tally().ungrouped(self.gold.root, self.pred.root)
        return self._ungrouped

    @property
    def rule_outcomes(self) -> Mapping[str, RuleOutcomes]:
        """What becomes of each rule in gold and in pred; of none in a document not there.

        Empty where the schema has no rules.
        """
        if self._rule_outcomes is None:
            rules = self.rules
            self._rule_outcomes = (
                {} if rules is None else rules.check_both(self.gold, self.pred, self.type)
            )
        return self._rule_outcomes


def _gather(group: Group, into: dict[str, Values]) -> None:
    for path, readings in group.values.items():
        into[path] = into.get(path, ()) + readings
    for rows in group.groups.values():
        for row in rows:
            _gather(row, into)


def flattened(group: Group) -> Group:
    """Return the group with the values of nested groups folded into its rows as further values."""
    groups = {path: [_folded(row) for row in rows] for path, rows in group.groups.items()}
    return Group(group.type, group.index, group.values, groups, group.slots, group.single)


def _folded(row: Group) -> Group:
    if not row.groups:
        return row
    values: dict[str, Values] = {}
    _gather(row, values)
    return Group(row.type, row.index, values, single=False)


class Layouts:
    """The layouts of a schema: one for each document type, and one for documents of none.

    Where documents have schemas of their own, `own` finds the one of a document: named beside it,
    or called as its id or its document type is, or the one under the empty name for all others.
    """

    def __init__(
        self,
        schema: Schema,
        schemas: Mapping[str, Schema] = NOTHING,
        ignore: tuple[str, ...] = (),
        *,
        without_gold: bool = False,
    ) -> None:
        self.schema = schema
        self.without_gold = without_gold
        """Whether pred decides what a document is, because there is no gold."""
        self._own = {
            name: Layouts(each, ignore=ignore, without_gold=without_gold)
            for name, each in schemas.items()
        }
        self._kinds = _kinds(schemas)
        self.plain = Layout(schema, None, ignore)
        self._by_type = {kind.name: Layout(schema, kind, ignore) for kind in schema.types}
        self.rules = _bound_rules(schema)

    @property
    def one_for_all(self) -> bool:
        """Whether documents have neither schemas nor types of their own: all are read alike."""
        return not self._own and not self._by_type

    def own(self, id: str, gold: object) -> Layouts:
        """Return the layouts of a document's own schema; that it has none is an error."""
        if not self._own:
            return self
        if isinstance(gold, DescribedTree):
            return self._own[gold.schema_name]
        file = id.replace("\\", "/").rpartition("/")[2]
        for name in (id, file, file.rpartition(".")[0]):
            if name in self._own:
                return self._own[name]
        stated = _stated_kind(gold, (self.schema.type_field, *TYPE_FIELDS))
        name = self._kinds.get(_bare(stated), "")
        if name not in self._own:
            names = ", ".join(sorted(self._own)[:8])
            kind = f"its document type is {stated!r}" if stated else "it states no document type"
            hint = (
                f"{kind}; schemas are named after an id or a document type, and there is: {names}"
            )
            raise DataError(f"document {id!r} has no schema", hint=hint)
        return self._own[name]

    def of(self, tree: object) -> tuple[Layout, str | None]:
        """Return the layout of a gold tree, and what is wrong with its type if anything is."""
        if not self._by_type:
            return self.plain, None
        reading = self.plain.stated_type(tree)
        if reading is None:
            side = "pred" if self.without_gold else "gold"
            return self.plain, f"{side} has no {self.schema.type_field}: all fields count"
        layout = self._by_type.get(reading.canonical)
        if layout is None:
            return (
                self.plain,
                f"document type {reading.text!r} is not in the schema: all fields count",
            )
        return layout, None


def _kinds(schemas: Mapping[str, Schema]) -> dict[str, str]:
    """Return the schema of each document type: by its file, its own name, its types and aliases."""
    kinds: dict[str, str] = {}
    for name in schemas:
        kinds.setdefault(_bare(_without_suffix(name)), name)
    for name, schema in schemas.items():
        listed = [schema.name, *(kind.name for kind in schema.types)]
        listed += [alias for kind in schema.types for alias in kind.aliases]
        for word in filter(None, map(_bare, listed)):
            kinds.setdefault(word, name)
    return kinds


def _without_suffix(name: str) -> str:
    return re.sub(r"\.(ya?ml|json)$", "", name, flags=re.IGNORECASE)


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().casefold()


def _stated_kind(tree: object, keys: Iterable[str]) -> str:
    members: Mapping[str, object] = tree if isinstance(tree, Mapping) else NOTHING
    for key in keys:
        raw = members.get(key)
        if isinstance(raw, Mapping):
            raw = raw.get("value")
        if isinstance(raw, str) and raw.strip():
            return raw
    return ""


def _bound_rules(schema: Schema) -> BoundRules | None:
    if not schema.rules:
        return None
    from docassay.schema.rules.check import bind_rules

    return bind_rules(schema)


class GivenTrees(NamedTuple):
    """What a case is made of."""

    id: str
    gold: object
    pred: object
    origin: Paired | None = None


class _Way(NamedTuple):
    """How a document is read: by which layout and rules, and whether its type was not found."""

    layout: Layout
    rules: BoundRules | None
    mistake: str | None

    @property
    def plain(self) -> bool:
        """Whether the document may be read as a plain one."""
        return self.layout.simple and self.mistake is None


def make_case(
    id: str, gold: object, pred: object, layouts: Layouts, *, origin: Paired | None = None
) -> Case:
    """Read a gold and a pred tree into a case, without what does not count."""
    (case,) = make_cases([GivenTrees(id, gold, pred, origin)], layouts)
    return case


def make_cases(documents: Sequence[GivenTrees], layouts: Layouts) -> list[Case]:
    """Read gold and pred trees into cases: all of them take a step before any takes the next."""
    ways = _ways(documents, layouts)
    # in most documents there is nothing to leave out, which reading them finds out as well
    roots = [
        _roots(document.gold, document.pred, way.layout)
        if way.plain and not way.layout.partial
        else None
        for document, way in zip(documents, ways, strict=True)
    ]
    matched = _matched(roots, ways)
    cases = []
    for document, way, plain in zip(documents, ways, matched, strict=True):
        if plain is not None:
            case = _plain_case(document.id, Selected(document.gold, document.pred), way, plain)
        else:
            case = _unusual_case(document, way)
        case.given = (document.gold, document.pred)
        case.origin = document.origin
        cases.append(case)
    return cases


def _ways(documents: Sequence[GivenTrees], layouts: Layouts) -> list[_Way]:
    if layouts.one_for_all:
        return [_Way(layouts.plain, layouts.rules, None)] * len(documents)
    return [_way(document, layouts) for document in documents]


def _way(document: GivenTrees, layouts: Layouts) -> _Way:
    guide = document.pred if layouts.without_gold else document.gold
    layouts = layouts.own(document.id, guide)
    layout, mistake = layouts.of(guide)
    return _Way(layout, layouts.rules, mistake)


def _unusual_case(document: GivenTrees, way: _Way) -> Case:
    """Return the case of a document that is not plain as it stands."""
    id, gold, pred, _ = document
    layout = way.layout
    selected = select(id, gold, pred, layout)
    if way.plain and (layout.partial or selected.gold is not gold or selected.pred is not pred):
        roots = _roots(selected.gold, selected.pred, layout)
        (plain,) = _matched([roots], [way])
        if plain is not None:
            return _plain_case(id, selected, way, plain)
    return _any_case(id, selected, layout, way.mistake, way.rules)


def _any_case(
    id: str, selected: Selected, layout: Layout, mistake: str | None, rules: BoundRules | None
) -> Case:
    """Return the case of two documents, whatever they hold."""
    gold, pred = selected.gold, selected.pred
    if layout.untyped and isinstance(gold, TaggedText) and isinstance(pred, TaggedText):
        # metrics of sequences ask for the trees alone
        gold_document = TreeReader(layout, id, gold=True).read_later(gold)
        pred_document = TreeReader(layout, id, gold=False).read_later(pred)
        return Case(
            id,
            gold_document,
            pred_document,
            layout,
            Matcher(layout),
            rules=rules,
            selected=selected,
        )
    left = TreeReader(layout, id, gold=True)
    right = TreeReader(layout, id, gold=False, unlisted=left.unlisted)
    if mistake is not None:
        reader = right if gold is None else left
        reader.problem(layout.schema.type_field, ProblemCode.UNKNOWN_TYPE, mistake)
    gold_document, pred_document = left.read(gold), right.read(pred)
    matcher = Matcher(layout, confident=pred_document.confident)
    survey = _survey(gold_document.root, pred_document.root, matcher)
    for of_gold, path, reading in survey.flawed:
        reader = left if of_gold else right
        reader.problem(path, ProblemCode.UNREADABLE_VALUE, reading.problem or "")
    matcher.pairwise = frozenset(survey.pairwise)
    problems = (*selected.problems, *other_shapes(id, gold_document.root, pred_document.root))
    return Case(
        id,
        gold_document,
        pred_document,
        layout,
        matcher,
        rules=rules,
        unlisted=frozenset(left.unlisted),
        selected=selected._replace(problems=problems),
    )


class _Plain(NamedTuple):
    """Two plain documents, matched and counted."""

    gold: Group
    pred: Group
    matcher: Matcher
    compared: Compared


def _roots(gold: object, pred: object, layout: Layout) -> tuple[Group, Group] | None:
    """Return the roots of two plain documents; None where they are not."""
    shapes = layout.root.shapes
    gold_root = read_plain(gold, shapes)
    pred_root = None if gold_root is None else read_plain(pred, shapes)
    return None if gold_root is None or pred_root is None else (gold_root, pred_root)


def _matched(
    roots: Sequence[tuple[Group, Group] | None], ways: Sequence[_Way]
) -> list[_Plain | None]:
    """Return plain documents with how they compare; None for others."""
    matchers = [Matcher(way.layout) for way in ways]
    plain = [
        PlainPair(*both, matcher.layout.keyless, matcher)
        for matcher, both in zip(matchers, roots, strict=True)
        if both is not None
    ]
    compared = iter(compare(plain))
    every: list[_Plain | None] = []
    for matcher, both in zip(matchers, roots, strict=True):
        found = None if both is None else next(compared)
        if both is None or found is None:
            every.append(None)
            continue
        matcher.take(found)
        every.append(_Plain(*both, matcher, found))
    return every


def _plain_case(id: str, selected: Selected, way: _Way, plain: _Plain) -> Case:
    """Return the case of two plain documents."""
    gold, pred, matcher, compared = plain
    flaws: tuple[list[Problem], list[Problem]] = ([], [])
    for of_gold, path, reading in compared.flawed:
        code, message = ProblemCode.UNREADABLE_VALUE, reading.problem or ""
        side = "gold" if of_gold else "pred"
        flaws[not of_gold].append(Problem(code, id, side, path, message))
    if gold.groups.keys() != pred.groups.keys():
        problems = (*selected.problems, *other_shapes(id, gold, pred))
        selected = selected._replace(problems=problems)
    return Case(
        id,
        Document(selected.gold, gold, flaws[0]),
        Document(selected.pred, pred, flaws[1]),
        way.layout,
        matcher,
        rules=way.rules,
        selected=selected,
        counted=compared.counted,
    )


def _survey(gold: Group, pred: Group, matcher: Matcher) -> Survey:
    """Read the values of two documents that are not in twin rows nor the same in both."""
    survey = Survey()
    survey.add_groups(gold, pred)
    for path, twins in _twins(gold, pred, matcher):
        golds, preds = twins.golds, twins.preds
        if matcher.layout.group(path).spec.match not in FREE:
            golds, preds = gold.groups.get(path, ()), pred.groups.get(path, ())
        survey.add_rows(golds, True)
        survey.add_rows(preds, False)
    if matcher.layout.keyless or survey.pairwise:
        _add_doubtful_twins(gold, pred, matcher, survey)
    survey.settle_scopes(gold, pred)
    return survey


def _twins(gold: Group, pred: Group, matcher: Matcher) -> Iterator[tuple[str, TwinRows]]:
    for path in {**gold.groups, **pred.groups}:
        yield path, matcher.twins(gold.groups.get(path, ()), pred.groups.get(path, ()))


def _add_doubtful_twins(gold: Group, pred: Group, matcher: Matcher, survey: Survey) -> None:
    """Add the values of twin rows in a group that has a field without keys, or one in doubt."""
    keyless = matcher.layout.keyless
    for path, twins in _twins(gold, pred, matcher):
        paths = paths_in(gold.groups.get(path, ())) | paths_in(pred.groups.get(path, ()))
        if not paths.isdisjoint(keyless) or not paths.isdisjoint(survey.pairwise):
            for row in (row for pair in twins.pairs for row in pair):  # none has rows inside
                for field, readings in row.values.items():
                    for reading in readings:
                        survey.add(field, reading)


def other_shapes(id: str, gold: Group, pred: Group) -> Iterator[Problem]:
    """Yield a problem for each name that holds values on one side and objects on the other."""
    if gold.groups.keys() == pred.groups.keys() and not is_nested(gold) and not is_nested(pred):
        return  # which is most documents
    gold_rows, pred_rows = dict(_rows_by_type(gold)), dict(_rows_by_type(pred))
    if gold_rows.keys() == pred_rows.keys():
        return
    for path in sorted(gold_rows.keys() ^ pred_rows.keys()):
        plain, nested = (gold, pred) if path in pred_rows else (pred, gold)
        text = next((each.text for each in _values_of(plain, path)), None)
        if text is None or any(True for _ in _values_of(nested, path)):
            continue  # nothing to compare with, or a list of both
        keys = ", ".join(_short_names(pred_rows.get(path) or gold_rows[path]))
        values, objects = f"texts ({shortened(text)})", f"objects with {keys}"
        shapes = (values, objects) if path in pred_rows else (objects, values)
        message = f"gold has {shapes[0]} where pred has {shapes[1]}: none of them can be equal"
        yield Problem(ProblemCode.OTHER_SHAPE, id, "pred", path, message)


def _rows_by_type(group: Group) -> Iterator[tuple[str, Group]]:
    """Yield each type of group at any depth with one of its rows."""
    for path, rows in group.groups.items():
        if rows:
            yield path, rows[0]
        for row in rows:
            if row.groups:
                yield from _rows_by_type(row)


def _values_of(group: Group, path: str) -> Iterator[Reading]:
    yield from group.values.get(path, ())
    for rows in group.groups.values():
        for row in rows:
            yield from _values_of(row, path)


def _short_names(row: Group) -> Iterator[str]:
    names = sorted({*row.values, *row.groups})
    yield from (name.removeprefix(f"{row.type}.") for name in names[:SHOWN])
    if len(names) > SHOWN:
        yield "…"
