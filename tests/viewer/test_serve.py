"""The viewer as a process: its link, Enter, what it writes and how it ends."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import pytest

from docassay.cli import run
from docassay.errors import ConfigurationError
from docassay.viewer.serve import ViewOptions, make_viewer, run_folders

LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=([\w-]{16,})\n")


@pytest.fixture
def process(run_folder: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "docassay", "view", str(run_folder), "--no-browser", "--quiet"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        yield running
        running.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def status(opener: OpenerDirector, request: str | Request) -> int:
    try:
        with opener.open(request, timeout=30) as answer:
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code


def test_a_link_works_once_and_enter_prints_a_fresh_one(
    process: subprocess.Popen[str], run_folder: Path
) -> None:
    before = {file.name for file in run_folder.iterdir()}
    link = line(process)
    match = LINK.fullmatch(link)
    assert match is not None
    home = f"http://127.0.0.1:{match[1]}"
    browser = build_opener(HTTPCookieProcessor())
    assert status(build_opener(), f"{home}/") == 403
    assert status(browser, link.strip()) == 200
    assert status(browser, f"{home}/runs/run/documents/a") == 200
    assert status(browser, f"{home}/runs/run/documents/nobody") == 404
    assert status(browser, Request(f"{home}/", headers={"Host": "evil.example"})) == 403
    assert status(build_opener(HTTPCookieProcessor()), link.strip()) == 403
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    fresh = line(process)
    assert LINK.fullmatch(fresh)
    assert fresh != link
    assert status(build_opener(HTTPCookieProcessor()), fresh.strip()) == 200
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (out, err, process.returncode) == ("", "", 0)
    assert {file.name for file in run_folder.iterdir()} - before == {"docassay-view.sqlite"}


RAW = [
    "GET /../../../etc/passwd HTTP/1.1",
    "GET /static/../../../../etc/passwd HTTP/1.1",
    "GET /static/%2e%2e/%2e%2e/html.py HTTP/1.1",
    "GET //etc/passwd HTTP/1.1",
    "GET http://evil.example/ HTTP/1.1",
    "GET file:///etc/passwd HTTP/1.1",
    "GET /api/pages/1/../../../etc/passwd HTTP/1.1",
    "TRACE / HTTP/1.1",
    "CONNECT evil.example:80 HTTP/1.1",
    "nonsense",
]


def test_hostile_requests_get_nothing(process: subprocess.Popen[str]) -> None:
    link = LINK.fullmatch(line(process))
    assert link is not None
    port, token = int(link[1]), link[2]
    home = f"Host: 127.0.0.1:{port}"
    welcome = sent(port, f"GET /?token={token} HTTP/1.1", home)
    cookie = "Cookie: " + re.findall(r"set-cookie: ([^;]+)", welcome)[0]
    assert sent(port, "GET / HTTP/1.1", home, cookie).startswith("HTTP/1.1 200")
    for request in RAW:
        answer = sent(port, request, home, cookie)
        assert re.match(r"HTTP/1.1 4\d\d ", answer), (request, answer[:200])
        assert "root:" not in answer
    two_hosts = sent(port, "GET / HTTP/1.1", home, "Host: evil.example", cookie)
    assert two_hosts.startswith("HTTP/1.1 4")
    long = sent(port, "GET / HTTP/1.1", home, cookie, "X: " + "x" * 500_000)
    assert long == "" or long.startswith("HTTP/1.1 4")
    write = (
        *("POST /api/runs/run/decisions HTTP/1.1", home, cookie),
        *(f"Origin: http://127.0.0.1:{port}", "Content-Type: application/json"),
    )
    large = sent(port, *write, "Content-Length: 5000000", body=b"x" * 5_000_000)
    assert large == "" or large.startswith("HTTP/1.1 413")
    assert sent(port, "GET / HTTP/1.1", home, cookie).startswith("HTTP/1.1 200")


def sent(port: int, *lines: str, body: bytes = b"") -> str:
    """Send what may be no HTTP at all, and return the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        with suppress(OSError):
            connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)
        answer = b""
        with suppress(OSError):
            while part := connection.recv(65_536):
                answer += part
    return answer.decode("utf-8", "replace")


def test_only_this_machine_is_listened_to(process: subprocess.Popen[str]) -> None:
    match = LINK.fullmatch(line(process))
    assert match is not None
    listening = [
        entry.split()[1]
        for table in ("/proc/net/tcp", "/proc/net/tcp6")
        if Path(table).exists()
        for entry in Path(table).read_text().splitlines()[1:]
        if entry.split()[3] == "0A" and entry.split()[1].endswith(f":{int(match[1]):04X}")
    ]
    if not Path("/proc/net/tcp").exists():
        pytest.skip("this system has no /proc/net/tcp")
    assert listening == [f"0100007F:{int(match[1]):04X}"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nothing"], 2, "there is no such run"),
        (["."], 2, "is no run folder"),
        (["RUN", "--host", "0.0.0.0"], 2, "No such option"),
        (["RUN", "--port", "99999"], 2, "--port"),
        (["RUN", "--images", "nothing"], 2, "is no folder"),
        ([], 2, "Missing argument"),
    ],
)
def test_what_cannot_be_viewed_is_said(
    run_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    words: str,
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    given = [str(run_folder) if word == "RUN" else word for word in arguments]
    assert run(["view", *given]) == code
    assert words in capsys.readouterr().err


def test_a_missing_package_is_named(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert run(["view", str(run_folder)]) == 2
    assert "pip install 'docassay[view]'" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(
    run_folder: Path, process: subprocess.Popen[str], capsys: pytest.CaptureFixture[str]
) -> None:
    match = LINK.fullmatch(line(process))
    assert match is not None
    assert run(["view", str(run_folder), "--port", match[1], "--no-browser"]) == 2
    assert f"port {match[1]} cannot be used" in capsys.readouterr().err


def test_runs_are_named_by_their_folders_and_each_is_viewed_once(
    run_folder: Path, tmp_path: Path
) -> None:
    import shutil

    for place in ("x/run", "y/run"):
        shutil.copytree(run_folder, tmp_path / place)
    folders = [tmp_path / "x/run", tmp_path / "y/run/ledger.jsonl", tmp_path / "x/run/"]
    assert run_folders(folders) == [tmp_path / "x/run", tmp_path / "y/run"]
    viewer = make_viewer(folders, ViewOptions(reviewer="kim"), say=lambda words: None)
    assert [(each.name, each.key) for each in viewer.runs] == [
        ("x/run", "x:run"),
        ("y/run", "y:run"),
    ]
    assert viewer.review.file == tmp_path / "x/run" / "gold-patch.jsonl"
    with pytest.raises(ConfigurationError, match="--pred"):
        make_viewer(folders, ViewOptions(pred="x"), say=lambda words: None)
