"""`synth --vrdu`, `vrdu` and `splits`: a benchmark from nothing to its table, and own splits."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command

SMALL = ("--sizes", "2,5", "--test", "4", "--valid", "2")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from docassay.synth.vrdu.corpus import write_vrdu

    folder = tmp_path_factory.mktemp("benchmark")
    write_vrdu(folder, docs=60)
    return folder


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Forty documents of two templates."""
    lines = [
        {"id": f"d{n}", "fields": {"n": str(n)}, "tags": {"template": "ab"[n % 2]}}
        for n in range(40)
    ]
    file = tmp_path / "receipts.jsonl"
    file.write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    return file


def test_a_generated_benchmark_can_be_scored_as_it_says(tmp_path: Path, docassay: Command) -> None:
    ended = docassay("synth", "--vrdu", "--out", str(tmp_path / "b"), "--docs", "60")
    assert [Path(line).name for line in ended.out.split()] == [
        "registration-form",
        "ad-buy-form",
        "predictions",
    ]
    assert docassay(*shlex.split(ended.err.strip().removeprefix("try: docassay "))).code == 0


def test_options_of_other_corpora_do_not_go_with_vrdu(tmp_path: Path, docassay: Command) -> None:
    ended = docassay("synth", "--vrdu", "--out", str(tmp_path), "--rows", "3")
    assert ended.code == 2
    assert "do not go with --vrdu" in ended.err


def test_the_table_has_training_sizes_by_tasks(made: Path, docassay: Command) -> None:
    ended = docassay("vrdu", str(made), str(made / "predictions"))
    assert ended.code == 0
    assert "MTL: lv2-mixed_template; 2 of 3 seeds" in ended.out
    assert "48 of 60 splits have no predictions" in ended.err
    assert "vrdu_official" not in ended.out


def test_the_numbers_of_the_released_toolkit_come_on_request(made: Path, docassay: Command) -> None:
    ended = docassay("vrdu", str(made), str(made / "predictions"), "--official", "--format", "csv")
    assert {line.split(",")[1] for line in ended.out.splitlines()[1:]} == {"vrdu", "vrdu_official"}


def test_an_option_of_the_metric_reaches_it(made: Path, docassay: Command) -> None:
    ended = docassay("vrdu", str(made), str(made / "predictions"), "--set", "vrdu.nothing=1")
    assert ended.code == 2
    assert "vrdu.nothing" in ended.err


def test_a_folder_without_predictions_is_a_data_error(made: Path, docassay: Command) -> None:
    assert docassay("vrdu", str(made), str(made / "ad-buy-form")).code == 3


def test_made_splits_pass_the_check_they_recommend(
    gold: Path, tmp_path: Path, docassay: Command
) -> None:
    out = tmp_path / "my splits"
    ended = docassay("splits", str(gold), "--template", "template", "--out", str(out), *SMALL)
    assert ended.code == 0
    assert len(ended.out.splitlines()) == len([*out.iterdir()]) == 5 * 2 * 3
    assert Path(ended.out.splitlines()[0]).name == (
        "receipts-lv1-single_a-train_2-test_4-valid_2-SD_0.json"
    )
    check = ended.err.splitlines()[-1].partition("docassay ")[2]
    assert docassay(*shlex.split(check)).out == "30 splits read, no leak\n"


def test_too_little_data_says_how_much_is_needed(
    gold: Path, tmp_path: Path, docassay: Command
) -> None:
    ended = docassay("splits", str(gold), "--template", "template", "--out", str(tmp_path / "s"))
    assert ended.code == 3
    assert "needs 600 documents of template 'a'" in ended.err
    assert "there are 20" in ended.err


def test_a_leak_is_reported_with_exit_code_1(gold: Path, tmp_path: Path, docassay: Command) -> None:
    file = tmp_path / "s" / "Toy-unk_template-train_1-test_2-valid_0-SD_0.json"
    file.parent.mkdir()
    file.write_text('{"train": ["d0"], "valid": [], "test": ["d2", "gone"]}')
    ended = docassay("splits", str(gold), "--check", str(file.parent), "--template", "template")
    assert ended.code == 1
    assert "not in the data: gone" in ended.out
    assert "tested on a template that was trained on, in a task of unseen ones (a): d2" in ended.out
    assert "1 split read, 2 findings" in ended.out


def test_without_data_it_is_said_what_was_not_checked(tmp_path: Path, docassay: Command) -> None:
    file = tmp_path / "s" / "Toy-t-train_1-test_1-valid_0-SD_0.json"
    file.parent.mkdir()
    file.write_text('{"train": ["a"], "valid": [], "test": ["a"]}')
    ended = docassay("splits", "--check", str(file.parent))
    assert ended.code == 1
    assert "train and test" in ended.out
    assert "not checked without DATA" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--out", "s", "--template", "t"], "no DATA was given"),
        (["gold.jsonl"], "either --out DIR or --check DIR"),
        (["gold.jsonl", "--out", "s", "--check", "s"], "either --out DIR or --check DIR"),
        (["gold.jsonl", "--out", "s"], "no template was named"),
        (["gold.jsonl", "--out", "s", "--template", "t", "--sizes", "ten"], "whole numbers"),
    ],
    ids=["no data", "nothing to do", "both", "no template", "no numbers"],
)
def test_a_call_that_cannot_work_is_refused(
    arguments: list[str],
    said: str,
    gold: Path,
    docassay: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(gold.parent)
    gold.rename("gold.jsonl")
    ended = docassay("splits", *arguments)
    assert ended.code == 2
    assert said in ended.err


def test_equal_documents_are_left_out_and_said(tmp_path: Path, docassay: Command) -> None:
    lines = [{"id": f"d{n}", "kind": "a", "n": str(n // 2)} for n in range(40)]
    file = tmp_path / "twice.jsonl"
    file.write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    ended = docassay(
        "splits",
        str(file),
        "--template",
        "kind",
        "--tasks",
        "mixed",
        *SMALL,
        "--out",
        str(tmp_path / "s"),
    )
    assert "20 left out: the same content as another document" in ended.err


def test_what_does_not_print_is_escaped_in_a_finding(tmp_path: Path, docassay: Command) -> None:
    file = tmp_path / "s" / "Toy-t-train_1-test_1-valid_0-SD_0.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"train": ["\x1b[31mred"], "valid": [], "test": ["\x1b[31mred"]}))
    assert "\\x1b[31mred" in docassay("splits", "--check", str(file.parent)).out


def test_a_template_that_no_document_has_is_an_error(
    gold: Path, tmp_path: Path, docassay: Command
) -> None:
    ended = docassay("splits", str(gold), "--template", "layout", "--out", str(tmp_path / "s"))
    assert ended.code == 3
    assert "no document says which template it has" in ended.err
