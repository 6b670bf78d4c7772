"""The result of a gate: for a terminal, as Markdown, JSON, JUnit XML and GitHub annotations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from xml.sax.saxutils import escape, quoteattr

from rich.console import RenderableType
from rich.text import Text

from docassay.analysis.gate import BOUND
from docassay.analysis.gate_rules import NEWLY_BROKEN
from docassay.errors import UnknownName
from docassay.model.gate import FAILED, PASSED, UNTESTED, Gate, GateCheck, GateResult
from docassay.model.words import UNDEFINED, code, count, first_names, number, visible
from docassay.report.screen import PLAIN, Screen, draw
from docassay.run.output import json_text, markdown_table

FORMATS = ("table", "json", "junit", "markdown", "github")
SUFFIXES: Mapping[str, str] = {".json": "json", ".xml": "junit", ".md": "markdown"}
"""The format of a file by the end of its name."""
MOST_SHOWN = 8
"""How many failed scores of one rule a screen shows."""
MOST_NAMES = 6
STYLES = {PASSED: "green", FAILED: "bold red", UNTESTED: "magenta"}
_LINE = re.compile(r"(?P<file>.+):(?P<line>\d+)")


def render(gate: Gate, format: str, *, screen: Screen = PLAIN, all_checks: bool = False) -> str:
    """Return the result as text in one of FORMATS; a table shows the failed scores, or all."""
    if format not in FORMATS:
        raise UnknownName("format of a gate", format, FORMATS)
    if format == "table":
        return draw(_drawn(gate, screen, all_checks), screen)
    functions: Mapping[str, Callable[[Gate], str]] = {
        "json": _json,
        "junit": lambda own: junit(own.results),
        "markdown": _markdown,
        "github": lambda own: "".join(f"{line}\n" for line in _annotations(own)),
    }
    return functions[format](gate)


# --- terminal -----------------------------------------------------------------------------------


def _drawn(gate: Gate, screen: Screen, all_checks: bool) -> Iterator[RenderableType]:
    yield Text(f"gate {gate.headline}", style=STYLES[PASSED if gate.passed else FAILED])
    for sentence in _about(gate):
        yield from _lines(sentence, "", screen)
    for result in gate.results:
        yield Text()
        state = PASSED if result.passed else FAILED
        start = Text(f"{state:<6}  ", style=STYLES[state])
        yield start.append(visible(result.rule), style="bold")
        yield from _drawn_checks(result, screen, all_checks)


def _about(gate: Gate) -> Iterator[str]:
    """Yield which runs were looked at, and on how many documents."""
    if gate.baseline is None:
        yield f"{gate.run.name}, {count(gate.run.documents, 'document')}"
        return
    compared = gate.documents_compared
    many = "" if compared is None else f", {count(compared, 'document')} compared"
    broken = f", {number(len(gate.newly_broken))} newly broken" if gate.newly_broken else ""
    yield f"{gate.run.name} against {gate.baseline.name}{many}{broken}"


def _drawn_checks(result: GateResult, screen: Screen, all_checks: bool) -> Iterator[Text]:
    untested, passed = result.of(UNTESTED), result.of(PASSED)
    failed = sorted(result.of(FAILED), key=lambda check: -abs(check.difference or 0))
    shown = failed if all_checks else failed[:MOST_SHOWN]
    for check in shown:
        yield from _drawn_check(check, screen)
    if len(failed) > len(shown):
        yield Text(f"    and {number(len(failed) - len(shown))} more; -v lists all", style="dim")
    for check in untested if all_checks else ():
        yield from _drawn_check(check, screen)
    if untested and not all_checks:
        names = _names(untested)
        yield from _lines(f"not tested: {names}; -v says why", "    ", screen, STYLES[UNTESTED])
    if all_checks or (len(passed) == 1 and not failed):
        for check in passed:
            yield from _drawn_check(check, screen)
    elif passed:
        many = count(len(result.checks), "score")
        yield Text(f"    {number(len(passed))} of {many} pass", style="dim")


def _drawn_check(check: GateCheck, screen: Screen) -> Iterator[Text]:
    yield from _lines(check.address, "    ", screen)
    style = "" if check.state == PASSED else STYLES[check.state]
    yield from _lines(check.why, "      ", screen, style)
    if check.explain:
        # a command stays in one piece, so that it can be copied
        yield Text(f"      {visible(check.explain)}", style="dim", no_wrap=True, overflow="ignore")


def _lines(text: str, indent: str, screen: Screen, style: str = "") -> Iterator[Text]:
    width = max(20, screen.width - len(indent))
    for line in wrap(visible(text), width, break_on_hyphens=False):
        yield Text(f"{indent}{line}", style=style)


def _names(checks: Sequence[GateCheck]) -> str:
    return first_names([check.address for check in checks], MOST_NAMES)


# --- JSON ---------------------------------------------------------------------------------------


def _json(gate: Gate) -> str:
    facts: dict[str, object] = {
        "docassay": gate.version,
        "passed": gate.passed,
        "run": gate.run._asdict(),
        "baseline": None if gate.baseline is None else gate.baseline._asdict(),
        "documents_compared": gate.documents_compared,
        "newly_broken": gate.newly_broken,
        "notes": gate.notes,
    }
    rules = (
        {
            "rule": result.rule,
            "kind": result.kind,
            "where": result.where,
            "passed": result.passed,
            "checks": [check._asdict() for check in result.checks],
        }
        for result in gate.results
    )
    return json_text(facts, {"rules": rules})


# --- JUnit --------------------------------------------------------------------------------------


def junit(results: Sequence[GateResult]) -> str:
    """Return rules as suites of test cases, one a score, as GitLab and Jenkins read them.

    Whatever XML cannot hold is written as its escape.
    """
    checks = [check for result in results for check in result.checks]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f"<testsuites{_attributes({'name': 'docassay', **_counts(checks)})}>")
    for result in results:
        counts = {"name": result.rule, **_counts(result.checks)}
        lines.append(f"  <testsuite{_attributes(counts)}>")
        for check in result.checks:
            lines += _case(result, check)
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>", ""])


def _counts(checks: Sequence[GateCheck]) -> dict[str, str]:
    return {
        "tests": str(len(checks)),
        "failures": str(sum(check.state == FAILED for check in checks)),
        "errors": "0",
        "skipped": str(sum(check.state == UNTESTED for check in checks)),
        "time": "0",
    }


def _case(result: GateResult, check: GateCheck) -> Iterator[str]:
    """Yield the lines of a test case; its name says what is asked of which score."""
    name = {
        BOUND: f"{check.address} {' '.join(result.rule.rsplit(maxsplit=2)[1:])}",
        NEWLY_BROKEN: result.rule,
    }.get(result.kind, f"{check.address}: {result.kind} {result.rule[result.rule.rfind('(') :]}")
    place = {"classname": f"docassay.{result.kind}", "name": name, "time": "0"}
    if check.state == PASSED:
        yield f"    <testcase{_attributes(place)}/>"
        return
    yield f"    <testcase{_attributes(place)}>"
    if check.state == UNTESTED:
        yield f"      <skipped{_attributes({'message': check.why})}/>"
    else:
        attributes = _attributes({"message": check.sentence, "type": result.kind})
        body = "\n".join(escape(visible(line)) for line in _failure_lines(result, check))
        yield f"      <failure{attributes}>{body}</failure>"
    yield "    </testcase>"


def _failure_lines(result: GateResult, check: GateCheck) -> Iterator[str]:
    """Yield what is to be said of a failed check, a line each."""
    yield f"rule: {result.rule}"
    yield check.sentence
    if check.explain:
        yield check.explain


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f" {name}={quoteattr(visible(value))}" for name, value in values.items())


# --- GitHub -------------------------------------------------------------------------------------


def _annotations(gate: Gate) -> Iterator[str]:
    """Yield workflow commands: an error for each failed score, a warning for untested ones."""
    for result in gate.results:
        for check in result.of(FAILED):
            yield _command(
                "error", f"{check.address} fails the gate", _failure_lines(result, check), result
            )
        untested = result.of(UNTESTED)
        if untested:
            lines = [check.sentence for check in untested]
            title = f"{count(len(untested), 'score')} not tested"
            yield _command("warning", title, [f"rule: {result.rule}", *lines], result)
    if gate.passed:
        yield _command("notice", "docassay gate", [gate.headline])


def _command(level: str, title: str, lines: Iterable[str], result: GateResult | None = None) -> str:
    place = _LINE.fullmatch((result and result.where) or "")
    names = {} if place is None else {"file": place["file"], "line": place["line"]}
    properties = ",".join(
        f"{name}={_property(value)}" for name, value in {**names, "title": title}.items()
    )
    return f"::{level} {properties}::{_message(lines)}"


def _message(lines: Iterable[str]) -> str:
    return "%0A".join(visible(line).replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    """Return a text for a property of a workflow command, in which , and : end it."""
    return visible(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")


# --- Markdown -----------------------------------------------------------------------------------


def _markdown(gate: Gate) -> str:
    """Return the result for a pull request: the rules, and what fails them."""
    about = " ".join(_about_in_code(gate))
    lines = [f"## docassay gate {gate.headline}", "", about, ""]
    rows = [
        (PASSED if result.passed else f"**{FAILED}**", code(result.rule), _summary(result))
        for result in gate.results
    ]
    lines += markdown_table(("result", "rule", "scores"), rows, "lll")
    failed = [check for check in gate.failures if check.difference is not None]
    if failed:
        lines += ["### Worse than the baseline", "", *_changes(failed)]
    others = [check for check in gate.failures if check.difference is None]
    lines += [f"- {code(check.address)}: {code(check.why)}" for check in others]
    lines += [""] if others else []
    commands = dict.fromkeys(check.explain for check in gate.failures if check.explain)
    if commands:
        lines += ["Worst documents:", ""]
        lines += [f"- {code(command)}" for command in [*commands][:MOST_NAMES]]
        lines.append("")
    untested = [check for result in gate.results for check in result.of(UNTESTED)]
    if untested:
        lines += [f"<details><summary>{count(len(untested), 'score')} not tested</summary>", ""]
        lines += [f"- {code(check.address)}: {code(check.why)}" for check in untested]
        lines += ["", "</details>", ""]
    lines += [f"- {code(note)}" for note in gate.notes]
    return "\n".join([*lines, ""]) if gate.notes else "\n".join(lines)


def _about_in_code(gate: Gate) -> Iterator[str]:
    yield code(gate.run.name)
    if gate.baseline is None:
        yield f"· {count(gate.run.documents, 'document')}"
        return
    yield f"against {code(gate.baseline.name)}"
    if gate.documents_compared is not None:
        yield f"· {count(gate.documents_compared, 'document')} compared"
        yield f"· {number(len(gate.newly_broken))} newly broken"


def _summary(result: GateResult) -> str:
    """Return how many scores ended in which state."""
    counts = ((state, len(result.of(state))) for state in (FAILED, UNTESTED, PASSED))
    return ", ".join(f"{number(many)} {state}" for state, many in counts if many)


def _changes(checks: Sequence[GateCheck]) -> Iterator[str]:
    head = ("score", "baseline", "run", "difference", "95 % interval", "p")
    rows = (
        (
            code(check.address),
            number(check.baseline),
            number(check.value),
            UNDEFINED if check.difference is None else f"{check.difference:+.4f}",
            UNDEFINED if check.low is None else f"{check.low:+.4f} to {check.high:+.4f}",
            UNDEFINED if check.p_adjusted is None else f"{check.p_adjusted:.4f}",
        )
        for check in checks
    )
    return markdown_table(head, rows, "lrrrrr")
