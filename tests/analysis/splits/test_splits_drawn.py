"""Which documents splits draw: each as likely as the other, and for a seed always the same."""

from __future__ import annotations

from collections import Counter

import pytest

from docassay.analysis.draw import between, pick, shuffled, stream
from docassay.analysis.splits.make import make_splits
from docassay.errors import ConfigurationError, DataError

FEW = {**{f"a{i}": "common" for i in range(9)}, "z": "rare"}


def test_every_document_is_as_likely_to_be_tested_whatever_its_template() -> None:
    taken: Counter[str] = Counter()
    for seed in range(400):
        split = make_splits(
            FEW, dataset="Toy", tasks=["mixed"], sizes=[1], test=2, valid=1, seeds=[0], seed=seed
        )[0]
        taken.update(split.test)
    # two of ten documents, 400 times: 80 each, and hardly ever fewer than 50 or more than 110
    assert set(taken) == set(FEW)
    assert all(50 < count < 110 for count in taken.values()), taken


def test_the_documents_of_a_seed_never_change() -> None:
    made = make_splits(
        FEW, dataset="Toy", tasks=["mixed"], sizes=[2, 3], test=2, valid=1, seeds=[0, 5], seed=7
    )
    drawn = {str(one.name): (one.train, one.valid, one.test) for one in made}
    assert drawn == DRAWN


DRAWN = {
    "Toy-lv2-mixed_template-train_2-test_2-valid_1-SD_0": (("a2", "a4"), ("a0",), ("z", "a7")),
    "Toy-lv2-mixed_template-train_2-test_2-valid_1-SD_5": (("a6", "a8"), ("a0",), ("z", "a7")),
    "Toy-lv2-mixed_template-train_3-test_2-valid_1-SD_0": (
        ("a2", "a8", "a6"),
        ("a0",),
        ("z", "a7"),
    ),
    "Toy-lv2-mixed_template-train_3-test_2-valid_1-SD_5": (
        ("a4", "a2", "a5"),
        ("a0",),
        ("z", "a7"),
    ),
}


def test_templates_keep_their_shares_in_every_beginning() -> None:
    documents = {
        f"{kind}{i:02d}": kind
        for kind, count in (("a", 60), ("b", 30), ("c", 10))
        for i in range(count)
    }
    for seed in range(10):
        split = make_splits(
            documents,
            dataset="Toy",
            tasks=["mixed"],
            sizes=[20],
            test=20,
            valid=10,
            seeds=[0],
            seed=seed,
        )[0]
        for part in (split.test, split.valid, split.train):
            shares = Counter(documents[id] for id in part)
            for kind, share in (("a", 0.6), ("b", 0.3), ("c", 0.1)):
                assert abs(shares[kind] - share * len(part)) < 2


@pytest.mark.parametrize(
    ("test", "valid", "size", "enough"),
    [(4, 2, 4, True), (5, 2, 4, False), (4, 3, 4, False), (4, 2, 5, False)],
)
def test_a_task_takes_all_documents_but_not_one_more(
    test: int, valid: int, size: int, enough: bool
) -> None:
    options = {"dataset": "Toy", "tasks": ["mixed"], "seeds": [0]}
    if enough:
        split = make_splits(FEW, test=test, valid=valid, sizes=[size], **options)[0]
        assert {*split.test, *split.valid, *split.train} == set(FEW)
        return
    with pytest.raises(DataError, match=f"needs {test + valid + size} documents"):
        make_splits(FEW, test=test, valid=valid, sizes=[size], **options)


def test_an_unseen_template_is_tested_and_never_trained_on() -> None:
    documents = {f"{kind}{i}": kind for kind in "ab" for i in range(5)}
    options = {"dataset": "Toy", "tasks": ["unseen"], "seeds": [0], "only": ["a"]}
    split = make_splits(documents, test=5, valid=2, sizes=[3], **options)[0]
    assert set(split.test) == {f"a{i}" for i in range(5)}
    assert {*split.train, *split.valid} == {f"b{i}" for i in range(5)}
    with pytest.raises(DataError, match="for testing"):
        make_splits(documents, test=6, valid=2, sizes=[3], **options)
    with pytest.raises(DataError, match="for training"):
        make_splits(documents, test=5, valid=2, sizes=[4], **options)


def test_whole_templates_are_held_out_until_there_are_enough() -> None:
    documents = {f"{kind}{i}": kind for kind in "abcd" for i in range(3)}
    options = {"dataset": "Toy", "tasks": ["held-out"], "seeds": [0]}
    for test, templates in ((3, 1), (4, 2), (6, 2)):
        split = make_splits(documents, test=test, valid=1, sizes=[2], **options)[0]
        held = {documents[id] for id in split.test}
        assert len(split.test) == test
        assert len(held) == templates
        assert not held & {documents[id] for id in (*split.train, *split.valid)}


@pytest.mark.parametrize(
    "changed", [{"test": 0}, {"valid": -1}, {"sizes": [0]}, {"seeds": [-1]}, {"sizes": []}]
)
def test_sizes_below_the_least_are_refused(changed: dict[str, object]) -> None:
    options: dict[str, object] = {"test": 1, "valid": 0, "sizes": [1], "seeds": [0]}
    assert make_splits(FEW, dataset="Toy", tasks=["mixed"], **options)
    with pytest.raises(ConfigurationError):
        make_splits(FEW, dataset="Toy", tasks=["mixed"], **{**options, **changed})


def test_draws_reach_both_ends_and_nothing_beyond() -> None:
    low, high = (lambda: 0.0), (lambda: 1 - 2**-53)
    assert [pick(draw, "abc") for draw in (low, high)] == ["a", "c"]
    assert [between(draw, 3, 5) for draw in (low, high)] == [3, 5]
    assert shuffled(high, [1, 2, 3]) == [1, 2, 3]
    assert shuffled(low, [1, 2, 3]) == [2, 3, 1]


def test_a_stream_depends_on_seed_place_and_label_alone() -> None:
    first = stream(3, 2, "x")()
    assert first == stream(3, 2, "x")()
    assert first == stream(3 + 2**64, 2, "x")()
    assert len({first, stream(4, 2, "x")(), stream(3, 1, "x")(), stream(3, 2, "y")()}) == 4
    assert stream(0, 1)() == 0.11299430095636409


def test_every_order_is_as_likely_as_the_other() -> None:
    draw = stream(0, 0)
    orders = Counter("".join(shuffled(draw, "abc")) for _ in range(1200))
    assert len(orders) == 6
    assert all(150 < count < 250 for count in orders.values())
