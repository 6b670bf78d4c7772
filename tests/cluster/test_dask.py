"""The Dask engine on a real cluster of this machine."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

import docassay as da
from docassay.errors import ConfigurationError, FileError
from tests.cluster.conftest import Corpus

distributed = pytest.importorskip("distributed", reason="Dask is not installed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
    ) as own:
        yield own


def test_a_cluster_that_is_started_for_it_gives_the_same_bytes(corpus: Corpus) -> None:
    assert corpus.score("dask", engine="dask", workers=2) == corpus.expected


def test_a_running_cluster_is_found_by_its_address(corpus: Corpus, cluster: object) -> None:
    address = cluster.scheduler_address  # type: ignore[attr-defined]
    assert address.startswith("tcp://127.0.0.1:")
    assert corpus.score("address", engine=f"dask={address}") == corpus.expected


def test_a_worker_that_is_killed_in_mid_run_changes_nothing(
    corpus: Corpus, cluster: object
) -> None:
    with distributed.Client(cluster) as client:
        pids = sorted(client.run(os.getpid).values())
        killed = threading.Event()

        def kill(done: int) -> None:
            if done >= 500 and not killed.is_set():
                killed.set()
                os.kill(pids[0], signal.SIGKILL)

        assert corpus.score("killed", engine=client, progress=kill) == corpus.expected
        assert killed.is_set()
        assert pids[0] not in client.run(os.getpid).values()


def test_a_worker_with_another_version_is_an_error(corpus: Corpus, cluster: object) -> None:
    def pretend(version: str) -> None:
        import docassay.version

        docassay.version.VERSION = version

    with distributed.Client(cluster) as client:
        client.run(pretend, "0.0.1")
        try:
            with pytest.raises(ConfigurationError, match=r"has docassay 0\.0\.1, and this is"):
                da.score(corpus.gold, corpus.pred, schema=corpus.schema, engine=client)
        finally:
            client.run(pretend, da.__version__)


def test_an_address_without_a_cluster_is_an_error(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docassay.run.engines.dask.PATIENCE", "1s")
    with pytest.raises(FileError, match="there is no Dask cluster"):
        da.score(corpus.gold, corpus.pred, engine="dask=tcp://127.0.0.1:9")
