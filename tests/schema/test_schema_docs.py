"""What the documentation shows of schemas is true."""

import json
import re
from pathlib import Path

import pytest

from docassay.schema.parse import FIELD_KEYS, GROUP_KEYS, RULE_KEYS, TOP_KEYS, TYPE_KEYS
from docassay.schema.source import check_schema

DOCS = Path(__file__).resolve().parents[2] / "docs"
REFERENCE = DOCS / "reference" / "schema.md"
HOW_TO = DOCS / "how-to" / "write-a-schema.md"


def snippets(language):
    pattern = re.compile(rf"```{language}\n(.*?)```", re.DOTALL)
    return [found for page in (REFERENCE, HOW_TO) for found in pattern.findall(page.read_text())]


@pytest.mark.parametrize("text", snippets("yaml"))
def test_a_yaml_snippet_is_a_schema_without_mistakes(text, tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(text, encoding="utf-8")
    assert check_schema(path) == []


@pytest.mark.parametrize("text", snippets("json"))
def test_a_json_snippet_is_a_schema_without_mistakes(text):
    assert check_schema(json.loads(text)) == []


@pytest.mark.parametrize("text", snippets("python"))
def test_a_python_snippet_gives_a_schema(text):
    pytest.importorskip("pydantic")
    names: dict[str, object] = {"__name__": "snippet"}
    exec(text, names)
    assert check_schema(names["schema"]) == []


@pytest.mark.parametrize(
    "key", sorted({*TOP_KEYS, *TYPE_KEYS, *GROUP_KEYS, *FIELD_KEYS, *RULE_KEYS})
)
def test_every_key_has_a_row_in_the_reference(key):
    assert f"\n| `{key}` |" in REFERENCE.read_text()
