"""The benchmark of `ner` measures what it says: one seed, one corpus, and numbers that agree."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

import docassay as da

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("ner")


@pytest.fixture
def corpus(benchmark: ModuleType, tmp_path: Path) -> Path:
    benchmark.write_corpus(tmp_path / "corpus", docs=6, entities=25, seed=7)
    return tmp_path / "corpus"


def texts(corpus: Path) -> dict[str, bytes]:
    return {f"{path.relative_to(corpus)}": path.read_bytes() for path in corpus.rglob("*.bio")}


def test_one_seed_gives_one_corpus_to_the_byte(
    benchmark: ModuleType, corpus: Path, tmp_path: Path
) -> None:
    benchmark.write_corpus(tmp_path / "again", docs=6, entities=25, seed=7)
    benchmark.write_corpus(tmp_path / "other", docs=6, entities=25, seed=8)
    assert texts(tmp_path / "again") == texts(corpus)
    assert texts(tmp_path / "other") != texts(corpus)


def test_the_corpus_is_strict_iob2_with_errors_of_every_kind(corpus: Path) -> None:
    report = da.score(corpus / "gold", corpus / "pred", metrics=["ner"])
    assert not report.problems
    assert report["ner.oiecer"].support == 6 * 25
    assert 0 < report["ner.oiecer"].value < report["ner.ecer"].value < 1
    assert report["ner.bt_f1"].value < report["ner.bow_f1"].value < 1


@pytest.mark.parametrize("compute", ["bare_oiecer", "bare_scores"])
def test_the_bare_computation_agrees_with_ner(
    benchmark: ModuleType, corpus: Path, compute: str
) -> None:
    bare = getattr(benchmark, compute)(corpus / "gold", corpus / "pred")
    report = da.score(corpus / "gold", corpus / "pred", metrics=["ner"])
    assert bare == pytest.approx({name: report[f"ner.{name}"].value for name in bare}, abs=1e-8)


@pytest.mark.parametrize(
    ("printed", "named"),
    [
        pytest.param(0.1235, 0, id="two decimals of a percentage, rounded up"),
        pytest.param(0.1234, 1, id="the next two decimals"),
    ],
)
def test_a_number_on_which_the_sides_differ_is_named(
    benchmark: ModuleType, printed: float, named: int
) -> None:
    agreed = [benchmark.Timed(1.0, {"oiecer": 0.123456})]
    found = dict.fromkeys(("all", "docassay", "bare", "bare oiecer"), agreed)
    found["ie-eval"] = [benchmark.Timed(1.0, {"oiecer": printed})]
    assert len([*benchmark.disagreements(found)]) == named
