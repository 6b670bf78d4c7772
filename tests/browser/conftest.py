"""Pages in a real browser: Debian's chromium, driven by playwright; `make test-browser` runs them.

They are collected only when DOCASSAY_BROWSER is set, so that `make test` stays quick.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import docassay

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, StorageState

collect_ignore_glob = [] if os.environ.get("DOCASSAY_BROWSER") else ["test_*.py"]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
WIDE, NARROW = (1440, 900), (390, 844)
PATIENCE = 120_000
"""Milliseconds until a page that does not answer fails a test, on a machine that is busy."""
HOSTILE = {
    "script": "<script>document.title='broken'</script><img src=x onerror=alert(1)>",
    "formula": '=HYPERLINK("http://localhost:9/","click")',
    "turned": "invoice\u202efdp.exe",
    "long": "x" * 1_000_000,
}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("there is no chromium: apt-get install --no-install-recommends chromium")
    playwright.expect.set_options(timeout=PATIENCE)
    with playwright.sync_playwright() as driver:
        # a container has no user namespaces for the sandbox, and all pages here are our own
        chromium = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


class Watched(NamedTuple):
    """A page, and what went wrong in it."""

    page: Page
    errors: list[str]


@pytest.fixture
def watched(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Give a function that opens pages; an error in a console fails the test at its end."""
    opened: list[Watched] = []

    def open_page(
        url: str,
        size: tuple[int, int] = WIDE,
        colours: str = "light",
        state: StorageState | None = None,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if colours == "dark" else "light",
            storage_state=state,
        )
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type != "log" else None)
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(("file:", "data:", "blob:", "http://127.0.0.1:"))
                else errors.append(f"asked for {request.url}")
            ),
        )
        page.set_default_timeout(PATIENCE)
        page.goto(url)
        page.locator("main h1").first.wait_for()
        opened.append(Watched(page, errors))
        return page

    yield open_page
    for each in opened:
        assert each.errors == []
        each.page.context.close()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the demo: two runs over the same gold, with confidences."""
    folder = tmp_path_factory.mktemp("browser") / "demo"
    command = [sys.executable, "-m", "docassay", "demo", "--out", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run whose ids, fields and values would do harm if they were more than text."""
    folder = tmp_path_factory.mktemp("hostile")
    gold = {
        f"<b>{name}</b>": {"<i>field</i>": text, "plain": "1"} for name, text in HOSTILE.items()
    }
    pred = {
        id: {"<i>field</i>": f"{tree['<i>field</i>']}!", "plain": "1"} for id, tree in gold.items()
    }
    for name, records in (("gold", gold), ("pred", pred)):
        write_records(folder / f"{name}.jsonl", records)
    docassay.score(folder / "gold.jsonl", folder / "pred.jsonl", types="text", out=folder / "run")
    return folder / "run"


def write_records(file: Path, records: dict[str, dict[str, object]]) -> None:
    import json

    lines = (json.dumps({"id": id, "fields": tree}) for id, tree in records.items())
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


class Served(NamedTuple):
    """A viewer that runs: the link that it printed, and where it answers."""

    link: str
    base: str


@pytest.fixture(scope="session")
def view() -> Iterator[Callable[..., Served]]:
    """Give a function that starts `docassay view` as a process of its own."""
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str | Path) -> Served:
        command = [sys.executable, "-m", "docassay", "view", "--no-browser", *map(str, arguments)]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )
        running.append(process)
        assert process.stdout is not None
        link = process.stdout.readline().strip()
        assert link.startswith("http://127.0.0.1:"), "the viewer has printed no link"
        return Served(link, link.partition("/?")[0])

    yield start
    for process in running:
        process.send_signal(signal.SIGINT)
        process.wait(60)
        if process.stdout is not None:
            process.stdout.close()


@pytest.fixture(scope="session")
def demo_view(
    view: Callable[..., Served], browser: Browser, demo: Path
) -> tuple[Served, StorageState]:
    """Return a viewer of both runs of the demo, and the cookie that its link was exchanged for."""
    served = view(demo / "run-careful", demo / "run-hasty")
    context = browser.new_context()
    context.new_page().goto(served.link)
    state = context.storage_state()
    context.close()
    return served, state


@pytest.fixture(scope="session")
def serious() -> Callable[[Page], list[str]]:
    """Give a function that returns the serious findings of axe-core about a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def findings(page: Page) -> list[str]:
        report = axe.run(page).response
        return [
            f"{entry['id']}: {node['target']} {node['failureSummary']}"
            for entry in report["violations"]
            if entry["impact"] in ("serious", "critical")
            for node in entry["nodes"]
        ]

    return findings
