"""The answers of released tools, and unrounded ones, on small corpora of BIO files.

Every number that ie-eval 0.2.0 prints differently is listed here with the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import docassay as da
from docassay.model.report import Report

VECTORS = Path(__file__).resolve().parents[4] / "shared" / "vectors" / "ner.json"
SUFFIXES = {"0": "_at_0", "0.0": "_at_0", "0.3": "", "1.0": "_at_100"}
BAGS = {"bow": ("bwer", "bow"), "botw": ("btwer", "bt"), "boe": ("beer", "be")}

Case = dict  # as decoded; the keys are those of the file


@cache
def vectors() -> dict[str, list[Case]]:
    return json.loads(VECTORS.read_text(encoding="utf-8"))


def names(group: str) -> list[str]:
    return [case["name"] for case in vectors()[group]] if VECTORS.exists() else ["(none)"]


def find(name: str) -> Case:
    if not VECTORS.exists():
        pytest.skip("the released tools' answers are not beside the project")
    return next(
        case for group in ("corpora", "table7") for case in vectors()[group] if case["name"] == name
    )


@cache
def score(name: str) -> Report:
    with TemporaryDirectory() as place:
        for side in ("label", "prediction"):
            Path(place, side).mkdir()
            for document in find(name)["documents"]:
                path = Path(place, side, document["file"])
                path.write_text(document[side], encoding="utf-8", newline="")
        return da.score(
            Path(place, "label"),
            Path(place, "prediction"),
            gold_format="bio",
            pred_format="bio",
            metrics=["ner"],
            settings={"ner.thresholds": "0,1"},
        )


def matched(report: Report, part: str, suffix: str, key: str) -> tuple[int, int, int]:
    """Matching, pred and gold entities, from the scores alone."""
    at = f"@{key}" if key else ""
    precision = report[f"ner.{part}_precision{suffix}{at}"]
    recall = report[f"ner.{part}_recall{suffix}{at}"]
    found = {round(one.value * one.support) for one in (precision, recall) if one.value is not None}
    assert len(found) <= 1
    return (found.pop() if found else 0, precision.support, recall.support)


ALL = [*names("corpora"), *names("table7")]
CASES = pytest.mark.parametrize("name", ALL)


@CASES
def test_rates_equal_the_unrounded_ones(name: str) -> None:
    own, report = find(name)["own"], score(name)
    expected = {
        "ecer": own["paper_ECER"],
        "ewer": own["paper_EWER"],
        "oiecer": own["OIECER"],
        "oiewer": own["OIEWER"],
        "cer": own["standard_CER"]["rate"],
        "wer": own["standard_WER"]["rate"],
    }
    for category, row in own["OI_by_category"].items():
        expected[f"oiecer@{category}"] = row["OIECER"]
        expected[f"oiewer@{category}"] = row["OIEWER"]
    for address, percent in expected.items():
        value = report[f"ner.{address}"].value
        if percent is None:
            assert value is None, address
        else:
            assert value == pytest.approx(percent / 100, abs=1e-8), address


@CASES
def test_order_free_matches_equal_the_counts(name: str) -> None:
    own, report = find(name)["own"], score(name)
    for threshold in ("0", "0.3", "1.0"):
        rows = {"": own, **own["OI_by_category"]}
        for key, row in rows.items():
            count = row[f"OINerval_{threshold}"]
            found = matched(report, "oinerval", SUFFIXES[threshold], key)
            tp, fp, fn = count["tp"], count["fp"], count["fn"]
            assert found == (tp, tp + fp, tp + fn)


@CASES
def test_bags_equal_the_counts(name: str) -> None:
    own, report = find(name)["own"], score(name)
    for bag, (rate, part) in BAGS.items():
        count = own["bags"][bag]
        tp, fp, fn = count["tp"], count["fp"], count["fn"]
        assert matched(report, part, "", "") == (tp, tp + fp, tp + fn)
        found = report[f"ner.{rate}"]
        if tp + fn:
            assert found.value == pytest.approx(count["bag_errors"] / (tp + fn))
        else:
            assert found.value is None


@CASES
def test_nerval_equals_the_native_counts_of_teklia_nerval(name: str) -> None:
    native, report = find(name)["teklia_nerval_0_3_3_native"], score(name)
    for threshold, rows in native.items():
        if "error" in rows:
            assert "refuses an empty document" in rows["error"]
            continue
        for category, row in rows.items():
            key = "" if category == "ALL" else category
            found = matched(report, "nerval", SUFFIXES[threshold], key)
            assert found == (row["matched"], row["predicted"] or 0, row["support"] or 0), category


def printed_numbers(name: str) -> Iterator[tuple[str, str, float]]:
    """Yield table, readout and the printed percentage of all that ie-eval prints."""
    tables = find(name)["ie_eval_0_2_0"]
    for bag, (rate, part) in BAGS.items():
        columns = {"bWER (%)": rate, **scores(part, "")}
        yield from totals(bag, tables[bag], columns)
    yield from totals("cer", tables["cer"], {"ECER (%)": "cer", "EWER (%)": "wer"})
    free = tables["oiecer_oiewer"]
    yield from totals("oiecer", free, {"ECER (%)": "oiecer", "EWER (%)": "oiewer"})
    for key, rows in tables["nerval_order_dependent"].items():
        suffix = SUFFIXES.get(key.removeprefix("threshold_passed_"))
        if suffix is not None:
            yield from totals("nerval", rows, scores("nerval", suffix))
    for key, rows in tables["oinerval"].items():
        percent = float(key.rpartition("_")[2])
        suffix = {0.0: "_at_0", 30.0: "", 100.0: "_at_100"}[percent]
        yield from totals("oinerval", rows, scores("oinerval", suffix))


def scores(part: str, suffix: str) -> dict[str, str]:
    columns = ("Precision", "Recall", "F1")
    return {f"{column} (%)": f"{part}_{column.lower()}{suffix}" for column in columns}


def totals(table: str, rows: object, columns: dict[str, str]) -> Iterator[tuple[str, str, float]]:
    if not isinstance(rows, list):
        yield from ((table, readout, float("nan")) for readout in columns.values())
        return
    known = {row["Category"]: row for row in rows}
    for category in sorted({"total", *known}):
        key = "" if category == "total" else f"@{category}"
        for column, readout in columns.items():
            row = known.get(category)
            yield table, readout + key, float("nan") if row is None else float(row[column])


def differences(name: str) -> dict[str, tuple[float | None, float]]:
    """Return the readouts that are printed as something else, with ours and theirs."""
    report = score(name)
    found = {}
    for _, readout, printed in printed_numbers(name):
        value = report[f"ner.{readout}"].value
        # two decimals, of which the last may be rounded either way
        if value is None or not abs(value * 100 - printed) < 0.0051:
            found[readout] = (value, printed)
    return found


RATE = re.compile(r"(cer|wer|oiecer|oiewer|bwer|btwer|beer)(@.*)?")
TEXT = re.compile(r"(cer|wer)(@.*)?")
NERVAL = re.compile(r"nerval_.*")
BAG = re.compile(r"(bwer|btwer|beer|(bow|bt|be)_(precision|f1))@.*")

NOTHING = "a score of nothing is printed as 100 or nan, or crashes; ours is undefined"
CAPPED = "error rates are cut off at 100 in print; ours are not"
LONGER = "text errors are divided by the longer of both texts; ours by gold, as in the paper"
HYPHENS = "hyphens are deleted from entities before they are compared; ours stay"
TOTAL = "a category named total is added to the overall row once more"
UNCHARGED = "a category is not charged for what is predicted in documents whose gold has none of it"


def explains(reason: str, readout: str, value: float | None, printed: float) -> bool:
    """Whether a reason accounts for a number that is printed otherwise."""
    if value is None:
        return reason == NOTHING and (printed == 100 or printed != printed)
    better = printed < value * 100 if RATE.fullmatch(readout) else printed > value * 100
    return {
        NOTHING: False,
        CAPPED: RATE.fullmatch(readout) is not None and value > 1 and printed == 100,
        LONGER: TEXT.fullmatch(readout) is not None and better,
        HYPHENS: NERVAL.fullmatch(readout) is not None,
        TOTAL: "@" not in readout,
        UNCHARGED: BAG.fullmatch(readout) is not None and better,
    }[reason]


DIFFERENT = {
    "nfc_vs_nfd": {LONGER},
    "punctuation": {LONGER},
    "empty_doc_both": {NOTHING},
    "all_outside": {NOTHING},
    "no_prediction_entity": {NOTHING},
    "tag_errors_only": {NOTHING},
    "extra_category": {NOTHING, LONGER},
    "split_entity": {CAPPED},
    "hyphen_only_entity": {HYPHENS},
    "category_total": {TOTAL},
    "all_different": {NOTHING, CAPPED, LONGER},
    "random_2": {LONGER},
    "random_4": {CAPPED, LONGER, UNCHARGED},
    "random_6": {LONGER, UNCHARGED},
    "random_8": {LONGER},
    "case3": {NOTHING},
    "case4": {LONGER, HYPHENS},
    "case5": {CAPPED, LONGER},
}


@CASES
def test_what_ie_eval_prints_otherwise_has_a_reason(name: str) -> None:
    found = differences(name)
    reasons = DIFFERENT.get(name, set())
    for readout, (value, printed) in found.items():
        assert any(explains(one, readout, value, printed) for one in reasons), readout
    for reason in reasons:
        assert any(explains(reason, readout, *pair) for readout, pair in found.items()), reason


TABLE_7 = {
    "case1": ("0.00", "0.00", "0.00", "0.00", "100.00", "100.00", "0.00", "100.00", "0.00"),
    "case2": ("10.32", "10.32", "12.96", "12.96", "83.33", "83.33", "38.89", "75.86", "16.67"),
    "case3": ("16.67", "16.67", "16.67", "16.67", "90.91", "90.91", "5.56", "97.14", "16.67"),
    "case4": ("8.13", "8.13", "29.63", "29.63", "83.33", "83.33", "33.33", "70.27", "50.00"),
    "case5": ("33.33", "30.69", "33.33", "33.33", "66.67", "66.67", "66.67", "33.33", "33.33"),
}
COLUMNS = "ecer oiecer ewer oiewer nerval_f1 oinerval_f1 btwer bt_f1 beer"


@pytest.mark.parametrize("name", TABLE_7)
def test_the_five_cases_of_the_papers_table_7(name: str) -> None:
    report = score(name)
    values = [report[f"ner.{readout}"].value for readout in COLUMNS.split()]
    assert tuple(f"{value * 100:.2f}" for value in values if value is not None) == TABLE_7[name]
