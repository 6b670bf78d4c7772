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
RULES = f"{CATEGORIES}rules: [total < 5]\n"
LISTED = TYPES.replace("[kind, total, items]", "[kind, total]")
Trees = list[dict[str, object]]
RIGHT: Trees = [{"total": f"{i}.00", "name": f"n {i}", "tags": ["a", "b"]} for i in range(6)]
ODD: Trees = [*RIGHT[:3], *({**tree, "total": "7.00"} for tree in RIGHT[3:])]
HASTY = [*generate(12, seed=3, profile="hasty")]
ROWS: Trees = [{"items": [{"name": str(row), "n": row} for row in range(i)]} for i in range(1, 7)]


class Given(NamedTuple):
    """What a command is called with, and whether it leaves out `fields` and `rules` as well."""

    gold: Trees
    pred: Trees
    schema: str = ""
    brief: bool = True


BILLS: Trees = [{"kind": "bill", "total": "1", "items": [{"name": "tea"}]} for _ in range(5)]
NO_ITEMS: Trees = [{"kind": "bill", "total": "1"} for _ in BILLS]
CORPORA = {
    "imperfect": Given([each.gold for each in HASTY], [each.pred for each in HASTY]),
    "right": Given(RIGHT, RIGHT),
    "in another order": Given(RIGHT, [{**tree, "tags": ["b", "a"]} for tree in RIGHT]),
    "rows in another order": Given(ROWS, [{"items": [*reversed(tree["items"])]} for tree in ROWS]),  # type: ignore[call-overload]
    "nothing predicted": Given(RIGHT, [{} for _ in RIGHT]),
    "nothing at all": Given([{}, {}], [{}, {}]),
    "categories": Given(RIGHT, [{**tree, "name": "x"} for tree in RIGHT], CATEGORIES),
    "a late mistake": Given(RIGHT, [*RIGHT[:-1], {**RIGHT[-1], "name": "x"}], CATEGORIES),
    "right categories": Given(RIGHT, RIGHT, CATEGORIES, brief=False),
    "types": Given(BILLS, [*BILLS[1:], {**BILLS[0], "kind": "other"}], TYPES),
    "right types": Given(BILLS, BILLS, TYPES, brief=False),
    "unlisted fields": Given(BILLS, BILLS, LISTED, brief=False),
    "unlisted fields and a mistake": Given(
        NO_ITEMS, [{**BILLS[0], "total": "2"}, *BILLS[1:]], LISTED
    ),
    "rules that pred breaks": Given(RIGHT, [{**tree, "total": "9.00"} for tree in RIGHT], RULES),
    "rules that gold breaks": Given(ODD, RIGHT, RULES),
    "rules that both break": Given(ODD, ODD, RULES, brief=False),
}


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The metrics that count in each run that a command makes."""
    names: list[set[str]] = []
    plain = api.score_run

    def watched(*given: object, **options: object) -> api.Run:
        run = plain(*given, **options)  # type: ignore[arg-type]
        in_report = {metric.name for metric in run.ledger.header.plan.metrics}
        # what is shown until a value is wrong was counted in the documents before
        counted = [in_report.intersection(row.stats) for row in run.ledger.rows]
        names.append(counted[0])
        assert all(in_report <= {*own, "effort"} and own == counted[0] for own in counted)
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
    monkeypatch.setattr(Bound, "behind", {})
    assert docassay("score", *words) == brief
    fewer, every = measured
    others = {"fields", "rules"} if CORPORA[name].brief else set()
    assert every - fewer == {"entity", "effort", *others.intersection(every)}


def test_what_stands_behind_a_mistake_is_counted_until_there_is_one(tmp_path: Path) -> None:
    given = Given(RIGHT, [*RIGHT[:2], {**RIGHT[2], "total": "9.00"}, *RIGHT[3:]], RULES)
    gold, pred, _, schema = words_of(given, tmp_path)
    run = api.score_run(gold, pred, schema=schema, first_screen=True)
    for name in ("fields", "rules"):
        counted = [name in row.stats for row in run.ledger.rows]
        assert counted == [True] * 3 + [False] * 3
    broken = [[violation.side for violation in row.violations] for row in run.ledger.rows]
    assert broken == [[], [], ["pred"], [], [], ["gold"]]


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
    monkeypatch.setattr(Bound, "behind", {})
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
