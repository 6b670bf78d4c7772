"""The words above the tables say what the numbers of a metric count."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import docassay as da

ROWS = st.lists(st.fixed_dictionaries({"x": st.sampled_from("ab"), "y": st.sampled_from("cd")}))


def meaning(report: da.Report, label: str) -> str:
    return next((line.meaning for line in report.headline if line.label == label), "")


@given(ROWS, ROWS)
@settings(max_examples=15, deadline=None)
def test_the_structure_gap_names_the_values_that_stand_in_a_wrong_row(
    gold: list[dict[str, str]], pred: list[dict[str, str]]
) -> None:
    report = da.score({"d": {"g": gold}}, {"d": {"g": pred}}, metrics=["entity", "kieval"])
    strays = int(report["entity.tp"].value or 0) - int(report["kieval.tp"].value or 0)
    told = meaning(report, "structure gap")
    if told:
        start = f"{strays} more value{'' if strays == 1 else 's'} found"
        assert told.startswith(start if strays else "every value found")


@pytest.mark.parametrize(
    ("metrics", "labels"),
    [
        (["entity"], ["entity F1", "precision", "recall"]),
        (["kieval"], ["aligned", "corrections", "documents", "F1 in its row", "structure gap"]),
        (
            ["entity", "kieval"],
            ["aligned", "corrections", "documents", "entity F1", "F1 in its row", "structure gap"],
        ),
    ],
)
def test_lines_stand_in_their_places_and_give_way_to_better_ones(
    metrics: list[str], labels: list[str]
) -> None:
    report = da.score({"d": {"a": "1"}}, {"d": {"a": "2"}}, metrics=metrics)
    assert [line.label for line in report.headline] == labels
