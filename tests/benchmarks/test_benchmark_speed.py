"""`make bench` measures what it says: its documents, its medians, its aims and what it keeps."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

import docassay as da

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.fixture
def corpora(path: None) -> ModuleType:
    return importlib.import_module("corpora")


@pytest.fixture
def timing(path: None) -> ModuleType:
    return importlib.import_module("timing")


@pytest.fixture
def bench(path: None) -> ModuleType:
    return importlib.import_module("run")


def lines(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_one_seed_gives_one_corpus_to_the_byte(corpora: ModuleType, tmp_path: Path) -> None:
    for name, seed in (("one", 7), ("again", 7), ("other", 8)):
        corpora.write_own(tmp_path / name, docs=5, rows=4, seed=seed)
    texts = {
        name: [(tmp_path / name / side).read_text() for side in ("gold.jsonl", "pred.jsonl")]
        for name in ("one", "again", "other")
    }
    assert texts["one"] == texts["again"] != texts["other"]


@pytest.mark.parametrize("typed", [False, True], ids=["as written", "numbers kept"])
def test_own_invoices_have_the_fields_of_the_schema_and_errors_of_every_kind(
    corpora: ModuleType, tmp_path: Path, typed: bool
) -> None:
    corpora.write_own(tmp_path, docs=60, rows=8, seed=7, typed=typed)
    golds, preds = (lines(tmp_path / f"{side}.jsonl") for side in ("gold", "pred"))
    names = json.loads((tmp_path / "schema.json").read_text())["properties"].keys()
    assert all(tree.keys() == names for tree in (*golds, *preds))
    amounts = [row["amount"] for tree in preds for row in tree["line_items"]]
    assert any(isinstance(amount, str) for amount in amounts) != typed
    assert {len(tree["line_items"]) for tree in preds} > {7, 8, 9}
    report = da.score(tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", metrics=["kieval"])
    assert 0.7 < report["kieval.aligned"].value < 0.97
    assert all(report[f"kieval.{kind}"].value > 0 for kind in ("substitutions", "additions"))


@pytest.mark.parametrize(
    ("kind", "right"),
    [
        ("that share nothing", 0),
        ("that share one value", 40),
        ("with one value wrong", 120),
    ],
)
def test_no_wrong_row_is_right(corpora: ModuleType, tmp_path: Path, kind: str, right: int) -> None:
    corpora.write_wrong(tmp_path, rows=40, kind=kind)
    files = (tmp_path / "gold.jsonl", tmp_path / "pred.jsonl")
    report = da.score(*files, metrics=["entity", "kieval"], types="text")
    assert report["kieval.group_f1"].value == 0
    (gold,), (pred,) = map(lines, files)
    values = [
        sorted((key, str(value)) for row in tree["line_items"] for key, value in row.items())
        for tree in (gold, pred)
    ]
    assert sum(value in values[1] for value in values[0]) >= right


def test_a_long_text_is_as_long_and_as_wrong_as_asked(corpora: ModuleType, tmp_path: Path) -> None:
    corpora.write_long_text(tmp_path, size=9000, wrong=0.05)
    (gold,), (pred,) = (lines(tmp_path / f"{side}.jsonl") for side in ("gold", "pred"))
    assert len(gold["text"]) == 9000
    report = da.score({"a": gold}, {"a": pred}, metrics=["tree"])
    assert report["tree.nted"].value == pytest.approx(0.95, abs=0.01)


def test_every_side_has_its_turn_in_every_round(timing: ModuleType) -> None:
    turns: list[str] = []

    def side(name: str) -> float:
        turns.append(name)
        return float(len(turns))

    results = timing.race("x", {name: lambda name=name: side(name) for name in "ab"}, rounds=3)
    assert turns == ["a", "b"] * 3
    assert results == {"a": [1, 3, 5], "b": [2, 4, 6]}


def test_a_race_of_slow_rounds_has_fewer_of_them(
    timing: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter((0, 61))
    monkeypatch.setattr(timing.time, "monotonic", lambda: next(clock))
    assert timing.race("x", {"a": lambda: 1.0}) == {"a": [1.0] * timing.FEWEST}
    monkeypatch.setattr(timing.time, "monotonic", lambda: 0)
    assert timing.race("x", {"a": lambda: 1.0}) == {"a": [1.0] * 7}


def test_a_ratio_is_the_median_of_the_ratios_of_rounds(timing: ModuleType) -> None:
    figure = timing.ratio(("p", "d", "w"), "x", [1, 4, 9], [1, 2, 3], timing.Aim(2))
    assert (figure.value, figure.least, figure.greatest, figure.rounds) == (2, 1, 3, 3)
    assert (figure.docassay, figure.other, figure.verdict) == (4, 2, "met")


@pytest.mark.parametrize(
    ("value", "at_most", "verdict"),
    [(1.0, False, "met"), (0.9, False, "missed"), (1.0, True, "met"), (1.1, True, "missed")],
)
def test_an_aim_is_met_at_its_amount(
    timing: ModuleType, value: float, at_most: bool, verdict: str
) -> None:
    aim = timing.Aim(1.0, at_most=at_most)
    assert timing.amount(("p", "d", "w"), "s", [value], aim).verdict == verdict


@pytest.fixture
def results(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> tuple[ModuleType, Path]:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{bench.START}\nstale\n{bench.END}\nafter\n")
    monkeypatch.setattr(bench, "KEPT", tmp_path / "results.json")
    monkeypatch.setattr(bench, "PAGES", (page,))
    return bench, page


def guarded(timing: ModuleType, value: float, part: str = "guard") -> list:
    return [timing.ratio((part, "d", "w"), "of the floor", [value], [1.0], timing.Aim(0.5))]


def test_figures_of_parts_that_were_not_run_stay(
    results: tuple[ModuleType, Path], timing: ModuleType
) -> None:
    bench, page = results
    bench.keep(guarded(timing, 0.25, "start"), "start", {"date": "then"})
    bench.keep(guarded(timing, 0.75), "guard", {"date": "now"})
    figures, runs = bench.kept()
    assert [(figure.part, figure.value) for figure in figures] == [("start", 0.25), ("guard", 0.75)]
    assert runs == {"start": {"date": "then"}, "guard": {"date": "now"}}
    text = page.read_text()
    assert text.startswith(f"before\n{bench.START}")
    assert text.endswith(f"{bench.END}\nafter\n")
    assert "stale" not in text
    assert "| d | w | 0.75 | 1 | 0.75 | of the floor | 0.75 to 0.75 | 1 | ≥ 0.5 | met |" in text


@pytest.mark.parametrize(
    ("measured", "code"),
    [([0.36], 0), ([0.34, 0.36], 0), ([0.34, 0.34], 1)],
    ids=["within the margin", "slower once", "slower twice"],
)
def test_a_ratio_that_fell_twice_by_more_than_the_margin_ends_the_quick_run_with_1(
    results: tuple[ModuleType, Path],
    timing: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    measured: list[float],
    code: int,
) -> None:
    bench, _ = results
    bench.keep(guarded(timing, 0.5), "guard", {})
    waiting = iter(measured)
    monkeypatch.setattr(bench, "measure", lambda _: guarded(timing, next(waiting)))
    assert bench.quick() == code
    assert next(waiting, None) is None


def test_a_quick_run_without_kept_ratios_says_what_to_do(
    results: tuple[ModuleType, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    bench, _ = results
    assert bench.quick() == 2
    assert "make bench" in capsys.readouterr().err


def test_every_work_that_a_package_is_held_against_exists(path: None) -> None:
    parts, peers = importlib.import_module("parts"), importlib.import_module("peers")
    works = {against.work for peer in peers.PEERS for against in peer.against}
    assert works <= parts.PEER_WORKS.keys()
    script = importlib.import_module("peer")
    assert {peer.name for peer in peers.PEERS} == script.PACKAGES.keys()
    assert parts.PARTS.keys() == importlib.import_module("run").TITLES.keys()
