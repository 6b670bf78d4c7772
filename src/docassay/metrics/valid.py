"""`valid`: whether predictions are what a schema asks for, without a look at what is right.

A document is *parsed* when its answer could be read whole, *typed* when every value can be read as
its field's type and stands in the shape that the schema gives it, has what is *required*, and adds
nothing (*extra*) when it has no field that the schema does not name. A prediction that could not be
read fails all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from docassay.metrics.metric import Context, Readout, Totals, View, metric
from docassay.model.document import Group
from docassay.model.problem import CLEAN, REPAIRED
from docassay.model.report import HeadlineLine, ReadoutSpec, SupportColumn
from docassay.model.schema import Field, GroupSpec, Schema
from docassay.model.stats import Counts, Stats, ratio, text_table
from docassay.model.words import count, number
from docassay.schema.layout import EXTRA
from docassay.schema.listing import fields_of

if TYPE_CHECKING:
    from docassay.matching.case import Case

DOCUMENTS = ("documents", "parsed", "typed", "required", "extra")
FIELDS = ("documents", "typed", "asked", "required", "extra")
"""Documents that have the field, those in which it is typed, those that must have it, those of
them that do, and documents that have it though the schema does not name it."""
MEANINGS = {
    "parsed": "read whole",
    "typed": "with nothing but values of their type",
    "required": "with all that is required",
    "extra": "with nothing that the schema does not name",
}
SPECS = (
    ReadoutSpec("parsed", label="parsed", column=None),
    ReadoutSpec("typed", label="typed", column=92, support=SupportColumn(94, "documents")),
    ReadoutSpec("required", label="required", column=93),
    ReadoutSpec("extra", label="not added", column=95),
)


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield the shares of documents that are as the schema wants them."""
    scores = view.overall()
    for place, (name, meaning) in enumerate(MEANINGS.items(), start=390):
        score = scores[name]
        if score.value is not None:
            amount = round(float(score.value) * score.support)
            note = f"{number(amount)} of {count(score.support, 'document')} {meaning}"
            label = "adds nothing" if name == "extra" else name
            yield HeadlineLine(label, name, note, place)


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield the shares of documents that are parsed, typed, complete and without additions."""
    schema = context.schema
    sums = text_table(totals, "documents").get("", (0,) * len(DOCUMENTS))
    documents = sums[0]
    closed = schema is not None and bool(schema.fields or schema.groups)
    defined = {
        "parsed": True,
        "typed": closed,
        "required": schema is not None and _asks(schema),
        "extra": closed,
    }
    for name, amount in zip(DOCUMENTS[1:], sums[1:], strict=True):
        yield Readout(name, "", ratio(amount, documents) if defined[name] else None, documents)
    if not closed:
        return
    for path, (present, typed, asked, having, added) in text_table(totals, "fields").items():
        if added:
            yield Readout("extra", path, ratio(documents - added, documents), documents)
        elif present:
            yield Readout("typed", path, ratio(typed, present), present)
        if asked:
            yield Readout("required", path, ratio(having, asked), asked)


def _asks(schema: Schema) -> bool:
    """Whether a schema requires anything."""

    def asks(parts: tuple[Field | GroupSpec, ...]) -> bool:
        return any(
            part.required or (isinstance(part, GroupSpec) and asks((*part.fields, *part.groups)))
            for part in parts
        )

    return asks((*schema.fields, *schema.groups))


@metric(
    "valid",
    version=1,
    tables={"documents": DOCUMENTS, "fields": FIELDS},
    readouts=readouts,
    specs=SPECS,
    headline=headline,
    needs=(),
)
def valid(case: Case) -> Stats:
    """Shares of predictions that parse, keep the schema's types, are complete, add nothing."""
    if not _is_parsed(case):
        missing = {path: (0, 0, 1, 0, 0) for path in _required_of_none(case)}
        return {"documents": {"": (1, 0, 0, 0, 0)}, "fields": missing}
    typed = _typed(case)
    required = {path: 1 for path in _required_of_none(case)}
    required |= dict(_required(case, case.pred.root, _root_parts(case)))
    extra = {aside.field for aside in case.aside if (aside.side, aside.reason) == ("pred", EXTRA)}
    extra |= {path for path in typed if not _is_named(case, path)}
    fields: dict[str, Counts] = {}
    for path in sorted({*typed, *required, *extra}):
        fields[path] = (
            int(path in typed),
            int(typed.get(path, False)),
            int(path in required),
            int(required.get(path, 0) == HAS),
            int(path in extra),
        )
    whole = (all(typed.values()), all(state == HAS for state in required.values()), not extra)
    return {"documents": {"": (1, 1, *map(int, whole))}, "fields": fields}


LACKS, HAS = 1, 2


def _is_parsed(case: Case) -> bool:
    """Whether the prediction could be read whole."""
    record = None if case.origin is None else case.origin.pred
    outcome = None if record is None else record.outcome
    if outcome is not None and outcome.kind not in (CLEAN, REPAIRED):
        return False
    return isinstance(case.given[1], Mapping)


def _is_named(case: Case, path: str) -> bool:
    listing = case.layout.listing
    if path in listing.fields or path in listing.groups:
        return True
    # of a group without a word on its fields, any field is as the schema wants it
    owner = listing.groups.get(path.rpartition(".")[0])
    return owner is not None and not owner.fields and not owner.groups


def _typed(case: Case) -> dict[str, bool]:
    """Return the fields that pred has, each with whether all its values are of its type."""
    listing = case.layout.listing
    typed: dict[str, bool] = {}

    def look(group: Group) -> None:
        for path, readings in group.values.items():
            fine = path not in listing.groups and all(
                reading.problem is None for reading in readings
            )
            typed[path] = typed.get(path, True) and fine
        for path, rows in group.groups.items():
            if path in listing.fields:
                typed[path] = False
            for row in rows:
                look(row)

    look(case.pred.root)
    return typed


def _root_parts(case: Case) -> GroupSpec:
    schema = case.layout.schema
    return GroupSpec("", schema.fields, schema.groups)


def _required_of_none(case: Case) -> list[str]:
    """Return what a document of the case's type must have at its root."""
    return [path for path, state in _required(case, Group("", None, {}), _root_parts(case))]


def _required(case: Case, group: Group, spec: GroupSpec) -> Iterator[tuple[str, int]]:
    """Yield each required path inside a group once, with whether it is always there."""
    states: dict[str, int] = {}

    def ask(holder: Group, parts: GroupSpec) -> None:
        members: tuple[Field | GroupSpec, ...] = (*parts.fields, *parts.groups)
        for part in members:
            if isinstance(part, GroupSpec) and part.section:
                if part.required or any(own.path in holder.values for own in fields_of(part)):
                    ask(holder, part)
                continue
            rows = holder.groups.get(part.path, []) if isinstance(part, GroupSpec) else []
            if part.required and _counts(case, part):
                there = bool(rows) or part.path in holder.values
                states[part.path] = min(states.get(part.path, HAS), HAS if there else LACKS)
            if isinstance(part, GroupSpec):
                for row in rows:
                    ask(row, part)

    ask(group, spec)
    yield from states.items()


def _counts(case: Case, part: Field | GroupSpec) -> bool:
    """Whether a part of the schema belongs to documents of the case's type."""
    if isinstance(part, Field):
        return part.path in case.expected
    return any(path.startswith(f"{part.path}.") for path in case.expected)
