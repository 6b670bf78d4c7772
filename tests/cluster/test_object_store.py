"""Documents in an object store: moto on 127.0.0.1, read by the local engine and by Dask."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import docassay as da
from docassay.cli import run
from docassay.errors import FileError
from tests.cluster.conftest import METRICS, Corpus

server = pytest.importorskip("moto.server", reason="moto is not installed")
s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed")


@pytest.fixture(scope="module")
def storage(corpus: Corpus) -> Iterator[dict[str, object]]:
    """What the file system needs; the bucket holds gold and pred."""
    own = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    own.start()
    host, port = own.get_host_and_port()
    options: dict[str, object] = {
        "key": "nobody",
        "secret": "nothing",
        "client_kwargs": {"endpoint_url": f"http://{host}:{port}", "region_name": "us-east-1"},
    }
    files = s3fs.S3FileSystem(**options)
    files.call_s3("create_bucket", Bucket="corpus")
    for file in (corpus.gold, corpus.pred):
        files.put(str(file), f"corpus/{file.name}")
    yield options
    own.stop()


def rows(folder: Path) -> list[bytes]:
    """The rows of a ledger: paths stand in its header alone."""
    return (folder / "ledger.jsonl").read_bytes().splitlines()[1:-1]


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param({"workers": 2}, id="a pool"),
        pytest.param({"engine": "dask", "workers": 2}, id="dask"),
    ],
)
def test_documents_of_a_bucket_give_the_rows_of_local_files(
    engine: dict[str, object], corpus: Corpus, storage: dict[str, object], tmp_path: Path
) -> None:
    report = da.score(
        f"s3://corpus/{corpus.gold.name}",
        f"s3://corpus/{corpus.pred.name}",
        schema=corpus.schema,
        metrics=METRICS,
        storage_options=storage,
        out=tmp_path,
        **engine,  # type: ignore[arg-type]
    )
    assert rows(tmp_path) == rows(corpus.home / "one" / "run")
    places = {problem.where for problem in report.problems}
    assert any(place and place.startswith("s3://corpus/careful.jsonl:") for place in places)


def test_the_command_reads_its_storage_options_from_a_file(
    corpus: Corpus, storage: dict[str, object], tmp_path: Path
) -> None:
    (tmp_path / "storage.json").write_text(json.dumps(storage))
    code = run(
        [
            *("score", f"s3://corpus/{corpus.gold.name}", f"s3://corpus/{corpus.pred.name}"),
            *("--schema", str(corpus.schema), "--out", str(tmp_path / "run"), "--quiet"),
            *("--metrics", ",".join(METRICS)),
            *("--storage-options", str(tmp_path / "storage.json")),
        ]
    )
    assert code == 0
    assert rows(tmp_path / "run") == rows(corpus.home / "one" / "run")


def test_an_address_that_is_not_there_is_an_error(storage: dict[str, object]) -> None:
    address = "s3://corpus/missing.jsonl"
    with pytest.raises(FileError, match=r"s3://corpus/missing\.jsonl: there is no such file"):
        da.score(address, address, storage_options=storage)
