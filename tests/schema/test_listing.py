"""Which group a shared column belongs to: the one of which the document type lists most."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docassay.schema.listing import Listing
from docassay.schema.source import load_schema


def listing(*listed: str) -> Listing:
    columns = {"first": {"date": "WHEN", "sum": "AMOUNT"}, "second": {"date": "WHEN", "fee": "FEE"}}
    schema = load_schema(
        {
            "types": {"form": {"fields": [*listed]}},
            "groups": {
                name: {
                    "fields": dict.fromkeys(fields, "text"),
                    "columns": fields,
                }
                for name, fields in columns.items()
            },
        }
    )
    return Listing(schema, schema.types[0])


@pytest.mark.parametrize(
    ("listed", "group"),
    [
        pytest.param(["WHEN", "AMOUNT"], "first", id="the first has more columns listed"),
        pytest.param(["WHEN", "FEE"], "second", id="the second has more columns listed"),
        pytest.param(["WHEN", "AMOUNT", "second"], "second", id="a whole group beats a column"),
        pytest.param(["WHEN", "FEE", "first"], "first", id="and so it does for the first"),
    ],
)
def test_a_shared_column_goes_to_the_group_more_listed(listed: list[str], group: str) -> None:
    assert listing(*listed).columns["WHEN"] == (group, f"{group}.date")


def test_of_groups_as_much_listed_the_first_has_the_column() -> None:
    schema = listing("WHEN", "FEE").schema
    assert Listing(schema, None).columns["WHEN"] == ("first", "first.date")
    both = replace(schema.types[0], fields=("WHEN", "AMOUNT", "FEE"))
    assert Listing(schema, both).columns["WHEN"] == ("first", "first.date")


def test_a_column_of_one_group_stays_there() -> None:
    columns = listing("WHEN", "FEE").columns
    assert columns["AMOUNT"] == ("first", "first.sum")
    assert columns["FEE"] == ("second", "second.fee")
