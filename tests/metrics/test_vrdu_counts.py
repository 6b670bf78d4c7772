"""Every readout of `vrdu` on a small corpus, with what it was counted on, from counts by hand."""

from __future__ import annotations

import pytest

import docassay as da

SCHEMA = {
    "fields": {
        "who": {"type": "exact", "repeated": False},
        "staff": {"type": "exact", "repeated": True},
        "never": {"type": "exact", "repeated": False},
    },
    "groups": {"rows": {"fields": {"a": "exact", "b": "exact"}}},
}
GOLD = {
    "d": {"who": "x", "staff": ["p", "q"], "rows": [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]},
    "e": {"who": "y", "staff": ["r"]},
}
PRED = {
    "d": {"who": "x", "staff": ["q", "z"], "rows": [{"a": "1", "b": "4"}, {"a": "3", "b": "2"}]},
    "e": {"who": "n"},
}
COUNTS = {"who": (1, 1, 1), "staff": (1, 1, 2), "rows": (0, 2, 2)}


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def scores(prefix: str, counts: tuple[int, int, int]) -> dict[str, tuple[float, int]]:
    tp, fp, fn = counts
    return {
        f"{prefix}precision": (share(tp, tp + fp), tp + fp),
        f"{prefix}recall": (share(tp, tp + fn), tp + fn),
        f"{prefix}f1": (share(2 * tp, 2 * tp + fp + fn), tp + fn),
    }


def test_every_readout_follows_from_the_counts() -> None:
    report = da.score(GOLD, PRED, schema=SCHEMA, metrics=["vrdu"])
    whole = tuple(sum(counts[i] for counts in COUNTS.values()) for i in range(3))
    expected = {
        **scores("micro_", (whole[0], whole[1], whole[2])),
        **scores("unrepeated_", COUNTS["who"]),
        **scores("hierarchical_", COUNTS["rows"]),
    }
    by_name = {name: scores("", counts) for name, counts in COUNTS.items()}
    for name, found in by_name.items():
        expected |= {f"{readout}@{name}": value for readout, value in found.items()}
    for readout in ("precision", "recall", "f1"):
        mean = sum(found[readout][0] for found in by_name.values()) / 3
        expected[f"macro_{readout}"] = (mean, 3)
    # one of the four names of the schema occurs nowhere; regrouped, both rows would be right
    expected |= {"names_undefined": (1, 4), "grouping_loss": (1, 2), "grouping_loss@rows": (1, 2)}
    for address, (value, support) in expected.items():
        score = report[f"vrdu.{address}"]
        assert score.value == pytest.approx(value), address
        assert score.support == support, address


def test_without_a_loss_there_is_no_share_of_it() -> None:
    report = da.score(GOLD, GOLD, schema=SCHEMA, metrics=["vrdu"])
    assert report["vrdu.grouping_loss"].value is None
    assert report["vrdu.hierarchical_f1"].value == 1
    assert report["vrdu.micro_f1"].value == 1


@pytest.mark.parametrize(
    ("sure", "right"), [((0.9, 0.2), 1), ((0.2, 0.9), 0), ((None, 0.0), 0), ((None, None), 1)]
)
def test_of_several_values_of_an_unrepeated_name_the_surest_counts_and_then_the_first(
    sure: tuple[float | None, ...], right: int
) -> None:
    values = [
        text if level is None else {"value": text, "confidence": level}
        for text, level in zip(("x", "z"), sure, strict=True)
    ]
    report = da.score({"d": {"who": "x"}}, {"d": {"who": values}}, schema=SCHEMA, metrics=["vrdu"])
    assert report["vrdu.unrepeated_f1"].value == right
