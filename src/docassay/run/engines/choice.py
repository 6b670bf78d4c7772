"""Which engine scores a run: this process, a pool of processes, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from docassay.errors import ConfigurationError
from docassay.load.format import FORMATS
from docassay.metrics.metric import METRICS
from docassay.run.divide import Engine, dividable_sides
from docassay.run.engines.pool import Pool
from docassay.run.open import Prepared
from docassay.run.options import DASK, LOCAL, RAY, SPARK, EngineName, Options, name_of
from docassay.run.plan import Plan
from docassay.run.tasks import close_workshops, described, run_task
from docassay.values.comparator import COMPARATORS
from docassay.values.reader import READERS


class OneProcess:
    """Runs tasks in this process."""

    def map(self, job: bytes, tasks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the answers to tasks, in their order."""
        try:
            for task in tasks:
                yield run_task(job, task)
        finally:
            close_workshops()


@contextmanager
def chosen_engine(prepared: Prepared, notes: list[str]) -> Iterator[Engine | None]:
    """Give the engine of a run, None where it is to be read in one piece; notes say why."""
    options = prepared.options
    local = options.engine is None or options.engine == LOCAL
    asked = not local or (options.workers or 1) > 1
    sides = dividable_sides(prepared)
    if isinstance(sides, str):
        if asked:
            notes.append(f"scored in one process: {sides}")
        yield None
        return
    own = _of_this_process(prepared.bound.plan)
    if own:
        if asked:
            notes.append(f"scored in one process: {', '.join(own)} is known to this process alone")
        local = True
    workers = options.workers or usable_cores()
    if not local:
        with _cluster(options) as engine:
            yield engine
    elif workers == 1 or own:
        yield OneProcess()
    else:
        pool = Pool(workers, described)
        try:
            yield pool
        finally:
            pool.close()


def usable_cores() -> int:
    """Return how many cores this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return os.cpu_count() or 1 if allowed is None else len(allowed(0))


def _of_this_process(plan: Plan) -> list[str]:
    """Return what a plan uses that other processes do not know."""
    text = plan.to_json()
    names = (
        (registry.kind, name)
        for registry in (METRICS, FORMATS, READERS, COMPARATORS)
        for name in registry.of_this_process()
    )
    return [f"{kind} {name}" for kind, name in names if f'"{name}"'.encode() in text]


@contextmanager
def _cluster(options: Options) -> Iterator[Engine]:
    given = options.engine
    name, address = name_of(given) if isinstance(given, str) else EngineName(_kind(given))
    if name == DASK:
        from docassay.run.engines.dask import opened_dask

        client = None if isinstance(given, str) else given
        with opened_dask(client, address, options.workers) as engine:
            yield engine
    elif name == RAY:
        from docassay.run.engines.ray import opened_ray

        with opened_ray(address, options.workers) as engine:
            yield engine
    else:
        from docassay.run.engines.spark import opened_spark

        session = None if isinstance(given, str) else given
        with opened_spark(session, options.workers) as engine:
            yield engine


def _kind(engine: object) -> str:
    """Return whose client or session an object is, by where its class comes from."""
    homes = {kind.__module__.partition(".")[0] for kind in type(engine).__mro__}
    if "distributed" in homes:
        return DASK
    if "pyspark" in homes:
        return SPARK
    raise ConfigurationError(
        f"{type(engine).__name__} is no engine",
        hint="give a name, a Dask client or a Spark session",
    )
