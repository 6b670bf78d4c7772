"""Tables are made of what readouts say they are, whichever metric they come from."""

from __future__ import annotations

import pytest

from docassay.model.report import (
    COUNT,
    LOWER,
    ReadoutSpec,
    Report,
    Score,
    SupportColumn,
    default_spec,
)
from docassay.report.charts.pictures import kind_bars
from docassay.report.tables import amount, kinds, leading_shares, limited, plural, table_of, tables


def report(specs: dict[str, ReadoutSpec], *scores: tuple[str, str, float | None]) -> Report:
    """Return a report of scores given as (metric.readout, key, value)."""
    made = []
    for name, key, value in scores:
        metric, _, readout = name.partition(".")
        kind = specs[name].kind
        made.append(Score(metric, readout, key, "", value, 3, kind=kind, parts=(key,)))
    return Report("", 1, {}, tuple(made), (), specs=specs)


def labels(found: Report, kind: str = "field") -> list[str]:
    return [column.label for column in table_of(found, kind).columns]


def test_columns_stand_in_their_places_whatever_the_order_of_metrics() -> None:
    specs = {
        "a.x": ReadoutSpec("x", label="third", column=30),
        "b.y": ReadoutSpec("y", label="first", column=10, support=SupportColumn(20, "second")),
        "b.z": ReadoutSpec("z", column=None),
    }
    found = report(specs, ("a.x", "k", 0.5), ("b.y", "k", 0.5), ("b.z", "k", 0.5))
    assert labels(found) == ["first", "second", "third"]
    assert [one.cell(table_of(found, "field").lines[0]) for one in table_of(found, "field").columns]


def test_of_one_label_the_first_by_place_is_shown_and_another_stands_in_where_it_lacks() -> None:
    specs = {
        "a.x": ReadoutSpec("x", label="F1", column=20),
        "b.y": ReadoutSpec("y", label="F1", column=10),
    }
    found = report(specs, ("a.x", "k", 0.1), ("b.y", "k", 0.9), ("a.x", "only", 0.3))
    (column,) = table_of(found, "field").columns
    shown = {line.name: column.cell(line) for line in table_of(found, "field").lines}
    assert shown == {"k": "0.9000", "only": "0.3000"}


def test_a_column_gives_way_to_one_that_it_names() -> None:
    specs = {
        "a.x": ReadoutSpec("x", label="loose", column=10, unless=("strict",)),
        "b.y": ReadoutSpec("y", label="strict", column=20),
    }
    assert labels(report(specs, ("a.x", "k", 1.0), ("b.y", "k", 1.0))) == ["strict"]
    assert labels(report(specs, ("a.x", "k", 1.0))) == ["loose"]


def test_of_many_columns_the_first_are_kept_and_the_first_of_every_metric() -> None:
    specs = {f"a.r{at}": ReadoutSpec(f"r{at}", label=f"r{at}", column=at) for at in range(9)}
    specs["z.last"] = default_spec("last", 0.5)
    found = report(specs, *((name, "k", 0.5) for name in specs))
    assert labels(found) == ["r0", "r1", "r2", "r3", "r4", "r5", "last"]
    every = table_of(found, "field", most=None).columns
    assert len(every) == 10
    assert [one.label for one in limited(every, 1)] == ["r0", "last"]


@pytest.mark.parametrize(("better", "order"), [("higher", ["b", "a"]), (LOWER, ["a", "b"])])
def test_lines_come_weakest_first_by_the_direction_of_the_first_column(
    better: str, order: list[str]
) -> None:
    specs = {
        "m.n": ReadoutSpec("n", unit=COUNT, better=None, label="n", column=1),
        "m.x": ReadoutSpec("x", better=better, label="x", column=2),
    }
    scores = [("m.n", "a", 1), ("m.n", "b", 2), ("m.x", "a", 0.9), ("m.x", "b", 0.2)]
    found = report(specs, *scores, ("m.n", "none", 7), ("m.x", "none", None))
    assert [line.name for line in table_of(found, "field").lines] == [*order, "none"]


def test_kinds_that_are_known_come_first_then_others_by_name() -> None:
    names = ("zone", "rule", "area", "group", "field")
    specs = {f"m.{kind}": ReadoutSpec(kind, kind, label="x") for kind in names}
    found = report(specs, *((name, "k", 0.5) for name in specs))
    assert kinds(found) == ["field", "group", "rule", "area", "zone"]
    assert [table.kind for table in tables(found)] == kinds(found)
    assert [one.name for one in kind_bars(found)] == [f"by-{kind}" for kind in kinds(found)]


def test_a_kind_without_columns_has_no_table() -> None:
    found = report({"m.x": ReadoutSpec("x", "cause", column=None)}, ("m.x", "k", 0.5))
    assert tables(found) == []


def test_counts_and_errors_lead_no_chart() -> None:
    specs = {
        "m.n": ReadoutSpec("n", unit=COUNT, label="n", column=1),
        "m.e": ReadoutSpec("e", unit="rate", better=LOWER, label="e", column=2),
        "m.x": ReadoutSpec("x", label="x", column=3),
    }
    found = report(specs, ("m.n", "k", 4), ("m.e", "k", 0.5), ("m.x", "k", 0.5))
    leading = leading_shares(table_of(found, "field"))
    assert {metric: column.label for metric, column in leading.items()} == {"m": "x"}


def test_every_metric_has_a_leading_share() -> None:
    specs = {
        "a.x": ReadoutSpec("x", label="x", column=1),
        "b.y": ReadoutSpec("y", label="y", column=2),
        "b.z": ReadoutSpec("z", label="z", column=3),
    }
    found = report(specs, ("a.x", "k", 0.5), ("b.y", "k", 0.5), ("b.z", "k", 0.5))
    leading = leading_shares(table_of(found, "field"))
    assert {metric: column.label for metric, column in leading.items()} == {"a": "x", "b": "y"}


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0.5, "share", "0.5000"),
        (1234, "count", "1,234"),
        (1234.56, "hours", "1,234.6"),
        (9.5, "money", "9.50"),
        (None, "money", "–"),
    ],
)
def test_a_value_is_shown_by_its_unit(value: float | None, unit: str, shown: str) -> None:
    assert amount(value, unit) == shown


@pytest.mark.parametrize(
    ("kind", "kinds"), [("field", "fields"), ("field category", "field categories")]
)
def test_a_kind_has_a_plural(kind: str, kinds: str) -> None:
    assert plural(kind) == kinds


@pytest.mark.parametrize(("value", "unit"), [(3, COUNT), (0.5, "share"), (None, "share")])
def test_a_readout_that_is_not_declared_is_a_field_s_share_or_count(
    value: float | None, unit: str
) -> None:
    spec = default_spec("some_name", value)
    assert (spec.kind, spec.unit, spec.label) == ("field", unit, "some name")
