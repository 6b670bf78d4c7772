"""Forecasts of sample sizes as people see them."""

from __future__ import annotations

import docassay as da
from docassay.report.power import render
from docassay.report.screen import Screen


def runs(documents: int) -> tuple[da.Report, da.Report]:
    gold = {f"d{at}": {"total": f"{at}.00", "name": "tea"} for at in range(documents)}
    wrong = {id: {**tree, "name": "tee"} if id < "d4" else tree for id, tree in gold.items()}
    return da.score(gold, gold, metrics=["kieval"]), da.score(gold, wrong, metrics=["kieval"])


def test_too_few_documents_for_any_forecast_are_said_without_empty_tables() -> None:
    screen = Screen(80)
    few = da.power(*runs(3))
    text = render(few, "table", screen=screen)
    assert text.startswith("No forecast for aligned: fewer than 5 documents have it.")
    assert "Overall" not in text
    assert "Overall" in render(few, "table", screen=screen, all_fields=True)
    assert "Overall" in render(da.power(*runs(12)), "table", screen=screen)
