"""Formats openai-batch, anthropic-batch and gemini-batch: result files of batch services.

A line has the id that its request was given and the answer of a model, or an error of the service.
The answer's text is read as a raw response is; what a model handed to a tool or returned as a
parsed record counts before its text. An error is an empty document, so that all its values count as
missed, and a problem names it. Results come in any order, so lines without ids cannot be paired.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.errors import DataError
from docassay.load.files import read_head
from docassay.load.format import Record, format
from docassay.load.formats.service import Found, member, number, objects, text_of
from docassay.load.records import (
    HEAD,
    Records,
    find_id,
    flaw,
    from_file,
    from_lines,
    looks_like_lines,
)
from docassay.load.response.answer import parse_response
from docassay.load.wire import encode
from docassay.model.problem import (
    PARTIAL,
    UNPARSEABLE,
    Problem,
    ProblemCode,
    Remark,
    Repair,
    ResponseOutcome,
)

OPENAI, ANTHROPIC, GEMINI = "openai-batch", "anthropic-batch", "gemini-batch"
LONGEST_REASON = 300
_MARKS = (b'"custom_id"', b'"key"', b'"request"')
"""Keys of which the results of every service have one."""
_REFUSED = (
    *("content_filter", "refusal", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT"),
    *("SPII", "IMAGE_SAFETY", "LANGUAGE"),
)
"""Why a model stopped when it, or a filter behind it, would not answer."""


class AnswerError(DataError):
    """There is no answer: an error of the service, or a refusal; the text says which."""


class ModelAnswer(NamedTuple):
    """What a model answered, and what of it was not read."""

    text: str
    remark: str | None = None
    usage: object = None
    """The numbers of tokens, as the service counts them."""
    model: object = None


Reader = Callable[[Found], ModelAnswer]
"""(a line) -> the model's answer; raises AnswerError when there is none."""


def service_of(head: bytes) -> str | None:
    """Return the format that the first object of a file has, None when it is of no batch."""
    if not any(mark in head for mark in _MARKS):
        return None
    names = _first_names(head)
    if "custom_id" in names:
        outcome = next((name for name in names if name in ("result", "response", "error")), None)
        return {"result": ANTHROPIC, None: None}.get(outcome, OPENAI)
    answered = any(mark in head for mark in (b'"candidates"', b'"promptFeedback"', b'"error"'))
    keyed = {"key", "metadata"} & {*names} and {"response", "error"} & {*names}
    vertex = {"request", "response", "status"} <= {*names}
    return GEMINI if (keyed and answered) or vertex else None


def _first_names(head: bytes) -> list[str]:
    """Return the keys of the first object, in order; of one that is cut off, those seen so far."""
    for text in (head, head.lstrip().partition(b"\n")[0]):
        try:
            tree: object = msgspec.json.decode(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            continue
        first = tree[0] if isinstance(tree, list) and tree else tree
        return [*first] if isinstance(first, dict) else []
    return _outer_names(head)


def _outer_names(head: bytes) -> list[str]:
    """Return the keys of an object's own members, as far as its text goes."""
    names: list[str] = []
    depth, at = 0, head.find(b"{")
    while 0 <= at < len(head):
        mark = head[at : at + 1]
        if mark == b'"':
            end = at + 1
            while end < len(head) and head[end : end + 1] != b'"':
                end += 2 if head[end : end + 1] == b"\\" else 1
            if depth == 1 and head[end + 1 :].lstrip()[:1] == b":":
                names.append(head[at + 1 : end].decode("utf-8", "replace"))
            at = end
        depth += (mark in b"{[") - (mark in b"}]")
        if not depth:
            break
        at += 1
    return names


@format(OPENAI, sniff=lambda path, head: service_of(head) == OPENAI)
def load_openai(path: Path, *, id_key: str | None = None) -> Records:
    """Read results of OpenAI's batches, of chat completions and of responses, by `custom_id`."""
    return _load(path, (id_key or "custom_id",), _openai, OPENAI)


@format(ANTHROPIC, sniff=lambda path, head: service_of(head) == ANTHROPIC)
def load_anthropic(path: Path, *, id_key: str | None = None) -> Records:
    """Read results of Anthropic's message batches, by `custom_id`."""
    return _load(path, (id_key or "custom_id",), _anthropic, ANTHROPIC)


@format(GEMINI, sniff=lambda path, head: service_of(head) == GEMINI)
def load_gemini(path: Path, *, id_key: str | None = None) -> Records:
    """Read results of Gemini's batches, by `key`, of the Gemini API and of Vertex AI."""
    ids = ("key", "metadata.key") if id_key is None else (id_key,)
    return _load(path, ids, _gemini, GEMINI)


def _load(path: Path, ids: tuple[str, ...], read: Reader, name: str) -> Records:
    """Yield a record for each line with an id; another service's results are an error."""
    service = None if path.is_dir() else service_of(read_head(path, HEAD))
    if service not in (None, name):
        raise DataError(
            f"these are results in {service}, not in {name}",
            where=str(path),
            hint=f"name the format {service}, or none to have it guessed",
        )
    unnamed: str | None = None
    named = False
    for item in _lines(path, ids):
        if isinstance(item, Problem):
            yield item
            continue
        record_id = _id_of(item.tree, ids) or item.id
        named = named or record_id is not None
        if record_id is None:
            unnamed = unnamed or item.where
            if isinstance(item.tree, dict):  # why another could not be read was said before
                remark = Remark(ProblemCode.NO_ID, f"has no id ({' or '.join(ids)}); left out")
                yield flaw(None, remark, item.where)
            continue
        if item.tree is None:  # a broken line whose id could be read
            yield item
            continue
        yield from _record(record_id, item, read)
    if unnamed is not None and not named:
        raise DataError(
            f"no result has an id ({' or '.join(ids)})",
            where=unnamed,
            hint="results come in any order: name the key of the id with --id-key",
        )


def _lines(path: Path, ids: tuple[str, ...]) -> Records:
    lines = path.is_dir() or looks_like_lines(path, read_head(path, HEAD))
    return from_lines(path, ids) if lines else from_file(path, lambda key, value: False)


def _id_of(tree: object, ids: tuple[str, ...]) -> str | None:
    """Return the first id that is there; a key with dots is a path."""
    for key in ids:
        *way, last = key.split(".")
        holder = reduce(member, way, tree)
        if isinstance(holder, dict) and find_id(holder, (last,)) is not None:
            return str(holder[last])
    return None


def _record(record_id: str, item: Record, read: Reader) -> Records:
    assert isinstance(item.tree, dict)
    try:
        answer = read(item.tree)
    except AnswerError as reason:
        outcome = ResponseOutcome(
            UNPARSEABLE, (Repair("service error", reason.what[:LONGEST_REASON]),)
        )
        yield _unread(record_id, outcome, item.where)
        yield Record(record_id, {}, item.where, outcome=outcome)
        return
    if answer.remark is not None:
        yield flaw(record_id, Remark(ProblemCode.LEFT_OUT, answer.remark), item.where)
    response = parse_response(answer.text)
    if response.outcome in (PARTIAL, UNPARSEABLE):
        yield _unread(record_id, response.result, item.where)
    meta = {"usage": answer.usage, "model": answer.model}
    yield Record(record_id, response.tree, item.where, outcome=response.result, meta=meta)


def _unread(record_id: str, outcome: ResponseOutcome, where: str) -> Problem:
    """Return the problem of an answer that was read in part or not at all."""
    code = (
        ProblemCode.PARTIAL_RESPONSE
        if outcome.kind == PARTIAL
        else ProblemCode.UNPARSEABLE_RESPONSE
    )
    return flaw(record_id, Remark(code, f"the response is {outcome.summary}"), where)


def _openai(line: Found) -> ModelAnswer:
    response = line.get("response")
    status = number(member(response, "status_code"))
    body = member(response, "body")
    answer = _openai_answer(line, status, body)
    return answer._replace(usage=member(body, "usage"), model=member(body, "model"))


def _openai_answer(line: Found, status: float | None, body: object) -> ModelAnswer:
    error = member(line, "error") or member(body, "error")
    if error is not None or (status is not None and not 200 <= status < 300):
        raise AnswerError(_named(error, None, None if status is None else int(status)))
    if "output" in _object(body):
        return _openai_output(_object(body))
    choice = next(iter(objects(member(body, "choices"))), {})
    message = _object(choice.get("message"))
    refusal, stop = text_of(message.get("refusal")), choice.get("finish_reason")
    if refusal is not None or stop in _REFUSED:
        raise AnswerError(f"refused: {refusal or stop}")
    calls = [_object(call.get("function")) for call in objects(message.get("tool_calls"))]
    calls += objects([message.get("function_call")])
    handed = [message["parsed"]] if isinstance(message.get("parsed"), dict) else []
    handed += [call.get("arguments") for call in calls]
    return _answer(handed, _joined(message.get("content")) or _joined(choice.get("text")), stop)


def _openai_output(body: Found) -> ModelAnswer:
    """Return the answer of the responses API."""
    texts: list[str] = []
    handed: list[object] = []
    for item in objects(body["output"]):
        if item.get("type") == "function_call":
            handed.append(item.get("arguments"))
        for part in objects(item.get("content")) if item.get("type") == "message" else ():
            refusal = text_of(part.get("refusal"))
            if refusal is not None:
                raise AnswerError(f"refused: {refusal}")
            if isinstance(part.get("parsed"), dict):
                handed.append(part["parsed"])
            texts.append(_joined([part]))
    stop = member(body.get("incomplete_details"), "reason")
    if stop in _REFUSED:
        raise AnswerError(f"refused: {stop}")
    if body.get("status") in ("failed", "cancelled"):
        raise AnswerError(str(body["status"]))
    return _answer(handed, "".join(texts), stop)


def _anthropic(line: Found) -> ModelAnswer:
    result = _object(line.get("result"))
    kind = result.get("type")
    if kind != "succeeded":
        error = member(result, "error")
        inner = member(error, "error")
        raise AnswerError(_named(inner if isinstance(inner, dict) else error, str(kind), None))
    message = _object(result.get("message"))
    stop = message.get("stop_reason")
    if stop in _REFUSED:
        raise AnswerError(f"refused: {stop}")
    blocks = objects(message.get("content"))
    handed = [block.get("input") for block in blocks if block.get("type") == "tool_use"]
    texts = [block for block in blocks if block.get("type") == "text"]
    answer = _answer(handed, _joined(texts), stop)
    return answer._replace(usage=message.get("usage"), model=message.get("model"))


def _gemini(line: Found) -> ModelAnswer:
    response, status = _object(line.get("response")), text_of(line.get("status"))
    error = member(line, "error") or member(response, "error")
    if error is not None or status is not None:
        raise AnswerError(_named(error or status, None, None))
    blocked = member(member(response, "promptFeedback", "prompt_feedback"), "blockReason")
    if blocked is not None:
        raise AnswerError(f"refused: {blocked}")
    candidate = next(iter(objects(response.get("candidates"))), {})
    stop = member(candidate, "finishReason", "finish_reason")
    if stop in _REFUSED:
        raise AnswerError(f"refused: {stop}")
    parts = objects(member(candidate.get("content"), "parts"))
    spoken = [part for part in parts if part.get("thought") is not True]
    calls = [member(part, "functionCall", "function_call") for part in spoken]
    handed = [member(call, "args") for call in calls if call is not None]
    usage = member(response, "usageMetadata", "usage_metadata")
    model = member(response, "modelVersion", "model_version")
    return _answer(handed, _joined(spoken), stop)._replace(usage=usage, model=model)


def _answer(handed: list[object], text: str, stop: object) -> ModelAnswer:
    """Return the first record that was handed over, else the text."""
    if not handed and not text.strip():
        raise AnswerError(
            "no answer" if stop is None else f"no answer: the model stopped with {stop}"
        )
    if not handed:
        return ModelAnswer(text)
    several = f"has {len(handed)} tool calls; the first is read" if len(handed) > 1 else None
    first = handed[0]
    return ModelAnswer(first if isinstance(first, str) else encode(first), several)


def _object(raw: object) -> Found:
    return raw if isinstance(raw, dict) else {}


def _joined(content: object) -> str:
    """Return a text, or the texts of the parts of a content, one after the other."""
    if isinstance(content, str):
        return content
    texts = [part.get("text") for part in objects(content)]
    return "".join(text for text in texts if isinstance(text, str))


def _named(error: object, kind: str | None, status: int | None) -> str:
    """Return an error of a service in one line: its kind, its code and what it says."""
    code = member(error, "code", "type", "status")
    message = text_of(member(error, "message")) or text_of(error)
    name = " ".join(str(part) for part in (kind, status, code) if part is not None)
    parts = (name, " ".join((message or "").split()))
    return ": ".join(part for part in parts if part) or "failed"
