"""Decisions about gold: what is written, and what they do to the score."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import docassay as da
from docassay.errors import ConfigurationError, FileError
from docassay.load.patch import append_decision, decision_of
from docassay.viewer.review import AskedDecision, Review, Unfit
from docassay.viewer.runs import ViewedRun
from docassay.viewer.state import Viewer
from tests.viewer.conftest import GOLD, PRED, Opening, write_lines

HEADLINE = [
    {"address": address, "label": address, "unit": "", "better": ""}
    for address in ("kieval.aligned", "kieval.corrections", "fields.overall_accuracy")
]


def decide(viewer: Viewer, **asked: object) -> None:
    run = viewer.runs[0]
    entry = run.index.entry(str(asked["document"]))
    assert entry is not None
    viewer.review.decide(run, entry, AskedDecision(**asked))  # type: ignore[arg-type]


def written(viewer: Viewer) -> list[dict[str, object]]:
    return [json.loads(line) for line in viewer.review.file.read_text().splitlines()]


def scores(viewer: Viewer, name: str) -> list[object]:
    data = viewer.review.data(viewer.runs[0], HEADLINE)["scores"]
    assert isinstance(data, list)
    return [score[name] for score in data]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        pytest.param(
            {"gold": "total", "pred": "total", "action": "take_pred", "why": " so "},
            {"path": "total", "action": "take_pred", "was": "12.50", "value": "12.60", "why": "so"},
            id="gold is wrong, take pred",
        ),
        pytest.param(
            {"gold": "total", "pred": "total", "action": "both_fine"},
            {"path": "total", "action": "both_fine", "was": "12.50", "value": "12.60"},
            id="both are fine",
        ),
        pytest.param(
            {"gold": "total", "pred": "total", "action": "set", "value": "12.55"},
            {"path": "total", "action": "set", "was": "12.50", "value": "12.55"},
            id="type this value",
        ),
        pytest.param(
            {"gold": "total", "pred": "total", "action": "leave"},
            {"path": "total", "action": "leave", "was": "12.50", "value": None},
            id="leave",
        ),
        pytest.param(
            {"gold": "date", "action": "take_pred"},
            {"path": "date", "action": "remove", "was": "2024-01-02", "value": None},
            id="pred has none, so gold should not",
        ),
        pytest.param(
            {"pred": "note", "action": "take_pred"},
            {"path": "note", "action": "take_pred", "was": None, "value": "extra"},
            id="gold lacks what pred has",
        ),
        pytest.param(
            {"pred": "items[2]", "row": True, "action": "take_pred"},
            {
                "path": "items[2]",
                "action": "take_pred",
                "was": None,
                "value": {"name": "milk", "price": "1.00"},
            },
            id="gold lacks a row that pred has",
        ),
    ],
)
def test_a_decision_is_a_line_that_says_who_when_and_why(
    viewer: Viewer, asked: dict[str, object], line: dict[str, object]
) -> None:
    decide(viewer, document="a", **asked)
    about = {"document": "a", "who": "kim", "when": "2026-01-02T03:04:05+00:00"}
    assert written(viewer) == [{**about, **line}]


EVERY = (
    ("a", {"gold": "total", "pred": "total", "action": "take_pred"}),
    ("a", {"gold": "date", "action": "take_pred"}),
    ("a", {"pred": "note", "action": "take_pred"}),
    ("a", {"pred": "items[2]", "row": True, "action": "take_pred"}),
    ("b/1", {"gold": "vendor", "pred": "vendor", "action": "both_fine"}),
    ("b/1", {"gold": "total", "pred": "total", "action": "set", "value": "8.5"}),
    ("b/1", {"pred": "items[0]", "row": True, "action": "take_pred"}),
    ("c", {"gold": "vendor", "pred": "vendor", "action": "leave"}),
    ("c", {"gold": "note", "pred": "note", "action": "set", "value": "abc"}),
    ("e", {"gold": "vendor", "pred": "vendor", "action": "take_pred"}),
    ("f % _", {"gold": "note", "pred": "note", "action": "both_fine"}),
)


def test_the_header_shows_what_scoring_with_the_patch_gives(scored: Path, viewer: Viewer) -> None:
    before = scores(viewer, "as_is")
    for document, asked in EVERY:
        decide(viewer, document=document, **asked)
        report = da.score(
            scored / "gold.jsonl",
            scored / "pred.jsonl",
            schema=scored / "schema.yaml",
            gold_patch=viewer.review.file,
            draws=100,
        )
        assert not [problem for problem in report.problems if problem.code == "patch"]
        own = [report[line["address"]].value for line in HEADLINE]
        assert scores(viewer, "with_decisions") == own, asked
        assert scores(viewer, "as_is") == before
    assert viewer.review.data(viewer.runs[0], HEADLINE)["unfit"] == []


def test_a_patch_made_here_can_be_applied_to_gold(
    scored: Path, viewer: Viewer, tmp_path: Path
) -> None:
    for document, asked in EVERY:
        decide(viewer, document=document, **asked)
    patched = tmp_path / "patched.jsonl"
    da.apply_gold_patch(viewer.review.file, scored / "gold.jsonl", patched)
    report = da.score(patched, scored / "pred.jsonl", schema=scored / "schema.yaml", draws=100)
    own = [report[line["address"]].value for line in HEADLINE]
    assert scores(viewer, "with_decisions") == own


def test_a_later_decision_revises_an_earlier_one(viewer: Viewer) -> None:
    before = scores(viewer, "as_is")
    value = {"document": "a", "gold": "total", "pred": "total"}
    decide(viewer, **value, action="take_pred")
    assert scores(viewer, "with_decisions") != before
    decide(viewer, **value, action="leave")
    assert scores(viewer, "with_decisions") == before
    assert len(written(viewer)) == 2
    assert viewer.review.data(viewer.runs[0], HEADLINE)["decisions"] == 1


def test_a_value_shows_what_was_decided_about_it(viewer: Viewer) -> None:
    decide(viewer, document="a", gold="total", pred="total", action="take_pred", why="scan")
    decide(viewer, document="a", pred="items[2]", row=True, action="take_pred")
    rows = document(viewer, "a")["rows"]
    assert isinstance(rows, list)
    (total,) = [value for value in rows[0]["values"] if value["field"] == "total"]
    assert total["decision"] == {
        "action": "take_pred",
        "value": "12.60",
        "who": "kim",
        "when": "2026-01-02T03:04:05+00:00",
        "why": "scan",
    }
    assert total["actions"] == ["take_pred", "both_fine", "set", "leave"]
    assert rows[-1]["decision"]["action"] == "take_pred"
    assert rows[-1]["actions"] == ["take_pred", "leave"]


def document(viewer: Viewer, id: str) -> dict[str, object]:
    run = viewer.runs[0]
    entry = run.index.entry(id)
    assert entry is not None
    return viewer.review.diff(run, entry)


def test_two_rows_that_gold_lacks_are_added_one_after_the_other(
    tmp_path: Path, opening: Opening
) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", {"a": {"items": [{"n": "1"}], "x": "1"}})
    pred = write_lines(
        tmp_path / "pred.jsonl", {"a": {"items": [{"n": "1"}, {"n": "2"}, {"n": "3"}], "x": "1"}}
    )
    da.score(gold, pred, out=tmp_path / "run", draws=100)
    viewer = Viewer([opening(tmp_path / "run")], Review(tmp_path / "p.jsonl", "k", now=str))
    for row in ("items[2]", "items[1]"):
        decide(viewer, document="a", pred=row, row=True, action="take_pred")
    assert [line["path"] for line in written(viewer)] == ["items[1]", "items[2]"]
    assert scores(viewer, "with_decisions")[:2] == [1.0, 0]
    with pytest.raises(Unfit, match="rests on"):
        decide(viewer, document="a", pred="items[2]", row=True, action="leave")
    for row in ("items[1]", "items[2]"):
        decide(viewer, document="a", pred=row, row=True, action="leave")
    assert scores(viewer, "with_decisions") == scores(viewer, "as_is")


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"gold": "nope", "action": "take_pred"}, "no such value"),
        ({"gold": "total", "pred": "total", "action": "set"}, "no value is given"),
        ({"gold": "total", "pred": "total", "action": "erase"}, "no action 'erase'"),
        ({"gold": "date", "action": "both_fine"}, "cannot be said"),
        ({"pred": "items[2].name", "action": "take_pred"}, "decide about its row"),
        ({"gold": "items[0]", "pred": "items[1]", "row": True, "action": "leave"}, "no such"),
        ({"gold": "total", "pred": "total", "action": "leave", "why": "x" * 3_000}, "characters"),
    ],
)
def test_what_cannot_be_decided_is_refused_and_nothing_is_written(
    viewer: Viewer, asked: dict[str, object], error: str
) -> None:
    with pytest.raises((Unfit, ConfigurationError), match=error):
        decide(viewer, document="a", **asked)
    assert not viewer.review.file.exists()


def test_a_place_that_cannot_be_written_is_an_error_with_a_way_out(
    viewer: Viewer, tmp_path: Path
) -> None:
    away = Viewer(viewer.runs, Review(tmp_path / "no" / "patch.jsonl", "kim", now=str))
    with pytest.raises(FileError, match="--patch FILE"):
        decide(away, document="a", gold="total", pred="total", action="take_pred")


def test_taking_a_value_that_is_right_already_is_refused(viewer: Viewer) -> None:
    with pytest.raises(Unfit, match="would not make the value right"):
        decide(viewer, document="d", gold="total", pred="total", action="both_fine")


def test_decisions_of_others_that_do_not_fit_are_named(viewer: Viewer) -> None:
    for members in (
        {"document": "a", "path": "total", "action": "set", "was": "0", "value": "1"},
        {"document": "nobody", "path": "total", "action": "set", "was": "0", "value": "1"},
    ):
        append_decision(viewer.review.file, decision_of(members))
    with viewer.review.file.open("a") as file:
        file.write("this is no decision\n")
    unfit = viewer.review.data(viewer.runs[0], HEADLINE)["unfit"]
    assert isinstance(unfit, list)
    assert [(each["document"], each["path"]) for each in unfit] == [
        ("a", "total"),
        ("nobody", "total"),
    ]


def test_a_run_that_was_scored_with_decisions_is_shown_with_them(
    scored: Path, viewer: Viewer, tmp_path: Path, opening: Opening
) -> None:
    decide(viewer, document="a", gold="total", pred="total", action="take_pred")
    report = da.score(
        scored / "gold.jsonl",
        scored / "pred.jsonl",
        schema=scored / "schema.yaml",
        gold_patch=viewer.review.file,
        out=tmp_path / "second",
        draws=100,
    )
    again = Viewer(
        [opening(tmp_path / "second")], Review(viewer.review.file, "kim", now=viewer.review._now)
    )
    shown = document(again, "a")
    assert "notes" not in shown
    assert scores(again, "as_is")[0] == scores(again, "with_decisions")[0]
    assert scores(again, "as_is")[0] == report["aligned"].value
    decide(again, document="a", gold="date", action="take_pred")
    assert "notes" not in document(again, "a")
    assert scores(again, "with_decisions")[1] == report["corrections"].value - 1  # type: ignore[operator]


def test_gold_and_the_run_stay_as_they_are(scored: Path, run_folder: Path, viewer: Viewer) -> None:
    def state() -> dict[str, bytes]:
        files = [*scored.glob("*.*"), *run_folder.iterdir()]
        return {str(file): file.read_bytes() for file in files if file.suffix != ".sqlite"}

    before = state()
    decide(viewer, document="a", gold="total", pred="total", action="take_pred")
    viewer.review.data(viewer.runs[0], HEADLINE)
    assert state() == {**before, str(viewer.review.file): viewer.review.file.read_bytes()}


def test_scoring_into_the_folder_again_keeps_the_decisions(
    tmp_path: Path, opening: Opening
) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", GOLD)
    pred = write_lines(tmp_path / "pred.jsonl", PRED)
    da.score(gold, pred, out=tmp_path / "run", draws=100)
    run: ViewedRun = opening(tmp_path / "run")
    viewer = Viewer([run], Review(tmp_path / "run" / "gold-patch.jsonl", "k", now=str))
    decide(viewer, document="a", gold="total", pred="total", action="take_pred")
    da.score(gold, pred, out=tmp_path / "run", gold_patch=viewer.review.file, draws=100)
    assert len(written(viewer)) == 1


def random_documents(seed: int, count: int) -> tuple[dict[str, dict[str, object]], ...]:
    """Gold and pred with lists, rows, rows in rows, and equal values."""
    hand = Random(seed)

    def text() -> str:
        return hand.choice(["anna", "berta", "clara", "7.50", "8", "long text of words"])

    def row(depth: int) -> dict[str, object]:
        own: dict[str, object] = {"n": text()}
        if hand.random() < 0.5:
            own["many"] = [text() for _ in range(hand.randint(2, 4))]
        if depth and hand.random() < 0.5:
            own["sub"] = [row(0) for _ in range(hand.randint(0, 2))]
        return own

    def tree() -> dict[str, object]:
        own: dict[str, object] = {"items": [row(1) for _ in range(hand.randint(0, 3))], "id2": "x"}
        if hand.random() < 0.7:
            own["a"] = text()
        if hand.random() < 0.7:
            own["b"] = [text() for _ in range(hand.randint(2, 4))]
        return own

    return tuple({f"d{n}": tree() for n in range(count)} for _ in range(2))


def test_taking_pred_everywhere_makes_everything_right(tmp_path: Path, opening: Opening) -> None:
    golds, preds = random_documents(3, 25)
    gold = write_lines(tmp_path / "gold.jsonl", golds)
    pred = write_lines(tmp_path / "pred.jsonl", preds)
    da.score(gold, pred, out=tmp_path / "run", draws=100)
    viewer = Viewer([opening(tmp_path / "run")], Review(tmp_path / "p.jsonl", "k", now=str))
    for id in golds:
        rows = document(viewer, id)["rows"]
        assert isinstance(rows, list)
        for row in rows:
            if "take_pred" in row.get("actions", ()):
                whole = {"gold": row["gold"], "pred": row["pred"], "row": True}
                with suppress(Unfit):  # a row inside one that is taken as a whole
                    decide(viewer, document=id, action="take_pred", **whole)
                continue
            for value in row["values"]:
                if "take_pred" in value.get("actions", ()):
                    places = {"gold": value.get("gold_path"), "pred": value.get("pred_path")}
                    decide(viewer, document=id, action="take_pred", **places)
    assert scores(viewer, "with_decisions")[:2] == [1.0, 0]
    report = da.score(gold, pred, gold_patch=viewer.review.file, draws=100)
    assert report["aligned"].value == 1.0


def test_of_a_list_under_a_flat_key_the_value_that_is_meant_is_decided_about(
    tmp_path: Path, opening: Opening
) -> None:
    gold = tmp_path / "gold"
    pred = tmp_path / "pred"
    rows = {
        gold: ["Box of 6", "PP Carrier"],
        pred: ["Box of 6"],
    }
    for folder, names in rows.items():
        tree = {
            "menu": [{"menu.nm": "Tart", "menu.sub_nm": names}],
            "total": [{"total.price": "1"}],
        }
        write_lines(folder.with_suffix(".jsonl"), {"a": tree})
    da.score(
        gold.with_suffix(".jsonl"), pred.with_suffix(".jsonl"), out=tmp_path / "run", draws=100
    )
    viewer = Viewer([opening(tmp_path / "run")], Review(tmp_path / "p.jsonl", "k", now=str))
    decide(viewer, document="a", gold="menu[0].sub_nm[1]", action="take_pred")
    (line,) = written(viewer)
    assert (line["path"], line["was"]) == ("menu[0].menu.sub_nm[1]", "PP Carrier")
    assert scores(viewer, "with_decisions")[0] == 1.0
