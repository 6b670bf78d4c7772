"""Rules of a gate: what can be said, where it is looked for, and mistakes with their lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from docassay.analysis.gate_rules import (
    GateRule,
    NonInferior,
    NoRegression,
    ValueRule,
    rules_of,
)
from docassay.analysis.require import Requirement
from docassay.errors import ConfigurationError, FileError, UnknownName

RULES = """\
# what must hold
- aligned >= 0.9
- no_regression: {scores: ["aligned", "aligned@*"], max_drop: 0.02, alpha: 0.1}
- non_inferior:
    scores: entity.f1
    margin: 0.03
- newly_broken <= 3
- no_regression
- non_inferior:
"""
READ: tuple[GateRule, ...] = (
    ValueRule(Requirement("aligned", ">=", 0.9)),
    NoRegression(("aligned", "aligned@*"), 0.02, 0.1),
    NonInferior(("entity.f1",), 0.03),
    ValueRule(Requirement("newly_broken", "<=", 3)),
    NoRegression(("aligned",), None, 0.05),
    NonInferior(("aligned",), 0.01),
)


def test_rules_are_read_from_yaml_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "gate.yaml"
    file.write_text(RULES)
    chosen = rules_of(file)
    assert tuple(rule._replace(where=None) for rule in chosen.rules) == READ
    lines = [(rule.where or "").removeprefix(f"{file}:") for rule in chosen.rules]
    assert lines == ["2", "3", "4", "7", "8", "9"]
    assert chosen.source == f"rules: {file}"
    assert rules_of(str(file)) == chosen


def test_rules_are_read_from_json_and_from_python(tmp_path: Path) -> None:
    file = tmp_path / "gate.json"
    file.write_text('["aligned >= 0.9", {"no_regression": {"max_drop": 0.02}}]')
    expected = (READ[0], NoRegression(("aligned",), 0.02))
    assert tuple(rule._replace(where=None) for rule in rules_of(file).rules) == expected
    given = ["aligned >= 0.9", {"no_regression": {"max_drop": 0.02}}]
    assert rules_of(given).rules == expected
    assert rules_of(given).source == ""
    assert rules_of("aligned >= 0.9").rules == (READ[0],)
    assert rules_of({"non_inferior": {"scores": ["entity.f1"], "margin": 0.03}}).rules == (READ[2],)


def test_rules_say_what_they_are() -> None:
    assert [str(rule) for rule in READ] == [
        "aligned >= 0.9",
        "no_regression of aligned, aligned@* (max_drop 0.02, alpha 0.1)",
        "non_inferior of entity.f1 (margin 0.03)",
        "newly_broken <= 3",
        "no_regression of aligned (max_drop 0.01, alpha 0.05)",
        "non_inferior of aligned (margin 0.01)",
    ]
    assert [rule.compares for rule in READ] == [False, True, True, True, True, True]
    assert [rule.scores for rule in READ[:4]] == [
        ("aligned",),
        ("aligned", "aligned@*"),
        ("entity.f1",),
        (),
    ]


MISTAKES = [
    ("- aligned 0.9", 1, "'aligned 0.9' is not a requirement", "write 'aligned >= 0.9'"),
    ("\n- aligned >= much", 2, "'much' is not a number", "newly_broken <= 3"),
    ("- no_regresion: {}", 1, "unknown rule 'no_regresion'", "did you mean 'no_regression'?"),
    ("- no_regression: {drop: 0.1}", 1, "unknown option 'drop'", "there is: alpha, max_drop"),
    ("- no_regression: {max_drop: -1}", 1, "number of at least 0", ""),
    ("- no_regression: {max_drop: nan}", 1, "number of at least 0", ""),
    ("- no_regression:\n    alpha: 0", 2, "alpha: 0 decides nothing", "alpha: 0.05"),
    ("- no_regression: {alpha: 1.5}", 1, "a number from 0 to 1", ""),
    ("- no_regression: {scores: []}", 1, "no score is named", "scores: [aligned]"),
    ("- no_regression: {scores: [{a: 1}]}", 1, "where the name of a score belongs", ""),
    ("- no_regression: [aligned]", 1, "a list where {scores, max_drop, alpha} belongs", ""),
    ("- non_inferior: {margin: 0}", 1, "margin: 0 decides nothing", ""),
    ("- non_inferior: {max_drop: 0.1}", 1, "unknown option 'max_drop'", ""),
    ("- [aligned >= 0.9]", 1, "a list where one rule belongs", ""),
    ("-\n  no_regression: {}\n  non_inferior: {}", 2, "a mapping where one rule belongs", ""),
    ("aligned >= 0.9", 1, "where a list of rules belongs", "write 'aligned >= 0.9'"),
    ("gate: [aligned >= 0.9]", 1, "a mapping where a list of rules belongs", ""),
    ("[]", 1, "the list of rules is empty", ""),
    ("- a: [", 2, "not YAML", ""),
]


@pytest.mark.parametrize(("text", "line", "what", "hint"), MISTAKES)
def test_a_mistake_names_its_line_and_what_to_write(
    tmp_path: Path, text: str, line: int, what: str, hint: str
) -> None:
    file = tmp_path / "gate.yaml"
    file.write_text(f"{text}\n")
    with pytest.raises(ConfigurationError) as raised:
        rules_of(file)
    assert what in raised.value.what
    assert hint in (raised.value.hint or "")
    assert (raised.value.where or "").startswith(f"{file}:{line}")


@pytest.mark.parametrize("given", [5, 0.5, {"aligned >= 0.9"}, [5], object()])
def test_what_is_no_rule_is_refused(given: object) -> None:
    with pytest.raises(ConfigurationError, match="rules"):
        rules_of(given)  # type: ignore[arg-type]


def test_all_mistakes_are_named_at_once(tmp_path: Path) -> None:
    file = tmp_path / "gate.yaml"
    file.write_text("- aligned\n- aligned >= 0.9\n- f1 >\n")
    with pytest.raises(ConfigurationError) as raised:
        rules_of(file)
    assert raised.value.where == f"{file}:1"
    assert [detail.partition(": ")[0] for detail in raised.value.details] == [f"{file}:3"]


def test_a_file_that_is_not_there_or_no_text_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        rules_of(tmp_path / "gate.yaml")
    (tmp_path / "gate.yaml").write_bytes(b"- \xff")
    with pytest.raises(ConfigurationError, match="is not UTF-8"):
        rules_of(tmp_path / "gate.yaml")


PROJECT = """\
[project]
name = "x"

[tool.docassay]
gate = ["aligned >= 0.9", {no_regression = {scores = ["aligned@*"], max_drop = 0.02}}]
"""


def test_rules_are_found_in_the_nearest_project_that_has_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "package" / "tests"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "package" / "pyproject.toml").write_text('[project]\nname = "y"\n')
    chosen = rules_of(None)
    assert [str(rule) for rule in chosen.rules] == [
        "aligned >= 0.9",
        "no_regression of aligned@* (max_drop 0.02, alpha 0.05)",
    ]
    assert chosen.source == f"rules: tool.docassay.gate in {tmp_path / 'pyproject.toml'}"
    assert rules_of(tmp_path / "pyproject.toml") == chosen
    with pytest.raises(ConfigurationError, match=r"has no tool\.docassay\.gate"):
        rules_of(tmp_path / "package" / "pyproject.toml")


def test_a_misspelt_setting_does_not_pass_for_no_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.docassay]\ngates = ["aligned >= 0.99"]\n')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownName, match=r"setting of \[tool.docassay\] 'gates'") as raised:
        rules_of(None)
    assert raised.value.where == str(tmp_path / "pyproject.toml")
    (tmp_path / "pyproject.toml").write_text("[tool.docassay]\n")
    assert rules_of(None).rules == (NoRegression(),)


def test_without_any_rules_aligned_must_not_drop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chosen = rules_of(None)
    assert chosen.rules == (NoRegression(),)
    usual = "no rules given: no_regression of aligned (max_drop 0.01, alpha 0.05)"
    assert chosen.source == usual
    assert rules_of(None, max_drop=0.03).source == usual.replace("0.01", "0.03")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[tool.docassay\n", "not TOML"),
        ('[tool.docassay]\ngate = "aligned >= 0.9"\n', "where a list of rules belongs"),
        ('[tool.docassay]\ngate = ["aligned"]\n', "tool.docassay.gate[0]: 'aligned' is not"),
        (
            "[tool.docassay]\ngate = [{no_regression = {alpha = 7}}]\n",
            "gate[0].no_regression.alpha",
        ),
    ],
)
def test_a_mistake_in_a_project_names_file_and_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(ConfigurationError) as raised:
        rules_of(None)
    assert what in raised.value.what
    assert raised.value.where == str(tmp_path / "pyproject.toml")


def test_a_drop_that_is_asked_for_goes_for_rules_that_state_none() -> None:
    given = ["no_regression", {"no_regression": {"max_drop": 0.2}}, "aligned >= 0.5"]
    chosen = rules_of(given, max_drop=0)
    assert [getattr(rule, "max_drop", None) for rule in chosen.rules] == [0, 0.2, None]
    with pytest.raises(ConfigurationError, match="no rule leaves it open"):
        rules_of(given[1:], max_drop=0.1)
    for wrong in (-0.1, float("nan"), float("inf")):
        with pytest.raises(ConfigurationError, match="is no limit"):
            rules_of(given, max_drop=wrong)
