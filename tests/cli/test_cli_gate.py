"""`docassay gate` and `docassay power`: exit codes, files, and the examples of pipelines."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from docassay.analysis import gate_evidence as module
from tests.cli.cli_corpus import Command, write_jsonl

ROOT = Path(__file__).resolve().parents[2]
GOLD = {f"d{at:02}": {"total": f"{at}.50", "date": f"{at} May 2024"} for at in range(1, 13)}
WORSE = {id: {**tree, "total": "1"} if id > "d04" else tree for id, tree in GOLD.items()}


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DRAWS", 400)


@pytest.fixture
def runs(tmp_path: Path, docassay: Command, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs, `old` and `new`, in which totals are wrong."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    gold = write_jsonl(tmp_path / "gold.jsonl", dict(GOLD))
    for name, trees in (("old", GOLD), ("new", WORSE)):
        pred = write_jsonl(tmp_path / f"{name}.jsonl", dict(trees))
        ended = docassay(
            *("score", gold, pred, "--out", name, "--metrics", "kieval"), "--verdicts", "none"
        )
        assert ended.code == 0, ended.err
    return tmp_path


def test_a_gate_ends_with_0_or_1_and_says_which_rules_it_goes_by(
    runs: Path, docassay: Command
) -> None:
    worse = docassay("gate", "new", "--baseline", "old")
    assert worse.code == 1
    assert worse.err.startswith("no rules given: no_regression of aligned (max_drop 0.01")
    assert worse.out.startswith("gate failed: 1 of 1 rule does not hold\nnew against old, 12")
    assert "docassay explain new d05" in worse.out
    assert max(map(len, worse.out.splitlines())) <= 80
    better = docassay("gate", "old", "--baseline", "new", "--quiet")
    assert (better.code, better.err) == (0, "")
    assert docassay("gate", "new", "--baseline", "old", "--max-drop", "0.5").code == 0


def test_rules_of_the_project_hold_without_a_file(runs: Path, docassay: Command) -> None:
    (runs / "pyproject.toml").write_text('[tool.docassay]\ngate = ["aligned@total >= 0.9"]\n')
    ended = docassay("gate", "new")
    assert ended.code == 1
    assert f"rules: tool.docassay.gate in {runs / 'pyproject.toml'}" in ended.err
    assert docassay("gate", "old").code == 0


def test_forms_go_to_stdout_and_to_files(runs: Path, docassay: Command) -> None:
    files = ("--out", "gate.xml", "--out", "gate.md", "--out", "gate.json")
    ended = docassay("gate", "new", "--baseline", "old", "--format", "github", *files)
    assert ended.out.startswith("::error title=kieval.aligned fails the gate::rule: no_regression")
    suite = ElementTree.parse(runs / "gate.xml").getroot()
    assert suite.attrib["failures"] == "1"
    assert (runs / "gate.md").read_text().startswith("## docassay gate failed")
    kept = json.loads((runs / "gate.json").read_text())
    shown = docassay("gate", "new", "--baseline", "old", "--format", "json")
    assert json.loads(shown.out) == kept
    assert kept["newly_broken"] == [f"d{at:02}" for at in range(5, 13)]


WRONG = [
    (("gate", "new"), 2, "compares with an earlier run, and none is given (say --baseline RUN)"),
    (("gate", "new", "--rules", "none.yaml"), 74, "none.yaml: there is no such file"),
    (("gate", "none", "--baseline", "old"), 2, "there is no such run"),
    (("gate", "new", "--baseline", "old", "--out", "gate.txt"), 2, "its format is not known"),
    (("gate", "new", "--baseline", "old", "--max-drop", "-1"), 2, "is no limit"),
    (("gate", "new", "--baseline", "other"), 3, "gold differs in 1 of 12"),
    (("power", "new", "old", "other"), 2, "3 runs are given"),
    (("power", "new", "other"), 3, "gold differs in 1 of 12"),
    (("power", "new", "--difference", "0"), 2, "a difference of 0.0 cannot be planned for"),
    (("report", "new", "--format", "junit"), 2, "junit shows requirements, and there are none"),
]


def test_what_cannot_be_decided_neither_passes_nor_fails(runs: Path, docassay: Command) -> None:
    other = {**GOLD, "d03": {**GOLD["d03"], "total": "77.50"}}
    gold = write_jsonl(runs / "other-gold.jsonl", dict(other))
    docassay(
        *("score", gold, "old.jsonl", "--out", "other", "--metrics", "kieval"), "--verdicts", "none"
    )
    for arguments, code, message in WRONG:
        ended = docassay(*arguments)
        assert (ended.code, ended.out) == (code, ""), arguments
        assert message in ended.err, arguments


def test_requirements_are_test_cases(runs: Path, docassay: Command) -> None:
    ended = docassay(*("report", "new", "--format", "junit"), "--require", "aligned@* >= 0.5")
    root = ElementTree.fromstring(ended.out)
    assert (root.attrib["tests"], root.attrib["failures"], ended.code) == ("2", "1", 1)
    assert "requirement not met: aligned@* >= 0.5: kieval.aligned@total is 0.3333" in ended.err


def test_power_is_a_table_json_or_markdown(runs: Path, docassay: Command) -> None:
    pair = docassay("power", "old", "new")
    assert pair.code == 0
    assert "From how old and new differ by document" in pair.out
    assert max(map(len, pair.out.splitlines())) <= 80
    alone = docassay("power", "new", "--correlation", "0.5")
    assert "correlate by 0.5" in alone.out
    content = json.loads(docassay("power", "old", "new", "--format", "json").out)
    assert content["documents"] == 12
    lines = {line["address"]: line for line in content["scores"]}
    assert lines["kieval.aligned"]["observed"] == pytest.approx(-8 / 24)
    assert lines["kieval.aligned@date"]["why"] == "both runs say the same"
    shown = docassay("power", "old", "new", "--format", "markdown").out
    assert "| `aligned` |" in shown
    assert docassay("power", "old").out.startswith("No forecast for aligned: all documents say")


# --- the examples of docs/how-to/use-in-ci.md ---------------------------------------------------


def examples() -> dict[str, dict[str, object]]:
    """Return the pipelines of the page by the names of their files."""
    text = (ROOT / "docs" / "how-to" / "use-in-ci.md").read_text(encoding="utf-8")
    files = {}
    for name in (".github/workflows/extraction.yml", ".gitlab-ci.yml", "gate.yaml"):
        block = text.partition(f"`{name}`:\n\n```yaml\n")[2].partition("```")[0]
        files[name] = yaml.safe_load(block)
    return files


def github_steps(workflow: dict[str, object]) -> Iterator[tuple[str, bool]]:
    """Yield the scripts of a job, and whether each runs after a failure too."""
    jobs = workflow["jobs"]
    assert isinstance(jobs, dict)
    for step in jobs["gate"]["steps"]:
        if "run" in step:
            yield step["run"], step.get("if") == "always()"


# the program without charts, which take seconds
QUICK = """
import sys
from docassay.cli import run
from docassay.report.charts import canvas

canvas.can_draw = lambda: False
sys.exit(run(sys.argv[1:]))
"""


def test_the_scripts_of_the_pipelines_run(tmp_path: Path) -> None:
    files = examples()
    (tmp_path / "gate.yaml").write_text(yaml.safe_dump(files["gate.yaml"]))
    write_jsonl(tmp_path / "gold.jsonl", dict(GOLD))
    write_jsonl(tmp_path / "baseline.jsonl", dict(GOLD))
    (tmp_path / "schema.yaml").write_text(
        "fields: {total: {type: text}, date: {type: text}}\n", encoding="utf-8"
    )
    (tmp_path / "documents").mkdir()
    lines = write_jsonl(tmp_path / "extracted.jsonl", dict(WORSE))
    (tmp_path / "extract.py").write_text(f"print(open({lines!r}).read(), end='')\n")
    home = tmp_path / "bin"
    home.mkdir()
    quick = f"{sys.executable} {home / 'quick.py'}"
    for name, words in (("docassay", quick), ("python", sys.executable)):
        (home / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        (home / name).chmod(0o755)
    (home / "quick.py").write_text(QUICK)
    (home / "pip").write_text("#!/bin/sh\n")
    (home / "pip").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{home}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }

    def ends(script: str) -> int:
        words = ["bash", "-e", "-c", script]
        return subprocess.run(words, cwd=tmp_path, env=environment, check=False).returncode

    steps = [*github_steps(files[".github/workflows/extraction.yml"])]
    codes = [(ends(script), always) for script, always in steps]
    assert codes == [(0, False), (0, False), (0, False), (1, False), (0, True)]
    assert "docassay gate failed" in (tmp_path / "summary.md").read_text()
    job = files[".gitlab-ci.yml"]["gate"]
    assert isinstance(job, dict)
    # the same commands, but for the form of the result
    scripts = (job["script"], [line for script, _ in steps[:4] for line in script.splitlines()])
    both = [[re.split(" >| --format| --out gate", line)[0] for line in lines] for lines in scripts]
    assert both[0] == both[1]
    assert job["script"][-1].endswith(f"--out {job['artifacts']['reports']['junit']}")
