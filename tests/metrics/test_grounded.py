"""`grounded`: counts by hand, what is left out, what has no text, and the list of the unfounded."""

from __future__ import annotations

from pathlib import Path

import pytest

import docassay as da

SCHEMA = {
    "types": {"bill": {"fields": ["DOCUMENT_TYPE", "date", "total", "paid", "items"]}},
    "fields": {"date": "date", "total": "money", "paid": "boolean"},
    "groups": {"items": {"fields": {"name": "text"}}},
}
TEXTS = {"d": "Bill of 5 March 2024\nPear\nApple pie\nTotal $1,234.50", "e": ""}
GOLD = {
    "d": {
        "DOCUMENT_TYPE": "bill",
        "date": "2024-03-05",
        "total": 1234.5,
        "paid": True,
        "items": [{"name": "Pear"}, {"name": "Plum"}],
    },
    "e": {"DOCUMENT_TYPE": "bill", "total": "3"},
    "f": {"DOCUMENT_TYPE": "bill", "total": "4"},
}
PRED = {
    "d": {
        "DOCUMENT_TYPE": "bill",
        "date": "2024-03-06",
        "total": "1,234.50",
        "paid": False,
        "items": [{"name": "pear"}, {"name": "Apple pie"}, {"name": "Melon"}, {"name": "Melon"}],
    },
    "e": {"DOCUMENT_TYPE": "bill", "total": "3"},
    "f": {"DOCUMENT_TYPE": "bill", "total": "4"},
}
BY_HAND = {
    "grounded.predicted": (3 / 6, 6),
    "grounded.gold": (3 / 4, 4),
    "grounded.predicted@date": (0.0, 1),
    "grounded.predicted@items.name": (2 / 4, 4),
    "grounded.predicted@total": (1.0, 1),
    "grounded.gold@date": (1.0, 1),
    "grounded.gold@items.name": (1 / 2, 2),
    "grounded.gold@total": (1.0, 1),
}


def test_every_readout_is_as_counted_by_hand() -> None:
    report = da.score(GOLD, PRED, schema=SCHEMA, source=TEXTS, metrics=["grounded"])
    assert {score.address: (score.value, score.support) for score in report.scores} == BY_HAND
    assert [(p.code, p.document, p.message) for p in report.problems] == [
        ("no-source", "e", "grounded: its text is empty"),
        ("no-source", "f", "grounded: the source has no text of it"),
    ]


def test_types_are_left_out_as_asked() -> None:
    settings = {"grounded.leave_out": "boolean,text,date"}
    report = da.score(
        GOLD, PRED, schema=SCHEMA, source=TEXTS, metrics=["grounded"], settings=settings
    )
    assert [score.address for score in report.scores if score.key] == [
        "grounded.predicted@total",
        "grounded.gold@total",
    ]
    every = da.score(
        GOLD,
        PRED,
        schema=SCHEMA,
        source=TEXTS,
        metrics=["grounded"],
        settings={"grounded.leave_out": ""},
    )
    assert every["grounded.predicted@paid"].value == 0.0


def test_what_stands_nowhere_is_listed_with_document_and_field() -> None:
    report = da.score(GOLD, PRED, schema=SCHEMA, source=TEXTS, metrics=["grounded"])
    (section,) = report.details.sections
    assert section.tables[0].rows == (
        ("d", "pred", "date", "2024-03-06"),
        ("d", "pred", "items.name", "Melon"),
        ("d", "gold", "items.name", "Plum"),
    )
    assert section.above[0].startswith("3 predicted values of 6 stand nowhere in the text")
    assert section.above[1].startswith("1 gold value of 4 stands nowhere in the text")
    assert section.records is not None
    assert section.records.rows[1] == ("d", "pred", "items.name", "Melon", 2)


def test_a_source_asks_for_the_metric_and_without_one_it_is_undefined() -> None:
    assert "grounded.predicted" in da.score(GOLD, PRED, schema=SCHEMA, source=TEXTS)
    assert "grounded.predicted" not in da.score(GOLD, PRED, schema=SCHEMA)
    report = da.score(GOLD, PRED, schema=SCHEMA, metrics=["grounded"])
    assert report["grounded.predicted"].value is None
    assert report.problems == ()
    assert "--source DIR" in str(report.details.sections[0].above)


def test_texts_may_stand_beside_records(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text('{"id": "d", "source": "it is 5 all told", "record": {"a": "5"}}\n')
    pred.write_text('{"id": "d", "record": {"a": "6"}}\n')
    report = da.score(gold, pred, metrics=["grounded", "entity"])
    assert report["grounded.gold"].value == 1.0
    assert report["grounded.predicted"].value == 0.0
    assert report["entity.f1"].value == 0.0
    assert report["entity.fp"].value == 1


def test_another_text_makes_another_row_and_a_resumed_run_notices(tmp_path: Path) -> None:
    gold, pred, folder = {"d": {"a": "5"}}, {"d": {"a": "5"}}, tmp_path / "run"
    first = da.score(gold, pred, source={"d": "5"}, metrics=["grounded"], out=folder)
    again = da.score(gold, pred, source={"d": "6"}, metrics=["grounded"], out=folder, resume=True)
    assert first["grounded.predicted"].value == 1.0
    assert again["grounded.predicted"].value == 0.0
    assert first.signature != again.signature


@pytest.mark.parametrize("text", ["\x1b[31mred", "=1+1", "| a | b |", "\u202eabc", "x" * 5000])
def test_hostile_values_are_listed_harmlessly(tmp_path: Path, text: str) -> None:
    da.score(None, {"d": {"a": text}}, types="text", source={"d": "none"}, out=tmp_path / "run")
    listed = (tmp_path / "run" / "not-in-source.csv").read_text()
    assert "\x1b" not in listed
    assert ",=1" not in listed
    assert len(listed) < 400
    assert "\x1b" not in (tmp_path / "run" / "summary.md").read_text()
