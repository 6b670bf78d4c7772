"""The fields with a cause that take most: five of them, the largest first."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from docassay.cli import run

NAMES = ("alpha", "bravo", "carol", "delta", "eagle", "fox", "golf")


@pytest.mark.parametrize(
    ("format", "pattern"),
    [("table", r"^(\w+)\s+other .*−0\."), ("markdown", r"^\| `(\w+)` \| other \|")],
)
def test_five_places_are_shown_the_largest_first(
    format: str, pattern: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of seven fields, each is wrong in one document more than the one before it."""
    paths = []
    for side in ("gold", "pred"):
        lines = []
        for number in range(len(NAMES)):
            wrong = {name for place, name in enumerate(NAMES) if place >= number}
            fields = {
                name: "wrong" if side == "pred" and name in wrong else f"{name} is right"
                for name in NAMES
            }
            lines.append(json.dumps({"id": f"d{number}", "fields": fields}))
        paths.append(tmp_path / f"{side}.jsonl")
        paths[-1].write_text("\n".join(lines) + "\n")
    code = run(
        ["score", *map(str, paths), "--metrics", "kieval,fields,causes", "-v", "--format", format]
    )
    assert code == 0
    shown = re.findall(pattern, capsys.readouterr().out, re.MULTILINE)
    assert shown == ["golf", "fox", "eagle", "delta", "carol"]
