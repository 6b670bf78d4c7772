"""The text of documents: what files say of it, which file belongs to which document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docassay.errors import DataError, DocassayError
from docassay.load.format import Record
from docassay.load.originals import Originals
from docassay.load.pairing import Paired
from docassay.model.original import OriginalText

TSV = "\n".join(
    "\t".join(row.split(" "))
    for row in (
        "level page_num block_num par_num line_num word_num left top width height conf text",
        "1 1 0 0 0 0 0 0 200 100 -1 ",
        "5 1 1 1 1 1 20 10 40 10 96 Acme",
        '5 1 1 1 1 2 70 10 40 10 96 "Ltd',
        "5 1 1 1 2 1 20 30 40 10 96 Total",
    )
)
AZURE = {
    "status": "succeeded",
    "analyzeResult": {
        "content": "Acme Ltd\nTotal",
        "pages": [
            {
                "pageNumber": 1,
                "width": 8.0,
                "height": 10.0,
                "words": [
                    {"content": "Acme", "polygon": [0.8, 1, 2.4, 1, 2.4, 2, 0.8, 2]},
                    {"content": "Ltd", "polygon": [2.8, 1, 4, 1, 4, 2, 2.8, 2]},
                ],
                "lines": [{"content": "Acme Ltd"}],
            },
            {
                "pageNumber": 2,
                "width": 8.0,
                "height": 10.0,
                "words": [{"content": "Total", "polygon": [0.8, 1, 2.4, 1, 2.4, 2, 0.8, 2]}],
            },
        ],
    },
}
TEXTRACT = {
    "Blocks": [
        {"BlockType": "LINE", "Text": "Acme Ltd", "Page": 1},
        *(
            {
                "BlockType": "WORD",
                "Text": text,
                "Page": 1,
                "Geometry": {
                    "BoundingBox": {"Left": left, "Top": 0.1, "Width": 0.2, "Height": 0.1}
                },
            }
            for text, left in (("Acme", 0.1), ("Ltd", 0.4))
        ),
    ]
}
DOCTR = {
    "pages": [
        {
            "page_idx": 0,
            "dimensions": [1000, 500],
            "blocks": [
                {
                    "geometry": [[0, 0], [1, 1]],
                    "lines": [
                        {
                            "words": [
                                {"value": "Acme", "geometry": [[0.1, 0.1], [0.3, 0.2]]},
                                {"value": "Ltd", "geometry": [[0.4, 0.1], [0.6, 0.2]]},
                            ]
                        },
                        {"words": [{"value": "Total", "geometry": [[0.1, 0.3], [0.3, 0.4]]}]},
                    ],
                }
            ],
        }
    ]
}
WORDS = [
    {"text": "Acme", "box": [0.1, 0.1, 0.3, 0.2], "page": 1},
    {"text": "Ltd", "box": [0.4, 0.1, 0.6, 0.2], "page": 1},
    {"text": "Total", "box": [0.1, 0.3, 0.3, 0.4], "page": 1},
]


def read(source: object, id: str = "d", **records: Record) -> OriginalText:
    pair = Originals(source)(Paired(id, records.get("gold"), records.get("pred")))
    assert pair.original is not None
    return pair.original()


def folder_of(tmp_path: Path, **files: str) -> Path:
    for name, content in files.items():
        path = tmp_path / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "content", "text", "first_box"),
    [
        ("d_dot_txt", "Acme Ltd\nTotal", "Acme Ltd\nTotal", None),
        ("d_dot_tsv", TSV, 'Acme "Ltd\nTotal', (0.1, 0.1, 0.3, 0.2)),
        ("d_dot_json", json.dumps(WORDS), "Acme Ltd\nTotal", (0.1, 0.1, 0.3, 0.2)),
        ("d_dot_json", json.dumps({"words": WORDS}), "Acme Ltd\nTotal", (0.1, 0.1, 0.3, 0.2)),
        (
            "d_dot_jsonl",
            "\n".join(map(json.dumps, WORDS)),
            "Acme Ltd\nTotal",
            (0.1, 0.1, 0.3, 0.2),
        ),
        ("d_dot_json", json.dumps({"text": "Acme Ltd"}), "Acme Ltd", None),
        ("d_dot_json", json.dumps("Acme Ltd"), "Acme Ltd", None),
        ("d_dot_json", json.dumps(["Acme Ltd", "Total"]), "Acme Ltd\fTotal", None),
        ("d_dot_json", json.dumps(AZURE), "Acme Ltd\fTotal", (0.1, 0.1, 0.3, 0.2)),
        ("d_dot_json", json.dumps(TEXTRACT), "Acme Ltd", (0.1, 0.1, 0.3, 0.2)),
        ("d_dot_json", json.dumps(DOCTR), "Acme Ltd\nTotal", (0.1, 0.1, 0.3, 0.2)),
    ],
)
def test_texts_and_words_are_read_with_boxes_as_fractions(
    tmp_path: Path,
    name: str,
    content: str,
    text: str,
    first_box: tuple[float, ...] | None,
) -> None:
    original = read(folder_of(tmp_path, **{name: content}))
    assert original.text == text
    if first_box is None:
        assert original.words == ()
    else:
        assert original.words[0].box == pytest.approx(first_box)
        assert [text[word.start : word.end] for word in original.words] == text.split()


def test_pages_count_from_one_whatever_names_them(tmp_path: Path) -> None:
    original = read(folder_of(tmp_path, d_dot_json=json.dumps(AZURE)))
    assert [word.page for word in original.words] == [1, 1, 2]
    assert original.page_of(original.text.index("Total")) == 2
    text = OriginalText("one\ntwo\fthree\nfour")
    assert [text.page_of(text.text.index(word)) for word in ("two", "three")] == [1, 2]
    assert [text.line_of(text.text.index(word)) for word in ("two", "four")] == [2, 2]


def test_a_box_in_points_of_an_unknown_page_is_no_box(tmp_path: Path) -> None:
    words = [{"text": "Acme", "box": [10, 10, 30, 20]}]
    assert read(folder_of(tmp_path, d_dot_json=json.dumps(words))).words[0].box is None


def test_a_folder_of_pages_is_one_document_in_natural_order(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, d__10_dot_txt="ten", d__2_dot_txt="two", d__1_dot_txt="one")
    original = read(folder)
    assert original.text == "one\ftwo\ften"


@pytest.mark.parametrize("id", ["d", "d.pdf", "scans/d.pdf", "scans\\d.png"])
def test_a_file_is_found_by_the_id_or_its_stem(tmp_path: Path, id: str) -> None:
    assert read(folder_of(tmp_path, d_dot_txt="here"), id).text == "here"


def test_the_whole_path_goes_before_the_stem_and_words_before_bare_text(tmp_path: Path) -> None:
    folder = folder_of(
        tmp_path,
        a__d_dot_txt="first",
        b__d_dot_txt="second",
        e_dot_txt="bare",
        e_dot_json=json.dumps(WORDS),
    )
    assert read(folder, "b/d").text == "second"
    assert "could be any of a/d, b/d" in read(folder, "d").flaw
    assert read(folder, "e").words


@pytest.mark.parametrize(
    "id", ["..", "../secret", "/etc/passwd", "", "a\0b", "x" * 5000, "missing"]
)
def test_an_id_leads_to_no_file_outside_the_folder(tmp_path: Path, id: str) -> None:
    folder = tmp_path / "source"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "d.txt").write_text("here")
    assert read(folder, id) == OriginalText("", flaw="the source has no text of it")


def test_a_file_of_lines_and_a_dict_hold_texts_by_id(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"id": "d", "text": "here"}\n{"id": "e", "words": [{"text": "there"}]}\n')
    assert read(path).text == "here"
    assert read(path, "e").text == "there"
    assert read({"d": "memory"}).text == "memory"
    path.write_text('{"text": "nobody\'s"}\n')
    with pytest.raises(DataError, match="is no text of a document"):
        Originals(path)


def test_a_text_beside_a_record_is_taken_gold_first_and_a_field_is_none() -> None:
    gold = Record("d", {"a": "1"}, "gold:1", whole={"record": {"a": "1"}, "source": "of gold"})
    pred = Record("d", {"a": "1"}, "pred:1", whole={"record": {"a": "1"}, "text": "of pred"})
    assert read(None, gold=gold, pred=pred).text == "of gold"
    assert read(None, pred=pred).text == "of pred"
    field = Record("d", {"source": "web"}, "pred:1", whole={"id": "d", "source": "web"})
    assert Originals(None)(Paired("d", None, field)).original is None


@pytest.mark.parametrize(
    ("name", "content", "flaw"),
    [
        ("d_dot_txt", " \n", "its text is empty"),
        ("d_dot_json", "[]", "its text is empty"),
        ("d_dot_json", "{}", "its text is empty"),
        ("d_dot_json", "{", "its text cannot be read"),
        ("d_dot_tsv", "a\tb\n1\t2\n", "its text cannot be read: is no table of words"),
        ("d_dot_json", "[" * 90 + "]" * 90, "its text is empty"),
    ],
)
def test_what_is_empty_or_cannot_be_read_is_named(
    tmp_path: Path, name: str, content: str, flaw: str
) -> None:
    assert read(folder_of(tmp_path, **{name: content})).flaw.startswith(flaw)


def test_a_source_that_is_not_there_or_no_source_at_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DocassayError, match="no such file"):
        Originals(tmp_path / "nowhere")
    with pytest.raises(DocassayError, match="source is a int"):
        Originals(3)
