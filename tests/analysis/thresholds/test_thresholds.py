"""`da.thresholds`: curves by their definition, what thresholds do, and odd data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given

import docassay as da
from docassay.analysis.thresholds.analysis import operate
from docassay.analysis.thresholds.curves import ALL_REVIEWED, BUDGET, NO_REVIEW, Thresholds, curves
from docassay.analysis.thresholds.outcomes import Outcomes, Told, pooled, read_outcomes
from docassay.report.thresholds import FORMATS, render

from .made import TOLD, D, R, leaf, ledger_of, made

GOLD: dict[str, object] = {"a": "1", "b": "2", "rows": [{"n": "x"}, {"n": "y"}]}


def document(sure: float) -> tuple[dict[str, object], dict[str, object]]:
    """One right value, one substitution, one deletion, one addition, one right cell, one wrong."""
    pred: dict[str, object] = {
        "a": leaf("1", sure),
        "e": leaf("5", sure / 2),
        "rows": [{"n": leaf("x", 0.9)}, {"n": leaf("z", sure)}],
    }
    return GOLD, pred


@pytest.fixture
def study() -> Thresholds:
    documents = [document(0.2 + at / 100) for at in range(60)]
    return da.thresholds(
        ledger_of(documents),
        target_error=0.1,
        budget=0.3,
        prices={"review": 1, "correction": 2, "missed": 10},
    )


def every_value(outcomes: Outcomes) -> list[tuple[int, float, int]]:
    return [
        (int(at), float(sure), int(outcome))
        for values in outcomes.fields.values()
        for at, sure, outcome, _ in zip(*values[:4], strict=True)
    ]


@given(told=TOLD)
def test_the_curve_of_a_run_is_what_the_definition_says(told: list[Told]) -> None:
    outcomes = made(told)
    values = every_value(outcomes)
    additions = int(outcomes.additions.sum())
    for point in curves(outcomes, pooled(outcomes)):
        if point.field:
            continue
        tau = 2.0 if point.tau is None else point.tau
        unreviewed = [outcome for _, sure, outcome in values if sure >= tau]
        wrong = sum(outcome != R for outcome in unreviewed)
        left = len(values) - sum(sure < tau and outcome == D for _, sure, outcome in values)
        assert point.auto_rate == pytest.approx(len(unreviewed) / len(values))
        if left + additions:
            assert point.aligned == pytest.approx(1 - (wrong + additions) / (left + additions))
        assert point.error_rate == (pytest.approx(wrong / len(unreviewed)) if unreviewed else None)


@given(told=TOLD)
def test_a_document_is_touchless_when_all_its_values_are(told: list[Told]) -> None:
    outcomes = made(told)
    values = every_value(outcomes)
    for point in curves(outcomes, pooled(outcomes)):
        if point.field:
            continue
        tau = 2.0 if point.tau is None else point.tau
        free = [
            at
            for at in range(len(outcomes.ids))
            if all(sure >= tau for place, sure, _ in values if place == at)
        ]
        right = [
            at
            for at in free
            if not outcomes.additions[at]
            and all(outcome == R for place, _, outcome in values if place == at)
        ]
        assert point.touchless == pytest.approx(len(free) / len(outcomes.ids))
        assert point.touchless_right == (pytest.approx(len(right) / len(free)) if free else None)


@given(told=TOLD)
def test_one_threshold_for_every_field_does_what_the_curve_says(told: list[Told]) -> None:
    outcomes = made(told)
    fields = {path: one for path, one in outcomes.fields.items() if len(one.document)}
    if not fields:
        return
    for point in curves(outcomes, pooled(outcomes)):
        if not point.field:
            done = operate(outcomes, fields, dict.fromkeys(fields, point.tau), "any")
            expected = (point.auto_rate, point.error_rate, point.aligned)
            assert done[1:4] == pytest.approx(expected)
            assert done[4:6] == pytest.approx((point.touchless, point.touchless_right))


@given(told=TOLD)
def test_more_review_never_lowers_aligned_nor_raises_the_auto_rate(told: list[Told]) -> None:
    outcomes = made(told)
    points = [*curves(outcomes, pooled(outcomes))]
    for field in {one.field for one in points}:
        mine = [one for one in points if one.field == field]
        rates = [one.auto_rate for one in mine]
        heights = [one.aligned for one in mine if one.aligned is not None]
        assert rates == sorted(rates, reverse=True)
        assert heights == pytest.approx(sorted(heights))


def test_without_review_aligned_is_that_of_the_run(study: Thresholds) -> None:
    report = da.score(
        {f"{at}": GOLD for at in range(60)},
        {f"{at}": document(0.2 + at / 100)[1] for at in range(60)},
        metrics=["kieval"],
    )
    assert study.point(NO_REVIEW).aligned == pytest.approx(report["kieval.aligned"].value)
    assert study.curve()[0].aligned == pytest.approx(report["kieval.aligned"].value)
    assert study.curve()[0].auto_rate == study.point(NO_REVIEW).auto_rate == 1
    assert study.calibration[0].area == pytest.approx(report["kieval.area"].value)


def test_what_nobody_predicted_keeps_aligned_below_1(study: Thresholds) -> None:
    # of a document's values a, rows.n and rows.n are left, and b is missing
    assert study.point(ALL_REVIEWED).aligned == pytest.approx(3 / 4)
    assert study.point(ALL_REVIEWED).touchless == 0


def test_a_guarantee_is_given_for_the_field_that_is_right(study: Thresholds) -> None:
    assert study["a"].threshold == pytest.approx(0.2)
    assert study["a"].tested == 60
    assert study["e"].threshold is study["rows.n"].threshold is None
    assert study.point().error_rate == 0


def test_a_budget_is_kept(study: Thresholds) -> None:
    assert study.point(BUDGET).auto_rate >= 1 - 0.3
    assert study.thresholds(BUDGET)["e"] is None


def test_the_cheapest_way_is_no_dearer_than_any_other(study: Thresholds) -> None:
    costs = {one.way: one.cost for one in study.points}
    assert costs["cheapest"] == min(cost for cost in costs.values() if cost is not None)


def test_one_threshold_for_all_fields_has_one_choice() -> None:
    ledger = ledger_of([document(0.9)] * 30)
    found = da.thresholds(ledger, target_error=0.3, by="all")
    assert [one.field for one in found.of().values()] == [""]


def test_missing_confidences_count_as_0_and_are_said() -> None:
    pred: dict[str, object] = {"a": leaf("1", None), "b": leaf("2", 0.9)}
    found = da.thresholds(ledger_of([(GOLD, pred)] * 3))
    assert found.notes[0] == "3 of 6 predicted values state no confidence: it counts as 0"
    assert [(one.tau, one.auto_rate) for one in found.curve("a")] == [(0.0, 1.0), (None, 0.0)]
    assert found.calibration[1].ece is None
    assert found.calibration[1].without_confidence == 3


def test_one_confidence_for_all_values_is_said() -> None:
    pred: dict[str, object] = {"a": leaf("1", 0.5), "b": leaf("2", 0.9)}
    notes = da.thresholds(ledger_of([(GOLD, pred)] * 3)).notes
    assert notes[0] == "one confidence for all values, so all or none are reviewed: a, b"


def test_confidences_outside_their_range_are_said() -> None:
    pred: dict[str, object] = {"a": leaf("1", 1.5), "b": leaf("2", -2)}
    notes = da.thresholds(ledger_of([(GOLD, pred)] * 3)).notes
    assert notes[0] == "6 confidences lie outside 0..1: each is taken as the nearer end"


def test_a_field_that_is_never_predicted_is_said() -> None:
    notes = da.thresholds(ledger_of([document(0.4)])).notes
    assert notes == ("never predicted, so there is nothing to review: b",)


def test_a_document_much_longer_than_others_is_said() -> None:
    def rows(count: int) -> dict[str, object]:
        return {"rows": [{"n": leaf(f"{at}", at / count)} for at in range(count)]}

    documents = [(rows(count), rows(count)) for count in (60, *[2] * 30)]
    notes = da.thresholds(ledger_of(documents)).notes
    assert notes == (
        "rows.n: one document has 60 of the 120 values, so about 2 can be tested as independent "
        "(--independent values tests all)",
    )


def test_without_confidences_there_is_nothing_to_choose() -> None:
    with pytest.raises(da.DataError, match="no predicted value states a confidence"):
        da.thresholds(ledger_of([(GOLD, {"a": "1"})]))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        pytest.param({"target_error": 0}, "target error is 0", id="no error at all"),
        pytest.param({"confidence": 1}, "confidence is 1", id="certainty"),
        pytest.param({"budget": 1.5}, "budget is 1.5", id="more than all"),
        pytest.param({"prices": {"review": 1}}, "price of correction", id="one price of three"),
        pytest.param({"prices": {"revue": 1}}, "unknown price 'revue'", id="no such price"),
        pytest.param(
            {"prices": {"review": -1, "correction": 1, "missed": 1}}, "review is -1", id="negative"
        ),
        pytest.param({"by": "row"}, "unknown choice of thresholds 'row'", id="by what"),
        pytest.param({"independent": "rows"}, "unknown independent unit", id="independent what"),
    ],
)
def test_an_option_that_cannot_work_is_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(da.ConfigurationError, match=told):
        da.thresholds(ledger_of([document(0.9)]), **options)  # type: ignore[arg-type]


def test_names_that_do_not_exist_are_answered_with_those_that_do(study: Thresholds) -> None:
    for ask in (lambda: study["x"], lambda: study.of("x"), lambda: study.point("x")):
        with pytest.raises(da.UnknownName, match="there is: "):
            ask()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    documents = [document(0.2 + at / 100) for at in range(30)]
    for name, side in (("gold", 0), ("pred", 1)):
        lines = [
            json.dumps({"id": f"d{at}", "fields": pair[side]}) for at, pair in enumerate(documents)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    return tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"


def test_the_inputs_give_the_same_outcomes_as_the_ledger(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    for metric in ("kieval", "entity"):
        da.score(*files, metrics=[metric], out=tmp_path / metric)
    ledger, verdicts = (read_outcomes(tmp_path / name) for name in ("kieval", "entity"))
    assert ledger.ids == verdicts.ids
    assert ledger.additions.tolist() == verdicts.additions.tolist()
    for path, values in ledger.fields.items():
        other = verdicts.fields[path]
        assert [one.tolist() for one in values[:4]] == [one.tolist() for one in other[:4]]
        assert values.additions == other.additions


@pytest.mark.parametrize("side", ["gold", "pred"])
def test_a_run_without_kieval_needs_its_inputs_as_they_were(
    side: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    da.score(*files, metrics=["entity"], out=tmp_path / "run", verdicts="none")
    assert da.thresholds(tmp_path / "run").documents == 30
    file = tmp_path / f"{side}.jsonl"
    file.write_text(file.read_text() + "\n\n")
    with pytest.raises(da.DataError, match=f"{side}: .* has changed since .*kieval"):
        da.thresholds(tmp_path / "run")
    file.unlink()
    with pytest.raises(da.DataError, match=f"{side} of the run is gone .*--{side}"):
        da.thresholds(tmp_path / "run")


def test_a_ledger_without_kieval_does_not_tell() -> None:
    scorer = da.Scorer(metrics=["entity"])
    scorer.add("a", *document(0.5))
    with pytest.raises(da.DataError, match="measure kieval"):
        da.thresholds(scorer.ledger())


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_names_every_field(format: str, study: Thresholds) -> None:
    text = render(study, format)
    assert all(field in text for field in study.of())


def test_the_yaml_to_deploy_reads_back_as_the_thresholds(study: Thresholds) -> None:
    found = yaml.safe_load(render(study, "yaml"))
    assert found["thresholds"] == study.thresholds()
    assert found["signature"] == study.signature
    assert (found["target_error"], found["confidence"]) == (0.1, 0.95)
    assert found["cheapest"]["prices"] == {"review": 1, "correction": 2, "missed": 10}


def test_json_has_every_curve(study: Thresholds) -> None:
    found = json.loads(render(study, "json"))
    assert len(found["curves"]) == len(study.curves)
    assert found["choices"][0] == study.choices[0]._asdict()


def test_names_from_documents_are_harmless_in_every_format() -> None:
    evil = "=cmd|' /C calc'!A0\x1b[31m"
    ledger = ledger_of([({evil: "1"}, {evil: leaf("1", 0.5)})] * 2)
    found = da.thresholds(ledger)
    assert "\x1b" not in "".join(render(found, format) for format in FORMATS)
    assert "guaranteed,'=cmd" in render(found, "csv")
    assert yaml.safe_load(render(found, "yaml"))["thresholds"] == {evil: None}


def test_a_folder_keeps_tables_thresholds_and_charts(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    ledger = ledger_of([document(0.2 + at / 100) for at in range(10)])
    found = da.thresholds(ledger, out=tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *(f"thresholds.{suffix}" for suffix in ("csv", "json", "md", "yaml")),
        *(f"{name}.csv" for name in ("curves", "calibration", "reliability")),
        *(f"{name}.{suffix}" for name in ("trade-off", "reliability") for suffix in ("png", "svg")),
    }
    assert (tmp_path / "out" / "thresholds.md").read_text() == render(found, "markdown")


def test_axes_are_labelled_in_plain_numbers(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    ledger = ledger_of([document(at / 200) for at in range(200)])
    da.thresholds(ledger, out=tmp_path)
    assert "$" not in (tmp_path / "reliability.svg").read_text(encoding="utf-8")


def test_charts_are_the_same_bytes_twice(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    ledger = ledger_of([document(0.2 + at / 100) for at in range(10)])
    for name in ("one", "two"):
        da.thresholds(ledger, out=tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_the_picture_of_the_guide_is_that_of_the_demo() -> None:
    picture = Path(__file__).resolve().parents[3] / "docs" / "images" / "trade-off.svg"
    assert "200 documents, 4,753 predicted values" in picture.read_text(encoding="utf-8")
