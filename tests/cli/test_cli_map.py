"""`--map` and `--ignore` on the command line: pairs, files, mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command


def test_fields_are_renamed_and_ignored_by_options(tmp_path: Path, docassay: Command) -> None:
    gold, pred, names = (tmp_path / name for name in ("gold.jsonl", "pred.jsonl", "map.yaml"))
    gold.write_text(json.dumps({"id": "a", "total": "5", "rows": [{"name": "x"}]}))
    pred.write_text(json.dumps({"id": "a", "sum": "5", "items": [{"desc": "x"}], "why": "z"}))
    names.write_text("items.desc: rows.name\n")
    options = ["--map", str(names), "--map", "sum=total", "--map", "no=x", "--ignore", "why,zip"]
    done = docassay("score", str(gold), str(pred), *options, "--format", "json")
    report = json.loads(done.out)
    assert done.code == 0
    assert report["notes"][-1] == "--ignore zip matches nothing"
    assert "--map no=x matches nothing" in done.err
    scores = {score["readout"]: score["value"] for score in report["scores"] if not score["key"]}
    assert scores["aligned"] == 1


@pytest.mark.parametrize(
    "options",
    [("sum",), ("=total",), ("sum=",), ("sum=total", "--map", "sum=date"), ("none.yaml",)],
    ids=" ".join,
)
def test_a_renaming_is_two_names_or_a_file(options: tuple[str, ...], docassay: Command) -> None:
    done = docassay("score", "g", "p", "--map", *options)
    assert done.code == (74 if options == ("none.yaml",) else 2)
    assert "--map" in done.err or "none.yaml" in done.err
