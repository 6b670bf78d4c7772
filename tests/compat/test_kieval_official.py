"""The released tool's own answers, and one small case for each of its quirks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.compat.kieval.official import kieval_official, readouts
from docassay.errors import ConfigurationError
from docassay.load.formats.kieval_csv import parse
from docassay.metrics.metric import METRICS, Context
from docassay.model.document import Number
from docassay.model.stats import fold
from docassay.run.open import prepare

PROJECT = Path(__file__).resolve().parents[2]
SHARED = PROJECT.parent / "shared"
VECTORS = SHARED / "vectors" / "kieval_official.json"
CORD = SHARED / "data" / "cord-qwen2vl"

OURS = {"kieval_entity_f1": "entity_f1", "kieval_aligned": "aligned"}
"""The tool's names that differ from ours."""
READER_QUIRKS = {
    "nongroup_no_header": "the tool's reader drops the first line of a block without a header"
}

Numbers = Mapping[tuple[str, str], float | int | None]
Tree = dict[str, object]


def score(pairs: Iterable[tuple[object, object]], **options: object) -> Numbers:
    """Return (readout, key) -> value over documents of gold and pred trees."""
    pairs = list(pairs)
    cases = [
        SimpleNamespace(gold=SimpleNamespace(tree=gold), pred=SimpleNamespace(tree=pred))
        for gold, pred in pairs
    ]
    entry = METRICS.get("kieval_official")
    totals = fold(entry.function(case, **entry.check(options)) for case in cases)
    found = list(readouts(totals, Context(len(cases), None, options)))
    numbers = {(one.name, one.key): one.value for one in found}
    assert len(numbers) == len(found), "a readout is given twice"
    return numbers


def score_one(gold: object, pred: object, **options: object) -> Numbers:
    return score([(gold, pred)], **options)


# The tool's tables: a group id, tab-separated keys, then a row a line; else `key<TAB>value` lines.


def read_table(text: str) -> Tree:
    problems: list[str] = []
    tree = parse(text, problems)
    assert problems == []
    return tree


def is_table(block: list[str]) -> bool:
    return bool(block) and block[0].isdecimal()


def common_segment(keys: list[str]) -> str | None:
    segments = {key.partition(".")[0] if "." in key else None for key in keys}
    return segments.pop() if len(segments) == 1 else None


# The answers of the released tool.


def load_vectors() -> list[dict[str, object]]:
    return json.loads(VECTORS.read_text()) if VECTORS.exists() else []


def expected_numbers(
    result: Mapping[str, Mapping[str, Mapping[str, float]]], kinds: Mapping[str, str]
) -> dict[tuple[str, str], float | int | None]:
    """Return the tool's result under our names; `kinds` names the group types of its ids."""
    total = result["total"]
    expected: dict[tuple[str, str], float | int | None] = {}
    tables = [("", "", total["total.kieval"]), ("group_", "", total["total.grouping"])]
    for name, row in result["entity"].items():
        if name.endswith(".grouping"):
            tables.append(("group_", kinds[name.removesuffix(".grouping")], row))
        else:
            tables.append(("", name, row))
    for prefix, key, row in tables:
        for name in total["total.kieval"]:
            number = None if row is None else row[name]
            expected[prefix + OURS.get(name, name), key] = number
            if prefix and name == "kieval_entity_f1":
                expected["group_f1", key] = number
    expected["documents_exact", ""] = total["total.document"]["exact_match"]
    return expected


def group_kinds(texts: Iterable[str]) -> dict[str, str]:
    """Return group id -> group type, as read_table names them."""
    kinds: dict[str, str] = {}
    for text in texts:
        tree = read_table(text)
        for block in text.replace("\r", "").split("\n\n"):
            lines = block.split("\n")
            if is_table(lines):
                name = common_segment(lines[1].split("\t"))
                kinds[lines[0]] = name if name is not None and name in tree else lines[0]
    return kinds


@pytest.mark.skipif(not VECTORS.exists(), reason="the released tool's answers are not at hand")
@pytest.mark.parametrize("vector", load_vectors(), ids=lambda vector: vector["id"])
def test_every_number_of_the_released_tool_is_reproduced(vector):
    if vector["id"] in READER_QUIRKS:
        pytest.skip(READER_QUIRKS[vector["id"]])
    pairs = zip(map(read_table, vector["gold"]), map(read_table, vector["pred"]), strict=True)
    numbers = score(pairs, keys=vector["keys"], **vector["options"])
    if "error" in vector["result"]:
        assert set(numbers.values()) == {None}
        return
    kinds = group_kinds([*vector["gold"], *vector["pred"]])
    assert numbers == pytest.approx(expected_numbers(vector["result"], kinds), abs=1e-12)


needs_cord = pytest.mark.skipif(not CORD.exists(), reason="the CORD sample is not at hand")


@pytest.fixture(scope="module")
def expected():
    return json.loads((CORD / "expected.json").read_text())


@pytest.fixture(scope="module")
def cord(expected):
    """Return document id -> (gold tree, pred tree)."""
    return {
        name: tuple(
            read_table((CORD / side / f"{name}.csv").read_text())
            for side in ("gold_csv", "pred_csv")
        )
        for name in expected["per_document"]
    }


CORD_KINDS = {"0": "menu", "1": "sub_total", "2": "total"}


@needs_cord
@pytest.mark.parametrize("listed", [True, False], ids=["keys listed", "all keys seen"])
def test_every_number_of_the_cord_sample_is_reproduced(cord, expected, listed):
    numbers = score(cord.values(), keys=expected["keys"] if listed else ())
    assert numbers == pytest.approx(expected_numbers(expected, CORD_KINDS), abs=1e-12)


@needs_cord
@pytest.mark.parametrize(
    ("variant", "options"),
    [("no_split", {"split": False}), ("max_em_score", {"strategy": "max_em_score"})],
)
def test_the_options_give_the_tools_numbers_on_the_cord_sample(cord, expected, variant, options):
    numbers = score(cord.values(), keys=expected["keys"], **options)
    wanted = expected_numbers(expected["variants"][variant], CORD_KINDS)
    assert numbers == pytest.approx(wanted, abs=1e-12)


@needs_cord
def test_every_document_of_the_cord_sample_has_the_tools_numbers(cord, expected):
    ours = {
        "TP": "exact_match",
        "doc_exact": "documents_exact",
        "group_TP": "group_exact_match",
        "group_wrong": "group_wrong_match",
    }
    for name, wanted in expected["per_document"].items():
        numbers = score([cord[name]], keys=expected["keys"])
        found = {tool: numbers[ours.get(tool, tool), ""] for tool in wanted}
        assert found == pytest.approx(wanted, abs=1e-12), name
        assert found["doc_exact"] == expected["document_exact_match"][name], name


@needs_cord
def test_the_models_own_json_scores_as_the_tables_made_from_it(cord, expected):
    pairs = [
        (gold, json.loads((CORD / "pred_json" / f"{name}.json").read_text()))
        for name, (gold, _) in cord.items()
    ]
    numbers = score(pairs, keys=expected["keys"])
    assert numbers == pytest.approx(expected_numbers(expected, CORD_KINDS), abs=1e-12)


# One case a quirk, written by hand.


def row(**cells: object) -> dict[str, object]:
    return {f"menu.{key}": cell for key, cell in cells.items()}


QUIRKS = [
    pytest.param(
        {"menu": [row(nm=["A", "B"])]},
        {"menu": [row(nm=["B", "A"])]},
        {},
        {"entity_f1": 1.0, "group_entity_f1": 0.0, "documents_exact": 1},
        id="values in another order are right, the row and only the row is wrong",
    ),
    pytest.param(
        {"menu": [row(nm=["A", "B"])]},
        {"menu": [row(nm=["B", "A"])]},
        {"split": False},
        {"entity_f1": 0.0, "label": 1, "wrong_match": 1},
        id="without splitting a merged text is one value",
    ),
    pytest.param(
        {"menu": [row(nm="A")], "tax": {}},
        {"menu": [row(nm="A")], "tax": {}},
        {},
        {"group_exact_match": 2, "entity_f1": 1.0, "documents_exact": 0},
        id="a row empty on both sides is a right row yet no exact document",
    ),
    pytest.param(
        {"menu": [row(nm="A")]},
        {"menu": [row(nm="A"), {}]},
        {},
        {"group_no_match": 1, "group_precision": 0.5, "documents_exact": 1},
        id="a predicted empty row is a wrong row and does not stop a group with matches",
    ),
    pytest.param(
        {"menu": [row(nm="A")]},
        {"menu": [row(nm="A")], "tax": {}},
        {},
        {"group_no_match": 1, "documents_exact": 0},
        id="a predicted group of empty rows alone does stop it",
    ),
    pytest.param(
        {"menu": [row(nm="A")]},
        {"menu": [row(nm="A")], "store": "X"},
        {},
        {"precision": 1.0, "no_match": 0, "documents_exact": 0, "group_macro_f1": 0.5},
        id="values outside groups vanish from the total when gold has none",
    ),
    pytest.param(
        {"store": "X"},
        {"menu": [row(nm="A")], "store": "X"},
        {},
        {"precision": 1.0, "no_match": 0, "group_entity_f1": None, "group_label": None},
        id="groups vanish from the total when gold has none",
    ),
    pytest.param(
        {},
        {"store": "X", "menu": [row(nm="A")]},
        {},
        {"entity_f1": 0.0, "macro_f1": 0.0, "no_match": 0, "label": 0, "documents_exact": 0},
        id="without gold everything vanishes and the tool prints zeros",
    ),
    pytest.param(
        {"date": "1"},
        {"date": "1", "store": ["1", "2", "3"]},
        {},
        {"precision": 0.5, "no_match": 1},
        id="a value outside groups is not split where gold lacks its key",
    ),
    pytest.param(
        {"date": "1", "store": "9"},
        {"date": "1", "store": ["1", "2", "3"]},
        {},
        {"precision": 0.25, "wrong_match": 1, "no_match": 2},
        id="a value outside groups is split where gold has its key",
    ),
    pytest.param(
        {"store": ["A", None]},
        {"store": ["A"]},
        {},
        {"label": 1, "entity_f1": 1.0},
        id="an empty part of a value outside groups is no value",
    ),
    pytest.param(
        {"menu": [row(nm=["A", None])]},
        {"menu": [row(nm=["A", None])]},
        {},
        {"label": 2, "exact_match": 2},
        id="an empty part of a cell counts as a value in a pair of rows",
    ),
    pytest.param(
        {"menu": [row(nm=["A", None])]},
        {},
        {},
        {"label": 1, "no_match": 1},
        id="an empty part of a cell is no value in a row left over",
    ),
    pytest.param(
        {"menu": [row(nm="A", cnt="1"), row(nm="B")]},
        {"menu": [row(nm="A", cnt="2")]},
        {"keys": "menu.nm,menu.cnt,menu.vat"},
        # nm 2/3, cnt 0, vat 0: the row left over opens a row of zeros for the column vat
        {"macro_f1": pytest.approx(2 / 9)},
        id="a row left over puts its empty columns into the macro mean",
    ),
    pytest.param(
        {"menu": [row(nm="A", cnt="1"), row(nm="B")]},
        {"menu": [row(nm="A", cnt="2")]},
        {"keys": "menu.nm,menu.cnt,menu.vat", "split": False},
        {"macro_f1": pytest.approx(1 / 3)},
        id="without splitting it does not",
    ),
    pytest.param(
        {"menu": [row(nm="A", cnt="1")], "store": "X"},
        {"menu": [row(nm="A", cnt="2")], "store": "X"},
        {},
        # outside groups: nm 1, cnt 0, store 1, rows of menu 0; then nm and cnt once more
        {"macro_f1": 0.5, "group_macro_f1": pytest.approx(2 / 3)},
        id="with values outside groups the macro mean counts cells twice and rows once",
    ),
    pytest.param(
        {"0": [{"nm": "A"}]},
        {"0": [{"nm": "A"}]},
        {},
        {"entity_f1": 1.0, "macro_f1": 0.0, "group_macro_f1": 1.0},
        id="keys without a dot drop out of the macro mean",
    ),
    pytest.param(
        {"0": [{"a.x": "1"}, {"a.x": "2"}], "1": [{"a.x": "3"}]},
        {"0": [{"a.x": "1"}, {"a.x": "2"}], "1": [{"a.x": "9"}]},
        {},
        {"exact_match": 2, "macro_f1": 0.0},
        id="one key in two groups: both in the total, the later one in the macro mean",
    ),
    pytest.param(
        {"0": [{"a.x": "1"}], "a.x": "3"},
        {"0": [{"a.x": "1"}], "a.x": "9"},
        {},
        {"exact_match": 1, "label": 2, "macro_f1": pytest.approx(1 / 3)},
        id="one key inside and outside groups: the row is that of the values outside",
    ),
    pytest.param(
        {"menu": [row(nm="A", price="5")]},
        {"menu": [row(nm="A", price="5"), row(price="9")]},
        {"keys": "menu.nm"},
        {"label": 1, "entity_f1": 1.0, "group_no_match": 1},
        id="a row with values outside the keys alone stays as an empty row",
    ),
    pytest.param(
        {"menu": [row(nm="A")]},
        {"menu": [row(nm="A")], "tax": [{"tax.rate": "5"}], "store": "X"},
        {"keys": "menu.nm"},
        {"group_precision": 1.0, "documents_exact": 1},
        id="a group without any listed key is dropped",
    ),
    pytest.param(
        {"menu": [row(nm="60.000")]},
        {"menu": [row(nm="60.000 ")]},
        {},
        {"entity_f1": 0.0, "wrong_match": 1},
        id="texts are compared as they are",
    ),
]


@pytest.mark.parametrize(("gold", "pred", "options", "wanted"), QUIRKS)
def test_a_quirk_of_the_released_tool_is_kept(gold, pred, options, wanted):
    numbers = score_one(gold, pred, **options)
    assert {name: numbers[name, ""] for name in wanted} == wanted


def test_the_later_of_two_groups_with_one_key_gives_its_row():
    gold = {"2": [{"a.x": "1"}], "10": [{"a.x": "3"}, {"a.x": "4"}]}
    numbers = score_one(gold, gold)
    assert numbers["label", "a.x"] == 2
    assert (numbers["group_label", "2"], numbers["group_label", "10"]) == (1, 2)


def test_the_row_of_a_key_without_a_dot_keeps_the_tools_name():
    numbers = score_one({"0": [{"nm": "A"}], "nm": "B"}, {"0": [{"nm": "A"}], "nm": "C"})
    assert (numbers["entity_f1", "nm.0.group"], numbers["entity_f1", "nm"]) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("golds", "aligned"),
    [
        # one right value outside groups beside 2 wrong and 1 missing, or 1 wrong and 3 unmatched
        ([row(nm="A", cnt="1"), row(nm="B")], 1 / 4),
        ([row(nm="B"), row(nm="A", cnt="1")], 1 / 5),
    ],
    ids=["the fuller row comes first", "the fuller row comes last"],
)
def test_row_order_decides_between_pairs_of_equal_score(golds, aligned):
    pred = {"menu": [row(nm="X", cnt="9")], "store": "S"}
    assert score_one({"menu": golds, "store": "S"}, pred)["aligned", ""] == aligned


@pytest.mark.parametrize(
    ("strategy", "found"), [("hungarian", 3), ("max_em_score", 2)], ids=["best", "greedy"]
)
def test_the_greedy_strategy_takes_the_first_of_the_best_pairs(strategy, found):
    gold = {"menu": [row(nm="A", cnt="1", price="5"), row(nm="A", cnt="2")]}
    pred = {"menu": [row(nm="A", cnt="1"), row(nm="B", cnt="1", price="5")]}
    assert score_one(gold, pred, strategy=strategy)["exact_match", ""] == found


def test_an_unknown_strategy_is_refused_with_what_exists():
    with pytest.raises(ConfigurationError, match="there is: hungarian, max_em_score"):
        prepare(metrics=["kieval_official"], settings={"kieval_official.strategy": "greedy"})


# Trees of any format.

SAME_TREES = [
    pytest.param({"menu": {"nm": "A"}}, {"menu": [{"menu.nm": "A"}]}, id="an object is one row"),
    pytest.param(
        {"menu": [{"nm": "A", "sub": [{"nm": "x", "cnt": 1}, {"nm": "y"}]}]},
        {"menu": [{"menu.nm": "A", "menu.sub_nm": ["x", "y"], "menu.sub_cnt": "1"}]},
        id="groups inside a row fold into it",
    ),
    pytest.param(
        {"menu": [{"menu.sub": {"menu.sub_nm": ["x", "y"]}}]},
        {"menu": [{"sub": {"nm": ["x", "y"]}}]},
        id="keys that name their group are not prefixed again",
    ),
    pytest.param(
        {"menu": [{"sub": {"top": {"nm": "x"}}}]},
        {"menu": [{"menu.sub_top_nm": "x"}]},
        id="deeper groups fold alike",
    ),
    pytest.param(
        {"total": {"value": Number("1.50"), "confidence": 0.9}, "paid": True, "qty": 3},
        {"total": "1.50", "paid": "true", "qty": "3"},
        id="leaf objects, numbers and truth values are their texts",
    ),
    pytest.param(
        {"menu": [{"nm": "A", "cnt": None, "price": ""}], "store": None, "note": []},
        {"menu": [{"nm": "A"}]},
        id="null and the empty text are no value",
    ),
    pytest.param({"store": [["A"], "B"]}, {"store": "A||B"}, id="a list is a merged text"),
    pytest.param({"menu": []}, {}, id="a list without rows is no group"),
]


@pytest.mark.parametrize(("tree", "same"), SAME_TREES)
def test_trees_that_mean_the_same_score_the_same(tree, same):
    truth = {"store": "A", "menu": [{"nm": "B", "cnt": "1"}]}
    assert score_one(truth, tree) == score_one(truth, same)
    assert score_one(tree, truth) == score_one(same, truth)
    assert score_one(tree, same) == score_one(same, same)


@pytest.mark.parametrize("nothing", [None, [], "text", 3], ids=repr)
def test_a_tree_that_is_no_object_counts_as_empty(nothing):
    gold = {"menu": [{"nm": "A"}]}
    assert score_one(gold, nothing) == score_one(gold, {})


def test_a_prediction_equal_to_any_accepted_value_is_right():
    gold = {"menu": [{"nm": {"any_of": ["A", "B"]}}], "store": {"any_of": ["X", "Y"]}}
    assert score_one(gold, {"menu": [{"nm": "B"}], "store": "Y"})["entity_f1", ""] == 1.0


def test_empty_documents_have_no_numbers_and_do_not_count():
    assert set(score_one({}, {}).values()) == {None}
    tree = {"store": "A"}
    assert score([(tree, tree), ({}, None)]) == score_one(tree, tree)


TEXTS = st.sampled_from(["A", "B", "C", "A||B", "", None])
ROWS = st.lists(st.dictionaries(st.sampled_from(["nm", "cnt", "menu.price"]), TEXTS), max_size=4)
TREES = st.fixed_dictionaries(
    {}, optional={"menu": ROWS, "tax": ROWS, "store": TEXTS, "date": TEXTS}
)
PAIRS = st.tuples(TREES, TREES)


@given(st.lists(PAIRS, max_size=4), st.sampled_from(["hungarian", "max_em_score"]), st.booleans())
def test_the_order_of_documents_changes_no_digit(pairs, strategy, split):
    options = {"strategy": strategy, "split": split}
    assert score(pairs, **options) == score(reversed(pairs), **options)


@given(PAIRS)
def test_the_counts_of_the_total_are_those_of_its_rows(pair):
    gold, _ = pair
    numbers = score([pair])
    cells = [
        cell for kind in ("menu", "tax") for one in gold.get(kind, []) for cell in one.values()
    ]
    labels = {key: value for (name, key), value in numbers.items() if name == "label" and key}
    if numbers["label", ""] is not None:
        assert numbers["label", ""] == sum(labels.values())
        given_texts = [text for text in (*cells, gold.get("store"), gold.get("date")) if text]
        assert numbers["label", ""] == sum(len(text.split("||")) for text in given_texts)


@given(TREES)
def test_a_document_scored_against_itself_is_perfect_or_zero_for_want_of_values(tree):
    numbers = score_one(tree, tree)
    assert numbers["entity_f1", ""] in ({1.0} if numbers["label", ""] else {0.0, None})


def test_the_statistics_are_whole_numbers_in_the_declared_columns():
    gold = {"menu": [{"nm": "A"}], "store": "X"}
    case = SimpleNamespace(gold=SimpleNamespace(tree=gold), pred=SimpleNamespace(tree=None))
    stats = kieval_official(case)
    tables = METRICS.get("kieval_official").tables
    for name, table in stats.items():
        for counts in table.values():
            assert [type(count) for count in counts] == [int] * len(tables[name])
