"""What a report says beside its scores: notes, raw responses, names of columns, problems."""

from __future__ import annotations

from pathlib import Path

import pytest

import docassay as da
from docassay.analysis.splits.file import read_splits
from docassay.errors import DataError


def score(gold: object, pred: object = None, **options: object) -> da.Report:
    return da.score({"d": gold}, {"d": gold if pred is None else pred}, **options)


def test_a_report_without_types_says_so() -> None:
    notes = score({"a": "1"}, types="text").notes
    assert len(notes) == 1
    assert "no schema" in notes[0]


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("aligned@totl", r"did you mean 'aligned@total'\? there is: aligned@a, aligned@total\)"),
        ("kieval.aligned@x", r" there is: kieval.aligned@a, kieval.aligned@total\)"),
        ("algned", r"did you mean 'aligned'\? there is: aligned, .* and \d+ more\)"),
    ],
)
def test_an_unknown_score_is_answered_with_those_it_may_mean(address: str, hint: str) -> None:
    with pytest.raises(da.UnknownName, match=hint):
        score({"a": "x", "total": "1.50"})[address]


KINDS = {"a": "2024-03-01", "b": "5%", "c": "+49 30 1234567", "d": "10:30", "e": "x y"}
ABOUT = [
    (KINDS, "1 date, 1 percent, 1 phone, 1 time, 1 text"),
    ({key: KINDS[key] for key in "abcd"}, "1 date, 1 percent, 1 phone, 1 time"),
    ({**KINDS, "f": "$5.00", "g": "a b"}, "1 date, 1 money, 3 other, 2 text"),
]


@pytest.mark.parametrize(("gold", "kinds"), ABOUT)
def test_kinds_of_guessed_types_are_other_only_where_the_line_is_too_short(
    gold: object, kinds: str
) -> None:
    assert score(gold).about == f"types guessed from gold: {kinds}"


def test_a_schema_that_knows_every_field_needs_no_note() -> None:
    assert score({"a": "1"}, schema={"fields": {"a": "text", "b": "text"}}).notes == ()


@pytest.mark.parametrize(
    ("count", "shown", "more"), [(1, 1, ""), (8, 8, ""), (9, 8, "1 more"), (11, 8, "3 more")]
)
def test_fields_that_a_schema_does_not_know_are_named_up_to_eight(
    count: int, shown: int, more: str
) -> None:
    unknown = [f"x{number:02d}" for number in range(count)]
    gold = {"a": "1", **dict.fromkeys(reversed(unknown), "2")}
    (left_out,) = score(gold, schema={"fields": {"a": "text"}}).notes
    assert ", ".join(f"{name} (2)" for name in unknown[:shown]) in left_out
    assert (f" and {more};" in left_out) is bool(more)
    (note,) = score(gold, schema={"extra": "count", "fields": {"a": "text"}}).notes
    assert ", ".join(unknown[:shown]) in note
    assert ("more" in note) is bool(more)
    assert more in note
    assert all(name not in note for name in unknown[shown:])


RESPONSES = {
    "a": '{"total": "1"}',
    "b": "{'total': '1',}",
    "c": "{'total': '1'}",
    "d": '{"total": "1", "total": "1",}',
    "e": '{"total": "1", "date": "3/',
    "f": "I cannot read this.",
}


def test_raw_responses_are_counted_by_what_became_of_them(tmp_path: Path) -> None:
    for name, text in RESPONSES.items():
        (tmp_path / f"{name}.txt").write_text(text)
    gold = {name: {"total": "1"} for name in RESPONSES}
    report = da.score(gold, tmp_path, pred_format="response", metrics=["entity"])
    assert list(report.outcomes.items()) == [
        ("clean", 1),
        ("repaired", 3),
        ("partial", 1),
        ("unparseable", 1),
    ]
    # the most common first, then by name; each counts once a response
    assert list(report.repairs.items()) == [
        ("single quotes", 2),
        ("trailing comma", 2),
        ("duplicate key", 1),
    ]
    told = next(note for note in report.notes if "raw responses" in note)
    assert "1 clean, 3 repaired, 1 partial, 1 unparseable" in told
    assert "2 single quotes, 2 trailing comma, 1 duplicate key" in told


def test_documents_that_were_no_raw_responses_are_not_counted_as_such() -> None:
    report = score({"a": "1"})
    assert dict(report.outcomes) == {}
    assert dict(report.repairs) == {}


def test_a_column_is_another_name_of_its_field() -> None:
    schema = {
        "groups": {
            "items": {
                "fields": {"name": "text", "price": "money"},
                "columns": {"name": "NAMES", "price": "PRICES"},
            }
        }
    }
    gold = {"NAMES": ["Tea", "Rye"], "PRICES": ["3", "7"]}
    report = score(gold, {**gold, "PRICES": ["3", "8"]}, schema=schema)
    assert report["kieval.tp@PRICES"] == report["kieval.tp@items.price"]
    assert report["kieval.tp@PRICES"].value == 1
    assert report["kieval.tp@NAMES"].value == 2


def test_a_problem_is_told_once_and_counted_for_its_document() -> None:
    odd = {"a": {"any_of": ["1", "2"]}}
    report = da.score({"c": {"a": "1"}, "d": {"a": "1"}}, {"c": {"a": "1"}, "d": odd})
    assert [(one.document, one.side, one.field) for one in report.problems] == [("d", "pred", "a")]
    assert {line.id: line.problems for line in report.lines} == {"c": 0, "d": 1}


def test_a_report_has_the_settings_and_the_number_of_its_documents() -> None:
    report = da.score(
        {"c": {"a": "1"}, "d": {"a": "2"}},
        {"c": {"a": "1"}},
        metrics=["kieval"],
        settings={"kieval.flatten": True},
    )
    assert report.documents == 2
    assert report.settings["kieval.flatten"] is True


def test_the_type_that_a_prediction_states_stands_beside_its_document() -> None:
    schema = {
        "type_field": "kind",
        "types": {"bill": {"fields": ["kind", "x"]}, "note": {"fields": ["kind", "x"]}},
        "fields": {"x": "text"},
    }
    report = score({"kind": "bill", "x": "1"}, {"kind": "note", "x": "1"}, schema=schema)
    (line,) = report.lines
    assert (line.type, line.pred_type) == ("bill", "note")


def test_splits_of_an_empty_folder_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no split"):
        read_splits(tmp_path)
    (tmp_path / "no-name.json").write_text("{}")
    splits, problems = read_splits(tmp_path)
    assert splits == []
    assert len(problems) == 1
