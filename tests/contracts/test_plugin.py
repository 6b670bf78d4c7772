"""A metric of another package appears everywhere by itself, in the tables that its keys ask for."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import docassay

SOURCE = Path(docassay.__file__).parents[1]
PLUGIN = '''
"""A metric with keys of fields, of groups and of a kind of its own."""

from collections.abc import Iterator

from docassay.metrics.metric import Context, Readout, Totals, metric
from docassay.model.report import GROUP, HeadlineLine, ReadoutSpec, Section

SPECS = (
    ReadoutSpec("row_share", GROUP, label="row share", column=5),
    ReadoutSpec("page_share", "page", label="page share", column=5),
)


def readouts(totals: Totals, context: Context, *, stretch: float = 1.0) -> Iterator[Readout]:
    keys = totals.get("keys", {})
    yield Readout("share", "", 0.25 * stretch, 4)
    for name, prefix in (("share", "f:"), ("row_share", "g:"), ("page_share", "p:")):
        for key, (part, whole) in keys.items():
            if key.startswith(prefix):
                yield Readout(name, key.removeprefix(prefix), part / whole * stretch, whole)


def headline(view):
    yield HeadlineLine("plugged in", "share", "a share of nothing in particular", 1)


def sections(view):
    yield Section("what the plugin says", ("one sentence of its own",))


@metric(
    "plugged",
    version=1,
    tables={"keys": ("part", "whole")},
    readouts=readouts,
    specs=SPECS,
    headline=headline,
    sections=sections,
)
def plugged(case, *, half: int = 1):
    """Shares that a package outside docassay counts."""
    return {"keys": {"f:total": (half, 8), "g:lines": (half, 4), "p:page one": (half, 2)}}
'''
HEADS = {"field": ("share", "total", "0.1250"), "group": ("row share", "lines", "0.2500")}
HEADS["page"] = ("page share", "page one", "0.5000")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an installed package and two files to score."""
    folder = tmp_path_factory.mktemp("plugin")
    info = folder / "site" / "plugged-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "site" / "plugged.py").write_text(PLUGIN, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[docassay.metrics]\nplugged = plugged\n")
    for name in ("gold", "pred"):
        (folder / f"{name}.json").write_text(json.dumps({"a": {"total": "1"}}))
    return folder


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = [str(folder / "site"), str(SOURCE)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "80"}
    return subprocess.run(
        [sys.executable, "-m", "docassay", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def scored(folder: Path, *options: str, metrics: str = "plugged") -> str:
    done = command(folder, "score", "gold.json", "pred.json", "--metrics", metrics, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_plugin_has_a_table_for_each_of_its_kinds_in_the_terminal(folder: Path) -> None:
    text = scored(folder, "-v")
    assert "plugged in  0.2500  a share of nothing in particular" in text
    assert "one sentence of its own" in text
    for kind, (label, key, value) in HEADS.items():
        head, _, row = text.partition(key)
        above = head.splitlines()[-3:-1]
        assert any(line.startswith(kind) for line in above), kind
        assert label.split()[-1] in " ".join(above)
        assert row.split("\n")[0].split()[0] == value
    assert all(len(line) <= 80 for line in text.splitlines()[:-1])


def test_a_plugin_has_a_table_for_each_of_its_kinds_in_markdown(folder: Path) -> None:
    text = scored(folder, "--format", "markdown")
    for kind, (label, key, value) in HEADS.items():
        assert f"### {kind.capitalize()}s, weakest first" in text
        assert f"| {kind} | {label} |\n| --- | ---: |\n| `{key}` | {value} |" in text


def test_a_plugin_is_in_csv_and_json_with_the_kinds_of_its_keys(folder: Path) -> None:
    rows = [*csv.DictReader(io.StringIO(scored(folder, "--format", "csv")))]
    report = json.loads(scored(folder, "--format", "json"))
    for scores in (rows, report["scores"]):
        kinds = {(one["metric"], one["key"]): one["kind"] for one in scores}
        assert kinds == {
            ("plugged", ""): "overall",
            **{("plugged", key): kind for kind, (_, key, _) in HEADS.items()},
        }


def test_a_plugin_has_a_chart_for_each_of_its_kinds(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    scored(folder, "--out", "run", "--charts")
    for kind, (_, key, _) in HEADS.items():
        text = (folder / "run" / "charts" / f"by-{kind}.svg").read_text(encoding="utf-8")
        assert key in re.findall(r"<text[^>]*>([^<]*)</text>", text)
        assert f"](charts/by-{kind}.png)" in (folder / "run" / "summary.md").read_text()


def test_beside_other_metrics_a_plugin_has_its_columns_and_charts(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    text = scored(folder, "-v", "--out", "both", "--charts", metrics="entity,kieval,fields,plugged")
    names = {path.stem for path in (folder / "both" / "charts").glob("*.svg")}
    for kind, (label, key, _) in HEADS.items():
        assert label.split()[0] in text, kind
        own = {f"by-{kind}", f"by-{kind}-plugged"} & names
        shown = [(folder / "both" / "charts" / f"{name}.svg").read_text("utf-8") for name in own]
        assert any(key in drawing and label in drawing for drawing in shown), kind


def test_a_stored_run_is_shown_with_another_display_option_but_not_counted_anew(
    folder: Path,
) -> None:
    scored(folder, "--out", "kept")
    done = command(folder, "report", "kept", "--set", "plugged.stretch=2", "--format", "csv")
    assert "plugged,share,,,0.5,4" in done.stdout, done.stderr
    refused = command(folder, "report", "kept", "--set", "plugged.half=2")
    assert refused.returncode == 2
    assert "must be scored again" in refused.stderr
    resumed = ("--out", "kept", "--resume", "--set")
    assert "stretch=3.0" in scored(folder, "-v", *resumed, "plugged.stretch=3")
    counted = ("score", "gold.json", "pred.json", "--metrics", "plugged", *resumed)
    assert command(folder, *counted, "plugged.half=2").returncode == 2
