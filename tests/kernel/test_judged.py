"""Judged values as files have them, against encoders that know nothing of them."""

from __future__ import annotations

import csv
import json
from io import StringIO

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from docassay.run.diffs import DiffValue
from docassay.run.output import csv_cell
from tests.kernel.forms import FORMS

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=6)
SPECIAL = st.text(alphabet='a1,"\\\\/ \x00\x1f\x7f\n=é', max_size=5)
OPTIONAL = st.none() | TEXT | SPECIAL
NUMBER = st.none() | st.sampled_from([0.0, -0.0, 1.0, 1e-7, 0.5]) | st.floats(0, 1)
ENTRY = st.tuples(
    *(TEXT, TEXT, st.sampled_from(["right", "substitution", "addition", "deletion"])),
    *(OPTIONAL, OPTIONAL, OPTIONAL, OPTIONAL, OPTIONAL, OPTIONAL),
    *(NUMBER, TEXT, NUMBER),
)


def number(value: float) -> str:
    return msgspec.json.encode(value).decode()


@given(entry=ENTRY, cause=TEXT, row=st.none() | TEXT)
def test_lines_are_what_encoders_of_json_and_csv_make(
    entry: tuple[object, ...], cause: str, row: str | None
) -> None:
    gold, pred = object(), object()
    for form in FORMS:
        verdict = form.verdicts.Verdict(*entry)
        block = form.verdicts.VerdictBlock(
            form.verdicts.RowPlace("", None, row), (verdict,), (gold, pred)
        )
        texts = form.judged.ValueTexts(number, csv_cell)
        for every in (False, True):
            lines: list[str] = []
            errors: list[str] = []
            causes = {(id(gold), id(pred)): [cause]}
            texts.add_lines(lines, errors, [block], causes, every, "end\n")
            wrong = verdict.verdict != "right"
            encoded = msgspec.json.encode(verdict._asdict()).decode() + "\n"
            assert lines == ([encoded] if wrong or every else [])
            assert len(errors) == wrong
            shown = (verdict.document, verdict.field, row, verdict.gold, verdict.pred)
            for line in errors:
                cells = map(csv_cell, (*shown, verdict.verdict, cause, verdict.reason))
                assert line == ",".join(cells) + ",end\n"
                assert len(next(csv.reader(StringIO(line, newline="")))) == 9


def test_causes_belong_to_the_wrong_values_of_their_rows_in_order() -> None:
    for form in FORMS:
        group = form.readings.Group
        groups, others = (group("r", 0, {}), None), (None, group("r", 2, {}))

        def said(field: str, verdict: str, form: object = form) -> object:
            rest = (None,) * 7
            return form.verdicts.Verdict("d", field, verdict, *rest, "", None)  # type: ignore[attr-defined]

        first = [said("a", "addition"), said("b", "right"), said("c", "deletion")]
        block, place = form.verdicts.VerdictBlock, form.verdicts.RowPlace
        blocks = [
            block(place("r", "r[0]", None), first, groups),
            block(place("r", "r[1]", "r[1]"), (), (None, None)),
            block(place("r", None, "r[2]"), (said("d", "deletion"),), others),
        ]
        pairs = [form.pairs.GroupPair(None, "r", *both) for both in (groups, others)]
        wrong = [(pair, None, None, None) for pair in (pairs[0], pairs[0], pairs[1])]
        causes = form.judged.causes_by_row(wrong, ["one", "two", "three"])
        errors: list[str] = []
        texts = form.judged.ValueTexts(number, csv_cell)
        texts.add_lines([], errors, blocks, causes, False, "")
        assert [line.split(",")[1:7:5] + line.split(",")[2:3] for line in errors] == [
            ["a", "one", "r[0]"],
            ["c", "two", "r[0]"],
            ["d", "three", "r[2]"],
        ]


@given(entry=ENTRY, cause=st.none() | TEXT, moved=st.sampled_from([None, "row"]))
def test_a_value_of_a_page_has_the_members_that_say_something(
    entry: tuple[object, ...], cause: str | None, moved: str | None
) -> None:
    for form in FORMS:
        verdict = form.verdicts.Verdict(*entry)
        value = DiffValue(
            *(verdict.field, "name", "word", verdict.gold, verdict.pred, verdict.confidence),
            *(None,) * 6,
            *(verdict.gold_path, verdict.pred_path),
        )
        if verdict.verdict != "right" or verdict.gold != verdict.pred:
            value.moved, value.cause, value.reason = moved, cause or None, verdict.reason or None
            value.gold_read = form.judged.said_more(verdict.gold, verdict.gold_read)
            value.pred_read = form.judged.said_more(verdict.pred, verdict.pred_read)
            value.similarity = verdict.similarity
            value.gold_path = verdict.gold_path or None
            value.pred_path = verdict.pred_path or None
        named = {"field": verdict.field, "name": "name", "verdict": "word"}
        head = msgspec.json.encode(named).decode()[:-1] + ',"gold":'
        texts = form.judged.ValueTexts(number, csv_cell)
        made = texts.page_value(tuple(verdict), head, verdict.reason, cause, moved)
        assert made == msgspec.json.encode(value).decode()


def test_what_a_text_was_read_as_is_said_where_it_is_more_than_the_text() -> None:
    for form in FORMS:
        said = form.judged.said_more
        assert said("1.000,00", "1000.00") == "1000.00"
        assert said(None, "x") is said("x", None) is said("x", "") is None
        assert said("Main  Street", "main street") is None
        assert said("x", "y" * 5_000) == "y" * 2_000


def test_half_of_a_surrogate_pair_stays_in_a_text_that_is_quoted() -> None:
    for form in FORMS:
        assert form.judged.quoted('\ud800"') == '"\ud800\\""'
        assert json.loads(form.judged.quoted("\ud800")) == "\ud800"
        assert form.judged.quoted(None) == "null"


@given(*[SPECIAL | st.text(alphabet="aAßẞİı \t", max_size=4)] * 2)
def test_a_text_says_the_same_without_case_and_white_space(read: str, text: str) -> None:
    words, others = ([*map(str.casefold, each.split())] for each in (read, text))
    for form in FORMS:
        assert form.judged.is_same_text(read, text) is (words == others)
        assert form.judged.is_same_text(text.casefold(), text)
