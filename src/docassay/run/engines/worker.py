"""A worker: a process that is given tasks on its standard input and answers on its standard output.

It ends when its input does, so no worker outlives the run that started it, however that ended.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import BinaryIO

JOB, TASK = b"J", b"T"
LENGTH = 8
COLLECT_EVERY = 64
"""Tasks between two searches for cycles, of which cases have none."""


def send(stream: BinaryIO, kind: bytes, content: bytes) -> None:
    """Write a message: its kind, its length, and what it says."""
    stream.write(kind + len(content).to_bytes(LENGTH) + content)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[bytes, bytes]:
    """Return the next message; that there is no whole one is an EOFError."""
    head = stream.read(1 + LENGTH)
    size = int.from_bytes(head[1:])
    content = stream.read(size) if len(head) == 1 + LENGTH else b""
    if len(head) < 1 + LENGTH or len(content) < size:
        raise EOFError
    return head[:1], content


def main() -> None:
    """Answer tasks until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run that started it ends it
    with os.fdopen(os.dup(0), "rb") as questions, os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what somebody prints is no answer
        sys.stdin = open(os.devnull)  # noqa: SIM115 - for as long as the process lives
        _answer_all(questions, answers)


def _answer_all(questions: BinaryIO, answers: BinaryIO) -> None:
    from docassay.run.tasks import run_task

    gc.disable()
    job = b""
    number = 0
    while True:
        try:
            kind, content = receive(questions)
            if kind == JOB:
                job = content
                continue
            send(answers, TASK, run_task(job, content))
        except (EOFError, BrokenPipeError):
            return
        number += 1
        if number % COLLECT_EVERY == 0:
            gc.collect()
