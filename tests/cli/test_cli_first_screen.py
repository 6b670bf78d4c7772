"""What the first screen shows nothing of is not counted, and the screen is the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docassay.api import score as api
from docassay.metrics.fields import methods, unseen
from docassay.run.engines.runner import run_prepared
from docassay.run.open import open_run, prepare
from docassay.run.plan import Bound
from docassay.synth.corpus import generate
from tests.cli.cli_corpus import SCHEMA as TYPES
from tests.cli.cli_corpus import Command, Corpus

CATEGORIES = """\
fields:
  total: {type: money, category: amounts}
  name: {type: text, category: names}
"""
LISTED = TYPES.replace("[kind, total, items]", "[kind, total]")
Trees = list[dict[str, object]]
RIGHT: Trees = [{"total": f"{i}.00", "name": f"n {i}", "tags": ["a", "b"]} for i in range(6)]
HASTY = [*generate(12, seed=3, profile="hasty")]
ROWS: Trees = [{"items": [{"name": str(row), "n": row} for row in range(i)]} for i in range(1, 7)]


class Given(NamedTuple):
    """What a command is called with, and whether it leaves `fields` out besides `entity`."""

    gold: Trees
    pred: Trees
    schema: str = ""
    brief: bool = True


BILLS: Trees = [{"kind": "bill", "total": "1", "items": [{"name": "tea"}]} for _ in range(5)]
CORPORA = {
    "imperfect": Given([each.gold for each in HASTY], [each.pred for each in HASTY]),
    "right": Given(RIGHT, RIGHT),
    "in another order": Given(RIGHT, [{**tree, "tags": ["b", "a"]} for tree in RIGHT]),
    "rows in another order": Given(ROWS, [{"items": [*reversed(tree["items"])]} for tree in ROWS]),  # type: ignore[call-overload]
    "nothing predicted": Given(RIGHT, [{} for _ in RIGHT]),
    "nothing at all": Given([{}, {}], [{}, {}]),
    "categories": Given(RIGHT, [{**tree, "name": "x"} for tree in RIGHT], CATEGORIES, brief=False),
    "right categories": Given(RIGHT, RIGHT, CATEGORIES, brief=False),
    "types": Given(BILLS, [*BILLS[1:], {**BILLS[0], "kind": "other"}], TYPES, brief=False),
    "unlisted fields": Given(BILLS, BILLS, LISTED, brief=False),
}


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The metrics that count in each run that a command makes."""
    names: list[set[str]] = []
    plain = api.score_run

    def watched(*given: object, **options: object) -> api.Run:
        run = plain(*given, **options)  # type: ignore[arg-type]
        names.append({name for row in run.ledger.rows for name in row.stats})
        in_report = {metric.name for metric in run.ledger.header.plan.metrics}
        assert names[-1] <= in_report <= names[-1] | {"effort"}
        return run

    monkeypatch.setattr(api, "score_run", watched)
    return names


def words_of(given: Given, folder: Path) -> list[str]:
    words = []
    for side in ("gold", "pred"):
        path = folder / f"{side}.jsonl"
        path.write_text("".join(f"{json.dumps(tree)}\n" for tree in getattr(given, side)))
        words.append(str(path))
    if given.schema:
        schema = folder / "schema.yaml"
        schema.write_text(given.schema)
        words += ["--schema", str(schema)]
    return words


@pytest.mark.parametrize("name", CORPORA)
def test_the_screen_is_the_same_with_and_without_what_it_does_not_show(
    name: str,
    docassay: Command,
    measured: list[set[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = words_of(CORPORA[name], tmp_path)
    brief = docassay("score", *words)
    monkeypatch.setattr(Bound, "unseen", ())
    monkeypatch.setattr(Bound, "implied", {})
    assert docassay("score", *words) == brief
    fewer, every = measured
    assert every - fewer == {"entity", "effort", *(["fields"] if CORPORA[name].brief else [])}


def test_other_processes_leave_out_the_same(
    docassay: Command, measured: list[set[str]], tmp_path: Path
) -> None:
    words = words_of(CORPORA["imperfect"], tmp_path)
    assert docassay("score", *words, "--workers", "2") == docassay("score", *words)
    assert measured[0] == measured[1] == {"kieval", "causes"}


@pytest.mark.parametrize(
    "words",
    [
        ["-v"],
        ["--format", "json"],
        ["--all-fields"],
        ["--by", "type"],
        ["--require", "aligned >= 0"],
        ["--metrics", "kieval,fields"],
        ["--set", "fields.method=exact"],
        ["--out", "run"],
    ],
)
def test_whoever_asks_for_more_than_the_first_screen_has_all_metrics(
    words: list[str],
    docassay: Command,
    measured: list[set[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert docassay("score", *words_of(CORPORA["right"], tmp_path), *words).code == 0
    assert "fields" in measured[0]
    assert "--metrics" in words or {"entity", "effort"} <= measured[0]


def test_a_list_that_is_compared_in_parts_is_a_problem_though_nothing_else_is_shown(
    docassay: Command,
    measured: list[set[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (methods, unseen):
        monkeypatch.setattr(module, "MAX_CELLS", 3)
    words = words_of(CORPORA["in another order"], tmp_path)
    brief = docassay("score", *words)
    assert "fields" not in measured[0]
    assert "6 problems" in brief.out
    assert "too long to compare all items: compared in parts" in brief.err
    monkeypatch.setattr(Bound, "unseen", ())
    monkeypatch.setattr(Bound, "implied", {})
    assert docassay("score", *words) == brief
    strict = docassay("score", *words, "--strict")
    assert "compared in parts" in strict.err


def test_a_run_in_python_has_all_metrics_and_digests(corpus: Corpus) -> None:
    row = api.score(corpus.gold, corpus.pred).ledger.rows[0]  # type: ignore[union-attr]
    assert "fields" in row.stats
    assert row.digest


ITEMS = st.lists(st.fixed_dictionaries({"n": st.sampled_from("123"), "m": st.sampled_from("xyz")}))


@given(st.lists(st.tuples(ITEMS, ITEMS), min_size=1, max_size=4))
@example(
    [([{"n": "1", "m": "x"}, {"n": "2", "m": "y"}], [{"n": "1", "m": "y"}, {"n": "2", "m": "x"}])]
)
def test_sums_that_are_implied_are_those_that_would_be_counted(
    rows: list[tuple[list[dict[str, str]], list[dict[str, str]]]],
) -> None:
    gold = [{"a": "1", "rows": own} for own, _ in rows]
    pred = [{"a": "2", "rows": own} for _, own in rows]
    prepared = open_run(gold, pred)
    implied = prepared.bound.implied
    assert {*implied} == {"entity", "effort"}
    totals = run_prepared(prepared).outcome.totals
    for name, (other, sums) in implied.items():
        assert sums(totals.stats(other)) == totals.stats(name)


def test_nothing_is_implied_by_a_metric_that_counts_otherwise() -> None:
    assert not prepare(settings={"kieval.flatten": True}).implied
    assert not prepare(metrics=["entity", "effort"]).implied
