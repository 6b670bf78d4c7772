"""Counts of stored rows: the same as of rows that were decoded, or none at all."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from types import MappingProxyType, ModuleType

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.kernel.counting import LEFT_OUT
from docassay.model.stats import Key, Stats
from docassay.run.rows import encode_row, encoded
from docassay.run.score import Row
from tests.kernel.forms import FORMS

TEXTS = st.text(alphabet='ab"\\é\n{}[],:\x7f', max_size=4)
COUNTS = st.lists(st.integers(0, 1) | st.integers(-3, 10**14), min_size=2, max_size=2).map(
    tuple
)  # most lines have the counts of the line before
TABLES = st.dictionaries(TEXTS | st.tuples(TEXTS, TEXTS), COUNTS, max_size=4)
METRICS = ("first", "fields", "last")
NAMES = ("fields", 'odd "name"')
STATS = st.fixed_dictionaries(
    {metric: st.fixed_dictionaries(dict.fromkeys(NAMES, TABLES)) for metric in METRICS}
)
ROWS = st.lists(st.tuples(TEXTS, STATS), max_size=4)
WIDTH = 2
SIZE = 400
Places = Mapping[str, Mapping[Key, int]]


def plain(tables: Stats) -> dict[str, object]:
    """Return tables as JSON has them: objects, or lists of pairs where a key has parts."""
    return {
        name: dict(sorted(table.items()))
        if all(isinstance(key, str) for key in table)
        else sorted(table.items(), key=lambda item: order(item[0]))
        for name, table in tables.items()
    }


def order(key: Key) -> tuple[tuple[str, ...], bool]:
    return ((key,), False) if isinstance(key, str) else (key, True)


def line_of(id: str, stats: Mapping[str, Stats], tag: str = "") -> bytes:
    return encode_row(Row(id, "1-2", "", {"stats": tag}, stats, ()))


def added(
    form: ModuleType,
    lines: bytes,
    places: Places,
    *,
    block_of: list[int] | None = None,
    width: int = 20,
) -> tuple[list[float], list[tuple[int, bytes]], int]:
    cells = array("d", [0.0] * SIZE)
    own = {
        encoded(name): {encoded(key): place for key, place in keys.items()}
        for name, keys in places.items()
    }
    metric = form.StoredMetric(b'"fields"', memoryview(cells), width, own)
    counts = form.StoredCounts([metric], block_of)
    left = counts.add(lines)
    return [*cells], left, counts.top


def expected(
    rows: list[tuple[str, Mapping[str, Stats]]], units: list[int], places: Places, width: int
) -> list[float]:
    cells = [0.0] * SIZE
    for unit, (_, stats) in zip(units, rows, strict=True):
        for name, table in stats["fields"].items():
            for key, counts in table.items():
                place = places[name][key]  # type: ignore[index]
                for at, count in enumerate(counts if place != LEFT_OUT else ()):
                    cells[unit * width + place + at] += count
    return cells


@given(rows=ROWS)
def test_statistics_are_written_as_json_whatever_was_written_before(
    rows: list[tuple[str, Mapping[str, Stats]]],
) -> None:
    for form in FORMS:
        writer = form.stored.StatsWriter(encoded)
        for _, stats in rows:
            whole = encoded({metric: plain(tables) for metric, tables in stats.items()})
            assert writer.write(stats) == whole
            proxies = {
                metric: MappingProxyType({name: _as_lists(own) for name, own in tables.items()})
                for metric, tables in stats.items()
            }
            assert writer.write(MappingProxyType(proxies)) == whole


def _as_lists(table: Mapping[Key, tuple[int, ...]]) -> MappingProxyType[Key, list[int]]:
    return MappingProxyType({key: [*counts] for key, counts in table.items()})


def test_no_metrics_no_tables_and_no_keys_are_written_as_empty_objects() -> None:
    for form in FORMS:
        writer = form.stored.StatsWriter(encoded)
        assert writer.write({}) == b"{}"
        assert writer.write({"a": {}, "b": {"t": {}}}) == b'{"a":{},"b":{"t":{}}}'


def test_what_is_remembered_for_writing_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    form = FORMS[-1]  # what is compiled keeps its own limits
    monkeypatch.setattr(form.stored, "MOST_KEYS", 3)
    made: list[object] = []

    def encode(value: object) -> bytes:
        made.append(value)
        return encoded(value)

    writer = form.stored.StatsWriter(encode)
    for turn in range(2):
        for number in range(5):
            key = (f"k{number}", "")
            stats = {"m": {"t": {f"k{number}": (number,)}, "u": {key: (number,)}}}
            assert writer.write(stats) == encoded({"m": plain(stats["m"])})
            assert len(writer._objects["m", "t"].by_key) + len(writer._pairs.by_key) <= 5
        assert made.count("k4") == made.count(("k4", "")) == turn + 1  # forgotten, and made again


def test_tables_are_written_alike_when_their_keys_are_few_of_those_known() -> None:
    every = {f"k{number:02}": (number,) for number in range(40)}
    for form in FORMS:
        writer = form.stored.StatsWriter(encoded)
        for stats in (every, {"k30": (1,), "k07": (2,)}, dict(reversed(every.items()))):
            assert writer.write({"m": {"t": stats}}) == encoded({"m": plain({"t": stats})})


@given(rows=ROWS, data=st.data())
def test_counts_of_lines_are_those_of_rows(
    rows: list[tuple[str, Mapping[str, Stats]]], data: st.DataObject
) -> None:
    places: dict[str, dict[Key, int]] = {name: {} for name in NAMES}
    for name in NAMES:
        for key in {key: None for _, stats in rows for key in stats["fields"][name]}:
            number = sum(map(len, places.values()))
            places[name][key] = WIDTH * number if number % 3 else LEFT_OUT
    width = WIDTH * sum(map(len, places.values()))
    size = len(rows)
    block_of = data.draw(st.none() | st.lists(st.integers(0, 2), min_size=size, max_size=size))
    units = [*range(size)] if block_of is None else block_of
    lines = [line_of(id, stats, '"stats":{') for id, stats in rows]
    for form in FORMS:
        content = b"".join(lines)
        cells, left, top = added(form.stored, content, places, block_of=block_of, width=width)
        assert cells == expected(rows, units, places, width)
        assert top == max(units, default=-1)
        assert left == []


GOOD = line_of("a", {"fields": {"t": {"k": (1, 2), "l": (3, 4)}, "u": {("x", "y"): (5, 6)}}})
PLACES: Places = {"t": {"k": 0, "l": 2}, "u": {("x", "y"): 4}}


def test_a_line_as_docassay_writes_it_is_read() -> None:
    for form in FORMS:
        cells, left, _ = added(form.stored, GOOD, PLACES)
        assert cells[:7] == [1, 2, 3, 4, 5, 6, 0]
        assert left == []


@pytest.mark.parametrize(
    "line",
    [
        GOOD.replace(b"[3,4]", b"[3, 4]"),
        GOOD.replace(b"[3,4]", b"[3,4.5]"),
        GOOD.replace(b"[3,4]", b"[3,1e2]"),
        GOOD.replace(b"[3,4]", b"[3,1234567890123456]"),
        GOOD.replace(b"[3,4]", b"[]"),
        GOOD.replace(b"[3,4]", b"[3,]"),
        GOOD.replace(b"[3,4]", b"3"),
        GOOD.replace(b'"l"', b'"other"'),
        GOOD.replace(b'"l":', b'"l" :'),
        GOOD.replace(b'"u"', b'"v"'),
        GOOD.replace(b'"fields"', b'"other"'),
        GOOD.replace(b"[5,6]]", b"[5,6],7]"),
        GOOD.replace(b'["x","y"]', b'["x","y","z"]'),
        GOOD.replace(b',"stats"', b', "stats"'),
        *(GOOD[:end] + b"\n" for end in range(1, GOOD.index(b'}},"problems'))),
    ],
)
def test_what_cannot_be_read_is_left_whole(line: bytes) -> None:
    """A line that was cut off anywhere, or says a thing otherwise, adds nothing."""
    for form in FORMS:
        cells, left, top = added(form.stored, line + GOOD, PLACES)
        assert left == [(0, line)]
        assert cells[:7] == [0] * 7
        assert cells[20:27] == [1, 2, 3, 4, 5, 6, 0]
        assert top == 1


def test_metrics_are_counted_together_as_one_by_one() -> None:
    tables = {"t": {"k": (1, 2), "l": (3, 4)}}, {"u": {("x", "y"): (5, 6)}}, {"t": {"k": (7,)}}
    lines = b"".join(
        line_of(id, dict(zip(METRICS, tables[at:] + tables[:at], strict=True)))
        for at, id in enumerate("abc")
    )
    places = {b'"t"': {b'"k"': 0, b'"l"': 2}, b'"u"': {b'["x","y"]': 4}}
    for form in FORMS:
        cells = {metric: array("d", [0.0] * 18) for metric in METRICS}
        metrics = [
            form.stored.StoredMetric(encoded(name), memoryview(own), 6, places)
            for name, own in cells.items()
        ]
        assert form.stored.StoredCounts(metrics, None).add(lines) == []
        for metric, own in zip(metrics, cells.values(), strict=True):
            alone = array("d", [0.0] * 18)
            apart = form.stored.StoredMetric(metric.name, memoryview(alone), 6, places)
            assert form.stored.StoredCounts([apart], None).add(lines) == []
            assert own == alone
            assert sum(own) == 28


def test_a_line_that_lacks_one_of_several_metrics_adds_nothing() -> None:
    for form in FORMS:
        cells = {metric: array("d", [0.0] * 6) for metric in ("fields", "other")}
        own = {b'"t"': {b'"k"': 0, b'"l"': 2}, b'"u"': {b'["x","y"]': 4}}
        metrics = [
            form.stored.StoredMetric(encoded(name), memoryview(each), 6, own)
            for name, each in cells.items()
        ]
        assert form.stored.StoredCounts(metrics, None).add(GOOD) == [(0, GOOD)]
        assert not any(map(sum, cells.values()))


def test_a_line_without_its_end_is_left() -> None:
    for form in FORMS:
        cells, left, _ = added(form.stored, GOOD + GOOD[:-1], PLACES)
        assert left == [(1, GOOD[:-1])]
        assert sum(cells) == 21


def test_lines_of_another_shape_are_left() -> None:
    lines = msgspec.json.encode({"x": 1}) + b"\n" + b"\n"
    for form in FORMS:
        assert len(added(form.stored, lines, PLACES)[1]) == 2
        assert len(added(form.stored, lines, PLACES, block_of=[0, 1])[1]) == 2


@given(rows=ROWS)
def test_ids_and_tables_are_found_as_they_stand_in_lines(
    rows: list[tuple[str, Mapping[str, Stats]]],
) -> None:
    lines = b"".join(line_of(id, stats, '"stats":{') for id, stats in rows)
    for form in FORMS:
        for metric in METRICS:
            found = form.stored.own_tables(lines, encoded(metric))
            assert found == [(encoded(id), encoded(plain(stats[metric]))) for id, stats in rows]


@pytest.mark.parametrize(
    "line",
    [
        GOOD.replace(b'{"id"', b'{ "id"'),
        GOOD.replace(b',"stats"', b', "stats"'),
        GOOD.replace(b'"fields":', b'"fields" :'),
        GOOD.replace(b'"fields"', b'"other"'),
        GOOD[:-1],
        b"\n",
    ],
)
def test_a_line_in_which_tables_are_not_found_is_given_whole(line: bytes) -> None:
    for form in FORMS:
        found = form.stored.own_tables(GOOD + line, b'"fields"')
        assert [own for _, own in found[1:]] == [line]
        assert [id for id, _ in found] == [b'"a"', b""]
