"""Ledgers: written whole or not at all, joined without adding, resumed where they stopped."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.api.score import Scorer, score_run
from docassay.cli import run
from docassay.errors import ConfigurationError, DataError, FileError
from docassay.matching.case import Case
from docassay.model.problem import Problem, ProblemCode, Repair, ResponseOutcome, Violation
from docassay.model.stats import Key, fold
from docassay.run import parts
from docassay.run.find import find_document
from docassay.run.ledger import LEDGER, PART, Ledger, join, read_ledger
from docassay.run.ledger_writer import writing
from docassay.run.output import LOCK, locked
from docassay.run.plan import Plan
from docassay.run.rows import decode_row, encode_row
from docassay.run.score import Row
from docassay.run.verdict_file import VERDICTS

GOLD = {f"d{i}": {"total": str(i), "items": [{"n": "a"}, {"n": str(i)}]} for i in range(5)}
PRED = {name: {**tree, "total": "1"} for name, tree in GOLD.items()}


def test_a_ledger_reads_back_as_it_was_written(tmp_path: Path) -> None:
    run = score_run(GOLD, PRED, out=tmp_path)
    again = read_ledger(tmp_path)
    assert again.header.signature == run.ledger.header.signature
    assert again.rows == run.ledger.rows
    assert not (tmp_path / PART).exists()


def test_the_same_run_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        da.score(GOLD, dict(reversed(PRED.items())) if name == "b" else PRED, out=tmp_path / name)
    assert (tmp_path / "a" / LEDGER).read_bytes() == (tmp_path / "b" / LEDGER).read_bytes()


def test_rows_stand_in_gold_order_and_are_the_same_in_any(tmp_path: Path) -> None:
    turned = dict(reversed(GOLD.items()))
    reports = [
        da.score(gold, PRED, out=tmp_path / str(at)) for at, gold in enumerate((GOLD, turned))
    ]
    lines = [lines_of((tmp_path / str(at) / LEDGER).read_bytes()) for at in (0, 1)]
    assert lines[0][:1] == lines[1][:1]
    assert lines[0][1:-1] == lines[1][-2:0:-1]
    assert [json.loads(line)["id"] for line in lines[1][1:-1]] == [*turned]
    assert reports[0].signature == reports[1].signature
    assert reports[0].scores == reports[1].scores


def test_rows_hold_no_places_and_no_times(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(json.dumps({"id": k, **v}) + "\n" for k, v in GOLD.items()))
    da.score(gold, gold, out=tmp_path / "run")
    rows = (tmp_path / "run" / LEDGER).read_text().splitlines()[1:]
    assert all("gold.jsonl" not in row for row in rows)


def test_joining_is_a_union_and_equal_duplicates_merge() -> None:
    parts = [
        score_run({k: GOLD[k] for k in names}, PRED).ledger
        for names in (["d0", "d1"], ["d1", "d2"])
    ]
    assert [row.id for row in join(parts).rows] == ["d0", "d1", "d2"]


def test_different_rows_of_one_document_are_an_error() -> None:
    one = score_run({"d0": GOLD["d0"]}, PRED).ledger
    other = score_run({"d0": GOLD["d0"]}, {"d0": {}}).ledger
    with pytest.raises(DataError, match="scored twice with different results"):
        join([one, other])


def test_ledgers_of_different_plans_are_not_joined() -> None:
    one = score_run(GOLD, PRED).ledger
    other = score_run(GOLD, PRED, metrics=["entity"]).ledger
    with pytest.raises(ConfigurationError, match="different plans"):
        join([one, other])


def test_a_run_that_was_cut_off_is_resumed_from_its_rows(tmp_path: Path) -> None:
    whole = score_run(GOLD, PRED, out=tmp_path / "whole")
    cut = tmp_path / "cut"
    with writing(cut, whole.ledger.header.plan, resume=False) as writer:
        for row in whole.ledger.rows[:2]:
            writer.add(row)
    with (cut / PART).open("ab") as part:
        part.write(b'{"id": "half a r')
    with pytest.raises(DataError, match="cut off"):
        read_ledger(cut)
    run = score_run(GOLD, PRED, out=cut, resume=True)
    assert [note for note in run.notes if PART in note] == [
        f"{cut / PART}: the last line was cut off; its document is scored again"
    ]
    assert (cut / LEDGER).read_bytes() == (tmp_path / "whole" / LEDGER).read_bytes()


def test_a_run_that_was_cut_off_twice_keeps_the_rows_of_both_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = score_run(GOLD, PRED).ledger.rows
    plan = score_run(GOLD, PRED).ledger.header.plan
    for resume, kept in ((False, rows[:2]), (True, rows[2:4])):
        with writing(tmp_path, plan, resume=resume) as writer:
            for row in kept:
                writer.add(row)
    scored = scored_ids(monkeypatch)
    da.score(GOLD, PRED, out=tmp_path, resume=True)
    assert scored == ["d4"]


def test_rows_of_a_run_that_was_cut_off_replace_those_of_the_ledger(tmp_path: Path) -> None:
    before = score_run(GOLD, PRED, out=tmp_path).ledger
    after = score_run(GOLD, GOLD).ledger.rows[0]
    with writing(tmp_path, before.header.plan, resume=True) as writer:
        writer.add(after)
    with writing(tmp_path, before.header.plan, resume=True) as writer:
        assert writer.kept is not None
        kept = [writer.kept.get(row.id) for row in before.rows]
        assert kept == [after, *before.rows[1:]]
        assert writer.kept.get("another") is None


def test_a_run_that_was_killed_before_its_first_line_starts_again(tmp_path: Path) -> None:
    (tmp_path / PART).write_bytes(b'{"ledger":4,"pl')
    report = da.score(GOLD, PRED, out=tmp_path, resume=True)
    assert report.documents == len(GOLD)


def test_resuming_scores_again_what_has_changed(tmp_path: Path) -> None:
    da.score(GOLD, PRED, out=tmp_path)
    report = da.score(GOLD, GOLD, out=tmp_path, resume=True)
    assert report["kieval.aligned"].value == 1.0


def test_resuming_another_plan_is_refused(tmp_path: Path) -> None:
    da.score(GOLD, PRED, out=tmp_path, metrics=["entity"])
    with pytest.raises(ConfigurationError, match="measured something else"):
        da.score(GOLD, PRED, out=tmp_path, resume=True)


def test_one_run_writes_at_a_time(tmp_path: Path) -> None:
    plan = Plan(())
    with (
        writing(tmp_path, plan, resume=False),
        pytest.raises(FileError, match="another run is writing"),
        writing(tmp_path, plan, resume=False),
    ):
        pass


def test_a_missing_run_says_what_would_make_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="score writes one with --out"):
        read_ledger(tmp_path)


def test_a_place_without_a_run_names_the_runs_near_it(tmp_path: Path) -> None:
    for name in ("careful", "hasty"):
        score_run(TREES, TREES, out=tmp_path / name)
    with pytest.raises(ConfigurationError) as folder:
        read_ledger(tmp_path)
    with pytest.raises(ConfigurationError) as missing:
        read_ledger(tmp_path / "carful")
    names = f"{tmp_path / 'careful'} {tmp_path / 'hasty'}"
    assert (folder.value.where, folder.value.hint) == (str(tmp_path), f"did you mean {names}?")
    assert missing.value.what == "there is no such run"
    assert missing.value.hint is not None
    assert str(tmp_path / "careful") in missing.value.hint


def scored_ids(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that will hold the ids of the documents that are scored from now on."""
    scored: list[str] = []
    score_case = parts.score_case

    def counted(case: Case, *args: object, **options: object) -> Row:
        scored.append(case.id)
        return score_case(case, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(parts, "score_case", counted)
    return scored


def test_resuming_scores_no_document_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    da.score(GOLD, PRED, out=tmp_path)
    scored = scored_ids(monkeypatch)
    changed = {**PRED, "d3": {}}
    report = da.score(GOLD, changed, out=tmp_path, resume=True)
    assert scored == ["d3"]
    assert report["kieval.additions"].value == 3


TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
COUNTS = st.lists(st.integers(-(2**60), 2**60), max_size=3).map(tuple)
KEYS = TEXTS | st.lists(TEXTS, max_size=3).map(tuple)
TABLES = st.dictionaries(KEYS, COUNTS, max_size=4)


@given(
    table=TABLES,
    codes=st.lists(st.sampled_from([*ProblemCode]), max_size=2),
    repairs=st.none() | st.lists(st.builds(Repair, TEXTS, TEXTS), max_size=2).map(tuple),
)
def test_a_row_is_written_without_loss(
    table: dict[Key, tuple[int, ...]],
    codes: list[ProblemCode],
    repairs: tuple[Repair, ...] | None,
) -> None:
    row = Row(
        "d",
        "0-0",
        "invoice",
        {"lang": "de"},
        {"m": {"t": table, "empty": {}}},  # type: ignore[dict-item]
        tuple(Problem(code, "d", "pred", "f", "why") for code in codes),
        None if repairs is None else ResponseOutcome("repaired", repairs),
        (Violation("d", "gold", "sum", "3 is not 4"),),
    )
    line = encode_row(row)
    assert decode_row(line) == row
    assert encode_row(decode_row(line)) == line
    turned = dict(reversed(table.items()))
    assert encode_row(row._replace(stats={"m": {"t": turned, "empty": {}}})) == line  # type: ignore[dict-item]


@given(parts=st.lists(TABLES.map(lambda table: {k: (len(v), 1) for k, v in table.items()})))
def test_a_fold_adds_and_sorts_texts_and_tuples(parts: list[dict[Key, tuple[int, ...]]]) -> None:
    sums: dict[Key, list[int]] = {}
    for table in parts:
        for key, counts in table.items():
            own = sums.setdefault(key, [0, 0])
            own[0] += counts[0]
            own[1] += counts[1]
    total = fold([{"t": table} for table in parts]).get("t", {})  # type: ignore[dict-item]
    assert {key: [*counts] for key, counts in total.items()} == sums
    as_tuples = [(key,) if isinstance(key, str) else key for key in total]
    assert as_tuples == sorted(as_tuples)


SCHEMA = {"fields": {"total": {"type": "money"}}}
METRICS = ["entity", "kieval", "fields", "causes"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The ledger of a run with problems, confidences and tables of tuples."""
    folder = tmp_path_factory.mktemp("whole")
    pred = {
        name: {**tree, "total": {"value": "O", "confidence": 0.5}} for name, tree in GOLD.items()
    }
    da.score(GOLD, pred, out=folder, schema=SCHEMA, metrics=METRICS)
    return (folder / LEDGER).read_bytes()


def resealed(line: bytes, old: bytes, new: bytes) -> bytes:
    """Return a changed line with a checksum that fits it."""
    body = line[: line.rindex(b',"sum":"')].replace(old, new, 1) + b"}"
    assert old in line
    return body[:-1] + b',"sum":"%08x"}\n' % crc32(body)


def lines_of(ledger: bytes) -> list[bytes]:
    return ledger.splitlines(keepends=True)


def replaced(ledger: bytes, number: int, old: bytes, new: bytes, *, reseal: bool = False) -> bytes:
    lines = lines_of(ledger)
    line = lines[number - 1]
    lines[number - 1] = resealed(line, old, new) if reseal else line.replace(old, new, 1)
    return b"".join(lines)


def without(ledger: bytes, number: int) -> bytes:
    lines = lines_of(ledger)
    return b"".join(lines[: number - 1] + lines[number:])


DAMAGES: list[tuple[str, Callable[[bytes], bytes], int, str]] = [
    ("emptied", lambda _: b"", 1, "the ledger is empty"),
    ("not JSON", lambda _: b"not json\n", 1, "no ledger of a run"),
    ("no ledger", lambda _: b"{}\n", 1, "no ledger of a run"),
    ("bad bytes", lambda text: replaced(text, 3, b'"d1"', b'"\xff1"'), 3, "was changed"),
    (
        "bad header",
        lambda text: replaced(text, 1, b"docassay", b"d\xffcassay"),
        1,
        "checksum",
    ),
    ("form 1", lambda text: replaced(text, 1, b'"ledger":4', b'"ledger":1'), 1, "has form 1"),
    ("a digit", lambda text: replaced(text, 2, b"[1,", b"[2,"), 2, "checksum"),
    (
        "a lost metric",
        lambda text: replaced(text, 4, b'"entity":', b'"other":', reseal=True),
        4,
        "not those of the plan: entity, other",
    ),
    (
        "a lost column",
        lambda text: replaced(text, 4, b'"documents":{"":[1,', b'"documents":{"":[', reseal=True),
        4,
        "lacks a column",
    ),
    (
        "a lost table",
        lambda text: replaced(text, 4, b'"confidence":', b'"sureness":', reseal=True),
        4,
        "has no table 'sureness'",
    ),
    (
        "a plan that does not parse",
        lambda text: replaced(text, 1, b'"metrics":[', b'"metrics":{', reseal=True),
        1,
        "cannot be read",
    ),
    (
        "a plan with an unknown metric",
        lambda text: replaced(text, 1, b'"name":"entity"', b'"name":"entitx"', reseal=True),
        1,
        "the plan cannot be used: unknown metric 'entitx'",
    ),
    ("a lost row", lambda text: without(text, 3), 6, "had 5 rows and now has 4"),
    ("a lost end", lambda text: without(text, 7), 6, "the end is missing"),
    ("a cut end", lambda text: text[:-1], 7, "not complete"),
    ("a doubled row", lambda text: text.replace(line := lines_of(text)[2], 2 * line), 8, "has 6"),
    ("a line too many", lambda text: text + lines_of(text)[1], 8, "lines follow the end"),
    (
        "another row in its place",
        lambda text: replaced(text, 2, b'"id":"d0"', b'"id":"c0"', reseal=True),
        7,
        "not those that were written",
    ),
]


@pytest.mark.parametrize(
    ("damage", "number", "what"), [one[1:] for one in DAMAGES], ids=[one[0] for one in DAMAGES]
)
@pytest.mark.parametrize("command", ["report", "resume"])
def test_a_damaged_ledger_is_refused_with_its_line_and_a_hint(
    tmp_path: Path,
    whole: bytes,
    capsys: pytest.CaptureFixture[str],
    damage: Callable[[bytes], bytes],
    number: int,
    what: str,
    command: str,
) -> None:
    file = tmp_path / "run" / LEDGER
    file.parent.mkdir()
    file.write_bytes(damage(whole))
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps(GOLD))
    both = [str(gold), str(gold), "--metrics", ",".join(METRICS)]
    words = (
        ["report", str(file)]
        if command == "report"
        else ["score", *both, "--resume", "--out", str(file.parent)]
    )
    assert run(words) == 3
    told = capsys.readouterr().err
    assert f"{file}:{number}: " in told
    assert what in told
    assert "score again)" in told or "score without --resume" in told


def test_a_damaged_row_of_a_run_that_was_cut_off_is_refused_with_its_line(tmp_path: Path) -> None:
    ledger = score_run(GOLD, PRED).ledger
    with writing(tmp_path, ledger.header.plan, resume=False) as writer:
        for row in ledger.rows[:3]:
            writer.add(row)
    part = tmp_path / PART
    part.write_bytes(replaced(part.read_bytes(), 3, b"[1,", b"[2,"))
    with pytest.raises(DataError, match="checksum") as error:
        da.score(GOLD, PRED, out=tmp_path, resume=True)
    assert error.value.where == f"{part}:3"
    assert error.value.hint == "score without --resume, or into another folder"


def damaged(ledger: bytes, seed: int) -> bytes:
    """Return a ledger with one damage that the seed decides on."""
    draw = Random(seed)
    lines = lines_of(ledger)
    at = draw.randrange(len(lines))
    place = draw.randrange(len(ledger))
    kind = seed % 6
    if kind == 0:
        flipped = ledger[place] ^ (1 << draw.randrange(8))
        return ledger[:place] + bytes([flipped]) + ledger[place + 1 :]
    if kind == 1:
        lines[at] = lines[at][: draw.randrange(len(lines[at]))] + draw.choice([b"", b"\n"])
    elif kind == 2:
        digits = [i for i, byte in enumerate(ledger) if byte in b"0123456789"]
        one, other = draw.sample(digits, 2)
        content = bytearray(ledger)
        content[one], content[other] = content[other], content[one]
        return bytes(content)
    elif kind == 3:
        del lines[at : at + draw.choice([1, 1, 2])]
    elif kind == 4:
        lines.insert(draw.randrange(len(lines) + 1), lines[at])
    else:
        draw.shuffle(lines)
    return b"".join(lines)


def ledger_or_error(file: Path) -> Ledger | DataError:
    try:
        return read_ledger(file)
    except DataError as error:
        return error


def test_no_damage_changes_a_number(tmp_path: Path, whole: bytes) -> None:
    file = tmp_path / LEDGER
    file.write_bytes(whole)
    ledger = read_ledger(file)
    place = re.compile(rf"{re.escape(str(file))}:[1-9]\d*")
    refused = 0
    for seed in range(300):
        file.write_bytes(damaged(whole, seed))
        answer = ledger_or_error(file)
        if isinstance(answer, Ledger):
            assert answer == ledger, seed
        else:
            refused += 1
            assert place.fullmatch(answer.where or ""), seed
            assert answer.hint == "score again", seed
    assert refused > 250


IMPORTED_WITHOUT = """
import sys
sys.modules["fcntl"] = None
from pathlib import Path
from docassay.errors import FileError
from docassay.run.ledger_writer import writing
from docassay.run.plan import Plan
folder = Path(sys.argv[1])
with writing(folder, Plan(()), resume=False):
    try:
        with writing(folder, Plan(()), resume=False):
            print("two writers")
    except FileError as error:
        print(error.what)
with writing(folder, Plan(()), resume=False):
    print("free again")
"""


def test_writers_exclude_each_other_without_fcntl(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED_WITHOUT, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["another run is writing there", "free again"]
    assert sorted(file.name for file in tmp_path.iterdir()) == [PART]


def test_a_folder_is_free_again_after_its_writer_and_keeps_no_lock(tmp_path: Path) -> None:
    for _ in range(2):
        with writing(tmp_path, Plan(()), resume=False):
            pass
    assert [file.name for file in tmp_path.iterdir()] == [PART]


def test_a_lock_file_that_was_removed_by_its_holder_locks_nobody_in(tmp_path: Path) -> None:
    with locked(tmp_path):
        (tmp_path / LOCK).unlink()
        with locked(tmp_path):
            assert (tmp_path / LOCK).exists()


TREES = {"a.pdf": {"t": "exact"}, "x/a.png": {"t": "stem"}}


@pytest.mark.parametrize(
    ("wanted", "id"), [("x/a.png", "x/a.png"), ("a.pdf", "a.pdf"), ("y/a.tif", "a.pdf")]
)
@pytest.mark.parametrize("turned", [False, True])
def test_an_exact_id_goes_before_a_stem(wanted: str, id: str, turned: bool) -> None:
    trees = dict(reversed(TREES.items())) if turned else TREES
    if wanted == "y/a.tif" and turned:
        id = "x/a.png"  # of several stems, the first
    assert find_document(trees, trees, wanted).case.id == id


def test_verdicts_are_kept_in_the_order_of_documents_and_of_their_values(tmp_path: Path) -> None:
    gold = {"b": {"x": "1", "y": "2"}, "a": {"x": "1"}}
    da.score(gold, gold, out=tmp_path, verdicts="all")
    lines = map(json.loads, (tmp_path / VERDICTS).read_text().splitlines())
    assert [(line["document"], line["field"]) for line in lines] == [
        ("b", "x"),
        ("b", "y"),
        ("a", "x"),
    ]


def test_merging_scorers_keeps_the_documents_of_both() -> None:
    first, second = Scorer(), Scorer()
    first.add("a", {"t": "1"}, {"t": "1"})
    for scorer in (first, second):
        scorer.add("b", {"t": "1"}, {"t": "2"})
    second.add("c", {"t": "1"}, {"t": "2"})
    first.merge(second)
    assert [row.id for row in first.ledger().rows] == ["a", "b", "c"]
    assert first.report()["entity.f1"].value == pytest.approx(1 / 3)
    assert len(second) == 2


def test_scorers_that_disagree_on_a_document_or_a_plan_are_not_merged() -> None:
    scorer, other = Scorer(), Scorer()
    scorer.add("a", {"t": "1"}, {"t": "1"})
    other.add("a", {"t": "1"}, {"t": "2"})
    with pytest.raises(DataError, match="added before with another content"):
        scorer.merge(other)
    with pytest.raises(ConfigurationError, match="different plans"):
        scorer.merge(Scorer(metrics=["entity"]))
    assert len(scorer) == 1
