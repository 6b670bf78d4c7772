"""Splits: names as VRDU writes them, tests that stay, shares that are kept, leaks found."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.analysis.splits.file import (
    Split,
    SplitName,
    check_splits,
    decode,
    read_splits,
    write_split,
)
from docassay.analysis.splits.make import Documents, TemplatePlace, describe, make_splits
from docassay.errors import ConfigurationError, DataError, UnknownName

DOCUMENTS = {f"{kind}{number:03d}": kind for kind in "abc" for number in range(40)}
SMALL = {"dataset": "Toy", "sizes": (2, 9), "test": 6, "valid": 3}


def test_every_name_of_the_reference_is_decoded_as_released(shared: Path) -> None:
    for case in json.loads((shared / "vectors" / "vrdu.json").read_text())["split_names"]:
        if "decoded" in case:
            assert decode(case["name"])._asdict() == case["decoded"]
        else:
            with pytest.raises(DataError, match="not the name of a split"):
                decode(case["name"])


@pytest.mark.parametrize(
    ("text", "task", "family"),
    [
        (
            "FARA-lv1-single_Short-Form-train_10-test_300-valid_100-SD_2",
            "lv1-single_Short-Form",
            "STL",
        ),
        ("FARA-lv2-mixed_template-train_10-test_300-valid_100-SD_2", "lv2-mixed_template", "MTL"),
        ("FARA-lv3-unk_Amendment-train_10-test_300-valid_100-SD_2", "lv3-unk_Amendment", "UTL"),
        ("DeepForm-mixed_template-train_10-test_300-valid_100-SD_2", "mixed_template", "MTL"),
        ("DeepForm-unk_template-train_10-test_293-valid_100-SD_2", "unk_template", "UTL"),
        ("DeepForm-kno_template-train_10-test_7-valid_100-SD_2", "kno_template", "KTL"),
        ("Toy-t-train_1-test_1-valid_1-SD_0", "t", "t"),
    ],
)
def test_a_name_says_its_task_and_the_family(text: str, task: str, family: str) -> None:
    name = decode(text)
    assert (name.task, name.family) == (task, family)
    assert str(name) == text


@pytest.mark.parametrize("text", ["bad-name", "X1-task-train_1-test_1-valid_1-SD_0", "", "a-b"])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="not the name of a split"):
        decode(text)


def test_what_follows_the_seed_does_not_matter() -> None:
    assert decode("Toy-t-train_1-test_2-valid_3-SD_4-extra") == SplitName("Toy", "t", 1, 2, 3, 4)


def test_there_is_a_split_for_every_task_size_and_seed() -> None:
    made = make_splits(DOCUMENTS, **SMALL)  # type: ignore[arg-type]
    tasks = ["lv1-single_a", "lv1-single_b", "lv1-single_c", "lv2-mixed_template"]
    tasks += ["lv3-unk_a", "lv3-unk_b", "lv3-unk_c"]
    assert [*dict.fromkeys(one.name.task for one in made)] == tasks
    assert len(made) == len(tasks) * 2 * 3
    assert {len(one.train) for one in made} == {2, 9}


def test_a_task_has_one_test_set_for_all_sizes_and_seeds() -> None:
    tests: dict[str, set[tuple[str, ...]]] = {}
    for one in make_splits(DOCUMENTS, **SMALL):  # type: ignore[arg-type]
        tests.setdefault(one.name.task, set()).add(one.test)
    assert {len(found) for found in tests.values()} == {1}


def test_seeds_draw_different_training_sets() -> None:
    made = make_splits(DOCUMENTS, tasks=["mixed"], **SMALL)  # type: ignore[arg-type]
    assert len({one.train for one in made}) == len(made)


@given(
    shares=st.dictionaries(st.sampled_from("abcdef"), st.integers(10, 30), min_size=2),
    seed=st.integers(0, 99),
)
def test_no_split_leaks_and_shares_are_kept(shares: dict[str, int], seed: int) -> None:
    documents = {f"{kind}{n}": kind for kind, amount in shares.items() for n in range(amount)}
    made = make_splits(
        documents,
        dataset="Toy",
        tasks=("single", "mixed", "unseen", "held-out"),
        sizes=(4,),
        test=4,
        valid=2,
        seeds=(0, 1),
        seed=seed,
    )
    assert check_splits(made, digests=documents, templates=documents) == _no_twins(made, documents)
    for one in made:
        if one.name.family == "MTL":
            found = Counter(documents[id] for id in one.test)
            for kind, amount in shares.items():
                share = amount / len(documents)
                assert abs(found[kind] - 4 * share) <= 1 + share * len(shares)


def _no_twins(made: list[Split], documents: dict[str, str]) -> list[object]:
    """What the check says of contents, when every document of a template has the same."""
    return [leak for leak in check_splits(made, digests=documents) if "content" in leak.kind]


def test_held_out_templates_are_tested_on_as_a_whole() -> None:
    made = make_splits(DOCUMENTS, dataset="Toy", tasks=["held-out"], sizes=(5,), test=50, valid=2)
    tested, trained = ({DOCUMENTS[id] for id in ids} for ids in (made[0].test, made[0].train))
    assert len(tested) == 2
    assert tested.isdisjoint(trained)
    assert made[0].name.family == "UTL"


@pytest.mark.parametrize(
    ("options", "there", "needed"),
    [
        pytest.param({"tasks": ["single"]}, 40, 600, id="one template"),
        pytest.param({"tasks": ["mixed"]}, 120, 600, id="all templates"),
        pytest.param({"tasks": ["unseen"], "test": 41}, 40, 41, id="to test on"),
        pytest.param({"tasks": ["unseen"], "test": 10}, 80, 300, id="to train on"),
    ],
)
def test_too_little_data_says_how_much_is_there_and_needed(
    options: dict[str, object], there: int, needed: int
) -> None:
    with pytest.raises(DataError, match=f"needs {needed} documents.*there are {there}"):
        make_splits(DOCUMENTS, dataset="Toy", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"dataset": "Toy 1"}, id="a name with a digit"),
        pytest.param({"sizes": (0,)}, id="no training"),
        pytest.param({"test": 0}, id="no test"),
        pytest.param({"seeds": ()}, id="no seed"),
        pytest.param({"tasks": ["singel"]}, id="an unknown task"),
        pytest.param({"only": ["z"]}, id="an unknown template"),
    ],
)
def test_options_that_cannot_work_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        make_splits(DOCUMENTS, **{**SMALL, **options})  # type: ignore[arg-type]


def test_templates_whose_tasks_would_share_a_name_are_refused() -> None:
    documents = {f"{kind}{n}": kind for kind in ("a b", "a/b") for n in range(30)}
    with pytest.raises(ConfigurationError, match="would both be task"):
        make_splits(documents, tasks=["single"], **SMALL)  # type: ignore[arg-type]


def split(task: str, train: str, valid: str, test: str) -> Split:
    name = SplitName("Toy", task, len(train), len(test), len(valid), 0)
    return Split(name, tuple(train), tuple(valid), tuple(test))


CONTENT = {"a": "1", "b": "2", "c": "3", "d": "1", "e": "", "f": ""}
KINDS = {"a": "x", "b": "y", "c": "y", "d": "z", "e": "x", "f": "z"}


@pytest.mark.parametrize(
    ("given", "kind", "documents"),
    [
        pytest.param(split("t", "ab", "c", "b"), "in two parts", ("b",), id="train and test"),
        pytest.param(split("t", "a", "c", "bc"), "in two parts", ("c",), id="valid and test"),
        pytest.param(split("t", "a", "b", "d"), "same content", ("d",), id="one document, two ids"),
        pytest.param(split("t", "a", "b", "z"), "not in the data", ("z",), id="an unknown id"),
        pytest.param(split("t", "aa", "b", "c"), "listed twice", ("a",), id="twice in a part"),
        pytest.param(
            split("lv3-unk_x", "a", "b", "e"), "trained on", ("e",), id="template not unseen"
        ),
        pytest.param(
            split("t", "a", "b", "c")._replace(name=SplitName("Toy", "t", 1, 5, 1, 0)),
            "another number",
            (),
            id="a name that does not fit",
        ),
    ],
)
def test_a_leak_is_found(given: Split, kind: str, documents: tuple[str, ...]) -> None:
    (leak,) = check_splits([given], digests=CONTENT, templates=KINDS)
    assert kind in leak.kind
    assert leak.documents == documents


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(split("lv3-unk_x", "b", "e", "a"), id="only validated on"),
        pytest.param(split("lv2-mixed_template", "b", "e", "c"), id="mixed templates"),
        pytest.param(split("t", "e", "a", "f"), id="documents without content"),
    ],
)
def test_what_is_no_leak_is_not_reported(given: Split) -> None:
    assert check_splits([given], digests=CONTENT, templates=KINDS) == []


def test_a_written_split_reads_back(tmp_path: Path) -> None:
    one = split("lv2-mixed_template", "ab", "c", "d")
    file = write_split(tmp_path, one, {id: {"total": 2} for id in "abcd"})
    assert read_splits(tmp_path) == ([one], [])
    assert json.loads(file.read_text())["train_entity_number_dict"] == {"total": 4}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("notes.json", "{}"),
        ("Toy-t-train_1-test_1-valid_1-SD_0.json", '{"train": 1}'),
        ("Toy-t-train_1-test_1-valid_1-SD_0.json", "[\xff"),
    ],
    ids=["no name of a split", "no lists", "no JSON"],
)
def test_a_file_that_is_no_split_is_a_problem(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    found, problems = read_splits(tmp_path)
    assert found == []
    assert len(problems) == 1


def described(tree: object, template: TemplatePlace) -> Documents:
    return describe({"7-Short-Form-2019": tree}, template)


@pytest.mark.parametrize(
    ("tree", "template", "found"),
    [
        ({"kind": "memo"}, TemplatePlace("kind"), "memo"),
        ({"head": {"kind": {"value": "memo", "page": 1}}}, TemplatePlace("head.kind"), "memo"),
        ({"x": 1}, TemplatePlace(in_id=r"\d+-(.+)-\d+"), "Short-Form"),
        ({"x": 1}, TemplatePlace(in_id="Short"), "Short"),
    ],
    ids=["field", "leaf below", "group in the id", "match in the id"],
)
def test_a_template_is_found(tree: object, template: TemplatePlace, found: str) -> None:
    assert [*described(tree, template).templates.values()] == [found]


def test_a_template_may_be_a_tag(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text('{"id": "a", "fields": {"x": "1"}, "tags": {"template": "blue"}}\n')
    assert describe(file, TemplatePlace("template")).templates == {"a": "blue"}


@pytest.mark.parametrize("tree", [{}, {"kind": None}, {"kind": ["a", "b"]}, {"kind": " "}])
def test_a_document_without_template_is_a_problem(tree: object) -> None:
    known = described({"x": 1, **tree}, TemplatePlace("kind"))  # type: ignore[dict-item]
    assert known.templates == {}
    assert [one.message for one in known.problems] == ["has no template; left out"]


def test_equal_documents_are_used_once() -> None:
    data = {"a": {"x": "1"}, "b": {"x": "1"}, "c": {"x": "2"}, "d": {}, "e": {}}
    known = describe(data, TemplatePlace(in_id="."))
    assert [*known.distinct] == ["a", "c", "d", "e"]


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="regular expression"):
        described({}, TemplatePlace(in_id="("))


def test_documents_without_ids_cannot_be_split() -> None:
    with pytest.raises(DataError, match="without ids"):
        describe([(None, {"x": "1"})], TemplatePlace("x"))  # type: ignore[list-item]


def test_an_unknown_task_lists_what_there_is() -> None:
    with pytest.raises(UnknownName, match="held-out, mixed, single, unseen"):
        make_splits(DOCUMENTS, dataset="Toy", tasks=["none"])
