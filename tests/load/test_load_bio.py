"""The formats of tagged text: bio, strict and lenient, and tags."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.errors import DataError, UnknownName
from docassay.load.format import Record
from docassay.load.formats.bio import write_bio, write_folder
from docassay.load.source import open_records
from docassay.model.document import Block, TaggedText, Token
from docassay.model.problem import Problem
from docassay.run.score import digest_of

VECTORS = Path(__file__).resolve().parents[3] / "shared" / "vectors" / "ner.json"


def load(
    folder: Path, text: str | bytes, name: str = "bio", **options: object
) -> tuple[Record, list[Problem]]:
    content = text.encode() if isinstance(text, str) else text
    (folder / ("x.bio" if name == "bio" else "x.txt")).write_bytes(content)
    found = [*open_records(folder, format=name, options=options).records]
    (record,) = (item for item in found if isinstance(item, Record))
    return record, [item for item in found if isinstance(item, Problem)]


def blocks(folder: Path, text: str | bytes, name: str = "bio", **options: object) -> list[Block]:
    record, problems = load(folder, text, name, **options)
    assert problems == []
    assert isinstance(record.tree, TaggedText)
    return [*record.tree.blocks]


REFUSED = [
    pytest.param("a B-X\n\nb B-X\n", 2, "the line is blank", id="blank line"),
    pytest.param("a B-X\n\n", 2, "the line is blank", id="blank line at the end"),
    pytest.param("a\tB-X", 1, "one space", id="tab"),
    pytest.param("a  B-X", 1, "one space", id="two spaces"),
    pytest.param(" a B-X", 1, "one space", id="space before the word"),
    pytest.param("a B-X ", 1, "one space", id="space after the tag"),
    pytest.param("a O\nNew York B-LOC", 2, "white space stands in the word 'New York'", id="words"),
    pytest.param("Jean Bernard B-PER", 1, "'Jean Bernard'", id="word that begins as a tag"),
    pytest.param("a\xa0b B-X", 1, "white space stands in the word", id="non-breaking space"),
    pytest.param("a\u2028b B-X", 1, "white space stands in the word", id="line separator"),
    pytest.param("a I-X", 1, "'I-X' goes on with no entity", id="I at the start"),
    pytest.param("a O\nb I-X", 2, "'I-X' goes on with no entity", id="I after O"),
    pytest.param("a B-X\nb I-Y", 2, "of category 'X'", id="I of another category"),
    pytest.param("a B-X\nb E-X", 2, "'E-X' is not of IOB2", id="BIOES"),
    pytest.param("a U-X", 1, "'U-X' is not of IOB2", id="BILOU"),
    pytest.param("a B", 1, "'B' has no category", id="B alone"),
    pytest.param("a B-", 1, "'B-' has no category", id="B and a hyphen"),
    pytest.param("a O-X", 1, "outside entities", id="O with a category"),
    pytest.param("a Other", 1, "'Other' is no tag", id="word that begins with O"),
    pytest.param("a b-X", 1, "'b-X' is no tag", id="small letter"),
    pytest.param("a", 1, "'a' has no tag", id="no tag"),
    pytest.param("a B-X foo", 1, "'foo' is no tag", id="third column"),
]


@pytest.mark.parametrize(("text", "line", "message"), REFUSED)
def test_strict_reading_says_which_line_is_wrong_and_why(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    record, (problem,) = load(tmp_path, text)
    assert record.tree is None
    assert record.id == problem.document == "x"
    assert problem.where == f"{tmp_path / 'x.bio'}:{line}"
    assert message in problem.message


READ = [
    pytest.param(b"a B-X\r\nb I-X\r\n", [Block("X", "a b")], id="windows line ends"),
    pytest.param(b"a B-X", [Block("X", "a")], id="no final newline"),
    pytest.param(b"", [], id="empty file"),
    pytest.param(b"\xef\xbb\xbfa B-X", [Block("X", "a")], id="byte order mark"),
    pytest.param("é B-X\n".encode("utf-16"), [Block("X", "é")], id="utf-16"),
    pytest.param(b"a B-x-y", [Block("x-y", "a")], id="hyphen in a category"),
    pytest.param(b"a B-O\nO O\n", [Block("O", "a"), Block(None, "O")], id="category O"),
    pytest.param(
        b"a B-X\nb B-X\nc O\nd O\n",
        [Block("X", "a"), Block("X", "b"), Block(None, "c d")],
        id="adjacent entities and a run outside",
    ),
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_strict_reading_gives_entities_and_runs(
    tmp_path: Path, text: bytes, expected: list[Block]
) -> None:
    assert blocks(tmp_path, text) == expected


LENIENT = [
    pytest.param("a I-X\nb I-X", [Block("X", "a b")], id="IOB1"),
    pytest.param("a I-X\nb B-X", [Block("X", "a"), Block("X", "b")], id="IOB1 adjacent"),
    pytest.param("a B-X\nb I-Y", [Block("X", "a"), Block("Y", "b")], id="I of another category"),
    pytest.param("a B-X\nb I-X\nc E-X\nd S-X", [Block("X", "a b c"), Block("X", "d")], id="BIOES"),
    pytest.param("a B-X\nb L-X\nc U-X", [Block("X", "a b"), Block("X", "c")], id="BILOU"),
    pytest.param("a E-X\nb I-X", [Block("X", "a"), Block("X", "b")], id="after an end"),
    pytest.param("a\tB-X\nb  I-X \n", [Block("X", "a b")], id="tabs and several spaces"),
    pytest.param("a B-X\n\nb I-X\n", [Block("X", "a"), Block("X", "b")], id="blank lines part"),
    pytest.param("a O\n\n\nb O\n\n", [Block(None, "a b")], id="a run over blank lines"),
]


@pytest.mark.parametrize(("text", "expected"), LENIENT)
def test_lenient_reading_takes_other_schemes(
    tmp_path: Path, text: str, expected: list[Block]
) -> None:
    assert blocks(tmp_path, text, scheme="lenient") == expected


@pytest.mark.parametrize("text", ["Jean Bernard B-PER", "a B", "a O-X", "a", "a b-X", "a\xa0b O"])
def test_lenient_reading_guesses_no_tags(tmp_path: Path, text: str) -> None:
    record, problems = load(tmp_path, text, scheme="lenient")
    assert record.tree is None
    assert len(problems) == 1


def test_an_unknown_scheme_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="lenient, strict"):
        load(tmp_path, "a O", scheme="iob3")


def test_bytes_that_are_not_utf8_are_read_and_said(tmp_path: Path) -> None:
    record, (problem,) = load(tmp_path, b"Zo\xeb B-X\n")
    assert record.tree == {"X": ["Zoë"]}
    assert "not UTF-8" in problem.message


def test_a_tagged_text_is_an_object_of_categories_and_knows_its_words(tmp_path: Path) -> None:
    record, _ = load(tmp_path, "San B-GPE\nFrancisco I-GPE\nis O\nnice O\n")
    assert isinstance(record.tree, TaggedText)
    assert dict(record.tree) == {"GPE": ["San Francisco"]}
    assert [*record.tree.tokens] == [
        Token("San", "B", "GPE"),
        Token("Francisco", "I", "GPE"),
        Token("is", "O", None),
        Token("nice", "O", None),
    ]


def test_words_outside_entities_change_the_digest() -> None:
    one, other = (TaggedText([Block("X", "a"), Block(None, word)]) for word in ("b", "c"))
    assert digest_of(one) != digest_of(other)
    assert one != other
    assert digest_of(one) == digest_of(TaggedText([Block("X", "a"), Block(None, "b")]))


def test_bad_and_missing_files_are_counted_and_named(tmp_path: Path) -> None:
    files = {
        "gold/ok.bio": "a B-X\n",
        "gold/badpred.bio": "a B-X\n",
        "gold/nopred.bio": "a B-X\n",
        "pred/ok.bio": "a B-X\n",
        "pred/badpred.bio": "a B-X\n\n",
        "pred/nogold.bio": "a B-X\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    report = da.score(
        tmp_path / "gold",
        tmp_path / "pred",
        gold_format="bio",
        pred_format="bio",
        metrics=["ner", "entity"],
    )
    assert report.documents == 3
    assert report["ner.oinerval_recall"].value == pytest.approx(1 / 3)
    assert report["entity.recall"].value == pytest.approx(1 / 3)
    assert {one.document for one in report.problems} == {"badpred", "nopred", "nogold"}
    (tmp_path / "gold" / "bad.bio").write_text("a I-X\n")
    with pytest.raises(DataError, match=r"bad.bio:1: gold document bad tag 'I-X'"):
        da.score(tmp_path / "gold", tmp_path / "pred", gold_format="bio", pred_format="bio")


TAGGED = [
    pytest.param(
        "<date>26 mai 1770 <serie>X1A",
        [Block("date", "26 mai 1770"), Block("serie", "X1A")],
        id="opening tags",
    ),
    pytest.param(
        "Contre <name>Denis\nQUIROT</name>, fils",
        [Block(None, "Contre"), Block("name", "Denis QUIROT"), Block(None, ", fils")],
        id="closing tags leave words outside",
    ),
    pytest.param("<a>1 < 2 and 3 > 2 <3>", [Block("a", "1 < 2 and 3 > 2 <3>")], id="no tags"),
    pytest.param("<wife's name>Anne", [Block("wife's name", "Anne")], id="space in a category"),
    pytest.param("no tags at all", [Block(None, "no tags at all")], id="words alone"),
]


@pytest.mark.parametrize(("text", "expected"), TAGGED)
def test_tags_open_entities(tmp_path: Path, text: str, expected: list[Block]) -> None:
    assert blocks(tmp_path, text, "tags") == expected


def test_a_tag_without_text_is_left_out_and_said(tmp_path: Path) -> None:
    record, (problem,) = load(tmp_path, "<a>x\n<b> <c>y", "tags")
    assert record.tree == {"a": ["x"], "c": ["y"]}
    assert problem.message == "line 2: <b> has no text; left out"


def test_a_closing_tag_of_nothing_is_refused(tmp_path: Path) -> None:
    record, (problem,) = load(tmp_path, "<a>x\n<b>y</b>\n</a>", "tags")
    assert record.tree is None
    assert problem.where == f"{tmp_path / 'x.txt'}:3"


# where the released parser takes a line that is not `word TAG`, and what it makes of it
STRICTER = {
    "trailing_space": "ignores what follows the tag",
    "trailing_garbage": "ignores what follows the tag",
    "space_in_word_misparse": "takes the second word for a tag and drops the entity",
    "space_in_word_O": "takes the second word for a tag and drops the entity",
    "B_nolabel": "drops the entity",
    "B_nolabel_I_nolabel": "drops the entity",
    "B_suffix": "drops the entity",
    "Bempty": "drops the entity",
    "O_label": "counts the word in bags of words, not among the entities",
    "O_suffix": "takes a word for the tag O",
}
CLEANER = {"bom": "keeps the byte order mark as part of the first word"}


def test_the_released_parser_agrees_where_it_is_right(tmp_path: Path) -> None:
    if not VECTORS.exists():
        pytest.skip("the released tools' answers are not beside the project")
    for case in json.loads(VECTORS.read_text(encoding="utf-8"))["parser"]:
        record, _ = load(tmp_path, case["bio"])
        name = case["name"]
        if name in STRICTER or not case["ok"]:
            assert record.tree is None, name
            assert case["ok"] == (name in STRICTER), name
            continue
        assert isinstance(record.tree, TaggedText)
        found = [[one.category, one.text] for one in record.tree.blocks if one.category is not None]
        assert (found == case["entities"]) == (name not in CLEANER), name


WORDS = st.text(min_size=1, max_size=6).filter(lambda word: word.split() == [word])
CATEGORIES = st.text(min_size=1, max_size=6).filter(lambda name: name.split() == [name])
TAGGED = st.lists(
    st.builds(
        lambda category, words: Block(category, " ".join(words)),
        st.none() | CATEGORIES,
        st.lists(WORDS, min_size=1, max_size=4),
    ),
    max_size=6,
).map(TaggedText)


def read_again(written: str, scheme: str = "strict") -> TaggedText:
    with TemporaryDirectory() as folder:
        Path(folder, "x.bio").write_bytes(written.encode())
        (record,) = open_records(folder, format="bio", options={"scheme": scheme}).records
    assert isinstance(record, Record)
    assert isinstance(record.tree, TaggedText)
    return record.tree


@given(TAGGED, st.sampled_from(["strict", "lenient"]))
def test_what_was_written_reads_as_the_same_words_and_entities(
    tagged: TaggedText, scheme: str
) -> None:
    written = write_bio(tagged)
    assert written.remarks == ()
    assert [*read_again(written.text, scheme).tokens] == [*tagged.tokens]


@given(st.dictionaries(CATEGORIES, WORDS | st.lists(WORDS | st.integers(), max_size=3), max_size=4))
def test_the_fields_of_a_record_are_written_as_entities(tree: dict[str, object]) -> None:
    values = {key: value if isinstance(value, list) else [value] for key, value in tree.items()}
    entities = {
        key: [str(value) for value in several] for key, several in values.items() if several
    }
    assert read_again(write_bio(tree).text) == entities


@pytest.mark.parametrize(
    ("tree", "text", "remarks"),
    [
        ({}, "", []),
        ({"a": None, "b": "", "c": []}, "", []),
        ({"a": "New  York", "b": True, "c": 5}, "New B-a\nYork I-a\ntrue B-b\n5 B-c\n", []),
        ({"a b": "x"}, "x B-a_b\n", ["categories with white space (1)"]),
        ({"": "x"}, "x B-_\n", []),
        (
            {"items": [{"name": "Tea"}, {"name": "Jam", "items.sum": "3"}]},
            "Tea B-items.name\nJam B-items.name\n3 B-items.sum\n",
            ["groups whose rows are not kept apart (2)"],
        ),
        (
            {"a": {"value": "x", "confidence": 0.5}, "b": {"value": "y"}},
            "x B-a\ny B-b\n",
            ["confidences, pages and boxes (1)"],
        ),
        ({"a": {"any_of": ["x", "y", "z"]}}, "x B-a\n", ["alternatives (2)"]),
        ({"a": {"any_of": []}}, "", []),
        (TaggedText([Block("a", "x", ("y",))]), "x B-a\n", ["other readings of an entity (1)"]),
        ({"a": "x\ud800"}, "x? B-a\n", ["characters outside Unicode (1)"]),
    ],
)
def test_what_iob2_cannot_hold_is_reported(tree: object, text: str, remarks: list[str]) -> None:
    written = write_bio(tree)
    assert written.text == text
    assert [remark.message for remark in written.remarks] == remarks


def test_values_nested_too_deeply_are_counted() -> None:
    tree: dict[str, object] = {"a": "x"}
    for _ in range(100):
        tree = {"a": tree}
    messages = [remark.message for remark in write_bio(tree).remarks]
    assert "values nested too deeply (1)" in messages


@pytest.mark.parametrize(
    ("tree", "text", "blocks", "remarks"),
    [
        (
            {"vendor": "Acme Corp", "total": "5.00"},
            "From Acme\n Corp, total: 5.00 EUR.",
            [
                *(Block(None, "From"), Block("vendor", "Acme Corp"), Block(None, ", total:")),
                *(Block("total", "5.00"), Block(None, "EUR.")),
            ],
            [],
        ),
        # not inside a longer word or number, nor inside another value
        ({"a": "5"}, "15 55 5", [Block(None, "15 55"), Block("a", "5")], []),
        (
            {"a": "Acme", "b": "Acme Corp"},
            "Acme Corp Acme",
            [Block("b", "Acme Corp"), Block("a", "Acme")],
            [],
        ),
        ({"a": ["x", "x"]}, "x y x", [Block("a", "x"), Block(None, "y"), Block("a", "x")], []),
        (
            {"a": ["x", "x"]},
            "x y",
            [Block("a", "x"), Block(None, "y")],
            ["values that do not stand in the text (1)"],
        ),
        ({"a": "z"}, "x y", [Block(None, "x y")], ["values that do not stand in the text (1)"]),
    ],
)
def test_values_are_marked_where_they_stand_in_the_text(
    tree: object, text: str, blocks: list[Block], remarks: list[str]
) -> None:
    written = write_bio(tree, text)
    assert [*read_again(written.text).blocks] == blocks
    assert [remark.message for remark in written.remarks] == remarks


def test_documents_are_written_below_the_folder_whatever_their_ids(tmp_path: Path) -> None:
    ids = ["a", "b/c", "../up", "/root", ".hidden", "", "q?", "d."]
    records = [Record(name, {"x": "1"}, "here") for name in ids]
    nameless = Record(None, {"x": "1"}, "here")
    folder = tmp_path / "out"
    folder.mkdir()
    items = [*write_folder([*records, nameless, Record("z", None, "here")], folder)]
    assert len(items) == len(ids) + 1
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    read = [item for item in open_records(folder, format="bio").records if isinstance(item, Record)]
    assert {"a", "b/c"} <= {record.id for record in read}
    assert len(read) == len(ids) + 1
