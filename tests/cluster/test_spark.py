"""The Spark engine on real executors of this machine."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

import docassay as da
from docassay.errors import ConfigurationError
from tests.cluster.conftest import Corpus, processes_with

sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")
if shutil.which("java") is None:
    pytest.skip("there is no java", allow_module_level=True)


@pytest.fixture(scope="module")
def session() -> Iterator[object]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    own = (
        sql.SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    yield own
    own.stop()


def test_a_session_that_the_user_has_gives_the_same_bytes(corpus: Corpus, session: object) -> None:
    assert corpus.score("spark", engine=session) == corpus.expected


def test_the_active_session_is_found_by_the_name_of_the_engine(
    corpus: Corpus, session: object
) -> None:
    assert corpus.score("named", engine="spark") == corpus.expected


def test_a_worker_that_is_killed_in_mid_run_changes_nothing(
    corpus: Corpus, session: object
) -> None:
    killed = threading.Event()

    def kill(done: int) -> None:
        pids = processes_with(b"pyspark.daemon")
        if done >= 500 and not killed.is_set() and pids:
            killed.set()
            os.kill(pids[-1], signal.SIGKILL)

    assert corpus.score("killed-spark", engine=session, progress=kill) == corpus.expected
    assert killed.is_set()


def test_an_executor_with_another_version_is_an_error(
    corpus: Corpus, session: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docassay.run.tasks.VERSION", "9.9.9")
    with pytest.raises(ConfigurationError, match=r"an executor has docassay .*, and this is"):
        da.score(corpus.gold, corpus.pred, schema=corpus.schema, engine=session)
