"""Error pairs labelled by hand, over all causes: at least 95 of 100 get the label they have."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from docassay.matching.case import Case, Layouts, make_case
from docassay.metrics.causes import CAUSES, WRONG_FIELD
from docassay.metrics.causes.corrections import corrections
from docassay.metrics.causes.rows import pairs_of
from docassay.metrics.causes.values import cause_of
from docassay.model.schema import Field, Schema
from docassay.schema.source import load_schema
from docassay.values.field import BoundField

HERE = Path(__file__).parent
ENOUGH = 120
SCHEMA = {
    "extra": "count",
    "absent": ["NOT_FOUND"],
    "types": {
        "invoice": {
            "fields": [
                *("DOCUMENT_TYPE", "name", "payer", "number"),
                *("date", "total", "tax", "paid", "items"),
            ],
        },
        "statement": {"fields": ["DOCUMENT_TYPE", "name", "account", "txn"]},
    },
    "fields": {
        "name": "text",
        "payer": "text",
        "number": "id",
        "date": "date",
        "account": "id",
        "total": "money",
        "tax": "money",
        "paid": "boolean",
        "taxed": "boolean",
    },
    "groups": {
        "items": {
            "fields": {"name": "text", "qty": "quantity", "price": "money", "total": "money"},
            "groups": {"sub": {"fields": {"name": "text", "price": "money"}}},
        },
        "txn": {"fields": {"date": "date", "what": "text", "amount": "money"}},
    },
}


def value_pairs() -> list[tuple[str, str, str]]:
    """What was compared, the label, and the cause that the rules find."""
    with (HERE / "pairs.csv").open(encoding="utf-8", newline="") as lines:
        return [
            (
                f"{one['type']} {one['gold']!r} {one['pred']!r}",
                one["cause"],
                cause_of(one["gold"], one["pred"], BoundField(Field("f", one["type"]), Schema())),
            )
            for one in csv.DictReader(lines)
        ]


def found_in(case: Case) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in corrections(case, pairs_of(case)):
        found.setdefault(one.fate.field.path, set()).add(one.cause)
    return found


def document_pairs() -> list[tuple[str, str, str]]:
    layouts = Layouts(load_schema(SCHEMA))
    pairs = []
    for line in (HERE / "documents.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        found = found_in(make_case("x", one["gold"], one["pred"], layouts))
        for path in {*one["causes"], *found}:
            cause = ", ".join(sorted(found.get(path, {"nothing"})))
            pairs.append((f"{one['why']}: {path}", one["causes"].get(path, "nothing"), cause))
    return pairs


@pytest.fixture(scope="module")
def labelled() -> list[tuple[str, str, str]]:
    return [*value_pairs(), *document_pairs()]


def test_the_labels_cover_every_cause(labelled: list[tuple[str, str, str]]) -> None:
    assert len(labelled) >= ENOUGH
    assert {label for _, label, _ in labelled} == set(CAUSES)


def test_nineteen_of_twenty_labels_are_found(labelled: list[tuple[str, str, str]]) -> None:
    wrong = [one for one in labelled if one[1] != one[2]]
    assert len(wrong) <= 0.05 * len(labelled), wrong


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_is_found_where_it_is_the_label(
    cause: str, labelled: list[tuple[str, str, str]]
) -> None:
    own = [found == label for _, label, found in labelled if label == cause]
    assert sum(own) >= 0.8 * len(own)


@pytest.mark.parametrize("name", ["Acme Trading", "ATC Limited"])
def test_any_accepted_value_that_stands_in_another_field_is_in_the_wrong_field(name: str) -> None:
    gold = {"name": {"any_of": ["Acme Trading", "ATC Limited"]}}
    case = make_case("x", gold, {"payer": name}, Layouts(load_schema(SCHEMA)))
    assert found_in(case) == {"name": {WRONG_FIELD}, "payer": {WRONG_FIELD}}


if __name__ == "__main__":
    pairs = [*value_pairs(), *document_pairs()]
    missed = [one for one in pairs if one[1] != one[2]]
    print(f"{len(pairs) - len(missed)} of {len(pairs)} labels found")
    for what, label, found in missed:
        print(f"  {what}: {label}, found as {found}")
