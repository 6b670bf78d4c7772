"""What reports, thresholds, studies and splits say of a few runs, kept in `whole_analyses.txt`.

The laws behind the numbers are held by the tests beside this one. After a change that means to say
something else, `python -m tests.analysis.test_whole_analyses` writes the file again.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from pathlib import Path

import docassay as da
from docassay.analysis.splits.file import Split, check_splits, decode
from docassay.analysis.splits.make import TemplatePlace, describe, make_splits
from docassay.analysis.study.correlation import correlation_study
from docassay.analysis.study.shuffle import shuffle_study, sweep_study
from docassay.analysis.thresholds.analysis import find_thresholds
from docassay.analysis.vrdu.study import vrdu_study
from docassay.api.score import Scorer
from docassay.errors import DocassayError
from docassay.model.report import Report
from docassay.run.ledger import Ledger
from tests.analysis.study.vrdu_corpus import right, split_name, write_data, write_pred
from tests.metrics.test_whole_reports import SCHEMA, TypedMaker, shown, typed, untyped

KEPT = Path(__file__).with_name("whole_analyses.txt")


def ledger_of(seeds: range, metrics: tuple[str, ...] = ("kieval", "entity")) -> Ledger:
    scorer = Scorer(schema=SCHEMA, metrics=metrics)
    for seed in seeds:
        maker = TypedMaker(seed)
        gold = maker.tree()
        scorer.add(f"d{seed}", gold, maker.mistaken(gold))
    return scorer.ledger()


# ---------------------------------------------------------------- reports


def reports() -> Iterator[tuple[str, Report]]:
    golds, preds = typed(14)
    yield "by type", da.score(golds, preds, schema=SCHEMA, by="type", seed=3)
    yield "guessed types", da.score(*untyped(7))
    odd = {
        id: {**tree, "late": f"{'1 May' if id > 'd05' else 'soon'}"} for id, tree in golds.items()
    }  # type: ignore[dict-item]
    yield "guessed, and contradicted", da.score(odd, preds)
    extra = {f"x{number}": "1" for number in range(10)}
    more = {id: {**tree, **extra, "what": "2"} for id, tree in preds.items()}  # type: ignore[dict-item]
    for way in ("ignore", "count"):
        yield f"fields beside the schema, {way}", da.score(golds, more, schema=SCHEMA, extra=way)
    yield (
        "only predicted",
        da.score(golds, more, ignore=["x1", "lines.code", "nothing"], types="text"),
    )
    partial = {
        id: {name: leaf for name, leaf in tree.items() if name not in ("tax", "tags")}  # type: ignore[attr-defined]
        for id, tree in golds.items()
    }
    yield "not labelled", da.score(partial, preds, schema={**SCHEMA, "missing": "unlabelled"})


SPREAD = ("kieval.aligned", "kieval.corrections", "fields.accuracy", "fields.perfect_documents")


def report_lines(report: Report) -> Iterator[str]:
    yield f"{report.about} | {report.documents}"
    yield from (f"note  {note}" for note in report.notes)
    yield f"facts  {shown(report.facts)}"
    yield from (f"headline  {shown(line)}" for line in report.headline)
    yield from (f"cause  {shown(line)}" for line in report.causes)
    details = report.details
    yield f"sections  {[section.title for section in details.sections]}"
    yield f"checklist  {[section.title for section in details.checklist]}"
    yield f"pictures  {[(picture.metric, picture.name) for picture in details.pictures]}"
    yield f"named facts  {[*details.facts]}  columns  {[*report.specs]}"
    yield f"spoken  {sorted(report.spoken)}  aliases  {report.aliases}"
    for score in report.scores:
        if f"{score.metric}.{score.readout}" in SPREAD and not score.slice:
            ends = shown((score.low, score.high))
            yield f"{score.address} {score.kind} {score.parts} {shown(score.value)} {ends}"
    for score in report.scores:
        if score.slice:
            yield f"{score.address} {shown(score.value)}/{score.support}"
    for line in report.lines[:4]:
        meta = (line.type, line.pred_type, shown(line.score), line.exact, shown(line.meta))
        yield f"document  {line.id} {line.problems} {meta} {shown(line.fields)}"


def kept_beside(folder: Path) -> Report:
    """Score predictions with times, tokens, costs and models beside them."""
    names = ("processing_time", "prompt_tokens", "completion_tokens", "cost")
    gold = [{"id": f"d{at}", "total": f"{at}"} for at in range(7)]
    pred = [
        {**row, "model": "m" * (1 + at % 2), **{name: at**2 + 1 for name in names[: at + 1]}}
        for at, row in enumerate(gold)
    ]
    for name, rows in (("gold", gold), ("pred", pred)):
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text)
    return da.score(folder / "gold.jsonl", folder / "pred.jsonl")


# ---------------------------------------------------------------- studies


def studies() -> Iterator[tuple[str, object]]:
    ledger = ledger_of(range(40))
    prices = {"review": 1.0, "correction": 2.5, "missed": 10.0}
    yield (
        "thresholds by field",
        find_thresholds(ledger, target_error=0.2, confidence=0.6, budget=0.3, prices=prices),
    )
    yield (
        "one threshold",
        find_thresholds(
            ledger, target_error=0.25, confidence=0.7, by="all", independent="values", budget=0.5
        ),
    )
    yield "thresholds as they come", find_thresholds(ledger_of(range(40, 70)))
    runs = {"one": ledger_of(range(9)), "two": ledger_of(range(9, 18)), "three": ledger}
    names = ["kieval.aligned", "entity.f1", "kieval.corrections", "kieval.structure_gap"]
    yield "correlation", correlation_study(runs, readouts=names)
    runs["two"] = ledger_of(range(2, 5), ("kieval",))
    yield "correlation of other plans", correlation_study(runs, readouts=["entity.f1", "kieval.tp"])
    golds, preds = untyped(6)
    del preds["u03"]
    options = {"metrics": ["ner", "kieval"], "types": "text", "seed": 4}
    yield "shuffle", shuffle_study(golds, preds, repetitions=3, **options)  # type: ignore[arg-type]
    yield "sweep", sweep_study(golds, preds, steps=4, category="total", types="text")


def benchmark(folder: Path) -> object:
    """Return the study of prediction files of which most have something wrong."""
    names = [split_name(seed=seed, size=size) for seed in range(2) for size in (10, 50)]
    names += [split_name("lv1-single_a"), split_name("lv1-single_b"), split_name("lv3-unk_c")]
    splits: dict[str, tuple[str, ...]] = dict.fromkeys(names, ("d0", "d1", "d2", "d3"))
    splits[names[1]] = ("d0", "d7", "gone", "lost", "away", "far")
    splits[names[2]] = ("gone",)
    splits["no name"] = ("d0",)
    write_data(folder / "data" / "toy", splits=splits)
    write_data(folder / "data" / "without", splits={})
    (folder / "data" / "readme.txt").write_text("no data set")
    preds = folder / "preds"
    write_pred(preds, names[0], right("d0", "d1", "d5"))
    write_pred(preds, names[1], right("d0", "d7"))
    write_pred(preds, names[2], right("d0"))
    write_pred(preds / "small", names[0], {"d0": {"name": "Person 0", "num": "7"}})
    write_pred(preds / "small", f"{names[0]}-late", right("d2", "d3"))
    write_pred(preds, f"{names[0]}-small", right("d1"))
    write_pred(preds, names[4], right("d0", "d1", "d2"))
    write_pred(preds, names[5], right("d3"))
    write_pred(preds, "Else-lv2-mixed_template-train_1-test_1-valid_0-SD_0", right("d0"))
    write_pred(preds, "other", right("d0"))
    (preds / "notes.json").write_text("{}")
    write_pred(preds, names[6], right("d0")).write_text(" ")
    (folder / "data" / "toy" / "few_shot-splits" / f"{names[3]}.json").write_text("[]")
    write_pred(preds, names[3], right("d0"))
    odd = write_pred(preds / "odd", names[0], right("d0"))
    odd.write_text(json.dumps({"meta": {}, "results": {"d0": 5, "d1": [["name"]]}}))
    empty = split_name(size=70)
    write_data(folder / "data" / "void", splits={empty: ()})
    write_pred(preds, empty, right("d0"))
    done: list[int] = []
    study = vrdu_study(folder / "data", preds, official=True, progress=done.append)
    return [study, done]


def vrdu_errors(folder: Path) -> Iterator[str]:
    data = write_data(folder / "one", splits={split_name(): ("d0",)})
    (folder / "none").mkdir()
    for dataset, preds in ((folder / "none", folder / "none"), (data, folder / "none")):
        yield _error(lambda dataset=dataset, preds=preds: vrdu_study(dataset, preds))
    lone = write_pred(folder / "lone", split_name(seed=9), right("d0")).parent
    yield _error(lambda: vrdu_study(data, lone))
    file = write_pred(folder / "file", split_name(), right("d0"))
    yield f"{shown(tuple(vrdu_study(data / 'main', file).files[0]))}"


def _error(action: object) -> str:
    try:
        action()  # type: ignore[operator]
    except DocassayError as error:
        return f"error  {error.what} | {error.hint}"
    return "no error"


# ---------------------------------------------------------------- splits


def splits(folder: Path) -> Iterator[str]:
    templates = {f"d{number:02}": "abc"[number % 7 % 3] for number in range(42)}
    tasks = ("single", "mixed", "unseen", "held-out")
    options = {"dataset": "Toy", "tasks": tasks, "sizes": (2, 4), "test": 5, "valid": 2}
    for split in make_splits(templates, seeds=(0, 1), **options):  # type: ignore[arg-type]
        yield f"split  {split.name}  {split.train}  {split.valid}  {split.test}"
    for split in make_splits(templates, only=["c", "a"], seeds=(2,), seed=5, **options):  # type: ignore[arg-type]
        yield f"split  {split.name}  {split.train}  {split.valid}  {split.test}"
    yield _error(lambda: make_splits(templates, dataset="Toy", test=7, valid=1, sizes=(30,)))
    yield _error(lambda: make_splits({"a": "x", "b": "y"}, dataset="Toy", tasks=("unseen",)))
    name = decode("Toy-lv3-unk_b-train_3-test_3-valid_1-SD_0")
    leaky = Split(name, ("d1", "d1", "d2"), ("d3",), ("d2", "d4", "d6", "d5", "d5"))
    digests = {"d1": "x", "d2": "y", "d3": "x", "d4": "", "d5": "x"}
    kinds = {"d1": "b", "d2": "a", "d4": "b", "d5": "b", "d6": "a"}
    yield from (
        f"leak  {leak[1:]}" for leak in check_splits([leaky], digests=digests, templates=kinds)
    )
    yield from (f"leak  {leak[1:]}" for leak in check_splits([leaky]))
    rows = {
        "r1": {"kind": "a", "n": "1"},
        "r2": {"kind": {"value": " b "}, "n": "2"},
        "r3": {"n": "1"},
        "r4": {"kind": "a", "n": "1"},
        "r5": {"kind": "c"},
        "r6": {},
    }
    broken = folder / "broken.jsonl"
    broken.write_text('{"id": "a", "kind": "x"}\nno json\n{"id": "a", "kind": "y"}\n')
    problems = describe(broken, TemplatePlace("kind")).problems
    yield f"problems  {[problem[1:5] for problem in problems]}"
    documents = describe(rows, TemplatePlace("kind"))
    yield f"described  {documents.templates} {documents.distinct}"
    yield from (f"problem  {problem[1:5]}" for problem in documents.problems)
    assert documents.digests["r1"] == documents.digests["r4"] != documents.digests["r5"]


# ---------------------------------------------------------------- all of it


def lines(value: object, name: str = "") -> Iterator[str]:
    """Yield a result part by part, a list item by item."""
    if is_dataclass(value):
        for field in fields(value):
            yield from lines(getattr(value, field.name), f"{name}.{field.name}")
    elif isinstance(value, tuple | list) and value and isinstance(value[0], tuple):
        yield from (f"{name}  {shown(each)}" for each in value)
    elif isinstance(value, list):
        for each in value:
            yield from lines(each, name)
    elif name.endswith(".signatures"):
        yield f"{name}  {[*value]}"  # type: ignore[misc]
    elif not name.endswith((".version", ".signature", ".settings")):
        yield f"{name}  {shown(value)}"


def every_line(folder: Path) -> Iterator[str]:
    for name, report in (*reports(), ("kept beside", kept_beside(folder))):
        yield f"== {name}"
        yield from report_lines(report)
    for name, study in (*studies(), ("benchmark", benchmark(folder))):
        yield f"== {name}"
        yield from lines(study)
    yield "== splits"
    yield from vrdu_errors(folder)
    yield from splits(folder)


def text() -> str:
    with tempfile.TemporaryDirectory() as folder:
        whole = "".join(f"{line}\n" for line in every_line(Path(folder).resolve()))
        return whole.replace(f"{Path(folder).resolve()}", "FOLDER")


def test_analyses_say_what_they_said() -> None:
    pairs = zip_longest(text().splitlines(), KEPT.read_text(encoding="utf-8").splitlines())
    for number, (line, kept) in enumerate(pairs, 1):
        assert line == kept, f"{KEPT.name}:{number}"


if __name__ == "__main__":
    KEPT.write_text(text(), encoding="utf-8")
