"""The pool: worker processes on this machine, each replaced when it dies.

A thread a worker hands it tasks and takes its answers; answers come out in the order of tasks, and
only so many tasks are begun before their turn that memory stays flat. What a worker was doing when
it died is done again by its successor, a few times at most.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from threading import Condition, Thread
from typing import BinaryIO, cast

from docassay.errors import DataError
from docassay.run.engines.worker import JOB, TASK, receive, send

AHEAD = 4
"""Tasks a worker that may be begun before their turn."""
TRIES = 3
START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from docassay.run.engines.worker import main; main()"
)


class WorkerProcess:
    """A process that answers tasks, started when it is first asked."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._job: bytes | None = None

    @property
    def pid(self) -> int | None:
        """The number of the process, None while there is none."""
        return None if self._process is None else self._process.pid

    def ask(self, job: bytes, task: bytes) -> bytes:
        """Return the answer to a task; a process that is gone is an EOFError."""
        if self._process is None:
            command = [sys.executable, "-c", START, json.dumps(sys.path)]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._job = None
        questions = cast(BinaryIO, self._process.stdin)
        try:
            if self._job is not job:
                send(questions, JOB, job)
                self._job = job
            send(questions, TASK, task)
        except OSError:
            raise EOFError from None
        return receive(cast(BinaryIO, self._process.stdout))[1]

    def end(self) -> int | None:
        """End the process, if there is one, and return how it ended."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        code = process.wait()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                cast(BinaryIO, stream).close()
        return code


class Pool:
    """Worker processes that run tasks."""

    def __init__(self, workers: int, describe: Callable[[bytes], str]) -> None:
        self.workers = [WorkerProcess() for _ in range(workers)]
        self._describe = describe

    def map(self, job: bytes, tasks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the answers to tasks, in their order."""
        round_ = Round(job, iter(tasks), AHEAD * len(self.workers))
        threads = [
            Thread(target=self._work, args=(worker, round_), daemon=True) for worker in self.workers
        ]
        for thread in threads:
            thread.start()
        try:
            yield from round_.answers()
        finally:
            finished = round_.stop()
            if not finished:
                self.close()  # what is still being worked on is of no use
            for thread in threads:
                thread.join()
            if not finished:
                self.close()  # a thread may have started another one

    def _work(self, worker: WorkerProcess, round_: Round) -> None:
        try:
            while (turn := round_.next_task()) is not None:
                number, task = turn
                round_.put(number, self._answer(worker, round_, task))
        except BaseException as error:  # raised where the answers are taken
            round_.fail(error)

    def _answer(self, worker: WorkerProcess, round_: Round, task: bytes) -> bytes:
        code: int | None = None
        for _ in range(TRIES):
            try:
                return worker.ask(round_.job, task)
            except EOFError:
                code = worker.end()
            if round_.stopped:
                return b""
        ended = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
        raise DataError(
            f"worker processes ended {TRIES} times, the last one {ended}, while scoring "
            f"{self._describe(task)}",
            hint="is there enough memory? --workers 1 shows what happens to the documents",
        )

    def close(self) -> None:
        """End all processes."""
        for worker in self.workers:
            worker.end()


class Round:
    """Tasks that are being worked on, and their answers until it is their turn."""

    def __init__(self, job: bytes, tasks: Iterator[bytes], ahead: int) -> None:
        self.job = job
        self.stopped = False
        self._tasks = tasks
        self._ahead = ahead
        self._changed = Condition()
        self._begun = 0
        self._taken = 0
        self._given_out = False
        self._answers: dict[int, bytes] = {}
        self._error: BaseException | None = None

    def next_task(self) -> tuple[int, bytes] | None:
        """Return a task with its number, None when there is no more to do."""
        with self._changed:
            self._changed.wait_for(
                lambda: self.stopped or self._given_out or self._begun - self._taken < self._ahead
            )
            task = None if self.stopped or self._given_out else next(self._tasks, None)
            if task is None:
                self._given_out = True
                self._changed.notify_all()
                return None
            self._begun += 1
            return self._begun - 1, task

    def put(self, number: int, answer: bytes) -> None:
        """Take the answer to a task."""
        with self._changed:
            self._answers[number] = answer
            self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        """Take what went wrong; it is raised once the answers before it are taken."""
        with self._changed:
            self._error = self._error or error
            self._given_out = True
            self._changed.notify_all()

    def answers(self) -> Iterator[bytes]:
        """Yield the answers in the order of tasks."""
        while True:
            with self._changed:
                self._changed.wait_for(self._is_ready)
                if self._taken not in self._answers:
                    if self._error is not None:
                        raise self._error
                    return
                answer = self._answers.pop(self._taken)
                self._taken += 1
                self._changed.notify_all()
            yield answer

    def _is_ready(self) -> bool:
        if self._taken in self._answers or self._error is not None:
            return True
        return self._given_out and self._taken == self._begun

    def stop(self) -> bool:
        """Give out no more tasks; return whether all of them are answered."""
        with self._changed:
            self.stopped = True
            self._changed.notify_all()
            return self._given_out and self._error is None and self._taken == self._begun
