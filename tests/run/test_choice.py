"""Which engine scores a run, and what is said when it is not the one that was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import ConfigurationError, FileError
from docassay.matching.case import Case
from docassay.metrics.metric import METRICS, metric
from docassay.run.engines import choice, runner
from docassay.run.engines.choice import OneProcess, chosen_engine
from docassay.run.engines.pool import Pool
from docassay.run.open import open_run
from docassay.run.options import Options, name_of, storage_given
from tests.run.test_divide import shuffled


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[str, str]:
    shuffled(tmp_path)
    return str(tmp_path / "gold.jsonl"), str(tmp_path / "pred.jsonl")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 0}, "0 workers cannot work"),
        ({"workers": -3}, "-3 workers cannot work"),
        ({"engine": "dusk"}, "unknown engine 'dusk' .*did you mean 'dask'"),
        ({"engine": "spark=x"}, "has no address that can be used"),
        ({"engine": "dask="}, "has no address that can be used"),
        ({"engine": "ray="}, "has no address that can be used"),
        ({"engine": 7}, "int is no engine"),
    ],
)
def test_an_engine_that_cannot_be_is_an_error(
    options: dict[str, object], message: str, corpus: tuple[str, str]
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        da.score(*corpus, **options)  # type: ignore[arg-type]


def test_an_engine_may_have_an_address() -> None:
    assert name_of("dask=tcp://127.0.0.1:8786") == ("dask", "tcp://127.0.0.1:8786")
    assert name_of("ray=127.0.0.1:6379") == ("ray", "127.0.0.1:6379")
    assert name_of("local") == ("local", "")


@pytest.mark.parametrize(
    ("options", "cores", "kind"),
    [
        ({"workers": 2}, 1, Pool),
        ({"workers": 1}, 8, OneProcess),
        ({}, 8, Pool),
        ({}, 1, OneProcess),
    ],
)
def test_the_number_of_workers_decides_else_that_of_cores(
    options: dict[str, object],
    cores: int,
    kind: type,
    corpus: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choice, "usable_cores", lambda: cores)
    prepared = open_run(*corpus, Options(**options))  # type: ignore[arg-type]
    notes: list[str] = []
    with chosen_engine(prepared, notes) as engine:
        assert type(engine) is kind
    assert notes == []


def test_small_runs_are_scored_in_one_piece_unless_workers_are_asked_for(
    corpus: tuple[str, str],
) -> None:
    assert not runner._may_be_divided(open_run(*corpus))
    assert not runner._may_be_divided(open_run(*corpus, Options(engine="local", workers=1)))
    assert runner._may_be_divided(open_run(*corpus, Options(workers=2)))
    assert runner._may_be_divided(open_run(*corpus, Options(engine="dask")))


def tree(corpus: tuple[str, str]) -> dict[str, object]:
    with open(corpus[0], encoding="utf-8") as lines:
        return {each["id"]: each for each in map(json.loads, lines)}


def test_what_cannot_be_divided_is_scored_in_one_process_with_the_reason(
    corpus: tuple[str, str], tmp_path: Path
) -> None:
    in_memory = da.score(tree(corpus), corpus[1], workers=2)
    assert "scored in one process: gold is in memory" in in_memory.notes
    patched = da.score(*corpus, workers=2, gold_patch=[])
    assert "scored in one process: gold is patched while it is read" in patched.notes
    alone = da.score(None, corpus[1], workers=2)
    assert "scored in one process: predictions without gold are read in one piece" in alone.notes


def test_a_metric_of_a_script_is_scored_in_one_process(corpus: tuple[str, str]) -> None:
    @metric(
        "of_a_script",
        version=1,
        tables={"documents": ("documents",)},
        readouts=lambda totals, context: iter(()),
    )
    def of_a_script(case: Case) -> dict[str, dict[str, tuple[int, ...]]]:
        """Count documents."""
        return {"documents": {"": (1,)}}

    try:
        report = da.score(*corpus, metrics=["entity", "of_a_script"], workers=2)
    finally:
        del METRICS._entries["of_a_script"]
    said = "scored in one process: metric of_a_script is known to this process alone"
    assert said in report.notes
    assert report["entity.tp"].value


def test_storage_options_are_a_dict_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "storage.json"
    file.write_text('{"key": "k", "client_kwargs": {"verify": false}}')
    expected = {"key": "k", "client_kwargs": {"verify": False}}
    assert storage_given(Options(storage_options=file)) == expected
    assert storage_given(Options(storage_options=expected)) == expected
    file.write_text("[]")
    with pytest.raises(ConfigurationError, match="holds no storage options"):
        storage_given(Options(storage_options=str(file)))
    with pytest.raises(FileError, match="cannot be read"):
        storage_given(Options(storage_options=tmp_path / "missing.json"))


def test_an_address_without_fsspec_or_of_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere://gold\.jsonl: "):
        da.score("nowhere://gold.jsonl", "nowhere://gold.jsonl")
