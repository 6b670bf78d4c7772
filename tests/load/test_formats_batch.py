"""Results of batch services: ids, answers, tool calls, and errors that are never clean records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import DataError
from docassay.load.format import Record
from docassay.load.formats.batch import service_of
from docassay.load.source import guess, open_records
from docassay.model.document import Problem

INVOICE = {
    "supplier": "Acme Pty Ltd",
    "total": "12.50",
    "items": [{"name": "Tea", "price": "2.50"}],
}
FENCED = f"```json\n{json.dumps(INVOICE)}\n```"


def chat(custom_id: str, message: object, stop: str = "stop") -> dict[str, object]:
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "gpt-4o-mini-2024-07-18",
        "choices": [{"index": 0, "message": message, "finish_reason": stop}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 33},
    }
    return answered(custom_id, body)


def answered(custom_id: str, body: object, status: int = 200) -> dict[str, object]:
    response = {"status_code": status, "request_id": "req_c1", "body": body}
    return {"id": "batch_req_9", "custom_id": custom_id, "response": response, "error": None}


def says(text: object) -> dict[str, object]:
    return {"role": "assistant", "content": text, "refusal": None}


def calls(*arguments: object) -> dict[str, object]:
    listed = [
        {"id": "call_1", "type": "function", "function": {"name": "save", "arguments": handed}}
        for handed in arguments
    ]
    return {"role": "assistant", "content": None, "tool_calls": listed}


def output(custom_id: str, *items: object, **more: object) -> dict[str, object]:
    reasoning = {"id": "rs_1", "type": "reasoning", "summary": []}
    body = {"id": "resp_1", "object": "response", "status": "completed", "error": None}
    return answered(custom_id, {**body, "output": [reasoning, *items], **more})


def spoken(**part: object) -> dict[str, object]:
    content = [{"type": "output_text", "annotations": [], **part}]
    return {"id": "msg_1", "type": "message", "role": "assistant", "content": content}


def message(custom_id: str, *content: object, stop: str = "end_turn") -> dict[str, object]:
    inner = {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": [*content],
        "stop_reason": stop,
        "usage": {"input_tokens": 11, "output_tokens": 36},
    }
    return {"custom_id": custom_id, "result": {"type": "succeeded", "message": inner}}


def ended(custom_id: str, kind: str, **more: object) -> dict[str, object]:
    return {"custom_id": custom_id, "result": {"type": kind, **more}}


def gemini(key: str, *parts: object, stop: str = "STOP") -> dict[str, object]:
    candidate = {"content": {"parts": [*parts], "role": "model"}, "finishReason": stop, "index": 0}
    response = {"candidates": [candidate], "modelVersion": "gemini-2.5-flash"}
    return {"key": key, "response": {**response, "usageMetadata": {"totalTokenCount": 30}}}


def written(folder: Path, *lines: object, name: str = "out.jsonl") -> Path:
    path = folder / name
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def read(path: Path, format: str | None = None) -> tuple[list[Record], list[Problem]]:
    items = [*open_records(path, format=format).records]
    records = [item for item in items if isinstance(item, Record)]
    return records, [item for item in items if isinstance(item, Problem)]


ANSWERS = {
    "chat, a text": chat("a", says(FENCED)),
    "chat, parts of a text": chat("a", says([{"type": "text", "text": json.dumps(INVOICE)}])),
    "chat, a tool call": chat("a", calls(json.dumps(INVOICE)), "tool_calls"),
    "chat, an old function call": chat(
        "a", {"content": None, "function_call": {"name": "f", "arguments": json.dumps(INVOICE)}}
    ),
    "chat, a parsed record": chat("a", {**says("{}"), "parsed": INVOICE}),
    "completions": answered("a", {"choices": [{"text": json.dumps(INVOICE)}]}),
    "responses, a text": output("a", spoken(text=json.dumps(INVOICE))),
    "responses, a call": output(
        "a", {"type": "function_call", "name": "f", "arguments": json.dumps(INVOICE)}
    ),
    "responses, a parsed record": output("a", spoken(text="see parsed", parsed=INVOICE)),
    "anthropic, a text": message("a", {"type": "text", "text": FENCED}),
    "anthropic, texts in pieces": message(
        "a",
        {"type": "thinking", "thinking": '{"total": "0"}', "signature": "x"},
        {"type": "text", "text": json.dumps(INVOICE)[:20]},
        {"type": "text", "text": json.dumps(INVOICE)[20:]},
    ),
    "anthropic, a tool": message(
        "a",
        {"type": "text", "text": 'I will save {"total": "0"}.'},
        {"type": "tool_use", "id": "toolu_1", "name": "save", "input": INVOICE},
        stop="tool_use",
    ),
    "gemini, a text": gemini("a", {"text": json.dumps(INVOICE)}),
    "gemini, thoughts before": gemini(
        "a", {"text": '{"total": "0"}', "thought": True}, {"text": json.dumps(INVOICE)}
    ),
    "gemini, a call": gemini("a", {"functionCall": {"name": "save", "args": INVOICE}}),
    "gemini, inlined": {
        "metadata": {"key": "a"},
        "response": gemini("", {"text": json.dumps(INVOICE)})["response"],
    },
}


@pytest.mark.parametrize("line", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_read_under_the_id_of_its_request(tmp_path: Path, line: object) -> None:
    records, problems = read(written(tmp_path, line))
    assert [(record.id, record.tree, record.outcome.summary) for record in records] == [
        ("a", INVOICE, "clean")
    ]
    assert problems == []


def test_how_an_answer_was_repaired_is_kept(tmp_path: Path) -> None:
    records, problems = read(written(tmp_path, chat("a", says("Sure! {'b': '1',}"))))
    assert (records[0].tree, problems) == ({"b": "1"}, [])
    assert records[0].outcome.summary.startswith("repaired: ")


def refused(reason: str) -> str:
    return f"unparseable: service error: {reason}"


ERRORS = {
    "a rate limit": (
        answered("a", {"error": {"code": "rate_limit_exceeded", "message": "Slow down"}}, 429),
        refused("429 rate_limit_exceeded: Slow down"),
    ),
    "a status alone": (answered("a", {"choices": []}, 500), refused("500")),
    "an error of the batch": (
        {
            "id": "batch_req_1",
            "custom_id": "a",
            "response": None,
            "error": {"code": "batch_expired", "message": "This request could not be executed."},
        },
        refused("batch_expired: This request could not be executed."),
    ),
    "an error beside an answer": (
        answered("a", {"error": {"message": "no"}, "choices": [{"message": says('{"b": 1}')}]}),
        refused("200: no"),
    ),
    "a refusal": (
        chat("a", {"role": "assistant", "content": None, "refusal": "I can't help."}),
        refused("refused: I can't help."),
    ),
    "a filter": (
        chat("a", says('{"b": "1"}'), "content_filter"),
        refused("refused: content_filter"),
    ),
    "no content": (
        chat("a", says(None), "length"),
        refused("no answer: the model stopped with length"),
    ),
    "no body": (answered("a", None), refused("no answer")),
    "a refusal of the responses api": (
        output("a", spoken(type="refusal", refusal="No.")),
        refused("refused: No."),
    ),
    "a filter of the responses api": (
        output(
            "a",
            spoken(text='{"b": "1"}'),
            status="incomplete",
            incomplete_details={"reason": "content_filter"},
        ),
        refused("refused: content_filter"),
    ),
    "a failed response": (output("a", status="failed"), refused("failed")),
    "errored": (
        ended(
            "a",
            "errored",
            error={
                "type": "error",
                "error": {"type": "invalid_request_error", "message": "image exceeds 5 MB"},
            },
        ),
        refused("errored invalid_request_error: image exceeds 5 MB"),
    ),
    "errored, flat": (
        ended("a", "errored", error={"type": "overloaded_error", "message": "Overloaded"}),
        refused("errored overloaded_error: Overloaded"),
    ),
    "expired": (ended("a", "expired"), refused("expired")),
    "canceled": (ended("a", "canceled"), refused("canceled")),
    "a refusal of anthropic": (
        message("a", {"type": "text", "text": '{"b": "1"}'}, stop="refusal"),
        refused("refused: refusal"),
    ),
    "an exhausted quota": (
        {
            "key": "a",
            "error": {"code": 429, "message": "Exhausted", "status": "RESOURCE_EXHAUSTED"},
        },
        refused("429: Exhausted"),
    ),
    "a blocked prompt": (
        {"key": "a", "response": {"promptFeedback": {"blockReason": "SAFETY"}}},
        refused("refused: SAFETY"),
    ),
    "a blocked answer": (
        gemini("a", {"text": '{"b": "1"}'}, stop="RECITATION"),
        refused("refused: RECITATION"),
    ),
    "an empty answer": (
        gemini("a", stop="MAX_TOKENS"),
        refused("no answer: the model stopped with MAX_TOKENS"),
    ),
}


def test_results_of_another_service_than_the_one_named_are_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, chat("a", says(FENCED)))
    assert len(read(path, "openai-batch")[0]) == 1
    with pytest.raises(DataError, match=r"in openai-batch, not in anthropic-batch"):
        read(path, "anthropic-batch")


@pytest.mark.parametrize(("line", "outcome"), ERRORS.values(), ids=ERRORS)
def test_an_error_is_unparseable_and_named(tmp_path: Path, line: object, outcome: str) -> None:
    records, problems = read(written(tmp_path, line))
    assert [(record.id, record.tree, record.outcome.summary) for record in records] == [
        ("a", {}, outcome)
    ]
    assert [(problem.document, problem.message) for problem in problems] == [
        ("a", f"the response is {outcome}")
    ]


def test_a_long_error_is_cut(tmp_path: Path) -> None:
    line = ended("a", "errored", error={"type": "api_error", "message": "x" * 5000})
    records, _ = read(written(tmp_path, line))
    assert len(records[0].outcome.summary) == len("unparseable: service error: ") + 300


def test_an_answer_that_is_cut_off_is_partial(tmp_path: Path) -> None:
    text = '{"supplier": "Acme", "total": "12.'
    records, problems = read(written(tmp_path, chat("a", says(text), "length")))
    assert records[0].tree == {"supplier": "Acme"}
    assert records[0].outcome.summary.startswith("partial: ")
    assert problems[0].message == f"the response is {records[0].outcome.summary}"


def test_of_several_calls_the_first_is_read(tmp_path: Path) -> None:
    records, problems = read(written(tmp_path, chat("a", calls('{"b": "1"}', '{"b": "2"}'))))
    assert records[0].tree == {"b": "1"}
    assert [problem.message for problem in problems] == ["has 2 tool calls; the first is read"]


def test_vertex_has_its_error_in_the_status_and_its_id_where_it_is_said(tmp_path: Path) -> None:
    request = {"contents": [], "labels": {"doc": "a"}}
    good = {
        "status": "",
        "request": request,
        "response": gemini("", {"text": '{"b": "1"}'})["response"],
    }
    bad = {
        "status": "Bad Request: too long",
        "request": {"labels": {"doc": "b"}},
        "response": {},
    }
    path = written(tmp_path, good, bad)
    assert guess(path) == "gemini-batch"
    options = {"id_key": "request.labels.doc"}
    items = [*open_records(path, options=options).records]
    records = [item for item in items if isinstance(item, Record)]
    assert [(record.id, record.outcome.summary) for record in records] == [
        ("a", "clean"),
        ("b", "unparseable: service error: Bad Request: too long"),
    ]


@pytest.mark.parametrize("format", ["openai-batch", "anthropic-batch", "gemini-batch"])
def test_without_any_id_nothing_can_be_paired(tmp_path: Path, format: str) -> None:
    path = written(tmp_path, {"id": "batch_req_1", "response": {}})
    with pytest.raises(DataError, match="results come in any order") as caught:
        read(path, format)
    assert caught.value.where == f"{path}:1"


def test_a_broken_line_and_a_line_without_id_are_problems(tmp_path: Path) -> None:
    good = chat("a", says('{"b": "1"}'))
    path = written(tmp_path, good, '{"custom_id": "b", "resp', {"response": {}})
    records, problems = read(path)
    assert [record.id for record in records] == ["a", "b"]
    assert records[1].tree is None
    assert [(problem.where, problem.message.partition(":")[0]) for problem in problems] == [
        (f"{path}:2", "is not JSON"),
        (f"{path}:3", "has no id (custom_id); left out"),
    ]


def test_a_folder_of_results_and_errors_is_one_batch(tmp_path: Path) -> None:
    written(tmp_path, chat("b", says('{"total": "1"}')), name="output.jsonl")
    written(tmp_path, answered("a", {"error": {"code": "x"}}, 400), name="errors.jsonl")
    records, _ = read(tmp_path)
    assert [(record.id, record.outcome.summary) for record in records] == [
        ("a", "unparseable: service error: 400 x"),
        ("b", "clean"),
    ]


def test_a_list_of_results_is_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text(
        json.dumps([ended("a", "expired"), message("b", {"type": "text", "text": "{}"})])
    )
    assert guess(path) == "anthropic-batch"
    assert [record.id for record in read(path)[0]] == ["a", "b"]


GUESSES = {
    "openai": (chat("a", calls('{"result": 1, "key": 2}')), "openai-batch"),
    "openai, an error": ({"id": "1", "custom_id": "a", "error": {"code": "x"}}, "openai-batch"),
    "anthropic": (
        message("a", {"type": "tool_use", "input": {"response": "x", "key": 1}}),
        "anthropic-batch",
    ),
    "gemini": (gemini("a", {"functionCall": {"args": {"custom_id": "x"}}}), "gemini-batch"),
    "gemini, an error": ({"key": "a", "error": {"code": 3}}, "gemini-batch"),
    "requests of a batch": ({"custom_id": "a", "method": "POST", "body": {}}, None),
    "a record with a key": ({"key": "a", "response": "12"}, None),
    "a record": ({"id": "a", "total": "12"}, None),
}


@pytest.mark.parametrize(("line", "expected"), GUESSES.values(), ids=GUESSES)
@pytest.mark.parametrize("cut", [False, True], ids=["whole", "cut off"])
def test_the_outer_keys_of_the_first_line_say_which_service_it_is(
    line: dict[str, object], expected: str | None, cut: bool
) -> None:
    text = json.dumps(line)
    head = f'{text[:-1]}, "end": "{{[\\"' if cut else f"{text}\n{text}\n"
    assert service_of(head.encode()) == expected


def test_gold_is_scored_against_a_batch_in_any_order(tmp_path: Path) -> None:
    gold = written(
        tmp_path,
        *({"id": f"inv-{number}", **INVOICE, "total": f"{number}.00"} for number in range(4)),
        name="gold.jsonl",
    )
    texts = [json.dumps({**INVOICE, "total": f"{number}.00"}) for number in range(3)]
    wrong = json.dumps({**INVOICE, "total": "9.99"})
    by_service = {
        "openai": [
            chat("inv-2", says(texts[2])),
            answered("inv-3", {"error": {"code": "rate_limit_exceeded"}}, 429),
            chat("inv-0", says(texts[0])),
            chat("inv-1", says(wrong)),
        ],
        "anthropic": [
            message("inv-2", {"type": "text", "text": texts[2]}),
            ended("inv-3", "expired"),
            message("inv-0", {"type": "tool_use", "input": json.loads(texts[0])}),
            message("inv-1", {"type": "text", "text": wrong}),
        ],
        "gemini": [
            gemini("inv-2", {"text": texts[2]}),
            {"key": "inv-3", "error": {"code": 429, "message": "Exhausted"}},
            gemini("inv-0", {"text": texts[0]}),
            gemini("inv-1", {"text": wrong}),
        ],
    }
    for service, lines in by_service.items():
        report = da.score(
            gold, written(tmp_path, *lines, name=f"{service}.jsonl"), metrics=["kieval"]
        )
        # 16 values: one is wrong, the four of a document without answer are missed
        assert report["kieval.aligned"].value == pytest.approx(11 / 16)
        assert report["kieval.substitutions"].value == 1
        assert report["kieval.additions"].value == 4
        assert report["kieval.documents_exact"].value == 2
