"""The Ray engine on a real cluster of this machine, in a network in which there is no other."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

import docassay as da
from docassay.errors import ConfigurationError, FileError
from docassay.run.engines.ray import OWN_CLUSTER
from tests.cluster.conftest import DOCUMENTS, Corpus, processes_with

os.environ.update(OWN_CLUSTER)
if [name for _, name in socket.if_nameindex()] != ["lo"]:
    # it goes by the addresses of network cards, whatever it is told
    pytest.skip("Ray is started in a network of its own alone", allow_module_level=True)
ray = pytest.importorskip("ray", reason="Ray is not installed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """A cluster that this process is connected to; its address."""
    context = ray.init(
        "local",
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=1 << 28,
        _node_ip_address="127.0.0.1",
    )
    assert [node["NodeManagerAddress"] for node in ray.nodes()] == ["127.0.0.1"]
    yield context.address_info["gcs_address"]
    ray.shutdown()


def test_a_cluster_that_is_started_for_it_gives_the_same_bytes_and_is_gone(corpus: Corpus) -> None:
    assert corpus.score("ray", engine="ray", workers=2) == corpus.expected
    assert not ray.is_initialized()


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9", "127.0.0.1:port"])
def test_an_address_without_a_cluster_is_an_error(corpus: Corpus, address: str) -> None:
    with pytest.raises(FileError, match="there is no Ray cluster"):
        da.score(corpus.gold, corpus.pred, engine=f"ray={address}")


def test_the_cluster_of_this_process_is_found_by_the_name_of_the_engine_and_stays(
    corpus: Corpus, cluster: str
) -> None:
    assert corpus.score("ray-named", engine="ray") == corpus.expected
    assert ray.is_initialized()


def test_a_worker_that_is_killed_in_mid_run_changes_nothing(corpus: Corpus, cluster: str) -> None:
    killed = threading.Event()

    def kill(done: int) -> None:
        pids = processes_with(b"ray::run_task")
        if done >= 500 and not killed.is_set() and pids:
            killed.set()
            os.kill(pids[-1], signal.SIGKILL)

    assert corpus.score("killed-ray", engine="ray", progress=kill) == corpus.expected
    assert killed.is_set()


def test_a_node_with_another_version_is_an_error(
    corpus: Corpus, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docassay.run.tasks.VERSION", "9.9.9")
    with pytest.raises(ConfigurationError, match=r"node 127\.0\.0\.1 has docassay .*, and this is"):
        da.score(corpus.gold, corpus.pred, schema=corpus.schema, engine="ray")


def test_a_running_cluster_is_found_by_its_address(corpus: Corpus, cluster: str) -> None:
    assert cluster.startswith("127.0.0.1:")
    words = [str(corpus.gold), str(corpus.pred), "--schema", str(corpus.schema)]
    command = [sys.executable, "-m", "docassay", "score", *words, "--engine", f"ray={cluster}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert f"{DOCUMENTS:,} documents" in done.stdout
    assert ray.is_initialized()


def test_another_cluster_than_that_of_this_process_is_an_error(
    corpus: Corpus, cluster: str
) -> None:
    with pytest.raises(ConfigurationError, match="connected to a Ray cluster already"):
        da.score(corpus.gold, corpus.pred, engine=f"ray={cluster}")
