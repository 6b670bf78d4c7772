"""Pairing gold with pred: by id, by stem, by position, and what is said about the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import DataError
from docassay.load.files import stem
from docassay.load.format import Record
from docassay.load.pairing import Paired, Pairing, pair
from docassay.load.source import Documents, Source, open_records
from docassay.model.document import Number
from docassay.model.problem import Problem, ProblemCode
from docassay.schema.source import load_schema


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
    with pytest.raises(DataError, match="no prediction has the id of a gold document"):
        paired(names("invoice_1"), names("invoice_10"))


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


@pytest.mark.parametrize(
    ("tree", "kind"),
    [
        pytest.param({"t": Number("1.5"), "u": "a"}, "the same", id="equal"),
        pytest.param({"t": "1.5", "u": "a"}, "different", id="a text is no number"),
        pytest.param({"u": "a", "t": Number("1.5")}, "different", id="keys in another order"),
    ],
)
@pytest.mark.parametrize("held", [True, False])
def test_a_repeated_gold_says_the_same_whether_its_records_are_held_or_not(
    held: bool, tree: object, kind: str
) -> None:
    first = {"t": Number("1.5"), "u": "a"}
    records = iter([Record("a", first, "1"), Record("a", tree, "2"), Record("b", first, "3")])
    gold = Source(records, "jsonl", guessed=False, name="gold", held=held)
    pairing = pair(gold, open_records([("a", first), ("b", first)]))
    assert [each.id for each in pairing] == ["a", "b"]
    assert [problem.where for problem in pairing.problems] == ["2"]
    assert f"here with {kind} content" in pairing.problems[0].message


def test_records_without_ids_pair_by_position() -> None:
    pairs, pairing = paired([(None, {"t": 1}), (None, {"t": 2})], [(None, {}), (None, {"t": 1})])
    assert [(p.id, *p.trees) for p in pairs] == [("1", {"t": 1}, {}), ("2", {"t": 2}, {"t": 1})]
    assert pairing.notes == pairing.remarks == ["no ids: paired by position, 2 documents"]


@pytest.mark.parametrize("side", ["gold", "pred"])
def test_ids_of_one_side_alone_are_an_error_that_names_the_option(side: str) -> None:
    unnamed: list[tuple[str | None, object]] = [(None, {"ref": {"n": "x"}}), (None, {})]
    given = (unnamed, names("x", "y")) if side == "gold" else (names("x", "y"), unnamed)
    with pytest.raises(DataError, match=f"{side} has none.*--{side}-id ref.n"):
        paired(*given)


def test_unequal_counts_without_ids_are_an_error_that_says_both() -> None:
    with pytest.raises(DataError, match="2 of gold and 1 of pred"):
        paired([(None, {}), (None, {})], [(None, {})])


def test_a_gold_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(DataError, match="item 2: gold document b is None"):
        paired([("a", {}), ("b", None)], names("a", "b"))


def test_a_prediction_that_cannot_be_read_is_paired_without_tree() -> None:
    pairs, _ = paired(names("a", "b"), [("a", None), ("b", {})])
    assert pairs[0].pred == Record("a", None, "item 1")


def test_predictions_none_of_which_can_be_read_are_an_error() -> None:
    with pytest.raises(DataError, match="none of its documents can be read"):
        paired(names("a"), [("a", None)])


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


def unnamed(*trees: object) -> list[tuple[str | None, object]]:
    return [(None, tree) for tree in trees]


AMONG_FIELDS = [
    pytest.param(
        names("a", "b"), unnamed({"Doc": "b.pdf"}, {"Doc": "a.pdf"}), ["a.pdf", "b.pdf"], id="pred"
    ),
    pytest.param(unnamed({"uid": "a"}, {"uid": "b"}), names("b", "a"), ["a", "b"], id="gold"),
    pytest.param(
        unnamed({"image": "a"}, {"image": "b"}),
        unnamed({"Image": "b"}, {"Image": "a"}),
        ["a", "b"],
        id="both",
    ),
    pytest.param(names("7"), unnamed({"key": 7}), ["7"], id="a number"),
]


@pytest.mark.parametrize(("gold", "pred", "pred_ids"), AMONG_FIELDS)
def test_ids_are_found_among_the_fields_by_their_values(
    gold: Documents, pred: Documents, pred_ids: list[str]
) -> None:
    pairs, pairing = paired(gold, pred)
    assert [p.pred and p.pred.id for p in pairs] == pred_ids
    assert any("ids are read from" in note for note in pairing.remarks)


def test_a_key_of_the_schema_or_of_the_other_side_holds_no_ids() -> None:
    gold: list[tuple[str | None, object]] = [("a", {"doc": "x"})]
    with pytest.raises(DataError, match="gold has ids and pred has none"):
        paired(gold, unnamed({"doc": "a"}))
    schema = load_schema({"fields": {"doc": "text"}})
    with pytest.raises(DataError, match="gold has ids and pred has none"):
        [*pair(open_records(names("a")), open_records(unnamed({"doc": "a"})), schema=schema)]


NO_IDS = [
    pytest.param({"image": "x"}, {"image": "y"}, {"image": "p"}, {"image": "q"}, id="other values"),
    pytest.param({"key": "x"}, {"key": "x"}, {"key": "x"}, {"key": "x"}, id="all the same"),
    pytest.param({"size": "x"}, {"size": "y"}, {"size": "y"}, {"size": "x"}, id="another name"),
]


@pytest.mark.parametrize(("first", "second", "third", "fourth"), NO_IDS)
def test_values_that_are_no_ids_leave_pairing_to_position(
    first: object, second: object, third: object, fourth: object
) -> None:
    pairs, _ = paired(unnamed(first, second), unnamed(third, fourth))
    assert [p.pred and p.pred.tree for p in pairs] == [third, fourth]


def test_keys_that_are_ids_by_name_must_share_one() -> None:
    gold, pred = ({"doc_id": "x"}, {"doc_id": "y"}), ({"Doc ID": "p"}, {"Doc ID": "q"})
    with pytest.raises(DataError, match="gold has ids and pred has none"):
        paired(unnamed(*gold), unnamed(*pred))


@pytest.mark.parametrize("side", ["gold", "pred"])
def test_a_table_with_an_id_column_is_not_paired_by_position_with_one_that_has_none(
    tmp_path: Path, side: str
) -> None:
    tables = {"named": "doc_id,total\nx,5\ny,6\n", "other": "Beleg,total\ny,6\nx,5\n"}
    files = {name: tmp_path / f"{name}.csv" for name in tables}
    for name, text in tables.items():
        files[name].write_text(text)
    gold, pred = (files["other"], files["named"])[:: 1 if side == "gold" else -1]
    with pytest.raises(DataError, match=f"{side} has none.*--{side}-id Beleg"):
        paired(gold, pred)
    files["other"].write_text("image,total\ny,6\nx,5\n")
    pairs, _ = paired(gold, pred)
    assert [p.gold and p.gold.tree for p in pairs] == [p.pred and p.pred.tree for p in pairs]


def test_an_id_column_that_repeats_itself_leaves_pairing_to_position(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.csv", tmp_path / "pred.csv"
    gold.write_text("nr,total\nx,5\ny,6\n")
    pred.write_text("doc_id,total\nx,5\nx,6\n")
    pairs, pairing = paired(gold, pred)
    assert len(pairs) == 2
    assert "no ids: paired by position, 2 documents" in pairing.remarks


LEAF = {"value": "$8.00", "confidence": 0.9}
OFFERED = [
    ({"t": 1, "Datum": "a"}, {"t": 1, "date": "A."}, "--map date=Datum"),
    ({"t": 1, "rows": [{"x": "8.00"}]}, {"t": 1, "items": [{"y": LEAF}]}, "--map items.y=rows.x"),
    ({"t": 1, "Datum": "a"}, {"t": 1, "date": "b"}, ""),
    ({"t": 1, "Datum": ""}, {"t": 1, "date": ""}, ""),
    ({"t": 1, "Datum": "a", "date": "b"}, {"t": 1, "date": "a"}, ""),
    ({"t": 1, "Datum": "a"}, {"t": 1, "Datum": "b", "date": "a"}, ""),
]


@pytest.mark.parametrize(("gold", "pred", "option"), OFFERED)
def test_fields_with_equal_values_under_other_names_are_noted_with_the_option(
    gold: object, pred: object, option: str
) -> None:
    _, pairing = paired([("a", gold), ("b", gold)], [("a", pred), ("b", pred)])
    note = [f"equal values under other names: {option} compares them"] if option else []
    assert pairing.remarks == note
    _, pairing = paired([("a", gold)], [("a", pred)])
    assert pairing.remarks == []


def test_equal_values_in_few_documents_are_no_offer() -> None:
    golds = [(str(at), {"t": 1, "x": str(at)}) for at in range(5)]
    preds = [(str(at), {"t": 1, "y": str(at % 2 + 7 * (at > 1))}) for at in range(5)]
    _, pairing = paired(golds, preds)
    assert pairing.remarks == []


def test_names_that_the_schema_knows_are_not_offered() -> None:
    schema = load_schema({"fields": {"Datum": {"type": "text", "aliases": ["date"]}, "t": "id"}})
    golds = [(id, {"t": 1, "Datum": "a"}) for id in "ab"]
    preds = [(id, {"t": 1, "date": "a"}) for id in "ab"]
    pairing = pair(open_records(golds), open_records(preds), schema=schema)
    assert len([*pairing]) == 2
    assert not any("other names" in note for note in pairing.remarks)


def test_few_predictions_are_the_first_note() -> None:
    _, pairing = paired(names("a", "b", "c"), names("a"))
    assert pairing.notes[0] == "only 1 of 3 gold documents have a prediction"
    assert pairing.remarks == pairing.notes
    _, pairing = paired(names("a", "b"), names("a"))
    assert pairing.remarks == []


def test_a_response_of_gold_that_holds_no_record_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id":"a","response":"{\\"t\\": 1}"}\n{"id":"b","response":"ERROR: 429"}\n')
    with pytest.raises(DataError, match=r"gold.jsonl:2: gold document b: the response is unpars"):
        paired(path, names("a", "b"))
    pairs, pairing = paired(names("a", "b"), path)
    assert len(pairs) == 2
    assert [flaw.code for flaw in pairing.problems] == [ProblemCode.UNPARSEABLE_RESPONSE]


def test_a_row_of_gold_that_is_broken_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    path.write_text("id,t,u\na,1,2\nb,1\n")
    with pytest.raises(DataError, match=r"gold.csv:3: gold document b has 2 cells for 3 columns"):
        paired(path, names("a", "b"))
    pairs, pairing = paired([("a", {"t": "1"}), ("b", {"t": "1"})], path)
    assert [p.pred and p.pred.tree for p in pairs][1] == {"t": "1"}
    assert [p.document for p in pairing.problems] == ["b"]
