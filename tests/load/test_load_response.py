"""Raw responses as documents: where they stand, what becomes of them, and what is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import DataError
from docassay.load.format import Record
from docassay.load.source import guess, open_records
from docassay.model.problem import Problem, Repair, ResponseOutcome
from docassay.report.json import render

FENCED = '```json\n{"total": "5.00"}\n```'


def records(path: Path, **options: object) -> list[Record]:
    found = open_records(path, format="response", options=options).records
    return [item for item in found if isinstance(item, Record)]


def problems(path: Path) -> list[Problem]:
    found = open_records(path, format="response").records
    return [item for item in found if isinstance(item, Problem)]


def write_lines(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def test_a_folder_holds_one_response_a_file(tmp_path: Path) -> None:
    for name in ("a.txt", "b.md", "c.response", "in/d.out"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(FENCED)
    assert [one.id for one in records(tmp_path)] == ["a", "b", "c", "in/d"]


def test_a_record_says_what_became_of_its_response(tmp_path: Path) -> None:
    texts = {
        "a": '{"total": 1}',
        "b": "{'total': 1,}",
        "c": '{"total": 1, "date": "3/',
        "d": "I cannot read this.",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    outcomes = [one.outcome for one in records(tmp_path)]
    assert outcomes[1] == ResponseOutcome(
        "repaired", (Repair("single quotes"), Repair("trailing comma"))
    )
    assert outcomes[2] == ResponseOutcome(
        "partial", (Repair("value cut off", "date"), Repair("cut off", "1 bracket closed"))
    )
    assert [(one.tree, one.outcome and one.outcome.summary) for one in records(tmp_path)] == [
        ({"total": 1}, "clean"),
        ({"total": 1}, "repaired: single quotes, trailing comma"),
        ({"total": 1}, "partial: value cut off: date, cut off: 1 bracket closed"),
        ({}, "unparseable: no record found"),
    ]
    assert [one.code for one in problems(tmp_path)] == ["partial-response", "unparseable-response"]
    assert [(one.document, one.message) for one in problems(tmp_path)] == [
        ("c", "the response is partial: value cut off: date, cut off: 1 bracket closed"),
        ("d", "the response is unparseable: no record found"),
    ]


@pytest.mark.parametrize(
    "answer",
    [
        {"response": FENCED},
        {"raw_response": FENCED},
        {"text": FENCED},
        {"choices": [{"message": {"content": FENCED}}, {"message": {"content": "{}"}}]},
        {"choices": [{"text": FENCED}]},
        {"response": {"body": {"choices": [{"message": {"content": FENCED}}]}}},
        {"content": [{"type": "thinking", "thinking": "{}"}, {"type": "text", "text": FENCED}]},
        {"candidates": [{"content": {"parts": [{"text": FENCED[:9]}, {"text": FENCED[9:]}]}}]},
        {"output": {"total": "5.00"}},
    ],
    ids=lambda answer: next(iter(answer)),
)
def test_the_text_is_found_in_a_line(tmp_path: Path, answer: dict[str, object]) -> None:
    (found,) = records(write_lines(tmp_path / "x.jsonl", {"id": "r1", **answer}))
    assert (found.id, found.tree) == ("r1", {"total": "5.00"})
    assert found.outcome is not None
    assert found.outcome.summary == "clean"


def test_a_key_may_be_named(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x.jsonl", {"page": "p1", "reply": FENCED, "text": "{}"})
    (found,) = records(path, id_key="page", text_key="reply")
    assert (found.id, found.tree) == ("p1", {"total": "5.00"})


def test_a_line_without_text_counts_as_all_missed_and_is_named(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x.jsonl", {"id": "a", "response": FENCED}, {"id": "b", "n": 1})
    assert [(one.id, one.tree) for one in records(path)] == [("a", {"total": "5.00"}), ("b", {})]
    assert problems(path)[0].message.startswith("has no text under any of response,")


def test_lines_without_any_text_are_an_error(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x.jsonl", {"id": "a", "total": "5"})
    with pytest.raises(DataError, match="no document has a text"):
        records(path)


def test_a_broken_line_is_a_problem_and_counts_as_all_missed(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"id": "a", "response": "TOTAL: 5"}\n{"id": "b", "resp')
    assert [one.tree for one in records(path)] == [{"TOTAL": "5"}, {}]
    assert problems(path)


def test_a_cell_is_not_split_at_bars(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('image_file,response\na.png,"PRICES: NOT_FOUND | $1,111.69\nTOTAL: 5"\n')
    (found,) = records(path)
    assert found.id == "a.png"
    assert found.tree == {"PRICES": "NOT_FOUND | $1,111.69", "TOTAL": "5"}
    assert guess(path) == "response"


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("x.txt", "Sure!\n" + FENCED, "response"),
        ("x.txt", '{"total": "5", "vendor": "Acme"}', "response"),
        ("x.txt", "<think>hm</think>{}", "response"),
        ("x.txt", "<s_total>5</s_total>", "response"),
        ("x.txt", "TOTAL: 5\nDATE: x", "response"),
        ("x.txt", "TOTAL = 5\nDATE = x", "response"),
        ("x.txt", "<|im_start|>TOTAL: 5<|im_end|>", "response"),
        ("x.txt", "<|begin_of_box|><total>5</total><|end_of_box|>", "response"),
        ("x.txt", "Sorry.<|im_end|>", "response"),
        ("x.txt", "<total>5</total></s><pad>", "response"),
        ("x.txt", "<table><tr><td>total</td><td>5</td></tr></table>", "response"),
        ("x.txt", '{"a": {"total": "5"}, "b": {"total": "6"}}', "json"),
        ("x.txt", '{"id": "a", "t": 1}\n{"id": "b", "t": 2}', "jsonl"),
        ("x.txt", '[{"id": "a", "total": "5"}]', "json"),
        ("x.txt", "id,total\na,5", "csv"),
        ("x.txt", "<date>3 May <total>5", "tags"),
        ("x.jsonl", '{"id": "a", "response": "TOTAL: 5"}', "response"),
        ("x.jsonl", '{"id": "a", "response": "yes"}', "jsonl"),
        ("x.jsonl", '{"id": "a", "text": "TOTAL: 5"}', "jsonl"),
        ("x.jsonl", '{"id": "a", "total": "5"}', "jsonl"),
    ],
)
def test_responses_are_guessed_and_nothing_else(
    tmp_path: Path, name: str, text: str, format: str
) -> None:
    (tmp_path / name).write_text(text)
    assert guess(tmp_path / name) == format


@pytest.mark.parametrize(
    ("others", "format"),
    [(["TOTAL: 5", "TOTAL: 6", "Sorry."], "response"), (["Once", "upon"], None)],
)
def test_a_refusal_that_comes_first_does_not_hide_the_answers(
    tmp_path: Path, others: list[str], format: str | None
) -> None:
    (tmp_path / "a.txt").write_text("ERROR: 429 Too Many Requests")
    for number, text in enumerate(others):
        (tmp_path / f"b{number}.txt").write_text(text)
    if format is not None:
        assert guess(tmp_path) == format
    else:
        with pytest.raises(DataError, match="no known format"):
            guess(tmp_path)


def test_a_response_scores_as_its_record_would(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Here it is:\n{'total': '5.00', 'items': ['Tea', 'Pie']}")
    (tmp_path / "b.txt").write_text("Sorry.")
    gold = {"a": {"total": "5.00", "items": ["Tea", "Pie"]}, "b": {"total": "6.00"}}
    report = da.score(gold, tmp_path, pred_format="response", metrics=["entity"])
    plain = da.score(gold, {"a": gold["a"], "b": {}}, metrics=["entity"])
    assert report["entity.recall"].value == plain["entity.recall"].value == 0.75


def test_json_files_are_responses_when_the_format_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{'total': '5',}")
    answer = {"choices": [{"message": {"content": "TOTAL: 5\nDATE: 3/4"}}]}
    (tmp_path / "b.json").write_text(json.dumps(answer))
    trees = [{"total": "5"}, {"TOTAL": "5", "DATE": "3/4"}]
    assert [one.tree for one in records(tmp_path)] == trees


def test_a_report_counts_responses_and_the_problems_of_each_document(tmp_path: Path) -> None:
    texts = {"a": '{"n": "1"}', "b": "{'n': '1',}", "c": '{"n": "1", "m": "', "d": "Sorry."}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    report = da.score({name: {"n": "1"} for name in texts}, tmp_path, pred_format="response")
    counts = {"clean": 1, "repaired": 1, "partial": 1, "unparseable": 1}
    repairs = {"single quotes": 1, "trailing comma": 1}
    assert list(report.outcomes.items()) == list(counts.items())
    assert list(report.repairs.items()) == list(repairs.items())
    assert json.loads(render(report))["responses"] == {**counts, "repairs": repairs}
    assert report.notes[-1] == (
        "raw responses: 1 clean, 1 repaired, 1 partial, 1 unparseable; "
        "repaired were 1 single quotes, 1 trailing comma"
    )
    assert {line.id: line.problems for line in report.lines} == {"a": 0, "b": 0, "c": 1, "d": 1}
