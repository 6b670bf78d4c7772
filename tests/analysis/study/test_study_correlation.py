"""The correlation study: points, scopes, what is undefined, and which readouts are taken."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from docassay.analysis.study.correlation import correlation_study, read_columns
from docassay.analysis.study.result import Correlation
from docassay.api.score import Scorer
from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.report.folder import read_folder
from docassay.run.ledger import Ledger


def ledger(*preds: dict[str, object], metrics: tuple[str, ...] = ("entity",)) -> Ledger:
    """Return the ledger of predictions for gold documents of three fields."""
    scorer = Scorer(metrics=metrics)
    for number, pred in enumerate(preds):
        scorer.add(str(number), {"a": "1", "b": "2", "c": "3"}, pred)
    return scorer.ledger()


RIGHT = {"a": "1", "b": "2", "c": "3"}
SMALL = ledger(RIGHT, {"a": "1", "b": "2"}, {"a": "1", "b": "9", "c": "9"}, {"a": "1"})


def pair(pairs: tuple[Correlation, ...], first: str, second: str) -> Correlation:
    return next(one for one in pairs if {one.first, one.second} == {first, second})


def test_a_small_example_by_hand() -> None:
    study = correlation_study({"run": SMALL})
    found = pair(study.pairs, "entity.precision", "entity.recall")
    precision, recall = [1, 1, 1 / 3, 1], [1, 2 / 3, 1 / 3, 1 / 3]
    assert found.pearson == pytest.approx(np.corrcoef(precision, recall)[0, 1])
    assert found.spearman == pytest.approx(stats.spearmanr(precision, recall).statistic)
    assert (found.scope, found.run, found.points, found.why) == ("documents", "", 4, "")


def test_readouts_that_say_the_same_correlate_wholly() -> None:
    study = correlation_study({"run": SMALL}, readouts=["entity.recall", "entity.tp"])
    assert study.pairs[0].pearson == pytest.approx(1)
    assert study.pairs[0].spearman == pytest.approx(1)


def test_every_pair_is_what_scipy_makes_of_the_documents(runs: list[str]) -> None:
    study = correlation_study(runs)
    lines = [line.scores for run in runs for line in read_folder(Path(run)).lines]
    assert len(study.of("documents")) == len(study.readouts) * (len(study.readouts) - 1) // 2
    # every seventh pair, for there are thousands
    for one in study.of("documents")[::7]:
        both = [
            (float(line[one.first] or 0), float(line[one.second] or 0))
            for line in lines
            if line[one.first] is not None and line[one.second] is not None
        ]
        assert one.points == len(both)
        if not both or any(len({*side}) == 1 for side in zip(*both, strict=True)):
            # what no document has, or all have the same, goes together with nothing
            assert one.pearson is None
            continue
        assert one.pearson == pytest.approx(stats.pearsonr(*zip(*both, strict=True)).statistic)
        assert one.spearman == pytest.approx(stats.spearmanr(*zip(*both, strict=True)).statistic)


def test_documents_of_all_runs_of_each_run_and_runs_are_told_apart(runs: list[str]) -> None:
    wanted = [("documents", ""), *(("run", run) for run in runs), ("runs", "")]
    study = correlation_study(runs)
    assert [*study.scopes] == wanted
    assert {one.points for one in study.of("runs") if one.pearson is not None} == {3}
    assert correlation_study(runs[:2]).scopes == (
        ("documents", ""),
        ("run", runs[0]),
        ("run", runs[1]),
    )
    assert correlation_study(runs[:1]).scopes == (("documents", ""),)


def test_a_constant_readout_is_undefined_and_named() -> None:
    study = correlation_study({"run": ledger(RIGHT, {"a": "1"}, {"b": "2", "c": "3"})})
    found = pair(study.pairs, "entity.precision", "entity.recall")
    assert (found.pearson, found.pearson_p, found.spearman, found.spearman_p) == (None,) * 4
    assert found.why == "constant: entity.precision"
    assert "entity.precision" in study.undefined
    assert "entity.recall" not in study.undefined


def test_too_few_documents_with_both_are_undefined() -> None:
    # without a prediction there is no precision
    study = correlation_study({"run": ledger(RIGHT, {"a": "2"}, {}, {})})
    found = pair(study.pairs, "entity.precision", "entity.recall")
    assert (found.points, found.pearson) == (2, None)
    assert "fewer than 3" in found.why


def test_a_run_whose_documents_are_all_right_has_only_undefined_pairs(runs: list[str]) -> None:
    study = correlation_study(runs)
    assert {one.pearson for one in study.of("run", runs[2])} == {None}


def test_pairs_with_a_value_are_counted_as_tested(runs: list[str]) -> None:
    study = correlation_study(runs)
    assert study.tested == sum(one.pearson is not None for one in study.pairs) > 100


def test_counts_are_left_out_unless_asked_for(runs: list[str]) -> None:
    assert "kieval.tp" not in correlation_study(runs).readouts
    study = correlation_study(runs, readouts=["entity.f1", "kieval.tp"])
    assert study.readouts == ("entity.f1", "kieval.tp")


def test_a_metric_stands_for_all_its_readouts() -> None:
    study = correlation_study({"run": SMALL}, readouts=["entity"])
    assert {"entity.f1", "entity.tp"} <= set(study.readouts)


def test_a_readout_that_was_not_measured_is_answered_with_the_nearest(runs: list[str]) -> None:
    with pytest.raises(UnknownName, match=r"did you mean 'kieval\.aligned'"):
        correlation_study(runs, readouts=["kieval.alined", "entity.f1"])


def test_one_readout_has_nothing_to_correlate_with(runs: list[str]) -> None:
    with pytest.raises(ConfigurationError, match=r"entity\.f1 has nothing"):
        correlation_study(runs, readouts=["entity.f1"])


def test_the_same_run_twice_is_a_mistake(runs: list[str]) -> None:
    with pytest.raises(ConfigurationError, match="given twice"):
        correlation_study([runs[0], runs[1], f"{runs[0]}/../a"])


def test_no_run_is_a_mistake() -> None:
    with pytest.raises(ConfigurationError, match="no run"):
        correlation_study([])


def test_a_folder_without_a_run_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no ledger"):
        correlation_study([tmp_path])


def test_runs_of_other_plans_are_told() -> None:
    more = ledger(RIGHT, {"a": "1"}, {"a": "2"}, metrics=("entity", "kieval"))
    study = correlation_study({"one": SMALL, "two": more})
    assert "differ in schema, metrics or settings" in study.notes[0]
    assert not correlation_study({"one": SMALL}).notes
    only = {name for one in study.of("run", "one") for name in (one.first, one.second)}
    assert not any(name.startswith("kieval.") for name in only)


def test_readouts_may_be_asked_for_by_their_short_names(runs: list[str]) -> None:
    study = correlation_study(runs, readouts=["aligned", "f1_any_row"])
    assert {*study.readouts} == {"kieval.aligned", "entity.f1"}


def judged(folder: Path, text: str, name: str = "judged.csv") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_numbers_from_elsewhere_are_correlated_like_scores(tmp_path: Path) -> None:
    file = judged(tmp_path, "id,quality,who\n0,5,ann\n1,4,ann\n2,1,bob\n3,2,bob\n9,1,bob\n")
    study = correlation_study({"run": SMALL}, readouts=["entity.recall"], columns=[file])
    assert study.readouts == ("entity.recall", "judged.quality")
    (both,) = study.of("documents")
    recall = [1, 2 / 3, 1 / 3, 1 / 3]
    assert both.pearson == pytest.approx(np.corrcoef(recall, [5, 4, 1, 2])[0, 1])
    assert both.points == 4
    assert study.notes == (
        f"{file}: no numbers in judged.who",
        f"{file}: 1 documents are in no run: 9",
    )


def test_a_judgement_of_one_run_goes_before_one_of_the_document(tmp_path: Path) -> None:
    lines = [
        *({"id": str(number), "quality": number} for number in range(4)),
        {"id": "3", "run": "b", "quality": 30},
        {"id": "0", "run": "elsewhere", "quality": 7},
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    file = judged(tmp_path, text, "judged.jsonl")
    study = correlation_study({"a": SMALL, "runs/b": SMALL}, columns=[file])
    recall = [1, 2 / 3, 1 / 3, 1 / 3]
    for run, quality in (("a", [0, 1, 2, 3]), ("runs/b", [0, 1, 2, 30])):
        both = pair(study.of("run", run), "entity.recall", "judged.quality")
        assert both.pearson == pytest.approx(np.corrcoef(recall, quality)[0, 1])
    assert study.notes == (f"{file}: not among the runs: elsewhere",)


def test_runs_have_columns_of_their_own_or_the_mean_of_their_documents(tmp_path: Path) -> None:
    worse = ledger({"a": "1"}, {"a": "1"}, {}, {})
    runs = {"a": SMALL, "b": worse, "c": ledger(RIGHT, RIGHT, RIGHT, RIGHT)}
    given = judged(tmp_path, "run,price\na,2\nb,1\nc,4\n", "costs.csv")
    means = judged(tmp_path, "id,run,price\n0,a,1\n1,a,3\n0,b,1\n0,c,4\n")
    study = correlation_study(runs, readouts=["entity.recall"], columns=[given, means])
    recall = [7 / 12, 2 / 12, 1]
    for name in ("costs.price", "judged.price"):
        both = pair(study.of("runs"), "entity.recall", name)
        assert both.pearson == pytest.approx(np.corrcoef(recall, [2, 1, 4])[0, 1])


def test_what_predictions_carry_is_correlated_too() -> None:
    scorer = Scorer(metrics=("entity",))
    for number, size in enumerate((1, 2, 3, 0)):
        pred = {**dict([*RIGHT.items()][:size]), "processing_time": 2.0 * size}
        scorer.add(str(number), RIGHT, pred)
    study = correlation_study({"run": scorer.ledger()})
    both = pair(study.of("documents"), "entity.recall", "prediction.processing_time")
    assert both.pearson == pytest.approx(1)


def test_a_table_of_a_run_with_a_column_more_is_read(tmp_path: Path) -> None:
    file = tmp_path / "judged.csv"
    file.write_text("document,q\n0,1\n1,2\n2,3\n3,0\n")
    columns = read_columns(file)
    assert columns.names == ("judged.q",)
    assert columns.numbers["", "2"] == {"judged.q": 3.0}


BAD_COLUMNS = {
    "no number": ("id,who\n0,ann\n", "has no column of numbers"),
    "twice": ("id,q\n0,1\n0,2\n", "document '0' of run '' stands twice"),
    "no id": ('[{"q": 1}]', "has neither an id nor a run"),
}


@pytest.mark.parametrize(("text", "message"), BAD_COLUMNS.values(), ids=[*BAD_COLUMNS])
def test_columns_that_cannot_be_used_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = judged(tmp_path, text, "x.json" if text.startswith("[") else "x.csv")
    with pytest.raises(DataError, match=message):
        correlation_study({"run": SMALL}, columns=[file])
