"""Summary, charts, levels and rankings say what the headline says, and scores have short names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import docassay as da
from docassay.analysis.require import is_about, requirement, unmet
from docassay.errors import ConfigurationError, UnknownName
from docassay.metrics.metric import METRICS, metric, short_names
from docassay.model.chart import Bars, Dashboard, HeatMap, Histogram
from docassay.model.report import ReadoutSpec
from docassay.report.csv import documents_csv, kind_csv
from docassay.report.markdown import checklist, summary

ROWS = [
    {"name": "Widget A", "price": "10.00"},
    {"name": "Widget B", "price": "20.00"},
    {"name": "Widget C", "price": "30.00"},
]
SCHEMA = {
    "fields": {"total": "money"},
    "groups": {"items": {"fields": {"name": "text", "price": "money"}}},
}
ORDERED = {**SCHEMA, "groups": {"items": {**SCHEMA["groups"]["items"], "match": "order"}}}  # type: ignore[index,dict-item]


def score(pred: list[dict[str, str]], schema: object = SCHEMA, **options: object) -> da.Report:
    gold = {"d": {"total": "60", "items": ROWS}}
    return da.score(gold, {"d": {"total": "60", "items": pred}}, schema=schema, **options)  # type: ignore[arg-type]


def drawing(report: da.Report, name: str) -> object:
    return next(one.drawing for one in report.details.pictures if one.name == name)


def test_rows_in_another_order_cost_nothing_anywhere() -> None:
    report = score([ROWS[1], ROWS[0], ROWS[2]])
    assert report["aligned"].value == report["fields.overall_accuracy"].value == 1.0
    assert report["corrections"].value == 0
    assert report["documents"].value == report["fields.perfect_documents"].value == 1
    text = summary(report)
    assert "Aligned 1.0000 is at least deployment_ready (0.90)." in text
    assert "| excellent | at least 0.90 | 3 |" in text
    assert "Weakest fields" not in text
    assert "Worst documents" not in text
    bars, board = drawing(report, "field-accuracy"), drawing(report, "dashboard")
    assert isinstance(bars, Bars)
    assert {bar.value for bar in bars.bars} == {1.0}
    assert isinstance(board, Dashboard)
    assert board.levels[0] == ("fully correct", 1)


def test_rows_in_another_order_cost_where_the_schema_says_that_order_counts() -> None:
    report = score([ROWS[1], ROWS[0], ROWS[2]], ORDERED)
    assert report["fields.accuracy@items.name"].value == pytest.approx(1 / 3)
    assert report["aligned@items.name"].value == pytest.approx(1 / 3)
    assert report["documents"].value == report["fields.perfect_documents"].value == 0


def test_descriptions_swapped_between_rows_lose() -> None:
    names = ("Widget B", "Widget A", "Widget C")
    swapped = [{**row, "name": name} for row, name in zip(ROWS, names, strict=True)]
    report = score(swapped)
    assert report["fields.order_aware_f1@items.name"].value == pytest.approx(1 / 3)
    assert report["kieval.group_tp@items"].value == 1
    assert report["documents"].value == report["fields.perfect_documents"].value == 0
    assert report["corrections"].value == 2
    assert [line.name for line in report.causes] == ["wrong row"]
    loose = {"fields.item_similarity": 0.75}
    assert score(swapped, settings=loose)["fields.order_aware_f1@items.name"].value == 1.0


GOLD = {
    # by accuracy `near` is weaker than `bad` and document n than m; by aligned it is the reverse
    "m": {"near": "abcdefgh", "bad": "x", "more": ["a", "b", "c"]},
    "n": {"near": "abcdefgh", "bad": "x", "more": ["a", "b", "c"]},
}
PRED = {
    "m": {"near": "abcdefgx", "bad": "y", "more": ["a", "b", "c"]},
    "n": {"near": "abcdefgh", "bad": "x", "more": ["d", "e", "f"]},
}
TEXTS = {"fields": {"near": "text", "bad": "exact", "more": "exact"}}


def test_rankings_follow_aligned_wherever_they_are_shown() -> None:
    report = da.score(GOLD, PRED, schema=TEXTS)
    aligned = {path: report[f"aligned@{path}"].value for path in ("near", "bad", "more")}
    assert aligned == {"near": 0.5, "bad": 0.5, "more": 0.5}
    documents = {line.id: line.score for line in report.lines}
    assert documents == {"m": pytest.approx(3 / 5), "n": pytest.approx(2 / 5)}
    text = summary(report)
    assert text.index("| `n` |  | 0.4000 |") < text.index("| `m` |  | 0.6000 |")
    assert "Aligned 0.5000 is below needs_optimization" in text
    assert [row.split(",")[0] for row in documents_csv(report.lines)] == [*("document", *documents)]
    rows = kind_csv(report).splitlines()
    assert rows[0].startswith("field,aligned,mean")
    assert [row.split(",")[0] for row in rows[1:]] == ["more", "bad", "near"]
    assert "documents: 0 of 2 documents fully correct" in checklist(report)
    assert "`near`: not reached, 0.5000 against 0.90, fair (2 values)" in checklist(report)
    heat, values = drawing(report, "field-by-document"), drawing(report, "document-scores")
    assert isinstance(heat, HeatMap)
    assert (heat.rows, heat.columns) == (("more", "bad", "near"), ("n", "m"))
    assert heat.values == ((0.0, 1.0), (1.0, 0.0), (1.0, 0.0))
    assert isinstance(values, Histogram)
    assert values.whole == 0.5
    assert sorted(values.values) == pytest.approx([0.4, 0.6])


def test_without_kieval_they_follow_accuracy() -> None:
    report = da.score(GOLD, PRED, schema=TEXTS, metrics=["fields"])
    assert "Accuracy 0.6458 is below needs_optimization" in summary(report)
    assert [line.label for line in report.first_lines][-1] == "documents"
    assert report.headline[-1].meaning == "of 2 fully correct"


def test_categories_and_document_types_on_the_dashboard_follow_aligned() -> None:
    schema = {
        "types": {"bill": {"fields": ["a", "b"]}, "note": {"fields": ["a", "b"]}},
        "fields": {"a": {"category": "words"}, "b": {"category": "words"}},
    }
    gold = {"x": {"DOCUMENT_TYPE": "bill", "a": "1", "b": "2"}, "y": {"DOCUMENT_TYPE": "note"}}
    pred = {"x": {"DOCUMENT_TYPE": "bill", "a": "1", "b": "3"}, "y": {"a": "1"}}
    board = drawing(da.score(gold, pred, schema=schema), "dashboard")
    assert isinstance(board, Dashboard)
    (_, categories), (_, types) = board.means
    assert [(bar.name, bar.value, bar.number) for bar in categories] == [("words", 1 / 3, 3)]
    assert [(bar.name, bar.number) for bar in types] == [("note", 1), ("bill", 2)]
    assert [bar.value for bar in types] == [0.0, 0.5]


# ---------------------------------------------------------------- the first screen


def test_the_first_screen_has_aligned_corrections_hours_and_documents() -> None:
    report = da.score(GOLD, PRED, schema=TEXTS)
    assert [(line.label, line.readout, line.meaning) for line in report.first_lines] == [
        ("aligned", "kieval.aligned", "5 of 10 values need no correction"),
        ("corrections", "kieval.corrections", "5 substitutions, 0 additions, 0 deletions"),
        ("", "effort.hours_per_1000", "37.5 hours per 1,000 documents"),
        ("documents", "kieval.documents_exact", "of 2 fully correct"),
    ]


@pytest.mark.parametrize(
    ("metrics", "labels"),
    [
        (["entity"], ["entity F1", "precision", "recall"]),
        (["entity", "effort"], ["hours", "entity F1", "precision", "recall"]),
        (["kieval"], ["aligned", "corrections", "documents"]),
    ],
)
def test_without_kieval_the_headlines_of_the_chosen_metrics_stand_there(
    metrics: list[str], labels: list[str]
) -> None:
    report = da.score(GOLD, PRED, schema=TEXTS, metrics=metrics)
    assert [line.label for line in report.first_lines] == labels


def test_the_cost_stands_beside_the_hours_when_there_is_a_rate() -> None:
    rate = {"effort.hourly_rate": 40, "effort.currency": "EUR"}
    report = da.score(GOLD, PRED, schema=TEXTS, settings=rate)
    (line,) = (line for line in report.first_lines if not line.label)
    assert line.meaning == "37.5 hours (EUR 1,500.00) per 1,000 documents"


def test_a_threshold_of_confidence_shows_what_it_gives() -> None:
    gold = {"d": {"a": "1", "b": "2"}}
    sure = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "3", "confidence": 0.2}}
    report = da.score(gold, {"d": sure}, settings={"kieval.tau": 0.8})
    shown = {line.label: report[line.readout].value for line in report.first_lines}
    assert shown["auto rate"] == 0.5
    assert shown["aligned, τ"] == 1.0
    for name in ("auto_rate", "aligned_tau"):
        assert report.specs[f"kieval.{name}"].column is not None
    assert "auto rate" not in {line.label for line in da.score(gold, {"d": sure}).headline}


def test_aligned_has_an_interval_over_documents_and_by_field() -> None:
    golds = {f"d{n}": {"a": "1", "b": ["1", "2", "3"]} for n in range(20)}
    preds = {f"d{n}": {"a": "1" if n % 2 else "2", "b": ["1", "2", "9"]} for n in range(20)}
    report = da.score(golds, preds)
    overall, field = report["aligned"], report["aligned@a"]
    assert overall.value is not None
    assert overall.low is not None
    assert overall.high is not None
    assert 0 < overall.low < overall.value < overall.high < 1
    # every document says 0 or 1 of the field, so its interval is Wilson's
    assert field.low == pytest.approx(0.2993, abs=1e-4)
    assert field.high == pytest.approx(0.7007, abs=1e-4)


# ---------------------------------------------------------------- causes of every run

TREES = st.fixed_dictionaries(
    {},
    optional={
        "a": st.sampled_from("xyz"),
        "b": st.lists(st.sampled_from("xyz"), max_size=3),
        "g": st.lists(
            st.fixed_dictionaries({"n": st.sampled_from("xyz")}, optional={"p": st.just("1")}),
            max_size=3,
        ),
    },
)


@given(st.lists(st.tuples(TREES, TREES), min_size=1, max_size=3))
@settings(max_examples=12, deadline=None)
def test_the_causes_of_a_plain_run_are_those_of_the_metric(
    pairs: list[tuple[dict[str, object], dict[str, object]]],
) -> None:
    # a field on both sides, for sides without one are not compared
    gold, pred = (
        {str(at): {"both": "x", **pair[side]} for at, pair in enumerate(pairs)} for side in (0, 1)
    )
    light = da.score(gold, pred)
    whole = da.score(gold, pred, metrics=["kieval", "causes"])
    assert {line.name: line.values for line in light.causes} == {
        line.name: line.values for line in whole.causes
    }
    assert sum(line.values for line in light.causes) == light["corrections"].value
    assert [line.gain for line in light.causes] == sorted(
        (line.gain for line in light.causes), reverse=True
    )
    for line in light.causes:
        assert light[f"causes.corrections@{line.name}"].value == line.values


@pytest.mark.parametrize(
    ("gold", "pred", "gain"),
    [
        pytest.param({"a": "1", "b": "2"}, {"a": "1", "b": "x"}, 1 / 2, id="substitution"),
        pytest.param({"a": "1", "b": "2"}, {"a": "1"}, 1 / 2, id="addition"),
        pytest.param({"a": "1", "c": "3"}, {"a": "1", "b": "2", "c": "3"}, 1 / 3, id="deletion"),
        pytest.param(
            {"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "x", "d": "9"}, 1 / 4, id="of several"
        ),
    ],
)
def test_what_fixing_a_cause_gives_follows_from_its_corrections(
    gold: dict[str, str], pred: dict[str, str], gain: float
) -> None:
    report = da.score({"d": gold}, {"d": pred})
    line = report.causes[0]
    assert line.gain == pytest.approx(gain)
    exact = da.score({"d": gold}, {"d": pred}, metrics=["causes"])
    assert exact[f"causes.kieval_gain@{line.name}"].value == pytest.approx(gain)


def test_a_plain_run_rescores_nothing_and_says_so_in_its_settings() -> None:
    report = da.score(GOLD, PRED, schema=TEXTS)
    assert report.settings["causes.rescore"] is False
    assert "causes.rescore=false" in report.signature
    assert "causes.fields_loss" not in report
    whole = da.score(GOLD, PRED, schema=TEXTS, settings={"causes.rescore": True})
    assert whole["causes.fields_loss"].value is not None


def test_without_corrections_there_are_no_causes() -> None:
    assert da.score({"d": {"a": "1"}}, {"d": {"a": "1"}}).causes == ()
    assert da.score({"d": {"a": "1"}}, {"d": {"a": "2"}}, metrics=["kieval"]).causes == ()


# ---------------------------------------------------------------- short names


def test_short_names_are_one_table_and_unique() -> None:
    names = short_names()
    assert len({name.short for name in names}) == len(names)
    assert all(name.meaning and "." not in name.short for name in names)
    addresses = {name.short: name.address for name in names}
    assert addresses["aligned"] == "kieval.aligned"
    assert addresses["corrections"] == "kieval.corrections"
    assert addresses["documents"] == "kieval.documents_exact"
    assert addresses["hours"] == "effort.hours_per_1000"


def test_the_reference_lists_every_short_name() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "metrics.md").read_text("utf-8")
    rows = [f"| `{short}` | `{address}` | {meaning} |" for short, address, meaning in short_names()]
    assert "\n".join(rows) in page


@pytest.mark.parametrize("by", [None, "type"])
def test_a_short_name_is_an_address(by: str | None) -> None:
    report = da.score(GOLD, PRED, schema=TEXTS, by=by)
    for short, address, _ in short_names():
        assert (short in report) == (address in report)
        if address in report:
            assert report[short] == report[address]
    assert report["aligned@near"] == report["kieval.aligned@near"]
    if by:
        assert report["aligned[type=(none)]"] == report["kieval.aligned[type=(none)]"]


def test_an_unknown_short_name_is_an_error_that_lists_those_there_are() -> None:
    report = da.score(GOLD, PRED, schema=TEXTS)
    with pytest.raises(UnknownName, match="aligned"):
        report["alinged"]
    with pytest.raises(UnknownName):
        report["aligned@nowhere"]


def test_a_requirement_may_use_a_short_name() -> None:
    report = da.score(GOLD, PRED, schema=TEXTS)
    assert unmet(report, [requirement("aligned >= 0.5"), requirement("aligned@near >= 0.5")]) == []
    assert unmet(report, [requirement("corrections <= 4")]) == [
        "requirement not met: corrections <= 4: it is 5"
    ]


@pytest.mark.parametrize(
    ("text", "metrics", "about"),
    [
        ("aligned >= 0.5", ["kieval"], True),
        ("aligned@a.b >= 0.5", ["kieval"], True),
        ("aligned[type=a] >= 0.5", ["kieval"], True),
        ("kieval.aligned >= 0.5", ["kieval"], True),
        ("aligned >= 0.5", ["entity"], False),
        ("kieval.aligned >= 0.5", ["entity"], False),
        ("hours <= 5", ["kieval", "effort"], True),
    ],
)
def test_a_requirement_is_about_a_metric_that_has_its_score(
    text: str, metrics: list[str], about: bool
) -> None:
    assert is_about(requirement(text), metrics) == about


def test_a_short_name_that_is_taken_is_refused() -> None:
    @metric(
        "claims_aligned",
        version=1,
        tables={"documents": ("documents",)},
        readouts=lambda totals, context: iter(()),
        specs=(ReadoutSpec("mine", short="aligned", meaning="another"),),
    )
    def claims_aligned(case: object) -> dict[str, dict[str, tuple[int, ...]]]:
        """A metric with a short name that is taken."""
        return {"documents": {"": (1,)}}

    try:
        with pytest.raises(ConfigurationError, match="'aligned' is short for"):
            da.score(GOLD, PRED, metrics=["kieval", "claims_aligned"])
    finally:
        del METRICS._entries["claims_aligned"]
