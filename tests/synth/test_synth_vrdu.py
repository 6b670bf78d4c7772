"""A generated benchmark has VRDU's layout: texts where segments say, splits that do not leak."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from docassay.analysis.draw import stream
from docassay.analysis.splits.file import Split, check_splits, decode, read_splits
from docassay.errors import ConfigurationError
from docassay.load.formats.vrdu import PREDICTIONS
from docassay.run.open import open_source
from docassay.synth.vrdu.corpus import Skill, extract, write_vrdu
from docassay.synth.vrdu.forms import AD_BUY, COMPONENTS, REGISTRATION, ad_buy_form

DATA_SETS = ("registration-form", "ad-buy-form")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vrdu")
    write_vrdu(folder, docs=120, seed=3)
    return folder


def records(folder: Path, name: str) -> list[dict[str, object]]:
    lines = (folder / name / "main" / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def entities(
    record: dict[str, object],
) -> Iterator[tuple[str, tuple[str, list[float], list[list[int]]]]]:
    annotations = record["annotations"]
    assert isinstance(annotations, list)
    for name, found in annotations:
        if isinstance(name, str):
            yield from ((name, one) for one in found)
        else:
            yield from zip(name, found[0], strict=True)


def all_files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_one_seed_gives_one_benchmark_to_the_byte(made: Path, tmp_path: Path) -> None:
    write_vrdu(tmp_path / "same", docs=120, seed=3)
    write_vrdu(tmp_path / "other", docs=120, seed=4)
    assert all_files(tmp_path / "same") == all_files(made)
    assert all_files(tmp_path / "other") != all_files(made)


def test_three_of_five_documents_are_registration_forms(made: Path) -> None:
    assert [len(records(made, name)) for name in DATA_SETS] == [72, 48]


def test_every_entity_is_what_its_segments_cut_out_of_the_text(made: Path) -> None:
    for name in DATA_SETS:
        for record in records(made, name):
            text = record["ocr"]["text"]  # type: ignore[index]
            for _, (value, _, segments) in entities(record):
                assert value == "".join(text[start:end] for start, end in segments)


def test_every_token_is_what_its_segment_cuts_out_of_the_text(made: Path) -> None:
    for record in records(made, "ad-buy-form"):
        ocr = record["ocr"]
        assert isinstance(ocr, dict)
        for page in ocr["pages"]:
            for token in page["tokens"]:
                ((start, end),) = token["segments"]
                assert ocr["text"][start:end] == token["text"]
                assert token["bbox"][0] == page["page_id"]


def test_every_box_lies_on_its_page(made: Path) -> None:
    for name in DATA_SETS:
        for record in records(made, name):
            for _, (_, (page, *corners), _) in entities(record):
                left, top, right, bottom = corners
                # the released toolkit refuses a coordinate that is a whole number
                assert type(page) is int
                assert {type(one) for one in corners} == {float}
                assert 0 <= left < right <= 1
                assert 0 <= top < bottom <= 1


def test_names_are_those_of_the_two_data_sets(made: Path) -> None:
    found = [
        {name for one in records(made, which) for name, _ in entities(one)} for which in DATA_SETS
    ]
    assert found == [{*REGISTRATION}, {*AD_BUY, *COMPONENTS}]


def test_some_values_stand_at_several_places(made: Path) -> None:
    places = Counter(
        len(found)
        for record in records(made, "ad-buy-form")
        for name, found in record["annotations"]  # type: ignore[attr-defined]
        if isinstance(name, str)
    )
    assert {*places} == {1, 2}


def test_long_tables_go_on_on_further_pages() -> None:
    form = ad_buy_form(0, 0, items=100)
    pages = {mention.box[0] for mention in form.paper.mentions.values()}
    assert pages == {0, 1, 2}


@pytest.mark.parametrize("name", DATA_SETS)
def test_gold_loads_without_a_problem(made: Path, name: str) -> None:
    source = open_source(made / name)
    assert source.format == "vrdu"
    assert all(hasattr(item, "tree") for item in source.records)


def splits(made: Path, name: str) -> list[Split]:
    found, problems = read_splits(made / name / "few_shot-splits")
    assert problems == []
    return found


@pytest.mark.parametrize("name", DATA_SETS)
def test_splits_do_not_leak(made: Path, name: str) -> None:
    ids = [str(record["filename"]) for record in records(made, name)]
    part = 1
    templates = {id: id.split("-", 1)[part].rpartition("-")[0] for id in ids}
    assert (
        check_splits(splits(made, name), digests=dict.fromkeys(ids, ""), templates=templates) == []
    )


def test_known_and_unknown_templates_share_the_test_documents_between_them(made: Path) -> None:
    by_task: dict[tuple[int, int], dict[str, set[str]]] = {}
    for one in splits(made, "ad-buy-form"):
        key = (one.name.train_size, one.name.seed)
        by_task.setdefault(key, {})[one.name.task] = {*one.test}
    for tests in by_task.values():
        assert tests["kno_template"] | tests["unk_template"] == tests["mixed_template"]
        assert not tests["kno_template"] & tests["unk_template"]


def test_a_split_counts_its_entities(made: Path) -> None:
    rows = {
        str(record["filename"]): sum(isinstance(name, list) for name, _ in record["annotations"])  # type: ignore[attr-defined]
        for record in records(made, "ad-buy-form")
    }
    for file in (made / "ad-buy-form" / "few_shot-splits").glob("*mixed*.json"):
        split = json.loads(file.read_text())
        for part in ("train", "valid", "test"):
            counted = split[f"{part}_entity_number_dict"]["line_item"]
            assert counted == sum(rows[id] for id in split[part])


def test_twelve_prediction_files_answer_for_the_test_documents_of_their_splits(made: Path) -> None:
    tests = {str(one.name): {*one.test} for name in DATA_SETS for one in splits(made, name)}
    found = sorted((made / "predictions").iterdir())
    assert len(found) == 12
    for file in found:
        predicted = json.loads(file.read_text())
        name = file.name.removesuffix(PREDICTIONS)
        assert decode(name).test_size == len(tests[name])
        assert {*predicted["results"]} == tests[name]


def test_a_compressed_data_set_holds_the_same_lines(made: Path, tmp_path: Path) -> None:
    write_vrdu(tmp_path, docs=120, seed=3, compress=True)
    for name in DATA_SETS:
        data = (tmp_path / name / "main" / "dataset.jsonl.gz").read_bytes()
        assert gzip.decompress(data) == (made / name / "main" / "dataset.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param((50, 0), (10, 0), id="more training"),
        pytest.param((10, 40), (0, 50), id="a template seen before"),
        pytest.param((0, 50), (0, 10), id="more of other templates"),
    ],
)
def test_a_model_errs_less_with(better: tuple[int, int], worse: tuple[int, int]) -> None:
    assert Skill.after(*better).rate < Skill.after(*worse).rate


def test_a_model_without_mistakes_extracts_what_is_there() -> None:
    form = ad_buy_form(0, 5, items=4)
    found = extract(form, Skill(0.0), stream(0, 5, "right"))
    assert len(found) == len(form.candidates) + 4 * len(COMPONENTS)


def test_too_few_documents_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="too few"):
        write_vrdu(tmp_path, docs=10)
