"""`docassay extract`, `run`, `prompt` and `parse` of kept answers, as a person gives them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from docassay.cli.extract import pace_words
from docassay.extract.session import ExtractionProgress
from tests.cli.cli_corpus import Command
from tests.extract.recording import (
    RecordingServer,
    Reply,
    Request,
    answer,
    error,
    in_turn,
    recording,
)

SCHEMA = "name: receipts\nfields: {store: name, total: money}\n"
NAMES = "abcdef"


def own_answer(_: int, request: Request) -> Reply:
    """The right total but for one document, and a store."""
    name = request.text.rpartition("receipt ")[2].split()[0]
    content = json.dumps({"store": f"Shop {name}", "total": "9.99" if name == "c" else "1.50"})
    total = content.index('"total"')
    tokens = [(content[:total], -0.01), (content[total:], -1.0 if name == "c" else -0.1)]
    return answer(content, tokens=tokens if "logprobs" in request.body else ())


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingServer]:
    for name in ("DOCASSAY_API_KEY", "OPENAI_API_KEY", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    with recording(own_answer) as server:
        yield server


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    for name in NAMES:
        Path("docs", f"{name}.txt").write_text(f"receipt {name}\ntotal 1.50\n")
    gold = [{"id": name, "store": f"Shop {name}", "total": "1.50"} for name in NAMES]
    Path("gold.jsonl").write_text("".join(json.dumps(record) + "\n" for record in gold))
    Path("schema.yaml").write_text(SCHEMA)
    return tmp_path


def words(server: RecordingServer, *more: str, out: str = "pred.jsonl") -> list[str]:
    given = ["extract", "docs", "--schema", "schema.yaml", "--model", "tiny", "--out", out]
    return [*given, "--endpoint", server.url, *more]


@pytest.mark.usefixtures("here")
def test_from_pictures_to_a_score(docassay: Command, server: RecordingServer) -> None:
    done = docassay(*words(server, "--price", "1,2", "--logprobs"))
    assert (done.code, done.out) == (0, "")
    assert "6 documents: 6 answered (6 clean)" in done.err
    assert "documents a minute, 720 tokens, cost 0.00084" in done.err
    scored = docassay(
        "score", "gold.jsonl", "pred.jsonl", "--schema", "schema.yaml", "--out", "run"
    )
    assert scored.code == 0
    assert "11 of 12 values need no correction" in scored.out
    assert "tokens, cost 0.00014 a document" in scored.out
    report = json.loads(Path("run/report.json").read_text())
    assert sorted(report["timing"]) == ["documents", "mean", "median", "p95", "total"]
    assert report["timing"]["documents"] == 6
    assert report["tokens"]["total"] == 720
    assert report["cost"]["mean"] == pytest.approx(0.00014)
    summary = Path("run/summary.md").read_text()
    assert "- processing time: mean " in summary
    assert "a minute one after the other" in summary
    shown = docassay("thresholds", "run")
    assert shown.code == 0
    assert "confidence" in shown.out


@pytest.mark.usefixtures("here")
def test_two_models_are_compared_by_time_and_cost_as_well(
    docassay: Command, server: RecordingServer
) -> None:
    for name, price in (("one", "1,1"), ("two", "3,3")):
        docassay(*words(server, "--price", price, out=f"{name}.jsonl"))
        docassay("score", "gold.jsonl", f"{name}.jsonl", "--schema", "schema.yaml", "--out", name)
    compared = docassay("compare", "one", "two")
    assert compared.code == 0
    assert "seconds a document" in compared.out
    assert "cost a document" in compared.out


@pytest.mark.usefixtures("here")
def test_extracting_and_scoring_in_one(docassay: Command, server: RecordingServer) -> None:
    given = ["run", "docs", "gold.jsonl", "--schema", "schema.yaml", "--model", "tiny"]
    given += ["--endpoint", server.url, "--out", "run", "--require", "aligned >= 0.9"]
    done = docassay(*given)
    assert done.code == 0
    assert "11 of 12 values need no correction" in done.out
    assert Path("run/predictions.jsonl").read_text().count("\n") == 6
    assert Path("run/report.json").exists()
    again = docassay(*given)
    assert again.code == 2
    assert "--resume" in again.err
    assert docassay(*given, "--resume").code == 0
    assert len(server.requests) == 6
    strict = docassay(*given[:-1], "aligned >= 0.99", "--resume")
    assert strict.code == 1


@pytest.mark.usefixtures("here")
def test_a_document_that_fails_is_an_exit_of_1_and_counts_as_missed(
    docassay: Command, server: RecordingServer
) -> None:
    server.script = lambda number, request: (
        error(413, "too large") if "receipt b" in request.text else own_answer(number, request)
    )
    given = ["run", "docs", "gold.jsonl", "--schema", "schema.yaml", "--model", "tiny"]
    done = docassay(*given, "--endpoint", server.url, "--out", "run")
    assert done.code == 1
    assert "b: the server answers 413: too large" in done.err
    assert "predictions.jsonl.failed.jsonl; --resume" in done.err
    assert "1 document without prediction" in done.out


@pytest.mark.usefixtures("here")
def test_an_existing_file_is_refused(docassay: Command, server: RecordingServer) -> None:
    docassay(*words(server))
    again = docassay(*words(server))
    assert again.code == 2
    assert "pred.jsonl: exists already" in again.err
    assert docassay(*words(server, "--resume", "--model", "other")).code == 2
    assert len(server.requests) == 6


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("reply", [error(401, "wrong key k-secret-1"), Reply(301, b"")])
def test_a_refused_key_and_a_redirect_end_it(
    docassay: Command, server: RecordingServer, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    monkeypatch.setenv("DOCASSAY_API_KEY", "k-secret-1")
    server.script = in_turn(reply)
    done = docassay(*words(server))
    assert done.code == 2
    assert len(server.requests) <= 4
    assert "k-secret-1" not in done.err + done.out


@pytest.mark.usefixtures("here")
def test_showing_the_prompt_asks_nobody(docassay: Command, server: RecordingServer) -> None:
    shown = docassay(*words(server, "--show-prompt"))
    assert shown.code == 0
    assert "| (document) | (not applicable) | store |" in shown.out
    assert not Path("pred.jsonl").exists()
    alone = docassay("extract", "docs", "--schema", "schema.yaml", "--show-prompt")
    assert alone.out == shown.out
    assert server.requests == []


@pytest.mark.usefixtures("here")
def test_the_prompt_of_a_schema(docassay: Command) -> None:
    shown = docassay("prompt", "schema.yaml", "--input", "text")
    assert shown.code == 0
    extracted = docassay("extract", "docs", "--schema", "schema.yaml", "--show-prompt")
    assert shown.out == extracted.out
    assert docassay("prompt", "business", "--style", "lines", "--type", "receipt").code == 0
    assert "{{table}}" in docassay("prompt", "schema.yaml", "--show", "template").out
    schema = json.loads(docassay("prompt", "schema.yaml", "--show", "json-schema").out)
    assert schema["required"] == ["store", "total"]
    assert docassay("prompt", "nothing.yaml").code in (2, 74)


@pytest.mark.usefixtures("here")
def test_kept_answers_are_read_again(docassay: Command, server: RecordingServer) -> None:
    docassay(*words(server, "--logprobs"))
    before = [json.loads(line) for line in Path("pred.jsonl").read_text().splitlines()]
    old = [{**line, "record": {}, "outcome": "unparseable"} for line in before]
    Path("old.jsonl").write_text("".join(json.dumps(line) + "\n" for line in old))
    parsed = docassay("parse", "old.jsonl", "--schema", "schema.yaml")
    assert parsed.code == 0
    assert [json.loads(line) for line in parsed.out.splitlines()] == before
    assert "6 responses: 6 clean" in parsed.err


@pytest.mark.usefixtures("here")
def test_a_function_and_a_command_run_in_the_same_way(docassay: Command) -> None:
    Path("cli_reader.py").write_text(
        "def read(path, schema):\n    return {'record': {'total': '1.50'}, 'cost': 0.5}\n"
    )
    given = ["extract", "docs", "--schema", "schema.yaml", "--out"]
    done = docassay(*given, "f.jsonl", "--extractor", "cli_reader:read")
    assert done.code == 0
    assert "cost 3" in done.err
    done = docassay(*given, "c.jsonl", "--command", "cat {path}", "--concurrency", "2")
    assert done.code == 0
    lines = [json.loads(line) for line in Path("c.jsonl").read_text().splitlines()]
    assert {line["model"] for line in lines} == {"cat {path}"}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "more",
    [
        ["--param", "max_tokens"],
        ["--price", "1"],
        ["--price", "a,b"],
        ["--concurrency", "0"],
        ["--header", "Authorization: x"],
        ["--key-env", "NO_SUCH_KEY"],
        ["--timeout", "0"],
        ["--type", "invoice"],
        ["--command", "cat {path}"],
        ["--ocr", "no-such-engine"],
    ],
    ids=" ".join,
)
def test_options_that_cannot_work_are_refused(
    docassay: Command, server: RecordingServer, more: list[str]
) -> None:
    done = docassay(*words(server, *more))
    assert done.code == 2
    assert done.err
    assert not Path("pred.jsonl").exists()
    assert server.requests == []


@pytest.mark.usefixtures("here")
def test_an_extraction_needs_a_place_and_a_schema(docassay: Command) -> None:
    assert docassay("extract", "docs", "--schema", "schema.yaml").code == 2
    assert docassay("extract", "docs", "--out", "x.jsonl").code == 2
    assert docassay("run", "docs", "gold.jsonl", "--model", "m").code == 2
    assert docassay("extract", "nowhere", "--schema", "schema.yaml", "--out", "x").code in (2, 74)


@pytest.mark.usefixtures("here")
def test_a_limit_and_parameters_reach_the_server(
    docassay: Command, server: RecordingServer
) -> None:
    more = ["--limit", "2", "--param", "temperature=0.5", "--param", "stop=END"]
    assert docassay(*words(server, *more, "--param", "top_p=0.9")).code == 0
    assert len(server.requests) == 2
    body = server.requests[0].body
    assert (body["temperature"], body["stop"], body["top_p"]) == (0.5, "END", 0.9)


@pytest.mark.usefixtures("here")
def test_a_type_for_each_document_comes_from_gold(
    docassay: Command, server: RecordingServer
) -> None:
    Path("types.yaml").write_text(
        "types: {shop: {fields: [store]}, till: {fields: [total]}}\n"
        "type_field: kind\nfields: {store: name, total: money}\n"
    )
    kinds = [{"id": name, "kind": "shop" if name < "d" else "till"} for name in NAMES]
    Path("kinds.jsonl").write_text("".join(json.dumps(record) + "\n" for record in kinds))
    given = ["extract", "docs", "--schema", "types.yaml", "--model", "m", "--out", "t.jsonl"]
    done = docassay(*given, "--endpoint", server.url, "--type-from", "kinds.jsonl")
    assert done.code == 0
    for request in server.requests:
        shop = request.text.rpartition("receipt ")[2][0] < "d"
        assert ("| store |" in request.text, "| total |" in request.text) == (shop, not shop)


@pytest.mark.usefixtures("here")
def test_samples_that_disagree_lower_the_confidence(
    docassay: Command, server: RecordingServer
) -> None:
    replies = [{"store": "A", "total": "1.50"}, {"store": "A", "total": "1.5"}, {"store": "B"}]
    server.script = in_turn(*map(answer, replies))
    done = docassay(*words(server, "--samples", "3", "--limit", "1", "--concurrency", "1"))
    assert done.code == 0
    line = json.loads(Path("pred.jsonl").read_text())
    assert line["record"]["store"] == {"value": "A", "confidence": pytest.approx(0.6667)}
    assert line["record"]["total"] == {"value": "1.50", "confidence": pytest.approx(0.6667)}
    assert (line["attempts"], line["tokens"]["prompt"]) == (3, 300)
    assert len(line["samples"]) == 2
    assert [request.body["temperature"] for request in server.requests] == [0, 0.7, 0.7]


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (ExtractionProgress(0, 10, 0, 0, None, 1.0), ["0.0/min"]),
        (
            ExtractionProgress(5, 65, 1, 1200, 0.25, 10.0),
            ["30.0/min", "1 failed", "1,200 tokens", "cost 0.25", "2:00 left"],
        ),
    ],
)
def test_the_bar_shows_throughput_cost_and_time_left(
    progress: ExtractionProgress, words: list[str]
) -> None:
    assert pace_words(progress) == words
