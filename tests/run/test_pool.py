"""The pool: answers in order, workers that die, an end that leaves nothing behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from docassay.errors import DataError
from docassay.load.places import Scan, Stretch
from docassay.load.records import ID_KEYS, Way
from docassay.run.engines import pool as pools
from docassay.run.engines.pool import Pool
from docassay.run.tasks import ScanTask, described, encode_task, result_of

LINE = 20


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_bytes(b"".join(b'{"id": "%010d"}\n' % n for n in range(400)))
    return path


@pytest.fixture
def pool() -> Iterator[Pool]:
    with closing(Pool(2, described)) as own:
        yield own


def tasks(file: Path) -> list[bytes]:
    way = Way(ID_KEYS)
    starts = range(0, file.stat().st_size, 10 * LINE)
    return [
        encode_task(ScanTask(Stretch(str(file), start, start + 10 * LINE), way, with_ids=True))
        for start in starts
    ]


def ids(answers: list[bytes]) -> list[str]:
    scans = (msgspec.msgpack.decode(result_of(answer), type=Scan) for answer in answers)
    return [id for scan in scans for id in scan.ids or ()]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_answers_come_in_the_order_of_tasks(pool: Pool, file: Path) -> None:
    answers = [*pool.map(b"", tasks(file))]
    assert ids(answers) == [f"{n:010d}" for n in range(len(ids(answers)))]
    assert len(ids(answers)) == 400


def test_a_worker_that_dies_is_replaced_and_its_task_done_again(pool: Pool, file: Path) -> None:
    answers = []
    for number, answer in enumerate(pool.map(b"", tasks(file))):
        answers.append(answer)
        if number in (0, 3):
            for worker in pool.workers:
                if worker.pid is not None:
                    os.kill(worker.pid, signal.SIGKILL)
    assert len(ids(answers)) == 400


def test_only_some_tasks_are_begun_before_their_turn(pool: Pool, file: Path) -> None:
    begun = []
    answers = pool.map(b"", (begun.append(task) or task for task in tasks(file) * 4))
    next(answers)
    assert len(begun) <= pools.AHEAD * 2 + 1
    answers.close()


def test_a_task_that_no_worker_survives_is_an_error_that_names_its_documents(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "START", "import os; os._exit(3)")
    with closing(Pool(2, described)) as pool, pytest.raises(DataError) as failure:
        [*pool.map(b"", tasks(file))]
    assert "ended 3 times, the last one with code 3" in failure.value.what
    assert f"{file}, bytes" in failure.value.what


def test_nothing_is_left_running_when_answers_are_no_longer_wanted(pool: Pool, file: Path) -> None:
    answers = pool.map(b"", tasks(file) * 4)
    next(answers)
    pids = [worker.pid for worker in pool.workers if worker.pid is not None]
    answers.close()
    assert pids
    assert not any(map(is_running, pids))


def test_an_error_of_a_worker_is_raised_with_its_place(pool: Pool, tmp_path: Path) -> None:
    missing = Stretch(str(tmp_path / "missing.jsonl"), 0, 10)
    (answer,) = pool.map(b"", [encode_task(ScanTask(missing, Way(ID_KEYS)))])
    with pytest.raises(Exception, match=r"missing\.jsonl: there is no such file"):
        result_of(answer)
