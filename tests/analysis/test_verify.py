"""Verifying: every number that was changed is named, and every cause of other numbers too."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import docassay as da
from docassay.analysis.verify import parse_claim, verify_run
from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.run.ledger import LEDGER

SCHEMA = """\
name: bills
fields:
  total: {type: money}
groups:
  items:
    fields: {name: {type: text}, price: {type: money}}
"""
GOLD: dict[str, object] = {
    f"d{number}": {"total": f"${number}.00", "items": [{"name": "tea", "price": str(number)}]}
    for number in range(6)
}
PRED: dict[str, object] = {**GOLD, "d1": {"total": "9"}, "d2": {"total": "2.00", "items": []}}


def lines(trees: dict[str, object]) -> str:
    return "".join(json.dumps({"id": id, "fields": tree}) + "\n" for id, tree in trees.items())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify")
    (folder / "gold.jsonl").write_text(lines(GOLD))
    (folder / "pred.jsonl").write_text(lines(PRED))
    (folder / "schema.yaml").write_text(SCHEMA)
    da.score(
        folder / "gold.jsonl",
        folder / "pred.jsonl",
        schema=folder / "schema.yaml",
        metrics=["kieval"],
        seed=3,
        keep_inputs=True,
        out=folder / "run",
    )
    return folder


@pytest.fixture
def run(home: Path, tmp_path: Path) -> Path:
    """A copy of a run that has its inputs with it."""
    return Path(shutil.copytree(home / "run", tmp_path / "run"))


def test_a_run_and_its_report_verify_as_equal(run: Path) -> None:
    whole = da.verify(run)
    assert (whole.equal, whole.exit_code, whole.documents) == (True, 0, 6)
    assert whole.scores == len(json.loads((run / "report.json").read_text())["scores"])
    assert da.verify(run / "report.json").equal
    assert da.verify(run / LEDGER).equal


def test_intervals_are_made_again_as_they_were_drawn(home: Path, tmp_path: Path) -> None:
    trees = {f"{id}{vendor}": tree for id, tree in GOLD.items() for vendor in "ab"}
    gold = tmp_path / "gold.jsonl"
    records = ({"id": id, "tags": {"vendor": id[:2]}, "record": tree} for id, tree in trees.items())
    gold.write_text("".join(json.dumps(record) + "\n" for record in records))
    pred = tmp_path / "pred.jsonl"
    pred.write_text(lines({**trees, "d1a": {"total": "9"}, "d3b": {}}))
    # one after the other: each differs from the default in what decides intervals
    for name, options in (("c", {"cluster": "vendor"}), ("d", {"draws": 200}), ("s", {"seed": 9})):
        out = tmp_path / name
        da.score(gold, pred, metrics=["kieval"], out=out, **options)  # type: ignore[arg-type]
        assert da.verify(out).equal, name
        assert da.verify(out / "report.json").equal, name


def test_a_run_with_a_gold_patch_is_verified(home: Path, tmp_path: Path) -> None:
    patch = tmp_path / "patch.jsonl"
    decision = {"document": "d1", "path": "total", "action": "set", "was": "$1.00", "value": "9"}
    patch.write_text(json.dumps(decision) + "\n")
    run = tmp_path / "run"
    report = da.score(
        home / "gold.jsonl",
        home / "pred.jsonl",
        schema=home / "schema.yaml",
        metrics=["kieval"],
        gold_patch=patch,
        out=run,
    )
    assert "|patch:" in report.signature
    assert da.verify(run).equal
    assert da.verify(run / "report.json").equal
    assert da.verify(run, signature=report.signature).equal
    plain = report.signature.replace("|patch:", "|patched:")
    (change,) = (each for each in da.verify(run, signature=plain).changes if each.what == "patch")
    assert change.before == "nothing"
    edited = (run / "report.json").read_text().replace('\\"value\\":\\"9\\"', '\\"value\\":\\"8\\"')
    (tmp_path / "edited.json").write_text(edited)
    assert "patch" in {each.what for each in da.verify(tmp_path / "edited.json").changes}


def test_a_run_without_gold_is_verified(home: Path, tmp_path: Path) -> None:
    run = tmp_path / "alone"
    da.score(None, home / "pred.jsonl", schema=home / "schema.yaml", out=run)
    verification = da.verify(run)
    assert (verification.equal, verification.inputs) == (True, (str(home / "pred.jsonl"),))
    changed = tmp_path / "pred.jsonl"
    changed.write_text(lines({**PRED, "d0": {"total": "no amount"}}))
    assert da.verify(run, pred=changed).exit_code == 3


def test_a_report_on_its_own_verifies_when_told_where_the_inputs_are(
    home: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "quoted.json"
    report = da.score(home / "gold.jsonl", home / "pred.jsonl", by="type", metrics=["entity"])
    from docassay.report.json import render

    alone.write_text(render(report))
    assert da.verify(alone).equal
    moved = tmp_path / "elsewhere.jsonl"
    shutil.copy(home / "gold.jsonl", moved)
    assert da.verify(alone, gold=moved).equal
    moved.write_text(lines({**GOLD, "d5": {"total": "77"}}))
    changed = da.verify(alone, gold=moved)
    assert changed.exit_code == 3
    assert [change.what for change in changed.changes] == ["gold documents"]


def edit_score(part: str, value: object) -> Callable[[Path], None]:
    def edit(run: Path) -> None:
        file = run / "report.json"
        report = json.loads(file.read_text())
        score = next(each for each in report["scores"] if each["readout"] == "aligned")
        score[part] = value
        file.write_text(json.dumps(report))

    return edit


@pytest.mark.parametrize("part", ["value", "support", "low", "high"])
def test_an_edited_number_of_the_report_is_named_with_both_values(run: Path, part: str) -> None:
    before = json.loads((run / "report.json").read_text())["scores"]
    own = next(each for each in before if each["readout"] == "aligned")
    edit_score(part, 2)(run)
    verification = da.verify(run)
    assert verification.exit_code == 1
    assert [each[:4] for each in verification.differing] == [
        ("kieval.aligned", part, "2.0" if part in ("low", "high") else "2", own[part])
    ]
    assert verification.differing[0].where == "report.json"


def test_scores_that_were_added_or_left_out_are_named(run: Path) -> None:
    file = run / "report.json"
    report = json.loads(file.read_text())
    report["scores"][0]["readout"] = "shiny"
    report["documents"] = 7
    file.write_text(json.dumps(report))
    addresses = [each.address for each in da.verify(run).differing]
    assert addresses == ["documents", "kieval.shiny", "kieval.entity_precision"]


@pytest.mark.parametrize("name", ["summary.md", "fields.csv", "documents.csv"])
def test_a_table_with_other_numbers_is_stale(run: Path, name: str) -> None:
    file = run / name
    text = file.read_text()
    digit = text.index("0.")
    file.write_text(f"{text[:digit]}0.123456{text[digit + 6 :]}")
    verification = da.verify(run)
    assert (verification.stale, verification.exit_code) == ((name,), 1)
    file.unlink()
    assert da.verify(run).equal


def test_an_edited_ledger_is_refused(run: Path) -> None:
    file = run / LEDGER
    file.write_text(file.read_text().replace('"d3"', '"d7"'))
    with pytest.raises(DataError, match="changed after it was written"):
        da.verify(run)


def test_rows_that_do_not_come_out_again_are_named_by_their_scores(run: Path, home: Path) -> None:
    # a whole ledger of other predictions under the signature of these
    other = run.parent / "other"
    (run.parent / "better.jsonl").write_text(lines(GOLD))
    da.score(
        home / "gold.jsonl",
        run.parent / "better.jsonl",
        schema=home / "schema.yaml",
        metrics=["kieval"],
        out=other,
    )
    from docassay.run.ledger import read_ledger
    from docassay.run.ledger_writer import LedgerWriter

    header = read_ledger(run).header
    writer = LedgerWriter(run, header.plan, resume=False)
    for row in read_ledger(other).rows:
        writer.add(row)
    writer.finish(header)
    writer.close()
    verification = verify_run(run).verification
    assert {each.where for each in verification.differing} == {LEDGER}
    assert "kieval.aligned" in [each.address for each in verification.differing]


@pytest.mark.parametrize("side", ["gold", "pred"])
def test_a_changed_input_is_named_with_its_documents(home: Path, tmp_path: Path, side: str) -> None:
    for name in ("gold", "pred"):
        shutil.copy(home / f"{name}.jsonl", tmp_path / f"{name}.jsonl")
    paths = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    da.score(*paths, metrics=["entity"], types="text", out=tmp_path / "run")
    trees = {**(GOLD if side == "gold" else PRED), "d4": {"total": "12"}}
    (tmp_path / f"{side}.jsonl").write_text(lines(trees))
    verification = da.verify(tmp_path / "run")
    assert verification.exit_code == 3
    assert [change.what for change in verification.changes] == [side, f"{side} documents"]
    assert str(tmp_path / f"{side}.jsonl") in verification.changes[0].where
    assert "d4" in verification.changes[1].now
    assert verification.differing
    (tmp_path / f"{side}.jsonl").write_text("no longer JSON")
    broken = da.verify(tmp_path / "run")
    assert (broken.exit_code, broken.scores) == (3, 0)
    assert broken.notes[0].startswith("not scored again")
    (tmp_path / f"{side}.jsonl").unlink()
    with pytest.raises(DataError, match=f"{side} of the run is gone"):
        da.verify(tmp_path / "run")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("docassay:", "docassay:9.", "docassay"),
        ("kieval.", "kieval.9", "metric kieval"),
        ("schema:", "schema:9", "schema"),
        ("|gold:", "|kieval.flatten=true|gold:", "kieval.flatten"),
    ],
)
def test_what_this_version_would_sign_otherwise_is_a_change(
    run: Path, old: str, new: str, what: str
) -> None:
    file = run / "report.json"
    report = json.loads(file.read_text())
    report["signature"] = report["signature"].replace(old, new, 1)
    file.write_text(json.dumps(report))
    verification = da.verify(file)
    assert (verification.exit_code, verification.differing) == (3, ())
    assert [change.what for change in verification.changes] == [what]
    quoted = da.verify(run.parent / "run" / LEDGER, signature=report["signature"])
    assert what in [change.what for change in quoted.changes]


def test_a_schema_file_that_says_something_else_is_a_change(home: Path, tmp_path: Path) -> None:
    schema = tmp_path / "schema.yaml"
    schema.write_text(SCHEMA)
    da.score(home / "gold.jsonl", home / "pred.jsonl", schema=schema, out=tmp_path / "run")
    schema.write_text(f"# only a comment\n{SCHEMA}")
    assert da.verify(tmp_path / "run").equal
    for text in (SCHEMA.replace("total: {type: money}", "total: {type: text}"), "fields: 3"):
        schema.write_text(text)
        (change,) = da.verify(tmp_path / "run").changes
        assert (change.what, change.where) == ("schema", str(schema))
    schema.unlink()
    assert da.verify(tmp_path / "run").equal


def test_a_report_beside_the_ledger_of_another_run_is_refused(run: Path, home: Path) -> None:
    other = run.parent / "other"
    da.score(home / "gold.jsonl", home / "gold.jsonl", metrics=["kieval"], out=other)
    shutil.copy(other / "report.json", run / "report.json")
    with pytest.raises(DataError, match="another run"):
        da.verify(run)


@pytest.mark.parametrize("content", ["", "[]", '{"scores": 3}', '{"signature": "x"}', "\x00"])
def test_what_is_no_report_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "report.json").write_text(content)
    with pytest.raises(DataError, match="no report"):
        da.verify(tmp_path / "report.json")


@pytest.mark.parametrize(
    ("text", "value", "holds"),
    [
        ("aligned=0.972", 0.97249, True),
        ("aligned=0.972", 0.97151, True),
        ("aligned=0.972", 0.9726, False),
        ("aligned=0.9725", 0.972, False),
        ("aligned=97.2%", 0.97249, True),
        ("aligned=97%", 0.97249, True),
        ("aligned=97 %", 0.98, False),
        ("aligned=1", 0.6, True),
        ("corrections=1,542", 1542, True),
        ("corrections=1542", 1543, False),
        ("a@b=c=0.5", 0.5, True),
        ("gap=-0.10", -0.104, True),
        ("gap=−0.10", -0.106, False),
        ("aligned=0.5", None, False),
    ],
)
def test_a_claim_holds_at_the_precision_quoted(
    text: str, value: float | None, *, holds: bool
) -> None:
    assert parse_claim(text).holds(value) is holds


def test_a_claim_that_is_half_way_between_two_roundings_holds_for_both() -> None:
    assert parse_claim("x=0.972").holds(0.9725)
    assert parse_claim("x=0.973").holds(0.9725)


@pytest.mark.parametrize("text", ["aligned", "aligned=", "=0.5", "aligned=nan", "a=0,5", "a=inf"])
def test_what_quotes_no_number_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="quotes no score"):
        parse_claim(text)


def test_claims_are_held_against_what_comes_out(run: Path) -> None:
    value = json.loads((run / "report.json").read_text())["scores"]
    aligned = next(each["value"] for each in value if each["readout"] == "aligned")
    assert da.verify(run, claims=f"aligned={aligned:.3f}").equal
    wrong = da.verify(run, claims=["aligned=0.1", "corrections=99"])
    assert [(each.address, each.quoted) for each in wrong.differing] == [
        ("kieval.aligned", "0.1"),
        ("kieval.corrections", "99"),
    ]
    with pytest.raises(UnknownName, match="unknown score"):
        da.verify(run, claims=["nothing=1"])
