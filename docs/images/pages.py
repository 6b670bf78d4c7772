"""Takes report.png and viewer.png, pictures of the demo in the browser of `make test-browser`."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

SIZE = (1280, 800)
FOLDER = Path(__file__).parent
DOCUMENT = "bank_statement_000021"


def main() -> None:
    """Score the demo, then take both pictures."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        demo = Path(name) / "docassay-demo"
        command = [sys.executable, "-m", "docassay", "demo", "--out", demo.name]
        subprocess.run(command, check=True, capture_output=True, cwd=name)
        chromium = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        run = demo / "run-hasty"
        take(chromium, (run / "report.html").as_uri(), "report.png")
        with viewer(demo / "run-careful", run) as link:
            place = f"/runs/run-hasty/documents/{DOCUMENT}"
            take(chromium, link, "viewer.png", place, colours="dark")
        chromium.close()


@contextmanager
def viewer(*runs: Path) -> Iterator[str]:
    """Start a viewer of runs and give its link."""
    command = [sys.executable, "-m", "docassay", "view", "--no-browser", "-q", *map(str, runs)]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, cwd=runs[0].parents[1]
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
        process.stdout.close()


def take(
    chromium: Browser, link: str, name: str, place: str = "", *, colours: str = "light"
) -> None:
    """Write the picture of a page."""
    page = chromium.new_page(
        viewport={"width": SIZE[0], "height": SIZE[1]},
        color_scheme="dark" if colours == "dark" else "light",
    )
    page.goto(link)
    page.locator("main h1").first.wait_for()
    if place:
        page.goto(link.partition("/?")[0] + place)
        page.locator(".diff").wait_for()
        page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / name)
    page.close()


if __name__ == "__main__":
    main()
