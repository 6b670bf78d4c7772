"""Documents, reports and comparisons as pages get them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.api.score import score_run
from docassay.matching.case import Case, make_case
from docassay.matching.verdicts import verdicts
from docassay.report.folder import read_folder
from docassay.report.page_data import comparison_data, run_data
from docassay.report.tables import documents
from docassay.run.diffs import diff_data, diff_of, encoded
from docassay.run.open import prepare
from docassay.run.verdict_file import CaseValues
from docassay.run.worst import DiffKeeper, DiffLines

Tree = dict[str, object]
LAYOUTS = prepare().layouts


def case_of(gold: object, pred: object, id: str = "a") -> Case:
    return make_case(id, gold, pred, LAYOUTS)


def rows_of(diff: Mapping[str, object]) -> list[dict[str, object]]:
    rows = diff["rows"]
    assert isinstance(rows, list)
    return rows


def values_of(diff: Mapping[str, object]) -> list[dict[str, object]]:
    return [value for row in rows_of(diff) for value in row["values"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("gold", "pred", "verdict", "members"),
    [
        pytest.param("x", "x", "right", {"gold_path": "f", "pred_path": "f"}, id="right"),
        pytest.param(
            "Anna", "Anne", "substituted", {"cause": "other", "moved": None}, id="substituted"
        ),
        pytest.param("x", None, "added", {"cause": "missing value", "pred": None}, id="added"),
        pytest.param(
            None, "x", "deleted", {"cause": "hallucinated value", "gold": None}, id="deleted"
        ),
    ],
)
def test_a_value_says_what_became_of_it_and_why(
    gold: str | None, pred: str | None, verdict: str, members: dict[str, object]
) -> None:
    golds, preds = ({"g": "1"} if text is None else {"f": text, "g": "1"} for text in (gold, pred))
    (value, _) = values_of(diff_data(case_of(golds, preds)))
    assert value["verdict"] == verdict
    assert {name: value.get(name) for name in members} == members
    assert (value["gold"], value["pred"]) == (gold, pred)


@pytest.mark.parametrize(
    ("order", "moved"),
    [
        ([0, 1, 2, 3], set()),
        ([1, 2, 3, 0], {0}),
        ([3, 0, 1, 2], {3}),
        ([0, 2, 1, 3], {1, 2}),
        ([3, 2, 1, 0], {0, 1, 2, 3}),
    ],
)
def test_as_few_rows_as_possible_are_said_to_have_moved(order: list[int], moved: set[int]) -> None:
    names = ["anna", "berta", "clara", "dora"]
    gold = {"rows": [{"n": name} for name in names]}
    pred = {"rows": [{"n": names[at]} for at in order]}
    diff = diff_data(case_of(gold, pred))
    found = {at for at, row in enumerate(rows_of(diff)) if row.get("moved")}
    assert found <= moved
    assert len(found) == len(order) - longest_rising([order.index(at) for at in range(len(order))])
    assert diff["counts"]["moved_rows"] == len(found)  # type: ignore[index]


def longest_rising(numbers: list[int]) -> int:
    """By trying all: the length of the longest rising series."""
    best = 0
    for choice in range(1 << len(numbers)):
        taken = [n for at, n in enumerate(numbers) if choice >> at & 1]
        if taken == sorted(taken):
            best = max(best, len(taken))
    return best


@given(st.permutations(range(6)))
def test_rows_that_stay_are_in_order_and_as_many_as_can_be(order: list[int]) -> None:
    names = ["anna", "berta", "clara", "dora", "emma", "frida"]
    gold = {"rows": [{"n": name} for name in names]}
    pred = {"rows": [{"n": names[at]} for at in order]}
    rows = rows_of(diff_data(case_of(gold, pred)))
    stayed = [str(row["pred"]) for row in rows if not row.get("moved")]
    assert stayed == sorted(stayed)
    assert len(stayed) == longest_rising([order.index(at) for at in range(len(order))])


texts = st.one_of(st.none(), st.text(max_size=6), st.integers(-5, 5), st.booleans())
trees = st.dictionaries(
    st.sampled_from(["a", "b", "c"]),
    st.one_of(
        texts,
        st.lists(texts, max_size=3),
        st.lists(st.dictionaries(st.just("n"), texts), max_size=3),
    ),
)


@given(trees, trees)
def test_a_page_shows_every_verdict_and_nothing_else(gold: Tree, pred: Tree) -> None:
    case = case_of(gold, pred)
    shown = [
        tuple(map(value.get, ("field", "verdict", "gold", "pred", "gold_path", "pred_path")))
        for value in values_of(diff_data(case))
    ]
    words = {"right": "right", "substitution": "substituted", "addition": "added"}
    own = [
        (
            *(entry.field, words.get(entry.verdict, "deleted"), entry.gold, entry.pred),
            *(entry.gold_path, entry.pred_path),
        )
        for entry in verdicts(case)
    ]
    assert shown == own
    json.loads(encoded(diff_data(case)))


def test_long_texts_are_cut_for_pages_that_are_sent_and_say_so() -> None:
    case = case_of({"f": "x" * 5_000}, {"f": "y" * 10})
    (value,) = values_of(diff_of(CaseValues(case), 100).plain())
    assert (value["gold"], value["gold_cut"], value.get("pred_cut")) == ("x" * 100, 5_000, None)
    (value,) = values_of(diff_data(case))
    assert value["gold"] == "x" * 5_000
    same = case_of({"f": "x" * 5_000}, {"f": "x" * 5_000})
    (value,) = values_of(diff_of(CaseValues(same), 100).plain())
    assert (value["pred"], value["gold_cut"], value["pred_cut"]) == ("x" * 100, 5_000, 5_000)


def test_half_of_a_surrogate_pair_can_be_encoded() -> None:
    assert json.loads(encoded({"text": "a\ud800b"})) == {"text": "a\ud800b"}
    tree: Tree = {"a": "\ud800 é", "b": "x"}
    diff = diff_of(CaseValues(case_of(tree, {"a": "\ud800 é", "b": "\udfff"})))
    assert diff.json().isascii()
    assert [(value["gold"], value["pred"]) for value in values_of(json.loads(diff.json()))] == [
        ("\ud800 é", "\ud800 é"),
        ("x", "\udfff"),
    ]


def test_texts_that_json_has_to_escape_come_back_as_they_were() -> None:
    text = "".join(map(chr, range(160))) + "é€😀"
    (value,) = values_of(diff_data(case_of({"a": text}, {"a": text})))
    assert (value["gold"], value["pred"]) == (text, text)


def look(maker: DiffLines, case: Case) -> None:
    rank = maker.rank(case)
    if rank is not None:
        maker.add(rank, CaseValues(case))


def test_the_worst_documents_are_kept_worst_first() -> None:
    keeper, makers = DiffKeeper(3), (DiffLines(3), DiffLines(3))
    for number, wrong in enumerate([1, 4, 0, 2, 3, 0]):
        gold = {f"f{at}": "x" for at in range(5)}
        pred = {f"f{at}": "y" if at < wrong else "x" for at in range(5)}
        # which process has looked at a document makes no difference
        maker = makers[number % 2]
        look(maker, case_of(gold, pred, id=f"d{number}"))
        diffs, ranks = maker.take()
        keeper.add(ranks, diffs)
    kept = keeper.kept()
    assert kept.of == 6
    assert [(diff.id, diff.wrong) for diff in kept.read()] == [("d1", 4), ("d4", 3), ("d3", 2)]
    first = next(iter(kept.read()))
    assert json.loads(bytes(first.json))["id"] == "d1"
    assert first.fields == ("f0", "f1", "f2", "f3")
    assert first.verdicts == ("substituted",)


def test_what_is_better_than_all_that_are_kept_is_not_made() -> None:
    keeper, made = DiffKeeper(2), []
    for number, wrong in enumerate([3, 1, 2, 1, 4]):
        gold = {f"f{at}": "x" for at in range(5)}
        pred = {f"f{at}": "y" if at < wrong else "x" for at in range(5)}
        maker = DiffLines(2, floor=keeper.floor)
        look(maker, case_of(gold, pred, id=f"d{number}"))
        diffs, ranks = maker.take()
        made.append(len(diffs))
        keeper.add(ranks, diffs)
    assert made == [1, 1, 1, 0, 1]
    assert keeper.floor == (3 / 5, 3, "d0")
    assert [diff.id for diff in keeper.kept().read()] == ["d4", "d0"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("pages")
    golds = {f"d{n}": {"total": str(n), "name": "x", "rows": [{"p": "1"}]} for n in range(6)}
    preds = {
        id: {
            **tree,
            "total": {"value": "0" if id in ("d1", "d2") else tree["total"], "confidence": 0.5},
        }
        for id, tree in golds.items()
    }
    preds["d2"] = {**preds["d2"], "rows": []}
    da.score(golds, preds, out=home / "run", draws=100)
    return home / "run"


def test_a_stored_run_keeps_its_wrong_values_for_pages(folder: Path) -> None:
    report = read_folder(folder)
    assert report.diffs.whole is False
    kept = [*report.diffs.read()]
    assert [diff.id for diff in kept] == [line.id for line in documents(report, 100)]
    first = json.loads(bytes(kept[0].json))
    assert first["id"] == "d2"
    assert [value["cause"] for value in values_of(first)] == ["other", "missing row"]
    assert [row["state"] for row in rows_of(first)] == ["matched", "added"]


def test_a_run_in_memory_has_its_documents_only_if_asked() -> None:
    given_trees = ({"a": {"x": "1"}}, {"a": {"x": "2"}})
    assert [*score_run(*given_trees).report.diffs.read()] == []
    report = score_run(*given_trees, pages=True).report
    assert [diff.wrong for diff in report.diffs.read()] == [1]


def test_the_page_of_a_run_says_what_the_report_says(folder: Path) -> None:
    report = read_folder(folder)
    data = run_data(report, name="run")
    first = data["headline"][0]  # type: ignore[index]
    assert first["value"] == report["aligned"].value
    assert (first["low"], first["high"]) == (report["aligned"].low, report["aligned"].high)
    assert first["meaning"]
    fields = next(table for table in data["tables"] if table["kind"] == "field")  # type: ignore[attr-defined]
    assert [line["name"] for line in fields["lines"]][:2] == ["total", "rows.p"]
    bars = [at for at, column in enumerate(fields["columns"]) if column["bar"]]
    assert len(bars) == 1
    weakest = fields["lines"][0]
    assert weakest["values"][bars[0]] == report["aligned@total"].value
    assert weakest["lows"][bars[0]] == report["aligned@total"].low
    assert data["corrections"]["corrections"] == report["corrections"].value  # type: ignore[index]
    assert data["corrections"]["hours"] == report["hours"].value  # type: ignore[index]
    lines = data["list"]
    assert [line["id"] for line in lines] == [line.id for line in documents(report, 100)]  # type: ignore[attr-defined]
    assert [line["wrong"] for line in lines][:2] == [2, 1]  # type: ignore[attr-defined]
    assert data["shown"]["note"] is None  # type: ignore[index]
    json.loads(encoded(data))


def test_a_curve_has_at_most_201_points_with_both_ends() -> None:
    golds = {f"d{n}": {"x": "1"} for n in range(500)}
    preds = {
        id: {"x": {"value": "1" if n % 3 else "2", "confidence": (n + 1) / 501}}
        for n, id in enumerate(golds)
    }
    report = da.score(golds, preds, draws=100)
    points = [point for point in report.curves if not point.field]
    assert len(points) == 201
    assert points[0].auto_rate == 1.0
    assert points[-1].auto_rate == 0.0
    assert points[-1].aligned == 1.0
    whole = da.thresholds(report).curve()
    assert {(point.tau, point.aligned) for point in points} <= {
        (point.tau, point.aligned) for point in whole
    }
    assert da.score(golds, golds, draws=100).curves == ()


def test_a_comparison_says_who_is_better(folder: Path) -> None:
    golds = {f"d{n}": {"x": str(n), "y": "1"} for n in range(20)}
    worse = {id: {**tree, "x": "no"} for id, tree in golds.items()}
    comparison = da.compare(
        da.score(golds, golds, draws=100), da.score(golds, worse, draws=100), draws=1_000
    )
    data = comparison_data(comparison, keys=["one", "two"])
    assert [run["key"] for run in data["runs"]] == ["one", "two"]  # type: ignore[attr-defined]
    headline = next(score for score in data["scores"] if score["headline"])  # type: ignore[attr-defined]
    assert headline["values"] == [1.0, 0.5]
    assert headline["differences"][0]["verdict"] == "worse"
    assert data["standings"][0]["run"] == 0  # type: ignore[index]
    assert data["standings"][1]["verdict"] == "worse"  # type: ignore[index]
    assert len(data["documents"]) == 20  # type: ignore[arg-type]
    json.loads(encoded(data))
