"""The endpoint: where requests go, which key goes with them, and what nobody gets to see.

A key comes from the environment. `DOCASSAY_API_KEY` goes to the endpoint that was given;
`OPENAI_API_KEY` goes there only if it is OpenAI's or on this machine, or if `--key-env` names it.
None goes over plain http, except to this machine. No other host is contacted but a proxy that the
environment names, and that is reported.
"""

from __future__ import annotations

import ipaddress
import re
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from docassay.errors import ConfigurationError

OWN_KEY = "DOCASSAY_API_KEY"
OPENAI_KEY = "OPENAI_API_KEY"
OPENAI_HOST = "api.openai.com"
CHAT = "/chat/completions"
AUTHORIZATION = "Authorization"
REDACTED = "[key]"
LONG_KEY = 6
"""Characters from which on a key is taken out of answers too; a shorter one may be a word."""
_SECRET = re.compile(
    r"authorization|cookie|(?:^|[-_])(?:key|token|secret|password)$", re.IGNORECASE
)
_RESERVED = frozenset({"host", "content-length", "transfer-encoding", "connection", "content-type"})
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True)
class Endpoint:
    """Where requests go and with what; its text never shows the key."""

    url: str
    """Of chat completions."""
    host: str
    key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    proxy: str | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    """What users should know: a key that is not sent, a proxy."""

    def redacted(self, text: str) -> str:
        """Return a text without the key, in the forms in which a server may echo it."""
        for secret in self._forms():
            text = text.replace(secret, REDACTED)
        return text

    def redacted_answer(self, text: str) -> str:
        """Return an answer without the key, unless that is so short that it may be a word."""
        return text if self.key is None or len(self.key) < LONG_KEY else self.redacted(text)

    def _forms(self) -> tuple[str, ...]:
        if not self.key:
            return ()
        quoted = urllib.parse.quote(self.key, safe="")
        return tuple(dict.fromkeys((self.key, quoted, self.key.replace("/", "\\/"))))


def open_endpoint(
    url: str,
    *,
    environment: Mapping[str, str],
    key_env: str | None = None,
    key_header: str = AUTHORIZATION,
    headers: Sequence[str] = (),
) -> Endpoint:
    """Return the endpoint of a base URL as OpenAI clients take it (…/v1)."""
    parts = _parts(url)
    host = (parts.hostname or "").lower()
    local = is_loopback(host)
    key, notes = _key(parts.scheme, host, environment, key_env)
    given = {name: value for name, value in map(_header, headers)}
    if _HEADER_NAME.fullmatch(key_header) is None:
        raise ConfigurationError(f"{key_header!r} is no name of a header", where="--key-header")
    if key is not None:
        given[key_header] = f"Bearer {key}" if key_header == AUTHORIZATION else key
    proxy = None if local else _proxy(parts.scheme, host)
    path = parts.path.rstrip("/").removesuffix(CHAT)
    full = urllib.parse.urlunsplit((parts.scheme, parts.netloc, path + CHAT, parts.query, ""))
    notes += _about_proxies(parts.scheme, proxy, local=local)
    return Endpoint(full, host, key, MappingProxyType(given), proxy, tuple(notes))


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _parts(url: str) -> urllib.parse.SplitResult:
    try:
        parts = urllib.parse.urlsplit(url.strip())
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        raise ConfigurationError("is no URL", where="--endpoint") from None
    if parts.username is not None or parts.password is not None:
        raise ConfigurationError(
            "the URL holds a password",
            where="--endpoint",
            hint=f"keys come from the environment: set {OWN_KEY}",
        )
    blank = any(letter.isspace() or not letter.isprintable() for letter in url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or blank:
        raise ConfigurationError(
            f"{url!r} is no URL of a server",
            where="--endpoint",
            hint="write the base URL, such as http://127.0.0.1:8080/v1",
        )
    return parts


def _key(
    scheme: str, host: str, environment: Mapping[str, str], key_env: str | None
) -> tuple[str | None, list[str]]:
    """Return the key that goes to a host, None for none, and what to say about it."""
    name = _key_name(scheme, host, environment, key_env)
    if name is None:
        return None, []
    key = environment[name].strip()
    if not key.isascii() or not key.isprintable():
        raise ConfigurationError(
            "holds characters that no header can carry", where=name, hint="set it to the key alone"
        )
    if scheme == "http" and not is_loopback(host):
        return None, [f"{name} is not sent to {host}: plain http would show it to others"]
    asked = key_env is not None and name != key_env
    return key, [f"{name} is set and goes before --key-env {key_env}"] if asked else []


def _key_name(
    scheme: str, host: str, environment: Mapping[str, str], key_env: str | None
) -> str | None:
    if environment.get(OWN_KEY, "").strip():
        return OWN_KEY
    if key_env is not None:
        if not environment.get(key_env, "").strip():
            raise ConfigurationError(
                f"the environment has no {key_env}", where="--key-env", hint=f"export {key_env}=…"
            )
        return key_env
    openai = scheme == "https" and host == OPENAI_HOST
    if environment.get(OPENAI_KEY, "").strip() and (openai or is_loopback(host)):
        return OPENAI_KEY
    return None


def _header(text: str) -> tuple[str, str]:
    name, sign, value = (part.strip() for part in text.partition(":"))
    if not sign or _HEADER_NAME.fullmatch(name) is None or not value.isprintable():
        raise ConfigurationError(
            f"{text.partition(':')[0]!r} is no header", where="--header", hint="write 'Name: value'"
        )
    if not value.isascii():
        raise ConfigurationError(f"the value of {name} is not ASCII", where="--header")
    if _SECRET.search(name) is not None:
        raise ConfigurationError(
            f"{name} carries a key, and keys come from the environment",
            where="--header",
            hint=f"set {OWN_KEY}; --key-header {name} says which header it goes in",
        )
    if name.lower() in _RESERVED:
        raise ConfigurationError(f"{name} is set by the request itself", where="--header")
    return name, value


def _proxy(scheme: str, host: str) -> str | None:
    """Return the proxy that the environment names for a host."""
    if urllib.request.proxy_bypass(host):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    return None if not proxy else proxy if "://" in proxy else f"http://{proxy}"


def _about_proxies(scheme: str, proxy: str | None, *, local: bool) -> list[str]:
    """Return what is said about proxies of the environment, without their passwords."""
    if proxy is not None:
        return [f"requests go through the proxy {_without_password(proxy)} of the environment"]
    proxies = urllib.request.getproxies()
    unused = proxies.get(scheme) or proxies.get("all")
    if local and unused:
        return [
            f"the proxy {_without_password(unused)} of the environment is not used: the "
            "endpoint is on this machine"
        ]
    return []


def _without_password(url: str) -> str:
    return re.sub(r"(?<=//)[^/@]*@", "", url if "://" in url else f"http://{url}")
