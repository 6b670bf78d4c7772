"""The viewer as people use it: runs compared, documents stepped through, gold put right."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import docassay
from tests.browser.conftest import HOSTILE, NARROW, WIDE, Served, write_records

if TYPE_CHECKING:
    from playwright.sync_api import Page, StorageState

# an assertion of playwright waits until the page has drawn what an action leads to
expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
Open = Callable[..., "Page"]
View = Callable[..., Served]
Shared = tuple[Served, "StorageState"]
WORST = "invoice_000087"


def command(*words: str | Path) -> str:
    arguments = [sys.executable, "-m", "docassay", *map(str, words)]
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def heading(page: Page, name: str) -> None:
    page.get_by_role("heading", name=name, level=1).wait_for()


def test_runs_stand_on_a_leaderboard_and_on_a_document_side_by_side(
    watched: Open, demo_view: Shared
) -> None:
    served, state = demo_view
    page = watched(served.base, state=state)
    heading(page, "run-careful is better than run-hasty")
    board = page.get_by_role("region", name="Leaderboard").locator("tbody tr")
    expect(board.locator("th")).to_have_text(["run-careful", "run-hasty"])
    expect(board.nth(1)).to_contain_text("worse")
    page.get_by_role("link", name="Compare", exact=True).click()
    changed = page.get_by_role("region", name="Documents that changed").locator("tbody th a")
    first = changed.first.inner_text()
    changed.first.click()
    heading(page, first)
    heads = page.locator("table.pair thead th")
    expect(heads).to_have_text(["value", "gold", "run-careful", "run-hasty"])
    expect(page).to_have_url(re.compile(first))


def test_a_deep_link_shows_exactly_its_view(watched: Open, demo_view: Shared) -> None:
    served, state = demo_view
    page = watched(served.base, state=state)
    place = f"{served.base}/runs/run-hasty/documents?cause=missing+row&type=receipt&sort=id"
    page.goto(place)
    ids = page.locator("table.list tbody th")
    ids.first.wait_for()
    listed = ids.all_inner_texts()
    assert listed == sorted(listed)
    assert all(id.startswith("receipt") for id in listed)
    assert page.get_by_label("Cause", exact=True).input_value() == "missing row"
    ids.first.get_by_role("link").click()
    heading(page, listed[0])
    assert listed[0] in page.url
    assert "cause=missing" in page.url
    page.keyboard.press("n")
    heading(page, listed[1])
    page.reload()
    heading(page, listed[1])
    page.go_back()
    heading(page, listed[0])
    response = page.request.get(f"{served.base}/runs/run-hasty/documents/nobody")
    assert response.status == 404


def test_a_list_is_searched_filtered_and_exported(watched: Open, demo_view: Shared) -> None:
    served, state = demo_view
    page = watched(f"{served.base}/runs/run-hasty", state=state)
    page.get_by_role("searchbox").fill("000087")
    page.get_by_role("link", name=WORST).wait_for()
    page.get_by_text("1 document", exact=True).wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="JSONL").click()
    rows = [json.loads(line) for line in download.value.path().read_text().splitlines()]
    assert {row["document"] for row in rows} == {WORST}
    assert len(rows) == 6


def test_one_decision_is_made_stored_applied_and_rescored(
    watched: Open, view: View, demo: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    gold, pred = demo / "gold.jsonl", demo / "hasty.jsonl"
    options = ("--schema", demo / "schema.yaml", "-q")
    command("score", gold, pred, *options, "--out", run)
    before = gold.read_bytes()
    served = view(run, "--reviewer", "ann")
    page = watched(served.link)
    page.goto(f"{served.base}/runs/run/documents/{WORST}")
    heading(page, WORST)
    status = page.locator(".status")
    expect(status).to_contain_text("with 0 decisions")
    as_is = re.findall(r"0\.\d{3}", status.inner_text())
    assert as_is[0] == as_is[1]
    line = page.locator(".line.substituted")
    line.get_by_placeholder("why (optional)").fill("a smudge")
    line.get_by_role("button", name="Take pred").click()
    page.get_by_text("with 1 decision").wait_for()
    (decision,) = [json.loads(text) for text in (run / "gold-patch.jsonl").read_text().splitlines()]
    assert decision["who"] == "ann"
    assert decision["why"] == "a smudge"
    assert "INVOICE_DATE" in json.dumps(decision)
    expect(page.get_by_text("gold was wrong: pred taken")).to_be_visible()
    assert gold.read_bytes() == before
    shown = float(re.findall(r"with 1 decision\s+(0\.\d+)", status.inner_text())[0])
    patched = command(
        *("score", gold, pred, *options, "--gold-patch", run / "gold-patch.jsonl"),
        *("--format", "json"),
    )
    aligned = next(
        score["value"]
        for score in json.loads(patched)["scores"]
        if (score["metric"], score["readout"], score["key"]) == ("kieval", "aligned", "")
    )
    assert f"{aligned:.3f}" == f"{shown:.3f}"


def test_keys_decide_about_the_value_in_focus(watched: Open, view: View, tmp_path: Path) -> None:
    write_records(tmp_path / "gold.jsonl", {"a": {"total": "1.00", "name": "Ann"}})
    write_records(tmp_path / "pred.jsonl", {"a": {"total": "2.00", "name": "Anne"}})
    docassay.score(tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", out=tmp_path / "run")
    served = view(tmp_path / "run")
    page = watched(served.link)
    assert "token" not in page.url
    page.keyboard.press("d")
    page.get_by_role("link", name="a", exact=True).click()
    heading(page, "a")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("next wrong")
    keys = page.get_by_role("dialog").locator("kbd").all_inner_texts()
    assert all(len(key) == 1 for key in keys)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("B")
    page.get_by_text("both are fine").wait_for()
    page.keyboard.press("j")
    page.keyboard.press("e")
    box = page.get_by_label("The right value of total")
    box.fill("3.00")
    box.press("Enter")
    page.get_by_text("gold set to 3.00").wait_for()
    page.get_by_text("with 2 decisions").wait_for()
    lines = (tmp_path / "run" / "gold-patch.jsonl").read_text().splitlines()
    assert [json.loads(line)["action"] for line in lines] == ["both_fine", "set"]


def test_pages_show_boxes_that_lead_to_values_and_back(
    watched: Open, view: View, tmp_path: Path
) -> None:
    image = pytest.importorskip("PIL.Image")
    (tmp_path / "pages").mkdir()
    image.new("RGB", (600, 800), "white").save(tmp_path / "pages" / "a.png")
    boxed = {"page": 1, "box": [0.1, 0.1, 0.4, 0.15]}
    below = {"page": 1, "box": [0.1, 0.5, 0.4, 0.55]}
    gold = {"total": {"value": "1.00", **boxed}, "name": {"value": "Ann", **below}}
    pred = {"total": {"value": "7.00", **boxed}, "name": {"value": "Ann", **below}}
    write_records(tmp_path / "gold.jsonl", {"a": gold})
    write_records(tmp_path / "pred.jsonl", {"a": pred})
    docassay.score(tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", out=tmp_path / "run")
    served = view(tmp_path / "run", "--images", tmp_path / "pages")
    page = watched(served.link)
    page.goto(f"{served.base}/runs/run/documents/a")
    page.get_by_alt_text("Page 1 of a").wait_for()
    expect(page.locator(".box")).to_have_count(4)
    page.get_by_role("button", name="total", exact=True).click()
    expect(page.locator(".box.chosen")).to_have_count(2)
    page.locator(".box.pred.right").click()
    expect(page.locator(".line.chosen")).to_contain_text("name")
    wide = page.locator(".sheet").bounding_box()
    assert wide is not None
    page.get_by_role("button", name="zoom in").click()
    page.wait_for_function(
        "width => document.querySelector('.sheet').getBoundingClientRect().width > width",
        arg=wide["width"],
    )


def test_the_threshold_is_moved_for_one_field(watched: Open, demo_view: Shared) -> None:
    served, state = demo_view
    page = watched(f"{served.base}/runs/run-hasty", state=state)
    slider = page.get_by_role("slider")
    slider.wait_for()
    page.get_by_label("Field", exact=True).select_option("TOTAL_AMOUNT")
    point = page.locator("dl.point")
    slider.press("Home")
    first = point.inner_text()
    slider.press("End")
    expect(point).not_to_have_text(first)


def test_hostile_values_are_text_in_the_viewer(watched: Open, view: View, hostile: Path) -> None:
    served = view(hostile)
    page = watched(served.link)
    for name, text in HOSTILE.items():
        page.get_by_role("searchbox").fill(f"<b>{name}</b>")
        page.get_by_role("link", name=f"<b>{name}</b>").click()
        heading(page, f"<b>{name}</b>")
        shown = page.locator(".value.gold").first.inner_text()
        if name == "long":
            assert len(shown) <= 10_000
            expect(page.get_by_text("1,000,000 characters")).to_be_visible()
        else:
            assert shown == text.replace("\u202e", "\\u202e")
        assert page.locator("main i, main b, main img, main script").count() == 0


PLACES = ("/", "/runs/run-hasty", "/runs/run-hasty/documents", f"/runs/run-hasty/documents/{WORST}")


@pytest.mark.parametrize(
    ("size", "colours"), [(WIDE, "dark"), (NARROW, "light")], ids=["wide dark", "narrow light"]
)
def test_axe_has_no_serious_findings_in_the_viewer(
    size: tuple[int, int],
    colours: str,
    watched: Open,
    demo_view: Shared,
    serious: Callable[[Page], list[str]],
) -> None:
    served, state = demo_view
    page = watched(served.base, size, colours, state)
    for place in (*PLACES, "/compare", f"/compare/documents/{WORST}"):
        page.goto(f"{served.base}{place}")
        page.locator("main h1").first.wait_for()
        page.wait_for_load_state("networkidle")
        assert serious(page) == [], place
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], place
