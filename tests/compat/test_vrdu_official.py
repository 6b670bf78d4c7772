"""The released VRDU toolkit's own answers, and one small case for each of its quirks."""

from __future__ import annotations

import calendar
import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.compat.vrdu.items import Extracted, read_meta
from docassay.compat.vrdu.match import MATCH_FUNCTIONS, TYPE_OF_CLASS, decode_date
from docassay.compat.vrdu.official import Counted, count, grouped, rates, readouts, tables
from docassay.load.formats.vrdu import VrduDocument
from docassay.metrics.metric import Context
from docassay.model.document import Number
from docassay.model.stats import fold
from docassay.values.comparator import COMPARATORS
from docassay.values.reader import field_type

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
VECTORS = SHARED / "vectors" / "vrdu.json"
GIVEN = json.loads(VECTORS.read_text(encoding="utf-8")) if VECTORS.exists() else {}
ABSENT = pytest.mark.skipif(not GIVEN, reason="the toolkit's answers are not beside this clone")

Meta = Mapping[str, object]
Numbers = Mapping[str, float | int | None]
BOX = [0, 0.1, 0.1, 0.2, 0.2]
"""The page and the corners, as the toolkit wants them: a whole number and four others."""
SEGMENTS = [[0, 1]]
ADS: Meta = {
    "entity_name_to_match_func": {
        "advertiser": "GeneralStringMatch",
        "staff": "NameMatch",
        "channel": "GeneralStringMatch",
        "amount": "PriceMatch",
    },
    "entity_appearance_pattern": {
        "advertiser": "unrepeated",
        "staff": "repeated",
        "channel": "line_item",
        "amount": "line_item",
    },
}


def gold(name: str, *texts: str) -> list[object]:
    """An annotation with its candidates."""
    return [name, [[text, BOX, SEGMENTS] for text in texts]]


def gold_row(**cells: str) -> list[object]:
    """A hierarchical annotation."""
    return [[*cells], [[[text, BOX, SEGMENTS] for text in cells.values()]]]


def pred(name: str, text: object, at: int = 0) -> list[object]:
    """An extraction; `at` tells those apart that stand elsewhere."""
    return [name, [text, BOX, [[at, at + 1]]]]


def pred_row(**cells: str) -> list[object]:
    """The components of a row, one after the other."""
    return [pred(name, text) for name, text in cells.items()]


def total(documents: Iterable[Counted], meta: Meta) -> Numbers:
    """Return the readouts by the toolkit's names: micro_f1, and advertiser_f1 for a name."""
    known = read_meta(meta)
    totals = fold(tables(one, known) for one in documents)
    found = [*readouts(totals, Context(1, None, {}))]
    return {f"{one.key}_{one.name}" if one.key else one.name: one.value for one in found}


def score(annotations: object, results: object, meta: Meta = ADS) -> Numbers:
    return total([count(annotations, results, meta)], meta)


def amounts(numbers: Numbers) -> tuple[object, ...]:
    return tuple(numbers[name] for name in ("tp", "fn", "fp"))


# The answers of the released toolkit.


def given_rows(*path: str) -> list[object]:
    found: object = GIVEN
    for key in path:
        found = found.get(key, {}) if isinstance(found, Mapping) else {}
    return list(found) if isinstance(found, Sequence) else []


def pairs_of(kind: str) -> list[tuple[str, Mapping[str, object]]]:
    functions = GIVEN.get(kind, {})
    return [(name, row) for name, rows in functions.items() for row in rows]


@ABSENT
@pytest.mark.parametrize(("name", "row"), pairs_of("match_functions"))
def test_a_match_function_answers_as_released(name: str, row: Mapping[str, object]) -> None:
    kind = TYPE_OF_CLASS[name]
    found = row["extracted"]
    accepted = [MATCH_FUNCTIONS[kind].accepts(one, found) for one in row["labeled"]]
    assert any(accepted) is row["match"]
    similar = [da.similarity(one, found, type=kind).value for one in row["labeled"]]
    assert similar == [float(one) for one in accepted]


@ABSENT
def test_dates_are_decoded_as_released() -> None:
    read = MATCH_FUNCTIONS["vrdu_date"].read
    for row in GIVEN["match_functions"]["DateMatch"]:
        texts, days = (
            [row["extracted"], *row["labeled"]],
            [row["extracted_ymd"], *row["labeled_ymd"]],
        )
        for text, expected in zip(texts, days, strict=True):
            day = decode_date(read(text))
            assert (None if day is None else [day.year, day.month, day.day]) == expected, text


HELPERS = {"match_by_value": "vrdu_price", "match_by_edit_distance": "vrdu_address"}
UNUSED = {"match_by_substring": "none of the seven functions uses it"}


@ABSENT
@pytest.mark.parametrize(("name", "row"), pairs_of("helpers"))
def test_a_helper_answers_as_released(name: str, row: Mapping[str, object]) -> None:
    if name in UNUSED:
        pytest.skip(UNUSED[name])
    assert MATCH_FUNCTIONS[HELPERS[name]].accepts(row["a"], row["b"]) is row["match"]


@ABSENT
@pytest.mark.parametrize("row", given_rows("whitespace"))
def test_white_space_is_collapsed_as_released(row: Mapping[str, str]) -> None:
    assert MATCH_FUNCTIONS["vrdu_default"].read(row["in"]) == row["out"]


def shape_of(names: Sequence[str], components: Sequence[str]) -> list[object]:
    items = grouped([Extracted(name, (name,), name) for name in names], components)
    return [one.name if isinstance(one.name, str) else [*one.name] for one in items]


@ABSENT
@pytest.mark.parametrize("row", given_rows("grouping"))
def test_components_are_grouped_as_released(row: Mapping[str, list[str]]) -> None:
    assert shape_of(row["sequence"], row["group_names"]) == row["code_groups"]


CASES = [one for one in given_rows("end_to_end") if "metrics" in one]
STOPPED = {one["id"]: one for one in given_rows("end_to_end") if "error" in one}


def counted(case: Mapping[str, object]) -> list[Counted]:
    found, results = case["annotations"], case["predictions"]["results"]
    tested = [name for name in found if name in case["test"]]
    documents = [count(found[name], results.get(name, []), case["meta"]) for name in tested]
    # without a document there is no run, so a document without anything stands for it
    return documents or [count([], [], case["meta"])]


@ABSENT
@pytest.mark.parametrize("case", CASES, ids=[one["id"] for one in CASES])
def test_the_numbers_are_the_released_ones(case: Mapping[str, object]) -> None:
    numbers = total(counted(case), case["meta"])
    assert {name: numbers[name] for name in case["metrics"]} == case["metrics"]
    assert amounts(numbers) == tuple(case["counts"].values())


@ABSENT
def test_what_the_toolkit_stops_at_is_a_flaw_or_not_needed() -> None:
    flaws = {name: [*counted(case)[0].flaws] for name, case in STOPPED.items()}
    assert flaws == {
        "err_missing_meta_key": [],
        "err_gt_nested_unknown_component": [
            "gold has components of no one name, 'channel, nope': left out"
        ],
    }


@ABSENT
@pytest.mark.parametrize("case", CASES, ids=[one["id"] for one in CASES])
def test_documents_of_the_benchmark_score_the_same_through_the_library(
    case: Mapping[str, object],
) -> None:
    scorer = da.Scorer(metrics=["vrdu_official"])
    found, results = case["annotations"], case["predictions"]["results"]
    for name in [one for one in found if one in case["test"]]:
        scorer.add(
            name,
            VrduDocument({}, found[name], case["meta"]),
            VrduDocument({}, results.get(name, [])),
        )
    scores = scorer.report().scores
    numbers = {f"{one.key}_{one.readout}" if one.key else one.readout: one for one in scores}
    if case["test"]:
        assert {name: numbers[name].value for name in case["metrics"]} == case["metrics"]


# The match functions.

MATCHES = [
    ("vrdu_date", "07/01/2022", "July 1, 2022", True, "month names"),
    ("vrdu_date", "07/01/2022", "JUL01/22", True, "short month names in any case"),
    ("vrdu_date", "03/04/2020", "04/03/2020", True, "day and month swapped"),
    ("vrdu_date", "13/01/2020", "01/13/2020", False, "13 is no month, so it is text"),
    ("vrdu_date", "07/01", "07/01/2022", False, "no year is 1900"),
    ("vrdu_date", "02/29", "2/29", False, "1900 had no leap day"),
    ("vrdu_date", "2022-07-01", "07/01/2022", False, "ISO is not known"),
    ("vrdu_date", "07.01.2022", "07/01/2022", True, "digits decide where a side is unknown"),
    ("vrdu_date", "112/2020", "1/12/2020", True, "digits alone can collide"),
    ("vrdu_date", "12/31/68", "12/31/2068", True, "68 is in the 2000s"),
    ("vrdu_date", "12/31/69", "12/31/1969", True, "69 is in the 1900s"),
    ("vrdu_date", "01/01/0000", "1/1/0000", False, "there is no year 0"),
    ("vrdu_date", "?", "!", True, "nothing is left of either"),
    ("vrdu_price", "$ 40,000", "40000", True, "signs and commas are dropped"),
    ("vrdu_price", "(500)", "500", True, "so is what makes a number negative"),
    ("vrdu_price", "USD 12", "12 EUR", True, "and the currency"),
    ("vrdu_price", "1.234,56", "1.23", True, "a decimal comma is dropped too"),
    ("vrdu_price", "5", "5.01", True, "a cent, by float noise below"),
    ("vrdu_price", "1.00", "1.01", False, "a cent, by float noise above"),
    ("vrdu_price", "N/A", "N/A", False, "no amount is not even itself"),
    ("vrdu_price", "5.00.", "5.00.", False, "nor is one with two full stops"),
    ("vrdu_price", "", "", False, "nor is the empty text"),
    ("vrdu_price", "9" * 400, "9" * 400, False, "nor is one beyond floating point"),
    ("vrdu_address", "NY", "LA", True, "three edits make any short texts equal"),
    ("vrdu_address", "123 Main St", "456 Main St", True, "and change a house number"),
    ("vrdu_address", "4, Main St.", "40 Main St.", True, "the paper says they differ"),
    ("vrdu_address", "", "abcd", False, "four edits are too many"),
    ("vrdu_numerical", "No. 3712", "3,712", True, "digits alone count"),
    ("vrdu_numerical", "4", "4.0", False, "the paper says they are equal"),
    ("vrdu_numerical", "abc", "xyz", True, "texts without digits are all equal"),
    ("vrdu_numerical", "１２", "12", False, "only ASCII digits are digits"),
    ("vrdu_general", "Vice-President", "Vice President", True, "letters and digits alone count"),
    ("vrdu_general", "Google", "google", False, "case counts"),
    ("vrdu_general", "東京", "大阪", True, "only ASCII letters are letters"),
    ("vrdu_general", "Café", "Caf", True, "so an accented letter is dropped"),
    ("vrdu_name", "John\u00a0Smith", "JohnSmith", True, "white space does not count"),
    ("vrdu_name", "Acme Inc", "Acme Inc.", False, "punctuation does"),
    ("vrdu_name", "Jos\u00e9", "Jose\u0301", False, "no Unicode form is folded into another"),
    ("vrdu_default", "a\u3000 b\n", "a b", True, "white space is collapsed"),
    ("vrdu_default", "a\u200bb", "ab", False, "what is not white space stays"),
    ("vrdu_default", "", "NOT_FOUND", False, "a placeholder is a text like others"),
]


@pytest.mark.parametrize(
    ("kind", "left", "right", "match"),
    [row[:4] for row in MATCHES],
    ids=[f"{row[0]}: {row[4]}" for row in MATCHES],
)
def test_a_match_function_has_its_quirks(kind: str, left: str, right: str, match: bool) -> None:
    function = MATCH_FUNCTIONS[kind]
    assert function.accepts(left, right) is function.accepts(right, left) is match
    assert da.similarity(left, right, type=kind).value == float(match)


TEXTS = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="019/,-. JulyMa$", max_size=12),
    st.sampled_from([text for row in MATCHES for text in row[1:3]]),
)


@pytest.mark.parametrize(
    "kind", [kind for kind in MATCH_FUNCTIONS if field_type(kind).comparator == "same"]
)
@given(left=TEXTS, right=TEXTS)
def test_equal_keys_are_what_the_function_accepts(kind: str, left: str, right: str) -> None:
    function = MATCH_FUNCTIONS[kind]
    key = COMPARATORS.get("same").key
    assert callable(key)
    equal = key(function.read(left)) == key(function.read(right))
    assert equal is function.accepts(left, right)


REASONS = [
    ("vrdu_date", "7/1/22", "07/01/2022", "both 2022-07-01"),
    ("vrdu_date", "3/4/20", "4/3/20", "day and month swapped: 2020-03-04 and 2020-04-03"),
    ("vrdu_date", "3/4/20", "3/5/20", "days differ: 2020-03-04 and 2020-03-05"),
    (
        *("vrdu_date", "1 July", "July 1"),
        "not both in a known pattern, and their ASCII letters and digits differ",
    ),
    ("vrdu_price", "$5", "5", "equal as amounts without sign and currency"),
    ("vrdu_price", "5", "5.01", "amounts at most 0.01 apart: 5 and 5.01"),
    ("vrdu_price", "5", "6", "amounts more than 0.01 apart: 5 and 6"),
    (
        *("vrdu_price", "5", "N/A"),
        "pred is no amount after dropping all but digits and full stops: never a match",
    ),
    ("vrdu_address", "NY", "NY", "equal"),
    ("vrdu_address", "NY", "NJ", "1 edit apart, within 3"),
    ("vrdu_address", "Suite", "", "5 edits apart, more than 3"),
    ("vrdu_general", "a b", "ab", "equal as ASCII letters and digits"),
    ("vrdu_general", "東京", "大阪", "equal as texts without ASCII letters and digits"),
]


@pytest.mark.parametrize(("kind", "left", "right", "reason"), REASONS)
def test_a_match_function_says_why(kind: str, left: str, right: str, reason: str) -> None:
    assert da.similarity(left, right, type=kind).reason == reason


PATTERNS = (
    *("%m/%d/%y", "%m/%d/%Y", "%m/%d", "%b%d/%y"),
    *("%m-%d-%Y", "%m-%d-%y", "%B%d,%Y", "%Y/%m/%d"),
)


def by_strptime(text: str) -> object:
    for pattern in PATTERNS:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore"
                )  # later versions of Python warn of days without year
                return datetime.strptime(text, pattern).date()
        except ValueError:
            continue
    return None


NUMBERS = st.integers(0, 34).map(str) | st.integers(0, 34).map("{:02}".format)
YEARS = NUMBERS | st.integers(0, 9999).map("{:04}".format)
MONTHS = st.sampled_from(["Jan", "FEB", "march", "May", "JUNE", "July", "Sept", "December", "x"])
DATES = st.one_of(
    st.tuples(NUMBERS, NUMBERS, YEARS).map("/".join),
    st.tuples(YEARS, NUMBERS, NUMBERS).map("/".join),
    st.tuples(NUMBERS, NUMBERS, YEARS).map("-".join),
    st.tuples(NUMBERS, NUMBERS).map("/".join),
    st.tuples(MONTHS, NUMBERS, st.sampled_from(",/"), YEARS).map("".join),
    st.text(alphabet="0123456789/-,JulyMay", max_size=10),
)


@given(text=DATES)
def test_dates_are_decoded_as_strptime_does_in_english(text: str) -> None:
    if calendar.month_name[7] != "July":
        pytest.skip("strptime takes its month names from the locale")
    assert decode_date(text) == by_strptime(text)


# Counting.


def test_of_an_unrepeated_name_the_first_extraction_counts_and_the_others_vanish() -> None:
    found = [pred("advertiser", "Foo"), pred("advertiser", "Bar", 5), pred("advertiser", "Baz", 9)]
    assert amounts(score([gold("advertiser", "Bar")], found)) == (0, 1, 1)


def test_one_of_several_candidates_is_enough() -> None:
    assert score([gold("advertiser", "Foo", "Bar")], [pred("advertiser", "Bar")])["micro_f1"] == 1.0


def test_an_annotation_without_candidates_is_missed() -> None:
    assert amounts(score([gold("advertiser")], [pred("advertiser", "Bar")])) == (0, 1, 1)


def test_one_extraction_satisfies_every_equal_annotation() -> None:
    numbers = score([gold("staff", "Ann"), gold("staff", "Ann")], [pred("staff", "Ann")])
    assert amounts(numbers) == (2, 0, 0)


@pytest.mark.parametrize(
    ("at", "surplus"), [(0, 0), (7, 1)], ids=["all equal: vanishes", "other place: counts"]
)
def test_a_second_extraction_of_the_same_text(at: int, surplus: int) -> None:
    found = [pred("staff", "Ann"), pred("staff", "Ann", at)]
    assert amounts(score([gold("staff", "Ann")], found)) == (1, 0, surplus)


def test_boxes_are_equal_as_numbers_however_they_are_written() -> None:
    twice = [["staff", ["Ann", [0, Number(one)], []]] for one in ("0.1", "0.10")]
    assert amounts(score([gold("staff", "Ann")], twice)) == (1, 0, 0)


def test_a_row_with_one_wrong_component_is_missed_and_spurious() -> None:
    numbers = score([gold_row(channel="W", amount="1")], pred_row(channel="W", amount="2"))
    assert amounts(numbers) == (0, 1, 1)


def test_a_row_in_another_order_of_components_is_another_name() -> None:
    numbers = score([gold_row(channel="W", amount="1")], pred_row(amount="1", channel="W"))
    assert (amounts(numbers), numbers["line_item_f1"]) == ((0, 1, 1), 0.0)


def test_a_row_without_a_component_is_another_name() -> None:
    assert amounts(score([gold_row(channel="W", amount="1")], pred_row(channel="W"))) == (0, 1, 1)


def test_a_missing_component_draws_the_next_row_into_its_own() -> None:
    annotations = [gold_row(channel="W", amount="1"), gold_row(channel="X", amount="2")]
    shifted = [*pred_row(amount="1"), *pred_row(channel="X", amount="2")]
    assert amounts(score(annotations, shifted)) == (0, 2, 2)


def test_only_the_first_element_of_a_hierarchical_annotation_is_read() -> None:
    annotation = gold_row(channel="W", amount="1")
    annotation[1].append([["X", BOX, SEGMENTS], ["2", BOX, SEGMENTS]])
    assert amounts(score([annotation], pred_row(channel="X", amount="2"))) == (0, 1, 1)


def test_a_row_with_fewer_texts_than_names_is_compared_by_those() -> None:
    annotation = gold_row(channel="W", amount="1")
    annotation[1][0].pop()
    assert amounts(score([annotation], pred_row(channel="W", amount="999"))) == (1, 0, 0)


def test_grouping_goes_by_the_list_and_emits_the_last_group() -> None:
    assert shape_of("ABCXBC", "ABC") == ["X", ["A", "B", "C"], ["B", "C"]]
    assert shape_of("A", "ABC") == [["A"]]


def test_a_single_component_of_gold_never_matches() -> None:
    numbers = score([gold("channel", "W")], [pred("channel", "W")])
    assert (amounts(numbers), numbers["line_item_tp"], numbers["line_item_fp"]) == ((0, 1, 1), 0, 1)


def test_a_name_without_gold_and_pred_pulls_the_macro_down() -> None:
    numbers = score([gold("advertiser", "Foo")], [pred("advertiser", "Foo")])
    assert (numbers["micro_f1"], numbers["macro_f1"]) == (1.0, 1 / 3)


def test_a_name_that_meta_does_not_know_counts_in_micro_only() -> None:
    numbers = score([gold("other", "x  y")], [pred("other", "x y")])
    assert (numbers["micro_f1"], numbers["macro_f1"]) == (1.0, 0.0)
    assert "other_f1" not in numbers


def test_without_appearance_patterns_every_name_is_unrepeated() -> None:
    meta = {"entity_name_to_match_func": {"a": "NameMatch"}}
    found = [pred("a", "x"), pred("a", "y", 3)]
    numbers = score([gold("a", "x")], found, meta)
    assert (numbers["unrepeated_f1"], numbers["hierarchical_f1"]) == (1.0, None)


def test_an_unknown_match_function_compares_whole_texts() -> None:
    meta = {"entity_name_to_match_func": {"a": "NumericalMatch"}}
    assert score([gold("a", "1.0")], [pred("a", "10")], meta)["micro_f1"] == 0.0


def test_the_empty_text_is_an_extraction() -> None:
    assert amounts(score([], [pred("advertiser", "")])) == (0, 0, 1)


def test_of_a_bare_text_only_the_first_character_is_compared() -> None:
    assert amounts(score([gold("staff", "A")], [["staff", "Ann"]])) == (1, 0, 0)


def test_a_text_without_box_and_segments_is_an_extraction() -> None:
    assert amounts(score([gold("staff", "Ann")], [["staff", ["Ann"]]])) == (1, 0, 0)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 0, 0), (0, 0, 0)),
        ((0, 4, 0), (0, 0, 0)),
        ((0, 0, 4), (0, 1, 0)),
        ((0, 4, 4), (0, 0, 0)),
        ((1, 4, 2), (0.5, 0.25, 1 / 3)),
    ],
    ids=["nothing", "no extraction first", "no gold: recall 1", "none correct", "the usual"],
)
def test_the_rates_are_checked_in_this_order(
    counts: tuple[int, int, int], expected: tuple[float, ...]
) -> None:
    assert rates(*counts) == pytest.approx(expected)


def test_a_name_that_is_also_a_pattern_counts_twice_in_macro() -> None:
    meta = {
        "entity_name_to_match_func": {},
        "entity_appearance_pattern": {"x": "unrepeated", "part": "x", "y": "unrepeated"},
    }
    assert score([gold("x", "1")], [pred("x", "1")], meta)["macro_f1"] == 2 / 3


# What the toolkit stops at.

BROKEN = [
    ([["staff", [[None, BOX, SEGMENTS]]]], "gold has a value of 'staff' that is no text: left out"),
    ([["staff", ["Ann"]]], "gold has a value of 'staff' that is no text: left out"),
    ([[None, []]], "gold has an item that is not a name with a list of texts: left out"),
    (["staff"], "gold has an item that is not a name with a list of texts: left out"),
    ([[["channel"], []]], "gold has an item that is not a name with a list of texts: left out"),
    ([gold_row(staff="x")], "gold has components of no one name, 'staff': left out"),
]


@pytest.mark.parametrize(("annotations", "flaw"), BROKEN)
def test_a_broken_annotation_is_left_out_and_said(annotations: object, flaw: str) -> None:
    found = count(annotations, [], ADS)
    assert (found.flaws, sum(gold for _, gold, _ in found.names.values())) == ({flaw: 1}, 0)


@pytest.mark.parametrize(
    "entity",
    [
        ["Ann", [0, 0, 1, 0.5, 0.5], SEGMENTS],
        ["Ann", [0.0, 0.1, 0.1, 0.2, 0.2], SEGMENTS],
        ["Ann", [0], SEGMENTS],
        ["Ann", None, SEGMENTS],
        ["Ann", BOX, [[0]]],
        ["Ann", BOX, [["0", 1]]],
        ["Ann", BOX],
    ],
    ids=[
        *("whole corners", "broken page", "no corners", "no box"),
        *("half a segment", "a segment of texts", "no segments"),
    ],
)
def test_a_box_that_the_toolkit_refuses_is_said_and_the_item_counts(entity: list[object]) -> None:
    found = count([["staff", [entity]]], [pred("staff", "Ann")], ADS)
    assert found.names == {"staff": (1, 1, 1)}
    assert [*found.flaws] == ["gold has a box or segments of 'staff' that the toolkit refuses"]


def test_boxes_with_numbers_as_written_in_json_are_well_placed() -> None:
    box = [0, *map(Number, ("0.1", "0.1", "0.2", "1.0"))]
    assert not count([["staff", [["Ann", box, SEGMENTS]]]], [], ADS).flaws


@pytest.mark.parametrize("name", [["staff"], None, 5, {}])
def test_an_extraction_without_a_name_is_left_out_and_said(name: object) -> None:
    found = count([], [[name, ["Ann"]]], ADS)
    assert found == ({}, {"pred has an item whose name is not a text: left out": 1})


@pytest.mark.parametrize("entity", [[None], None, [], {}, [5], [Number("5.0")], ""])
def test_an_extraction_without_a_text_is_left_out_when_it_would_be_compared(entity: object) -> None:
    found = count([gold("staff", "Ann")], [["staff", entity], pred("staff", "Ann")], ADS)
    assert found.names == {"staff": (1, 1, 1)}
    assert found.flaws == {"pred has a value of 'staff' that is no text: left out": 1}


def test_an_extraction_without_a_text_is_spurious_when_nothing_is_compared_with_it() -> None:
    assert count([], [["staff", [None]]], ADS) == ({"staff": (0, 0, 1)}, {})


def test_a_row_without_a_text_is_left_out_when_that_would_be_compared() -> None:
    found = count(
        [gold_row(channel="W", amount="1")], [*pred_row(channel="W"), ["amount", None]], ADS
    )
    assert found.names == {"line_item": (0, 1, 0)}
    assert [*found.flaws] == ["pred has a value of 'channel, amount' that is no text: left out"]


@pytest.mark.parametrize("lists", [None, 5, "abc", {}, [[]], [[None]], [{"a": 1}]])
def test_other_shapes_give_flaws_and_no_error(lists: object) -> None:
    assert count(lists, lists, ADS).names == {}


def test_flaws_become_problems_of_the_document() -> None:
    scorer = da.Scorer(metrics=["vrdu_official"])
    twice = [["staff", [None]], ["staff", [None]]]
    scorer.add("x", VrduDocument({}, [gold("staff", "A")], ADS), VrduDocument({}, twice))
    assert [one.message for one in scorer.report().problems] == [
        "vrdu_official: pred has a value of 'staff' that is no text: left out (2 times)"
    ]


# Documents of other formats.

SCHEMA = {
    "fields": {"date": "vrdu_date", "staff": {"type": "text", "repeated": True}, "extra": "id"},
    "groups": {"items": {"fields": {"name": "vrdu_general", "price": "vrdu_price"}}},
}


def score_trees(ours: object, theirs: object, schema: object = SCHEMA) -> Numbers:
    scorer = da.Scorer(metrics=["vrdu_official"], schema=schema)
    scorer.add("x", ours, theirs)
    scores = scorer.report().scores
    return {f"{one.key}_{one.readout}" if one.key else one.readout: one.value for one in scores}


def test_the_schema_of_a_tree_takes_the_place_of_meta() -> None:
    ours = {"date": "July 1, 2022", "items": [{"name": "A-1", "price": "$5"}], "staff": ["x", "y"]}
    theirs = {"date": "07/01/22", "items": [{"name": "A1", "price": "5.00"}], "staff": ["y"]}
    numbers = score_trees(ours, theirs)
    assert amounts(numbers) == (3, 1, 0)
    assert (numbers["items_f1"], numbers["staff_recall"], numbers["date_f1"]) == (1.0, 0.5, 1.0)
    assert numbers["macro_f1"] == (1.0 + 0.0 + 2 / 3 + 1.0) / 4


MATCHING: Meta = {
    "entity_name_to_match_func": {
        "date": "DateMatch",
        "price": "PriceMatch",
        "number": "NumericalStringMatch",
    },
    "entity_appearance_pattern": dict.fromkeys(("date", "price", "number"), "unrepeated"),
}
WRITTEN = {"date": "July 1, 2022", "price": "$5", "number": "No. 7"}
READ = {"date": "07/01/22", "price": "5.00", "number": "7"}


def write_matching(folder: Path, *, beside: Meta | None) -> tuple[Path, Path, Path]:
    """A data set with or without a meta.json of its own, predictions, and MATCHING elsewhere."""
    data = folder / "data"
    data.mkdir()
    line = {"filename": "x", "annotations": [gold(*item) for item in WRITTEN.items()]}
    (data / "dataset.jsonl").write_text(json.dumps(line))
    if beside is not None:
        (data / "meta.json").write_text(json.dumps(beside))
    results = {"x": [pred(*item) for item in READ.items()]}
    (folder / "p.json").write_text(json.dumps({"meta": {}, "results": results}))
    (folder / "schema.json").write_text(json.dumps(MATCHING))
    return data, folder / "p.json", folder / "schema.json"


@pytest.mark.parametrize(
    "beside",
    [None, {"entity_name_to_match_func": dict.fromkeys(WRITTEN, "DefaultMatch")}],
    ids=["no meta.json beside the data", "another meta.json beside the data"],
)
@pytest.mark.parametrize("form", ["file", "text", "mapping"])
def test_a_meta_given_as_the_schema_of_a_data_set_gives_the_match_functions(
    tmp_path: Path, beside: Meta | None, form: str
) -> None:
    data, results, file = write_matching(tmp_path, beside=beside)
    schema = {"file": file, "text": str(file), "mapping": MATCHING}[form]
    plain = da.score(data, results, metrics=["vrdu_official"])
    assert plain["vrdu_official.micro_f1"].value == 0.0
    report = da.score(data, results, metrics=["vrdu_official"], schema=schema)
    assert report["vrdu_official.micro_f1"].value == 1.0
    assert report["vrdu_official.macro_f1"].value == 1.0


def test_a_meta_given_as_the_schema_of_trees_gives_the_match_functions() -> None:
    assert amounts(score_trees(WRITTEN, READ, MATCHING)) == (3, 0, 0)
    rows = {
        "entity_name_to_match_func": {"price": "PriceMatch", "date": "DateMatch"},
        "entity_appearance_pattern": {"price": "item", "date": "item"},
    }
    only = [{key: row[key] for key in ("price", "date")} for row in (WRITTEN, READ)]
    assert score_trees({"item": only[:1]}, {"item": only[1:]}, rows)["item_f1"] == 1.0


def test_other_types_compare_whole_texts() -> None:
    assert score_trees({"extra": "A-1"}, {"extra": "A1"})["extra_f1"] == 0.0


def test_any_of_in_gold_are_candidates() -> None:
    assert score_trees({"date": {"any_of": ["1/2/20", "x"]}}, {"date": "x"})["date_f1"] == 1.0


@pytest.mark.parametrize(
    ("schema", "surplus"),
    [(None, 1), ({"fields": {"a": {"type": "text", "repeated": False}}}, 0)],
    ids=["several values: repeated", "unrepeated by the schema: the first counts"],
)
def test_a_field_is_repeated_as_the_schema_or_else_the_document_has_it(
    schema: object, surplus: int
) -> None:
    assert amounts(score_trees({"a": "x"}, {"a": ["x", "y"]}, schema)) == (1, 0, surplus)


def test_predicted_rows_are_taken_apart_and_grouped_as_the_toolkit_does() -> None:
    ours = {"items": [{"name": "A", "price": "1"}, {"name": "B", "price": "2"}]}
    assert score_trees(ours, ours)["items_f1"] == 1.0
    lacking = {"items": [{"name": "A"}, {"price": "2"}]}
    assert amounts(score_trees(ours, lacking)) == (0, 2, 1)


def test_rows_inside_rows_are_items_of_their_own() -> None:
    tree = {"items": [{"name": "A", "sub": [{"n": "1"}, {"n": "2"}]}]}
    numbers = score_trees(tree, tree, None)
    assert (numbers["items_tp"], numbers["items.sub_tp"]) == (1, 2)


def test_predictions_of_another_format_score_against_gold_of_the_benchmark() -> None:
    annotations = [gold("advertiser", "Foo"), gold_row(channel="W", amount="1")]
    theirs = {"advertiser": "Foo", "line_item": [{"channel": "W", "amount": "1.00"}]}
    numbers = score_trees(VrduDocument({}, annotations, ADS), theirs, None)
    assert amounts(numbers) == (2, 0, 0)


def test_without_meta_the_rows_of_the_tree_name_the_hierarchical_items() -> None:
    tree = {"advertiser": "Foo", "line_item": [{"channel": "W"}]}
    annotations = [gold("advertiser", "Foo"), gold_row(channel="W")]
    results = [pred("advertiser", "Foo"), pred("channel", "W")]
    numbers = score_trees(VrduDocument(tree, annotations), VrduDocument(tree, results), None)
    assert (amounts(numbers), numbers["line_item_f1"]) == ((2, 0, 0), 1.0)


# Against a plain account of the toolkit's steps, name by name.


def plainly(
    annotations: list[list], results: list[list], meta: Meta, wanted: Callable[[object], bool]
) -> tuple[int, int, int]:
    functions, patterns = meta["entity_name_to_match_func"], meta["entity_appearance_pattern"]
    kept = [
        item
        for at, item in enumerate(results)
        if patterns.get(item[0]) != "unrepeated"
        or item[0] not in [other[0] for other in results[:at]]
    ]
    rows: list[list[list]] = []
    for item in kept:
        if patterns.get(item[0]) == "line_item":
            if not rows or item[0] in [cell[0] for cell in rows[-1]]:
                rows.append([])
            rows[-1].append(item)
    kept = [item for item in kept if patterns.get(item[0]) != "line_item"]
    kept += [[[cell[0] for cell in row], [cell[1] for cell in row]] for row in rows]

    def matches(ours: list, theirs: list) -> bool:
        if isinstance(ours[0], str):
            cells = [(ours[0], [one[0] for one in ours[1]], theirs[1][0])]
        else:
            whole = zip(ours[0], ours[1][0], theirs[1], strict=True)
            cells = [(name, [one[0]], two[0]) for name, one, two in whole]
        return all(
            any(
                MATCH_FUNCTIONS[TYPE_OF_CLASS[functions.get(name, "DefaultMatch")]].accepts(c, text)
                for c in candidates
            )
            for name, candidates, text in cells
        )

    golds = [item for item in annotations if wanted(item[0])]
    preds = [item for item in kept if wanted(item[0])]
    partners = [
        next((two for two in preds if two[0] == one[0] and matches(one, two)), None)
        for one in golds
    ]
    found = [one for one in partners if one is not None]
    return len(found), len(golds), len(found) + sum(one not in found for one in preds)


NAMES = st.sampled_from(["advertiser", "staff", "channel", "amount", "other"])
WORDS = st.sampled_from(["1", "1.00", "2", "a", "A", "a-", ""])
ROWS = st.lists(
    st.sampled_from(["channel", "amount"]), min_size=1, max_size=2, unique=True
).flatmap(
    lambda names: st.tuples(*[WORDS] * len(names)).map(
        lambda texts: gold_row(**dict(zip(names, texts, strict=True)))
    )
)
ANNOTATIONS = st.lists(
    ROWS | st.builds(lambda name, texts: gold(name, *texts), NAMES, st.lists(WORDS, max_size=2)),
    max_size=6,
)
RESULTS = st.lists(st.builds(pred, NAMES, WORDS, st.integers(0, 1)), max_size=9)


@given(annotations=ANNOTATIONS, results=RESULTS)
def test_counting_by_name_equals_counting_anew_for_each_name(
    annotations: list[list], results: list[list]
) -> None:
    found = count(annotations, results, ADS).names
    assert tuple(map(sum, zip((0, 0, 0), *found.values(), strict=True))) == plainly(
        annotations, results, ADS, lambda _: True
    )
    wanted = {
        "line_item": lambda name: isinstance(name, list),
        **{name: name.__eq__ for name in ("advertiser", "staff", "other")},
    }
    for name, is_wanted in wanted.items():
        expected = plainly(annotations, results, ADS, lambda one, keep=is_wanted: keep(one) is True)
        assert found.get(name, (0, 0, 0)) == expected
