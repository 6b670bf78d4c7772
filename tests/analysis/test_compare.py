"""Comparisons: verdicts, corrections for many tests, winners, documents and causes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.analysis import compare as module
from docassay.analysis.compare import compare_runs, holm
from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.model.comparison import BROKEN, FIXED, Comparison
from docassay.run.ledger import Ledger
from docassay.run.reopen import NamedRun
from tests.analysis.paired_corpus import ledger, named

FEW_DRAWS = 1_000


def compared(*runs: Ledger, **options: object) -> Comparison:
    return compare_runs(named(*runs), draws=FEW_DRAWS, **options)  # type: ignore[arg-type]


BAD, GOOD = ["a", "b", "ab", ""] * 15, ["", "", "a", ""] * 15


def test_a_run_with_fewer_errors_is_better_and_the_other_way_round_worse() -> None:
    better, worse = compared(ledger(BAD), ledger(GOOD)), compared(ledger(GOOD), ledger(BAD))
    ((there,), (back,)) = (each["kieval.aligned"].differences for each in (better, worse))
    assert (there.verdict, back.verdict) == ("better", "worse")
    assert (there.run, back.run) == (1, 1)
    assert there.value == pytest.approx(45 / 240)
    assert back.value == -there.value
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert better["kieval.aligned"].winner == 1
    assert worse["kieval.aligned"].winner == 0


def test_where_less_is_better_a_fall_is_better() -> None:
    comparison = compared(ledger(BAD), ledger(GOOD))
    (difference,) = comparison["kieval.corrections"].differences
    assert (difference.value, difference.verdict) == (-45, "better")
    assert comparison["kieval.corrections"].winner == 1


def test_what_has_no_direction_has_a_difference_and_no_verdict() -> None:
    score = compared(ledger(BAD), ledger(GOOD))["kieval.fp"]
    assert score.differences == ((1, -45, None, None, None, None, None),)
    assert score.winner is None


@pytest.mark.parametrize(
    ("margin", "verdict"),
    [(0.0, "tied"), (0.02, "tied"), (0.05, "equivalent"), (1.0, "equivalent")],
)
def test_runs_are_equivalent_where_the_narrow_interval_lies_within_the_margin(
    margin: float, verdict: str
) -> None:
    first, second = ["a", "", "", "b"] * 15, ["", "a", "", "b"] * 15
    comparison = compared(ledger(first), ledger(second), margin=margin)
    (difference,) = comparison["aligned"].differences
    assert (difference.value, difference.verdict) == (0, verdict)
    assert comparison["aligned"].winner is None


def test_both_ends_of_the_narrow_interval_lie_within_the_margin() -> None:
    some, none = ledger(["a", "b", *[""] * 58]), ledger([""] * 60)
    for runs in ((some, none), (none, some)):
        (difference,) = compared(*runs)["aligned"].differences
        assert abs(difference.value or 0) < 0.01
        assert difference.verdict == "tied"
        (wider,) = compared(*runs, margin=0.05)["aligned"].differences
        assert wider.verdict == "equivalent"


def test_a_difference_counts_up_to_alpha_and_no_further() -> None:
    # the first four documents differ alike: 2 of 16 ways to swap them part the runs as far
    first, second = ledger(["a"] * 4 + [""] * 8), ledger([""] * 12)
    for alpha, verdict in ((0.125, "better"), (0.1249, "tied")):
        comparison = compared(first, second, alpha=alpha)
        (difference,) = comparison["aligned"].differences
        assert (difference.p, difference.p_adjusted) == (0.125, 0.125)
        assert difference.verdict == verdict
        assert [place.place for place in comparison.standings] == [1, 2 if alpha == 0.125 else 1]


def test_a_score_without_a_test_has_no_winner() -> None:
    runs = [ledger(own, metrics=["effort"]) for own in (["a"] * 6, ["b"] * 2 + [""] * 4)]
    score = compared(*runs)["effort.worst_field_hours_per_1000"]
    assert score.differences[0].p is None
    assert (score.differences[0].value or 0) < 0
    assert score.winner is None


# --- corrections for many tests -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "corrected"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.4, 0.01], [0.8, 0.8, 0.03]),
        ([0.02, 0.02], [0.04, 0.04]),
    ],
)
def test_holm_by_hand(values: list[float], corrected: list[float]) -> None:
    assert holm(values) == pytest.approx(corrected)


@given(values=st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_is_never_below_p(values: list[float]) -> None:
    corrected = holm(values)
    assert all(p <= q <= 1 for p, q in zip(values, corrected, strict=True))
    order = sorted(range(len(values)), key=lambda at: values[at])
    assert [corrected[at] for at in order] == sorted(corrected)


def test_scores_are_corrected_with_those_they_belong_to() -> None:
    tags = [{"vendor": "xy"[number % 2], "year": "89"[number % 3 > 0]} for number in range(60)]
    runs = [ledger(own, metrics=["kieval", "entity"], tags=tags) for own in (BAD, GOOD)]
    comparison = compared(*runs, by=["vendor", "year"])
    families: dict[object, list[tuple[float, float]]] = {}
    for entry in comparison.scores:
        (difference,) = entry.differences
        if difference.p is None or difference.p_adjusted is None:
            continue
        score = entry.score
        family: object = "overall"
        if score.address == "kieval.aligned":
            family = "headline"
        elif score.key or score.slice:
            family = (score.name, score.slice.partition("=")[0])
        families.setdefault(family, []).append((difference.p, difference.p_adjusted))
    assert len(families["headline"]) == 1
    assert {("kieval.aligned", ""), ("kieval.aligned", "vendor"), "overall"} <= {*families}
    assert len(families["kieval.aligned", ""]) == 4
    assert len(families["kieval.aligned", "vendor"]) == 2
    for tests in families.values():
        assert holm([p for p, _ in tests]) == [adjusted for _, adjusted in tests]


# --- several runs -------------------------------------------------------------------------------


def test_all_runs_are_compared_with_the_one_asked_for() -> None:
    comparison = compared(ledger(BAD), ledger(GOOD), ledger([""] * 60), against=1)
    first, last = comparison["aligned"].differences
    assert (first.run, first.verdict) == (0, "worse")
    assert (last.run, last.verdict) == (2, "better")
    assert comparison["aligned"].winner == 2
    assert comparison.against == 1


@pytest.mark.parametrize("most", [15, 0], ids=["every score", "the headline only"])
def test_runs_that_no_test_tells_apart_share_a_place(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_FULL_PAIRS", most)
    like_good = ["", "a", "", ""] * 15
    comparison = compared(ledger(BAD), ledger(GOOD), ledger(like_good), ledger(["-"] * 60))
    places = [(place.run, place.place, place.tied) for place in comparison.standings]
    assert places == [(1, 1, (2,)), (2, 1, (1,)), (0, 3, ()), (3, 4, ())]
    assert comparison["aligned"].winner is None


def test_a_place_is_one_more_than_the_runs_that_are_better() -> None:
    # the middle run cannot be told from either of the others, which differ
    answers = ["a" if number < bad else "" for number in range(60) for bad in (12, 7, 2)]
    runs = [ledger(answers[at::3]) for at in range(3)]
    comparison = compared(*runs)
    places = [(place.run, place.place, place.tied) for place in comparison.standings]
    assert places == [(2, 1, (1,)), (1, 1, (2, 0)), (0, 2, (1,))]


def test_the_leaderboard_corrects_for_all_pairs() -> None:
    # 2 of 64 ways to swap six documents: p = 0.03125 alone, and three times that among three pairs
    wrong = ledger(["a"] * 6 + [""] * 20)
    right, twin = ledger([""] * 26), ledger([""] * 26)
    assert [place.place for place in compared(wrong, right).standings] == [1, 2]
    assert [place.place for place in compared(wrong, right, twin).standings] == [1, 1, 1]


def test_a_run_without_the_headline_score_has_no_place() -> None:
    empty = ledger(["-"] * 6, metrics=["vrdu"])
    other = ledger([""] * 6, metrics=["vrdu"])
    comparison = compared(empty, other)
    assert comparison.headline == "vrdu.micro_f1"
    assert [place.run for place in comparison.standings] == [1, 0]


# --- documents ----------------------------------------------------------------------------------


def test_documents_are_listed_with_the_largest_changes_first() -> None:
    first, second = ["", "a", "a", "ab", "a"], ["abc", "a", "", "", "b"]
    runs = [
        NamedRun("one", ledger(first), Path("one run")),
        NamedRun("other", ledger(second), Path("-other")),
        NamedRun("memory", ledger(second)),
    ]
    documents = compare_runs(runs, draws=FEW_DRAWS).documents
    assert [(each.id, each.change) for each in documents] == [
        ("d000", -0.75),
        ("d003", 0.5),
        ("d002", 0.25),
    ]
    broken = documents[0]
    assert broken.values == (1, 0.25, 0.25)
    assert broken.states == ("", BROKEN, BROKEN)
    assert documents[1].states == ("", FIXED, FIXED)
    assert broken.commands == (
        "docassay explain 'one run' d000",
        "docassay explain -- -other d000",
        "",
    )


def test_a_document_that_one_run_has_nothing_of_is_listed() -> None:
    first, second = ledger([""], metrics=["vrdu"]), ledger(["-"], metrics=["vrdu"])
    (document,) = compared(first, second).documents
    assert (document.values, document.change) == ((1, 0), -1)
    assert document.states == ("", ""), "vrdu does not say what is fully correct"


# --- causes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("metrics", [None, ["fields", "causes"]], ids=["aligned", "accuracy"])
def test_what_causes_contribute_adds_up_to_the_difference(metrics: list[str] | None) -> None:
    answers = [("a", "", "-", "bcd"), ("", "-", "a", ""), ("ab", "-", "-", "c")]
    runs = [ledger([*own] * 3, metrics=metrics) for own in answers]
    comparison = compared(*runs, against=1)
    assert comparison.headline == ("fields.overall_accuracy" if metrics else "kieval.aligned")
    differences = comparison[comparison.headline].differences
    for at, difference in enumerate(differences):
        contributed = sum(cause.differences[at] for cause in comparison.causes)
        assert contributed == pytest.approx(difference.value, abs=1e-9)
    sizes = [max(map(abs, cause.differences)) for cause in comparison.causes]
    assert sizes == sorted(sizes, reverse=True)
    assert all(len(cause.values) == len(cause.gains) == 3 for cause in comparison.causes)


def test_wrong_values_are_counted_by_cause_in_each_run() -> None:
    comparison = compared(*(ledger(own, metrics=None) for own in (["-", "", "a"], ["", "", "ab"])))
    missing = comparison.causes[0]
    assert missing.values == (4, 0)
    assert missing.differences == (pytest.approx(4 / 12),)
    assert missing.gains == (pytest.approx(4 / 12), 0)


# --- what the runs have in common ---------------------------------------------------------------


def test_documents_that_only_some_runs_have_are_left_out_and_counted() -> None:
    more, fewer = ledger(["a", "", "b", ""]), ledger(["a", ""])
    assert compared(fewer, more).documents_compared == 2
    comparison = compared(more, fewer)
    assert comparison.documents_compared == 2
    assert [run.documents for run in comparison.runs] == [4, 2]
    assert comparison["aligned"].values == (7 / 8, 7 / 8)
    assert comparison.notes[:2] == (
        "2 documents of A left out: not all runs have scored them",
        "2 of 4 documents compared",
    )


def test_metrics_that_only_some_runs_have_are_left_out_and_said() -> None:
    comparison = compared(ledger(["a"], metrics=["kieval", "entity"]), ledger(["a"]))
    assert {entry.score.metric for entry in comparison.scores} == {"kieval"}
    assert "entity is not compared: only A measured it" in comparison.notes


def test_metrics_can_be_chosen_and_causes_stay() -> None:
    comparison = compared(*[ledger(["a", "-"], metrics=None)] * 2, metrics=["kieval"])
    assert {entry.score.metric for entry in comparison.scores} == {"kieval"}
    assert comparison.causes


def with_plan(run: Ledger, **changes: object) -> Ledger:
    from dataclasses import replace

    plan = replace(run.header.plan, **changes)  # type: ignore[arg-type]
    return Ledger(run.header._replace(plan=plan), run.rows)


def with_signature(run: Ledger, old: str, new: str) -> Ledger:
    signature = run.header.signature.replace(old, new)
    assert signature != run.header.signature
    return Ledger(run.header._replace(signature=signature), run.rows)


def with_gold(run: Ledger, *ids: str) -> Ledger:
    rows = [
        row._replace(digest=f"0-{row.digest.partition('-')[2]}") if row.id in ids else row
        for row in run.rows
    ]
    return Ledger(run.header, tuple(rows))


RUN = ledger(["a", "b", "", ""])
OTHER = ledger(["", "b", "", ""])
TYPED = ledger(["", "b", "", ""], types="auto")
REFUSED = [
    pytest.param(RUN, with_gold(OTHER, "d001"), ["gold differs in 1 of 4", "'d001'"], id="gold"),
    pytest.param(RUN, TYPED, ["as text", "by types guessed from gold"], id="types"),
    pytest.param(RUN, with_plan(OTHER, ignore=("b",)), ["--ignore are nothing and b"], id="ignore"),
    pytest.param(
        RUN,
        ledger(["", "b", "", ""], settings={"kieval.flatten": True}),
        ["kieval.flatten is False and True"],
        id="option",
    ),
    pytest.param(
        RUN,
        with_signature(OTHER, "kieval.1", "kieval.7"),
        ["metric kieval has version 1 and 7"],
        id="version",
    ),
    pytest.param(RUN, ledger([""], metrics=["entity"]), ["no metric in common"], id="metrics"),
    pytest.param(
        RUN,
        Ledger(OTHER.header, tuple(row._replace(id=f"x{row.id}") for row in OTHER.rows)),
        ["no document in common", "A has 4 documents (such as 'd000')"],
        id="documents",
    ),
]


@pytest.mark.parametrize(("first", "second", "reasons"), REFUSED)
def test_what_is_not_comparable_is_refused_and_what_differs_is_said(
    first: Ledger, second: Ledger, reasons: list[str]
) -> None:
    for runs in ((first, second), (first, first, second)):
        with pytest.raises(DataError) as caught:
            compared(*runs)
        for reason in reasons:
            assert reason in caught.value.what
        assert caught.value.hint


def test_the_remedy_for_other_gold_names_the_gold_of_the_first_run() -> None:
    from docassay.run.ledger import InputRecord

    record = InputRecord("my gold.jsonl", "/data/my gold.jsonl", "jsonl", "0")
    first = Ledger(RUN.header._replace(inputs={"gold": record}), RUN.rows)
    with pytest.raises(DataError, match="cannot be compared") as caught:
        compared(first, with_gold(OTHER, "d001"))
    assert "--rescore --gold 'my gold.jsonl'" in (caught.value.hint or "")
    with pytest.raises(DataError) as caught:
        compared(RUN, TYPED)
    assert "--schema FILE" in (caught.value.hint or "")


def test_runs_by_types_guessed_from_the_same_gold_are_compared() -> None:
    comparison = compared(TYPED, ledger(["a", "", "", ""], types="auto"))
    assert comparison.documents_compared == 4


def schemas(first: object, second: object) -> tuple[Ledger, Ledger]:
    from docassay.schema.source import load_schema

    one, other = (load_schema(each) for each in (first, second))
    return with_plan(RUN, schema=one), with_plan(OTHER, schema=other)


FIVE = {name: {"type": "money"} for name in "abcde"}


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ({"a": "money"}, {"a": "date"}, "a is money and date"),
        ({"a": "money"}, {"a": {"type": "money", "relative": 0.1}}, "a has other options"),
        ({"a": "money"}, {"a": "money", "b": "id"}, "only the second schema names b"),
        ({"a": "money", "b": "id"}, {"a": "money"}, "only the first schema names b"),
        (FIVE, {name: "date" for name in "abcde"}, "and 2 more fields"),
    ],
)
def test_what_schemas_say_differently_is_named(
    first: dict[str, object], second: dict[str, object], reason: str
) -> None:
    with pytest.raises(DataError, match="cannot be compared") as caught:
        compared(*schemas({"fields": first}, {"fields": second}))
    assert reason in caught.value.what


def test_other_parts_of_schemas_are_named_too() -> None:
    fields = {"a": "money"}
    with pytest.raises(DataError, match="the schemas differ in absent"):
        compared(*schemas({"fields": fields}, {"fields": fields, "absent": ["-"]}))
    with pytest.raises(DataError, match="the schemas differ in their groups or names"):
        compared(*schemas({"fields": fields}, {"fields": fields, "name": "other"}))


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": 0.0},
        {"alpha": 1.0},
        {"margin": -0.1},
        {"margin": float("nan")},
        {"against": 2},
        {"against": -1},
    ],
)
def test_options_that_cannot_work_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        compared(RUN, OTHER, **options)
    with pytest.raises(ConfigurationError, match="0 draws"):
        compare_runs(named(RUN, OTHER), draws=0)
    with pytest.raises(ConfigurationError, match="two runs or more"):
        compared(RUN)


def test_a_metric_that_a_run_lacks_is_refused_with_the_remedy() -> None:
    with pytest.raises(DataError, match="'ner' was not measured") as caught:
        compared(RUN, OTHER, metrics=["ner"])
    assert "--rescore" in (caught.value.hint or "")


# --- slices, notes and what predictions cost ----------------------------------------------------


def test_slices_are_compared_on_their_own_documents() -> None:
    tags = [{"vendor": name} for name in ("x", "x", "y", "y")]
    comparison = compared(
        ledger(["a", "", "", ""], tags=tags), ledger(["", "", "", "b"], tags=tags), by="vendor"
    )
    assert comparison["aligned[vendor=x]"].values == (7 / 8, 1)
    assert comparison["aligned[vendor=y]"].values == (1, 7 / 8)
    (difference,) = comparison["aligned[vendor=x]"].differences
    assert difference.p == 1, "one document differs: both ways to swap it part the runs as far"


def test_notes_say_what_limits_a_comparison() -> None:
    comparison = compared(RUN, OTHER, by="vendor", cluster="template")
    assert comparison.notes[:3] == (
        "no document has a vendor: there is one slice, vendor=(none)",
        "no document has a template: documents are drawn and swapped one by one",
        "4 documents: too few for intervals of differences",
    )
    tags = [{"template": name} for name in "xxyz"]
    clustered = compared(*(ledger(["", "a", "", ""], tags=tags),) * 2, cluster="template")
    assert "documents are drawn and swapped by template: 3 clusters" in clustered.notes
    assert any("one more document" in note for note in compared(*[ledger([""] * 49)] * 2).notes)
    assert not any("document" in note for note in compared(*[ledger([""] * 50)] * 2).notes)


def alone(answers: list[dict[str, str]]) -> Ledger:
    """A run that measures predictions without gold."""
    report = da.score(None, {f"d{at}": answer for at, answer in enumerate(answers)})
    assert report.ledger is not None
    return report.ledger


def test_runs_without_gold_are_compared_with_each_other_alone() -> None:
    run = alone([{"total": "$1"}, {"total": "$2"}])
    comparison = compared(run, run)
    assert comparison["valid.parsed"].values == (1, 1)
    assert not any("causes" in note for note in comparison.notes)
    with pytest.raises(DataError, match="cannot be compared: B measured predictions without gold"):
        compared(RUN, run)


def test_times_tokens_and_costs_are_those_of_the_documents_compared() -> None:
    rows = [
        row._replace(meta={"cost": 1.0 + at, "tokens": 100.0}) for at, row in enumerate(RUN.rows)
    ]
    comparison = compared(Ledger(RUN.header, tuple(rows)), Ledger(OTHER.header, OTHER.rows[:2]))
    first, second = comparison.runs
    assert first.spreads["cost"]["mean"] == 1.5
    assert {*first.spreads} == {"cost", "tokens"}
    assert second.spreads == {}


def test_the_same_seed_gives_the_same_comparison() -> None:
    first, second = ledger(BAD), ledger(GOOD)
    one, other = compared(first, second, seed=3), compared(first, second, seed=3)
    assert one.scores == other.scores
    assert one.scores != compared(first, second, seed=4).scores


def test_a_score_is_asked_for_by_its_address_or_short_name() -> None:
    comparison = compared(RUN, OTHER)
    assert comparison["aligned@a"] is comparison["kieval.aligned@a"]
    with pytest.raises(UnknownName, match="alinged"):
        comparison["alinged"]


def test_a_comparison_is_shown_by_its_headline() -> None:
    assert repr(compared(RUN, OTHER)).splitlines() == [
        "kieval.aligned over 4 documents",
        "A: 0.875 (compared with)",
        "B: 0.9375 (tied, +0.0625)",
    ]
