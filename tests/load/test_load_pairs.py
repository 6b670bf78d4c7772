"""Pairing gold with pred: by id, by stem, by position, and what is said about the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import DataError
from docassay.load.format import Record
from docassay.load.pairing import Paired, Pairing, pair, stem
from docassay.load.source import Documents, Source, open_records
from docassay.model.problem import Problem, ProblemCode


def paired(gold: Documents, pred: Documents) -> tuple[list[Paired], Pairing]:
    pairing = pair(open_records(gold), open_records(pred))
    return [*pairing], pairing


def ids(pairs: list[Paired]) -> list[tuple[str, str | None]]:
    return [(p.id, None if p.pred is None else p.pred.id) for p in pairs]


def names(*record_ids: str) -> list[tuple[str | None, object]]:
    return [(record_id, {}) for record_id in record_ids]


STEMS = [
    ("a.png", "a"),
    ("scans/a.PDF", "a"),
    ("C:\\scans\\a.jpeg", "a"),
    ("doc.1", "doc.1"),
    ("doc.page1.png", "doc.page1"),
    ("No.5", "No.5"),
    ("a", "a"),
]


@pytest.mark.parametrize(("record_id", "expected"), STEMS)
def test_a_stem_is_a_file_name_without_folder_and_suffix(record_id: str, expected: str) -> None:
    assert stem(record_id) == expected


def test_equal_ids_pair_in_gold_order() -> None:
    pairs, pairing = paired(names("b", "a"), names("a", "b"))
    assert ids(pairs) == [("b", "b"), ("a", "a")]
    assert (pairing.problems, pairing.notes) == ([], [])


def test_a_gold_without_prediction_is_paired_with_none_and_named() -> None:
    pairs, pairing = paired(names("a", "b"), names("a"))
    assert ids(pairs) == [("a", "a"), ("b", None)]
    assert [(p.document, p.side, p.where) for p in pairing.problems] == [("b", "pred", "item 2")]


def test_a_prediction_without_gold_is_named() -> None:
    pairs, pairing = paired(names("a"), names("a", "z"))
    assert ids(pairs) == [("a", "a")]
    assert [(p.document, p.side, p.where) for p in pairing.problems] == [("z", "pred", "item 2")]


def test_a_stem_pairs_when_no_id_is_equal() -> None:
    pairs, pairing = paired(names("x/a.png", "b"), names("b", "a"))
    assert ids(pairs) == [("x/a.png", "a"), ("b", "b")]
    assert pairing.notes == ["paired by file name without folder and suffix: 1"]
    assert pairing.problems == []


def test_a_part_of_a_name_never_pairs() -> None:
    pairs, _ = paired(names("invoice_1"), names("invoice_10"))
    assert ids(pairs) == [("invoice_1", None)]


COLLISIONS = [
    pytest.param(("a.png", "a.pdf"), ("a",), id="in gold"),
    pytest.param(("a.png",), ("a.pdf", "a.jpg"), id="in pred"),
    pytest.param(("x/a", "y/a"), ("x/a", "z/a"), id="one of them paired by id"),
    pytest.param(("y/a", "x/a"), ("z/a", "x/a"), id="the same in another order"),
]


@pytest.mark.parametrize(("gold", "pred"), COLLISIONS)
def test_a_shared_stem_that_is_needed_is_an_error(
    gold: tuple[str, ...], pred: tuple[str, ...]
) -> None:
    with pytest.raises(DataError, match="'a' could be any of"):
        paired(names(*gold), names(*pred))


def test_a_shared_stem_that_is_not_needed_is_no_matter() -> None:
    gold, pred = names("y/a", "x/a", "z/a"), names("x/a", "y/a")
    assert ids(paired(gold, pred)[0]) == [("y/a", "y/a"), ("x/a", "x/a"), ("z/a", None)]


@given(st.lists(st.sampled_from(["a", "a.png", "x/a", "b", "b.pdf", "c"]), unique=True), st.data())
def test_pairs_do_not_depend_on_the_order_of_documents(
    pred: list[str], data: st.DataObject
) -> None:
    gold = ["a", "x/b.png", "c.png"]

    def outcome(golds: list[str], preds: list[str]) -> object:
        try:
            return sorted(ids(paired(names(*golds), names(*preds))[0]))
        except DataError:
            return "error"

    shuffled = data.draw(st.permutations(gold)), data.draw(st.permutations(pred))
    assert outcome(gold, pred) == outcome(*shuffled)


@pytest.mark.parametrize(("tree", "kind"), [({"t": 1}, "the same"), ({"t": 2}, "different")])
@pytest.mark.parametrize("side", ["gold", "pred"])
def test_a_duplicate_id_keeps_the_first_and_says_whether_they_differ(
    side: str, tree: object, kind: str
) -> None:
    once: list[tuple[str | None, object]] = [("a", {"t": 1})]
    twice = [*once, ("a", tree)]
    pairs, pairing = paired(twice, once) if side == "gold" else paired(once, twice)
    assert [(p.gold and p.gold.tree, p.pred and p.pred.tree) for p in pairs] == [
        ({"t": 1}, {"t": 1})
    ]
    assert [(p.document, p.side) for p in pairing.problems] == [("a", side)]
    assert f"here with {kind} content" in pairing.problems[0].message
    assert pairing.problems[0].code == ProblemCode.DUPLICATE_ID


def test_records_without_ids_pair_by_position() -> None:
    pairs, pairing = paired([(None, {"t": 1}), (None, {"t": 2})], [(None, {}), (None, {"u": 1})])
    assert [(p.id, p.pred and p.pred.tree) for p in pairs] == [("1", {}), ("2", {"u": 1})]
    assert pairing.notes == ["no ids: paired by position, 2 documents"]


def test_ids_of_one_side_name_pairs_by_position() -> None:
    assert ids(paired([(None, {})], names("x"))[0]) == [("x", "x")]
    assert ids(paired(names("x"), [(None, {})])[0]) == [("x", None)]


def test_unequal_counts_without_ids_are_an_error_that_says_both() -> None:
    with pytest.raises(DataError, match="2 of gold and 1 of pred"):
        paired([(None, {}), (None, {})], [(None, {})])


def test_a_gold_that_cannot_be_read_is_left_out_and_named() -> None:
    pairs, pairing = paired([("a", None), ("b", {})], names("a", "b"))
    assert ids(pairs) == [("b", "b")]
    assert [(p.document, p.side) for p in pairing.problems] == [("a", "gold")]


def test_a_prediction_that_cannot_be_read_is_paired_without_tree() -> None:
    pairs, _ = paired(names("a"), [("a", None)])
    assert pairs[0].pred == Record("a", None, "item 1")


def test_problems_of_a_loader_get_their_side() -> None:
    flaw = Problem(ProblemCode.BROKEN_ENTRY, "a", "", "", "is odd", "f:1")
    gold = Source(iter([flaw, Record("a", {}, "f:1")]), "python", guessed=False, name="g")
    pairing = pair(gold, open_records(names("a")))
    assert ids([*pairing]) == [("a", "a")]
    assert pairing.problems == [flaw._replace(side="gold")]


def test_a_guessed_format_is_a_note(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id":"a"}\n')
    _, pairing = paired(path, names("a"))
    assert pairing.notes == [f"gold: {path} is read as jsonl"]


def test_gold_is_streamed_while_ids_are_equal() -> None:
    read: list[str] = []

    def golds() -> object:
        for name in ("a", "b"):
            read.append(name)
            yield name, {}

    pairing = pair(open_records(golds()), open_records(names("a", "b")))  # type: ignore[arg-type]
    next(iter(pairing))
    assert read == ["a"]
