"""What every registered format keeps to: samples read back, odd bytes never crash a loader."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.errors import DataError, DocassayError
from docassay.load.format import FORMATS, Record
from docassay.load.source import guess, open_records
from docassay.model.problem import Problem

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "formats.md"
TEXT = "Zoë — 日本 🧾"

SAMPLES: dict[str, tuple[str, str, object]] = {
    "json": ("x.json", '{\n"a":"%s"\n}\n', {"a": TEXT}),
    "jsonl": ("x.jsonl", '{"id":"x","a":"%s"}\n', {"a": TEXT}),
    "csv": ("x.csv", "id,a\nx,%s\n", {"a": TEXT}),
    "kieval-csv": ("x.csv", "0\nm.a\tm.b\n%s\t<empty>\n", {"m": [{"m.a": TEXT, "m.b": None}]}),
    "cord": ("x.json", '{\n"gt_parse":{"a":"%s"}}\n', {"a": TEXT}),
    "sroie": ("x.txt", '{\n"company":"%s",\n"total":"1"}\n', {"company": TEXT, "total": "1"}),
    "funsd": (
        "x.json",
        '{"form":[\n{"label":"answer","text":"%s","box":[1,2,3,4]}]}\n',
        {"answer": [{"value": TEXT, "box": [1, 2, 3, 4]}]},
    ),
    "docile": (
        "x.json",
        '{"field_extractions":[\n{"fieldtype":"a","text":"%s","page":0,"bbox":[0,0,1,1]}]}\n',
        {"a": {"value": TEXT, "page": 1, "box": [0, 0, 1, 1]}},
    ),
    "label-studio": (
        "x.json",
        '{"data":{"id":"x"},"annotations":[{"result":[\n'
        '{"from_name":"a","type":"textarea","value":{"text":["%s"]}}]}]}\n',
        {"a": TEXT},
    ),
    "bio": ("x.bio", "Zoë B-a\n— I-a\n日本 I-a\n🧾 I-a\n", {"a": [TEXT]}),
    "tags": ("x.txt", "<a>%s\n", {"a": [TEXT]}),
    "response": ("x.txt", '```json\n{"a": "%s"}\n```\n', {"a": TEXT}),
    "vrdu": (
        "dataset.jsonl",
        '{"filename":"x","annotations":[["a",[["%s",[0,0.0,0.0,1.0,1.0],[[0,9]]]]]]}\n',
        {"a": {"value": TEXT, "page": 1, "box": [0.0, 0.0, 1.0, 1.0]}},
    ),
    "openai-batch": (
        "x.jsonl",
        '{"id":"batch_req_1","custom_id":"x","response":{"status_code":200,"body":{"choices":['
        '{"message":{"content":"{\\"a\\": \\"%s\\"}"}}]}},"error":null}\n',
        {"a": TEXT},
    ),
    "anthropic-batch": (
        "x.jsonl",
        '{"custom_id":"x","result":{"type":"succeeded","message":{"content":['
        '{"type":"tool_use","name":"save","input":{"a":"%s"}}]}}}\n',
        {"a": TEXT},
    ),
    "gemini-batch": (
        "x.jsonl",
        '{"key":"x","response":{"candidates":[{"content":{"parts":['
        '{"text":"{\\"a\\": \\"%s\\"}"}]}}]}}\n',
        {"a": TEXT},
    ),
    "azure-di": (
        "x.json",
        '{"status":"succeeded",\n"analyzeResult":{"documents":[{"fields":'
        '{"a":{"type":"string","valueString":"%s","content":"%s"}}}]}}\n',
        {"a": TEXT},
    ),
    "textract": (
        "x.json",
        '{"ExpenseDocuments":[\n{"SummaryFields":['
        '{"Type":{"Text":"a"},"ValueDetection":{"Text":"%s"}}]}]}\n',
        {"a": TEXT},
    ),
    "document-ai": (
        "x.json",
        '{"entities":[\n{"type":"a","mentionText":"%s"}]}\n',
        {"a": TEXT},
    ),
    "kleister": ("x.tsv", "a=Zoë_—_日本_🧾\n", {"a": TEXT}),
}
WITHOUT_IDS = {"kleister"}
TEXTUAL = sorted(SAMPLES)
NAMES = FORMATS.names()
FILE_NAMES = {name: SAMPLES.get(name, (f"x.{name}",))[0] for name in NAMES}

ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "utf-8": lambda text: text.encode(),
    "utf-8 with mark": lambda text: text.encode("utf-8-sig"),
    "utf-16 with mark": lambda text: text.encode("utf-16"),
    "windows line ends": lambda text: text.replace("\n", "\r\n").encode(),
}


def read(path: Path, name: str) -> list[Record | Problem]:
    return [*open_records(path, format=name).records]


def parquet_or_skip(name: str) -> None:
    if name == "parquet" and importlib.util.find_spec("pyarrow") is None:
        pytest.skip("pyarrow is not installed")


def test_every_text_format_has_a_sample() -> None:
    assert {*SAMPLES, "parquet"} == {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_describes_the_format_and_its_options(name: str) -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    assert f"\n## {name}\n" in text
    assert [option for option in FORMATS.get(name).options if f"`{option}`" not in text] == []


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", TEXTUAL)
def test_a_sample_is_guessed_and_reads_back(tmp_path: Path, name: str, encoding: str) -> None:
    file, template, tree = SAMPLES[name]
    (tmp_path / file).write_bytes(ENCODINGS[encoding](template.replace("%s", TEXT)))
    assert guess(tmp_path) == name
    found = read(tmp_path, name)
    record_id = None if name in WITHOUT_IDS else "x"
    assert [(item.id, item.tree) for item in found if isinstance(item, Record)] == [
        (record_id, tree)
    ]
    assert len(found) == 1


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\r\n"])
@pytest.mark.parametrize("name", NAMES)
def test_an_empty_file_is_an_error_that_says_which(
    tmp_path: Path, name: str, content: bytes
) -> None:
    parquet_or_skip(name)
    path = tmp_path / FILE_NAMES[name]
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read(path, name)
    assert caught.value.where is not None
    assert str(path) in caught.value.where


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_folder_is_an_error_that_says_which(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="holds no documents") as caught:
        read(tmp_path, name)
    assert caught.value.where == str(tmp_path)


@st.composite
def mangled(draw: st.DrawFn, name: str) -> bytes:
    """Draw random bytes, or the format's sample with a piece cut out or replaced."""
    template = SAMPLES[name][1] if name in SAMPLES else "PAR1"
    sample = template.encode()
    start = draw(st.integers(0, len(sample)))
    end = draw(st.integers(start, len(sample)))
    return (
        draw(st.binary(max_size=60))
        if draw(st.booleans())
        else (sample[:start] + draw(st.binary(max_size=8)) + sample[end:])
    )


KEYS = (
    *("id", "tags", "fields", "prediction", "gt_parse", "ground_truth", "menu", "sub", "form"),
    *("data", "annotations", "predictions", "result", "type", "value", "text", "labels", "label"),
    *("field_extractions", "line_item_extractions", "fieldtype", "line_item_id", "page", "bbox"),
    *("box", "score", "from_name", "item_index"),
    *("custom_id", "response", "body", "choices", "message", "content", "parts", "candidates"),
    *("analyzeResult", "documents", "valueArray", "boundingRegions", "pages", "entities"),
    *("properties", "mentionText", "ExpenseDocuments", "SummaryFields", "ValueDetection"),
    *("Type", "Text", "Blocks", "BlockType", "Relationships", "Ids", "key", "error", "status"),
    *("finish_reason", "finishReason", "stop_reason", "valueObject", "polygon", "pageAnchor"),
)
JSON_TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def check_reads_or_refuses(content: bytes, name: str, *, folder: bool) -> None:
    """Fail when anything but records, problems and errors of ours comes out."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, FILE_NAMES[name])
        path.write_bytes(content)
        try:
            found = read(Path(place) if folder else path, name)
        except DocassayError:
            return
    broken = [item for item in found if isinstance(item, Record) and item.tree is None]
    problems = [item for item in found if isinstance(item, Problem)]
    assert len(broken) <= len(problems), "a document that cannot be read must be named"
    assert all(isinstance(item, Problem) or isinstance(item.tree, Mapping | None) for item in found)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30, deadline=None)
@given(st.data(), st.booleans())
def test_random_bytes_give_problems_or_our_errors(
    name: str, data: st.DataObject, folder: bool
) -> None:
    parquet_or_skip(name)
    check_reads_or_refuses(data.draw(mangled(name)), name, folder=folder)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "parquet"])
@settings(max_examples=30, deadline=None)
@given(tree=JSON_TREES, folder=st.booleans())
def test_json_of_another_shape_gives_problems_or_our_errors(
    name: str, tree: object, folder: bool
) -> None:
    check_reads_or_refuses(json.dumps(tree).encode(), name, folder=folder)


@settings(max_examples=20, deadline=None)
@given(st.binary(max_size=80))
def test_guessing_random_bytes_answers_or_refuses(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "x.json")
        path.write_bytes(content)
        with contextlib.suppress(DocassayError):
            assert guess(path) in NAMES
