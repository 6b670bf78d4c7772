"""Who may ask the viewer: a browser on this machine that has shown a token, and no other page.

Loopback alone does not keep others out: any page in the same browser can send requests to it, and
a name of someone's own can be made to lead here. So the Host must be ours, a cookie that no other
site can send must be there, and a request that writes must come from one of our own pages.
"""

from __future__ import annotations

import re
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]
"""What servers and applications of Python's web interface (ASGI) say to each other."""
_OURS = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.IGNORECASE)
READING = ("GET", "HEAD")
MOST_TOKENS = 20
"""Links that were printed and not yet used."""
MOST_SESSIONS = 100
TOKEN_BYTES = 24
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Of every answer."""
FRESH = "Enter in its terminal prints a fresh one"


class Doorkeeper:
    """Hands out tokens, takes each once, and knows who has shown one."""

    def __init__(self, port: int) -> None:
        # cookies are shared by all ports of a host
        self.cookie = f"docassay-{port}"
        self._tokens: deque[str] = deque(maxlen=MOST_TOKENS)
        self._sessions: deque[str] = deque(maxlen=MOST_SESSIONS)
        self._lock = Lock()

    def token(self) -> str:
        """Return a fresh token."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._lock:
            self._tokens.append(token)
        return token

    def exchange(self, token: str) -> str | None:
        """Return a session for a token, None for one that is unknown or was used before."""
        with self._lock:
            held = next((each for each in self._tokens if _is_same(each, token)), None)
            if held is None:
                return None
            self._tokens.remove(held)
            session = secrets.token_urlsafe(TOKEN_BYTES)
            self._sessions.append(session)
            return session

    def knows(self, cookies: str) -> bool:
        """Whether a header of cookies has one of ours."""
        try:
            given = SimpleCookie(cookies).get(self.cookie)
        except CookieError:
            return False
        return given is not None and any(_is_same(each, given.value) for each in self._sessions)


def _is_same(held: str, given: str) -> bool:
    return compare_digest(held.encode(), given.encode("utf-8", "replace"))


class Dismissal(NamedTuple):
    """What is said in place of the viewer."""

    status: int
    words: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Guard:
    """Answers in place of the viewer where a request is not to be trusted."""

    def __init__(self, app: ASGIApp, doorkeeper: Doorkeeper) -> None:
        self._app = app
        self._doorkeeper = doorkeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [(name.lower(), value) for name, value in message["headers"]]
                own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                names = {name for name, _ in given}
                message["headers"] = [*given, *(pair for pair in own if pair[0] not in names)]
            await send(message)

        answer = self._answer(scope)
        if answer is None:
            await self._app(scope, receive, guarded)
            return
        kind = (b"content-type", b"text/plain; charset=utf-8")
        start = {"type": "http.response.start", "status": answer.status}
        await guarded({**start, "headers": [kind, *answer.headers]})
        await guarded({"type": "http.response.body", "body": f"{answer.words}\n".encode()})

    def _answer(self, scope: Scope) -> Dismissal | None:
        """Return the answer to a request that goes no further, None for others."""
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope["headers"]
        }
        refusal = _refusal(headers, scope["method"])
        if refusal:
            return Dismissal(403, refusal)
        known = self._doorkeeper.knows(headers.get("cookie", ""))
        token = _token(scope)
        if token is not None:
            return self._welcome(token, known=known)
        return (
            None if known else Dismissal(403, f"open the link that docassay view printed; {FRESH}")
        )

    def _welcome(self, token: str, *, known: bool) -> Dismissal:
        """Exchange a token for a cookie and leave it behind in the address."""
        session = self._doorkeeper.exchange(token)
        if session is None and not known:
            return Dismissal(403, f"this link was used before, or is none; {FRESH}")
        cookie = f"{self._doorkeeper.cookie}={session}; HttpOnly; SameSite=Strict; Path=/"
        given = () if session is None else ((b"set-cookie", cookie.encode()),)
        return Dismissal(303, "", ((b"location", b"/"), *given))


def _refusal(headers: Mapping[str, str], method: str) -> str:
    """Return why a request is refused whoever sends it, "" for one that is not."""
    host = headers.get("host", "")
    if not _OURS.fullmatch(host):
        return "the viewer answers to 127.0.0.1, localhost and [::1] alone"
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"http://{host.lower()}":
        return "the request comes from another site"
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        # a link on another page may lead here, if it carries a token; a script there may not
        navigates = method in READING and headers.get("sec-fetch-mode") == "navigate"
        if not navigates:
            return "the request comes from another site"
    if method not in READING and origin is None:
        return "a request that writes must say where it comes from"
    return ""


def _token(scope: Scope) -> str | None:
    """Return the token of a link."""
    if scope["path"] != "/" or scope["method"] != "GET":
        return None
    given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
    return given[0] if given else None
