"""When the first screen of a run shows nothing of `fields`.

Its headline, its columns and its worst documents stand behind those of `kieval`. What it alone has
are scores by category and by document type, which are shown where no field is wrong by `kieval`,
problems of fields that a type does not list, and problems of lists that are too long to compare all
their items.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from docassay.kernel.plain import most_pairs
from docassay.metrics.fields.levels import HEADLINE
from docassay.metrics.fields.methods import MAX_CELLS
from docassay.metrics.metric import Unseen
from docassay.model.schema import Schema
from docassay.schema.listing import Listing

if TYPE_CHECKING:
    from docassay.matching.case import Case


def _numbers(schema: Schema | None, metrics: Collection[str]) -> bool:
    """Whether there are no categories and no types whose scores might be the weakest."""
    if HEADLINE not in metrics:
        return False
    if schema is None:
        return True
    fields = Listing(schema, None).fields.values()
    return not schema.types and all(field.category is None for field in fields)


def _flaws(case: Case) -> bool:
    """Whether all fields are listed, and none has so many values that lists are cut into parts."""
    fields, listing = case.tally().fields, case.layout.listing
    listed = listing.expected_paths.issuperset(fields) or all(map(listing.expects, fields))
    return listed and most_pairs(fields) <= MAX_CELLS


UNSEEN = Unseen(_numbers, _flaws, behind=HEADLINE)
