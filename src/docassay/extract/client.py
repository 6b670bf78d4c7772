"""The client of a chat endpoint: one request a document, asked again only when none was answered.

What is asked again: a server that is busy or broken, a connection that breaks, an answer that is no
JSON at all. What is not: an answer that has to be repaired. A server that refuses an optional part
of the request is asked without it, then and from then on. A refused key, a redirect and an unknown
model stop the whole run, since every document would meet the same.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from docassay.errors import ConfigurationError, DataError, FileError
from docassay.extract.endpoint import Endpoint
from docassay.version import VERSION

if TYPE_CHECKING:
    import httpx

RESPONSE_FORMAT, LOGPROBS = "response_format", "logprobs"
OPTIONAL = (RESPONSE_FORMAT, LOGPROBS)
"""Parts of a request that a server may refuse, in the order in which they are given up."""
LONGEST_WAIT = 120.0
"""Seconds that a server may ask to be left alone."""
LONGEST_BACK_OFF = 30.0
MOST_BYTES = 1 << 26
LONGEST_MESSAGE = 400
LONGEST_BODY = 2000
"""Characters of an error in which the name of a parameter is looked for; a request may follow."""
STOPPING = {
    401: "the server refuses the key",
    402: "the server wants to be paid",
    403: "the server refuses the key",
    404: "the server knows no such address or model",
    405: "the server takes no such request",
    407: "the proxy wants a password",
}
_BUSY = frozenset({408, 409, 425, 429})
_REFUSING = frozenset({400, 415, 422, 501})
_NAMES = {
    RESPONSE_FORMAT: re.compile(r"response_?format|json_?schema|structured|guided|grammar"),
    LOGPROBS: re.compile(r"log_?prob"),
}
_ABOUT_SIZE = re.compile(r"context|too (?:long|large|many)|max_tokens|maximum")


class DocumentFailed(DataError):  # noqa: N818 - reads as a statement about a document
    """A document for which there is no answer, with the number of requests that were sent."""

    def __init__(self, what: str, *, attempts: int = 1, hint: str | None = None) -> None:
        super().__init__(what, hint=hint)
        self.attempts = attempts


class TokenChance(NamedTuple):
    """A token of an answer and the logarithm of its probability.

    Tokens that are parts of one character stand together, as the product of their probabilities.
    """

    text: str
    logprob: float


class ModelReply(NamedTuple):
    """What a model answered, when, and after how many requests."""

    content: str
    finish: str
    """Why the answer ended: `stop`, `length`, or what the server says."""
    prompt_tokens: int | None
    completion_tokens: int | None
    chances: tuple[TokenChance, ...] | None
    """Log-probabilities of the tokens, None where there are none."""
    started: datetime
    ended: datetime
    attempts: int


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a request may take and how often it is sent again."""

    timeout: float = 120.0
    """Seconds for one request, from sending it to the last byte of its answer."""
    retries: int = 4
    back_off: float = 0.5
    """Seconds before the first repetition; they double each time."""


class _Busy(Exception):  # noqa: N818 - never leaves this module
    """A request that may be sent again, after so many seconds if the server says so."""

    def __init__(self, what: str, wait: float | None = None, *, unreachable: bool = False) -> None:
        super().__init__(what)
        self.wait = wait
        self.unreachable = unreachable


class _Refused(Exception):  # noqa: N818 - never leaves this module
    """A request that the server does not take as it is."""

    def __init__(self, status: int, message: str, body: str) -> None:
        super().__init__(f"the server answers {status}: {message}")
        self.message = message.lower()
        self.body = body[:LONGEST_BODY].lower()
        """Which may name a parameter that the message does not."""
        self.clear = status in _REFUSING


class ChatClient:
    """Sends requests to one endpoint; to be used as an asynchronous context manager."""

    def __init__(self, endpoint: Endpoint, *, concurrency: int, patience: Patience) -> None:
        self._endpoint = endpoint
        self._patience = patience
        self._concurrency = concurrency
        self._given_up: dict[str, None] = {}
        self._quiet_until = 0.0
        self._answered = False
        self._random = random.Random()
        self._http: httpx.AsyncClient | None = None

    @property
    def given_up(self) -> tuple[str, ...]:
        """The parts of requests that the server has refused."""
        return tuple(self._given_up)

    async def __aenter__(self) -> ChatClient:
        import httpx

        try:
            httpx.URL(self._endpoint.url).host  # noqa: B018 - reading it checks it
        except (httpx.InvalidURL, UnicodeError) as error:
            raise ConfigurationError(f"is no URL: {error}", where="--endpoint") from None
        self._http = _http_client(self._endpoint, self._patience.timeout, self._concurrency)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._http is not None:
            await self._http.aclose()

    async def ask(self, body: Mapping[str, object]) -> ModelReply:
        """Return the reply to a request; raise DocumentFailed when there is none."""
        dropped: list[str] = []
        attempts = repeated = 0
        while True:
            left_out = {*self._given_up, *dropped}
            asked = {key: value for key, value in body.items() if key not in left_out}
            attempts += 1
            try:
                reply = await self._once(asked, attempts)
            except _Refused as refusal:
                part = self._part_to_drop(refusal, asked)
                if part is None:
                    raise DocumentFailed(str(refusal), attempts=attempts) from None
                dropped.append(part)
            except _Busy as busy:
                repeated += 1
                if repeated > self._patience.retries:
                    raise self._end(busy, attempts) from None
                await self._rest(busy.wait, repeated)
            else:
                self._answered = True
                self._given_up.update(dict.fromkeys(dropped))
                return reply

    def _part_to_drop(self, refusal: _Refused, asked: Mapping[str, object]) -> str | None:
        """Return the optional part that a server refuses, None where it must be something else."""
        parts = [part for part in OPTIONAL if part in asked]
        for words in (refusal.message, refusal.body if refusal.clear else ""):
            for part in parts:
                if _NAMES[part].search(words) is not None:
                    return part
        # a server that names nothing is tried without; one that names a size means the document
        unnamed = refusal.clear and _ABOUT_SIZE.search(refusal.message) is None
        return parts[0] if parts and unnamed else None

    def _end(self, busy: _Busy, attempts: int) -> DataError | FileError:
        """Return the error of a document that was asked for often enough."""
        if busy.unreachable and not self._answered:
            return FileError(str(busy), where=self._endpoint.host, hint="is the server running?")
        return DocumentFailed(str(busy), attempts=attempts)

    async def _rest(self, wait: float | None, repeated: int) -> None:
        if wait is not None:
            # the others are asked to wait as well: it is the server that is busy, not a document
            wait = min(wait, LONGEST_WAIT)
            self._quiet_until = max(self._quiet_until, monotonic() + wait)
        delay = min(LONGEST_BACK_OFF, self._patience.back_off * 2 ** (repeated - 1))
        jitter = delay * self._random.uniform(0.5, 1.0)
        await asyncio.sleep(jitter if wait is None else wait + 0.1 * jitter)

    async def _once(self, body: Mapping[str, object], attempts: int) -> ModelReply:
        import httpx

        while (pause := self._quiet_until - monotonic()) > 0:
            await asyncio.sleep(pause)
        started, clock = datetime.now(UTC), monotonic()
        try:
            async with asyncio.timeout(self._patience.timeout):
                response = await self._sent(body)
        except (TimeoutError, httpx.TimeoutException):
            what = f"no answer within {self._patience.timeout:g} s"
            raise _Busy(what) from None
        except httpx.ConnectError as error:
            raise _Busy(f"no connection: {self._clear(str(error))}", unreachable=True) from None
        except httpx.HTTPError as error:
            what = self._clear(str(error)) or type(error).__name__
            raise _Busy(f"the connection broke: {what}") from None
        text = self._endpoint.redacted_answer(response.text)
        self._check(response, text)
        ended = started + timedelta(seconds=monotonic() - clock)
        return _reply(text, self._endpoint, started, ended, attempts)

    async def _sent(self, body: Mapping[str, object]) -> _HttpAnswer:
        assert self._http is not None
        data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        parts = bytearray()
        async with self._http.stream("POST", self._endpoint.url, content=data) as response:
            async for part in response.aiter_raw():
                parts += part
                if len(parts) > MOST_BYTES:
                    raise DocumentFailed(f"the answer has more than {MOST_BYTES:,} bytes")
        head = {name.lower(): value for name, value in response.headers.items()}
        return _HttpAnswer(response.status_code, head, parts.decode("utf-8", "replace"))

    def _check(self, response: _HttpAnswer, text: str) -> None:
        """Raise what an answer other than a good one means."""
        status = response.status
        if 200 <= status < 300:
            return
        message = self._clear(_message(text))
        if 300 <= status < 400:
            raise ConfigurationError(
                f"the server answers {status}, a redirect, which is not followed",
                where=self._endpoint.host,
                hint="name the address itself with --endpoint",
            )
        if status in STOPPING:
            raise ConfigurationError(
                f"{STOPPING[status]} ({status}): {message}",
                where=self._endpoint.host,
                hint=_hint(status, self._endpoint),
            )
        if status in _BUSY or (status >= 500 and status not in _REFUSING):
            named = any(pattern.search(message.lower()) for pattern in _NAMES.values())
            if status == 500 and named:
                raise _Refused(status, message, text)
            wait = _wait(response.headers.get("retry-after"), datetime.now(UTC))
            raise _Busy(f"the server answers {status}: {message}", wait)
        raise _Refused(status, message, text)

    def _clear(self, text: str) -> str:
        """Return words of a server without the key, on one line and not too long."""
        words = " ".join(self._endpoint.redacted(text).split())
        return words if len(words) <= LONGEST_MESSAGE else f"{words[:LONGEST_MESSAGE]}…"


class _HttpAnswer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    text: str


def require_httpx() -> None:
    """Raise ConfigurationError where the package that sends requests is missing."""
    try:
        import httpx  # noqa: F401
    except ImportError:
        raise ConfigurationError(
            "asking an endpoint needs httpx", hint="pip install 'docassay[extract]'"
        ) from None


def _http_client(endpoint: Endpoint, timeout: float, concurrency: int) -> httpx.AsyncClient:
    """Return a client that goes nowhere else: no redirects, no netrc, no proxies of its own."""
    import certifi
    import httpx

    verify: ssl.SSLContext | bool = False
    if endpoint.url.startswith("https:") or endpoint.proxy is not None:
        verify = ssl.create_default_context()
        # beside the system's, since not every system has any
        verify.load_verify_locations(certifi.where())
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "User-Agent": f"docassay/{VERSION}",
        **endpoint.headers,
    }
    # a plain connection costs nothing to open, and a small server may serve one at a time
    kept_open = concurrency if endpoint.url.startswith("https:") else 0
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=kept_open)
    return httpx.AsyncClient(
        headers=headers,
        trust_env=False,
        follow_redirects=False,
        proxy=endpoint.proxy,
        timeout=httpx.Timeout(timeout, pool=None),
        limits=limits,
        verify=verify,
    )


def _hint(status: int, endpoint: Endpoint) -> str:
    if status in (401, 403):
        no_key = "no key was sent; set DOCASSAY_API_KEY"
        return no_key if endpoint.key is None else "is it the key of this server?"
    return "check --endpoint (…/v1) and --model" if status in (404, 405) else "see its message"


def _wait(header: str | None, now: datetime) -> float | None:
    """Return how many seconds Retry-After asks for: a number, or until a date."""
    if header is None:
        return None
    try:
        seconds = float(header)
        return max(0.0, seconds) if seconds < float("inf") else LONGEST_WAIT
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())


def _message(text: str) -> str:
    """Return what an error says: the message in its JSON, else the beginning of its text."""
    try:
        tree: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    error = tree.get("error", tree) if isinstance(tree, dict) else tree
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) and message.strip() else text


def _reply(
    text: str, endpoint: Endpoint, started: datetime, ended: datetime, attempts: int
) -> ModelReply:
    try:
        tree: object = json.loads(text)
    except (ValueError, RecursionError):
        raise _Busy("the answer of the server is not JSON") from None
    choices = tree.get("choices") if isinstance(tree, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(tree, dict) or not isinstance(choice, dict) or not isinstance(message, dict):
        raise _Busy(f"the answer holds no message: {endpoint.redacted(_message(text))[:200]}")
    usage = tree.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return ModelReply(
        endpoint.redacted_answer(_content(message)),
        str(choice.get("finish_reason") or ""),
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
        _chances(choice.get("logprobs")),
        started,
        ended,
        attempts,
    )


def _content(message: Mapping[str, object]) -> str:
    """Return the text of a message: as it is, its parts joined, or why there is none."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    if isinstance(content, str):
        return content
    refusal = message.get("refusal")
    return refusal if isinstance(refusal, str) else ""


def _count(raw: object) -> int | None:
    return raw if type(raw) is int and raw >= 0 else None


def _chances(raw: object) -> tuple[TokenChance, ...] | None:
    items = raw.get("content") if isinstance(raw, dict) else None
    if not isinstance(items, list):
        return None
    chances: list[TokenChance] = []
    data, logprob = b"", 0.0
    for item in items:
        token = _token(item)
        if token is None:
            continue
        data, logprob = data + token[0], logprob + token[1]
        with suppress(UnicodeDecodeError):
            chances.append(TokenChance(data.decode(), logprob))
            data, logprob = b"", 0.0
    return tuple(chances) or None


def _token(item: object) -> tuple[bytes, float] | None:
    if not isinstance(item, dict):
        return None
    token, logprob, data = item.get("token"), item.get("logprob"), item.get("bytes")
    if isinstance(logprob, bool) or not isinstance(logprob, int | float):
        return None
    # rounding may leave a probability above 1, and JSON has no minus infinity
    chance = max(-1e4, min(0.0, float(logprob)))
    if isinstance(data, list) and all(type(byte) is int and 0 <= byte < 256 for byte in data):
        return bytes(data), chance
    return (token.encode("utf-8", "replace"), chance) if isinstance(token, str) else None
