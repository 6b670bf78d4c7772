"""The conformance tables: pairs of values, and whether a careful reviewer calls them equal."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from docassay.values.reader import type_names
from docassay.values.similarity import similarity

TABLE = Path(__file__).with_name("conformance.csv")
REAL = Path(__file__).with_name("real_pairs.csv")
"""Pairs from fields of real documents, labelled before any code was run on them."""
COLUMNS = ["type", "gold", "pred", "equal", "options", "reason"]


def read_table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_options(text: str) -> dict[str, str]:
    return dict(option.split("=", 1) for option in text.split(";") if option)


ROWS = read_table(TABLE)
REAL_ROWS = read_table(REAL)
ALL_ROWS = [*ROWS, *REAL_ROWS]


@pytest.mark.parametrize(
    "row", ALL_ROWS, ids=[f"{row['type']}: {row['reason']}" for row in ALL_ROWS]
)
def test_a_pair_is_judged_as_a_careful_reviewer_would(row: dict[str, str]) -> None:
    found = similarity(row["gold"], row["pred"], type=row["type"], **read_options(row["options"]))
    assert (found.value == 1.0) is (row["equal"] == "yes"), found


@pytest.mark.parametrize("name", type_names())
def test_every_type_has_pairs_that_are_equal_and_pairs_that_are_not(name: str) -> None:
    assert {row["equal"] for row in ROWS if row["type"] == name} == {"yes", "no"}


@pytest.mark.parametrize(("rows", "least"), [(ROWS, 600), (REAL_ROWS, 300)])
def test_a_table_is_large_and_says_each_reason_once_a_type(
    rows: list[dict[str, str]], least: int
) -> None:
    reasons = [(row["type"], row["reason"]) for row in rows]
    assert len(reasons) >= least
    assert len(set(reasons)) == len(reasons)
    assert all(list(row) == COLUMNS and row["equal"] in ("yes", "no") for row in rows)
