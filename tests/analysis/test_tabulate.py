"""Scores by model and data set: what runs are called, what is best, and what is sure."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import docassay as da
from docassay.analysis.tabulate import ORDERED, SHUFFLED, Tabulation, tabulate_runs
from docassay.errors import ConfigurationError, DataError, DocassayError, UnknownName
from docassay.run.ledger import InputRecord
from docassay.run.reopen import NamedRun

Tree = dict[str, str]
DOCUMENTS = 12
WRONG = {"good": 0, "fair": 3, "poor": 9}
"""How many documents a model has wrong."""


def gold(dataset: str) -> dict[str, Tree]:
    return {f"{dataset}{at}": {"a": f"x{at}", "b": "1"} for at in range(DOCUMENTS)}


def pred(dataset: str, wrong: int) -> dict[str, Tree]:
    return {
        name: {**tree, "a": "?"} if at < wrong else tree
        for at, (name, tree) in enumerate(gold(dataset).items())
    }


def ran(dataset: str, model: str, folder: str | None = None, **options: object) -> NamedRun:
    answers = pred(dataset, WRONG[model])
    settings = {"metrics": ["kieval", "entity"], **options}
    report = da.score(gold(dataset), answers, **settings)  # type: ignore[arg-type]
    place = None if folder is None else Path(folder)
    return NamedRun(f"{dataset}-{model}" if place is None else place.name, report.ledger, place)


@pytest.fixture(scope="module")
def runs() -> dict[tuple[str, str], NamedRun]:
    return {(d, m): ran(d, m, f"runs/{d}/{m}") for d, m in product(("cord", "sroie"), WRONG)}


def table(runs: dict[tuple[str, str], NamedRun], **options: object) -> Tabulation:
    return tabulate_runs([*runs.values()], draws=2000, **options)  # type: ignore[arg-type]


def test_runs_stand_by_model_and_data_set_as_their_folders_say(
    runs: dict[tuple[str, str], NamedRun],
) -> None:
    result = table(runs)
    assert result.models == ("good", "fair", "poor")
    assert [*result.datasets] == [("cord", DOCUMENTS), ("sroie", DOCUMENTS)]
    assert result.orders == ("",)
    (score,) = result.scores
    assert score.label == "kieval.aligned"
    entry = result.entry("fair", "sroie", "", "kieval.aligned")
    assert entry is not None
    assert entry.value == pytest.approx(21 / 24)
    assert result.entry("fair", "nowhere", "", "kieval.aligned") is None
    assert result.notes == ()


def test_the_best_is_marked_and_what_is_significantly_worse(
    runs: dict[tuple[str, str], NamedRun],
) -> None:
    result = table(runs, scores=["aligned", "corrections"])
    for score in ("aligned", "corrections"):
        entries = [result.entry(model, "cord", "", score) for model in WRONG]
        assert [entry.best for entry in entries if entry] == [True, False, False]
        # three documents of twelve can be chance, nine cannot
        assert [entry.differs for entry in entries if entry] == [False, False, True]
        good, fair, poor = (entry.p for entry in entries if entry)
        assert good is None
        # of all ways to swap the documents that differ two are as far apart, of two tests
        assert fair == pytest.approx(2 / 2**3)
        assert poor == pytest.approx(2 * 2 / 2**9)


def test_alpha_decides_what_is_significant(runs: dict[tuple[str, str], NamedRun]) -> None:
    entry = table(runs, alpha=0.3).entry("fair", "cord", "", "kieval.aligned")
    assert entry is not None
    assert entry.differs


def test_equal_values_are_both_best(runs: dict[tuple[str, str], NamedRun]) -> None:
    twin = runs["cord", "good"]._replace(folder=Path("runs/cord/twin"), name="twin")
    result = table({**runs, ("cord", "twin"): twin})
    entries = [result.entry(model, "cord", "", "kieval.aligned") for model in ("good", "twin")]
    assert [entry.best for entry in entries if entry] == [True, True]
    assert result.notes == ("1 of 8 pairs of model and data set have no run",)


def test_sums_and_differences_of_scores_are_scores(
    runs: dict[tuple[str, str], NamedRun],
) -> None:
    scores = ["kieval.fp + kieval.fn", "entity.f1 - kieval.entity_f1", "aligned@a"]
    result = table(runs, scores=scores)
    assert [score.better for score in result.scores] == ["lower", None, "higher"]
    assert [score.is_share for score in result.scores] == [False, True, True]
    values = [result.entry("poor", "cord", "", name) for name in scores]
    assert [entry.value for entry in values if entry] == [18, 0.0, 0.25]
    assert [entry.best for entry in values if entry] == [False, False, False]
    best = result.entry("good", "cord", "", scores[0])
    assert best is not None
    assert best.best
    assert best.p is None


def test_a_score_that_no_run_has_is_answered_with_what_there_is(
    runs: dict[tuple[str, str], NamedRun],
) -> None:
    with pytest.raises(UnknownName, match="aligned"):
        table(runs, scores=["algned"])


@pytest.mark.parametrize(
    ("folders", "datasets", "models"),
    [
        (("runs/cord/good", "runs/cord/poor", "runs/sroie/good"), "cord sroie", "good poor"),
        (("runs/good/cord", "runs/poor/cord", "runs/good/sroie"), "cord sroie", "good poor"),
        (("one", "two", "three"), "data set 1|data set 2", "one two three"),
    ],
    ids=["data set first", "model first", "no layout"],
)
def test_names_come_from_folders_where_they_fit_gold(
    folders: tuple[str, ...], datasets: str, models: str
) -> None:
    kinds = (("cord", "good"), ("cord", "poor"), ("sroie", "good"))
    own = [ran(*kind, folder) for kind, folder in zip(kinds, folders, strict=True)]
    result = tabulate_runs(own, draws=100)
    names = datasets.split("|") if "|" in datasets else datasets.split()
    assert [dataset.name for dataset in result.datasets] == names
    assert [*result.models] == models.split()


@pytest.mark.parametrize(
    ("places", "datasets"),
    [
        (("cord.jsonl", "sroie.jsonl"), ["cord", "sroie"]),
        (("cord/gold.jsonl", "sroie/gold.jsonl"), ["cord", "sroie"]),
        (("cord/gold/test.jsonl", "sroie/gold/test.jsonl"), ["cord", "sroie"]),
        (("a/b/c/gold.jsonl", "x/b/c/gold.jsonl"), ["data set 1", "data set 2"]),
    ],
    ids=["files", "folders", "folders further up", "neither"],
)
def test_data_sets_are_called_as_the_files_of_gold(
    places: tuple[str, ...], datasets: list[str]
) -> None:
    own = []
    for dataset, place in zip(("cord", "sroie"), places, strict=True):
        run = ran(dataset, "good")
        record = InputRecord(place, f"/home/{place}", "jsonl", "")
        header = run.ledger.header._replace(inputs={"gold": record})
        own.append(run._replace(ledger=run.ledger._replace(header=header)))
    assert [dataset.name for dataset in tabulate_runs(own, draws=100).datasets] == datasets


def test_names_that_are_given_come_first(runs: dict[tuple[str, str], NamedRun]) -> None:
    own = [runs["cord", "good"], runs["cord", "poor"], runs["sroie", "good"]]
    result = tabulate_runs(
        own, datasets={"runs/cord/good": "CORD"}, models={"poor": "Poor 2"}, draws=100
    )
    assert [dataset.name for dataset in result.datasets] == ["CORD", "sroie"]
    assert [*result.models] == ["good", "Poor 2"]
    assert result.entry("Poor 2", "CORD", "", "kieval.aligned") is not None


def test_the_model_that_predictions_name_is_the_model() -> None:
    answers = {name: {"record": tree, "model": "gpt"} for name, tree in pred("cord", 1).items()}
    reports = [
        da.score(
            [{"id": name, **tree} for name, tree in gold("cord").items()],
            [{"id": name, **answer} for name, answer in answers.items()],
            metrics=["kieval"],
        )
    ]
    runs = [NamedRun("run 1", report.ledger) for report in reports]
    assert tabulate_runs(runs).models == ("gpt",)


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"models": {"poor": "good"}}, ConfigurationError, "both 'good' on 'cord'"),
        ({"datasets": {"runs/sroie/good": "cord"}}, DataError, "two kinds of gold"),
        ({"datasets": {"nowhere": "x"}}, UnknownName, "nowhere"),
        ({"alpha": 1.0}, ConfigurationError, "alpha"),
        ({"shuffled": -1}, ConfigurationError, "shuffle"),
        ({"shuffled": 1}, DocassayError, "runs/cord/good"),
    ],
    ids=["two of one name", "one name of two golds", "no such run", "alpha", "negative", "gone"],
)
def test_what_cannot_be_tabulated_is_refused(
    options: dict[str, object],
    error: type[Exception],
    match: str,
    runs: dict[tuple[str, str], NamedRun],
) -> None:
    own = {key: runs[key] for key in (("cord", "good"), ("cord", "poor"), ("sroie", "good"))}
    with pytest.raises(error, match=match):
        table(own, **options)


def test_runs_of_one_data_set_must_have_been_scored_alike() -> None:
    schema = {"fields": {"a": "text", "b": "number"}}
    own = [ran("cord", "good"), ran("cord", "poor", None, schema=schema)]
    with pytest.raises(DataError, match="cannot be compared"):
        tabulate_runs(own)
    with pytest.raises(ConfigurationError, match="no run"):
        tabulate_runs([])


def test_shuffled_predictions_stand_beside_ordered_ones(tmp_path: Path) -> None:
    words = ("<a>anna <b>bonn <c>carl", "<a>dora <b>essen <c>finn")
    for side in ("gold", "pred"):
        (tmp_path / side).mkdir()
        for at, text in enumerate(words):
            (tmp_path / side / f"{at}.tags").write_text(text)
    folder = tmp_path / "runs" / "model"
    da.score(tmp_path / "gold", tmp_path / "pred", metrics=["ner"], out=folder)
    result = da.tabulate(folder, scores=["ner.ecer", "ner.oiecer", "ner.oiecer@a"], shuffled=3)
    assert result.orders == (ORDERED, SHUFFLED)
    values = {(entry.score, entry.order): entry.value for entry in result.entries if not entry.best}
    assert values["ner.ecer", ORDERED] == 0
    assert (values["ner.ecer", SHUFFLED] or 0) > 0
    for score in ("ner.oiecer", "ner.oiecer@a"):
        assert values[score, ORDERED] == values[score, SHUFFLED] == 0
    memory = NamedRun("x", ran("cord", "good").ledger)
    with pytest.raises(ConfigurationError, match="in memory"):
        tabulate_runs([memory], shuffled=1)


def test_documents_without_a_value_are_compared_without_a_test() -> None:
    report = da.score({"a": {}}, {"a": {}})
    comparison = da.compare(report, report, names=["p", "q"])
    assert comparison.scores[0].differences[0].verdict is None
    assert da.tabulate(report, report, names=["p", "q"]).notes == (
        "kieval.aligned is undefined everywhere",
    )
