"""A table of models and data sets in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from docassay.analysis.tabulate import (
    ORDERED,
    SHUFFLED,
    TableDataset,
    TableEntry,
    TableScore,
    Tabulation,
)
from docassay.errors import UnknownName
from docassay.report.screen import Screen
from docassay.report.tabulate import FORMATS, render, write_table
from tests.report.comparisons import ODD

F1, WRONG = "entity.f1", "kieval.fp + kieval.fn"


def made(
    models: tuple[str, ...] = ("LayoutXLM", "Donut"),
    datasets: tuple[str, ...] = ("SROIE", "CORD"),
    orders: tuple[str, ...] = ("",),
    scores: tuple[str, ...] = (F1, WRONG),
) -> Tabulation:
    entries = [
        TableEntry(model, dataset, order, score, 0.9177 - at / 10 if score == F1 else 231 + at)
        for at, model in enumerate(models)
        for dataset in datasets
        for order in orders
        for score in scores
        if (model, dataset) != ("Donut", "CORD")
    ]
    marked = (
        entry._replace(best=entry.model == models[0], differs=entry.model != models[0], p=0.01)
        for entry in entries
    )
    known = {
        F1: TableScore(F1, ((1, F1),), "higher", is_share=True),
        WRONG: TableScore(WRONG, ((1, "kieval.fp"), (1, "kieval.fn")), "lower", is_share=False),
    }
    named = (TableScore(name, ((1, name),), None, is_share=True) for name in scores)
    return Tabulation(
        models,
        tuple(TableDataset(name, 100) for name in datasets),
        orders,
        tuple(known.get(score.label, score) for score in named),
        tuple(marked),
        0.05,
    )


def cells(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n")]


def test_several_scores_have_a_row_each_below_models_and_data_sets() -> None:
    rows = cells(render(made(), "table", percent=True))
    assert ["LayoutXLM", "LayoutXLM", "Donut"] in rows
    assert ["score", "SROIE", "CORD", "SROIE"] in rows
    assert ["entity.f1", "↑", ">91.77", ">91.77", "81.77*"] in rows
    assert ["kieval.fp", "+", "kieval.fn", "↓", ">231", ">231", "232*"] in rows
    assert any(row[-3:] == ["shares", "in", "percent"] for row in rows)


def test_one_score_has_a_row_a_model_and_stands_above() -> None:
    rows = cells(render(made(scores=(F1,)), "table"))
    assert rows[0][:3] == ["entity.f1", "↑:", "SROIE"]
    assert ["model", "SROIE", "CORD"] in rows
    assert ["Donut", "0.8177*", "–"] in rows


@pytest.mark.parametrize(
    ("rows", "head"),
    [
        ("model", "model SROIE SROIE CORD CORD"),
        ("dataset", "dataset LayoutXLM LayoutXLM Donut Donut"),
    ],
    ids=["models", "data sets"],
)
def test_rows_can_be_chosen(rows: str, head: str) -> None:
    text = render(made(), "markdown", rows=rows)
    heads = text.split("\n")[2].replace("`", "").replace("|", " ").split()
    assert heads[0] == head.split()[0]
    for name in {*head.split()}:
        assert heads.count(name) == head.split().count(name)


def test_a_table_that_is_too_wide_is_drawn_model_by_model() -> None:
    table = made(datasets=("SROIE", "CORD", "FUNSD"), orders=(ORDERED, SHUFFLED))
    text = render(table, "table", screen=Screen(80))
    assert max(map(len, text.split("\n"))) <= 80
    assert text.count("entity.f1") == 2
    assert render(table, "table", screen=Screen(160)).count("entity.f1") == 1


def test_markdown_has_the_best_in_bold_and_says_what_a_star_means() -> None:
    text = render(made(), "markdown", percent=True)
    assert "| `entity.f1` ↑ | **91.77** | **91.77** | 81.77 \\* |" in text
    assert "bold: best of its data set, \\* significantly worse than the best" in text


def test_latex_has_a_line_of_heads_a_level() -> None:
    text = render(made(), "latex", percent=True)
    assert r" & \multicolumn{2}{c}{LayoutXLM} & \multicolumn{1}{c}{Donut} \\" in text
    assert r" & SROIE & CORD & SROIE \\" in text
    assert r"entity.f1 $\uparrow$ & \textbf{91.77} & \textbf{91.77} & 81.77$^{*}$ \\" in text
    assert r"kieval.fp + kieval.fn $\downarrow$" in text


def test_csv_and_json_have_every_entry_as_it_is() -> None:
    table = made()
    rows = [*csv.DictReader(io.StringIO(render(table, "csv")))]
    assert len(rows) == len(table.entries) == 6
    assert (rows[0]["model"], rows[0]["value"], rows[0]["best"]) == ("LayoutXLM", "0.9177", "True")
    data = json.loads(render(table, "json"))
    assert data["entries"][0]["dataset"] == "SROIE"
    assert data["scores"][1]["terms"][1] == {"sign": 1, "address": "kieval.fn"}
    assert data["orders"] == []


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("models", [(ODD,), (ODD, "b")], ids=["one model", "two"])
def test_odd_names_do_no_harm(format: str, models: tuple[str, ...]) -> None:
    for scores in ((F1,), (F1, WRONG)):
        for datasets in ((ODD,), ("x", ODD)):
            table = made(models, datasets, scores=scores)
            for rows in (None, "score", "model", "dataset"):
                text = render(table, format, rows=rows)
                assert "\x1b" not in text
                if format == "csv":
                    assert "\n=" not in text
                if format == "markdown":
                    assert text.replace("`", "").count("<b>") == text.count(f"``{ODD[:14]}")


def test_what_was_not_tested_has_no_star_in_its_legend() -> None:
    table = made()
    plain = Tabulation(
        table.models,
        table.datasets,
        table.orders,
        table.scores,
        tuple(entry._replace(best=False, differs=False, p=None) for entry in table.entries),
        0.05,
    )
    assert "best" not in render(plain, "table")


def test_unknown_formats_and_rows_are_refused() -> None:
    with pytest.raises(UnknownName, match="latex"):
        render(made(), "html")
    with pytest.raises(UnknownName, match="dataset"):
        render(made(), "table", rows="colour")


def test_a_folder_has_the_table_in_every_form(tmp_path: Path) -> None:
    files = write_table(tmp_path, made(), percent=True)
    assert [path.name for path in files] == ["table.md", "table.csv", "table.json", "table.tex"]
    assert "91.77" in (tmp_path / "table.tex").read_text()
