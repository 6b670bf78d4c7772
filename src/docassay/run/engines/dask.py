"""The Dask engine: tasks go to the workers of a cluster, which read the documents themselves."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from docassay.errors import ConfigurationError, DataError, FileError
from docassay.run.tasks import check_versions, described, run_task, unusable, version_here

if TYPE_CHECKING:
    from distributed import Client, Future

LOOPBACK = "127.0.0.1"
RETRIES = 3
AHEAD = 4
"""Tasks a thread of the cluster that may be begun before their turn."""
PATIENCE = "30s"


class _Closable(Protocol):
    def close(self) -> object: ...


class DaskEngine:
    """Runs tasks on a Dask cluster."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._check_versions()

    def _check_versions(self) -> None:
        try:
            versions: dict[str, str] = self._client.run(version_here)
        except Exception as error:  # whatever importing docassay there raises
            raise unusable("workers", error) from error
        check_versions({f"worker {worker}": version for worker, version in versions.items()})

    def map(self, job: bytes, tasks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the answers to tasks, in their order; a few are begun before their turn."""
        client = self._client
        begun: deque[tuple[bytes, Future]] = deque()
        try:
            while True:
                ahead = AHEAD * max(1, sum(client.nthreads().values()))
                for task in islice(tasks, max(0, ahead - len(begun))):
                    future = client.submit(run_task, job, task, pure=False, retries=RETRIES)
                    begun.append((task, future))
                if not begun:
                    return
                task, future = begun.popleft()
                yield self._answer(task, future)
        finally:
            client.cancel([future for _, future in begun])

    def _answer(self, task: bytes, future: Future) -> bytes:
        from distributed.scheduler import KilledWorker

        try:
            answer: bytes = future.result()
        except KilledWorker:
            raise DataError(
                f"Dask workers ended several times while scoring {described(task)}",
                hint="is there enough memory on the workers?",
            ) from None
        return answer


@contextmanager
def opened_dask(client: object, address: str, workers: int | None) -> Iterator[DaskEngine]:
    """Give an engine on a client, on the cluster at an address, or on one started here."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ConfigurationError(
            "the engine dask needs Dask", hint="pip install 'docassay[dask]'"
        ) from None
    if isinstance(client, Client):
        yield DaskEngine(client)
        return
    opened: list[_Closable] = []
    try:
        if address:
            try:
                own = Client(address, timeout=PATIENCE)
            except (OSError, ValueError) as error:
                raise FileError(f"there is no Dask cluster: {error}", where=address) from None
        else:
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host=LOOPBACK,
                dashboard_address=f"{LOOPBACK}:0",
                scheduler_kwargs={"dashboard": False},
                silence_logs=logging.CRITICAL,
            )
            opened.append(cluster)
            own = Client(cluster)
        opened.append(own)
        yield DaskEngine(own)
    finally:
        for each in reversed(opened):
            each.close()
