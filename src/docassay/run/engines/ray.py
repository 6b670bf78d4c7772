"""The Ray engine: tasks go to the workers of a cluster, which read the documents themselves."""

from __future__ import annotations

import logging
import os
import socket
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from docassay.errors import ConfigurationError, DataError, FileError
from docassay.run.tasks import check_versions, described, run_task, unusable, version_here

if TYPE_CHECKING:
    from ray import ObjectRef

LOOPBACK = "127.0.0.1"
RETRIES = 3
AHEAD = 4
"""Tasks a core of the cluster that may be begun before their turn."""
PATIENCE = 30.0
STORE = 1 << 28
"""Bytes of memory that a cluster started here has for answers on their way."""
OWN_CLUSTER = {
    # else Ray takes the address of a network card, and asks a public server for it
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
}
"""What the environment says of a cluster that is started here, unless it says otherwise."""


class RayEngine:
    """Runs tasks on the Ray cluster that this process is connected to."""

    def __init__(self) -> None:
        import ray

        self._ray = ray
        self._run = ray.remote(run_task).options(num_cpus=1, max_retries=RETRIES)
        self._check_versions()

    def _check_versions(self) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        ask = self._ray.remote(version_here)
        versions = {}
        for node in self._ray.nodes():
            if node["Alive"]:
                there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
                answer = ask.options(scheduling_strategy=there, num_cpus=0).remote()
                try:
                    versions[f"node {node['NodeManagerAddress']}"] = self._ray.get(answer)
                except self._ray.exceptions.RayError as error:  # such as that it is not installed
                    raise unusable("nodes", str(error).strip().rpartition("\n")[2]) from error
        check_versions(versions)

    def map(self, job: bytes, tasks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the answers to tasks, in their order; a few are begun before their turn."""
        shared = self._ray.put(job)
        begun: deque[tuple[bytes, ObjectRef[bytes]]] = deque()
        try:
            while True:
                cores = int(self._ray.cluster_resources().get("CPU", 1))
                for task in islice(tasks, max(0, AHEAD * cores - len(begun))):
                    begun.append((task, self._run.remote(shared, task)))
                if not begun:
                    return
                yield self._answer(*begun.popleft())
        finally:
            for _, answer in begun:
                self._ray.cancel(answer)

    def _answer(self, task: bytes, answer: ObjectRef[bytes]) -> bytes:
        try:
            done: bytes = self._ray.get(answer)
        except self._ray.exceptions.RayError as error:
            raise DataError(
                f"Ray gave up while scoring {described(task)}: {type(error).__name__}",
                hint="is there enough memory on the nodes?",
            ) from None
        return done


@contextmanager
def opened_ray(address: str, workers: int | None) -> Iterator[RayEngine]:
    """Give an engine on the cluster of this process, on one at an address, or on one of its own."""
    if not address:
        for name, value in OWN_CLUSTER.items():
            os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise ConfigurationError(
            "the engine ray needs Ray", hint="pip install 'docassay[ray]'"
        ) from None
    if ray.is_initialized():
        if address:
            what = "this process is connected to a Ray cluster already"
            raise ConfigurationError(what, hint="say engine='ray' to use it")
        yield RayEngine()
        return
    _connect(address, workers)
    try:
        yield RayEngine()
    finally:
        ray.shutdown()


def _connect(address: str, workers: int | None) -> None:
    import ray

    quiet = {"configure_logging": False, "logging_level": logging.CRITICAL, "log_to_driver": False}
    if not address:
        ray.init(
            "local",
            num_cpus=workers,
            include_dashboard=False,
            object_store_memory=STORE,
            _node_ip_address=LOOPBACK,
            **quiet,
        )
        return
    try:
        _reach(address)
        ray.init(address, **quiet)
    except (OSError, ValueError, RuntimeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise FileError(f"there is no Ray cluster: {reason}", where=address) from None


def _reach(address: str) -> None:
    """Fail at once where nobody listens, because Ray itself tries for many minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon:
        socket.create_connection((host, int(port)), PATIENCE).close()
