"""The experiment of the reading-order paper: what shuffled entities do to each kind of readout."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from docassay.analysis.study.result import MOVES, STAYS, ShuffleStudy
from docassay.analysis.study.shuffle import shuffle_study
from docassay.cli import run
from docassay.model.document import Block, TaggedText

ERRORS = {"ner.cer", "ner.wer", "ner.ecer", "ner.ewer"}
SCORES = {"ner.nerval_precision", "ner.nerval_recall", "ner.nerval_f1", "ner.iehhr"}
FREE = ("oiecer", "oiewer", "oinerval_", "btwer", "bt_", "beer", "be_", "bwer", "bow_")
CATEGORIES = ("name", "place", "date")
DOCUMENTS = 100


def document(chance: Random) -> list[Block]:
    """Return four to nine entities with words outside between some of them."""
    words = ["".join(chance.choices("abcdeilmnorst", k=chance.randint(2, 7))) for _ in range(40)]
    blocks = []
    for _ in range(chance.randint(4, 9)):
        text = " ".join(chance.choices(words, k=chance.randint(1, 3)))
        blocks.append(Block(chance.choice(CATEGORIES), text))
        if chance.random() < 0.4:
            blocks.append(Block(None, chance.choice(words)))
    return blocks


def misread(blocks: list[Block], chance: Random) -> TaggedText:
    """Return the blocks with some letters, some categories and some entities wrong."""
    found = []
    for block in blocks:
        if chance.random() < 0.05:
            continue
        category, text = block.category, block.text
        if chance.random() < 0.3:
            text = f"x{text[1:]}"
        if category is not None and chance.random() < 0.1:
            category = chance.choice(CATEGORIES)
        found.append(Block(category, text))
    return TaggedText(found)


def write_bio(path: Path, tagged: TaggedText) -> None:
    """Write a word and its tag a line."""
    path.parent.mkdir(exist_ok=True)
    lines = (
        f"{word} O\n" if category is None else f"{word} {kind}-{category}\n"
        for word, kind, category in tagged.tokens
    )
    path.write_text("".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def study() -> ShuffleStudy:
    chance = Random(11)
    pages = {f"page {number}": document(chance) for number in range(DOCUMENTS)}
    gold = {id: TaggedText(blocks) for id, blocks in pages.items()}
    pred = {id: misread(blocks, chance) for id, blocks in pages.items()}
    return shuffle_study(gold, pred, repetitions=5)


def test_no_digit_of_what_ignores_order_changes(study: ShuffleStudy) -> None:
    free = [
        movement
        for movement in study.movements
        if movement.metric in ("entity", "kieval") or movement.readout.startswith(FREE)
    ]
    assert len(free) > 25
    assert {movement.word for movement in free if movement.before is not None} == {STAYS}


def test_counting_in_any_order_differs_from_reading_order_once_predictions_are_shuffled(
    study: ShuffleStudy,
) -> None:
    pairs = {(gap.free, gap.ordered) for gap in study.gaps}
    assert pairs == {
        *(("oiecer", "ecer"), ("oiewer", "ewer"), ("oinerval_f1", "nerval_f1")),
        *(("oinerval_precision", "nerval_precision"), ("oinerval_recall", "nerval_recall")),
    }
    assert len(study.gaps) == 2 * len(pairs)
    for gap in study.gaps:
        assert gap.difference == gap.free_value - gap.ordered_value
        assert gap.low is not None
        assert gap.high is not None
        assert gap.low <= gap.difference <= gap.high
        if gap.shuffled:
            assert gap.p is not None
            assert gap.p < 0.01
            assert (gap.low > 0) is gap.free.startswith("oinerval")
            assert gap.low * gap.high > 0
        else:
            assert gap.free_value == study[f"ner.{gap.free}"].before


def test_with_few_documents_nothing_is_said_about_chance() -> None:
    pages = {str(number): {"a": "x", "b": "y"} for number in range(4)}
    study = shuffle_study(pages, pages, metrics=["ner"], repetitions=1)
    assert {(gap.low, gap.high, gap.p) for gap in study.gaps} == {(None, None, None)}


@pytest.mark.parametrize("address", sorted(ERRORS | SCORES))
def test_what_minds_order_gets_worse(study: ShuffleStudy, address: str) -> None:
    one = study[address]
    assert one.word == MOVES
    assert one.change is not None
    assert one.change > 0.2 if address in ERRORS else one.change < -0.2


def test_every_readout_of_ner_is_of_one_kind_or_the_other(study: ShuffleStudy) -> None:
    moving = {one.address for one in study.movements if one.word == MOVES}
    assert moving == ERRORS | SCORES | {"fields.exact", "fields.order_aware_f1"}


def test_a_folder_of_bio_files_is_shuffled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = Random(3)
    for number in range(4):
        blocks = document(chance)
        write_bio(tmp_path / "gold" / f"{number}.bio", TaggedText(blocks))
        write_bio(tmp_path / "pred" / f"{number}.bio", misread(blocks, chance))
    folders = [str(tmp_path / "gold"), str(tmp_path / "pred")]
    formats = ["--gold-format", "bio", "--pred-format", "bio"]
    assert run(["study", "shuffle", *folders, *formats, "--metrics", "ner", "--seeds", "3"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("4 documents, 4 of them shuffled 3 times (seed 0): ")
    moving, _, still = told.out.partition("\ndoes not move ")
    assert "ner.ecer" in moving
    assert "ner.oiecer" in still
