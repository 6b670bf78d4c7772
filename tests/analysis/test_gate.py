"""The gate: what fails, what passes, and that nothing passes in silence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import docassay as da
from docassay.analysis import gate_evidence as module
from docassay.errors import ConfigurationError, DataError, RequirementError, UnknownName
from docassay.model.gate import FAILED, PASSED, UNTESTED, Gate, GateCheck

SCHEMA = {
    "types": {
        "bill": {"fields": ["kind", "total", "date", "note", "extra"]},
        "slip": {"fields": ["kind", "total", "date", "extra"]},
    },
    "type_field": "kind",
    "fields": {name: {"type": "text"} for name in ("kind", "total", "date", "note", "extra")},
}
METRICS = ["kieval"]
Tree = dict[str, str]


def gold(documents: int) -> dict[str, Tree]:
    """Half of the documents are bills; three of them have a note."""
    trees: dict[str, Tree] = {}
    for number in range(documents):
        kind = "slip" if number % 2 else "bill"
        tree = {"kind": kind, "total": f"{number}.50", "date": f"{number} May"}
        trees[f"doc-{number:02}"] = {**tree, "note": "paid"} if number in (0, 2, 4) else tree
    return trees


def scored(
    documents: int = 20,
    *,
    metrics: Sequence[str] = METRICS,
    out: Path | None = None,
    **wrong: object,
) -> da.Report:
    """Return the report of predictions in which fields are wrong in some documents."""
    trees = gold(documents)
    pred = {id: dict(tree) for id, tree in trees.items()}
    for field, places in wrong.items():
        for place in places:
            pred[f"doc-{place:02}"][field] = "wrong"
    return da.score(trees, pred, schema=SCHEMA, metrics=[*metrics], out=out)


DRAWS = 400


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw less often, which decides nothing here and takes a fraction of the time."""
    monkeypatch.setattr(module, "DRAWS", DRAWS)


@pytest.fixture(scope="module")
def right() -> da.Report:
    return scored()


@pytest.fixture(scope="module")
def worse() -> da.Report:
    """Twelve totals are wrong, and one date."""
    return scored(total=range(12), date=[19])


def only(gate: Gate) -> GateCheck:
    (result,) = gate.results
    (check,) = result.checks
    return check


def states(gate: Gate) -> dict[str, str]:
    return {check.address: check.state for result in gate.results for check in result.checks}


# --- no regression ------------------------------------------------------------------------------


def test_a_significant_drop_fails_with_all_that_is_known_of_it(
    right: da.Report, worse: da.Report
) -> None:
    gate = da.gate(worse, baseline=right, rules=["no_regression"])
    check = only(gate)
    assert not gate.passed
    assert not gate
    assert gate.failures == (check,)
    assert (check.address, check.state, check.baseline) == ("kieval.aligned", FAILED, 1.0)
    assert check.value == worse["aligned"].value
    assert check.difference == pytest.approx(-13 / 63)
    assert check.low is not None
    assert check.low < check.difference < (check.high or 0) < 0
    compared = da.compare(right, worse, draws=DRAWS)
    (entry,) = (each for each in compared.scores if each.score.address == "kieval.aligned")
    assert (check.p, check.p_adjusted) == entry.differences[0][4:6]
    assert check.why == (
        f"1.0000 → 0.7937, -0.2063 [{check.low:+.4f}, {check.high:+.4f}], p = 0.002: "
        "worse by 0.2063, allowed is 0.01"
    )


def test_all_fields_are_held_to_what_they_were(right: da.Report, worse: da.Report) -> None:
    rules = {"no_regression": {"scores": ["aligned", "aligned@*"]}}
    gate = da.gate(worse, baseline=right, rules=rules)
    assert states(gate) == {
        "kieval.aligned": FAILED,
        "kieval.aligned@date": PASSED,
        "kieval.aligned@kind": PASSED,
        "kieval.aligned@note": PASSED,
        "kieval.aligned@total": FAILED,
    }
    date = gate.results[0].checks[1]
    assert date.why.endswith("p = 1.000: worse by 0.0500, which may be chance")
    assert date.explain == ""
    total = gate.results[0].checks[4]
    fields = {
        entry.score.key: entry.differences[0].p_adjusted
        for entry in da.compare(right, worse, draws=DRAWS).scores
        if entry.score.name == "kieval.aligned"
    }
    assert total.p_adjusted == fields["total"]


def test_what_became_better_passes(right: da.Report, worse: da.Report) -> None:
    gate = da.gate(right, baseline=worse, rules=["no_regression", "non_inferior"])
    assert gate.passed
    assert gate.failures == ()
    assert gate.raise_if_failed() is gate


def test_a_drop_of_just_what_is_allowed_passes_however_sure() -> None:
    """0.8 - 0.7 is more than 0.1 in floating point."""
    documents = 60
    gold_trees = {str(at): {f"f{field}": "x" for field in range(10)} for at in range(documents)}

    def with_wrong(fields: int) -> da.Report:
        pred = {
            id: {**tree, **{f"f{field}": "y" for field in range(fields)}}
            for id, tree in gold_trees.items()
        }
        return da.score(gold_trees, pred, metrics=["kieval"], types="text")

    earlier, later = with_wrong(2), with_wrong(3)
    rule = {"no_regression": {"scores": ["aligned"], "max_drop": 0.1}}
    check = only(da.gate(later, baseline=earlier, rules=rule))
    assert check.difference is not None
    assert -check.difference > 0.1
    assert (check.state, check.p) == (PASSED, pytest.approx(0, abs=0.01))
    assert not da.gate(later, baseline=earlier, rules="no_regression", max_drop=0.099)


def test_where_less_is_better_a_rise_is_a_drop(right: da.Report, worse: da.Report) -> None:
    scores = ["corrections"]
    rise = da.gate(
        worse, baseline=right, rules={"no_regression": {"scores": scores, "max_drop": 5}}
    )
    assert only(rise).why.endswith("worse by 13.0000, allowed is 5")
    assert da.gate(right, baseline=worse, rules={"no_regression": {"scores": scores}})
    loose = {"non_inferior": {"scores": scores, "margin": 1}}
    assert only(da.gate(worse, baseline=right, rules=loose)).state == FAILED
    assert da.gate(right, baseline=worse, rules=loose)


def test_the_level_decides_what_is_significant(right: da.Report) -> None:
    slightly = scored(total=range(5))
    rules = [{"no_regression": {"alpha": alpha}} for alpha in (0.05, 0.1)]
    strict, lax = da.gate(slightly, baseline=right, rules=rules).results
    assert (strict.checks[0].p, lax.checks[0].p) == (0.0625, 0.0625)
    assert (strict.passed, lax.passed) == (True, False)


def test_too_few_documents_fail_where_the_score_is_named() -> None:
    few = 4
    gate = da.gate(scored(few, total=range(few)), baseline=scored(few))
    why = only(gate).why
    assert why.endswith("worse by 0.2857, and 4 documents cannot tell whether that is chance")
    assert only(gate).state == FAILED
    assert da.gate(scored(few), baseline=scored(few, total=range(few)))


def test_a_field_of_few_documents_is_set_aside_among_all_fields_and_fails_by_name(
    right: da.Report,
) -> None:
    noted = scored(note=[0, 2, 4])
    rules = [{"no_regression": {"scores": [name]}} for name in ("aligned@*", "aligned@note")]
    every, named = da.gate(noted, baseline=right, rules=rules).results
    assert {check.address: check.state for check in every.checks}["kieval.aligned@note"] == UNTESTED
    assert every.passed
    assert every.of(UNTESTED)[0].why.endswith("3 documents cannot tell whether that is chance")
    assert not named.passed


def test_where_nothing_could_be_tested_nothing_passes(right: da.Report) -> None:
    noted = scored(note=[0, 2, 4])
    rules = {"no_regression": {"scores": ["aligned@no*"]}}
    gate = da.gate(noted, baseline=right, rules=rules)
    assert states(gate) == {"kieval.aligned@note": FAILED}


def test_what_is_undefined_fails_by_name_and_is_set_aside_among_all(right: da.Report) -> None:
    invented = scored(extra=[3])
    names = ("aligned@*", "kieval.aligned@extra", "group_f1")
    rules = [{"no_regression": {"scores": [name]}} for name in names]
    every, named, groups = da.gate(invented, baseline=right, rules=rules).results
    extra = next(check for check in every.checks if check.address == "kieval.aligned@extra")
    assert (extra.state, extra.why) == (UNTESTED, "undefined in the baseline, nothing to compare")
    assert every.passed
    assert not named.passed
    assert groups.checks[0].state == FAILED
    assert groups.checks[0].why == "undefined in both runs, nothing was counted"
    # gold has no such value: that the run no longer invents it is no loss
    back = da.gate(right, baseline=invented, rules=rules[0])
    assert states(back)["kieval.aligned@extra"] == UNTESTED
    assert back.passed


def test_a_score_that_only_one_run_has_is_not_compared(right: da.Report) -> None:
    narrow, both = scored(metrics=["entity"]), scored(metrics=["entity", "kieval"])
    rules = {"no_regression": {"scores": ["aligned"]}}
    check = only(da.gate(both, baseline=narrow, rules=rules))
    assert check.state == FAILED
    assert check.why.startswith("not compared: ")
    with pytest.raises(ConfigurationError, match="unknown score 'aligned'"):
        da.gate(narrow, baseline=right, rules=rules)


# --- non-inferiority, newly broken, bounds ------------------------------------------------------


def test_non_inferiority_needs_the_interval_above_the_margin(right: da.Report) -> None:
    slightly = scored(60, date=[3])
    same = scored(60)
    rules = [{"non_inferior": {"margin": margin}} for margin in (0.001, 0.03)]
    tight, wide = da.gate(slightly, baseline=same, rules=rules).results
    low = tight.checks[0].low
    assert low is not None
    assert 0.001 < -low < 0.03
    assert tight.checks[0].why.endswith(f"it may be worse by {-low:.4f}, the margin is 0.001")
    assert (tight.passed, wide.passed) == (False, True)
    few = da.gate(scored(4), baseline=scored(4), rules="non_inferior")
    assert only(few).why.endswith("and too few documents to be sure")
    assert not few


@pytest.mark.parametrize(
    ("rule", "passed"),
    [("newly_broken <= 13", True), ("newly_broken < 13", False), ("newly_broken == 0", False)],
)
def test_newly_broken_documents_are_counted(
    right: da.Report, worse: da.Report, rule: str, passed: bool
) -> None:
    gate = da.gate(worse, baseline=right, rules=rule)
    check = only(gate)
    assert (gate.passed, check.value, len(gate.newly_broken)) == (passed, 13, 13)
    assert check.why == "13 documents" + ("" if passed else " (doc-01, doc-03, doc-05, …)")
    assert da.gate(right, baseline=worse, rules="newly_broken == 0")


def test_newly_broken_is_unknown_where_no_metric_says_what_is_correct() -> None:
    runs = [scored(metrics=["entity"], total=wrong) for wrong in ([], [1])]
    check = only(da.gate(runs[1], baseline=runs[0], rules="newly_broken <= 5"))
    assert (check.state, check.value) == (FAILED, None)
    assert check.why.startswith("unknown: ")


def test_bounds_need_no_baseline(worse: da.Report) -> None:
    gate = da.gate(worse, rules=["aligned >= 0.5", "aligned@* >= 0.9", "group_f1 >= 0.1"])
    assert (gate.baseline, gate.documents_compared) == (None, None)
    whole, fields, groups = gate.results
    assert whole.passed
    assert [check.address for check in fields.of(FAILED)] == ["kieval.aligned@total"]
    low, high = worse["aligned@total"].low, worse["aligned@total"].high
    assert fields.of(FAILED)[0].why == f"it is 0.4000 [{low:.3f}, {high:.3f}], and must be >= 0.9"
    assert groups.checks[0].why == "it is undefined, nothing was counted, and must be >= 0.1"
    assert not groups.passed


# --- slices -------------------------------------------------------------------------------------


def test_slices_are_held_apart_and_so_are_their_fields(right: da.Report) -> None:
    bills = scored(total=range(0, 20, 2))
    rules = [
        {"no_regression": {"scores": [name]}}
        for name in ("aligned[type=*]", "aligned@*[type=*]", "aligned@total[type=slip]")
    ]
    whole, fields, slips = da.gate(bills, baseline=right, rules=rules).results
    assert {check.address: check.state for check in whole.checks} == {
        "kieval.aligned[type=bill]": FAILED,
        "kieval.aligned[type=slip]": PASSED,
    }
    compared = {
        entry.score.address: entry.differences[0]
        for entry in da.compare(right, bills, draws=DRAWS).scores
    }
    tested = compared["kieval.aligned[type=bill]"]
    assert (whole.checks[0].p_adjusted, whole.checks[0].low) == (tested.p_adjusted, tested.low)
    assert [check.address for check in fields.of(FAILED)] == ["kieval.aligned@total[type=bill]"]
    assert fields.of(FAILED)[0].value == 0
    assert len(fields.checks) == 7
    assert slips.passed


def test_bounds_on_slices_are_those_of_a_report_by_that_tag() -> None:
    bills = scored(total=range(0, 20, 2))
    gate = da.gate(bills, rules=["aligned[type=*] >= 0.9", "aligned@total[type=bill] >= 0.9"])
    values = {check.address: check.value for result in gate.results for check in result.checks}
    assert values == {
        "kieval.aligned[type=bill]": pytest.approx(23 / 33),
        "kieval.aligned[type=slip]": 1.0,
        "kieval.aligned@total[type=bill]": 0.0,
    }


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("aligned[vendor=*]", "unknown tag of documents 'vendor'"),
        ("aligned[type=bil]", "unknown slice by type 'bil'"),
        ("aligned[type=z*]", "unknown slice by type 'z*'"),
        ("alinged", "unknown score 'alinged'"),
        ("aligned@totl", "unknown score 'aligned@totl'"),
        ("aligned@z*", "'aligned@z*' matches no score"),
        ("documents_exact@*", "'documents_exact@*' matches no score"),
        ("*", "'*' matches no score"),
    ],
)
def test_what_matches_no_score_is_a_mistake(
    right: da.Report, worse: da.Report, tmp_path: Path, address: str, what: str
) -> None:
    file = tmp_path / "gate.yaml"
    for rule in (f"'{address} >= 0.1'", f"no_regression: {{scores: ['{address}']}}"):
        file.write_text(f"- aligned >= 0\n- {rule}\n")
        with pytest.raises(ConfigurationError) as raised:
            da.gate(worse, baseline=right, rules=file)
        assert what in raised.value.what
        assert raised.value.where == f"{file}:2"
        assert not isinstance(raised.value, UnknownName)


def test_what_cannot_be_compared_is_an_error_with_a_remedy(right: da.Report) -> None:
    with pytest.raises(ConfigurationError, match="none is given") as raised:
        da.gate(right, rules="newly_broken <= 3")
    assert raised.value.hint == "say --baseline RUN"
    with pytest.raises(ConfigurationError, match="cannot become worse"):
        da.gate(right, baseline=right, rules={"no_regression": {"scores": ["kieval.fp"]}})
    trees = gold(20)
    other = da.score(
        {**trees, "doc-03": {**trees["doc-03"], "total": "7"}},
        trees,
        schema=SCHEMA,
        metrics=METRICS,
    )
    with pytest.raises(DataError, match="gold differs") as refused:
        da.gate(other, baseline=right)
    assert "score the predictions of both again" in (refused.value.hint or "")


# --- what is shown ------------------------------------------------------------------------------


def test_a_failed_gate_explains_the_document_that_lost_most(
    right: da.Report, tmp_path: Path
) -> None:
    """Document 4 loses date and total, others the total alone; only it is wrong in its note."""
    folder = tmp_path / "a run"
    spoilt = scored(total=range(12), date=[4], note=[4], out=folder)
    gate = da.gate(spoilt, baseline=right, rules=["no_regression", "aligned@note >= 1"])
    whole, note = (result.checks[0] for result in gate.results)
    assert whole.document == "doc-04"
    assert whole.explain == f"docassay explain '{folder}' doc-04"
    assert note.document == "doc-04"
    with pytest.raises(RequirementError) as raised:
        gate.raise_if_failed()
    lines = str(raised.value).splitlines()
    assert lines[0] == "gate failed: 2 of 2 rules do not hold"
    assert lines[1:4] == [
        "  no_regression of aligned (max_drop 0.01, alpha 0.05)",
        f"    kieval.aligned: {whole.why}",
        f"      {whole.explain}",
    ]
    assert isinstance(raised.value, AssertionError)
    assert repr(gate) == str(raised.value)


def test_of_documents_that_lost_the_same_a_newly_broken_one_is_named(right: da.Report) -> None:
    earlier = scored(date=[0, 1])
    later = scored(date=[0, 1], total=range(12))
    gate = da.gate(later, baseline=earlier, rules={"no_regression": {"scores": ["aligned@total"]}})
    assert only(gate).document == "doc-02"
    assert only(gate).explain == "docassay.explain(gold, pred, 'doc-02')"


def test_documents_that_only_one_run_has_are_left_out_and_said(right: da.Report) -> None:
    gate = da.gate(scored(22), baseline=right)
    assert gate.passed
    assert gate.documents_compared == 20
    assert any("2 documents of" in note for note in gate.notes)


def test_the_same_seed_gives_the_same_gate(right: da.Report, worse: da.Report) -> None:
    rules = {"no_regression": {"scores": ["aligned", "aligned@*"]}}
    assert da.gate(worse, baseline=right, rules=rules) == da.gate(
        worse, baseline=right, rules=rules
    )
