"""Documents in memory: what they may be, how they are meant, and what cannot be read."""

from __future__ import annotations

import datetime
import enum
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, make_dataclass
from decimal import Decimal
from ipaddress import ip_address
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import msgspec
import polars
import pyarrow
import pytest
from pydantic import BaseModel, Field, RootModel, field_serializer

import docassay as da
from docassay.load.format import AnnotatedTree, Record
from docassay.load.plain import is_circular, plain
from docassay.load.python import Handed, hand_over, records_of
from docassay.model.document import Number
from docassay.model.problem import ProblemCode


class Kind(enum.Enum):
    INVOICE = "invoice"


class Party(BaseModel):
    name: str = Field(alias="partyName")


PARTY = Party(partyName="x")


class Names(RootModel[list[str]]):
    pass


class Broken(BaseModel):
    name: str = "x"

    @field_serializer("name")
    def fail(self, name: str) -> str:
        raise ValueError("no way")


@dataclass
class Receipt:
    total: Decimal
    day: datetime.date
    reference: uuid.UUID
    tags: list[str] = field(default_factory=list)


class Ticket(msgspec.Struct, rename="camel"):
    ticket_total: float
    day: datetime.date


class Pair(NamedTuple):
    total: str
    day: str


def aligned(gold: object, pred: object, **options: object) -> object:
    return da.score(gold, pred, **options)["kieval.aligned"].value  # type: ignore[arg-type]


def trees(source: object) -> list[tuple[str | None, object]]:
    return [(item.id, item.tree) for item in records_of(source) if isinstance(item, Record)]


class Lasting(datetime.timedelta):
    """What pandas has for a span of time."""

    def __str__(self) -> str:
        return "0 days 01:00:00"


PLAIN = [
    (Decimal("1.50"), Number("1.50")),
    (Decimal("nan"), None),
    (float("nan"), None),
    (1.5, 1.5),
    (True, True),
    (datetime.date(2025, 1, 2), "2025-01-02"),
    (datetime.datetime(2025, 1, 2), "2025-01-02"),
    (datetime.datetime(2025, 1, 2, 3, 4), "2025-01-02T03:04:00"),
    (datetime.datetime(2025, 1, 2, tzinfo=datetime.UTC), "2025-01-02T00:00:00+00:00"),
    (datetime.time(3, 4), "03:04:00"),
    (datetime.timedelta(minutes=90), "1:30:00"),
    (Lasting(hours=1), "1:00:00"),
    (uuid.UUID(int=5), "00000000-0000-0000-0000-000000000005"),
    (Path("a/b"), "a/b"),
    (ip_address("1.2.3.4"), "1.2.3.4"),
    (Kind.INVOICE, "invoice"),
    ({Kind.INVOICE: 1, 2: "x"}, {"invoice": 1, "2": "x"}),
    (("a", ["b"]), ["a", ["b"]]),
    ({"b", "a"}, ["a", "b"]),
    (Number("1.0"), Number("1.0")),
    (Party(partyName="x"), {"name": "x"}),
    ([{"a": Party(partyName="x")}], [{"a": {"name": "x"}}]),
    (polars.Series([1, 2]).to_numpy(), [1, 2]),
    (polars.Series([1.5]).to_numpy()[0], 1.5),
    (polars.Series([datetime.datetime(2025, 1, 2, 3)]).to_numpy()[0], "2025-01-02T03:00:00"),
]


@pytest.mark.parametrize(("value", "expected"), PLAIN)
def test_a_value_is_plain_json_of_what_it_stands_for(value: object, expected: object) -> None:
    result = plain(value, by_alias=False)
    assert result == expected
    assert type(result) is type(expected)


def test_pydantic_fields_go_by_their_aliases_where_asked() -> None:
    assert plain(Party(partyName="x"), by_alias=True) == {"partyName": "x"}


def test_a_tree_of_a_format_is_kept_as_it_is() -> None:
    tree = AnnotatedTree({"a": "1"})
    assert trees([("x", tree)])[0][1] is tree


MEANT = [
    ({"a": {"t": 1}}, {"a": {"t": 1}}, (), (False, False)),
    ({"a": {"t": 1}}, {"a": {"t": 1}}, ("a",), (True, True)),
    ({"t": 1}, {"t": 2}, (), (True, True)),
    ({"t": 1}, {}, (), (True, True)),
    ({}, {"t": 1}, (), (True, True)),
    ({"a": {"t": 1}}, {}, (), (False, False)),
    ({"a": {"t": 1}}, {"a": None}, (), (False, False)),
    ({"a": {"t": 1}}, {"b": None}, (), (False, True)),
    ({"a": {"value": 1, "page": 2}}, {"a": {"value": 1}}, (), (True, True)),
    ({"a": {"value": 1, "total": 2}}, {"a": {"total": 1}}, (), (False, False)),
    (Party(partyName="x"), {"name": "x"}, (), (True, True)),
    ([{"t": 1}], [{"t": 1}], (), (False, False)),
]


@pytest.mark.parametrize(("gold", "pred", "names", "lone"), MEANT)
def test_a_mapping_is_one_document_unless_its_values_are_records(
    gold: object, pred: object, names: tuple[str, ...], lone: tuple[bool, bool]
) -> None:
    pair = hand_over(gold, pred, names)
    assert isinstance(pair.gold, Handed)
    assert isinstance(pair.pred, Handed)
    assert (pair.gold.lone, pair.pred.lone) == lone


def test_what_was_looked_at_before_is_left_as_it_is() -> None:
    pair = hand_over(iter([PARTY, PARTY]), iter([{"partyName": "x"}] * 2))
    assert hand_over(pair.gold, pair.pred) == pair
    assert (pair.declared, pair.by_alias) == (Party, True)
    assert isinstance(pair.gold, Handed)
    assert not pair.gold.again
    assert len(trees(pair.gold)) == len(trees(pair.pred)) == 2
    assert hand_over([PARTY], []).gold.again  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("gold", "pred", "names", "by_alias"),
    [
        ([Party(partyName="x")], [{"partyName": "x"}], (), True),
        ([Party(partyName="x")], [{"name": "x"}], (), False),
        ([Party(partyName="x")], [{"name": "x"}], ("partyName",), True),
        ([Party(partyName="x")], iter([{"partyName": "x"}]), (), True),
        ([Party(partyName="x")], {"a": {"partyName": "x"}}, (), True),
        ({"partyName": "x"}, Party(partyName="x"), (), True),
        ([("a", {"partyName": "x"})], {"a": Party(partyName="x")}, (), True),
        ([Party(partyName="x")], [Party(partyName="x")], (), False),
    ],
)
def test_the_schema_or_the_other_side_decides_about_aliases(
    gold: object, pred: object, names: tuple[str, ...], by_alias: bool
) -> None:
    pair = hand_over(gold, pred, names)
    assert (pair.declared, pair.by_alias) == (Party, by_alias)


def test_a_mapping_of_records_is_one_document_when_the_schema_names_its_keys() -> None:
    gold = {"seller": {"name": "A"}, "buyer": {"name": "B"}}
    pred = {"seller": {"name": "A"}, "buyer": {"name": "C"}}
    group = {"fields": {"name": "text"}}
    schema = {"groups": {"seller": group, "buyer": group}}
    assert da.score(gold, pred).documents == 2
    assert da.score(gold, pred, schema=schema).documents == 1
    assert aligned(gold, pred, schema=schema) == 0.5


def test_a_mapping_with_leaves_of_confidence_is_one_document() -> None:
    gold = {"total": {"value": "5", "page": 1}}
    assert da.score(gold, {"total": {"value": "5", "confidence": 0.9}}).documents == 1


RECEIPT = Receipt(Decimal("1.50"), datetime.date(2025, 1, 2), uuid.UUID(int=5), ["a", "b"])
TICKET = Ticket(1.5, datetime.date(2025, 1, 2))


@pytest.mark.parametrize(
    ("gold", "pred"),
    [
        (
            [RECEIPT],
            [
                {
                    "total": "1.5",
                    "day": "2 January 2025",
                    "reference": str(uuid.UUID(int=5)),
                    "tags": ["b", "a"],
                }
            ],
        ),
        ([{"a": RECEIPT}], [{"a": RECEIPT}]),
        ({"x": TICKET}, {"x": {"ticketTotal": "1.50", "day": "January 2, 2025"}}),
        ([SimpleNamespace(total="5")], [{"total": "5"}]),
        ([Pair("5", "x")], [{"total": "5", "day": "x"}]),
        ([{"total": "5"}], [da.parse_response('{"total": "5"}')]),
        ([{"n": float("nan"), "t": "5"}], [{"t": "5"}]),
        ([{"when": datetime.datetime(2025, 1, 2)}], [{"when": "2025-01-02"}]),
        ([{"kinds": {Kind.INVOICE}}], [{"kinds": ("invoice",)}]),
        ([{Kind.INVOICE: "5"}], [{"invoice": "5"}]),
        ([{"place": Path("a/b")}], [{"place": "a/b"}]),
    ],
)
def test_other_instances_and_values_are_what_they_stand_for(gold: object, pred: object) -> None:
    assert aligned(gold, pred) == 1.0


class FakeIndex(list[object]):
    name: str | None = None
    nlevels: int = 1


class FakePandas:
    """What a pandas data frame has, and how it writes whole numbers with a gap."""

    def __init__(
        self, columns: Mapping[str, list[object]], index: list[object], name: str | None = None
    ) -> None:
        self._cells = [*columns.values()]
        self.columns = [*columns]
        self.index = FakeIndex(index)
        self.index.name = name

    def reset_index(self) -> FakePandas:
        columns = dict(zip(self.columns, self._cells, strict=True))
        if isinstance(self.index[0], tuple):
            levels = [[*level] for level in zip(*self.index, strict=True)]
            return FakePandas({"id": levels[0], "part": levels[1], **columns}, [0, 1])
        return FakePandas({str(self.index.name): [*self.index], **columns}, [0, 1])

    def itertuples(self, *, index: bool, name: None) -> Iterator[tuple[object, ...]]:
        yield from zip(*self._cells, strict=True)


def test_whole_numbers_that_pandas_made_fractions_of_stay_whole() -> None:
    nan = float("nan")
    frame = FakePandas({"zip": [1234.0, nan], "price": [1.0, 2.5]}, ["a", "b"])
    assert trees(frame) == [("a", {"zip": 1234, "price": 1.0}), ("b", {"zip": None, "price": 2.5})]
    unnamed = FakePandas({"price": [1.0]}, [0])
    assert trees(unnamed) == [(None, {"price": 1.0})]


TOTALS = {"total": ["1", "2"]}
INDEXES = [
    ("texts", FakePandas(TOTALS, ["a", "b"]), [("a", {"total": "1"}), ("b", {"total": "2"})]),
    ("positions", FakePandas(TOTALS, [0, 1]), [(None, {"total": "1"}), (None, {"total": "2"})]),
    ("chosen", FakePandas(TOTALS, [4, 7]), [(None, {"total": "1"}), (None, {"total": "2"})]),
    (
        "named numbers",
        FakePandas(TOTALS, [4, 7.0], "invoice"),
        [("4", {"total": "1"}), ("7", {"total": "2"})],
    ),
    (
        "a name that occurs twice",
        FakePandas(TOTALS, ["x", "x"], "shop"),
        [(None, {"shop": "x", "total": "1"}), (None, {"shop": "x", "total": "2"})],
    ),
    (
        "a name beside ids",
        FakePandas({"id": ["a", "b"]}, ["x", "y"], "shop"),
        [("a", {"shop": "x"}), ("b", {"shop": "y"})],
    ),
    (
        "the name of a column",
        FakePandas({"shop": ["x", "y"]}, ["x", "y"], "shop"),
        [("x", {"shop": "x"}), ("y", {"shop": "y"})],
    ),
]


@pytest.mark.parametrize(
    ("frame", "expected"), [case[1:] for case in INDEXES], ids=[case[0] for case in INDEXES]
)
def test_the_index_of_pandas_names_the_rows_or_is_a_column(
    frame: object, expected: list[object]
) -> None:
    assert trees(frame) == expected


def test_an_index_of_several_levels_is_columns() -> None:
    frame = FakePandas(TOTALS, [("a", 1), ("b", 2)])
    frame.index.nlevels = 2
    assert trees(frame) == [("a", {"part": 1, "total": "1"}), ("b", {"part": 2, "total": "2"})]


def test_rows_of_two_frames_pair_by_the_numbers_of_both_indexes_unless_these_are_positions() -> (
    None
):
    gold, moved = FakePandas(TOTALS, [4, 7]), FakePandas({"total": ["2", "1"]}, [7, 4])
    assert aligned(gold, moved) == 1.0
    assert aligned(gold, FakePandas(TOTALS, [0, 1])) == 1.0
    assert aligned(gold, [{"total": "1"}, {"total": "2"}]) == 1.0


def test_a_whole_number_is_the_same_id_in_a_column_of_fractions() -> None:
    gold = polars.DataFrame({"id": [1, 2], "total": ["1", "2"]})
    assert aligned(gold, polars.DataFrame({"id": [2.0, 1.0], "total": ["2", "1"]})) == 1.0


def test_a_stream_of_batches_and_a_column_of_records_are_read() -> None:
    table = pyarrow.table({"id": ["a"], "total": ["1"]})
    assert aligned(table.to_reader(), table) == 1.0
    assert aligned(polars.Series([{"id": "a", "total": "1"}]), table) == 1.0


def test_a_row_without_id_is_a_problem_and_is_left_out() -> None:
    frame = polars.DataFrame({"id": ["a", None], "total": ["1", "2"]})
    report = da.score(frame, [{"id": "a", "total": "1"}])
    assert report.documents == 1
    assert [problem.where for problem in report.problems] == ["row 2"]


class Opaque:
    """A class that says nothing about its fields."""


class Trap:
    """An object that fails when it is asked for what it does not have."""

    def __getattr__(self, name: str) -> object:
        raise ValueError(name)


class DeepTrap:
    """An object that cannot even be asked for its class."""

    def __getattribute__(self, name: str) -> object:
        raise ValueError(name)


class Unprintable:
    def __str__(self) -> str:
        raise ValueError


def loop() -> dict[str, object]:
    tree: dict[str, object] = {"total": "5", "rows": [{"price": None}]}
    tree["rows"] = [{"price": "1", "parts": (tree,)}]
    return tree


@dataclass
class Chain:
    next: object = None


LOOP = Chain()
LOOP.next = [LOOP]
TWICE = pyarrow.table([["1"], ["2"]], names=["t", "t"])

UNREADABLE: list[tuple[object, object, str]] = [
    ([PARTY], [PARTY, Opaque()], r"pred item 2: .*Opaque is no document \(a tree is a dict"),
    ([PARTY], ["{}"], r"pred item 1: .*str is no document .*parse_response"),
    ([{"total": "5"}], [{"total": b"5"}], r"pred item 1: .*bytes at \['total'\] .*decode"),
    ([{"a": {"b": [1, Opaque()]}}], [{}], r"gold item 1: .*Opaque at \['a'\]\['b'\]\['1'\]"),
    ({"a": {"total": "5"}}, {"a": "text"}, r"pred document 'a': .*str is no document"),
    ([{"total": 10**5000}], [{}], r"gold item 1: .*int at \['total'\]"),
    ([{b"total": "5"}], [{}], r"gold item 1: .*bytes cannot be compared .*decode"),
    ([[{"a": 1}, {"a": 2}]], [{}], r"gold item 1: .*list is no document"),
    ([("a", 5)], [("a", {})], r"gold item 1: .*int is no document"),
    (PARTY, Opaque(), r"pred: .*Opaque holds no documents .*data frame"),
    ([PARTY], b"bytes", r"pred: .*bytes holds no documents"),
    (Party, Party, r"holds no documents"),
    ([Names(["a"])], [{}], r"gold item 1: .*Names cannot be compared"),
    ([Broken()], [{}], r"gold item 1: .*Broken cannot be dumped: .*no way"),
    ({"train": polars.DataFrame({"x": [1]})}, [{}], r"gold: .*tables by name: train .*one of them"),
    (polars.DataFrame({"x": [b"1"]}), [{"x": 1}], r"row 1: .*bytes in column x"),
    ([], [], "gold: holds no documents"),
    ([{}], [], "pred: holds no documents"),
    ({}, {}, "gold: holds no documents"),
    ([PARTY], [Trap()], r"pred item 1: .*Trap is no document"),
    ([PARTY], Trap(), r"pred: .*Trap holds no documents"),
    ([{"a": Trap()}], [{}], r"gold item 1: .*Trap at \['a'\] cannot be compared"),
    ({"a": Trap()}, {"a": {}}, r"gold document 'a': .*Trap is no document"),
    ([PARTY], [DeepTrap()], r"pred item 1: .*DeepTrap is no document"),
    ([{"a": DeepTrap()}], [{}], r"gold item 1: .*DeepTrap at \['a'\] cannot be compared"),
    ([(DeepTrap(), {})], [{}], r"gold item 1: .*DeepTrap cannot be an id"),
    ([(Unprintable(), {})], [{}], r"gold item 1: .*Unprintable cannot be an id"),
    ([{Unprintable(): 1}], [{}], r"gold item 1: .*Unprintable cannot be compared"),
    ([loop()], [{"total": "5"}], r"gold item 1: the document holds itself"),
    ({"a": {"total": "5"}}, {"a": loop()}, r"pred document 'a': the document holds itself"),
    (LOOP, LOOP, r"gold: the document holds itself"),
    (TWICE, TWICE, r"several columns have one name: t"),
    (FakePandas({"t": ["1"]}, [0]), polars.Series([1.5]), r"pred item 1: .*float is no document"),
]


@pytest.mark.parametrize("case", UNREADABLE, ids=[case[2] for case in UNREADABLE])
def test_what_cannot_be_read_is_an_error_with_its_place_and_the_remedy(
    case: tuple[object, object, str],
) -> None:
    gold, pred, message = case
    with pytest.raises(da.DataError, match=message):
        da.score(gold, pred)


def test_a_prediction_that_is_none_counts_as_missed_and_is_named() -> None:
    report = da.score([{"a": "1"}, {"a": "2"}], [{"a": "1"}, None])
    assert report["kieval.aligned"].value == 1 / 2
    assert any(problem.side == "pred" for problem in report.problems)


def test_a_model_that_predicted_nothing_scores_zero_and_each_document_is_named() -> None:
    for gold, pred in ([{"a": "1"}], [None]), ({"x": {"a": "1"}}, {"x": None}):
        report = da.score(gold, pred)
        assert report["kieval.aligned"].value == 0
        assert [problem.code for problem in report.problems] == [ProblemCode.NO_PREDICTION]
    with pytest.raises(da.DataError, match="gold is None"):
        da.score([None], [{"a": "1"}])


class Attributes(dict[str, object]):
    """A dict whose members are attributes too; one that is missing is no AttributeError."""

    __getattr__ = dict.__getitem__


def test_a_dict_that_answers_with_errors_of_its_own_is_read_all_the_same() -> None:
    tree = Attributes(total="5", rows=[Attributes(price="1")])
    for gold in (tree, [tree], {"a": tree}):
        assert aligned(gold, gold) == 1.0


def test_a_document_that_is_only_deep_or_shares_its_parts_does_not_hold_itself() -> None:
    shared = {"a": "1"}
    tree: dict[str, object] = {"left": shared, "right": [shared, shared]}
    assert not is_circular(tree)
    for _ in range(5_000):
        tree = {"left": tree, "right": tree}
    assert not is_circular(tree)
    report = da.score({"a": shared, "b": shared}, {"a": shared, "b": tree})
    assert report["kieval.aligned"].value == 0.5
    assert [problem.code for problem in report.problems] == [ProblemCode.UNREADABLE_RECORD]


def test_a_class_whose_types_cannot_be_declared_is_scored_all_the_same() -> None:
    odd = make_dataclass("Odd", [("total", complex)])
    report = da.score([odd("5")], [odd("5")])
    assert report["kieval.aligned"].value == 1.0
    assert any("Odd" in note for note in report.notes)
