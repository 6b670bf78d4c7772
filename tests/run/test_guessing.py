"""Types guessed from gold: made once, from some of it, kept in the plan, and open about itself."""

from __future__ import annotations

import datetime
import gc
import json
import os
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import msgspec
import pydantic
import pytest

import docassay as da
from docassay.api.score import score_run
from docassay.errors import ConfigurationError, DataError
from docassay.load import files
from docassay.load.format import FORMATS, Record
from docassay.load.wire import clean_tree
from docassay.matching.case import Case, GivenTrees, Layouts, make_cases
from docassay.run import guessing
from docassay.run.guessing import MOST_GUESSED, OtherChoice, chosen_records
from docassay.run.ledger import join, read_ledger
from docassay.run.open import open_run
from docassay.run.options import Options
from docassay.run.plan import Plan
from docassay.run.score import score_trees

GOLD = {
    "a": {"total": "$10.00", "date": "16 May 2025", "name": "Acme", "items": [{"price": "$5"}]},
    "b": {"total": "$7.50", "date": "17 May 2025", "name": "Bolt", "items": [{"price": "$7"}]},
}
PRED = {
    "a": {"total": "10", "date": "2025-05-16", "name": "ACME", "items": [{"price": "5.00"}]},
    "b": {"total": "7.5", "date": "2025-05-17", "name": "Bolt", "items": [{"price": "8"}]},
}


def write(path: Path, trees: dict[str, dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps({"id": id, **tree}) + "\n" for id, tree in trees.items()))
    return path


def types_of(plan: Plan) -> dict[str, str]:
    assert plan.schema is not None
    groups = [field for group in plan.schema.groups for field in group.fields]
    return {field.path: field.type for field in (*plan.schema.fields, *groups)}


TYPES = {"total": "money", "date": "date", "name": "text", "items.price": "money"}


def test_without_a_schema_types_come_from_gold(tmp_path: Path) -> None:
    gold, pred = write(tmp_path / "gold.jsonl", GOLD), write(tmp_path / "pred.jsonl", PRED)
    run = score_run(gold, pred)
    plan = run.ledger.header.plan
    assert plan.guessed
    assert types_of(plan) == TYPES
    assert run.report["kieval.aligned"].value == 7 / 8
    assert run.report.about == "types guessed from gold: 2 money, 1 date, 1 text"
    assert "|schema:guessed." in run.report.signature
    assert da.score(GOLD, PRED)["kieval.aligned"].value == 7 / 8


def test_types_text_is_plain_equality() -> None:
    gold, pred = {"a": {"x": "A  Co", "y": "Acme"}}, {"a": {"x": "A Co", "y": "ACME"}}
    report = da.score(gold, pred, types="text")
    assert report["kieval.aligned"].value == 0.5
    assert report.about == "values compared as text"
    assert "|schema:none" in report.signature


def test_a_name_goes_with_the_types_of_a_schema() -> None:
    named = {"name": "invoices", "fields": {"total": "money"}}
    assert da.score(GOLD, PRED, schema=named).about == "types from the schema invoices"
    assert (
        da.score(GOLD, PRED, schema={"fields": {"total": "money"}}).about == "types from the schema"
    )


def test_another_word_for_types_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'texts'"):
        da.score(GOLD, PRED, types="texts")
    with pytest.raises(ConfigurationError, match="'texts'"):
        da.Scorer(types="texts")


def test_formats_of_benchmarks_keep_text() -> None:
    protocols = {entry.name for entry in FORMATS.entries() if entry.protocol is True}
    named = "kieval-csv cord sroie funsd docile bio tags vrdu kleister"
    assert protocols == {*named.split()}


@pytest.mark.parametrize("benchmark", [True, False])
def test_parquet_keeps_text_for_the_data_set_of_a_benchmark(
    tmp_path: Path, benchmark: bool
) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    tree = {"total": {"total_price": "5.00"}}
    truth = [json.dumps({"gt_parse": tree}), json.dumps({"gt_parse": tree})]
    columns = {"ground_truth": truth} if benchmark else {"total": ["5.00", "7.50"]}
    path = tmp_path / "gold.parquet"
    pq.write_table(pa.table({"id": ["a", "b"], **columns}), path)
    assert FORMATS.get("parquet").keeps_text(path) is benchmark
    assert open_run(path, path).bound.plan.guessed is not benchmark


def test_the_format_of_gold_decides(tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    gold.mkdir()
    (gold / "a.txt").write_text(
        '{"company": "x", "date": "16/05/2025", "address": "", "total": "5.00"}'
    )
    pred = write(tmp_path / "pred.jsonl", {"a": {"total": "5"}})
    assert not open_run(gold, pred, Options(gold_format="sroie")).bound.plan.guessed
    assert open_run(pred, gold, Options(pred_format="sroie")).bound.plan.guessed


def test_the_order_of_documents_does_not_change_the_signature(tmp_path: Path) -> None:
    paths = [
        write(tmp_path / f"{name}.jsonl", dict(pairs))
        for name, pairs in (("one", GOLD.items()), ("two", reversed(GOLD.items())))
    ]
    first, second = (open_run(path, PRED).bound.signature for path in paths)
    assert first == second


def test_ledgers_of_different_guesses_do_not_join() -> None:
    other = {"c": {"total": "many"}, "d": {"total": "few"}}
    first, second = score_run(GOLD, PRED).ledger, score_run(other, other).ledger
    with pytest.raises(ConfigurationError, match="different plans"):
        join((first, second))


def test_a_kept_run_goes_on_only_by_the_same_types(tmp_path: Path) -> None:
    gold, pred = write(tmp_path / "gold.jsonl", GOLD), write(tmp_path / "pred.jsonl", PRED)
    out = tmp_path / "run"
    score_run(gold, pred, out=out)
    assert read_ledger(out).header.plan.guessed
    assert score_run(gold, pred, out=out, resume=True).report["kieval.aligned"].value == 7 / 8
    with pytest.raises(ConfigurationError):
        score_run(gold, pred, out=out, resume=True, types="text")


@pytest.mark.parametrize("count", [0, 5, MOST_GUESSED, MOST_GUESSED + 500])
def test_a_bounded_number_of_documents_is_chosen_by_id(count: int) -> None:
    records = [Record(f"d{number}", {"n": number}, "") for number in range(count)]
    chosen = chosen_records(records)
    assert len(chosen) == min(count, MOST_GUESSED)
    assert chosen == chosen_records(reversed(records))


def test_a_stream_is_held_and_read_once() -> None:
    reads = []

    def stream():
        for id, tree in GOLD.items():
            reads.append(id)
            yield id, tree

    assert da.score(stream(), PRED)["kieval.aligned"].value == 7 / 8
    assert reads == [*GOLD]


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = write(tmp_path / "gold.jsonl", GOLD).read_text()
    writer = threading.Thread(target=pipe.write_text, args=(content,))
    writer.start()
    report = da.score(pipe, PRED)
    writer.join()
    assert report["kieval.aligned"].value == 7 / 8


def test_only_the_first_of_a_stream_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docassay.run.open.MOST_GUESSED", 2)
    trees = [("a", {"x": "5.00"}), ("b", {"x": "7.00"}), ("c", {"x": "many", "y": "16 May 2025"})]
    prepared = open_run(iter(trees), dict(trees))
    assert types_of(prepared.bound.plan) == {"x": "money"}
    assert [pair.id for pair in prepared.pairing] == ["a", "b", "c"]


def test_a_large_file_is_sampled_from_end_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGE", 1_000)
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(f'{{"id": "d{number}", "n": "{number}"}}\n' for number in range(900)))
    with files.sampling(20):
        lines = [json.loads(line) for _, line in files.numbered_lines(path)]
    numbers = [int(line["n"]) for line in lines]
    assert len(numbers) == 20
    assert numbers == sorted(set(numbers))
    assert max(after - before for before, after in pairwise(numbers)) < 60
    assert numbers[0] == 0
    with files.sampling(5_000):
        assert sum(1 for _ in files.numbered_lines(path)) == 900
    assert sum(1 for _ in files.numbered_lines(path)) == 900


def test_a_large_folder_is_sampled_from_end_to_end(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number:02}.json").write_text("{}")
    with files.sampling(10):
        names = [file.stem for file in files.files(tmp_path, (".json",))]
    assert names == [f"{number:02}" for number in range(0, 30, 3)]
    assert len(files.files(tmp_path, (".json",))) == 30


@pytest.mark.parametrize(("large", "readings"), [(1 << 22, 1), (10, 2)])
def test_only_a_large_gold_is_read_again_to_guess_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: int, readings: int
) -> None:
    decoded: list[bytes] = []

    def counted(data: bytes) -> object:
        decoded.append(data)
        return clean_tree(data)

    monkeypatch.setattr(files, "LARGE", large)
    monkeypatch.setattr("docassay.load.records.clean_tree", counted)
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    lines = [f'{{"id": "d{n}", "n": "{n}.50"}}\n' for n in range(30)]
    for path in (gold, pred):
        path.write_text("".join(lines))
    prepared = open_run(gold, pred)
    assert types_of(prepared.bound.plan) == {"n": "money"}
    assert len([*prepared.pairing]) == 30
    assert Counter(decoded) == {line.encode(): readings + 1 for line in lines}  # one is of pred


def test_values_that_contradict_the_guess_are_named() -> None:
    gold = {f"d{number:03}": {"total": f"{number}.50"} for number in range(100)}
    for number in range(4):
        gold[f"d{number:03}"] = {"total": "free"}
    assert da.score(gold, gold).notes == ()  # where they make no difference they are not read
    pred = {id: {"total": f"{tree['total']} of charge"} for id, tree in gold.items()}
    (note,) = da.score(gold, pred).notes
    assert note.startswith("total was guessed to be money, but 4 values of gold are not: 'free'")
    assert "(d000)" in note
    gold["d000"] = {"total": "0.50"}
    assert da.score(gold, gold).notes == ()


def test_fields_that_were_not_among_the_sample_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docassay.run.open.MOST_GUESSED", 1)
    monkeypatch.setattr("docassay.analysis.notes.MOST_GUESSED", 1)
    gold = [("a", {"x": "5"}), ("b", {"x": "5", "late": "ACME"})]
    pred = [("a", {"x": "5"}), ("b", {"x": "5", "late": "Acme"})]
    report = da.score(iter(gold), pred)
    assert any("compared as text: late" in note for note in report.notes)
    assert report["kieval.aligned"].value == 1.0


def test_what_the_other_choice_would_give_is_said() -> None:
    def notes(**options: str) -> list[str]:
        return [note for note in score_run(GOLD, PRED, **options).notes if "would be" in note]

    (typed,), (plain,) = notes(), notes(types="text")
    assert "compared as text, aligned would be 0.125 instead of 0.875" in typed
    assert "--types text" in typed
    assert "guessed from gold, aligned would be 0.875 instead of 0.125" in plain
    assert "estimated on 2 documents" in plain


def test_the_other_choice_leaves_out_the_same_fields() -> None:
    gold = {"a": {"total": "5.00", "why": "x"}, "b": {"total": "6.00", "why": "y"}}
    pred = {"a": {"total": "5.00", "why": "z"}, "b": {"total": "6.00", "why": "z"}}
    notes = score_run(gold, pred, ignore=["why"]).notes
    assert not any("would be" in note for note in notes)


def test_a_choice_that_makes_no_difference_is_not_mentioned() -> None:
    same = {"a": {"x": "5"}, "b": {"x": "6"}}
    for types in ("auto", "text"):
        assert not any("would be" in note for note in score_run(same, same, types=types).notes)
    entity = score_run(GOLD, PRED, metrics=["entity"]).notes
    assert not any("would be" in note for note in entity)


def test_the_other_choice_is_estimated_on_few_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "MOST_COMPARED", 3)
    gold = {f"d{number}": {"x": f"{number}.00"} for number in range(9)}
    pred = {id: {"x": tree["x"].removesuffix(".00")} for id, tree in gold.items()}
    notes = score_run(gold, pred).notes
    assert any("estimated on 3 documents" in note for note in notes)


@dataclass
class PaidLine:
    price: float


@dataclass
class PaidInvoice:
    total: float
    when: datetime.date
    lines: list[PaidLine]


class PaidModel(pydantic.BaseModel):
    total: float
    when: datetime.date
    lines: list[PaidLine]


class PaidStruct(msgspec.Struct):
    total: float
    when: datetime.date
    lines: list[PaidLine]


@pytest.mark.parametrize("kind", [PaidInvoice, PaidModel, PaidStruct])
@pytest.mark.parametrize("listed", [True, False])
def test_declared_types_serve_instead_of_a_guess(kind, listed) -> None:
    instance = kind(total=5.0, when=datetime.date(2025, 5, 1), lines=[PaidLine(5.0)])
    gold = [("a", instance)] if listed else {"a": instance}
    plan = open_run(gold, {"a": {}}).bound.plan
    assert not plan.guessed
    assert types_of(plan) == {"total": "number", "when": "date", "lines.price": "number"}
    assert plan.schema is not None
    assert plan.schema.extra == "count"
    assert plan.schema.name == kind.__name__


def test_a_scorer_guesses_over_what_was_added() -> None:
    scorer = da.Scorer()
    for id, tree in GOLD.items():
        scorer.add(id, tree, PRED[id])
    assert len(scorer) == 2
    report = scorer.report()
    assert report["kieval.aligned"].value == 7 / 8
    assert report.about == da.score(GOLD, PRED).about
    scorer.add("c", {"total": "many", "late": "5.00"}, {})
    assert scorer.report().documents == 3
    assert types_of(scorer.ledger().header.plan)["total"] == "text"
    scorer.reset()
    assert len(scorer) == 0


def test_a_scorer_by_text_scores_at_once() -> None:
    scorer = da.Scorer(types="text")
    scorer.add("a", GOLD["a"], PRED["a"])
    assert scorer.report().about == "values compared as text"


def test_a_document_may_change_after_it_was_added() -> None:
    scorer, gold = da.Scorer(), {"x": "5.00"}
    scorer.add("a", gold, {"x": "5.00"})
    gold["x"] = "6.00"
    assert scorer.report()["kieval.aligned"].value == 1.0
    with pytest.raises(DataError, match="added before"):
        scorer.add("a", gold, {"x": "5.00"})
    scorer.add("a", {"x": "5.00"}, {"x": "5.00"})
    assert len(scorer) == 1


def test_a_guess_stands_once_enough_was_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "MOST_GUESSED", 2)
    scorer = da.Scorer()
    for id, tree in GOLD.items():
        scorer.add(id, tree, PRED[id])
    before = scorer.ledger().header.plan
    scorer.add("c", {"total": "many"}, {"total": "many"})
    assert scorer.ledger().header.plan == before
    assert len(scorer) == 3


def test_scorers_merge_with_one_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = da.score(GOLD, PRED)
    first, second = da.Scorer(), da.Scorer()
    first.add("a", GOLD["a"], PRED["a"])
    second.add("b", GOLD["b"], PRED["b"])
    first.merge(second)
    assert first.report()["kieval.aligned"] == whole["kieval.aligned"]
    monkeypatch.setattr(guessing, "MOST_GUESSED", 1)
    settled, other = da.Scorer(), da.Scorer()
    settled.add("c", {"total": "many"}, {"total": "many"})
    other.add("d", {"sum": "5.00"}, {"sum": "5.00"})
    with pytest.raises(ConfigurationError, match="different plans"):
        settled.merge(other)
    first.merge(settled)
    assert len(first) == 3
    with pytest.raises(ConfigurationError, match="different plans"):
        first.merge(da.Scorer(metrics=["entity"]))


def test_what_is_too_large_is_not_scored_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "MOST_LEAVES", 7)
    assert not any("would be" in note for note in score_run(GOLD, PRED).notes)
    monkeypatch.setattr(guessing, "MOST_LEAVES", 8)
    assert any("estimated on 1 document;" in note for note in score_run(GOLD, PRED).notes)


def test_the_estimate_is_made_once_when_notes_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    cases: list[str] = []

    def counted(given: Sequence[GivenTrees], layouts: Layouts) -> list[Case]:
        cases.extend(each.id for each in given)
        return make_cases(given, layouts)

    monkeypatch.setattr(guessing, "make_cases", counted)
    report = da.score(GOLD, PRED, types="text")
    assert report["kieval.aligned"].value is not None
    assert not cases
    first = report.notes
    assert any("would be" in note for note in first)
    assert sorted(cases) == ["a", "b"]
    assert report.notes == first
    assert len(cases) == 2


@pytest.mark.parametrize("types", ["auto", "text"])
def test_the_estimate_takes_what_the_run_has_counted(
    monkeypatch: pytest.MonkeyPatch, types: str
) -> None:
    cases: list[str] = []

    def counted(given: Sequence[GivenTrees], layouts: Layouts) -> list[Case]:
        assert not gc.isenabled()
        cases.extend(each.id for each in given)
        return make_cases(given, layouts)

    monkeypatch.setattr(guessing, "make_cases", counted)
    prepared = open_run(GOLD, PRED, Options(types=types))
    pairs, other = [*prepared.pairing], OtherChoice(prepared.bound)
    for pair in pairs:
        other.watch(pair, score_trees(pair.id, *pair.trees, prepared.bound))
    late = other.notes()
    (note,) = late
    assert [*late] == [note]  # as it was worked out
    assert sorted(cases) == ["a", "b"]
    assert [note] == [*other.notes_of(pairs)]
    assert len(cases) == 6
