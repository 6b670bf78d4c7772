"""Public data sets at hand: from a copy on disk to gold, a list of documents and a schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from docassay.errors import ConfigurationError

if TYPE_CHECKING:
    from docassay.extract.benchmarks import PreparedBenchmark


def prepare_benchmark(
    name: str,
    path: str | Path,
    *,
    out: str | Path,
    split: str | None = None,
    limit: int | None = None,
    typed: bool = False,
) -> PreparedBenchmark:
    """Write gold.jsonl, documents.jsonl and schema.yaml of a data set at hand into `out`.

    `name` is cord, sroie, funsd, wildreceipt, vrdu or docile, `path` the folder of a copy as it is
    published. `split` is one of the data set's own, else its test documents (of DocILE its
    validation documents, of VRDU all). With `typed` fields have types guessed from gold; else
    they are compared as text, as published results are.
    """
    if limit is not None and limit < 1:
        raise ConfigurationError(f"--limit {limit} leaves no document", hint="at least 1")
    if Path(out).resolve() == Path(path).resolve():
        raise ConfigurationError(
            "is the data set itself", where=str(out), hint="name another --out"
        )
    from docassay.extract.benchmarks import prepare

    return prepare(name, path, out, split=split, limit=limit, typed=typed)
