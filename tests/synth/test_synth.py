"""Generated corpora: the same for the same seed, true to their own sums, honest about mistakes."""

from __future__ import annotations

import importlib.util
import itertools
import re
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.errors import ConfigurationError, FileError, UnknownName
from docassay.schema.source import check_schema, load_schema
from docassay.synth.corpus import Cause, Sample, generate, write_corpus
from docassay.synth.documents import KINDS
from docassay.synth.profiles import PROFILES
from docassay.synth.values import HARMLESS, NOT_FOUND
from docassay.values.similarity import similarity

ALL_CAUSES = HARMLESS | {
    "ocr", "missing", "invented", "digits_transposed", "factor_of_ten", "separator", "sign_lost",
    "truncated", "extra_text", "other_field", "day_month_swapped", "flag_flipped",
    "document_type", "row_dropped", "row_invented", "row_duplicated", "rows_merged", "row_split",
    "rows_reordered", "values_swapped",
}  # fmt: skip


@pytest.fixture(scope="module", params=PROFILES)
def sample(request: pytest.FixtureRequest) -> list[Sample]:
    return list(generate(1500, rows=None, seed=11, profile=request.param))


def test_the_same_seed_gives_the_same_corpus() -> None:
    assert list(generate(40, seed=3)) == list(generate(40, seed=3))


def test_another_seed_gives_another_corpus() -> None:
    pairs = zip(generate(20, seed=3), generate(20, seed=-3), strict=True)
    assert all(one.gold != other.gold for one, other in pairs)


@settings(max_examples=20, deadline=None)
@given(st.integers(), st.integers(0, 30), st.sampled_from([None, 1, 4]))
def test_a_small_corpus_is_the_beginning_of_a_large_one(
    seed: int, docs: int, rows: int | None
) -> None:
    large = itertools.islice(generate(1000, rows=rows, seed=seed), docs)
    assert list(generate(docs, rows=rows, seed=seed)) == list(large)


def test_all_models_read_the_same_documents() -> None:
    pairs = zip(generate(50, profile="careful"), generate(50, profile="hasty"), strict=True)
    assert all(one.gold == other.gold for one, other in pairs)


def test_confidences_do_not_change_the_values() -> None:
    pairs = zip(generate(200), generate(200, confidences=False), strict=True)
    assert all(one.causes == other.causes and bare(one.pred) == other.pred for one, other in pairs)


def test_a_corpus_is_pinned_across_versions() -> None:
    first = next(generate(1, rows=1, seed=7, kinds=("invoice",)))
    assert first.gold == PINNED


def test_documents_come_one_by_one_in_constant_memory() -> None:
    stream = generate(10**12, rows=8)
    tracemalloc.start()
    held = []
    for _ in range(3):
        assert sum(1 for _ in itertools.islice(stream, 300)) == 300
        held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert held[2] - held[1] < 20_000


@pytest.mark.parametrize("rows", [1, 2, 8, 150])
def test_a_number_of_rows_is_exact(rows: int) -> None:
    assert {len(rows_of(s.gold)) for s in generate(60, rows=rows)} == {rows}


def test_without_a_number_rows_spread_from_one_to_twelve() -> None:
    assert {len(rows_of(s.gold)) for s in generate(600, rows=None)} == set(range(1, 13))


def test_a_document_lists_no_item_twice() -> None:
    for s in generate(100, rows=30, kinds=("invoice", "receipt")):
        names = [row["description"] for row in rows_of(s.gold)]
        assert len(set(names)) == len(names)


def test_line_totals_are_quantity_times_price_and_add_up_to_the_total() -> None:
    for s in generate(400, rows=None, kinds=("invoice", "receipt")):
        rows = rows_of(s.gold)
        for row in rows:
            assert cents(row["total"]) == float(row["quantity"]) * cents(row["price"])
        assert sum(cents(row["total"]) for row in rows) == cents(s.gold["TOTAL_AMOUNT"]) > 0


def test_tax_is_an_eleventh_of_the_total_where_it_is_included() -> None:
    for s in generate(400, kinds=("invoice", "receipt")):
        assert s.gold["IS_GST_INCLUDED"] == str("GST_AMOUNT" in s.gold)
        if "GST_AMOUNT" in s.gold:
            assert abs(11 * cents(s.gold["GST_AMOUNT"]) - cents(s.gold["TOTAL_AMOUNT"])) <= 5.5


def test_business_numbers_pass_their_check() -> None:
    weights = (10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)
    seen = 0
    for s in generate(300, kinds=("invoice", "receipt")):
        if "BUSINESS_ABN" not in s.gold:
            continue
        digits = [int(d) for d in str(s.gold["BUSINESS_ABN"]) if d != " "]
        digits[0] -= 1
        assert sum(w * d for w, d in zip(weights, digits, strict=True)) % 89 == 0
        seen += 1
    assert seen > 200


def test_balances_run_and_dates_rise_within_the_period() -> None:
    for s in generate(300, rows=None, kinds=("bank_statement",)):
        rows = rows_of(s.gold)
        start, end = (iso(part) for part in str(s.gold["STATEMENT_DATE_RANGE"]).split(" to "))
        dates = [start, *(iso(row["date"]) for row in rows), end]
        assert dates == sorted(dates)
        for before, row in itertools.pairwise(rows):
            change = cents(row.get("amount_received", "$0")) - cents(row.get("amount_paid", "$0"))
            assert cents(row["balance"]) == cents(before["balance"]) + change
        assert all(("amount_paid" in row) != ("amount_received" in row) for row in rows)


def test_every_cause_occurs(sample: list[Sample]) -> None:
    assert {cause.cause for s in sample for cause in s.causes} == ALL_CAUSES


def test_every_cause_is_true(sample: list[Sample]) -> None:
    for s in sample:
        pred = bare(s.pred)
        for cause in s.causes:
            assert cause.gold != cause.pred, cause
            if cause.gold is not None:
                assert at(s.gold, cause.path) == cause.gold, cause
            if cause.pred_path is not None:
                assert present(at(pred, cause.pred_path)) == cause.pred, cause
            assert (cause.pred is None) == (cause.pred_path is None), cause


def test_every_difference_has_one_cause(sample: list[Sample]) -> None:
    for s in sample:
        found = [cause.pred_path for cause in s.causes if cause.cause != "rows_merged"]
        repeated = [path for path, n in Counter(found).items() if path is not None and n > 1]
        assert repeated == [], s.id


def test_a_prediction_without_causes_is_perfect(sample: list[Sample]) -> None:
    unharmed = [s for s in sample if not s.causes]
    assert len(unharmed) > 50
    assert all(present(bare(s.pred)) == s.gold for s in unharmed)


def test_a_new_format_means_the_same(sample: list[Sample]) -> None:
    for type_, cause in typed(sample):
        if cause.cause in HARMLESS:
            assert alike(cause, type_) == 1.0, cause


@pytest.mark.parametrize("type_", ["money", "quantity", "id", "name", "address", "boolean"])
def test_a_mistake_means_something_else(sample: list[Sample], type_: str) -> None:
    for found, cause in typed(sample):
        if found == type_ and cause.cause not in HARMLESS:
            assert alike(cause, type_) < 1.0, cause


def test_wrong_values_have_lower_confidence_on_average(sample: list[Sample]) -> None:
    right, wrong = confidences(sample)
    assert mean(wrong) < mean(right) - 0.1


@pytest.mark.parametrize(
    ("profile", "low", "high"),
    [pytest.param("careful", -0.01, 0.01, id="calibrated"),
     pytest.param("hasty", 0.03, 0.15, id="over-confident")],
)  # fmt: skip
def test_a_model_is_as_sure_of_itself_as_its_profile_says(
    profile: str, low: float, high: float
) -> None:
    right, wrong = confidences(list(generate(1500, rows=None, seed=2, profile=profile)))
    accuracy = len(right) / (len(right) + len(wrong))
    assert low < mean([*right, *wrong]) - accuracy < high


def test_hard_documents_are_hard_for_every_model() -> None:
    counts = [
        [sum(c.cause not in HARMLESS for c in s.causes) for s in generate(1500, profile=name)]
        for name in PROFILES
    ]
    clean, broken = [], []
    for careful, hasty in zip(*counts, strict=True):
        (broken if careful else clean).append(hasty)
    assert mean(broken) > 1.5 * mean(clean)


def test_a_corpus_on_disk_holds_what_the_stream_holds(tmp_path: Path) -> None:
    done: list[int] = []
    paths = write_corpus(tmp_path / "new" / "c", docs=120, rows=3, seed=5, progress=done.append)
    names = ["gold.jsonl", "careful.jsonl", "hasty.jsonl", "causes.jsonl", "schema.yaml"]
    assert [path.name for path in paths] == names
    assert done == [100, 120]
    labels = lines(paths[3])
    for name, path in zip(("careful", "hasty"), paths[1:3], strict=True):
        samples = list(generate(120, rows=3, seed=5, profile=name))
        assert lines(paths[0]) == [{"id": s.id, "fields": s.gold} for s in samples]
        assert lines(path) == [{"id": s.id, "fields": s.pred} for s in samples]
        assert [label for label in labels if label["model"] == name] == [
            {"id": s.id, "model": name, **cause._asdict()} for s in samples for cause in s.causes
        ]


def test_the_schema_of_a_corpus_has_every_field_with_its_type(tmp_path: Path) -> None:
    path = write_corpus(tmp_path, docs=1)[-1]
    assert check_schema(path) == []
    schema = load_schema(path)
    assert {t.name for t in schema.types} == set(KINDS)
    declared = {field.path: field.type for field in schema.fields}
    for group in schema.groups:
        declared |= {field.path: field.type for field in group.fields}
    for kind in KINDS.values():
        columns = {f"{kind.group}.{name}": type_ for name, type_ in kind.columns.items()}
        for field, type_ in {**kind.fields, **columns}.items():
            assert declared[field] == ("choice" if type_ == "document_type" else type_)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        pytest.param({"docs": -1}, ConfigurationError, id="a negative number of documents"),
        pytest.param({"rows": 0}, ConfigurationError, id="no rows"),
        pytest.param({"kinds": ()}, ConfigurationError, id="no kind"),
        pytest.param({"kinds": ("invoce",)}, UnknownName, id="an unknown kind"),
        pytest.param({"models": ("hurried",)}, UnknownName, id="an unknown model"),
        pytest.param({"models": ("hasty", "hasty")}, ConfigurationError, id="a model twice"),
    ],
)
def test_what_cannot_be_generated_is_refused_before_a_file_is_written(
    tmp_path: Path, options: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        write_corpus(tmp_path / "c", **{"docs": 1, **options})
    assert not (tmp_path / "c").exists()


def test_generate_refuses_at_once_not_at_the_first_document() -> None:
    with pytest.raises(UnknownName, match="did you mean 'careful'"):
        generate(1, profile="carefull")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(FileError, match="taken"):
        write_corpus(tmp_path / "taken", docs=1)


@pytest.mark.parametrize("name", ["by_cdist", "by_prematch", "by_equality"])
def test_a_floor_finds_nothing_closer_to_gold_than_gold(name: str) -> None:
    floor = getattr(floors(), name)
    for s in generate(60, rows=None, profile="hasty"):
        assert floor(s.gold, s.gold) >= floor(s.gold, s.pred) - 1e-4
        assert floor(s.gold, s.pred) == floor(s.gold, bare(s.pred))


def test_looking_up_equal_rows_first_never_finds_a_better_pairing() -> None:
    module = floors()
    for s in generate(200, rows=6):
        found = module.by_prematch(s.gold, s.pred)
        assert found <= module.by_cdist(s.gold, s.pred) + 1e-3
        assert module.by_prematch(s.gold, s.gold) == pytest.approx(module.by_cdist(s.gold, s.gold))


def test_a_floor_reads_corpora_and_plain_lines(tmp_path: Path) -> None:
    module = floors()
    gold, pred = write_corpus(tmp_path, docs=30, rows=2)[:2]
    row = {"description": "Desk lamp", "quantity": 2, "unit_price": 1.5, "amount": 3.0}
    plain = tmp_path / "plain.jsonl"
    plain.write_bytes(msgspec.json.encode({"total": 3.0, "line_items": [row]}) + b"\n")
    assert module.rate(gold, pred, module.by_cdist) > 0
    assert module.rate(plain, plain, module.by_prematch) > 0


PINNED = {
    "DOCUMENT_TYPE": "TAX INVOICE",
    "BUSINESS_ABN": "33 119 670 048",
    "SUPPLIER_NAME": "Tin Kettle Timber & Fixings",
    "BUSINESS_ADDRESS": "170 Cascade Parade, Ballarat VIC 3350",
    "PAYER_NAME": "Kirra Holloway",
    "PAYER_ADDRESS": "140 Garden Crescent, Cairns QLD 4870",
    "INVOICE_DATE": "25/09/2023",
    "IS_GST_INCLUDED": "True",
    "GST_AMOUNT": "$0.55",
    "TOTAL_AMOUNT": "$6.00",
    "line_items": [
        {
            "description": "Hex bolt zinc 50 mm",
            "quantity": "1",
            "price": "$6.00",
            "total": "$6.00",
        }
    ],
}


def floors() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "floor.py"
    spec = importlib.util.spec_from_file_location("floor", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows_of(tree: dict[str, object]) -> list[dict[str, str]]:
    return next(value for value in tree.values() if isinstance(value, list))


def cents(text: object) -> int:
    return round(100 * float(str(text).replace("$", "").replace(",", "")))


def iso(text: str) -> str:
    return "-".join(reversed(text.split("/")))


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def bare(tree: object) -> object:
    """Return a tree without its confidences."""
    if isinstance(tree, list):
        return [bare(item) for item in tree]
    if isinstance(tree, dict):
        return tree["value"] if "confidence" in tree else {k: bare(v) for k, v in tree.items()}
    return tree


def present(tree: object) -> object:
    """Return a bare tree without what is null or not found."""
    if isinstance(tree, list):
        return [present(item) for item in tree]
    if isinstance(tree, dict):
        return {k: present(v) for k, v in tree.items() if v not in (None, NOT_FOUND)}
    return tree


def at(tree: object, path: str) -> object:
    for step in re.findall(r"\w+", path):
        tree = tree[int(step)] if isinstance(tree, list) else tree[step]
    return tree


def typed(samples: list[Sample]) -> Iterator[tuple[str, Cause]]:
    """Yield the causes that changed one value into another, with the type of their field."""
    for s in samples:
        kind = KINDS[s.id.rpartition("_")[0]]
        for cause in s.causes:
            if isinstance(cause.gold, str) and isinstance(cause.pred, str):
                field = cause.path.rpartition(".")[2]
                yield {**kind.fields, **kind.columns}[field], cause


def alike(cause: Cause, type_: str) -> float:
    options = {"currency": "AUD"} if type_ == "money" else {}
    type_ = "text" if type_ == "document_type" else type_
    return similarity(cause.gold, cause.pred, type=type_, **options).value


def confidences(samples: list[Sample]) -> tuple[list[float], list[float]]:
    """Return the confidences of right and of wrong values."""
    right: list[float] = []
    wrong: list[float] = []
    for s in samples:
        marred = {cause.pred_path for cause in s.causes if cause.cause not in HARMLESS}
        for path, leaf in leaves(s.pred):
            if present([leaf["value"]]) != [None] and leaf["value"] != NOT_FOUND:
                spoilt = path in marred or path.partition(".")[0] in marred
                (wrong if spoilt else right).append(leaf["confidence"])
    return right, wrong


def leaves(tree: dict[str, object]) -> Iterator[tuple[str, dict]]:
    for field, value in tree.items():
        if not isinstance(value, list):
            yield field, value
            continue
        for number, row in enumerate(value):
            for column, leaf in row.items():
                yield f"{field}[{number}].{column}", leaf


def lines(path: Path) -> list[dict]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
