"""What the viewer answers: to our own pages, and to everybody else."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from docassay.viewer.app import make_app
from docassay.viewer.guard import Doorkeeper, Guard
from docassay.viewer.state import Viewer
from tests.viewer.conftest import GOLD, Opening

PORT = 4321
HOME = f"http://127.0.0.1:{PORT}"
DECISION = {"document": "a", "gold": "total", "pred": "total", "action": "take_pred"}


def client_of(viewer: Viewer, *, door: Doorkeeper) -> TestClient:
    return TestClient(
        Guard(make_app(viewer), door),
        base_url=HOME,
        raise_server_exceptions=False,
        follow_redirects=False,
    )


@pytest.fixture
def door() -> Doorkeeper:
    return Doorkeeper(PORT)


@pytest.fixture
def stranger(looked_at: Viewer, door: Doorkeeper) -> Iterator[TestClient]:
    with client_of(looked_at, door=door) as client:
        yield client


@pytest.fixture
def client(stranger: TestClient, door: Doorkeeper) -> TestClient:
    """A browser that has followed the link."""
    assert stranger.get(f"/?token={door.token()}").status_code == 303
    return stranger


@pytest.fixture
def writer(viewer: Viewer, door: Doorkeeper) -> Iterator[TestClient]:
    """The same, over a run that may be written to."""
    with client_of(viewer, door=door) as client:
        assert client.get(f"/?token={door.token()}").status_code == 303
        yield client


def test_a_link_is_exchanged_once_for_a_cookie_and_leaves_the_address(
    stranger: TestClient, door: Doorkeeper
) -> None:
    token = door.token()
    assert len(token) >= 16
    assert stranger.get("/").status_code == 403
    answer = stranger.get(f"/?token={token}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"docassay-{PORT}=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {*cookie.split("; ")}
    assert token not in cookie
    assert stranger.get("/").status_code == 200
    stranger.cookies.clear()
    assert stranger.get(f"/?token={token}").status_code == 403
    assert stranger.get("/").status_code == 403


@pytest.mark.parametrize("token", ["", "x", "%00", "é", "x" * 10_000])
def test_a_wrong_token_opens_nothing(stranger: TestClient, token: str) -> None:
    answer = stranger.get("/", params={"token": token})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "cookie", ["", "x", "docassay-1=x", f"docassay-{PORT}=", f"docassay-{PORT}=é", '"']
)
@pytest.mark.parametrize("path", ["/", "/api/start", "/static/viewer.js", "/nothing"])
def test_without_our_cookie_nothing_is_said(stranger: TestClient, cookie: str, path: str) -> None:
    answer = stranger.get(path, headers={"cookie": cookie.encode()})
    assert answer.status_code == 403
    assert "<" not in answer.text


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("127.0.0.1:9", 200),
        ("localhost:8888", 200),
        ("LOCALHOST", 200),
        ("[::1]:80", 200),
        ("", 403),
        ("evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("localhost.evil.example:4321", 403),
        ("evil.example:4321#127.0.0.1", 403),
        ("0.0.0.0:4321", 403),
        ("127.0.0.2", 403),
        ("127.0.0.1:123456", 403),
        ("user@127.0.0.1", 403),
    ],
)
def test_only_names_of_this_machine_are_answered(
    client: TestClient, host: str, status: int
) -> None:
    assert client.get("/api/start", headers={"host": host}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": HOME}, 200),
        ({"host": "localhost:1", "origin": "http://localhost:1"}, 200),
        ({}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "http://localhost:4321"}, 403),
        ({"origin": f"https://127.0.0.1:{PORT}"}, 403),
        ({"origin": f"{HOME}.evil.example"}, 403),
        ({"origin": HOME, "sec-fetch-site": "cross-site"}, 403),
        ({"origin": HOME, "sec-fetch-site": "same-site"}, 403),
        ({"origin": HOME, "sec-fetch-site": "same-origin"}, 200),
        ({"origin": HOME, "content-type": "text/plain"}, 415),
        ({"origin": HOME, "content-type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_only_our_own_pages_may_write(
    writer: TestClient, viewer: Viewer, headers: dict[str, str], status: int
) -> None:
    given = {"content-type": "application/json", **headers}
    answer = writer.post("/api/runs/run/decisions", content=json.dumps(DECISION), headers=given)
    assert answer.status_code == status, answer.text
    assert viewer.review.file.exists() == (status == 200)


def test_a_page_elsewhere_cannot_read_either(client: TestClient) -> None:
    other = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/api/start", headers=other).status_code == 403
    assert client.get("/", headers={"origin": "http://evil.example"}).status_code == 403
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=link).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/runs/other",
        "/runs/run/nothing",
        "/runs/run/documents/nobody",
        "/runs/other/documents/a",
        "/compare",
        "/compare/documents/a",
        "/index.html",
        "/viewer.html",
        "/static/viewer.html",
        "/static/../app.py",
        "/static/..%2fhtml.py",
        "/static/%2e%2e%2fhtml.py",
        "/static//etc/passwd",
        "/static/viewer.js%00.css",
        "/..%2f..%2fetc%2fpasswd",
        "/api/runs/other",
        "/api/runs/run/documents/nobody",
        "/api/runs/run/documents/..%2f..%2fgold.jsonl",
        "/api/runs/run/next?after=nobody",
        "/api/images/..%2f..%2fetc%2fpasswd",
        "/api/pages/1/..%2f..%2fetc%2fpasswd",
        "/api/pages/1/a",
        "/api/compare",
        "/api/",
        "/favicon.ico",
    ],
)
def test_what_is_not_there_is_not_found(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert not answer.headers["content-type"].startswith("text/html")
    assert "<" not in answer.text.replace("&lt;", "")


@pytest.mark.parametrize(
    "path",
    [
        "/api/runs/run/documents?sort=x",
        "/api/runs/run/documents?offset=-1",
        "/api/runs/run/documents?limit=many",
        "/api/runs/run/documents?least=x",
        "/api/runs/run/documents?q=" + "x" * 2_000,
        "/api/runs/run/export?form=exe",
    ],
)
def test_what_cannot_be_meant_is_a_bad_request(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 400
    assert answer.json()["error"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "POST"])
def test_other_ways_to_ask_are_refused(client: TestClient, method: str) -> None:
    for path in ("/", "/api/runs/run", "/static/viewer.js"):
        answer = client.request(method, path, headers={"origin": HOME})
        assert answer.status_code == 405


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b"{", 400),
        (b"\xff", 400),
        (b'{"document": "a"}', 400),
        (b'{"document": "nobody", "action": "leave"}', 404),
        (b'{"document": "a", "action": "leave", "path": "../x"}', 400),
        (b'{"document": "a", "action": "erase", "gold": "total", "pred": "total"}', 400),
        (b'{"document": "a", "action": "leave", "gold": "nope"}', 409),
        (b'{"document": "a", "action": "leave", "why": "' + b"x" * 100_000 + b'"}', 413),
        (b"[" * 50_000, 400),
    ],
)
def test_a_decision_that_is_none_is_refused(
    writer: TestClient, viewer: Viewer, body: bytes, status: int
) -> None:
    headers = {"content-type": "application/json", "origin": HOME}
    answer = writer.post("/api/runs/run/decisions", content=body, headers=headers)
    assert answer.status_code == status, answer.text
    assert not viewer.review.file.exists()


@pytest.mark.parametrize("path", ["/", "/api/start", "/nothing", "/static/viewer.js", "/runs/run"])
def test_every_answer_is_locked_down(client: TestClient, path: str) -> None:
    for headers in ({}, {"host": "evil.example"}):
        answer = client.get(path, headers=headers)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers


def test_pages_load_nothing_from_elsewhere_and_run_no_inline_script(client: TestClient) -> None:
    page = client.get("/").text
    assert "://" not in page.replace("http://www.w3.org", "")
    assert "<script>" not in page
    assert "onclick" not in page
    assert "style=" not in page
    for name in ("/static/viewer.js", "/static/page.css"):
        assert client.get(name).status_code == 200


def test_the_address_of_a_document_works_with_its_id_encoded_or_plain(client: TestClient) -> None:
    for id in ("b/1", "b%2F1", "f%20%25%20_"):
        assert client.get(f"/runs/run/documents/{id}").status_code == 200
        assert client.get(f"/api/runs/run/documents/{id}").json()["rows"]


def test_the_list_is_paged_and_says_what_is_wrong(client: TestClient) -> None:
    page = client.get("/api/runs/run/documents?limit=2&offset=1&sort=id").json()
    assert (page["total"], page["offset"]) == (len(GOLD), 1)
    assert [line["id"] for line in page["lines"]] == ["b/1", "c"]
    line = page["lines"][0]
    assert line["fields"] == ["total", "vendor", "items.name"]
    assert "hallucinated row" in line["causes"]
    assert (line["exact"], line["wrong"], line["decided"]) == (False, 3, 0)
    many = client.get("/api/runs/run/documents?limit=999999999").json()
    assert len(many["lines"]) == len(GOLD)


def test_a_run_and_its_thresholds_are_told(client: TestClient) -> None:
    start = client.get("/api/start").json()
    assert [run["name"] for run in start["runs"]] == ["run"]
    assert start["runs"][0]["headline"][0]["label"] == "aligned"
    assert start["review"]["reviewer"] == "kim"
    run = client.get("/api/runs/run").json()
    assert run["headline"][0]["value"] == start["runs"][0]["headline"][0]["value"]
    assert "list" not in run
    curves = client.get("/api/runs/run/thresholds").json()["fields"]
    assert 1 < len(curves[""]["points"]) <= 201


def test_a_decision_changes_the_score_with_decisions_alone(writer: TestClient) -> None:
    headers = {"origin": HOME}
    answer = writer.post("/api/runs/run/decisions", json=DECISION, headers=headers).json()
    (aligned, *_) = answer["review"]["scores"]
    assert aligned["with_decisions"] > aligned["as_is"]
    assert answer["review"] == writer.get("/api/runs/run/review").json()
    assert writer.get("/api/runs/run/documents?decided=1").json()["total"] == 1
    assert answer["document"]["id"] == "a"


def test_next_wrong_goes_on_from_a_document_within_the_selection(client: TestClient) -> None:
    first = client.get("/api/runs/run/next?sort=id").json()["id"]
    assert first == "a"
    assert client.get("/api/runs/run/next?sort=id&after=c").json()["id"] == "e"
    assert client.get("/api/runs/run/next?sort=id&after=c&back=1").json()["id"] == "b/1"
    assert client.get("/api/runs/run/next?sort=id&after=a&field=vendor").json()["id"] == "b/1"
    assert client.get("/api/runs/run/next?sort=id&after=f%20%25%20_").json()["id"] is None


def test_an_export_guards_formulas_and_holds_the_selection(client: TestClient) -> None:
    answer = client.get("/api/runs/run/export?form=csv&field=vendor&sort=id")
    assert "attachment" in answer.headers["content-disposition"]
    rows = [*csv.DictReader(io.StringIO(answer.text))]
    assert [row["document"] for row in rows] == ["b/1", "c", "e"]
    assert rows[1]["gold"].startswith("'=HYPERLINK")
    assert {row["field"] for row in rows} == {"vendor"}
    lines = client.get("/api/runs/run/export?form=jsonl&field=vendor&sort=id").text.splitlines()
    assert json.loads(lines[1])["gold"].startswith("=HYPERLINK")
    everything = client.get("/api/runs/run/export?form=jsonl").text.splitlines()
    kept = Path(client.get("/api/start").json()["runs"][0]["folder"], "verdicts.jsonl")
    assert len(everything) == len(kept.read_text().splitlines())


def test_a_bug_is_a_sentence(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr("docassay.viewer.index.DocumentIndex.entry", broken)
    answer = client.get("/api/runs/run/documents/a")
    assert answer.status_code == 500
    assert answer.json() == {"error": "this is a bug in docassay: KeyError: 'oops'"}


def test_two_runs_are_compared_and_doubted_together(
    run_folder: Path, viewer: Viewer, opening: Opening, door: Doorkeeper, tmp_path: Path
) -> None:
    import shutil

    from docassay.viewer import state

    other = Path(shutil.copytree(run_folder, tmp_path / "other"))
    viewer = Viewer([viewer.runs[0], opening(other)], viewer.review)
    with pytest.MonkeyPatch.context() as patch:
        from docassay.viewer.build import here

        patch.setattr(state, "apart", here)  # a process of its own takes a second to start
        with client_of(viewer, door=door) as client:
            client.get(f"/?token={door.token()}")
            comparison = client.get("/api/compare").json()
            assert [run["key"] for run in comparison["runs"]] == ["run", "other"]
            assert len(comparison["standings"]) == 2
            assert client.get("/compare/documents/a?a=run&b=other").status_code == 200
            assert client.get("/compare/documents/a?a=run&b=none").status_code == 404
            assert client.get("/compare/documents/nobody").status_code == 404
            doubted = client.get("/api/runs/run/documents?sort=suspects").json()["lines"]
            assert {line["id"] for line in doubted} == {*GOLD}
            suspects = [line["suspect"] for line in doubted]
            assert suspects == sorted(suspects, key=lambda score: -(score or 0))
            assert suspects[0] is not None
            shown = client.get(f"/api/runs/run/documents/{doubted[0]['id']}").json()
            doubts = [
                value["suspect"]
                for row in shown["rows"]
                for value in row["values"]
                if "suspect" in value
            ]
            assert max(doubt["score"] for doubt in doubts) == suspects[0]
            assert all(doubt["evidence"] for doubt in doubts)
