"""The shuffle study: what moves is told with its numbers, what does not keeps every digit."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, stdev

import pytest

from docassay.analysis.study.result import MOVES, STAYS, UNDEFINED, Movement, ShuffleStudy
from docassay.analysis.study.shuffle import shuffle_study
from docassay.errors import ConfigurationError, DataError, UnknownName
from tests.analysis.study.study_corpus import GOLD, PRED, write_synth

METRICS = ["places", "entity", "kieval"]


@pytest.fixture
def study(places: None) -> ShuffleStudy:
    return shuffle_study(GOLD, PRED, metrics=METRICS)


def test_what_minds_order_moves_and_the_rest_does_not(study: ShuffleStudy) -> None:
    moving = {one.address for one in study.movements if one.word == MOVES}
    assert moving == {"places.share", "places.right"}
    assert study["places.nothing"].word == UNDEFINED


def test_the_order_of_rows_and_keys_changes_no_digit_of_entity_and_kieval(tmp_path: Path) -> None:
    gold, preds, schema = write_synth(tmp_path)
    study = shuffle_study(
        gold, preds[1], schema=schema, metrics=["entity", "kieval"], repetitions=3
    )
    assert {one.word for one in study.movements} == {STAYS}
    assert all(one.mean == one.before for one in study.movements)
    assert all(one.change == 0 and one.deviation == 0 for one in study.movements)


def test_the_readout_before_is_the_one_of_the_predictions_as_they_are(
    study: ShuffleStudy, places: None
) -> None:
    from docassay import score

    report = score(GOLD, PRED, metrics=METRICS)
    assert all(one.before == report[one.address].value for one in study.movements)
    assert len(study.movements) == sum(not one.key for one in report.scores)


def test_mean_range_and_deviation_are_those_of_single_repetitions(
    study: ShuffleStudy, places: None
) -> None:
    # a study of n repetitions begins with the study of n - 1
    sums, values = 0.0, []
    for amount in range(1, 11):
        shorter = shuffle_study(GOLD, PRED, metrics=["places"], repetitions=amount)
        mean = shorter["places.right"].mean
        assert mean is not None
        values.append(round(mean * amount - sums))
        sums = mean * amount
    found = study["places.right"]
    assert (found.lowest, found.highest) == (min(values), max(values))
    assert found.mean == pytest.approx(fmean(values))
    assert found.deviation == pytest.approx(stdev(values))


def test_the_same_seed_gives_the_same_study_and_another_seed_another(
    study: ShuffleStudy, places: None
) -> None:
    assert shuffle_study(GOLD, PRED, metrics=METRICS) == study
    assert shuffle_study(GOLD, PRED, metrics=METRICS, seed=1).movements != study.movements


def test_the_order_of_documents_makes_no_difference(study: ShuffleStudy, places: None) -> None:
    turned = {id: GOLD[id] for id in reversed(GOLD)}
    assert shuffle_study(turned, PRED, metrics=METRICS).movements == study.movements


def test_what_moves_most_comes_first_and_counts_come_after(study: ShuffleStudy) -> None:
    assert [one.address for one in study.movements[:2]] == ["places.share", "places.right"]
    assert study.movements[-1].word == UNDEFINED


def test_documents_with_something_to_shuffle_are_counted(study: ShuffleStudy) -> None:
    assert (study.documents, study.shuffled, study.repetitions) == (3, 2, 10)


def test_a_missing_prediction_is_told_and_scored_as_missed(study: ShuffleStudy) -> None:
    assert [one.document for one in study.problems] == ["c"]
    assert study["entity.recall"].before == pytest.approx(10 / 15)


def test_a_readout_that_was_not_measured_is_answered_with_the_nearest(study: ShuffleStudy) -> None:
    with pytest.raises(UnknownName, match=r"did you mean 'places\.share'"):
        study["places.shar"]


def test_one_repetition_has_no_deviation(places: None) -> None:
    assert (
        shuffle_study(GOLD, PRED, metrics=["places"], repetitions=1)["places.share"].deviation
        is None
    )


def test_the_signature_names_seed_and_repetitions(study: ShuffleStudy) -> None:
    assert study.signature.endswith("|shuffle:10|seed:0")


def test_progress_counts_every_document_of_every_repetition() -> None:
    told: list[int] = []
    shuffle_study(GOLD, PRED, metrics=["entity"], repetitions=2, progress=told.append)
    assert told == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_no_repetition_is_a_mistake() -> None:
    with pytest.raises(ConfigurationError, match="0 repetitions"):
        shuffle_study(GOLD, PRED, metrics=["entity"], repetitions=0)


def test_a_setting_of_a_format_that_is_not_read_is_a_mistake() -> None:
    with pytest.raises(ConfigurationError, match="for the format"):
        shuffle_study(GOLD, PRED, metrics=["entity"], settings={"csv.id_key": "name"})


def test_gold_that_cannot_be_read_is_an_error_that_says_why(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"total": ')
    with pytest.raises(DataError, match=r"a.json: gold document a is not JSON"):
        shuffle_study(tmp_path, PRED, metrics=["entity"], gold_format="json")


@pytest.mark.parametrize(
    ("before", "lowest", "highest", "word"),
    [
        (0.5, 0.5, 0.5, STAYS),
        (3, 3, 3, STAYS),
        (0.5, 0.4, 0.5, MOVES),
        (0.5, 0.4, 0.4, MOVES),
        (None, None, None, UNDEFINED),
        (None, 0.0, 0.0, MOVES),
        (0.0, None, None, MOVES),
    ],
)
def test_a_word_says_whether_any_digit_moved(
    before: float | None, lowest: float | None, highest: float | None, word: str
) -> None:
    assert Movement("m", "r", before, lowest, lowest, highest, None).word == word
