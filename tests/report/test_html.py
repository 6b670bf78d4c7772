"""The page of a run stands alone: its data, scripts and style are in it, and nothing else runs."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import docassay
from docassay.api.score import score_run
from docassay.model.comparison import Comparison
from docassay.model.report import KeptDiff, KeptDiffs, Report
from docassay.report import html
from docassay.report.folder import read_folder
from docassay.report.page_data import run_data
from tests.report.test_compare import ODD, comparison

HOSTILE = '</script><script>alert(1)</script>\u202e=HYPERLINK("x")'
GOLD = {
    "a": {
        "total": "10.00",
        "items": [{"name": "tea", "price": "1"}, {"name": "cake", "price": "2"}],
    },
    "b": {"total": "20.00"},
    HOSTILE: {"total": HOSTILE},
}
PRED = {
    "a": {
        "total": "10.00",
        "items": [{"name": "cake", "price": "3"}, {"name": "tea", "price": "1"}],
    },
    "b": {"total": "20.00"},
    HOSTILE: {"total": f"{HOSTILE} " * 2},
}
ASSETS = Path(html.__file__).with_name("assets")


class Page(HTMLParser):
    """The tags of a page, and the content of its scripts by id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.blocks: dict[str, str] = {}
        self.run: list[str] = []
        self.style = ""
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        tag, attributes = self.tags[-1] if self.tags else ("", {})
        if not self.inside:
            return
        if tag == "script" and "id" in attributes:
            self.blocks[attributes["id"]] = data
        elif tag == "script":
            self.run.append(data)
        elif tag == "style":
            self.style = data

    def data(self, id: str) -> Any:
        return json.loads(gzip.decompress(b64decode(self.blocks[id])))


def scored(gold: dict[str, Any] = GOLD, pred: dict[str, Any] = PRED) -> Report:
    return score_run(gold, pred, pages=True).report


def digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_a_page_holds_the_data_of_the_run_and_its_documents_worst_first() -> None:
    report = scored()
    page = Page(html.render(report, name="my run"))
    data = page.data("data")
    assert data == json.loads(json.dumps(run_data(report, name="my run"))) | {
        "part": html.PART,
        "ids": [[line["id"] for line in data["list"]]],
    }
    assert [line["id"] for line in data["list"]][-1] == "b", "which is fully correct"
    documents = page.data("documents-0-0")
    assert [document["id"] for document in documents] == data["ids"][0]
    values = {
        (value["field"], value["verdict"]): (value.get("gold"), value.get("pred"))
        for document in documents
        if document["id"] == "a"
        for row in document["rows"]
        for value in row["values"]
    }
    assert values["items.price", "substituted"] == ("2", "3")
    assert values["total", "right"] == ("10.00", "10.00")


def test_a_page_runs_its_own_scripts_alone_and_loads_nothing() -> None:
    page = Page(html.render(scored(), name=HOSTILE))
    policy = next(
        attributes["content"]
        for tag, attributes in page.tags
        if tag == "meta" and "http-equiv" in attributes
    )
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"].split() == [*map(digest, page.run)]
    assert len(page.run) == 2
    assert rules["style-src"] == digest(page.style)
    assert not any("src" in attributes for _, attributes in page.tags)
    assert {attributes["href"] for _, attributes in page.tags if "href" in attributes} == {"data:,"}
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert "url(" not in page.style
    assert "@import" not in page.style


def test_a_page_says_what_browsers_and_screen_readers_ask_for() -> None:
    text = html.render(scored(), name="r&d")
    assert text.startswith('<!doctype html>\n<html lang="en">')
    assert "<title>r&amp;d · docassay</title>" in text
    assert '<meta name="viewport" content="width=device-width' in text
    assert "aligned 0." in text.partition("<noscript>")[2].partition("</noscript>")[0]


def test_hostile_texts_stand_in_packed_data_and_nowhere_else() -> None:
    text = html.render(scored(), name=HOSTILE)
    assert "alert(1)" not in re.sub(r"<title>.*?</title>", "", text)
    assert "</script><script>alert" not in text
    assert "\u202e" not in text
    assert Page(text).data("documents-0-0")[0]["id"] == HOSTILE


def test_documents_are_packed_by_the_hundred() -> None:
    ids = [f"d{number:03}" for number in range(2 * html.PART + 1)]
    report = scored(
        {id: {"total": "1"} for id in ids}, {id: {"total": str(at)} for at, id in enumerate(ids)}
    )
    page = Page(html.render(report))
    parts = [len(page.data(f"documents-0-{part}")) for part in range(3)]
    assert parts == [html.PART, html.PART, 1]
    assert "documents-0-3" not in page.blocks


def test_a_page_that_leaves_documents_out_says_so() -> None:
    report = scored()
    worst = [*report.diffs.read()][:2]
    kept = replace(report, diffs=KeptDiffs(3, lambda: worst))
    data = Page(html.render(kept)).data("data")
    assert len(data["list"]) == 2
    assert "2 worst of 3 documents" in data["shown"]["note"]
    assert Page(html.render(report)).data("data")["shown"]["note"] is None


def test_a_run_folder_has_its_page_and_gives_one_back_with_its_wrong_values(tmp_path: Path) -> None:
    report = docassay.score(GOLD, PRED, out=tmp_path)
    written = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert written.data("data")["name"] == tmp_path.name
    again = Page(html.render(read_folder(tmp_path)))
    assert again.data("data")["headline"] == written.data("data")["headline"]
    first = written.data("documents-0-0")[0]
    stored = again.data("documents-0-0")[0]
    assert (first["whole"], stored["whole"]) == (True, False)
    assert stored["id"] == first["id"] == HOSTILE
    assert [value["pred"] for row in stored["rows"] for value in row["values"]] == [
        PRED[HOSTILE]["total"]
    ]
    assert report.documents == 3


@pytest.mark.parametrize("names", [("careful", "hasty"), (ODD, "b", "c")], ids=["two", "three"])
def test_a_comparison_is_a_page_of_the_same_make(names: tuple[str, ...]) -> None:
    data: Comparison = comparison(*names, id=ODD)
    page = Page(html.render_comparison(data))
    held = page.data("data")
    assert held["kind"] == "comparison"
    assert [run["name"] for run in held["runs"]] == [*names]
    assert {address for kind in held["kinds"] for address in kind["addresses"]} <= {
        score["address"] for score in held["scores"]
    }
    assert len(page.run) == 2


def test_a_comparison_of_folders_holds_the_documents_that_changed(tmp_path: Path) -> None:
    for name, pred in (("first", GOLD), ("second", PRED)):
        docassay.score(GOLD, pred, out=tmp_path / name)
    compared = docassay.compare(tmp_path / "first", tmp_path / "second")
    page = Page(html.render_comparison(compared))
    assert (
        page.data("data")["ids"] == [["a", HOSTILE]] * 2
        or page.data("data")["ids"] == [[HOSTILE, "a"]] * 2
    )
    verdicts = [
        [value["verdict"] for row in document["rows"] for value in row["values"]]
        for run in (0, 1)
        for document in page.data(f"documents-{run}-0")
    ]
    assert verdicts == [[], [], ["substituted"], ["substituted"]]
    in_memory = docassay.compare(docassay.score(GOLD, GOLD), docassay.score(GOLD, PRED))
    assert Page(html.render_comparison(in_memory)).data("data")["ids"] == [[], []]


def test_the_size_of_a_page_grows_with_its_documents_alone() -> None:
    def size(documents: int) -> int:
        packed = [KeptDiff(f"d{number}", 0, (), (), (), diff.packed) for number in range(documents)]
        return len(html.render(replace(scored(), diffs=KeptDiffs(documents, lambda: packed))))

    diff = next(iter(scored().diffs.read()))
    assert size(400) - size(200) < 3 * (size(200) - size(0)) / 2


def imports(text: str) -> dict[str, list[str]]:
    """Return the names that a module imports, by module."""
    return {
        module: [name.strip() for name in names.split(",") if name.strip()]
        for names, module in re.findall(r'^import \{([^}]*)\} from "\./([^"]+)";$', text, re.M)
    }


def defined(text: str) -> list[str]:
    """Return the names at the top of a module."""
    plain = re.findall(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", text, re.M)
    unpacked = re.findall(r"^(?:export )?const [\[{]([^=]*)[\]}] =", text, re.M)
    return plain + [name.strip() for names in unpacked for name in names.split(",")]


def test_modules_join_to_one_script_because_their_names_are_unique() -> None:
    texts = {name: html.asset(name) for name in html.MODULES}
    names = [name for text in texts.values() for name in defined(text)]
    assert len(names) > 100
    assert len(names) == len({*names}), sorted(name for name in names if names.count(name) > 1)


@pytest.mark.parametrize("module", [*html.MODULES, "viewer.js"])
def test_a_module_imports_what_modules_before_it_export(module: str) -> None:
    text = html.asset(module)
    assert text.count("import ") == len(imports(text)) or module == "preact.js"
    known = [*html.MODULES]
    before = known[: known.index(module)] if module in known else known[:-1]
    for source, names in imports(text).items():
        assert source in before, f"{module} must stand after {source}"
        exported = re.findall(r"^export (.*)$", html.asset(source), re.M)
        for name in names:
            assert any(re.search(rf"\b{name}\b", line) for line in exported), f"{source}: {name}"
            assert re.search(rf"\b{name}\b", text.partition(source)[2]), f"{name} is not used"


def test_every_file_of_the_front_end_is_used_and_vendored_ones_have_their_licence() -> None:
    own = {*html.MODULES, html.VENDORED, html.STYLE, "viewer.js", "viewer.html", "icon.svg"}
    assert {path.name for path in ASSETS.iterdir()} == own | {
        "LICENSE-htm.txt",
        "LICENSE-preact.txt",
    }
    shell = html.asset("viewer.html")
    assert "<style" not in shell
    assert "style=" not in shell
    assert re.findall(r"<script(?![^>]*src=)", shell) == []
