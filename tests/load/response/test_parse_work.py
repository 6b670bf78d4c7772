"""Long runs of one sign, anywhere in a response, cost work in proportion to their length."""

from __future__ import annotations

import re

import pytest

from docassay.load.formats import tags
from docassay.load.response import answer, html, json, judge, keys, leaves, lines, loose, tokens
from docassay.load.response import tokens as thinking
from docassay.load.response.answer import parse_response
from tests.counted import calls, growth
from tests.load.response.counted_regex import CountedPattern, count_steps

MODULES = [answer, html, json, judge, keys, leaves, lines, loose, thinking, tokens]
RUNS = [
    *("-", "=", "*", "#", "|", "_", "~", " ", "`", ".", "[", "]", "{", "}", "(", "<", ">", ":"),
    *("\n", '"', "'", "\\", ",", "1", "1,", "a", "a ", "- ", "| ", "|-", "# ", "<a", "//", "/*"),
    *("//{\n", "#{\n", '\\"', '"a ', '", ', "(1, ", "{'", "<s_a>", "</a>", "“", "…", "a:\n"),
    *("|a\n|-\n", "&", "\t", '"\n', "a=1\n", "<td>", "<tr><td>a", "<table>", "<!--"),
    *("<td rowspan=9 colspan=9>", '{"a": "string"}', "Error: ", "\\boxed{\\{"),
]
FORMS = [
    *("{}", "{}}}", "{}: x", "a: {}", 'a: 1\n{}\nb: "2"', '{{"a": {}', '{{"a": "x{}'),
    *('{{"a": "x {}", "b": 1', "{{'a': [{}", "<a>{}</a>", "<s_a>{}", "--- {}", "</think>{}<s_a>"),
    *("<table><tr><td>{}", "ERROR: {}", '{{"total": "{}"}}'),
]
SHORT, FACTOR = 100, 4


def text_of(form: str, run: str, size: int) -> str:
    return form.format(run * (size // len(run)))


@pytest.mark.parametrize("form", FORMS)
def test_the_steps_of_all_patterns_grow_with_the_length_of_a_run(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = count_steps(MODULES, monkeypatch)

    def work(run: str, size: int) -> int:
        steps[0] = 0
        parse_response(text_of(form, run, size))
        return steps[0] + SHORT

    grown = {run: work(run, FACTOR * SHORT) / work(run, SHORT) / FACTOR for run in RUNS}
    # patterns that look a fixed way ahead reach their full cost between the two sizes
    assert {run: ratio for run, ratio in grown.items() if ratio > 2} == {}


@pytest.mark.parametrize("form", FORMS)
def test_the_calls_of_the_parser_grow_with_the_length_of_a_run(form: str) -> None:
    def work(run: str, size: int) -> int:
        text = text_of(form, run, size)
        return calls(lambda: parse_response(text)) + SHORT

    parse_response(text_of(form, "a", SHORT))
    grown = {run: work(run, FACTOR * SHORT) / work(run, SHORT) / FACTOR for run in RUNS}
    assert {run: ratio for run, ratio in grown.items() if ratio > 1.5} == {}


@pytest.mark.parametrize(
    "text",
    ["-" * 100_000 + "}", "-" * 5000 + ": x", "=" * 100_000, "|" * 100_000 + "\n|-|\n|"],
    ids=["dashes and a brace", "dashes and a colon", "a rule", "bars"],
)
def test_a_long_run_holds_no_record(text: str) -> None:
    assert parse_response(text).outcome == "unparseable"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("# Total", "Total"),
        ("###### Total:", "Total"),
        ("--- Total ---", "Total"),
        ("===Total===", "Total"),
        ("--- a-b ---", "a-b"),
        ("-- Total --", None),
        ("--- Total", None),
        ("-------", None),
        ("####### Total", None),
        ("#Total", None),
    ],
)
def test_a_heading_is_marked_before_or_on_both_sides(line: str, words: str | None) -> None:
    found = keys.read_line(line)
    assert (found.words if found.heading else None) == words


def test_a_table_is_looked_through_once() -> None:
    def work(size: int) -> int:
        text = "a: 1\n" + "|a\n|-\n" * size + "|a|b\n"
        return calls(lambda: parse_response(text))

    assert growth(work, 100) < 1.2


def test_a_reference_to_no_character_stays_as_it_is() -> None:
    digits = "9" * 5000
    found = parse_response(
        f"{{&quot;a&quot;: &quot;&#{digits};&quot;, &quot;b&quot;: &quot;&#65;&quot;}}"
    )
    assert found.tree == {"a": f"&#{digits};", "b": "A"}
    assert parse_response(f"<total>&#{digits};</total>").tree["total"] == f"&#{digits};"


def test_the_tags_of_a_text_are_found_in_linear_work() -> None:
    steps = [0]
    pattern = CountedPattern(tags._TAG, steps)

    def work(size: int) -> int:
        steps[0] = 0
        pattern.findall("<a" + " " * size + "<a " + "b" * size)
        return steps[0]

    assert growth(work, 100) < 1.2


@pytest.mark.parametrize(
    ("pattern", "text", "linear"),
    [
        (r"(a*)*b", "a" * 12, False),
        (r"[-=]{3,}[^\n]+?[-=]{3,}", "-" * 100 + "x", False),
        (r"\s*(?:x)?\s*y", " " * 100, False),
        (r"\s*+(?:x\s*+)?y", " " * 100, True),
        (r"a+b", "a" * 100, True),
    ],
)
def test_steps_are_counted_as_a_backtracking_engine_makes_them(
    pattern: str, text: str, linear: bool
) -> None:
    steps = [0]
    counted = CountedPattern(re.compile(pattern), steps)
    assert counted.fullmatch(text) is None or not linear
    assert (steps[0] < 10 * len(text)) == linear
