"""What holds for every response: nothing raises, strict JSON is itself, hostile texts end soon."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from docassay.errors import DataError
from docassay.load.response.answer import Response, parse_response
from docassay.load.response.json import is_answer
from docassay.load.response.loose import read_loosely
from docassay.load.wire import decode, encode
from docassay.model.document import Number
from docassay.model.problem import OUTCOMES, ResponseOutcome
from tests.growth import growth

TEXTS = st.text(max_size=12).filter(lambda text: not text.strip().startswith(("[", "{")))
# texts that look like structure are what a tolerant reader stumbles over
TRAPS = st.sampled_from(['"', 'a"b', "', '", '", "b": "', "//x", "# y", "x,\n", "\\", "```", "…"])
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=10**18, max_value=10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | TRAPS
)
KEYS = TEXTS | TRAPS | st.sampled_from(["total", "items", "value", "a b"])
TREES = st.dictionaries(
    KEYS,
    st.recursive(
        LEAVES,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
        max_leaves=12,
    ),
    max_size=5,
).filter(is_answer)
LAYOUTS = st.sampled_from([{}, {"indent": 2}, {"separators": (",", ":")}, {"ensure_ascii": False}])


def written(tree: object, layout: dict[str, object]) -> str:
    return json.dumps(tree, **layout)  # type: ignore[arg-type]


def check(found: Response) -> None:
    assert found.outcome in OUTCOMES
    assert (found.outcome == "unparseable") == (found.form == "")
    assert found.outcome != "unparseable" or (found.tree == {} and found.repairs)
    assert found.outcome == "clean" or found.repairs
    assert len(found.summary) < 2000
    assert decode(encode(found.tree).encode(), "").tree is not None


@given(TREES, LAYOUTS)
def test_strict_json_is_clean_and_exactly_itself(
    tree: dict[str, object], layout: dict[str, object]
) -> None:
    text = written(tree, layout)
    found = parse_response(text)
    tree = decode(text.encode(), "").tree  # type: ignore[assignment]
    assert found == Response(tree, ResponseOutcome("clean"), "json")


@given(TREES, LAYOUTS)
def test_the_tolerant_reader_has_nothing_to_mend_in_strict_json(
    tree: dict[str, object], layout: dict[str, object]
) -> None:
    text = written(tree, layout)
    read = read_loosely(text, 0, len(text))
    assert read.value == decode(text.encode(), "").tree
    assert (read.end, read.repairs, read.complete) == (len(text), (), True)


@given(TREES, st.integers(min_value=0))
def test_what_is_left_of_a_cut_off_text_is_part_of_the_whole(
    tree: dict[str, object], place: int
) -> None:
    text = json.dumps(tree)
    assume(text != "{}")
    found = parse_response(text[: place % (len(text) - 1) + 1])
    assert found.outcome in ("partial", "unparseable")
    if found.form == "json":
        assert is_part(found.tree, decode(text.encode(), "").tree)


def is_part(part: object, whole: object) -> bool:
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and is_part(part[key], whole[key]) for key in part)
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(map(is_part, part, whole))
    if isinstance(part, int | Number) and isinstance(whole, int | Number):
        return str(whole).startswith(str(part))  # nothing tells whether digits would have followed
    return type(part) is type(whole) and part == whole


# what Python prints without a backslash, never with both kinds of quotes, no list as text, no token
AS_PRINTED = st.sampled_from("'\"").flatmap(
    lambda quote: st.text(
        st.characters(
            exclude_categories=("C", "Z"),
            include_characters=" ",
            exclude_characters="\\[]{}<" + quote,
        ),
        max_size=20,
    )
)


@given(st.dictionaries(st.sampled_from(["a", "total", "vat"]), AS_PRINTED, min_size=1, max_size=3))
def test_what_python_prints_reads_back(tree: dict[str, str]) -> None:
    assert parse_response(repr(tree)).tree == tree


PIECES = st.sampled_from(
    [
        *"{}[]\":,'\\/#*|<>-` \n\t“”\ud800\x00",
        *('{"a": ', "null", "NaN", "12", "$1,234.56", "a: b\n", "KEY: ", "...", "<think>"),
        *("```json\n", "```", "</think>", "<s_a>", "</s_a>", "<sep/>", "<q>", "</q>"),
        *("|---|---|\n", "| a | b |\n", "- x\n", "  - y: z\n", "# h\n", "**b:** c\n"),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    check(parse_response(text))


@given(TREES, st.integers(min_value=0), st.integers(0, 3), PIECES)
def test_no_damage_to_json_raises(
    tree: dict[str, object], place: int, removed: int, put: str
) -> None:
    text = json.dumps(tree, indent=1)
    place %= len(text)
    check(parse_response(text[:place] + put + text[place + removed :]))


NUMBERS = st.from_regex(r"[$€]?[1-9]\d{0,2}(,\d{3}){1,3}(\.\d\d)?", fullmatch=True)


@given(
    NUMBERS,
    st.sampled_from(
        [
            "{{total: {}}}",
            '{{"total": {}, "n": 1}}',
            "TOTAL: {}",
            "<total>{}</total>",
            "<s_total>{}</s_total>",
        ]
    ),
)
def test_a_thousands_separator_never_splits_a_value(number: str, form: str) -> None:
    tree = parse_response(form.format(number)).tree
    assert tree.get("total", tree.get("TOTAL")) == number


MEGABYTE = 1_000_000
UNITS = (
    *("[", "{", '"', "'", "\\", "`", "“", ",", "|", "\n", " ", "```", "a:", "a:\n", '{"a":', "[{"),
    *('{"a":1}', '{"a":[', '{"a":"', '{"a":"```', '"a" ', '"\n', "{'", "{a:", "{/*", "{//", "{..."),
    *(
        "<s_a>",
        "</s_a>",
        "<s_a>x</s_a>",
        "<sep/>",
        "<q>",
        "</q>",
        "<q>1</q>",
        "<think>",
        "</think>",
    ),
    *(
        "- \n",
        "1. a\n",
        "- a: b\n",
        "# a\n",
        "**a**\n",
        "|a|\n|-|\n",
        'A: [{"b":1}]\n',
        '\\"',
        '{\\"',
    ),
)


@pytest.mark.parametrize("start", ["", '{"k": ', '{"k": "', '{"k": [', "x: ", "# h\n"])
@pytest.mark.parametrize("unit", UNITS)
def test_four_times_a_hostile_text_is_about_four_times_the_work(unit: str, start: str) -> None:
    small, large = (start + unit * (size // len(unit)) for size in (2_500, 10_000))
    check(parse_response(large))
    assert growth(parse_response, small, large) < 12


@pytest.mark.parametrize("unit", ["[", "{", '"', "\\", '{"a":', "<s_a>", "```", "a:"])
def test_a_whole_megabyte_of_brackets_quotes_or_backslashes_is_read(unit: str) -> None:
    check(parse_response(unit * (MEGABYTE // len(unit))))


@pytest.mark.parametrize("levels", [499, 500, 501, 100_000])
def test_levels_are_read_as_deep_as_in_strict_json(levels: int) -> None:
    text = '{"a":' * levels + "1" + "}" * levels
    try:
        strict = decode(text.encode(), "").tree
    except DataError:
        strict = {}
    assert parse_response(text).tree == strict
    assert parse_response(text.replace('"a"', "a", 1)).tree == strict


def test_numbers_keep_their_digits_in_broken_json_too() -> None:
    tree = parse_response("{'a': 1.50, 'b': 1e400, 'c': 12345678901234567890}").tree
    assert tree == {"a": Number("1.50"), "b": Number("1e400"), "c": 12345678901234567890}
    assert {type(tree["a"]), type(tree["b"])} == {Number}


def test_a_picture_is_no_response() -> None:
    png = bytes([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1])
    found = parse_response(png.decode("latin-1"))
    assert (found.outcome, found.tree) == ("unparseable", {})
