"""Slices: each is scored as if its documents were all there are; totals stay as they were."""

from __future__ import annotations

import pytest

import docassay as da

SCHEMA = {
    "type_field": "kind",
    "types": {"bill": {"fields": ["kind", "x", "y"]}, "note": {"fields": ["kind", "x", "y"]}},
    "fields": {"x": "text", "y": "money"},
}
GOLD = {
    "a": {"kind": "bill", "x": "tea", "y": "1"},
    "b": {"kind": "bill", "x": "rye", "y": "2"},
    "c": {"kind": "note", "x": "oak", "y": "3"},
    "d": {"x": "elm", "y": "4"},
    "e": {"kind": "note", "x": "ash", "y": "5"},
}
PRED = {
    "a": {"kind": "bill", "x": "tea", "y": "7"},
    "b": {"kind": "bill", "x": "rye"},
    "c": {"kind": "note", "x": "oak", "y": "3"},
    "d": {"x": "fir", "y": "9"},
    "e": {"kind": "note", "x": "ask", "y": "5"},
}
PARTS = {"bill": "ab", "note": "ce", "(none)": "d"}
METRICS = ["entity", "kieval", "fields"]


def score(ids: str, by: str | None = None) -> da.Report:
    gold = {id: GOLD[id] for id in ids}
    pred = {id: PRED[id] for id in ids}
    return da.score(gold, pred, schema=SCHEMA, metrics=METRICS, by=by)


@pytest.fixture(scope="module")
def sliced() -> da.Report:
    return score("abcde", by="type")


@pytest.mark.parametrize("name", PARTS)
def test_a_slice_is_scored_as_if_its_documents_were_all_there_are(
    name: str, sliced: da.Report
) -> None:
    alone = {one.address: one for one in score(PARTS[name]).scores if not one.key}
    part = {one.address: one for one in sliced.scores if one.slice == f"type={name}"}
    assert {address.removesuffix(f"[type={name}]") for address in part} == set(alone)
    for address, other in alone.items():
        entry = part[f"{address}[type={name}]"]
        assert (entry.value, entry.support) == (other.value, other.support)
        assert (entry.low, entry.high) == (other.low, other.high)


def test_totals_are_those_of_all_documents_whether_or_not_there_are_slices(
    sliced: da.Report,
) -> None:
    totals = [one for one in sliced.scores if not one.slice]
    assert totals == list(score("abcde").scores)
    assert sliced["entity.tp"].value == 9


def test_slices_stand_in_the_order_of_their_names_and_hold_no_fields(sliced: da.Report) -> None:
    slices = [one for one in sliced.scores if one.slice]
    names = [*dict.fromkeys(one.slice for one in slices)]
    assert names == ["type=(none)", "type=bill", "type=note"]
    assert not any(one.key for one in slices)


def test_a_tag_makes_slices_of_its_own() -> None:
    scorer = da.Scorer(metrics=["entity"])
    for id, shop in (("a", "north"), ("b", "south"), ("c", "north"), ("d", "")):
        scorer.add(id, GOLD[id], PRED[id], tags={"shop": shop} if shop else {})
    report = scorer.report(by="shop")
    right = {name: report[f"entity.tp[shop={name}]"].value for name in ("north", "south", "(none)")}
    assert right == {"north": 5, "south": 2, "(none)": 0}
    assert report["entity.tp"].value == 7


def test_each_document_has_a_line_of_its_own_numbers() -> None:
    report = score("abcde")
    assert [line.id for line in report.lines] == [*"abcde"]
    for line in report.lines:
        alone = score(line.id)
        assert line.type == GOLD[line.id].get("kind", "")
        assert line.scores["entity.f1"] == alone["entity.f1"].value
        assert line.scores["kieval.aligned"] == alone["kieval.aligned"].value
        assert line.fields == {path: alone[f"aligned@{path}"].value for path in line.fields}
        assert line.score == alone["aligned"].value
        assert line.exact == bool(alone["documents"].value)


def test_the_accuracy_of_a_document_is_the_mean_of_its_fields() -> None:
    lines = {line.id: line.scores["fields.overall_accuracy"] for line in score("abcde").lines}
    expected = {id: score(id)["fields.overall_accuracy"].value for id in "abcde"}
    assert lines == pytest.approx(expected)
