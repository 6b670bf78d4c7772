"""One way into a run: the same paths give the same documents and numbers in every verb."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple, get_type_hints

import pytest

import docassay as da
from docassay.analysis.splits.make import TemplatePlace, describe
from docassay.analysis.study.shuffle import shuffle_study, sweep_study
from docassay.api.score import score_run
from docassay.cli.options import READING
from docassay.cli.score import command as score_command
from docassay.errors import ConfigurationError, DocassayError
from docassay.load.format import (
    FORMATS,
    AnnotatedTree,
    BroughtSchema,
    BroughtSettings,
    Record,
    format,
)
from docassay.model.schema import Schema
from docassay.run.find import find_document
from docassay.run.open import open_run
from docassay.run.options import Options, ReadingArgs, RunArgs
from docassay.run.score import collector_paused, digest_of_pair
from docassay.schema.source import load_schema
from docassay.synth.vrdu.corpus import write_vrdu

SCHEMA = {
    "fields": {
        "total": "money",
        "place": {"type": "text", "list": False},
        "date": "date",
    }
}
JSON_GOLD = [
    {"id": "a", "total": "$10.00", "place": "Bonn | Beuel", "date": "1 May 2025"},
    {"id": "b", "total": "7", "place": "Ulm", "date": "2 May 2025"},
]
JSON_PRED = [
    {"id": "a", "total": "10", "place": "Bonn | Beuel", "date": "2025-05-01"},
    {"id": "b", "total": "8", "place": "Ulm", "date": "2025-05-02"},
]


def write_lines(path: Path, records: list[dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def write_table(path: Path, records: list[dict[str, str]]) -> Path:
    lines = [",".join(records[0]), *(",".join(record.values()) for record in records)]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_responses(path: Path, records: list[dict[str, str]]) -> Path:
    path.mkdir()
    for record in records:
        tree = {key: value for key, value in record.items() if key != "id"}
        (path / f"{record['id']}.txt").write_text(f"Sure:\n```json\n{json.dumps(tree)}\n```\n")
    return path


WRITERS = {
    "jsonl": ("pred.jsonl", write_lines),
    "csv": ("pred.csv", write_table),
    "response": ("pred", write_responses),
}


def scored(gold: Path, pred: Path, **options: object) -> Mapping[str, tuple[str, float]]:
    """Id -> digest of the inputs, and the F1 that score gives each document."""
    run = score_run(gold, pred, metrics=["entity"], **options)  # type: ignore[arg-type]
    lines = {line.id: line.scores["entity.f1"] for line in run.report.lines}
    return {row.id: (row.digest, lines[row.id] or 0.0) for row in run.ledger.rows}


def check_all_verbs(gold: Path, pred: Path, **options: object) -> None:
    documents = scored(gold, pred, **options)
    report = da.score(gold, pred, metrics=["entity"], **options)  # type: ignore[arg-type]
    study = shuffle_study(gold, pred, metrics=["entity"], repetitions=1, **options)  # type: ignore[arg-type]
    assert study.documents == report.documents == len(documents)
    assert study["entity.f1"].before == report["entity.f1"].value
    assert study.signature.startswith(report.signature)
    assert sweep_study(gold, pred, steps=1, **options).documents == report.documents  # type: ignore[arg-type]
    for id, (digest, _) in documents.items():
        case = find_document(gold, pred, id, **options).case  # type: ignore[arg-type]
        assert digest_of_pair(case.gold.tree, case.pred.tree) == digest


@pytest.mark.parametrize("name", WRITERS)
def test_every_verb_reads_the_same_documents_of(tmp_path: Path, name: str) -> None:
    file, write = WRITERS[name]
    gold = write_lines(tmp_path / "gold.jsonl", JSON_GOLD)
    pred = write(tmp_path / file, JSON_PRED)
    check_all_verbs(gold, pred, schema=SCHEMA)
    report = da.score(gold, pred, schema=SCHEMA)
    assert report["entity.f1"].value == pytest.approx(5 / 6)


class Benchmark(NamedTuple):
    data: Path
    pred: Path

    def tested(self, split: str) -> set[str]:
        return {*json.loads((self.data / "few_shot-splits" / f"{split}.json").read_text())["test"]}

    @property
    def split(self) -> str:
        return self.pred.name.removesuffix("-test_predictions.json")


@pytest.fixture(scope="module")
def benchmark_data(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    folder = tmp_path_factory.mktemp("vrdu")
    write_vrdu(folder, docs=60, seed=1)
    first = sorted((folder / "predictions").glob("DeepForm*"))[0]
    return Benchmark(folder / "ad-buy-form", first)


def test_every_verb_takes_the_split_and_the_schema_of_a_vrdu_data_set(
    benchmark_data: Benchmark,
) -> None:
    data, pred = benchmark_data
    check_all_verbs(data, pred)
    documents = scored(data, pred)
    assert documents.keys() < describe(data, TemplatePlace()).digests.keys()
    assert {*documents} == benchmark_data.tested(benchmark_data.split)


def test_splits_know_a_document_by_the_tree_that_is_scored(tmp_path: Path) -> None:
    gold = write_table(tmp_path / "gold.csv", JSON_GOLD)
    digests = describe(gold, TemplatePlace()).digests
    pairs = {pair.id: pair for pair in open_run(gold, gold).pairing}
    assert digests.keys() == pairs.keys()
    twin = describe({"x": pairs["a"].gold.tree}, TemplatePlace())  # type: ignore[union-attr]
    assert twin.digests["x"] == digests["a"]


def test_a_split_that_the_user_names_goes_before_that_of_the_file_name(
    benchmark_data: Benchmark, tmp_path: Path
) -> None:
    data, pred = benchmark_data
    chosen = sorted(describe(data, TemplatePlace()).digests)[:3]
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"train": [], "test": chosen}))
    run = score_run(data, pred, metrics=["entity"], settings={"vrdu.split": str(own)})
    assert {row.id for row in run.ledger.rows} == {*chosen}
    assert not any("named after" in note for note in run.notes)


def test_a_schema_that_the_user_gives_goes_before_the_one_beside_the_data(
    benchmark_data: Benchmark,
) -> None:
    own = open_run(*benchmark_data, Options(schema={"fields": {"gross_amount": "money"}}))
    assert own.bound.plan.schema is not None
    assert [field.path for field in own.bound.plan.schema.fields] == ["gross_amount"]
    brought = open_run(*benchmark_data)
    assert any("meta.json is used as the schema" in note for note in brought.notes)
    assert not any("meta.json is used as the schema" in note for note in own.notes)


def test_a_format_that_is_named_brings_nothing_of_another(benchmark_data: Benchmark) -> None:
    lines = benchmark_data.data / "main" / "dataset.jsonl"
    assert open_run(lines, {"a": {}}).bound.plan.schema is not None
    named = open_run(lines, {"a": {}}, Options(gold_format="jsonl"))
    assert named.bound.plan.guessed


class Sealed(AnnotatedTree):
    """A tree with a seal beside it."""

    __slots__ = ("seal",)

    @property
    def beside(self) -> tuple[object, ...]:
        return (self.seal,)


@pytest.fixture
def sealed() -> Iterator[list[tuple[str, object]]]:
    """A format with every hook, forgotten after the test, and what was asked of it."""
    asked: list[tuple[str, object]] = []

    def schema(gold: Path) -> BroughtSchema | None:
        asked.append(("schema", gold.name))
        return BroughtSchema(load_schema({"fields": {"total": "money"}}), ("a schema",))

    def settings(gold: Path, pred: Path) -> BroughtSettings:
        asked.append(("settings", (gold.name, pred.name)))
        return BroughtSettings({"sealed.seal": pred.stem}, ("a seal",))

    def implied(schema: Schema, source: object) -> dict[str, object]:
        asked.append(("implied", source))
        return {"names": tuple(field.path for field in schema.fields), "seal": "implied"}

    @format(
        "sealed",
        sniff=lambda path, head: head.startswith(b"SEALED"),
        schema=schema,
        settings=settings,
        implied=implied,
    )
    def load(path: Path, *, seal: str = "", names: tuple[str, ...] = ()) -> Iterator[Record]:
        """Read one document with a seal."""
        tree = Sealed(dict.fromkeys(names, "5"))
        tree.seal = seal
        yield Record("x", tree, str(path))

    yield asked
    FORMATS._entries.pop("sealed")


def sealed_paths(folder: Path) -> tuple[Path, Path]:
    for name in ("gold.txt", "pred.txt"):
        (folder / name).write_text("SEALED")
    return folder / "gold.txt", folder / "pred.txt"


def test_the_hooks_of_a_format_are_asked_by_every_run(
    sealed: list[tuple[str, object]], tmp_path: Path
) -> None:
    prepared = open_run(*sealed_paths(tmp_path))
    (pair,) = prepared.pairing
    assert sealed == [
        ("schema", "gold.txt"),
        ("settings", ("gold.txt", "pred.txt")),
        ("implied", None),
        ("implied", None),
    ]
    assert pair.gold is not None
    assert (pair.gold.tree, pair.gold.tree.beside) == ({"total": "5"}, ("pred",))  # type: ignore[attr-defined]
    assert prepared.notes[-2:] == ("a schema", "a seal")
    assert "sealed.seal=pred" in prepared.bound.signature


def test_what_the_user_gives_goes_before_what_a_format_brings(
    sealed: list[tuple[str, object]], tmp_path: Path
) -> None:
    own = {"fields": {"date": "date"}}
    options = Options(schema=own, settings={"sealed.seal": "mine"})
    prepared = open_run(*sealed_paths(tmp_path), options)
    (pair,) = prepared.pairing
    assert pair.gold is not None
    assert (pair.gold.tree, pair.gold.tree.beside) == ({"date": "5"}, ("mine",))  # type: ignore[attr-defined]
    assert [one for one in sealed if one[0] != "settings"] == [("implied", own)] * 2
    assert not {"a schema", "a seal"} & {*prepared.notes}


def test_trees_in_memory_are_asked_of_no_format(sealed: list[tuple[str, object]]) -> None:
    assert open_run({"x": {}}, {"x": {}}).bound.plan.schema is None
    assert sealed == []


def test_what_stands_beside_a_tree_is_part_of_its_digest() -> None:
    one, other = Sealed({"a": "1"}), Sealed({"a": "1"})
    one.seal, other.seal = "x", "y"
    assert digest_of_pair(one, None) != digest_of_pair(other, None)
    other.seal = "x"
    assert digest_of_pair(one, None) == digest_of_pair(other, None)


def test_a_mistake_in_the_configuration_is_told_before_one_in_the_files(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    for path in (tmp_path / "empty.jsonl", tmp_path / "nowhere"):
        with pytest.raises(ConfigurationError, match="kievl"):
            open_run(path, path, Options(metrics=["kievl"]))
        with pytest.raises(DocassayError, match=path.name):
            [*open_run(path, path).pairing]


def test_the_options_of_python_the_command_line_and_the_dataclass_are_the_same() -> None:
    names = {field.name for field in fields(Options)}
    assert names == {*get_type_hints(RunArgs)}
    renamed = {"given": "settings"}
    shown = {"gold", "pred", "moved_gold", "moved_pred", "format", "verbose", "all_fields"}
    shown |= {"requirements", "no_progress", "quiet", "no_gold"}
    given = {renamed.get(str(one.name), str(one.name)) for one in score_command.params}
    assert given - shown == names


def test_every_verb_with_gold_and_pred_takes_the_same_options_of_reading() -> None:
    def command() -> None:
        """Nothing."""

    for option in READING:
        option(command)
    taken = {one.name for one in command.__click_params__}  # type: ignore[attr-defined]
    assert taken == {*get_type_hints(ReadingArgs)}


def test_an_option_that_does_not_exist_is_refused_by_python() -> None:
    with pytest.raises(TypeError, match=r"unknown option 'shcema' .*did you mean 'schema'"):
        da.score({}, {}, shcema=None)  # type: ignore[call-arg]


def test_a_run_folder_is_no_folder_of_documents(tmp_path: Path) -> None:
    documents = {"a": {"total": "5"}}
    da.score(documents, documents, out=tmp_path)
    for sides in ((documents, tmp_path), (tmp_path, documents)):
        with pytest.raises(ConfigurationError, match="is a run folder, not a folder of documents"):
            da.score(*sides)


@collector_paused()
def fail() -> None:
    raise KeyError(gc.isenabled())


@pytest.mark.parametrize("on", [True, False])
def test_the_collector_is_afterwards_as_it_was(on: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if on else gc.disable)()
        with pytest.raises(KeyError, match="False"):
            fail()
        assert gc.isenabled() == on
    finally:
        (gc.enable if before else gc.disable)()


FROZEN = """
import gc
from docassay.run.score import collector_paused
with collector_paused():
    trees = [[[]] for _ in range(100_000)]
print(gc.get_count()[0] < 1_000, gc.get_freeze_count())
gc.freeze()
frozen = gc.get_freeze_count()
with collector_paused():
    pass
print(0 < gc.get_freeze_count() <= frozen)
"""


def test_what_was_made_meanwhile_is_old_and_what_others_froze_stays_frozen() -> None:
    command = [sys.executable, "-c", FROZEN]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "0", "True"]


FORGOTTEN = """
import gc
import docassay as da

GOLD = {str(n): {"total": f"{n}.50", "day": "2025-03-04", "items": [{"n": "a"}]} for n in range(9)}
PRED = {id: {**tree, "total": "7.50", "items": [{"n": "b"}]} for id, tree in GOLD.items()}


def score():
    report = da.score(GOLD, PRED, metrics=["kieval", "fields", "causes", "effort", "tree"])
    str(report), report.documents, report.details
    scorer = da.Scorer()
    for id in GOLD:
        scorer.add(id, GOLD[id], PRED[id])
    str(scorer.report())


score()
gc.collect()
gc.disable()
score()
print(gc.collect())
"""


def test_a_run_that_is_forgotten_is_gone_without_the_collector() -> None:
    # what it had read is large, and the collector seldom looks at what has become old
    command = [sys.executable, "-c", FORGOTTEN]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0"]
