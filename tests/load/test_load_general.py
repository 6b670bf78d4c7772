"""The general formats: json, jsonl, csv and parquet."""

from __future__ import annotations

import sys
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import ConfigurationError, DataError, FileError
from docassay.load.files import id_of
from docassay.load.format import Record
from docassay.load.formats.service import _may_hold_details, with_details
from docassay.load.records import ID_KEYS, Way, _identified, _is_named
from docassay.load.source import open_records
from docassay.model.problem import Problem


def load(path: Path, name: str, **options: object) -> tuple[list[Record], list[Problem]]:
    found = [*open_records(path, format=name, options=options).records]
    records = [item for item in found if isinstance(item, Record)]
    return records, [item for item in found if isinstance(item, Problem)]


def trees(path: Path, name: str, **options: object) -> dict[str | None, object]:
    return {record.id: record.tree for record in load(path, name, **options)[0]}


def written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


class TestJsonLines:
    IDS = ("id", "doc_id", "document_id", "filename", "image_name")

    @pytest.mark.parametrize("key", IDS)
    def test_the_id_is_taken_out_of_the_object(self, tmp_path: Path, key: str) -> None:
        path = written(tmp_path / "a.jsonl", f'{{"{key}":"x","total":"5"}}\n')
        assert trees(path, "jsonl") == {"x": {"total": "5"}}

    def test_a_number_can_be_an_id(self, tmp_path: Path) -> None:
        assert trees(written(tmp_path / "a.jsonl", '{"id":7}'), "jsonl") == {"7": {}}

    @pytest.mark.parametrize("key", ["fields", "prediction"])
    def test_the_tree_may_stand_in_a_member(self, tmp_path: Path, key: str) -> None:
        path = written(tmp_path / "a.jsonl", f'{{"id":"x","model":"m","{key}":{{"total":1.50}}}}')
        assert trees(path, "jsonl") == {"x": {"total": "1.50"}}

    def test_tags_beside_the_id_are_tags_of_the_record(self, tmp_path: Path) -> None:
        line = '{"id":"x","tags":{"lang":"de","pages":2,"scan":true,"none":null},"total":"5"}'
        records, _ = load(written(tmp_path / "a.jsonl", line), "jsonl")
        assert records[0].tags == {"lang": "de", "pages": "2", "scan": "true"}
        assert records[0].tree == {"total": "5"}

    def test_a_list_named_tags_is_a_field(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.jsonl", '{"id":"x","tags":["a"]}')
        assert trees(path, "jsonl") == {"x": {"tags": ["a"]}}

    def test_without_any_id_all_records_are_without_id(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.jsonl", '{"a":1}\nbroken\n\n{"a":2}\n')
        records, problems = load(path, "jsonl")
        assert [(r.id, r.tree) for r in records] == [
            (None, {"a": 1}),
            (None, None),
            (None, {"a": 2}),
        ]
        assert [p.where for p in problems] == [f"{path}:2"]

    def test_a_line_without_id_among_others_is_a_problem(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.jsonl", '{"a":1}\n{"id":"x","a":2}\n')
        records, problems = load(path, "jsonl")
        assert [record.id for record in records] == ["x"]
        assert [problem.where for problem in problems] == [f"{path}:1"]

    def test_a_broken_line_is_a_problem_with_its_number(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.jsonl", '{"id":"x"}\n\n{"id":"y",\n[1]\nnull\n')
        records, problems = load(path, "jsonl")
        assert [(record.id, record.tree) for record in records] == [("x", {}), ("y", None)]
        assert [problem.where for problem in problems] == [f"{path}:{n}" for n in (3, 4, 5)]

    def test_a_problem_of_a_line_names_its_document(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.jsonl", '{"id":"x","a":1,"a":2}\n')
        assert [problem.document for problem in load(path, "jsonl")[1]] == ["x"]

    def test_the_id_key_can_be_chosen(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.jsonl", '{"id":"x","key":"k"}')
        assert trees(path, "jsonl", id_key="key") == {"k": {"id": "x"}}

    def test_an_id_key_that_nothing_has_is_an_error(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.jsonl", '{"id":"x"}')
        with pytest.raises(DataError, match="id key 'kee'"):
            load(path, "jsonl", id_key="kee")

    def test_utf_16_is_read_line_by_line(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.jsonl", '{"id":"é"}\r\n{"id":"ü"}\r\n'.encode("utf-16"))
        assert trees(path, "jsonl") == {"é": {}, "ü": {}}

    def test_a_folder_of_parts_is_read_in_order(self, tmp_path: Path) -> None:
        written(tmp_path / "parts" / "b.jsonl", '{"id":"2"}')
        written(tmp_path / "parts" / "a.jsonl", '{"id":"1"}')
        assert [*trees(tmp_path / "parts", "jsonl")] == ["1", "2"]

    def test_leaves_with_values_pass_untouched(self, tmp_path: Path) -> None:
        leaf = {"value": "5", "confidence": "0.930", "page": 1, "box": [1, 2, 3, 4]}
        line = '{"id":"x","t":{"value":"5","confidence":0.930,"page":1,"box":[1,2,3,4]}}'
        assert trees(written(tmp_path / "a.jsonl", line), "jsonl") == {"x": {"t": leaf}}


class TestJson:
    def test_a_folder_gives_ids_from_file_names(self, tmp_path: Path) -> None:
        written(tmp_path / "b.json", '{"a":1}')
        written(tmp_path / "a.b.JSON", '{"a":2}')
        written(tmp_path / "sub" / "c.json", '{"a":3}')
        written(tmp_path / "scan.png", b"\x89PNG")
        written(tmp_path / ".hidden.json", "{}")
        assert trees(tmp_path, "json") == {"a.b": {"a": 2}, "b": {"a": 1}, "sub/c": {"a": 3}}

    @pytest.mark.parametrize("content", ["{", "", "[1]", "null", '"text"'])
    def test_a_document_that_cannot_be_read_keeps_its_id(
        self, tmp_path: Path, content: str
    ) -> None:
        written(tmp_path / "x.json", content)
        written(tmp_path / "y.json", "{}")
        records, problems = load(tmp_path, "json")
        assert [(record.id, record.tree) for record in records] == [("x", None), ("y", {})]
        assert [problem.document for problem in problems] == ["x"]

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param('{"x":{"a":1},"y":{"a":2}}', id="by id"),
            pytest.param('[{"id":"x","a":1},{"id":"y","a":2}]', id="list"),
        ],
    )
    def test_one_file_holds_many_documents(self, tmp_path: Path, content: str) -> None:
        path = written(tmp_path / "all.json", content)
        assert trees(path, "json") == {"x": {"a": 1}, "y": {"a": 2}}

    @pytest.mark.parametrize("content", ['{"a":"1","b":{}}', '{"a":{"value":1},"b":{"value":2}}'])
    def test_one_file_with_one_document_has_no_id(self, tmp_path: Path, content: str) -> None:
        assert [*trees(written(tmp_path / "one.json", content), "json")] == [None]

    def test_a_link_to_a_parent_folder_is_not_followed(self, tmp_path: Path) -> None:
        written(tmp_path / "x.json", "{}")
        (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
        assert [*trees(tmp_path, "json")] == ["x"]

    def test_a_broken_file_of_many_documents_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=r"all\.json: is not JSON"):
            load(written(tmp_path / "all.json", '{"x":{}'), "json")


class TestCsv:
    def test_a_row_is_a_document_and_a_bar_makes_a_list(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.csv", "image_file,total,items\nx.png,5.00,a | b | \n")
        assert trees(path, "csv") == {"x.png": {"total": "5.00", "items": ["a", "b", ""]}}

    def test_whole_columns_are_not_split(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.csv", "id,note\nx,a | b\n")
        assert trees(path, "csv", whole="note") == {"x": {"note": "a | b"}}

    def test_a_column_without_a_name_is_left_out_and_said(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.csv", ",id,total, \n0,x,5,?\n")
        records, problems = load(path, "csv")
        assert [record.tree for record in records] == [{"total": "5"}]
        assert [problem.message for problem in problems] == [
            "has no name for column 1, 4; left out"
        ]

    @pytest.mark.parametrize("delimiter", [",", ";", "\t"])
    def test_the_delimiter_is_found(self, tmp_path: Path, delimiter: str) -> None:
        text = "id,a,b\nx,1,2\n".replace(",", delimiter)
        assert trees(written(tmp_path / "a.csv", text), "csv") == {"x": {"a": "1", "b": "2"}}

    def test_the_first_known_id_column_counts(self, tmp_path: Path) -> None:
        path = written(tmp_path / "a.csv", "id,filename\n1,x\n")
        assert trees(path, "csv") == {"x": {"id": "1"}}

    def test_without_an_id_column_rows_have_no_id(self, tmp_path: Path) -> None:
        assert [*trees(written(tmp_path / "a.csv", "a,b\n1,2\n"), "csv")] == [None]

    def test_huge_cells_and_line_breaks_in_cells_are_read(self, tmp_path: Path) -> None:
        big = "x" * 200_000
        path = written(tmp_path / "a.csv", f'id,a\r\nx,"1\n2"\r\ny,{big}\r\nz\r\n')
        records, problems = load(path, "csv")
        assert [record.tree for record in records] == [{"a": "1\n2"}, {"a": big}, {}]
        assert [problem.where for problem in problems] == [f"{path}:5"]

    FLAWS = (
        pytest.param(
            "id,a\ny,1\nx,1,2\n", "has 3 cells for 2 columns; the row is not read", id="long row"
        ),
        pytest.param("id,a\nx\n", "has 1 cells for 2 columns", id="short row"),
        pytest.param("id,a\n,1\nx,1\n", "has no 'id'; left out", id="no id"),
        pytest.param("id,a,a\nx,1,2\n", "column 'a' occurs 2 times; the first is kept", id="twice"),
    )

    @pytest.mark.parametrize(("text", "message"), FLAWS)
    def test_a_flaw_is_a_problem(self, tmp_path: Path, text: str, message: str) -> None:
        problems = load(written(tmp_path / "a.csv", text), "csv")[1]
        assert [problem.message for problem in problems] == [message]

    def test_empty_cells_after_the_last_column_are_no_flaw(self, tmp_path: Path) -> None:
        records, problems = load(written(tmp_path / "a.csv", "id,a\nx,1,,\n"), "csv")
        assert ([record.tree for record in records], problems) == ([{"a": "1"}], [])

    def test_an_unknown_id_key_is_an_error_that_lists_the_columns(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="there is: id, a"):
            load(written(tmp_path / "a.csv", "id,a\nx,1\n"), "csv", id_key="key")


class TestParquet:
    def table(self, path: Path, columns: dict[str, list[object]]) -> Path:
        arrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.table(columns), path)
        return path

    def test_nested_columns_are_trees(self, tmp_path: Path) -> None:
        rows: list[object] = [[{"nm": "a", "price": 1.5}, {"nm": "b", "price": None}]]
        path = self.table(tmp_path / "a.parquet", {"id": ["x"], "menu": rows, "n": [3]})
        menu = [{"nm": "a", "price": "1.5"}, {"nm": "b", "price": None}]
        assert trees(path, "parquet") == {"x": {"menu": menu, "n": 3}}

    @pytest.mark.parametrize("column", ["fields", "prediction", "tree", "json"])
    def test_a_column_of_json_text_is_opened(self, tmp_path: Path, column: str) -> None:
        columns: dict[str, list[object]] = {"doc_id": ["x", "y"], column: ['{"a":1.50}', "{"]}
        records, problems = load(self.table(tmp_path / "a.parquet", columns), "parquet")
        assert [(r.id, r.tree) for r in records] == [("x", {"a": "1.50"}), ("y", None)]
        assert [problem.document for problem in problems] == ["y"]

    def test_without_pyarrow_the_error_says_what_to_install(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = written(tmp_path / "a.parquet", b"PAR1")
        monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
        with pytest.raises(ConfigurationError, match=r"pip install 'docassay\[parquet\]'"):
            load(path, "parquet")

    def test_decimals_keep_their_digits_and_nan_is_no_value(self, tmp_path: Path) -> None:
        columns: dict[str, list[object]] = {
            "id": ["x"],
            "a": [Decimal("1.50")],
            "b": [float("nan")],
        }
        path = self.table(tmp_path / "a.parquet", columns)
        assert trees(path, "parquet") == {"x": {"a": "1.50", "b": None}}


@pytest.mark.parametrize("name", ["json", "jsonl", "csv"])
def test_a_path_that_is_not_there_is_a_file_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="no such file"):
        load(tmp_path / "nothing", name)


NAMES = st.sampled_from(["id", "filename", "fields", "tags", "metadata", "confidences", "a", "b"])
OBJECTS = st.dictionaries(
    NAMES,
    st.text(max_size=2)
    | st.integers()
    | st.dictionaries(NAMES, st.text(max_size=2) | st.just({"confidence": 0.5}), max_size=3),
)


@given(OBJECTS)
def test_an_object_that_is_taken_as_it_is_would_not_be_changed(tree: dict[str, object]) -> None:
    record, way = Record(None, tree, "f"), Way(ID_KEYS)
    if way.is_bare(record):
        assert not _is_named(record, way)
        assert _identified(record, way, named=False) == (record, [])
    if not _may_hold_details(tree):
        assert with_details(tree) == (tree, [])


@pytest.mark.parametrize(
    ("file", "folder", "id"),
    [
        ("gold/a.json", "gold", "a"),
        ("gold/x/a.b.json", "gold", "x/a.b"),
        ("gold/a.json", "gold/", "a"),
        ("d1.json", ".", "d1"),
        ("/a.json", "/", "a"),
        ("gold.jsonl", "gold.jsonl", None),
    ],
)
def test_the_id_of_a_document_is_its_path_below_the_folder(
    file: str, folder: str, id: str | None
) -> None:
    assert id_of(file, folder) == id
