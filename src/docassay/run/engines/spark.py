"""The Spark engine: tasks go to the executors of a session, which read the documents themselves."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from docassay.errors import ConfigurationError, DataError
from docassay.run.tasks import check_versions, described, run_task, unusable, version_here

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOOPBACK = "127.0.0.1"
FAILURES = 4
"""How often Spark tries a task that ends with its process."""
WAVE = 4
"""Tasks a core of the cluster that are run together; while their parts are taken, more run."""


class SparkEngine:
    """Runs tasks on the executors of a Spark session."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext
        self._cores = max(1, self._context.defaultParallelism)
        self._check_versions()

    def _check_versions(self) -> None:
        try:
            numbers = self._context.parallelize(range(self._cores), self._cores)
            versions = {*numbers.map(version_here).collect()}
        except Exception as error:  # whatever importing docassay there raises
            reason = str(error).strip().rpartition("\n")[2]
            raise unusable("executors", reason) from error
        for version in sorted(versions):
            check_versions({"an executor": version})

    def map(self, job: bytes, tasks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the answers to tasks, in their order, a wave after the other."""
        shared = self._context.broadcast(job)

        def run_wave(wave: list[bytes]) -> list[bytes]:
            numbers = self._context.parallelize(wave, len(wave))
            answers: list[bytes] = numbers.map(lambda task: run_task(shared.value, task)).collect()
            return answers

        with ThreadPoolExecutor(1) as ahead:
            waves = iter(lambda: [*islice(tasks, WAVE * self._cores)], [])
            running: tuple[list[bytes], Future[list[bytes]]] | None = None
            for wave in waves:
                following = (wave, ahead.submit(run_wave, wave))
                if running is not None:
                    yield from _answers(*running)
                running = following
            if running is not None:
                yield from _answers(*running)
        shared.unpersist()


def _answers(wave: list[bytes], future: Future[list[bytes]]) -> list[bytes]:
    from py4j.protocol import Py4JJavaError

    try:
        return future.result()
    except Py4JJavaError as error:
        reason = str(error.java_exception).partition("\n")[0]
        raise DataError(
            f"Spark gave up while scoring {described(wave[0])} and what follows: {reason}",
            hint="is there enough memory on the executors?",
        ) from None


@contextmanager
def opened_spark(session: object, workers: int | None) -> Iterator[SparkEngine]:
    """Give an engine on a session, on the active one, or on one started here."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise ConfigurationError(
            "the engine spark needs PySpark", hint="pip install 'docassay[spark]'"
        ) from None
    active = session if isinstance(session, SparkSession) else SparkSession.getActiveSession()
    if active is not None:
        yield SparkEngine(active)
        return
    # executors on this machine run the same Python as this process
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", LOOPBACK)
    cores = workers or "*"
    own = (
        SparkSession.builder.master(f"local[{cores},{FAILURES}]")
        .appName("docassay")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", LOOPBACK)
        .config("spark.driver.bindAddress", LOOPBACK)
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    try:
        yield SparkEngine(own)
    finally:
        own.stop()
