"""The metric `ner` on documents: trees as sequences, options, readouts, large documents."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.errors import ConfigurationError
from docassay.matching.case import Layouts
from docassay.metrics.ner.metric import sequence_of
from docassay.metrics.sides import Side
from docassay.model.document import Block, TaggedText
from docassay.model.schema import Schema
from docassay.schema.reading import TreeReader
from docassay.schema.source import load_schema
from tests.growth import growth
from tests.metrics.ner.plain import BLOCKS, stats_of
from tests.strategies import TREE

READOUTS = [
    *("cer", "wer", "ecer", "ewer", "oiecer", "oiewer"),
    *("nerval_precision", "nerval_recall", "nerval_f1"),
    *("oinerval_precision", "oinerval_recall", "oinerval_f1"),
    *("btwer", "bt_precision", "bt_recall", "bt_f1"),
    *("beer", "be_precision", "be_recall", "be_f1"),
    *("bwer", "bow_precision", "bow_recall", "bow_f1"),
    "iehhr",
]


def blocks_of(tree: object, *, schema: object = None, gold: bool = True) -> list[tuple]:
    layout = Layouts(Schema() if schema is None else load_schema(schema)).plain
    blocks = sequence_of(tree, layout, side=Side(gold))
    return [(one.category, one.text, *one.others) for one in blocks]


TREES = [
    pytest.param({"b": "2", "a": "1"}, [("b", "2"), ("a", "1")], id="order of the file"),
    pytest.param(
        {"m": [{"n": "x", "s": {"n": "y"}}, {"n": "z"}], "t": 5},
        [("m.n", "x"), ("m.s.n", "y"), ("m.n", "z"), ("t", "5")],
        id="depth first, paths without indices",
    ),
    pytest.param({"m": {"m.n": "x"}}, [("m.n", "x")], id="a path is not prefixed twice"),
    pytest.param({"a": "x\n \u00a0y"}, [("a", "x y")], id="white space collapsed"),
    pytest.param({"a": None, "b": "", "c": "not_found"}, [], id="absent values"),
    pytest.param({"a": [True, None, 1.5]}, [("a", "true"), ("a", "1.5")], id="leaves as text"),
    pytest.param({"a": {"value": "x", "confidence": 0.5}}, [("a", "x")], id="located leaf"),
    pytest.param({"a": {"any_of": ["x", "y", ""]}}, [("a", "x", "y")], id="alternatives"),
    pytest.param({"a": "x | y"}, [("a", "x | y")], id="no splitting without a schema"),
    pytest.param("no object", [], id="no object"),
    pytest.param(None, [], id="no document"),
]


@pytest.mark.parametrize(("tree", "expected"), TREES)
def test_the_values_of_a_tree_are_entities_in_order(tree: object, expected: list[tuple]) -> None:
    assert blocks_of(tree) == expected


def test_a_schema_names_columns_and_splits_lists() -> None:
    schema = {
        "fields": {"tags": "text"},
        "groups": {"rows": {"fields": {"n": "text"}, "columns": {"n": "NAMES"}}},
    }
    tree = {"tags": "x | y", "NAMES": "p | q"}
    expected = [("tags", "x"), ("tags", "y"), ("rows.n", "p"), ("rows.n", "q")]
    assert blocks_of(tree, schema=schema) == expected


def test_the_first_alternative_of_a_prediction_stands_alone() -> None:
    assert blocks_of({"a": {"any_of": ["x", "y"]}}, gold=False) == [("a", "x")]


@given(tree=TREE)
def test_a_sequence_holds_the_values_that_reading_finds(tree: dict) -> None:
    layout = Layouts(Schema()).plain
    read = TreeReader(layout, "x", gold=True).read(tree).root
    found = sorted((one.field, " ".join(one.reading.text.split())) for one in read.entities())
    assert sorted(blocks_of(tree)) == found


def score(gold: object, pred: object, **settings: object) -> da.Report:
    named = {f"ner.{name}": value for name, value in settings.items()}
    return da.score({"x": gold}, {"x": pred}, metrics=["ner"], settings=named)


def test_readouts_come_overall_first_then_by_category() -> None:
    report = score({"a": "x", "b": "y"}, {"a": "x", "b": "z"})
    overall = [one.readout for one in report.scores if not one.key]
    assert overall == [*READOUTS, "documents_too_long"]
    for category in ("a", "b"):
        assert [one.readout for one in report.scores if one.key == category] == READOUTS


def test_further_thresholds_have_a_suffix_in_percent() -> None:
    report = score({"a": "abcdefghij"}, {"a": "abcdefghiX"}, thresholds="0,0.1,0.125")
    names = ("_at_0", "_at_10", "_at_12_5", "")
    values = {name: report[f"ner.oinerval_f1{name}"].value for name in names}
    assert values == {"_at_0": 0.0, "_at_10": 1.0, "_at_12_5": 1.0, "": 1.0}


def test_a_threshold_is_met_by_an_equal_rate() -> None:
    gold, pred = {"a": "abcdefghij"}, {"a": "abcdefgXYZ"}
    assert score(gold, pred)["ner.oinerval_f1"].value == 1.0
    assert score(gold, pred)["ner.nerval_f1"].value == 1.0
    assert score(gold, pred, threshold="0.29")["ner.nerval_f1"].value == 0.0


def test_macro_readouts_are_means_over_categories() -> None:
    report = score({"a": "x", "b": ["y", "z"]}, {"a": "x", "b": ["y", "q"]}, macro="true")
    assert report["ner.macro_be_f1"].value == pytest.approx((1 + 0.5) / 2)
    assert report["ner.macro_be_f1"].support == 2
    assert "ner.macro_be_f1" not in score({"a": "x"}, {"a": "x"})


def test_only_some_parts_may_be_asked_for() -> None:
    report = score({"a": "x"}, {"a": "x"}, only="oiecer,bt")
    overall = {one.readout for one in report.scores if not one.key}
    assert overall == {
        *("oiecer", "oiewer", "btwer", "bt_precision", "bt_recall", "bt_f1", "documents_too_long")
    }


def test_a_percentage_for_a_threshold_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match=r"0\.3 is 30 %"):
        score({"a": "x"}, {"a": "x"}, threshold="30")


def test_without_gold_entities_rates_are_undefined() -> None:
    report = score({}, {"a": "x"})
    for readout in ("cer", "ecer", "oiecer", "btwer", "iehhr"):
        assert report[f"ner.{readout}"].value is None
    assert report["ner.oinerval_precision"].value == 0.0
    assert report["ner.oinerval_recall"].value is None


def test_rates_may_exceed_one() -> None:
    assert score({"a": "x"}, {"a": ["y", "z", "w"]})["ner.oiecer"].value == 3.0


def test_a_value_under_an_empty_key_has_a_category_of_its_own() -> None:
    report = score({"": "x"}, {"": "x"})
    assert report["ner.oinerval_f1"].value == 1.0
    assert {one.key for one in report.scores} == {"", '""'}


def test_texts_beyond_the_limit_are_counted() -> None:
    report = score({"a": "x" * 20}, {"a": "y"}, max_chars=10)
    assert report["ner.documents_too_long"].value == 1
    (problem,) = report.problems
    assert problem.message.startswith("ner: too long for ner.max_chars")
    assert report["ner.cer"].value is None
    assert report["ner.oiecer"].value == 1.0


@given(gold=BLOCKS, pred=BLOCKS)
def test_a_tagged_text_is_scored_as_its_blocks_are(gold: list[Block], pred: list[Block]) -> None:
    report = score(TaggedText(gold), TaggedText(pred))
    for part in ("ecer", "oiecer"):
        entities, cost, _ = stats_of(gold, pred)[part][""]
        assert report[f"ner.{part}"].value == (cost / (entities * 10**9) if entities else None)


def test_two_lone_bio_files_are_one_document(tmp_path: Path) -> None:
    for name in ("gold.bio", "pred.bio"):
        (tmp_path / name).write_text("a B-X\nb O\n")
    paths = (tmp_path / "gold.bio", tmp_path / "pred.bio")
    report = da.score(*paths, gold_format="bio", pred_format="bio", metrics=["ner"])
    assert report["ner.cer"].support == 3
    assert report["ner.nerval_f1"].value == 1.0


def pages(count: int, categories: int) -> tuple[list[Block], list[Block]]:
    dice = random.Random(categories)
    words = ["".join(dice.choices("abcdefghijklmno", k=dice.randint(2, 8))) for _ in range(2000)]
    gold = [
        Block(f"c{dice.randrange(categories)}", " ".join(dice.choices(words, k=dice.randint(1, 3))))
        for _ in range(count)
    ]
    kept = [one for one in gold if dice.random() > 0.05]
    return gold, [one._replace(text=one.text.replace("a", "e", 1)) for one in kept]


@pytest.mark.parametrize(("count", "categories"), [(2000, 5), (800, 1)])
def test_twice_the_entities_are_about_four_times_the_work(count: int, categories: int) -> None:
    sizes = (pages(count // 2, categories), pages(count, categories))
    assert growth(lambda sides: stats_of(*sides), *sizes) < 10
    found = stats_of(*sizes[1])
    assert found["documents"] == {"": (1, 0)}
    assert found["oiecer"][""][1] <= found["ecer"][""][1]


@given(seed=st.integers(0, 50))
def test_large_categories_match_as_many_as_small_steps_would(seed: int) -> None:
    from docassay.metrics.ner import counts as ner_free

    dice = random.Random(seed)
    texts = ["".join(dice.choices("ab", k=3)) for _ in range(24)]
    gold, pred = ([Block("X", one) for one in part] for part in (texts[:12], texts[12:]))
    usual = stats_of(gold, pred)["oinerval"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ner_free, "MANY", 0)
        assert stats_of(gold, pred)["oinerval"] == usual
