"""Whether an extraction that is killed loses or repeats anything.

    python benchmarks/kills.py [--trials 30] [--documents 12]

Each trial starts `docassay extract` against a server on this machine, ends it with SIGKILL after a
random number of requests, and goes on with `--resume`. Counted are documents that had an answer on
disk and were asked for again, documents that were in flight and asked for more than once more, and
documents that are missing or stand twice at the end; all three must be 0.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

SCHEMA = "fields: {store: name, total: money}\n"
ANSWER_SECONDS = 0.03


class Trial(NamedTuple):
    """What a trial came to."""

    kept: int
    """Documents on disk when the process was killed."""
    in_flight: int
    repeated: int
    """Documents on disk that were asked for again."""
    twice: int
    """Documents that were asked for more than once after the kill."""
    lost: int
    """Documents that are missing, or stand twice, at the end."""


class CountingServer:
    """A chat endpoint that counts requests by document and can end a process at one of them."""

    def __init__(self, rng: random.Random) -> None:
        self.asked: list[str] = []
        self.kill_at: int | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self._rng = rng
        self._lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                owner.answer(self)

            def log_message(self, *_: object) -> None:
                """Stay silent."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.http.handle_error = lambda *_: None  # type: ignore[method-assign]
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_port}/v1"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        id = body["messages"][0]["content"].rpartition("document ")[2].split()[0]
        with self._lock:
            self.asked.append(id)
            number, delay = len(self.asked), self._rng.uniform(0, 2 * ANSWER_SECONDS)
        if number == self.kill_at and self.process is not None:
            # before this request is answered: the process cannot have come to its end
            time.sleep(delay)
            self.process.send_signal(signal.SIGKILL)
        time.sleep(ANSWER_SECONDS)
        content = json.dumps({"store": id, "total": "1.00", "filler": "x" * 2000})
        message = {"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
        data = json.dumps({"choices": [message]}).encode()
        try:
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data)
        except OSError:
            handler.close_connection = True  # the client was killed

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()


def _start(folder: Path, url: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "docassay", "extract", str(folder / "documents")]
    command += ["--schema", str(folder / "schema.yaml"), "--out", str(folder / "pred.jsonl")]
    command += ["--endpoint", url, "--model", "m", "--concurrency", "3", "--resume", "--quiet"]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def _ids(out: Path) -> list[str]:
    """Return the documents of whole lines."""
    data = out.read_bytes() if out.exists() else b""
    lines = data.splitlines(keepends=True)
    return [json.loads(line)["id"] for line in lines if line.endswith(b"\n")]


def trial(folder: Path, *, documents: int, seed: int) -> Trial:
    """Kill an extraction, go on with it, and count what went wrong."""
    rng = random.Random(seed)
    (folder / "documents").mkdir(parents=True)
    names = [f"d{number:02}" for number in range(documents)]
    for name in names:
        (folder / "documents" / f"{name}.txt").write_text(f"document {name} total 1.00\n")
    (folder / "schema.yaml").write_text(SCHEMA)
    out = folder / "pred.jsonl"
    server = CountingServer(rng)
    try:
        server.kill_at = rng.randint(1, documents - 1)
        server.process = _start(folder, server.url)
        server.process.wait()
        kept, before = {*_ids(out)}, [*server.asked]
        server.kill_at = None
        server.asked.clear()
        if _start(folder, server.url).wait() != 0:
            raise SystemExit(f"seed {seed}: the extraction did not go on")
        again = Counter(server.asked)
    finally:
        server.close()
    final = Counter(_ids(out))
    return Trial(
        len(kept),
        len({*before} - kept),
        sum(again[id] for id in kept),
        sum(count > 1 for count in again.values()),
        sum(final[id] != 1 for id in names) + len({*final} - {*names}),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--documents", type=int, default=12)
    options = parser.parse_args(arguments)
    sums: Counter[str] = Counter()
    for seed in range(options.trials):
        with tempfile.TemporaryDirectory() as folder:
            sums.update(trial(Path(folder), documents=options.documents, seed=seed)._asdict())
    print(f"{options.trials} kills of {options.documents} documents each")
    for name, count in sums.items():
        print(f"{name.replace('_', ' '):>10} {count}")
    if sums["repeated"] or sums["twice"] or sums["lost"]:
        raise SystemExit("something was lost or asked for twice")


if __name__ == "__main__":
    main()
