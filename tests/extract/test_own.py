"""Extractors of one's own: functions and commands, with the same records, times and failures."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from docassay.api.extract import extract_documents
from docassay.errors import ConfigurationError
from docassay.extract.job import Extraction
from docassay.model.schema import Schema

SCHEMA = {"fields": {"store": "name", "total": "money"}}


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.txt").write_text(f"receipt {name}")
    return folder


@dataclass
class Made:
    extraction: Extraction
    lines: dict[str, dict[str, Any]]
    failed: dict[str, str]


Make = Callable[..., Made]


@pytest.fixture
def make(documents: Path, tmp_path: Path) -> Make:
    def extraction(**options: Any) -> Made:
        out = tmp_path / "pred.jsonl"
        done = extract_documents(documents, schema=SCHEMA, out=out, **options)
        texts = out.read_text().splitlines() if out.exists() else []
        lines = [json.loads(text) for text in texts]
        return Made(
            done,
            {line["id"]: line for line in lines},
            {line.id: line.error for line in done.failed},
        )

    return extraction


def plain(path: Path, schema: Schema) -> dict[str, object]:
    assert [field.path for field in schema.fields] == ["store", "total"]
    return {"store": path.stem, "total": "1"}


def costly(path: Path, schema: Schema) -> dict[str, object]:
    return {
        "record": plain(path, schema),
        "cost": 0.25,
        "tokens": {"prompt": 10, "completion": 2},
        "raw": "as it came",
    }


async def later(path: Path, schema: Schema) -> dict[str, object]:
    await asyncio.sleep(0)
    return plain(path, schema)


def in_words(path: Path, schema: Schema) -> str:
    return f"Sure! ```json\n{json.dumps(plain(path, schema))}\n```"


@dataclass
class Receipt:
    store: str
    total: str


def instance(path: Path, schema: Schema) -> Receipt:
    return Receipt(path.stem, "1")


@pytest.mark.parametrize("function", [plain, costly, later, in_words, instance])
def test_a_function_gets_the_path_and_the_schema(make: Make, function: object) -> None:
    made = make(extractor=function)
    assert {id: line["record"] for id, line in made.lines.items()} == {
        id: {"store": id, "total": "1"} for id in "abc"
    }
    assert all(line["started"] <= line["ended"] for line in made.lines.values())
    assert {line["model"] for line in made.lines.values()} == {function.__name__}  # type: ignore[attr-defined]


def test_what_a_function_says_of_cost_and_tokens_is_kept(make: Make) -> None:
    made = make(extractor=costly)
    line = made.lines["a"]
    assert (line["cost"], line["tokens"]) == (0.25, {"prompt": 10, "completion": 2})
    assert line["raw"] == "as it came"
    assert made.extraction.cost == 0.75
    assert made.extraction.tokens == 36


def test_a_record_with_a_field_named_record_is_a_record(make: Make) -> None:
    made = make(extractor=lambda *_: {"record": {"x": "1"}, "store": "ACME"})
    assert made.lines["a"]["record"] == {"record": {"x": "1"}, "store": "ACME"}


def test_a_function_is_found_by_module_and_name(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_extractor.py").write_text(
        "class Best:\n    @staticmethod\n    def read(path, schema): return {'store': 'x'}\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    made = make(extractor="my_extractor:Best.read")
    assert made.lines["a"]["model"] == "my_extractor:Best.read"
    assert made.lines["a"]["record"] == {"store": "x"}


def test_a_function_that_raises_fails_its_document_alone(make: Make) -> None:
    def moody(path: Path, _: Schema) -> dict[str, object]:
        if path.stem == "b":
            raise ValueError("cannot read it")
        return {"store": "x"}

    made = make(extractor=moody)
    assert sorted(made.lines) == ["a", "c"]
    assert made.failed["b"].startswith("ValueError: cannot read it (test_own.py:")


@pytest.mark.parametrize("result", [3, ["a"], object(), {"store": object()}])
def test_what_is_no_record_fails_its_document(make: Make, result: object) -> None:
    made = make(extractor=lambda *_: result, limit=1)
    assert made.lines == {}
    assert list(made.failed) == ["a"]


def test_a_function_that_ends_the_program_ends_its_document(make: Make) -> None:
    made = make(extractor=lambda *_: sys.exit(3), limit=1)
    assert "SystemExit" in made.failed["a"]


def test_a_function_that_takes_too_long_fails(make: Make) -> None:
    import threading

    stuck = threading.Event()
    try:
        made = make(extractor=lambda *_: stuck.wait(60), limit=1, timeout=0.05)
    finally:
        stuck.set()
    assert made.failed == {"a": "no answer within 0.05 s"}


@pytest.mark.parametrize(
    "spec", ["json", "json:", ":loads", "no_such_module_x:f", "json:nothing", "math:pi"]
)
def test_a_function_that_is_not_there_is_an_error(make: Make, spec: str) -> None:
    with pytest.raises(ConfigurationError, match="--extractor"):
        make(extractor=spec)


SCRIPT = """\
import json, os, sys
path = sys.argv[1]
if "b.txt" in path:
    sys.exit("cannot read it")
print("Here: " + json.dumps({"store": os.path.basename(path), "total": sys.argv[2]}))
"""


@pytest.fixture
def tool(tmp_path: Path) -> str:
    script = tmp_path / "tool.py"
    script.write_text(SCRIPT)
    return f"{sys.executable} {script}"


def test_what_a_command_prints_is_read_as_an_answer(make: Make, tool: str) -> None:
    made = make(command=f"{tool} {{path}} {{id}}")
    assert made.lines["a"]["record"] == {"store": "a.txt", "total": "a"}
    assert made.lines["a"]["outcome"] == "repaired"
    assert made.lines["a"]["raw"].startswith("Here: ")
    assert "cannot read it" in made.failed["b"]


def test_no_shell_sees_the_name_of_a_document(make: Make, tool: str, documents: Path) -> None:
    evil = "$(touch hacked); x {id}.txt"
    (documents / evil).write_text("receipt")
    made = make(command=f"{tool} {{path}} {{id}}")
    assert made.lines[evil.removesuffix(".txt")]["record"]["store"] == evil
    assert not Path("hacked").exists()


def test_a_command_does_not_get_the_key(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCASSAY_API_KEY", "hidden")
    script = tmp_path / "env.py"
    script.write_text("import os; print({'store': os.environ.get('DOCASSAY_API_KEY', 'none')})")
    made = make(command=f"{sys.executable} {script} {{path}}", limit=1)
    assert "hidden" not in made.lines["a"]["raw"]


def test_a_command_that_takes_too_long_is_ended(make: Make) -> None:
    command = f"{sys.executable} -c 'import time; time.sleep(60)' {{path}}"
    made = make(command=command, limit=1, timeout=0.1)
    assert made.failed == {"a": "no answer within 0.1 s"}


@pytest.mark.parametrize("command", ["tool", "no-such-tool-x {path}", "'{path}", ""])
def test_a_command_that_cannot_run_is_an_error(make: Make, command: str) -> None:
    with pytest.raises(ConfigurationError, match="--command"):
        make(command=command)


def test_it_runs_where_an_event_loop_runs_already(make: Make) -> None:
    async def notebook() -> Made:
        return make(extractor=plain)

    assert sorted(asyncio.run(notebook()).lines) == ["a", "b", "c"]
