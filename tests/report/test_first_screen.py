"""The first screen: 24 lines of 80 columns, whatever the report holds."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import docassay as da
from docassay.model.problem import Problem, ProblemCode
from docassay.model.report import (
    COUNT,
    LOWER,
    RATE,
    SHARE,
    CauseLine,
    DocumentLine,
    HeadlineLine,
    LazyInterval,
    ReadoutSpec,
    Report,
    Score,
    SupportColumn,
)
from docassay.report.first_screen import (
    Explain,
    command_lines,
    middle_cut,
    reasons,
    render,
    share,
    worst_documents,
)
from docassay.report.screen import Screen

SPECS = {
    "kieval.aligned": ReadoutSpec("aligned", label="aligned", column=10),
    "kieval.recall": ReadoutSpec("recall", column=None, support=SupportColumn(50, "gold")),
    "kieval.subs": ReadoutSpec("subs", "field", COUNT, LOWER, "≠ subst", 60),
    "kieval.adds": ReadoutSpec("adds", "field", COUNT, LOWER, "+ add", 61),
    "kieval.dels": ReadoutSpec("dels", "field", COUNT, LOWER, "− delete", 62),
    "kieval.corrections": ReadoutSpec("corrections", "field", COUNT, LOWER, column=None),
    "kieval.exact": ReadoutSpec("exact", "field", COUNT, column=None),
}
HEADLINE = (
    HeadlineLine("aligned", "kieval.aligned", "2,250 of 2,531 values need no correction"),
    HeadlineLine(
        "corrections", "kieval.corrections", "121 substitutions, 100 additions, 60 deletions"
    ),
    HeadlineLine("", "kieval.corrections", "38.6 hours per 1,000 documents"),
    HeadlineLine("documents", "kieval.exact", "of 100 fully correct"),
)
FIELDS = {
    "transactions.balance": (0.7816, 83, 8, 7, 4),
    "total": (0.9, 100, 5, 3, 2),
    "date": (0.95, 100, 1, 2, 3),
    "supplier": (0.97, 100, 3, 0, 0),
    "id": (1.0, 100, 0, 0, 0),
}
CAUSES = tuple(
    CauseLine(name, values, gain)
    for name, values, gain in (
        ("split or merged row", 47, 0.018),
        ("missing value", 42, 0.017),
        ("other", 1, 0.0002),
        ("sign", 1, 0.0001),
    )
)
DOCUMENTS = {"d1": 0.2857, "d2": 0.5, "d3": 0.75, "d4": 0.8, "d5": 1.0}


def score(readout: str, value: float, key: str = "", n: int = 2531, **more: object) -> Score:
    kind = "field" if key else "overall"
    return Score("kieval", readout, key, "", value, n, kind=kind, **more)  # type: ignore[arg-type]


def report_of(
    fields: dict[str, tuple[float, int, int, int, int]] = FIELDS,
    documents: dict[str, float] = DOCUMENTS,
    **more: object,
) -> Report:
    overall = (
        score("aligned", 0.889, interval=LazyInterval.of(0.868, 0.907)),
        score("corrections", 281),
        score("exact", 32, n=100),
    )
    by_field = tuple(
        entry
        for name, (aligned, gold, subs, adds, dels) in fields.items()
        for entry in (
            score("aligned", aligned, name),
            score("recall", aligned, name, gold),
            score("subs", subs, name),
            score("adds", adds, name),
            score("dels", dels, name),
        )
    )
    lines = tuple(
        DocumentLine(name, "", {"kieval.aligned": value}, 0) for name, value in documents.items()
    )
    whole = Report(
        signature="s",
        documents=100,
        settings={},
        scores=(*overall, *by_field),
        problems=(),
        about="types guessed from gold: 6 money, 3 date, 1 id, 10 text",
        specs=SPECS,
        headline=HEADLINE,
        causes=CAUSES,
        spoken=frozenset({"kieval"}),
        make_lines=lambda: lines,
    )
    return replace(whole, **more)  # type: ignore[arg-type]


EXPLAIN = Explain(("docassay", "explain", "run"))
FOOTER = "-v all scores, --out DIR keep the run"
SCREEN = """\
100 documents; types guessed from gold: 6 money, 3 date, 1 id, 10 text

  aligned      0.889  [0.868, 0.907]  2,250 of 2,531 values need no correction
  corrections    281  121 substitutions, 100 additions, 60 deletions
                      38.6 hours per 1,000 documents
  documents       32  of 100 fully correct

  weakest fields               aligned   gold     ≠     +     −
  transactions.balance          0.7816     83     8     7     4
  total                         0.9000    100     5     3     2
  date                          0.9500    100     1     2     3

  most common causes            values   fixing it gives
  split or merged row               47   +0.018
  missing value                     42   +0.017
  other                              1   under +0.001

  worst documents              aligned
  d1                            0.2857
  d2                            0.5000
  d3                            0.7500

  docassay explain run d1
  -v all scores, --out DIR keep the run
"""


def lines_of(report: Report, explain: Explain = EXPLAIN, **options: bool) -> list[str]:
    text = render(report, explain=explain, footer=FOOTER, **options)  # type: ignore[arg-type]
    return text.rstrip("\n").split("\n")


def test_the_screen_is_laid_out_as_agreed() -> None:
    assert lines_of(report_of()) == SCREEN.rstrip("\n").split("\n")


def test_a_share_or_a_rate_without_an_interval_says_why_where_there_could_be_one() -> None:
    whole = report_of()
    _, *others = whole.scores
    for interval, words in (
        (LazyInterval(lambda: "too few documents"), "[too few documents]  2,250 of 2,531"),
        (LazyInterval(lambda: None), "2,250 of 2,531"),
        (LazyInterval.of(0.8, 1.25), "[0.800, 1.250]  2,250 of 2,531"),
    ):
        scores = (score("aligned", 0.889, interval=interval), *others)
        for unit in (SHARE, RATE):
            specs = {**SPECS, "kieval.aligned": SPECS["kieval.aligned"]._replace(unit=unit)}
            lines = lines_of(replace(whole, scores=scores, specs=specs))
            (line,) = (line for line in lines if line.startswith("  aligned  "))
            assert line.split(maxsplit=2)[2].startswith(words)
        counted = {**SPECS, "kieval.aligned": SPECS["kieval.aligned"]._replace(unit=COUNT)}
        lines = lines_of(replace(whole, scores=scores, specs=counted))
        assert not any("[" in line for line in lines)


@pytest.mark.parametrize(
    ("interval", "times"),
    [(LazyInterval(lambda: "too few documents"), 1), (LazyInterval.of(1.0, 1.0), 2)],
)
def test_a_reason_is_stated_once_and_an_interval_with_each_share(
    interval: LazyInterval, times: int
) -> None:
    whole = report_of()
    line = next(line for line in whole.headline if line.readout == "kieval.aligned")
    scores = (score("aligned", 0.889, interval=interval), *whole.scores[1:])
    twice = (line, line._replace(label="again"))
    text = render(replace(whole, scores=scores, headline=twice), explain=EXPLAIN, footer=FOOTER)
    shown = "[too few documents]" if times == 1 else "[1.000, 1.000]"
    assert text.count(shown) == times


def problem(code: ProblemCode) -> Problem:
    return Problem(code, "d", "pred", "", "message")


@pytest.mark.parametrize(
    ("missing", "others", "second"),
    [
        (0, 1, "1 problem"),
        (1, 2, "2 problems, 1 document without prediction"),
        (2, 0, "2 documents without prediction"),
        (50, 1, "1 problem, 50 documents without prediction"),
        (51, 1, "51 of them have no prediction"),
    ],
)
def test_the_second_line_counts_problems_and_documents_without_prediction(
    missing: int, others: int, second: str
) -> None:
    problems = [problem(ProblemCode.NO_PREDICTION)] * missing
    problems += [problem(ProblemCode.UNREADABLE_VALUE)] * others
    lines = lines_of(report_of(problems=tuple(problems)))
    assert lines[1] == second
    assert len(lines) == 24
    assert lines[-3].endswith("0.7500")


def test_the_options_of_ids_are_named_whole_where_predictions_are_left_over() -> None:
    missing, left = problem(ProblemCode.NO_PREDICTION), problem(ProblemCode.NO_GOLD)
    lines = lines_of(report_of(problems=(*[missing] * 51, left)))
    option = "see --gold-id, --pred-id, --id-pattern"
    assert lines[1] == f"51 of them have no prediction: {option}"


def test_a_perfect_run_has_no_weakest_field_and_no_worst_document() -> None:
    report = report_of({"id": FIELDS["id"]}, {"d": 1.0}, causes=())
    assert len(lines_of(report)) == 8
    assert lines_of(report)[-1] == f"  {FOOTER}"


def test_all_fields_are_shown_when_asked_for() -> None:
    lines = lines_of(report_of(), all_fields=True)
    assert [line.split()[0] for line in lines[8:13]] == [*FIELDS]


def test_slices_are_shown() -> None:
    report = report_of()
    sliced = score("aligned", 0.5)._replace(slice="type=bill")
    lines = lines_of(replace(report, scores=(*report.scores, sliced)))
    assert lines[7].split() == ["slice", "aligned"]
    assert lines[8].split() == ["type=bill", "0.5000"]


def test_a_metric_without_headline_shows_its_first_scores_by_address() -> None:
    report = Report("s", 1, {}, (Score("tree", "nted", "", "", 0.5, 3),), ())
    assert "  tree.nted    0.5000  n = 3" in render(report).split("\n")


def test_a_report_of_nothing_is_shown() -> None:
    assert render(Report("s", 0, {}, (), ())) == "0 documents\n"


NAMES = st.text(min_size=1, max_size=120) | st.sampled_from(
    ["x" * 200, "表" * 60, "a\x1b[31m", "[bold]x[/]", "=1+1", "-x", "it's", "a b"]
)


@given(
    st.dictionaries(NAMES, st.floats(0, 1), max_size=5),
    st.dictionaries(NAMES, st.floats(0, 1), max_size=5),
    st.integers(0, 10**12),
    st.integers(0, 3),
    NAMES,
)
def test_no_line_is_wider_than_80_columns_and_none_is_the_25th(
    fields: dict[str, float], documents: dict[str, float], count: int, problems: int, path: str
) -> None:
    made = {name: (value, count, count, count, count) for name, value in fields.items()}
    causes = tuple(CauseLine(name, count, value) for name, value in fields.items())
    report = report_of(
        made,
        documents,
        causes=causes,
        about=path,
        problems=(problem(ProblemCode.SHAPE),) * problems,
    )
    lines = lines_of(report, Explain(("docassay", "explain", "run"), ("--schema", "x.yaml")))
    assert all(line.isprintable() for line in lines)
    commands = sum("docassay explain" in line or "\\" in line for line in lines)
    assert len(lines) <= 24 + max(0, commands - 1)
    assert all(cell_len(line) <= 80 for line in lines)


def test_colours_hold_on_light_and_dark_backgrounds() -> None:
    text = render(report_of(problems=(problem(ProblemCode.SHAPE),)), screen=Screen(colour=True))
    assert "\x1b[1m" in text
    assert not [code for code in ("[33", "[93", "[97", "[37", "[2m", "[30") if code in text]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "–"), (1.0, "1.000"), (0.99999, "0.999"), (0.9991, "0.999"), (0.0, "0.000")],
)
def test_only_one_itself_is_shown_as_one(value: float | None, shown: str) -> None:
    assert share(value) == shown


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("short", 9, "short"),
        ("abcdefghij", 10, "abcdefghij"),
        ("abcdefghij", 5, "ab…ij"),
        ("abcdefghij", 6, "ab…hij"),
        ("表表表表", 6, "表…表"),
    ],
)
def test_a_long_name_is_shortened_in_its_middle(text: str, width: int, shown: str) -> None:
    assert middle_cut(text, width) == shown
    assert cell_len(shown) <= width


@pytest.mark.parametrize(
    "words",
    [
        ("docassay", "explain", "gold.jsonl", "pred.jsonl", "d1"),
        ("docassay", "explain", "/tmp/" + "x" * 60, "/tmp/" + "y" * 60, "d1", "--schema", "s"),
        ("docassay", "explain", "/tmp/" + "x" * 200, "d1"),
        ("docassay", "explain", "a folder/it's", "-x; rm -rf", "$HOME", "*"),
        ("docassay", "explain", "it's " * 40, "表 " * 60, "--schema", "a b/" * 40, "x\x1b" * 50),
        ("docassay", "explain", "line\nbreak", "\x1b[31m", "back\\slash\t'"),
    ],
)
def test_a_command_is_what_a_shell_takes_it_for(words: tuple[str, ...]) -> None:
    lines = command_lines(words)
    script = "\n".join(lines).replace("docassay", "printf '%s\\0'", 1)
    ran = subprocess.run(["bash", "-c", script], capture_output=True, check=True)
    assert ran.stdout.decode().split("\0")[:-1] == [*words[1:]]
    assert all(cell_len(line) <= 80 for line in lines)
    assert all(line.isprintable() for line in lines)


def test_an_id_that_looks_like_an_option_stands_behind_two_dashes() -> None:
    explain = Explain(("docassay", "explain", "g", "p"), ("--schema", "s"))
    words = shlex.split(" ".join(command_lines(explain.of("-v"))))
    assert words == ["docassay", "explain", "g", "p", "--schema", "s", "--", "-v"]


def test_the_worst_documents_are_those_that_are_not_fully_correct() -> None:
    assert worst_documents(report_of()) == (
        4,
        [("d1", 0.2857), ("d2", 0.5), ("d3", 0.75), ("d4", 0.8)],
    )


def test_the_worst_documents_are_the_same_however_many_are_ranked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = worst_documents(report_of())
    monkeypatch.setattr("docassay.report.first_screen.RANKED_AT_ONCE", 2)
    assert worst_documents(report_of()) == whole
    monkeypatch.setattr("docassay.report.first_screen.MOST_WORST", 3)
    assert worst_documents(report_of()) == (whole.number, whole.first[:3])


def test_the_reasons_are_the_fields_and_the_causes_of_the_screen() -> None:
    assert reasons(report_of()).split("\n")[:9] == SCREEN.split("\n")[7:16]


def test_the_worst_documents_go_by_the_first_score_that_any_document_has() -> None:
    pred = {"a": {"on": "2024-03-05"}, "b": {"on": "soon"}}
    schema = {"fields": {"on": "date"}}
    report = da.score(None, pred, schema=schema, metrics=["valid", "grounded"])
    assert worst_documents(report).first == [("b", 0.0)]
