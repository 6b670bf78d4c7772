"""A chat endpoint on this machine that records requests and answers by a script."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]
    data: bytes

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.data)

    @property
    def text(self) -> str:
        """The text of the prompt."""
        content = self.body["messages"][0]["content"]
        if isinstance(content, str):
            return content
        return next(part["text"] for part in content if part["type"] == "text")


@dataclass(frozen=True)
class Reply:
    """What the server sends: a status, headers, a body, and how it misbehaves."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    """Whether the connection is cut after half of the body."""
    drip: float = 0.0
    """Seconds between two bytes."""
    wait: float = 0.0
    """Seconds before anything is sent."""


def answer(
    content: object, *, finish: str = "stop", tokens: Sequence[Any] = (), **reply: Any
) -> Reply:
    """A good answer, in the shape that OpenAI, vLLM and llama.cpp give."""
    text = content if isinstance(content, str) or content is None else json.dumps(content)
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": finish,
    }
    if tokens:
        choice["logprobs"] = {
            "content": [
                {
                    "token": token,
                    "logprob": logprob,
                    "bytes": list(token.encode()),
                    "top_logprobs": [],
                }
                for token, logprob in tokens
            ]
        }
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "served-model",
        "choices": [choice],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
    return Reply(body=json.dumps(body).encode(), **reply)


def error(status: int, message: str, *, wait: float = 0.0, **headers: str) -> Reply:
    body = json.dumps({"error": {"message": message, "type": "error", "code": status}}).encode()
    own = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, body, own, wait=wait)


Script = Callable[[int, Request], Reply]
"""(number of the request from 0, the request) -> the reply"""


def in_turn(*replies: Reply) -> Script:
    """Answer with one reply after the other, and with the last one from then on."""
    return lambda number, _: replies[min(number, len(replies) - 1)]


class RecordingServer:
    def __init__(self, script: Script, *, threads: bool = True) -> None:
        self.script = script
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                owner.handle(self)

            do_GET = do_POST  # noqa: N815 - as the library names it

            def log_message(self, *_: object) -> None:
                """Stay silent."""

        kind = ThreadingHTTPServer if threads else HTTPServer
        self.http = kind(("127.0.0.1", 0), Handler)
        if isinstance(self.http, ThreadingHTTPServer):
            self.http.daemon_threads = True
        self.http.handle_error = lambda *_: None  # type: ignore[method-assign]
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        size = int(handler.headers.get("Content-Length", 0))
        request = Request(handler.path, dict(handler.headers.items()), handler.rfile.read(size))
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
        reply = self.script(number, request)
        time.sleep(reply.wait)
        try:
            self._send(handler, reply)
        except OSError:
            handler.close_connection = True  # the client has gone away

    def _send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        handler.send_response(reply.status)
        for name, value in {"Content-Type": "application/json", **reply.headers}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(reply.body)))
        handler.end_headers()
        body = reply.body[: len(reply.body) // 2] if reply.cut else reply.body
        if reply.drip:
            for byte in body:
                handler.wfile.write(bytes([byte]))
                handler.wfile.flush()
                time.sleep(reply.drip)
        else:
            handler.wfile.write(body)
        if reply.cut:
            handler.close_connection = True


@contextmanager
def recording(script: Script, *, threads: bool = True) -> Iterator[RecordingServer]:
    server = RecordingServer(script, threads=threads)
    thread = threading.Thread(target=server.http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.http.shutdown()
        server.http.server_close()
