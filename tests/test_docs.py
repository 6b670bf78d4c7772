"""The documentation is true: snippets print what the pages say, links lead somewhere, names exist.

A page is run from top to bottom in a folder of its own. A block below a line that ends in "`name`:"
is a file of that name. A `python` block is run, and a `text` block right after it is what it
prints. A `console` block holds commands after `$` with what they print, where a line `…` stands for
lines left out. Blocks of any other language, `sh` among them, are there to be read.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html import unescape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, get_type_hints

import pytest

import docassay as da
from docassay import errors
from docassay.api.score import Scorer
from docassay.cli import run
from docassay.load.format import FORMATS
from docassay.matching.verdicts import Verdict
from docassay.metrics.metric import METRICS
from docassay.report.folder import write_folder
from docassay.run.options import RunArgs
from docassay.values.comparator import COMPARATORS
from docassay.values.reader import READERS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
RUN_ELSEWHERE = {
    "docs/reference/cli.md": {"console"},
    "docs/reference/schema.md": {"python"},
    "docs/how-to/write-a-schema.md": {"python"},
}
GIVEN = {
    "docs/reference/conformance.md": {"my-values.csv": "type,gold,pred,equal,options,reason\n"},
}
BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"`(?P<name>[\w./-]+\.\w+)`[^`]*:\n+\Z")
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE)
LEFT_OUT = "…"
SNIPPET = "snippet"
"""The module in which snippets believe themselves to be."""


class Block(NamedTuple):
    """A fenced block: where it begins, its language, its text, and the file it stands for."""

    line: int
    language: str
    text: str
    name: str | None
    after: str
    """The language of the block right before it, "" when words stand between."""


class Shown(NamedTuple):
    """What a page says that a snippet prints, and what it does print."""

    place: str
    text: str
    printed: str


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    end, language = 0, ""
    for found in BLOCK.finditer(text):
        between = text[end : found.start()]
        named = NAMED.search(between)
        yield Block(
            text.count("\n", 0, found.start()) + 1,
            found["language"],
            found["text"],
            None if named is None else named["name"],
            "" if between.strip() else language,
        )
        end, language = found.end(), found["language"]


def write(block: Block, folder: Path) -> None:
    if block.name is not None:
        (folder / block.name).parent.mkdir(parents=True, exist_ok=True)
        (folder / block.name).write_text(block.text, encoding="utf-8")


def run_page(page: Path, folder: Path) -> Iterator[Shown]:
    """Run a page in a folder and yield everything it shows as printed."""
    skipped = RUN_ELSEWHERE.get(name_of(page), set())
    names: dict[str, object] = {"__name__": SNIPPET}
    printed = ""
    for block in blocks(page):
        place = f"{name_of(page)}:{block.line}"
        write(block, folder)
        if block.language in skipped:
            continue
        if block.language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(block.text, place, "exec"), names)
            printed = out.getvalue()
        elif block.language == "text" and block.after == "python":
            yield Shown(place, block.text, printed)
        elif block.language == "console":
            for command, shown in COMMAND.findall(block.text):
                yield Shown(f"{place}: {command}", shown, output_of(command, names))


def output_of(command: str, names: dict[str, object]) -> str:
    """Return what a command prints, errors first; `echo $?` tells how the last one ended."""
    if command == "echo $?":
        return f"{names['$?']}\n"
    if not command.startswith("docassay "):
        ended = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
        return ended.stderr + ended.stdout
    arguments, _, aside = command.removeprefix("docassay ").partition(" > ")
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as err,
    ):
        names["$?"] = run(shlex.split(arguments))
    if not aside:
        return err.getvalue() + out.getvalue()
    Path(aside).write_text(out.getvalue(), encoding="utf-8")
    return err.getvalue()


def told(text: str) -> list[str]:
    """Return the lines without the signature, which names the version."""
    lines = (line.rstrip() for line in text.split("\n"))
    return [line for line in lines if line and "|metrics:" not in line]


def as_shown(shown: str, printed: str) -> str:
    """Return what was printed, with what the page leaves out left out."""
    wanted, lines = told(shown), told(printed)
    if LEFT_OUT not in wanted:
        return "\n".join(lines)
    kept = (line if line in wanted else LEFT_OUT for line in lines)
    runs = ((line, list(same)) for line, same in groupby(kept))
    return "\n".join("\n".join(same[:1] if line == LEFT_OUT else same) for line, same in runs)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    # drawing takes seconds a run and has its own tests
    monkeypatch.setattr("docassay.report.folder.draw", lambda *_, **__: [])
    yield tmp_path
    for registry in (READERS, COMPARATORS, METRICS, FORMATS):
        # what a page registers is forgotten after it
        for name, entry in [*registry._entries.items()]:
            if entry.place.startswith(f"{SNIPPET}."):
                del registry._entries[name]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_snippets_of_a_page_print_what_it_says(page: Path, folder: Path) -> None:
    for name, text in GIVEN.get(name_of(page), {}).items():
        (folder / name).write_text(text, encoding="utf-8")
    for shown in run_page(page, folder):
        assert "\n".join(told(shown.text)) == as_shown(shown.text, shown.printed), shown.place


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    words = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", words):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = page if not path else (page.parent / path).resolve()
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_every_page_can_be_reached_from_the_index() -> None:
    seen, waiting = set[Path](), [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        links = re.findall(r"\]\(([^)\s#:]+)[^):]*\)", page.read_text(encoding="utf-8"))
        waiting += [(page.parent / link).resolve() for link in links]
    assert [name_of(page) for page in PAGES if page not in seen and page.parent != ROOT] == []


def test_the_readme_fits_one_screen() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 80


def sections(page: Path) -> dict[str, str]:
    parts = re.split(r"^## (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


REFERENCE = ROOT / "docs" / "reference"
TREE = {"total": "1", "items": [{"price": "1"}]}
WEIGHED = {"fields": {"total": {"type": "money", "weight": 2}}}


@pytest.mark.parametrize("metric", ["entity", "kieval"])
def test_every_readout_of_a_metric_has_a_row_in_the_reference(metric: str) -> None:
    report = da.score({"a": TREE}, {"a": TREE}, schema=WEIGHED, metrics=[metric])
    told_of = sections(REFERENCE / "metrics.md")[f"`{metric}`"]
    missing = {one.readout for one in report.scores if f"| `{one.readout}` |" not in told_of}
    assert missing == set()


def test_the_reference_names_every_metric() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.md"))
    assert [name for name in METRICS.names() if f"`{name}`" not in pages] == []


def test_the_reference_names_everything_public() -> None:
    page = (REFERENCE / "python.md").read_text(encoding="utf-8")
    assert [name for name in da.__all__ if f"`{name}" not in page] == []
    calls = (da.score, Scorer.__init__, Scorer.add, Scorer.report, da.Report.to_frame)
    options = {name for call in calls for name in call.__annotations__} - {"return", "options"}
    options |= get_type_hints(RunArgs).keys()
    assert [name for name in sorted(options) if f"`{name}`" not in page] == []


def test_the_reference_names_every_error_and_exit_code() -> None:
    page = (REFERENCE / "errors.md").read_text(encoding="utf-8")
    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, errors.DocassayError):
            assert name in page, name
        elif name.startswith("EXIT_"):
            assert f"\n| {value} |" in page, name


def test_the_reference_names_every_file_and_every_key_of_a_run(folder: Path) -> None:
    page = (REFERENCE / "report.md").read_text(encoding="utf-8")
    report = da.score({"a": TREE}, {"a": TREE}, out=folder / "run")
    files = {path.name for path in (folder / "run").iterdir()}
    assert files >= {path.name for path in write_folder(folder / "again", report)}
    keys = {*Verdict._fields, *da.Score._fields, *files}
    assert [name for name in sorted(keys) if f"`{name}`" not in page] == []


ASK_PLUGINS = """
import json, sys
from docassay.values.comparator import COMPARATORS
from docassay.load.format import FORMATS
from docassay.metrics.metric import METRICS
from docassay.values.reader import READERS

groups = json.loads(sys.argv[1])
for registry in (READERS, COMPARATORS, METRICS, FORMATS):
    for name in groups[registry.group]:
        print(registry.get(name).name)
"""


def test_what_the_page_on_extending_offers_is_found_as_a_plugin(folder: Path) -> None:
    for block in blocks(ROOT / "docs" / "how-to" / "extend.md"):
        write(block, folder)
    groups = tomllib.loads((folder / "pyproject.toml").read_text())["project"]["entry-points"]
    info = folder / "mine-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    points = (
        f"[{group}]\n" + "".join(f"{name} = {home}\n" for name, home in named.items())
        for group, named in groups.items()
    )
    (info / "entry_points.txt").write_text("\n".join(points))
    paths = os.pathsep.join([str(folder), str(ROOT / "src")])
    found = subprocess.run(
        [sys.executable, "-c", ASK_PLUGINS, json.dumps(groups)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(found.stdout.split()) == sorted(
        name for named in groups.values() for name in named
    )


def test_the_picture_shows_what_the_command_prints(folder: Path) -> None:
    names: dict[str, object] = {}
    output_of("docassay synth --out corpus --docs 100 --seed 7", names)
    files = "corpus/gold.jsonl corpus/hasty.jsonl --schema corpus/schema.yaml"
    score = f"docassay score {files} --out run -q"
    assert {*output_of(score, names).split()} <= words_on("score.svg")


def words_on(picture: str) -> set[str]:
    """Return the words that a picture of a terminal shows."""
    file = ROOT / "docs" / "images" / picture
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", file.read_text(encoding="utf-8"))
    assert file.stat().st_size < 60_000
    return {word for text in texts for word in unescape(text).replace("\xa0", " ").split()}
