"""Sensitivity: one change at a time, each as scoring with that change gives it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.analysis.ranking import AVERAGING, MEASURE, SettingLine, rank
from docassay.analysis.sensitivity import AS_SCORED, Sensitivity, find_sensitivity
from docassay.analysis.variations import OPTION, Variation, variations
from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.metrics.metric import METRICS
from docassay.model.schema import Field, GroupSpec, Schema
from docassay.run.ledger import read_ledger
from docassay.run.plan import Plan, bind, make_plan
from docassay.schema.source import load_schema

SCHEMA: dict[str, object] = {
    "name": "bills",
    "absent": ["none given"],
    "fields": {
        "total": {"type": "money"},
        "name": {"type": "text", "accept": 0.95},
        "date": {"type": "date"},
        "codes": {"type": "id"},
    },
    "groups": {"items": {"fields": {"name": {"type": "text"}, "price": {"type": "money"}}}},
    "rules": ["sum(items.price) == total"],
}
GOLD: dict[str, dict[str, object]] = {
    f"d{number}": {
        "total": "$100.00",
        "name": "Green Tea Company",
        "date": "3 April 2025",
        "codes": ["A1", "B2"],
        "items": [{"name": "tea", "price": "60"}, {"name": "cake", "price": "40"}],
        "note": "seen",
    }
    for number in range(12)
}


def tidy(tree: dict[str, object]) -> dict[str, object]:
    """Right values, in other forms and another order of rows."""
    rows = tree["items"]
    assert isinstance(rows, list)
    return {**tree, "total": "100", "name": "GREEN TEA COMPANY", "items": rows[::-1]}


def near(tree: dict[str, object]) -> dict[str, object]:
    """Values that are a little wrong, written as gold writes them."""
    return {**tree, "total": "$100.05", "name": "Green Tea Companies"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("sensitivity")
    few = [*GOLD][:5]
    answers = {
        "gold": GOLD,
        "tidy": {id: tidy(tree) for id, tree in GOLD.items()},
        "near": {id: near(tree) if id in few else tree for id, tree in GOLD.items()},
        "bad": {id: {"total": "7"} for id in GOLD},
    }
    for name, trees in answers.items():
        lines = (json.dumps({"id": id, "fields": tree}) for id, tree in trees.items())
        (home / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    for name in ("tidy", "near", "bad"):
        da.score(
            home / "gold.jsonl",
            home / f"{name}.jsonl",
            schema=SCHEMA,
            metrics=["kieval", "entity"],
            out=home / name,
        )
    return home


@pytest.fixture(scope="module")
def study(folder: Path) -> Sensitivity:
    return da.sensitivity(folder / "tidy", folder / "near", folder / "bad")


def line_of(study: Sensitivity, label: str, kind: str | None = None) -> SettingLine:
    (line,) = (line for line in study.lines if line.label == label and kind in (None, line.kind))
    return line


def scored(folder: Path, name: str, schema: object, **options: object) -> float | int | None:
    report = da.score(
        folder / "gold.jsonl",
        folder / f"{name}.jsonl",
        schema=schema,
        metrics=["kieval"],
        **options,  # type: ignore[arg-type]
    )
    return report["aligned"].value


def typed(name: str) -> dict[str, object]:
    fields = {path: {"type": name} for path in ("total", "name", "date", "codes")}
    items = {"fields": {path: {"type": name} for path in ("name", "price")}}
    return {**SCHEMA, "fields": fields, "groups": {"items": items}, "rules": []}


def fielded(**changes: object) -> dict[str, object]:
    fields = SCHEMA["fields"]
    assert isinstance(fields, dict)
    return {**SCHEMA, "fields": {**fields, **changes}}


@pytest.mark.parametrize(
    ("label", "schema"),
    [
        ("all values as exact text", typed("exact")),
        ("all values as text", typed("text")),
        ("texts alike by 0.8", fielded(name={"type": "text", "accept": 0.8})),
        ("numbers within 0.1 %", fielded(total={"type": "money", "relative": 0.001})),
        ("none", fielded(name={"type": "text"})),
        ("only empty values are absent", {**SCHEMA, "absent": []}),
        ("fields not in the schema count", {**SCHEMA, "extra": "count"}),
        ("month-first", {**SCHEMA, "dates": "month-first"}),
    ],
)
def test_a_setting_gives_what_scoring_by_it_gives(
    folder: Path, study: Sensitivity, label: str, schema: object
) -> None:
    expected = tuple(scored(folder, name, schema) for name in ("tidy", "near", "bad"))
    assert line_of(study, label).values == expected


@pytest.mark.parametrize(("label", "match"), [("in order", "order"), ("as a set", "set")])
def test_rows_pair_in_other_ways(folder: Path, study: Sensitivity, label: str, match: str) -> None:
    groups = {"items": {"match": match, "fields": {"name": "text", "price": "money"}}}
    expected = scored(folder, "tidy", {**SCHEMA, "groups": groups})
    assert line_of(study, label, "rows").values[0] == expected


def test_the_first_line_is_as_scored(folder: Path, study: Sensitivity) -> None:
    usual = study.usual
    assert (usual.kind, usual.address, study.address) == (AS_SCORED, *["kieval.aligned"] * 2)
    assert usual.values == tuple(scored(folder, name, SCHEMA) for name in ("tidy", "near", "bad"))
    assert (usual.ranks, usual.winner, usual.rival) == ((1, 2, 3), 0, 1)
    assert study.runs == ("tidy", "near", "bad")
    assert study.documents == 12
    changed = [line for line in study.lines if line.kind not in (AS_SCORED, AVERAGING, MEASURE)]
    assert study.rescorings == 3 * len(changed)


def test_a_choice_that_changes_the_winner_is_named_with_its_test(study: Sensitivity) -> None:
    labels = [line.label for line in study.overturned]
    assert "all values as exact text" in labels
    line = line_of(study, "all values as exact text")
    assert (line.winner, line.rival) == (1, 0)
    assert line.difference is not None
    assert line.difference == line.values[1] - line.values[0]  # type: ignore[operator]
    assert line.p is not None
    assert line.p <= 0.05
    assert study.is_sure(line)
    assert not replace(study, alpha=line.p / 2).is_sure(line)


def test_averages_are_means_of_documents_and_of_fields(folder: Path, study: Sensitivity) -> None:
    report = da.score(
        folder / "gold.jsonl", folder / "near.jsonl", schema=SCHEMA, metrics=["kieval"]
    )
    documents = [value for _, value in report.document_values("kieval.aligned")]
    fields = [
        score.value for score in report.of("kieval") if score.readout == "aligned" and score.key
    ]
    for label, values in (("mean of documents", documents), ("mean of fields", fields)):
        line = line_of(study, label)
        expected = sum(value for value in values if value is not None) / len(values)
        assert line.values[1] == pytest.approx(expected, abs=1e-8)
        assert (line.kind, line.p is not None) == (AVERAGING, True)


def test_measures_are_other_scores_of_the_ledgers(folder: Path, study: Sensitivity) -> None:
    measures = {line.address: line for line in study.lines if line.kind == MEASURE}
    assert {"entity.f1", "kieval.documents_exact", "kieval.group_f1"} <= {*measures}
    near = da.score(folder / "gold.jsonl", folder / "near.jsonl", schema=SCHEMA, metrics=["entity"])
    assert measures["entity.f1"].values[1] == near["entity.f1"].value


def test_what_changes_nothing_has_no_effect(study: Sensitivity) -> None:
    line = line_of(study, "n/a, none, - and the like are absent")
    assert not line.effect
    assert (line.values, line.ranks, line.p) == (
        study.usual.values,
        study.usual.ranks,
        study.usual.p,
    )


def test_a_sample_is_drawn_by_its_seed(folder: Path) -> None:
    runs = [folder / "tidy", folder / "near"]
    first = da.sensitivity(*runs, limit=4, seed=1, score="aligned@total")
    assert first == da.sensitivity(*runs, limit=4, seed=1, score="aligned@total")
    assert first.documents == 4
    assert "a sample of 4 of 12 documents" in first.notes
    assert da.sensitivity(*runs, limit=99, score="aligned@total").documents == 12
    with pytest.raises(ConfigurationError, match="limit is 0"):
        da.sensitivity(*runs, limit=0)


def test_progress_counts_the_documents_scored_again(folder: Path) -> None:
    heard: list[tuple[int, int]] = []
    study = da.sensitivity(
        folder / "tidy", score="aligned@total", progress=lambda *each: heard.append(each)
    )
    total = study.rescorings * 12
    assert heard == [(done, total) for done in range(1, total + 1)]


def test_lower_is_better_for_corrections(folder: Path) -> None:
    study = da.sensitivity(folder / "tidy", folder / "bad", score="corrections")
    assert study.lower_is_better
    assert (study.usual.ranks, study.usual.winner) == ((1, 2), 0)
    assert study.usual.difference is not None
    assert study.usual.difference > 0
    assert not [line for line in study.lines if line.kind == AVERAGING]


def test_runs_without_shared_gold_or_score_are_refused(folder: Path, tmp_path: Path) -> None:
    da.score({"z": {"total": "1"}}, {"z": {"total": "1"}}, metrics=["kieval"], out=tmp_path / "z")
    with pytest.raises(DataError, match="share no document"):
        da.sensitivity(folder / "tidy", tmp_path / "z")
    da.score(GOLD, GOLD, metrics=["entity"], out=tmp_path / "entity")
    with pytest.raises(DataError, match="not every run has"):
        da.sensitivity(folder / "tidy", tmp_path / "entity")
    with pytest.raises(UnknownName):
        da.sensitivity(folder / "tidy", score="aligend")
    with pytest.raises(ConfigurationError, match="neither"):
        da.sensitivity(folder / "tidy", score="kieval.fp")
    with pytest.raises(ConfigurationError, match="no run is named"):
        find_sensitivity([])
    with pytest.raises(DataError, match="is gone"):
        da.sensitivity(tmp_path / "z")


def test_inputs_that_have_changed_are_refused(folder: Path, tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text((folder / "gold.jsonl").read_text())
    pred.write_text((folder / "near.jsonl").read_text())
    da.score(gold, pred, metrics=["kieval"], types="text", out=tmp_path / "run")
    study = da.sensitivity(tmp_path / "run", gold=folder / "gold.jsonl")
    guess = line_of(study, "guessed from gold")
    assert guess.values == (scored(folder, "near", None),)
    assert guess.winner == 0
    pred.write_text((folder / "bad.jsonl").read_text())
    with pytest.raises(DataError, match="has changed since"):
        da.sensitivity(tmp_path / "run")


@given(values=st.lists(st.one_of(st.none(), st.integers(0, 4)), max_size=6), lower=st.booleans())
def test_a_rank_counts_the_better_ones(values: list[int | None], *, lower: bool) -> None:
    places = rank(values, lower=lower)
    for value, place in zip(values, places, strict=True):
        if value is None:
            assert place is None
        else:
            others = [other for other in values if other is not None]
            better = [other for other in others if (other < value if lower else other > value)]
            assert place == len(better) + 1


def test_the_order_of_runs_changes_no_number(folder: Path) -> None:
    orders = (("tidy", "near", "bad"), ("bad", "tidy", "near"))
    first, second = [
        {
            (line.kind, line.label): dict(zip(order, line.values, strict=True))
            for line in da.sensitivity(
                *(folder / name for name in order), limit=5, score="aligned@total"
            ).lines
        }
        for order in orders
    ]
    assert first == second


def plan_of(**changes: object) -> Plan:
    return make_plan(schema=load_schema({**SCHEMA, **changes}), metrics=["kieval"])


def every(plan: Plan, metric: str = "kieval") -> dict[str, Plan]:
    changes: list[Variation] = [*variations(metric, lambda: list(GOLD.values()))]
    return {f"{each.kind}: {each.label}": each.change(plan) for each in changes}


def test_every_variation_gives_a_plan_that_works_and_changes_one_thing() -> None:
    plan = plan_of(rules=[])
    assert plan.schema is not None
    changed = {label: other for label, other in every(plan).items() if other != plan}
    assert len(changed) == len(
        {other.to_json() + other.display_json() for other in changed.values()}
    )
    for label, other in changed.items():
        bind(other)
        assert other.schema is not None
        attributes = [
            name
            for name in Schema.__dataclass_fields__
            if getattr(other.schema, name) != getattr(plan.schema, name)
        ]
        options = [*bind(other).metrics] != [*bind(plan).metrics]
        assert (
            (not attributes)
            if options
            else {*attributes} <= {"fields", "groups"} or (len(attributes) == 1)
        ), label


def test_nested_groups_and_sections_are_changed_where_they_have_rows() -> None:
    inner = GroupSpec("a.b", fields=(Field("a.b.c", "money"),))
    section = GroupSpec("s", section=True, groups=(inner,))
    plan = Plan((), Schema(groups=(GroupSpec("a", groups=(inner,)), section)))
    other = every(plan)["rows: in order"].schema
    assert other is not None
    outer, part = other.groups
    assert (outer.match, outer.groups[0].match) == ("order", "order")
    assert (part.match, part.groups[0].match) == ("best", "order")
    deep = every(plan)["tolerance: numbers within 1 %"].schema
    assert deep is not None
    assert deep.groups[0].groups[0].fields[0].options == {"relative": 0.01}


def test_own_schemas_of_documents_are_changed_too() -> None:
    schema = load_schema(SCHEMA)
    plan = replace(plan_of(), schemas={"one": schema})
    other = every(plan)["dates: month-first"]
    assert other.schemas["one"].dates == "month-first"
    assert every(plan)["types: guessed from gold"] == plan


def test_a_plan_without_a_schema_has_only_types_and_options() -> None:
    plan = make_plan(metrics=["kieval"])
    changed = [label for label, other in every(plan).items() if other != plan]
    assert changed == ["types: guessed from gold", "option: kieval.flatten=true"]


def test_options_are_found_by_their_kind_and_by_what_metrics_declare() -> None:
    plan = make_plan(schema=load_schema({**SCHEMA, "rules": []}), metrics=["fields"])
    labels = [label for label, other in every(plan, "fields").items() if other != plan]
    options = [label.removeprefix(f"{OPTION}: ") for label in labels if label.startswith(OPTION)]
    assert "fields.count_absent=true" in options
    assert "fields.item_similarity=0.75" in options
    assert "fields.method=anls" in options
    assert "fields.method=auto" not in options
    told = make_plan(
        schema=load_schema(SCHEMA), metrics=["fields"], settings={"fields.method": "anls"}
    )
    assert every(told, "fields")["option: fields.method=anls"] == told
    assert every(told, "fields")["option: fields.method=auto"] != told


def test_declared_alternatives_are_options_that_work() -> None:
    for entry in METRICS.entries():
        for option, values in entry.alternatives.items():
            assert option in entry.options, (entry.name, option)
            for value in values:
                bind(make_plan(metrics=[entry.name], settings={f"{entry.name}.{option}": value}))


def test_an_option_of_display_needs_no_scoring_again(folder: Path, tmp_path: Path) -> None:
    da.score(folder / "gold.jsonl", folder / "near.jsonl", metrics=["hybrid"], out=tmp_path / "run")
    study = da.sensitivity(tmp_path / "run", score="hybrid.score")
    plan = read_ledger(tmp_path / "run").header.plan
    needed = [
        label for label, other in every(plan, "hybrid").items() if other.to_json() != plan.to_json()
    ]
    assert study.rescorings == len(needed)
    report = da.score(
        folder / "gold.jsonl",
        folder / "near.jsonl",
        metrics=["hybrid"],
        settings={"hybrid.weight": 0.25},
    )
    assert line_of(study, "hybrid.weight=0.25").values == (report["hybrid.score"].value,)
