"""Where keys go, and where they do not."""

from __future__ import annotations

import pytest

from docassay.errors import ConfigurationError
from docassay.extract.endpoint import Endpoint, is_loopback, open_endpoint

OWN, OPENAI = "DOCASSAY_API_KEY", "OPENAI_API_KEY"
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*PROXIES, *map(str.upper, PROXIES)):
        monkeypatch.delenv(name, raising=False)


def opened(url: str, environment: dict[str, str] | None = None, **options: object) -> Endpoint:
    return open_endpoint(url, environment=environment or {}, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "key_env", "sent"),
    [
        ("https://api.openai.com/v1", None, "open"),
        ("http://127.0.0.1:8080/v1", None, "open"),
        ("http://localhost:8080/v1", None, "open"),
        ("http://[::1]:8080/v1", None, "open"),
        ("https://models.example/v1", None, None),
        ("https://api.openai.com.example/v1", None, None),
        ("https://example/api.openai.com/v1", None, None),
        ("http://api.openai.com/v1", None, None),
        ("https://models.example/v1", OPENAI, "open"),
        ("http://models.example/v1", OPENAI, None),
        ("http://192.168.1.7:8000/v1", OPENAI, None),
        ("http://localhost.example/v1", None, None),
    ],
)
def test_the_key_of_openai_goes_to_openai_to_this_machine_or_where_it_is_told(
    url: str, key_env: str | None, sent: str | None
) -> None:
    endpoint = opened(url, {OPENAI: "open"}, key_env=key_env)
    assert endpoint.key == sent
    assert endpoint.headers.get("Authorization") == (sent and f"Bearer {sent}")


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("https://models.example/v1", "own"),
        ("https://api.openai.com/v1", "own"),
        ("http://127.0.0.1/v1", "own"),
        ("http://models.example/v1", None),
    ],
)
def test_the_own_key_wins_and_never_goes_over_plain_http(url: str, sent: str | None) -> None:
    endpoint = opened(url, {OPENAI: "open", OWN: "own"})
    assert endpoint.key == sent
    assert bool(endpoint.notes) == (sent is None)


def test_the_own_key_wins_over_one_that_is_named_and_that_is_said() -> None:
    endpoint = opened("https://x.example/v1", {OWN: "own", "OTHER": "o"}, key_env="OTHER")
    assert endpoint.key == "own"
    assert OWN in endpoint.notes[0]


def test_a_named_key_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="OTHER"):
        opened("https://x.example/v1", {OPENAI: "open"}, key_env="OTHER")


def test_a_key_can_go_in_another_header() -> None:
    endpoint = opened("https://x.example/v1", {OWN: "own"}, key_header="api-key")
    assert dict(endpoint.headers) == {"api-key": "own"}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1/chat/completions"),
        ("http://127.0.0.1:1/v1/", "http://127.0.0.1:1/v1/chat/completions"),
        ("http://127.0.0.1:1", "http://127.0.0.1:1/chat/completions"),
        ("http://127.0.0.1:1/v1/chat/completions", "http://127.0.0.1:1/v1/chat/completions"),
        (
            "https://x.example/v1?api-version=2",
            "https://x.example/v1/chat/completions?api-version=2",
        ),
    ],
)
def test_the_base_url_is_as_openai_clients_take_it(url: str, expected: str) -> None:
    assert opened(url).url == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8080",
        "ftp://x.example/v1",
        "http://",
        "http://x:99999/v1",
        "/v1",
        "http://[::1",
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError):
        opened(url)


def test_a_password_in_the_url_is_refused_and_not_repeated() -> None:
    with pytest.raises(ConfigurationError) as caught:
        opened("https://me:hidden@x.example/v1")
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    "header",
    ["Authorization: Bearer hidden", "api-key: hidden", "X-Api-Key: hidden", "Cookie: hidden",
     "x-auth-token: hidden", "no colon hidden", "Bad Name: hidden", "X: a\nY: hidden",
     "Host: hidden", "Content-Length: 3"],
)  # fmt: skip
def test_headers_that_carry_keys_or_cannot_be_are_refused(header: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        opened("https://x.example/v1", headers=[header])
    assert "hidden" not in str(caught.value).removeprefix("--header: 'no colon hidden'")


def test_a_proxy_of_the_environment_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("https_proxy", "http://me:hidden@proxy.example:3128")
    endpoint = opened("https://x.example/v1")
    assert endpoint.proxy == "http://me:hidden@proxy.example:3128"
    assert "http://proxy.example:3128" in endpoint.notes[0]
    assert "hidden" not in endpoint.notes[0] + repr(endpoint)


def test_this_machine_is_never_reached_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    endpoint = opened("http://127.0.0.1:8080/v1", {OWN: "own"})
    assert endpoint.proxy is None
    assert "proxy.example" in endpoint.notes[0]


def test_no_proxy_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "x.example")
    endpoint = opened("https://x.example/v1")
    assert (endpoint.proxy, endpoint.notes) == (None, ())


def test_nothing_shows_the_key() -> None:
    endpoint = opened("https://x.example/v1", {OWN: "sk-hidden"})
    assert "hidden" not in repr(endpoint) + str(endpoint)


def test_a_key_with_a_line_break_is_refused() -> None:
    with pytest.raises(ConfigurationError) as caught:
        opened("https://x.example/v1", {OWN: "sk-hid\nden"})
    assert "hid" not in str(caught.value)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True),
     ("0.0.0.0", False), ("10.0.0.1", False), ("127.0.0.1.example", False), ("", False)],
)  # fmt: skip
def test_this_machine_is_recognised(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


def test_a_short_key_is_taken_out_of_errors_but_not_of_answers() -> None:
    endpoint = opened("http://127.0.0.1/v1", {OWN: "none"})
    assert endpoint.redacted("key none") == "key [key]"
    assert endpoint.redacted_answer('{"a": "none"}') == '{"a": "none"}'
