"""The audit of gold: what is suspect, what only looks so, and what it changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

import docassay as da
from docassay.analysis.audit.result import Audit, Suspect
from docassay.errors import ConfigurationError, DataError

Tree = dict[str, object]
Trees = dict[str, Tree]
SCHEMA: Mapping[str, object] = {
    "dates": "day-first",
    "fields": {"shop": "text", "date": "date", "total": "money", "note": "text"},
    "groups": {"items": {"fields": {"name": "text", "price": "money"}}},
    "rules": [{"name": "sum", "check": "sum(items.price) == total"}],
}


def corpus(docs: int = 24) -> Trees:
    """Return documents whose prices make their totals."""
    chance = Random(7)
    golds: Trees = {}
    for number in range(docs):
        prices = [chance.randrange(100, 9999) for _ in range(2)]
        golds[f"d{number:02}"] = {
            "shop": f"Shop {chance.randrange(10**6)}",
            "date": f"{1 + number % 28:02}/05/2025",
            "total": f"${sum(prices) / 100:.2f}",
            "items": [
                {"name": f"thing {chance.randrange(10**6)}", "price": f"${price / 100:.2f}"}
                for price in prices
            ],
        }
    return golds


def copied(trees: Trees) -> Trees:
    return {id: json.loads(json.dumps(tree)) for id, tree in trees.items()}


def audited(gold: Trees, *preds: Trees, **options: object) -> Audit:
    reports = [da.score(gold, pred, schema=dict(SCHEMA), metrics=["kieval"]) for pred in preds]
    return da.audit(*reports, **options)  # type: ignore[arg-type]


def kinds(suspect: Suspect) -> set[str]:
    return {piece.kind for piece in suspect.evidence}


def put(tree: Tree, path: str, value: object) -> None:
    """Set a value at `key` or `items[n].key`, or take it away."""
    holder: object = tree
    key = path
    if path.startswith("items["):
        rows = tree["items"]
        assert isinstance(rows, list)
        holder, key = rows[int(path[6])], path[9:]
    assert isinstance(holder, dict)
    holder.pop(key, None)
    if value is not None:
        holder[key] = value


TRUTH = corpus()
MISTAKES = [
    ("a typo", "shop", "Shpo", {"models"}),
    ("an amount", "total", "$1.11", {"models", "rule"}),
    ("a letter for a digit", "total", "$1O.OO", {"models", "format"}),
    ("a price", "items[0].price", "$1.11", {"models", "rule"}),
    ("a value of another field", "shop", "05/05/2025", {"models", "elsewhere"}),
    ("a missing value", "total", None, {"absent"}),
    ("a missing cell", "items[1].name", None, {"absent"}),
    ("a value that is not there", "note", "paid", {"absent"}),
]


@pytest.mark.parametrize(
    ("path", "value", "evidence"), [case[1:] for case in MISTAKES], ids=[c[0] for c in MISTAKES]
)
def test_a_mistake_that_three_models_do_not_share_is_the_first_suspect(
    path: str, value: str | None, evidence: set[str]
) -> None:
    gold = copied(TRUTH)
    put(gold["d04"], path, value)
    audit = audited(gold, *[TRUTH] * 3)
    (suspect,) = audit.suspects
    assert (suspect.document, suspect.path) == ("d04", path)
    assert suspect.gold == value
    assert suspect.score > 0.4
    assert evidence <= kinds(suspect)
    assert suspect.models == audit.runs == ("run 1", "run 2", "run 3")
    assert suspect.decision is not None
    assert da.score(gold, TRUTH, gold_patch=[suspect.decision._asdict()])["corrections"].value == 0


LOOK_ALIKES = [
    ("another notation of a date", "date", "5 May 2025"),
    ("another notation of an amount", "total", "{total}"),
]


@pytest.mark.parametrize(("path", "value"), [case[1:] for case in LOOK_ALIKES])
def test_a_value_that_is_equal_by_its_type_is_no_suspect(path: str, value: str) -> None:
    gold = copied(TRUTH)
    gold["d04"][path] = value.format(total=str(gold["d04"]["total"]).removeprefix("$"))
    assert audited(gold, *[TRUTH] * 3).suspects == ()


def test_a_mistake_of_one_model_of_three_is_none_of_gold() -> None:
    preds = [copied(TRUTH) for _ in range(3)]
    put(preds[0]["d04"], "shop", "Shpo")
    put(preds[1]["d05"], "total", "$1.11")
    put(preds[2]["d06"], "note", "paid")
    put(preds[2]["d07"], "items[0].price", None)
    assert audited(TRUTH, *preds).suspects == ()


def test_models_that_have_different_values_say_less_than_models_that_agree() -> None:
    apart, agreed = [copied(TRUTH) for _ in range(3)], [copied(TRUTH) for _ in range(3)]
    for number in range(3):
        put(apart[number]["d04"], "shop", f"Other {number * 7919}")
        put(agreed[number]["d04"], "shop", "Other 1")
    (first,) = audited(TRUTH, *agreed).suspects
    scores = [each.score for each in audited(TRUTH, *apart, min_score=0.0).suspects]
    assert first.score > max(scores) > 0


def test_a_model_that_is_often_wrong_in_a_field_says_little_about_it() -> None:
    gold, poor, good = copied(TRUTH), copied(TRUTH), copied(TRUTH)
    for number, tree in enumerate(poor.values()):
        if number % 2:
            put(tree, "shop", f"Other {number}")
    put(good["d04"], "shop", "Shpo")
    put(poor["d04"], "shop", "Shpo again")
    by_poor, by_good = (
        {(each.document, each.path): each for each in audited(gold, pred, min_score=0.0).suspects}
        for pred in (poor, good)
    )
    assert by_poor["d04", "shop"].score < by_good["d04", "shop"].score


def test_a_row_that_gold_lacks_is_proposed_at_the_end_of_its_list() -> None:
    gold = copied(TRUTH)
    for id in ("d04", "d09"):
        rows = gold[id]["items"]
        assert isinstance(rows, list)
        del rows[:]
    audit = audited(gold, *[TRUTH] * 3)
    assert {each.path for each in audit.suspects} == {"items[0]", "items[1]"}
    patch = [each.decision._asdict() for each in audit.suspects if each.decision is not None]
    assert da.score(gold, TRUTH, gold_patch=patch)["corrections"].value == 0


def test_a_row_that_no_model_has_is_one_suspect() -> None:
    gold = copied(TRUTH)
    rows = gold["d04"]["items"]
    assert isinstance(rows, list)
    rows.append({"name": "ghost", "price": "$99.00"})
    (suspect,) = audited(gold, *[TRUTH] * 3).suspects
    assert suspect.path == "items[2]"
    assert suspect.gold == "ghost, $99.00"
    assert suspect.decision is not None
    assert suspect.decision.action == "remove"
    assert suspect.decision.was == {"name": "ghost", "price": "$99.00"}


def test_documents_that_are_the_same_but_for_a_value_are_named_and_suspect() -> None:
    gold = copied(TRUTH)
    gold["twin"] = json.loads(json.dumps(gold["d04"]))
    put(gold["twin"], "total", "$1.11")
    truth = {**TRUTH, "twin": TRUTH["d04"]}
    audit = audited(gold, *[copied(truth)] * 2)
    assert [(pair.first, pair.second, pair.differing) for pair in audit.duplicates] == [
        ("d04", "twin", 1)
    ]
    (suspect,) = audit.suspects
    assert suspect.document == "twin"
    assert "duplicate" in kinds(suspect)


def test_the_text_of_a_document_speaks_for_what_it_holds(tmp_path: Path) -> None:
    for id, tree in TRUTH.items():
        texts = [str(tree["shop"]), str(tree["total"])]
        (tmp_path / f"{id}.txt").write_text("\n".join(texts))
    gold, pred = copied(TRUTH), copied(TRUTH)
    put(gold["d04"], "shop", "Shop 777777")
    put(pred["d05"], "shop", "Shop 777777")
    audit = audited(gold, pred, source=tmp_path)
    (suspect,) = audit.suspects
    assert suspect.document == "d04"
    assert "source" in kinds(suspect)
    assert audited(gold, pred).suspects == ()


def test_a_rule_that_the_proposal_would_break_speaks_for_gold() -> None:
    gold, pred = copied(TRUTH), copied(TRUTH)
    put(pred["d04"], "total", "$1.11")
    put(pred["d05"], "shop", "Other 17")
    scores = {each.document: each.score for each in audited(gold, pred, min_score=0.0).suspects}
    assert scores["d04"] < scores["d05"]


def test_a_rule_that_gold_often_breaks_is_no_evidence() -> None:
    gold, pred = copied(TRUTH), copied(TRUTH)
    for number, tree in enumerate(gold.values()):
        if number % 2:
            put(tree, "total", "$1.11")
    audit = audited(gold, pred, min_score=0.0)
    assert all("rule" not in kinds(each) for each in audit.suspects)


def test_scores_without_suspects_count_their_places_on_neither_side() -> None:
    gold = copied(TRUTH)
    put(gold["d04"], "total", "$1.11")
    put(gold["d05"], "shop", None)
    put(gold["d06"], "items[0].price", "$1.11")
    pred = copied(TRUTH)
    put(pred["d09"], "shop", "Other")
    audit = audited(gold, pred, copied(TRUTH), copied(TRUTH))
    scores = {(each.run, each.score): each for each in audit.scores}
    values = audit.values + 1
    first = scores["run 1", "kieval.aligned"]
    assert first.value == pytest.approx((values - 4) / values)
    assert first.without == pytest.approx((values - 4) / (values - 3))
    assert scores["run 2", "kieval.aligned"].without == 1.0


def test_documents_without_a_prediction_say_nothing() -> None:
    pred = {id: tree for id, tree in TRUTH.items() if id != "d04"}
    audit = audited(TRUTH, pred, copied(pred))
    assert audit.suspects == ()
    assert audit.documents == len(TRUTH)


def test_a_model_that_lacks_a_document_does_not_vote_on_it() -> None:
    gold = copied(TRUTH)
    put(gold["d04"], "shop", "Shpo")
    half = {id: tree for id, tree in TRUTH.items() if id != "d04"}
    (suspect,) = audited(gold, half, copied(TRUTH), copied(TRUTH)).suspects
    assert suspect.evidence[0].words == "both models agree on another value"


# --- inputs ----------------------------------------------------------------------------------


def kept(folder: Path, gold: Trees, name: str, pred: Trees) -> Path:
    for file, trees in (("gold.jsonl", gold), (f"{name}.jsonl", pred)):
        lines = (json.dumps({"id": id, "fields": tree}) for id, tree in trees.items())
        (folder / file).write_text("\n".join(lines) + "\n")
    pair = folder / "gold.jsonl", folder / f"{name}.jsonl"
    da.score(*pair, schema=dict(SCHEMA), metrics=["kieval"], out=folder / name)
    return folder / name


def test_stored_runs_say_the_same_as_reports_and_less_without_their_inputs(tmp_path: Path) -> None:
    gold, truth = copied(TRUTH), copied(TRUTH)
    put(gold["d04"], "total", "$1.11")
    put(gold["d05"], "note", "paid")
    runs = [kept(tmp_path, gold, name, truth) for name in ("north", "south")]
    whole = da.audit(*runs, out=tmp_path / "audit")
    places = [(each.document, each.path, each.score) for each in whole.suspects]
    memory = audited(gold, truth, copied(truth))
    assert places == [(each.document, each.path, each.score) for each in memory.suspects]
    assert whole.runs == ("north", "south")
    (tmp_path / "gold.jsonl").rename(tmp_path / "moved.jsonl")
    moved = da.audit(*runs, gold=tmp_path / "moved.jsonl")
    assert moved.suspects == whole.suspects
    less = da.audit(*runs)
    assert {(each.document, each.path) for each in less.suspects} == {
        (each.document, each.path) for each in whole.suspects
    }
    assert less.scores == ()
    assert "only its stored wrong values are used" in less.notes[0]


def test_runs_that_cannot_be_audited_together_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no run was named"):
        da.audit()
    with pytest.raises(ConfigurationError, match="min_score is 2"):
        audited(TRUTH, TRUTH, min_score=2)
    with pytest.raises(ConfigurationError, match="is no folder"):
        audited(TRUTH, TRUTH, source=tmp_path / "none")
    other = {id: {**tree, "shop": "x"} for id, tree in TRUTH.items()}
    reports = [da.score(gold, gold, metrics=["kieval"]) for gold in (TRUTH, other)]
    with pytest.raises(DataError, match="was scored against other gold"):
        da.audit(*reports)
    else_where = {f"x{id}": tree for id, tree in TRUTH.items()}
    with pytest.raises(DataError, match="no document in common"):
        da.audit(reports[0], da.score(else_where, else_where, metrics=["kieval"]))
    with pytest.raises(ConfigurationError, match="does not know its documents"):
        da.audit(da.score(iter(TRUTH.items()), TRUTH))


def test_one_document_and_one_model_are_enough_to_be_asked() -> None:
    audit = audited({"a": {"total": "$1.00"}}, {"a": {"total": "$2.00"}}, min_score=0.0)
    assert [each.path for each in audit.suspects] == ["total"]
    assert audited({"a": {"total": "$1.00"}}, {"a": {}}).documents == 1


def test_aliases_and_sections_are_named_as_gold_has_them() -> None:
    schema = {
        "fields": {"total": {"type": "money", "aliases": ["Sum due"]}},
        "groups": {"head": {"section": True, "fields": {"no": "id"}}},
    }
    truth = {f"d{n}": {"Sum due": f"${n}.00", "head": {"no": f"A-{n}"}} for n in range(12)}
    gold = copied(truth)  # type: ignore[arg-type]
    gold["d3"]["Sum due"] = "$77.00"
    gold["d4"]["head"] = {"no": "B-9"}
    reports = [da.score(gold, truth, schema=schema, metrics=["kieval"]) for _ in range(2)]
    audit = da.audit(*reports)
    assert {(each.document, each.path) for each in audit.suspects} == {
        ("d3", "Sum due"),
        ("d4", "head.no"),
    }
    patch = [each.decision._asdict() for each in audit.suspects if each.decision is not None]
    assert da.score(gold, truth, schema=schema, gold_patch=patch)["corrections"].value == 0


def test_the_proposal_is_written_as_gold_writes_its_values() -> None:
    gold, spelt = copied(TRUTH), copied(TRUTH)
    gold["d04"]["date"] = "01/01/2019"
    for number, tree in enumerate(spelt.values()):
        tree["date"] = f"{1 + number % 28} May 2025"
    suspects = audited(gold, spelt, copied(TRUTH), spelt).suspects
    assert [(each.document, each.proposed) for each in suspects] == [("d04", "05/05/2025")]


def test_the_text_of_a_document_speaks_by_the_types_of_fields(tmp_path: Path) -> None:
    for number, (id, tree) in enumerate(TRUTH.items()):
        (tmp_path / f"{id}.txt").write_text(f"{tree['shop']}\non {1 + number % 28} May 2025")
    gold, pred = copied(TRUTH), copied(TRUTH)
    put(gold["d04"], "date", "01/01/2019")
    (suspect,) = audited(gold, pred, source=tmp_path).suspects
    words = [piece.words for piece in suspect.evidence if piece.kind == "source"]
    assert words == [
        "the document's text does not hold gold's value",
        "the document's text holds the proposed value",
    ]
