"""Details of the analysis that wider tests pass over, each computed by hand."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

import docassay as da
from docassay.analysis.aggregate import build
from docassay.analysis.splits.file import Split, decode, write_split
from docassay.analysis.splits.make import TemplatePlace, describe
from docassay.analysis.study.shuffle import shuffle_study
from docassay.analysis.thresholds.curves import Choice
from docassay.api.score import score_run
from docassay.errors import ConfigurationError

# ---------------------------------------------------------------- reports

GOLD, PRED = {"d": {"a": "1"}}, {"d": {"a": "2"}}


def test_a_report_with_other_options_of_display_is_that_of_a_run_with_them() -> None:
    settings = {"effort.review_minutes": 2.0}
    stored = score_run(GOLD, PRED, metrics=["effort"]).ledger
    shown = build(stored, display=settings)
    scored = da.score(GOLD, PRED, metrics=["effort"], settings=settings)
    assert (shown.signature, shown.scores) == (scored.signature, scored.scores)
    assert shown.signature != stored.header.signature


def test_what_another_version_signed_stays_with_what_is_shown_otherwise() -> None:
    stored = score_run(GOLD, PRED, metrics=["effort"]).ledger
    older = stored._replace(header=stored.header._replace(signature="docassay:0.0.1|x"))
    shown = build(older, display={"effort.review_minutes": 2.0})
    assert shown.signature == "docassay:0.0.1|x|effort.review_minutes=2.0"


# ---------------------------------------------------------------- splits


def test_a_split_is_written_as_vrdu_writes_it_indented_by_four(tmp_path: Path) -> None:
    name = decode("Toy-t-train_1-test_1-valid_0-SD_0")
    path = write_split(tmp_path, Split(name, ("a",), (), ("b",)))
    assert path.read_text() == (
        '{\n    "train": [\n        "a"\n    ],\n    "valid": [],\n'
        '    "test": [\n        "b"\n    ]\n}\n'
    )


@pytest.mark.parametrize(
    ("pattern", "refused"),
    [
        ("(?:a+)?b", False),
        ("(?:ab)+", False),
        ("(?:a+)+", True),
        ("(?:a?)*", True),
        ("(?:ab|cd)*", True),
        ("(?:a{2})+", False),
    ],
)
def test_only_a_pattern_that_repeats_repetitions_is_refused(pattern: str, refused: bool) -> None:
    expected = pytest.raises(ConfigurationError) if refused else nullcontext()
    with expected:
        describe({"ab": {"x": "1"}}, TemplatePlace(in_id=pattern))


# ---------------------------------------------------------------- thresholds


@pytest.mark.parametrize(
    ("values", "unreviewed", "wrong", "rates"),
    [(8, 4, 1, (0.5, 0.25)), (8, 0, 0, (0.0, None)), (0, 0, 0, (None, None))],
)
def test_the_rates_of_a_choice_are_shares_of_the_values_and_of_the_unreviewed(
    values: int, unreviewed: int, wrong: int, rates: tuple[float | None, ...]
) -> None:
    choice = Choice("way", "field", 0.5, values, unreviewed, wrong)
    assert (choice.auto_rate, choice.error_rate) == rates


# ---------------------------------------------------------------- studies


def test_one_repetition_shuffles_and_none_is_refused() -> None:
    gold = {"d": {"a": ["1", "2"]}}
    assert shuffle_study(gold, gold, repetitions=1).repetitions == 1
    with pytest.raises(ConfigurationError, match="0 repetitions shuffle nothing"):
        shuffle_study(gold, gold, repetitions=0)
