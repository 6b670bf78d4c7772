"""What is asked of an endpoint, what of its answers is kept, and what its faults come to."""

from __future__ import annotations

import base64
import json
import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from PIL import Image

from docassay.api.extract import extract_documents, show_prompt
from docassay.errors import ConfigurationError, FileError
from docassay.extract.job import Extraction
from docassay.extract.options import ExtractArgs
from tests.extract.recording import (
    RecordingServer,
    Reply,
    Request,
    Script,
    answer,
    error,
    in_turn,
    recording,
)

SCHEMA = {"name": "receipts", "fields": {"store": "name", "total": "money"}}
RECORD = {"store": "ACME", "total": "12.50"}
KEYS = ("DOCASSAY_API_KEY", "OPENAI_API_KEY")
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*KEYS, *PROXIES, *map(str.upper, PROXIES)):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.txt").write_text(f"receipt {name}\ntotal 12.50\n")
    return folder


class Asked:
    """An extraction against a scripted server, and what came of it."""

    def __init__(self, server: RecordingServer, out: Path, extraction: Extraction | None) -> None:
        self.requests = server.requests
        self.out = out
        self.extraction = extraction

    @property
    def lines(self) -> dict[str, dict[str, Any]]:
        if not self.out.exists():
            return {}
        lines = map(json.loads, self.out.read_text().splitlines())
        return {line["id"]: line for line in lines}

    @property
    def failed(self) -> dict[str, dict[str, Any]]:
        path = Path(f"{self.out}.failed.jsonl")
        lines = map(json.loads, path.read_text().splitlines() if path.exists() else [])
        return {line["id"]: line for line in lines}


Ask = Callable[..., Asked]


@pytest.fixture
def ask(documents: Path, tmp_path: Path) -> Ask:
    def extraction(script: Script | Reply, **options: Any) -> Asked:
        given = ExtractArgs(model="tiny", back_off=0.01, **options)  # type: ignore[typeddict-item]
        out = tmp_path / "pred.jsonl"
        with recording(in_turn(script) if isinstance(script, Reply) else script) as server:
            given.setdefault("endpoint", server.url)
            done = extract_documents(documents, schema=SCHEMA, out=out, **given)
        return Asked(server, out, done)

    return extraction


def test_an_answer_is_kept_whole(ask: Ask) -> None:
    asked = ask(answer(RECORD), price=(2.0, 10.0))
    line = asked.lines["a"]
    assert line["record"] == RECORD
    assert line["raw"] == json.dumps(RECORD)
    assert (line["repairs"], line["outcome"], line["model"]) == ([], "clean", "tiny")
    assert line["tokens"] == {"prompt": 100, "completion": 20}
    assert line["cost"] == pytest.approx((100 * 2 + 20 * 10) / 1e6)
    assert line["attempts"] == 1
    assert line["started"] <= line["ended"]
    assert line["started"].endswith("+00:00")
    assert len(line["prompt"]) == 16
    assert asked.extraction is not None
    assert asked.extraction.cost == pytest.approx(3 * 4e-4)
    assert asked.failed == {}


def test_one_request_a_document_in_the_shape_of_openai(ask: Ask) -> None:
    asked = ask(answer(RECORD), param={"max_tokens": 50}, header=["X-Team: blue"])
    assert len(asked.requests) == 3
    request = asked.requests[0]
    assert request.path == "/v1/chat/completions"
    assert request.headers["X-Team"] == "blue"
    assert "Authorization" not in request.headers
    body = request.body
    assert sorted(body) == ["max_tokens", "messages", "model", "response_format", "temperature"]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("tiny", 0, 50)
    schema = body["response_format"]["json_schema"]
    assert (schema["name"], schema["strict"]) == ("receipts", True)
    assert schema["schema"]["required"] == ["store", "total"]
    assert [message["role"] for message in body["messages"]] == ["user"]


def test_images_go_as_data_urls_byte_by_byte(ask: Ask, documents: Path) -> None:
    for file in documents.iterdir():
        file.unlink()
    Image.new("RGB", (60, 40), "white").save(documents / "page.png")
    Image.new("L", (30, 20)).save(documents / "scan.jpg")
    frames = [Image.new("RGB", (50, 50), color) for color in ("red", "blue")]
    frames[0].save(documents / "two.tiff", save_all=True, append_images=frames[1:])
    asked = ask(answer(RECORD))
    parts = {}
    for request in asked.requests:
        text, *images = request.body["messages"][0]["content"]
        assert text["type"] == "text"
        assert "images of its pages" in text["text"]
        urls = [image["image_url"]["url"].partition(",") for image in images]
        parts[len(urls), urls[0][0]] = [base64.b64decode(data) for _, _, data in urls]
    assert parts[1, "data:image/png;base64"] == [(documents / "page.png").read_bytes()]
    assert parts[1, "data:image/jpeg;base64"] == [(documents / "scan.jpg").read_bytes()]
    assert len(parts[2, "data:image/png;base64"]) == 2
    assert {id: line["pages"] for id, line in asked.lines.items()} == {
        "page": 1,
        "scan": 1,
        "two": 2,
    }


def test_images_are_scaled_down_when_asked(ask: Ask, documents: Path) -> None:
    for file in documents.iterdir():
        file.unlink()
    Image.new("RGB", (400, 100)).save(documents / "wide.png")
    asked = ask(answer(RECORD), max_side=200)
    url = asked.requests[0].body["messages"][0]["content"][1]["image_url"]["url"]
    data = base64.b64decode(url.partition(",")[2])
    assert int.from_bytes(data[16:20]) == 200


FAULTS = [
    pytest.param(error(429, "slow down", Retry_After="0.05"), id="a busy server that says when"),
    pytest.param(error(429, "slow down"), id="a busy server"),
    pytest.param(error(500, "oops"), id="a broken server"),
    pytest.param(error(503, "overloaded"), id="an overloaded server"),
    pytest.param(answer(RECORD, cut=True), id="a connection that is cut"),
    pytest.param(Reply(body=b'{"choices": [{"mess'), id="an envelope that is no JSON"),
    pytest.param(Reply(body=b"<html>gateway</html>"), id="a page of a gateway"),
    pytest.param(Reply(body=b'{"error": {"message": "busy"}}'), id="an error with status 200"),
    pytest.param(Reply(body=b'{"choices": []}'), id="no choice at all"),
    pytest.param(Reply(body=b"[1]"), id="a list in place of an answer"),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_asked_again_and_counted(ask: Ask, fault: Reply) -> None:
    asked = ask(in_turn(fault, answer(RECORD)), limit=1)
    assert len(asked.requests) == 2
    line = asked.lines["a"]
    assert (line["record"], line["attempts"]) == (RECORD, 2)


@pytest.mark.parametrize("fault", [FAULTS[2], FAULTS[4], FAULTS[5]])
def test_a_document_without_answer_is_written_apart_and_asked_again(ask: Ask, fault: Reply) -> None:
    asked = ask(lambda _, request: fault if "receipt b" in request.text else answer(RECORD))
    assert sorted(asked.lines) == ["a", "c"]
    assert asked.failed["b"]["attempts"] == 5
    assert asked.extraction is not None
    assert [line.id for line in asked.extraction.failed] == ["b"]
    again = ask(answer(RECORD), resume=True)
    assert len(again.requests) == 1
    assert "receipt b" in again.requests[0].text
    assert sorted(again.lines) == ["a", "b", "c"]
    assert again.failed == {}


def test_started_and_ended_belong_to_the_answered_attempt(ask: Ask) -> None:
    moments: list[datetime] = []

    def script(number: int, _: Request) -> Reply:
        moments.append(datetime.now(UTC))
        return error(429, "later", Retry_After="0.1") if number == 0 else answer(RECORD)

    line = ask(script, limit=1).lines["a"]
    assert moments[0] < datetime.fromisoformat(line["started"]) <= moments[1]
    assert moments[1] < datetime.fromisoformat(line["ended"])


def test_retry_after_keeps_the_others_quiet_too(ask: Ask) -> None:
    arrivals: list[float] = []
    quiet = 0.3

    def script(number: int, _: Request) -> Reply:
        arrivals.append(monotonic())
        if number == 0:
            return error(429, "later", Retry_After=str(quiet))
        # the others are in flight when the first is told to wait
        return error(500, "oops", wait=0.1) if number < 3 else answer(RECORD)

    asked = ask(script)
    assert (len(asked.lines), len(asked.requests)) == (3, 6)
    assert min(arrivals[3:]) >= arrivals[0] + quiet


def test_a_slow_drip_ends_with_the_time_that_an_answer_has(ask: Ask) -> None:
    asked = ask(in_turn(answer(RECORD, drip=0.05), answer(RECORD)), limit=1, timeout=1.0)
    assert asked.lines["a"]["attempts"] >= 2  # more where the machine is busy


@pytest.mark.parametrize(
    ("raw", "outcome", "repair"),
    [
        ('```json\n{"store": "ACME", "total": "12.50"}\n```', "clean", "code fence"),
        ("{'store': 'ACME', 'total': '12.50',}", "repaired", "single quotes"),
        ('Here you are: {"store": "ACME", "total": "12.50"} Bye.', "repaired", "text around"),
    ],
)
def test_an_answer_that_can_be_repaired_is_not_asked_again(
    ask: Ask, raw: str, outcome: str, repair: str
) -> None:
    asked = ask(answer(raw), limit=1)
    assert len(asked.requests) == 1
    line = asked.lines["a"]
    assert (line["record"], line["outcome"], line["raw"]) == (RECORD, outcome, raw)
    assert any(repair in each for each in line["repairs"])


def test_an_answer_without_a_record_is_kept_as_an_empty_one(ask: Ask) -> None:
    asked = ask(answer("I cannot read this image."), limit=1)
    line = asked.lines["a"]
    assert (line["record"], line["outcome"]) == ({}, "unparseable")
    assert len(asked.requests) == 1


def test_a_message_without_content_is_an_empty_answer(ask: Ask) -> None:
    asked = ask(answer(None), limit=1)
    assert asked.lines["a"]["raw"] == ""
    assert asked.lines["a"]["record"] == {}


HOSTILE = {
    "parts": '[{"type": "text", "text": "{\\"store\\": \\"A\\"}"}]',
    "half a character": r'"{\"store\": \"\ud800\"}"',
    "deep": json.dumps('{"a":' * 3000),
    "NUL": json.dumps("\0" * 50),
    "digits without end": json.dumps('{"store": ' + "9" * 4200 + "}"),
    "a number beyond all": json.dumps('{"store": 12.50, "total": 1e400}'),
    "records": json.dumps('[{"store": "A"}, {"store": "B"}]'),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_whatever_a_model_says_becomes_a_line_that_can_be_read(ask: Ask, content: str) -> None:
    usage = '"usage": {"prompt_tokens": "x"}'
    body = f'{{"choices": [{{"message": {{"content": {content}}}}}], {usage}}}'
    asked = ask(Reply(body=body.encode()), limit=1, confidence="mean")
    assert len(asked.requests) == 1
    assert list(asked.lines) == ["a"]
    assert "tokens" not in asked.lines["a"]


def test_probabilities_that_are_none_are_passed_over(ask: Ask) -> None:
    junk = [1, None, {"token": 3}, {"token": "a", "logprob": "x"}, {"token": "b", "logprob": True}]
    good = [{"token": '{"store": "', "logprob": 5}, {"token": "A", "logprob": -1e999}]
    content = [*junk, *good, {"token": '"}', "logprob": 0}]
    message = {"message": {"content": '{"store": "A"}'}, "logprobs": {"content": content}}
    body = json.dumps({"choices": [message]}).replace("-Infinity", "-1e999")
    asked = ask(Reply(body=body.encode()), limit=1, confidence="minimum")
    assert asked.lines["a"]["record"] == {"store": {"value": "A", "confidence": 0.0}}


def test_an_answer_that_a_limit_cut_off_is_truncated(ask: Ask) -> None:
    asked = ask(answer('{"store": "ACME", "tot', finish="length"), limit=1)
    line = asked.lines["a"]
    assert (line["outcome"], line["record"]) == ("truncated", {"store": "ACME"})


def block_after(text: str, mark: str) -> str:
    return text.partition(mark)[2].partition("```json\n")[2].partition("```")[0]


ECHOES: list[tuple[str, Callable[[Request], str]]] = [
    ("the example alone", lambda request: block_after(request.text, "Here is an example")),
    ("the example in a fence", lambda r: f"```json\n{block_after(r.text, 'Here is an')}\n```"),
    ("the prompt as a whole", lambda request: request.text),
    (
        "the example on one line",
        lambda r: json.dumps(json.loads(block_after(r.text, "Here is an example"))),
    ),
    ("the form that was asked for", lambda r: block_after(r.text, "in the following format")),
]


@pytest.mark.parametrize(("_", "echo"), ECHOES, ids=[name for name, _ in ECHOES])
def test_the_prompts_own_example_never_comes_back(
    ask: Ask, _: str, echo: Callable[[Request], str]
) -> None:
    asked = ask(lambda _, request: answer(echo(request)), limit=1)
    line = asked.lines["a"]
    assert (line["record"], line["outcome"]) == ({}, "unparseable")
    assert line["repairs"] == ["only the prompt's example"]
    assert line["raw"]


def test_an_answer_after_an_echo_of_the_prompt_is_the_answer(ask: Ask) -> None:
    asked = ask(lambda _, request: answer(request.text + json.dumps(RECORD)), limit=1)
    line = asked.lines["a"]
    assert line["record"] == RECORD
    assert line["repairs"][0] == "template left out"


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "Unrecognized request argument supplied: response_format"),
        (422, '{"detail":[{"loc":["body","response_format"],"msg":"extra fields not permitted"}]}'),
        (400, "bad request"),
        (400, {"message": "unsupported value", "param": "response_format"}),
        (500, "failed to parse grammar"),
        (501, "not implemented"),
    ],
)
def test_a_refused_response_format_is_left_out_from_then_on(
    ask: Ask, status: int, message: object
) -> None:
    def refuse(_: int, request: Request) -> Reply:
        refusal = Reply(status, json.dumps({"error": message}).encode())
        return refusal if "response_format" in request.body else answer(RECORD)

    asked = ask(refuse, concurrency=1)
    assert len(asked.requests) == 4
    assert [("response_format" in request.body) for request in asked.requests] == [True] + 3 * [
        False
    ]
    assert {line["attempts"] for line in asked.lines.values()} == {2, 1}
    assert asked.extraction is not None
    assert "response_format" in " ".join(asked.extraction.notes)


def test_refused_logprobs_are_left_out_and_the_format_stays(ask: Ask) -> None:
    def refuse(_: int, request: Request) -> Reply:
        return (
            error(400, "logprobs is not supported")
            if "logprobs" in request.body
            else answer(RECORD)
        )

    asked = ask(refuse, limit=1, confidence="mean")
    assert [
        sorted({"logprobs", "response_format"} & {*request.body}) for request in asked.requests
    ] == [
        ["logprobs", "response_format"],
        ["response_format"],
    ]
    assert asked.lines["a"]["record"] == RECORD
    assert "log-probabilities" in " ".join(asked.lines["a"]["notes"])


def test_logprobs_that_only_a_parameter_names_are_left_out(ask: Ask) -> None:
    def refuse(_: int, request: Request) -> Reply:
        body = b'{"error": {"message": "unsupported value", "param": "logprobs"}}'
        return Reply(400, body) if "logprobs" in request.body else answer(RECORD)

    asked = ask(refuse, limit=1, confidence="mean")
    assert len(asked.requests) == 2
    assert "response_format" in asked.requests[1].body


@pytest.mark.parametrize("url", ["http://exa mple/v1", "http://[::1/v1", "http://xn--/v1"])
def test_a_url_that_no_client_takes_is_an_error(ask: Ask, url: str) -> None:
    with pytest.raises(ConfigurationError):
        ask(answer(RECORD), endpoint=url)


def test_a_document_that_is_too_long_fails_alone(ask: Ask) -> None:
    def refuse(_: int, request: Request) -> Reply:
        too_long = "receipt b" in request.text
        return error(400, "maximum context length is 4096 tokens") if too_long else answer(RECORD)

    asked = ask(refuse, concurrency=1)
    assert sorted(asked.lines) == ["a", "c"]
    assert asked.failed["b"]["attempts"] == 1
    assert all("response_format" in request.body for request in asked.requests)


@pytest.mark.parametrize(
    "reply",
    [
        error(401, "Incorrect API key provided: sk-secret-123456"),
        error(403, "no access with sk-secret-123456"),
        error(404, "no such model"),
        Reply(302, b"", {"Location": "http://127.0.0.1:9/v1/chat/completions"}),
        Reply(307, b"", {"Location": "http://127.0.0.1:9/v1/chat/completions"}),
    ],
    ids=["401", "403", "404", "302", "307"],
)
def test_what_every_document_would_meet_stops_the_run(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    monkeypatch.setenv("DOCASSAY_API_KEY", "sk-secret-123456")
    server: list[Request] = []

    def script(_: int, request: Request) -> Reply:
        server.append(request)
        return reply

    with pytest.raises(ConfigurationError) as caught:
        ask(script, concurrency=1)
    assert len(server) == 1
    assert "sk-secret" not in str(caught.value)
    assert not (tmp_path / "pred.jsonl").exists()  # the same command can be given again
    failed = (tmp_path / "pred.jsonl.failed.jsonl").read_text()
    assert "sk-secret" not in failed


def test_a_server_that_is_not_there_stops_the_run(ask: Ask) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(FileError, match="no connection"):
        ask(answer(RECORD), endpoint=f"http://127.0.0.1:{port}/v1", retries=1)


def test_a_key_that_a_server_echoes_is_never_written(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCASSAY_API_KEY", "sk-secret/123456")

    def echo(_: int, request: Request) -> Reply:
        key = request.headers["Authorization"]
        if "receipt a" in request.text:
            return answer({"store": key, "total": "1"})
        return error(413, f"your headers were {key} and {key.replace('/', '%2F')}")

    asked = ask(echo)
    assert [request.headers["Authorization"] for request in asked.requests] == 3 * [
        "Bearer sk-secret/123456"
    ]
    assert asked.lines["a"]["record"]["store"] == "Bearer [key]"
    for file in tmp_path.glob("pred*"):
        assert "secret" not in file.read_text(), file


def test_many_pages_of_text_are_answered_by_their_own_answers(ask: Ask, documents: Path) -> None:
    for number in range(40):
        (documents / f"n{number}.txt").write_text(f"receipt n{number}.")

    def own(_: int, request: Request) -> Reply:
        name = request.text.rpartition("receipt ")[2].split()[0].rstrip(".")
        return answer({"store": name, "total": None})

    asked = ask(own, concurrency=8)
    assert len(asked.requests) == 43
    assert all(line["record"]["store"] == id for id, line in asked.lines.items())


def test_a_server_that_serves_one_connection_at_a_time_is_enough(
    documents: Path, tmp_path: Path
) -> None:
    with recording(in_turn(answer(RECORD)), threads=False) as server:
        done = extract_documents(
            documents, schema=SCHEMA, out=tmp_path / "p.jsonl", model="m", endpoint=server.url
        )
    assert (done.answered, len(server.requests)) == (3, 3)


def test_showing_the_prompt_sends_nothing(documents: Path) -> None:
    with recording(in_turn(answer(RECORD))) as server:
        prompt = show_prompt(documents, schema=SCHEMA, endpoint=server.url, model="m")
    assert "| (document) | (not applicable) | store |" in prompt.instruction
    assert server.requests == []


def test_a_parameter_can_be_taken_out_of_requests(ask: Ask) -> None:
    asked = ask(answer(RECORD), limit=1, param={"temperature": None})
    assert "temperature" not in asked.requests[0].body


def test_netrc_is_not_read(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login me password hidden\n")
    os.chmod(netrc, 0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(netrc))
    asked = ask(answer(RECORD), limit=1)
    assert "Authorization" not in asked.requests[0].headers
