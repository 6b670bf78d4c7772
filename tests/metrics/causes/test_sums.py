"""Every lost point has exactly one cause: the causes add up to what is missing from 1."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.api.score import Scorer
from docassay.cli.demo import MODELS, SEED
from docassay.matching.case import Layouts, make_case
from docassay.metrics.causes import CAUSES
from docassay.metrics.causes.corrections import corrections
from docassay.metrics.causes.losses import fixed, largest_remainder
from docassay.metrics.causes.rows import pairs_of
from docassay.model.report import Report
from docassay.model.schema import METHODS, Schema
from docassay.model.stats import PARTS
from docassay.schema.source import load_schema
from docassay.synth.corpus import write_corpus
from tests.contracts.test_laws import TOLERANT
from tests.metrics.causes.agreement import agreement, confusion
from tests.strategies import TREE

METRICS = ["kieval", "fields", "causes"]
LOSSES = {"kieval.aligned": "kieval_loss", "fields.overall_accuracy": "fields_loss"}
SCHEMAS = pytest.mark.parametrize(
    "schema", [Schema(), load_schema(TOLERANT)], ids=["no schema", "tolerant schema"]
)


def assert_sums(report: Report) -> None:
    for address, readout in LOSSES.items():
        score = report[address].value
        if score is None:
            continue
        parts = {one.key: one.value for one in report.of("causes") if one.readout == readout}
        assert abs(1 - score - parts[""]) <= 1e-9
        assert abs(sum(parts[cause] for cause in CAUSES) - parts[""]) <= 1e-9
        by_field = [value for key, value in parts.items() if key.rpartition(": ")[2] in CAUSES]
        assert abs(sum(by_field) - 2 * parts[""]) <= 1e-9  # once by cause, once by field
    for line in report.lines:
        for address, readout in LOSSES.items():
            if line.scores[address] is not None:
                assert abs(1 - line.scores[address] - line.scores[f"causes.{readout}"]) <= 1e-9


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_corpus(tmp_path_factory.mktemp("demo"), docs=60, seed=SEED, models=MODELS)


@pytest.mark.parametrize(("model", "method"), [*product((1, 2), ("order_aware_f1", "anls"))])
def test_the_causes_of_every_document_of_the_demo_sum_to_its_loss(
    model: int, method: str, demo: list[Path]
) -> None:
    settings = {"fields.method": method}
    pred, schema = demo[model], demo[-1]
    assert_sums(da.score(demo[0], pred, schema=schema, metrics=METRICS, settings=settings))


def test_the_causes_of_real_receipts_sum_to_their_loss(shared: Path) -> None:
    folder = shared / "data" / "cord-qwen2vl"
    assert_sums(da.score(folder / "gold_csv", folder / "pred_csv", metrics=METRICS))


@SCHEMAS
@given(gold=TREE, pred=TREE, method=st.sampled_from(METHODS))
def test_the_causes_of_any_document_sum_to_its_loss(
    schema: Schema, gold: dict, pred: dict, method: str
) -> None:
    scorer = Scorer(schema=schema, metrics=METRICS, settings={"fields.method": method})
    scorer.add("x", gold, pred)
    assert_sums(scorer.report())


@SCHEMAS
@given(gold=TREE, pred=TREE)
def test_every_correction_has_exactly_one_cause(schema: Schema, gold: dict, pred: dict) -> None:
    case = make_case("x", gold, pred, Layouts(schema))
    found = corrections(case, pairs_of(case))
    assert {one.cause for one in found} <= {*CAUSES}
    by_field = Counter(one.fate.field.path for one in found)
    counted = {path: sum(counts[1:]) for path, counts in case.tally().fields.items()}
    assert by_field == {path: count for path, count in counted.items() if count}


@SCHEMAS
@given(gold=TREE, pred=TREE)
def test_with_all_corrections_made_nothing_is_wrong(schema: Schema, gold: dict, pred: dict) -> None:
    case = make_case("x", gold, pred, Layouts(schema))
    root = pairs_of(case)
    after = fixed(case, root, corrections(case, root))
    assert all(sum(counts[1:]) == 0 for counts in after.tally().fields.values())
    assert after.tally().exact


@SCHEMAS
@given(gold=TREE, pred=TREE)
def test_with_no_correction_made_nothing_changes(schema: Schema, gold: dict, pred: dict) -> None:
    case = make_case("x", gold, pred, Layouts(schema))
    after = fixed(case, pairs_of(case), [])
    assert after.tally().fields == case.tally().fields


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abc"), st.sampled_from(CAUSES)),
        st.fractions(Fraction(1, 1000), 1),
        min_size=1,
    ),
    st.integers(0, PARTS),
)
def test_parts_by_largest_remainder_add_up_and_are_off_by_less_than_one(
    shares: dict, total: int
) -> None:
    found = largest_remainder(shares, total)
    assert sum(found.values()) == total
    whole = sum(shares.values())
    assert all(abs(found.get(key, 0) - share * total / whole) < 1 for key, share in shares.items())


def test_the_rules_find_nineteen_of_twenty_mistakes_of_the_generator() -> None:
    assert agreement(confusion(docs=100, seed=5)) >= 0.95


@SCHEMAS
@given(gold=TREE, pred=TREE)
def test_the_causes_follow_kieval_where_it_flattens(schema: Schema, gold: dict, pred: dict) -> None:
    scorer = Scorer(schema=schema, metrics=METRICS, settings={"kieval.flatten": True})
    scorer.add("x", gold, pred)
    assert_sums(scorer.report())
