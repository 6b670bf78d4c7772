"""The conformance table: pairs of values, and whether a careful reviewer calls them equal."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from docassay.values.similarity import similarity
from docassay.values.types import type_names

TABLE = Path(__file__).with_name("conformance.csv")
COLUMNS = ["type", "gold", "pred", "equal", "options", "reason"]


def read_table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_options(text: str) -> dict[str, str]:
    return dict(option.split("=", 1) for option in text.split(";") if option)


ROWS = read_table(TABLE)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['type']}: {row['reason']}" for row in ROWS])
def test_a_pair_is_judged_as_a_careful_reviewer_would(row: dict[str, str]) -> None:
    found = similarity(row["gold"], row["pred"], type=row["type"], **read_options(row["options"]))
    assert (found.value == 1.0) is (row["equal"] == "yes"), found


@pytest.mark.parametrize("name", type_names())
def test_every_type_has_pairs_that_are_equal_and_pairs_that_are_not(name: str) -> None:
    assert {row["equal"] for row in ROWS if row["type"] == name} == {"yes", "no"}


def test_the_table_is_large_and_says_each_reason_once_a_type() -> None:
    reasons = [(row["type"], row["reason"]) for row in ROWS]
    assert len(reasons) >= 300
    assert len(set(reasons)) == len(reasons)
    assert all(list(row) == COLUMNS and row["equal"] in ("yes", "no") for row in ROWS)
