"""Every readout of `rules` on a small corpus, with what it was counted on, by hand."""

from __future__ import annotations

import pytest

import docassay as da

SCHEMA = {
    "fields": {"net": "money", "tax": "money", "total": "money"},
    "rules": [
        {"name": "adds up", "check": "net + tax == total"},
        {"name": "owed", "check": "total > 0"},
    ],
}
GOLD = {
    "d": {"net": "1", "tax": "2", "total": "3"},
    "e": {"net": "1", "tax": "2", "total": "4"},
    "f": {"total": "5"},
}
PRED = {
    "d": {"net": "1", "tax": "1", "total": "3"},
    "e": {"net": "1", "tax": "2", "total": "-1"},
    "f": {},
}
BY_HAND = {
    # adds up: holds, is broken, has nothing to add; owed: holds three times
    "gold_checked": (5, 6),
    "gold_broken": (1, 6),
    "gold_skipped": (1, 6),
    "gold_checked@adds up": (2, 3),
    "gold_broken@adds up": (1, 3),
    "gold_skipped@adds up": (1, 3),
    "gold_checked@owed": (3, 3),
    "gold_broken@owed": (0, 3),
    # adds up: broken twice; owed: holds, is broken; a document that says nothing is not asked
    "pred_broken@adds up": (2, 2),
    "pred_broken@owed": (1, 2),
    "pred_checked": (4, 4),
    "pred_broken": (3, 4),
    "pred_skipped": (0, 4),
    "documents_suspicious": (1, 3),
}


def test_every_readout_is_that_by_hand() -> None:
    report = da.score(GOLD, PRED, schema=SCHEMA, metrics=["rules"])
    found = {
        address: (report[f"rules.{address}"].value, report[f"rules.{address}"].support)
        for address in BY_HAND
    }
    assert found == BY_HAND


@pytest.mark.parametrize(
    ("address", "held", "checked"),
    [("gold_holds", 4, 5), ("pred_holds", 1, 4), ("gold_holds@owed", 3, 3)],
)
def test_what_holds_is_a_share_of_what_was_checked(address: str, held: int, checked: int) -> None:
    score = da.score(GOLD, PRED, schema=SCHEMA, metrics=["rules"])[f"rules.{address}"]
    assert (score.value, score.support) == (pytest.approx(held / checked), checked)


def test_without_rules_nothing_is_counted() -> None:
    report = da.score(GOLD, PRED, schema={"fields": SCHEMA["fields"]}, metrics=["rules"])
    assert report["rules.gold_broken"].value is None
    assert report["rules.documents_suspicious"].value is None
