"""report.html as people use it: opened from disk, sorted, searched, a document looked at."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import docassay
from docassay.report.folder import read_folder
from docassay.report.html import render
from tests.browser.conftest import HOSTILE, NARROW, WIDE, write_records

if TYPE_CHECKING:
    from playwright.sync_api import Page

# an assertion of playwright waits until the page has drawn what an action leads to
expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
Open = Callable[..., "Page"]
FIRST_SCREEN = 900


def report_of(run: Path) -> str:
    return (run / "report.html").as_uri()


def headline(run: Path) -> dict[str, float]:
    scores = json.loads((run / "report.json").read_text())["scores"]
    return {
        score["readout"]: score
        for score in scores
        if score["metric"] == "kieval" and not score["key"] and not score["slice"]
    }


def test_the_first_screen_has_the_score_its_interval_and_the_corrections(
    watched: Open, demo: Path
) -> None:
    page = watched(report_of(demo / "run-hasty"))
    scores = headline(demo / "run-hasty")
    aligned = scores["aligned"]
    interval = f"[{aligned['low']:.3f}, {aligned['high']:.3f}]"
    for text in (f"{aligned['value']:.3f}", interval, str(scores["corrections"]["value"])):
        box = page.get_by_text(text).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= FIRST_SCREEN, text
    assert page.get_by_text("values need no correction").is_visible()
    assert page.get_by_text("hours per 1,000 documents").first.is_visible()
    assert page.locator("html").get_attribute("lang") == "en"
    assert "run-hasty" in page.title()


def names(page: Page, region: str) -> list[str]:
    return page.get_by_role("region", name=region).locator("tbody th").all_inner_texts()


def test_fields_are_sorted_filtered_and_shown_in_full(watched: Open, demo: Path) -> None:
    page = watched(report_of(demo / "run-hasty"))
    fields = page.get_by_label("Fields", exact=True)
    shown = names(page, "fields")[:12]
    assert shown[0] == "transactions.description", "the weakest"
    fields.get_by_role("button", name="Show all 20 fields").click()
    rows = fields.locator("tbody th")
    expect(rows).to_have_count(20)
    every = rows.all_inner_texts()
    fields.get_by_role("button", name="field", exact=True).click()
    expect(rows).to_have_text(sorted(every))
    expect(fields.locator("th[aria-sort=ascending]")).to_have_count(1)
    fields.get_by_label("Filter fields").fill("line_items")
    expect(rows).to_have_count(4)


def test_a_document_is_found_by_its_id_and_opens_to_its_diff(watched: Open, demo: Path) -> None:
    page = watched(report_of(demo / "run-hasty"))
    page.get_by_role("searchbox").fill("000087")
    page.get_by_role("status").get_by_text("1 document", exact=False).wait_for()
    page.get_by_role("link", name="invoice_000087").click()
    page.get_by_role("heading", name="invoice_000087").wait_for()
    expect(page).to_have_url(re.compile("invoice_000087"))
    gold = page.locator(".value.gold").filter(has_text="16/01/2024")
    pred = page.locator(".value.pred").filter(has_text="1G/01/2024")
    for side in (gold, pred):
        assert side.evaluate("element => element.childNodes.length") == 1, "one run of text"
    expect(page.get_by_text("OCR look-alike").first).to_be_visible()
    expect(page.get_by_text("read as 2024-01-16")).to_be_visible()
    page.wait_for_function(
        "[...CSS.highlights.get('pred-difference')].some(range => range.toString() === 'G')"
    )


def test_documents_are_sorted_and_filtered_and_the_address_holds_the_view(
    watched: Open, demo: Path
) -> None:
    with (demo / "run-hasty" / "errors.csv").open(newline="", encoding="utf-8") as file:
        alike = {
            row["document"] for row in csv.DictReader(file) if row["cause"] == "OCR look-alike"
        }
    ids = sorted(id for id in alike if id.startswith("invoice"))
    page = watched(report_of(demo / "run-hasty") + "#/documents")
    shown = page.locator("table.list tbody th")
    page.get_by_label("Document type", exact=True).select_option("invoice")
    expect(page).to_have_url(re.compile("type=invoice"))
    page.get_by_label("Cause", exact=True).select_option("OCR look-alike")
    expect(shown).to_have_count(len(ids))
    worst = shown.first.inner_text()
    assert worst != ids[0]
    page.get_by_role("button", name="document", exact=True).click()
    expect(shown).to_have_text(ids)
    again = watched(page.url)
    expect(again.locator("table.list tbody th")).to_have_text(ids)
    page.get_by_role("button", name="Show all", exact=True).click()
    page.get_by_text("200 documents").wait_for()
    expect(shown.filter(has_text=worst)).to_have_count(1)


def test_keys_lead_from_one_wrong_document_to_the_next(watched: Open, demo: Path) -> None:
    page = watched(report_of(demo / "run-hasty"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("next wrong document")
    expect(page.locator("kbd").first).to_have_text("?")
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    page.locator("table.list").wait_for()
    ids = page.locator("table.list tbody th").all_inner_texts()
    page.get_by_role("link", name=ids[0]).press("Enter")
    page.get_by_role("heading", name=ids[0]).wait_for()
    for place, key in ((1, "n"), (2, "N"), (1, "p")):
        page.keyboard.press(key)
        page.get_by_role("heading", name=ids[place]).wait_for()
    page.keyboard.press("j")
    page.wait_for_function("document.activeElement.dataset.wrong === ''")
    page.keyboard.press("u")
    page.locator("table.list").wait_for()


def test_the_threshold_moves_over_points_that_were_worked_out(watched: Open, demo: Path) -> None:
    page = watched(report_of(demo / "run-hasty"))
    slider = page.get_by_role("slider")
    assert int(slider.get_attribute("max") or 0) <= 200
    point = page.locator("dl.point")
    slider.fill("0")
    lowest = point.inner_text()
    slider.press("End")
    expect(point).not_to_have_text(lowest)
    assert "100.0 %" in lowest or "100.0 %" in point.inner_text()


@pytest.mark.parametrize("name", [*HOSTILE])
def test_hostile_values_are_text(name: str, watched: Open, hostile: Path) -> None:
    page = watched(report_of(hostile))
    page.get_by_role("searchbox").fill(f"<b>{name}</b>")
    page.get_by_role("link", name=f"<b>{name}</b>").click()
    page.get_by_role("heading", name=f"<b>{name}</b>").wait_for()
    shown = page.locator(".value.gold").first.inner_text()
    text = HOSTILE[name]
    if name == "long":
        assert len(shown) <= 10_000
        expect(page.get_by_text("1,000,000 characters")).to_be_visible()
    else:
        assert shown == text.replace("\u202e", "\\u202e")
    expect(page.get_by_text("<i>field</i>", exact=True).first).to_be_visible()
    assert "broken" not in page.title()
    assert page.locator("main i, main b, main img, main script").count() == 0


def test_a_small_run_has_its_controls_and_one_without_kept_values_says_so(
    watched: Open, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    docassay.score({"a": {"x": "1"}}, {"a": {"x": "2"}}, out=run, verdicts="none")
    page = watched(report_of(run))
    page.get_by_role("button", name="Show all 1 field").click()
    page.get_by_role("link", name="a", exact=True).click()
    page.get_by_role("heading", name="a", exact=True).wait_for()
    (run / "report.html").write_text(render(read_folder(run)), encoding="utf-8")
    again = watched(report_of(run) + "#/documents/a")
    again.get_by_role("heading", name="does not hold the values of a").wait_for()


def test_two_runs_are_compared_on_one_page(watched: Open, demo: Path, tmp_path: Path) -> None:
    comparison = docassay.compare(demo / "run-careful", demo / "run-hasty", out=tmp_path)
    page = watched((tmp_path / "comparison.html").as_uri())
    page.get_by_role("heading", name="run-careful is better than run-hasty by 0.0").wait_for()
    changed = comparison.documents[0].id
    page.get_by_role("searchbox").fill(changed)
    page.get_by_role("link", name=changed).click()
    page.get_by_role("heading", name=changed).wait_for()
    heads = page.locator("table.pair thead th")
    expect(heads).to_have_text(["value", "gold", "run-careful", "run-hasty"])
    expect(page.locator("table.pair td.substituted, table.pair td.added")).not_to_have_count(0)
    page.keyboard.press("n")
    page.get_by_role("heading", name=comparison.documents[1].id).wait_for()


@pytest.mark.parametrize(
    ("size", "colours"), [(WIDE, "light"), (NARROW, "dark")], ids=["wide light", "narrow dark"]
)
@pytest.mark.parametrize("place", ["", "#/documents", "#/documents/bank_statement_000021"])
def test_axe_has_no_serious_findings_and_nothing_is_wider_than_the_screen(
    place: str,
    size: tuple[int, int],
    colours: str,
    watched: Open,
    serious: Callable[[Page], list[str]],
    demo: Path,
) -> None:
    page = watched(report_of(demo / "run-hasty") + place, size, colours)
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_five_thousand_documents_show_their_headline_at_once(watched: Open, tmp_path: Path) -> None:
    ids = [f"d{number:05}" for number in range(5_200)]
    write_records(tmp_path / "gold.jsonl", {id: {"total": id, "name": "Ann"} for id in ids})
    wrong = {id: {"total": id if at % 3 else "0", "name": "Ann"} for at, id in enumerate(ids)}
    write_records(tmp_path / "pred.jsonl", wrong)
    docassay.score(tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", out=tmp_path / "run")
    file = tmp_path / "run" / "report.html"
    assert file.stat().st_size < 15_000_000
    page = watched(file.as_uri())
    page.get_by_role("link", name="Documents").click()
    page.get_by_text("5,000 worst of 5,200 documents").wait_for()
    page.get_by_role("searchbox").fill("d00003")
    page.get_by_role("link", name="d00003").click()
    page.get_by_role("heading", name="d00003").wait_for()


def test_a_page_prints_without_its_controls(watched: Open, demo: Path) -> None:
    page = watched(report_of(demo / "run-hasty"))
    page.emulate_media(media="print")
    assert not page.get_by_role("searchbox").is_visible()
    assert not page.get_by_role("button", name="Show all 20 fields").is_visible()
    assert page.get_by_text("values need no correction").is_visible()
    assert len(page.pdf()) > 10_000
