"""The benchmark table: means over seeds and tasks, deviations over seeds, and what is missing."""

from __future__ import annotations

from statistics import mean, stdev

import pytest
from scipy import stats

from docassay.analysis.splits.file import SplitName
from docassay.analysis.vrdu.result import FileScore
from docassay.analysis.vrdu.study import family_cells, gaps, task_cells


def planned(*tasks: str, seeds: int = 3) -> list[SplitName]:
    return [SplitName("Toy", task, 10, 4, 0, seed) for task in tasks for seed in range(seeds)]


def file(task: str, seed: int, micro: float | None, *, model: str = "") -> FileScore:
    name = SplitName("Toy", task, 10, 4, 0, seed)
    return FileScore(
        "vrdu",
        model,
        "Toy",
        name.family,
        task,
        10,
        seed,
        4,
        0,
        0,
        0,
        micro,
        micro,
        micro,
        None,
        "f",
    )


MIXED = "lv2-mixed_template"
SINGLE = ("lv1-single_a", "lv1-single_b", "lv1-single_c")


def test_a_task_is_the_mean_over_its_seeds_with_their_sample_deviation() -> None:
    values = [0.5, 0.6, 0.8]
    (cell,) = family_cells([file(MIXED, n, v) for n, v in enumerate(values)], planned(MIXED))
    assert cell.scores["micro_f1"] == (pytest.approx(mean(values)), pytest.approx(stdev(values)))
    assert cell.coverage == "3 of 3 seeds"


@pytest.mark.parametrize(
    ("present", "said"), [(1, "1 of 3 seeds"), (2, "2 of 3 seeds"), (3, "3 of 3 seeds")]
)
def test_it_is_said_how_many_seeds_there_are(present: int, said: str) -> None:
    files = [file(MIXED, seed, 0.5) for seed in range(present)]
    (cell,) = family_cells(files, planned(MIXED))
    assert cell.coverage == said


def test_one_seed_has_no_deviation() -> None:
    (cell,) = family_cells([file(MIXED, 0, 0.5)], planned(MIXED))
    assert cell.scores["micro_f1"] == (0.5, None)


def test_a_column_of_several_tasks_is_the_mean_of_their_means() -> None:
    # the task with one seed counts as much as the one with three
    files = [file(SINGLE[0], seed, 0.2) for seed in range(3)] + [file(SINGLE[1], 0, 1.0)]
    (cell,) = family_cells(files, planned(*SINGLE))
    assert cell.scores["micro_f1"].mean == pytest.approx(0.6)
    assert cell.tasks == SINGLE[:2]
    assert cell.coverage == "2 of 3 tasks, 4 of 9 files"


def test_the_deviation_of_several_tasks_is_that_of_the_seeds_means_over_tasks() -> None:
    # what one task gains another loses, so the column does not depend on the seed
    files = [file(SINGLE[0], 0, 0.4), file(SINGLE[0], 1, 0.6)]
    files += [file(SINGLE[1], 0, 0.8), file(SINGLE[1], 1, 0.6), file(SINGLE[1], 2, 0.1)]
    (cell,) = family_cells(files, planned(*SINGLE))
    assert cell.seeds == (0, 1)
    assert cell.scores["micro_f1"].deviation == pytest.approx(0.0)


def test_undefined_scores_are_left_out_and_stay_undefined_alone() -> None:
    files = [file(MIXED, 0, None), file(MIXED, 1, 0.5)]
    (cell,) = family_cells(files, planned(MIXED))
    assert cell.scores["micro_f1"] == (0.5, None)
    assert cell.scores["hierarchical_f1"] == (None, None)


def test_tasks_have_cells_of_their_own() -> None:
    files = [file(SINGLE[0], 0, 0.2), file(SINGLE[1], 0, 1.0)]
    cells = task_cells(files, planned(*SINGLE))
    assert [(one.tasks, one.scores["micro_f1"].mean) for one in cells] == [
        ((SINGLE[0],), 0.2),
        ((SINGLE[1],), 1.0),
    ]


def test_families_stand_in_the_order_of_the_paper() -> None:
    tasks = ("unk_template", "mixed_template", "kno_template", "single_a", "other")
    cells = family_cells([file(task, 0, 0.5) for task in tasks], planned(*tasks))
    assert [one.family for one in cells] == ["STL", "MTL", "UTL", "KTL", "other"]


def test_models_are_kept_apart() -> None:
    files = [file(MIXED, 0, 0.2, model="a"), file(MIXED, 0, 0.8, model="b")]
    cells = family_cells(files, planned(MIXED))
    assert [(one.model, one.scores["micro_f1"].mean) for one in cells] == [("a", 0.2), ("b", 0.8)]


UNSEEN = "lv3-unk_a"


def sized(task: str, size: int, values: list[float], model: str = "m") -> list[FileScore]:
    """Return a file a seed, of a training size."""
    return [
        file(task, seed, value, model=model)._replace(train_size=size)
        for seed, value in enumerate(values)
    ]


def test_gaps_are_differences_of_means_with_an_interval_over_seeds() -> None:
    seen, unseen = [0.80, 0.84, 0.85], [0.60, 0.66, 0.75]
    files = [*sized(MIXED, 50, seen), *sized(UNSEEN, 50, unseen), *sized(MIXED, 10, [0.5])]
    names = [name._replace(train_size=size) for name in planned(MIXED, UNSEEN) for size in (10, 50)]
    found = {(gap.what, gap.where, gap.readout): gap for gap in gaps(family_cells(files, names))}
    templates = found["MTL - UTL", "train 50", "micro_f1"]
    test = stats.ttest_ind(seen, unseen, equal_var=False).confidence_interval(0.95)
    assert templates.difference == pytest.approx(mean(seen) - mean(unseen))
    assert (templates.low, templates.high) == pytest.approx((test.low, test.high))
    more = found["50 - 10", "MTL", "macro_f1"]
    assert more.difference == pytest.approx(mean(seen) - 0.5)
    assert (more.low, more.high) == (None, None), "one seed says nothing about seeds"
    # the hierarchical F1 is undefined, and there is nothing to compare at 10 for unseen templates
    assert len(found) == 2 * 3


def test_gaps_stay_within_a_model_a_data_set_and_neighbouring_sizes() -> None:
    files = [
        *sized(MIXED, 10, [0.1, 0.1]),
        *sized(MIXED, 50, [0.4, 0.4]),
        *sized(MIXED, 100, [0.9, 0.9]),
        *sized(UNSEEN, 10, [0.0, 0.0], model="other"),
    ]
    names = [
        name._replace(train_size=size) for name in planned(MIXED, UNSEEN) for size in (10, 50, 100)
    ]
    micro = [gap for gap in gaps(family_cells(files, names)) if gap.readout == "micro_f1"]
    assert [(gap.what, round(gap.difference, 9)) for gap in micro] == [
        ("50 - 10", 0.3),
        ("100 - 50", 0.5),
    ]
    assert [(gap.low, gap.high) for gap in micro] == [(gap.difference,) * 2 for gap in micro]
