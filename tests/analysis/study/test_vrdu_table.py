"""The benchmark table: means over seeds and tasks, deviations over seeds, and what is missing."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from docassay.analysis.splits.file import SplitName
from docassay.analysis.vrdu.result import FileScore
from docassay.analysis.vrdu.study import family_cells, task_cells


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
