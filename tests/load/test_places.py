"""Ids and places of lines, and reading documents by them."""

from __future__ import annotations

import json
from contextlib import closing
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import FileError
from docassay.load import places
from docassay.load.formats.json import load_lines
from docassay.load.places import (
    PLACE,
    PlaceReader,
    Stretch,
    can_be_read_by_places,
    id_in,
    scan,
    stretches,
)
from docassay.load.records import ID_KEYS, Way
from docassay.model.document import hash_of
from docassay.model.problem import Problem

PLAIN = Way(ID_KEYS)
LINES = [
    b'{"id": "a", "total": "1"}\n',
    b"\n",
    b'{"doc_id": 7, "total": "2"}\n',
    b'{"total": "3"}\n',
    b'{"id": "b", "total": \n',
    b"not json\n",
    b'{"id": "a", "id": "c"}\n',
    b'{"id": " ", "filename": "scan/d.pdf"}\n',
    b"   \n",
    '{"id": "ä\\u0041"}\n'.encode(),
    b'{"id": "latin \xe9"}\n',
    b'{"id": true, "image_name": "e"}\n',
    b'["id"]\n',
    b'{"id": "last"}',
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_bytes(b"".join(LINES))
    return path


@pytest.mark.parametrize("line", LINES)
def test_the_id_of_a_line_is_the_one_that_reading_it_gives(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_bytes(b'{"id": "first"}\n' + line)
    records = [item for item in load_lines(path) if not isinstance(item, Problem)][1:]
    assert id_in(line, PLAIN) == (records[0].id if records else None)


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        (Way(("meta.key",)), "k"),
        (Way(("nothing",)), None),
        (Way(ID_KEYS, "data"), "inner"),
        (Way(("key",), "meta"), "k"),
    ],
)
def test_ids_are_found_at_the_places_that_were_asked_for(way: Way, expected: str | None) -> None:
    tree = {"meta": {"key": "k"}, "data": {"id": "inner"}}
    assert id_in(json.dumps(tree).encode(), way) == expected


@given(size=st.integers(1, 300))
def test_stretches_of_any_size_have_every_line_once(
    size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("lines") / "gold.jsonl"
    path.write_bytes(b"".join(LINES))
    parts = [scan(stretch, PLAIN, with_ids=True) for stretch in stretches(str(path), size)]
    assert sum(part.lines for part in parts) == len(LINES)
    ids = [id for part in parts for id in part.ids or ()]
    assert ids == ["a", "7", "b", "c", "scan/d.pdf", "äA", "latin é", "e", "last"]
    hashes = np.concatenate([np.frombuffer(part.hashes, "<u8") for part in parts])
    assert hashes.tolist() == [hash_of(id) for id in ids]
    before, lines = 0, []
    for part in parts:
        lines += (np.frombuffer(part.places, PLACE)["line"] + before).tolist()
        before += part.lines
    assert lines == [1, 3, 5, 7, 8, 10, 11, 12, 14]


def test_documents_are_read_by_their_places(file: Path) -> None:
    whole = scan(Stretch(str(file), 0, file.stat().st_size), PLAIN)
    places = np.frombuffer(whole.places, PLACE)[::-1]
    with closing(PlaceReader()) as reader:
        texts = [*reader.contents([str(file)], places)]
    assert texts[0] == (f"{file}:14", LINES[13])
    assert texts[-1] == (f"{file}:1", LINES[0])
    assert not whole.stemless


@given(order=st.lists(st.tuples(st.integers(0, 1), st.integers(0, len(LINES) - 1))))
def test_documents_are_read_in_any_order_and_number(
    order: list[tuple[int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("sides")
    names = [str(folder / name) for name in ("a.jsonl", "b.jsonl")]
    for name in names:
        Path(name).write_bytes(b"".join(LINES))
    starts = [0, *accumulate(map(len, LINES))]
    rows = [(file, line + 1, starts[line], len(LINES[line])) for file, line in order]
    with pytest.MonkeyPatch.context() as patch, closing(PlaceReader()) as reader:
        patch.setattr(places, "TOGETHER", 3)
        read = [*reader.contents(names, np.array(rows, PLACE))]
    assert read == [(f"{names[file]}:{line + 1}", LINES[line]) for file, line in order]


def test_a_file_that_became_shorter_is_an_error(file: Path) -> None:
    whole = scan(Stretch(str(file), 0, file.stat().st_size), PLAIN)
    file.write_bytes(LINES[0])
    changed = pytest.raises(FileError, match="was changed while it was scored")
    with closing(PlaceReader()) as reader, changed:
        [*reader.contents([str(file)], np.frombuffer(whole.places, PLACE))]


def test_compressed_files_and_utf_16_are_not_read_by_places(tmp_path: Path) -> None:
    wide = tmp_path / "wide.jsonl"
    wide.write_bytes('{"id": "a"}\n'.encode("utf-16"))
    assert not can_be_read_by_places(str(wide))
    assert not can_be_read_by_places(str(tmp_path / "gold.jsonl.gz"))
