"""A gate in all its forms: readable, valid, and harmless whatever the names hold."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from docassay.analysis.gate import BOUND
from docassay.errors import UnknownName
from docassay.model.gate import FAILED, PASSED, UNTESTED, Gate, GateCheck, GatedRun, GateResult
from docassay.report.gate import FORMATS, render
from docassay.report.screen import Screen

HOSTILE = "a<b>&\"'\x00\x1b[31m\n::error::%|`,]]>\ud800\ufffe"
RULE = "no_regression of aligned, aligned@* (max_drop 0.01, alpha 0.05)"


def changed(address: str, state: str, difference: float = -0.1, **more: object) -> GateCheck:
    check = GateCheck(address, state, "0.9 → 0.8", 0.8, 0.9, difference, -0.2, -0.05, 0.001, 0.002)
    return check._replace(**more)


def gate(*results: GateResult, baseline: bool = True) -> Gate:
    run = GatedRun("new", "sig", 100)
    return Gate(
        run,
        run._replace(name="old") if baseline else None,
        100 if baseline else None,
        results,
        ("d1", "d2") if baseline else (),
        "rules: gate.yaml",
        ("2 documents of new left out",) if baseline else (),
    )


MIXED = gate(
    GateResult("aligned >= 0.5", BOUND, "gate.yaml:1", (GateCheck("kieval.aligned", PASSED, "1"),)),
    GateResult(
        RULE,
        "no_regression",
        "gate.yaml:2",
        (
            changed("kieval.aligned", FAILED, explain="docassay explain new d1", document="d1"),
            changed("kieval.aligned@total", FAILED, -0.3),
            changed("kieval.aligned@note", UNTESTED, why="3 documents cannot tell"),
            changed("kieval.aligned@date", PASSED),
        ),
    ),
    GateResult(
        "newly_broken <= 1", "newly_broken", None, (GateCheck("newly_broken", FAILED, "2", 2),)
    ),
)
FINE = gate(GateResult("aligned >= 0.5", BOUND, None, (GateCheck("a.b", PASSED, "it is 1"),)))


def test_a_terminal_shows_what_fails_the_worst_first_with_the_command() -> None:
    assert render(MIXED, "table", screen=Screen(80)).splitlines() == [
        "gate failed: 2 of 3 rules do not hold",
        "new against old, 100 documents compared, 2 newly broken",
        "",
        "passed  aligned >= 0.5",
        "    kieval.aligned",
        "      1",
        "",
        f"failed  {RULE}",
        "    kieval.aligned@total",
        "      0.9 → 0.8",
        "    kieval.aligned",
        "      0.9 → 0.8",
        "      docassay explain new d1",
        "    not tested: kieval.aligned@note; -v says why",
        "    1 of 4 scores pass",
        "",
        "failed  newly_broken <= 1",
        "    newly_broken",
        "      2",
    ]


def test_verbose_shows_every_check() -> None:
    shown = render(MIXED, "table", all_checks=True)
    for name in ("@note", "@date", "3 documents cannot tell"):
        assert name in shown
    assert "-v" not in shown


def test_a_rule_that_fails_in_many_fields_is_cut_and_says_so() -> None:
    checks = tuple(changed(f"kieval.aligned@f{at}", FAILED, -at / 100) for at in range(11))
    shown = render(gate(GateResult(RULE, "no_regression", None, checks)), "table")
    assert "and 3 more; -v lists all" in shown
    assert "@f10" in shown
    assert "@f2" not in shown


def test_without_a_baseline_the_run_stands_alone() -> None:
    alone = gate(*FINE.results, baseline=False)
    assert render(alone, "table").splitlines()[:2] == [
        "gate passed: 1 rule holds",
        "new, 100 documents",
    ]
    assert json.loads(render(alone, "json"))["baseline"] is None
    assert "`new` · 100 documents" in render(alone, "markdown")


def test_json_has_everything() -> None:
    content = json.loads(render(MIXED, "json"))
    assert content["passed"] is False
    assert content["newly_broken"] == ["d1", "d2"]
    assert content["notes"] == ["2 documents of new left out"]
    assert [rule["passed"] for rule in content["rules"]] == [True, False, False]
    check = content["rules"][1]["checks"][0]
    assert check == {**MIXED.results[1].checks[0]._asdict()}


def test_junit_counts_suites_cases_failures_and_skipped() -> None:
    root = ElementTree.fromstring(render(MIXED, "junit"))
    assert root.tag == "testsuites"
    counts = {"tests": "6", "failures": "3", "errors": "0", "skipped": "1"}
    assert counts.items() <= root.attrib.items()
    suites = [*root]
    assert [suite.attrib["name"] for suite in suites] == [result.rule for result in MIXED.results]
    assert [suite.attrib["failures"] for suite in suites] == ["0", "2", "1"]
    cases = [*root.iter("testcase")]
    assert [(case.attrib["classname"], case.attrib["name"]) for case in cases] == [
        ("docassay.bound", "kieval.aligned >= 0.5"),
        *(
            (
                "docassay.no_regression",
                f"kieval.aligned{key}: no_regression (max_drop 0.01, alpha 0.05)",
            )
            for key in ("", "@total", "@note", "@date")
        ),
        ("docassay.newly_broken", "newly_broken <= 1"),
    ]
    failure = cases[1].find("failure")
    assert failure is not None
    assert failure.attrib == {"message": "kieval.aligned: 0.9 → 0.8", "type": "no_regression"}
    assert (failure.text or "").splitlines() == [
        f"rule: {RULE}",
        "kieval.aligned: 0.9 → 0.8",
        "docassay explain new d1",
    ]
    skipped = cases[3].find("skipped")
    assert skipped is not None
    assert skipped.attrib["message"] == "3 documents cannot tell"
    assert len(cases[0]) == 0


def test_github_annotates_failed_scores_and_warns_of_untested_ones() -> None:
    assert render(MIXED, "github").splitlines() == [
        "::error file=gate.yaml,line=2,title=kieval.aligned fails the gate::"
        f"rule: {RULE}%0Akieval.aligned: 0.9 → 0.8%0Adocassay explain new d1",
        "::error file=gate.yaml,line=2,title=kieval.aligned@total fails the gate::"
        f"rule: {RULE}%0Akieval.aligned@total: 0.9 → 0.8",
        "::warning file=gate.yaml,line=2,title=1 score not tested::"
        f"rule: {RULE}%0Akieval.aligned@note: 3 documents cannot tell",
        "::error title=newly_broken fails the gate::rule: newly_broken <= 1%0Anewly_broken: 2",
    ]
    assert render(FINE, "github") == "::notice title=docassay gate::passed: 1 rule holds\n"


def test_markdown_has_a_table_of_rules_and_one_of_what_became_worse() -> None:
    lines = render(MIXED, "markdown").splitlines()
    assert lines[0] == "## docassay gate failed: 2 of 3 rules do not hold"
    assert lines[2] == "`new` against `old` · 100 documents compared · 2 newly broken"
    assert "| passed | `aligned >= 0.5` | 1 passed |" in lines
    assert f"| **failed** | `{RULE}` | 2 failed, 1 untested, 1 passed |" in lines
    assert (
        "| `kieval.aligned@total` | 0.9000 | 0.8000 | -0.3000 | -0.2000 to -0.0500 | 0.0020 |"
        in lines
    )
    assert "- `newly_broken`: `2`" in lines
    assert "- `docassay explain new d1`" in lines
    assert "<details><summary>1 score not tested</summary>" in lines
    assert "- `2 documents of new left out`" in lines
    assert not any(line.startswith("###") for line in render(FINE, "markdown").splitlines())


def test_whatever_names_hold_every_form_stays_whole() -> None:
    hostile = gate(
        GateResult(
            f"{HOSTILE} >= 1",
            BOUND,
            f"{HOSTILE}:3",
            (
                changed(HOSTILE, FAILED, explain=HOSTILE, why=HOSTILE),
                changed(HOSTILE, UNTESTED, why=HOSTILE),
            ),
        )
    )
    hostile = Gate(GatedRun(HOSTILE, HOSTILE, 1), hostile.run, 1, hostile.results, (HOSTILE,))
    for format in FORMATS:
        shown = render(hostile, format)
        assert "\x1b" not in shown
        assert "\x00" not in shown
    assert len([*ElementTree.fromstring(render(hostile, "junit")).iter("testcase")]) == 2
    assert json.loads(render(hostile, "json"))["run"]["name"] == HOSTILE
    lines = render(hostile, "github").splitlines()
    assert len(lines) == 2
    for line in lines:
        properties = line.partition(" ")[2].partition("::")[0]
        assert re.fullmatch(r"(file|line|title)=[^,:]*(,(file|line|title)=[^,:]*)*", properties)
    rows = [line for line in render(hostile, "markdown").splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows[:3]} == {4}


def test_an_unknown_form_is_named() -> None:
    with pytest.raises(UnknownName, match="format of a gate"):
        render(FINE, "xml")
