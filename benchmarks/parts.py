"""The parts of `make bench`: each yields figures with their aims."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import docassay
import peers
from corpora import NESTED, WRONG_ROWS, write_long_text, write_wrong
from floor import by_cdist
from peers import PEERS, Peer, PeerError
from timing import (
    FEWEST,
    FLOOR,
    SECONDS,
    TIMES,
    Aim,
    Figure,
    Races,
    amount,
    note,
    race,
    ratio,
    seconds,
)
from works import (
    ANLS_STAR,
    AS_TEXT,
    BY_SCHEMA,
    CONFIDENCE,
    DEFAULT,
    DEFAULT_OUT,
    DEFAULT_SCHEMA,
    FAMILIES,
    FIELDS,
    FIELDS_SCHEMA,
    HEADLINES,
    NTED,
    WITH_RULES,
    Data,
    Work,
    apart,
    plain,
    race_sides,
    run_command,
    synth,
)

Figures = Iterator[Figure]

FLOOR_AIMS = {
    (8, DEFAULT.name): 0.35,
    (8, DEFAULT_SCHEMA.name): 0.3,
    (8, AS_TEXT.name): 0.5,
    (8, BY_SCHEMA.name): 0.4,
    (300, DEFAULT.name): 0.25,
    (300, AS_TEXT.name): 0.5,
    (300, BY_SCHEMA.name): 0.5,
}
MEGABYTES = "MB at most"


def against_floor(
    part: str, data: Data, works: tuple[Work, ...], rows: int
) -> tuple[Races, list[Figure]]:
    with race_sides(data, works) as sides:
        results = race(data.name, sides)
    figures = []
    for work in works:
        least = FLOOR_AIMS.get((rows, work.name))
        aim = None if least is None else Aim(least)
        own, bare = results[work.name], results[f"floor before {work.name}"]
        figures.append(ratio((part, data.name, work.name), FLOOR, own, bare, aim))
    return results, figures


def headlines(folder: Path) -> Figures:
    """Yield the default command, and entity and kieval, against the floor."""
    for make in (plain, synth):
        for docs, rows in ((2000, 8), (20, 300)):
            data = make(folder / f"{make.__name__}-{rows}", docs, rows)
            results, figures = against_floor("headlines", data, HEADLINES, rows)
            yield from figures
            if rows == 8:
                yield extra_seconds(data, results)


def extra_seconds(data: Data, results: Races) -> Figure:
    """Return what `--out` adds."""
    pairs = zip(results[DEFAULT_OUT.name], results[DEFAULT.name], strict=True)
    extra = [data.docs / out - data.docs / without for out, without in pairs]
    place = ("headlines", data.name, "what --out adds to the default command")
    return amount(place, SECONDS, extra, Aim(1.0, at_most=True))


def families(folder: Path) -> Figures:
    """Yield each family of metrics alone, and runs with confidences, against the floor."""
    for docs, rows in ((400, 8), (4, 300)):
        data = plain(folder / f"family-{rows}", docs, rows)
        yield from against_floor("families", data, FAMILIES, 0)[1]
    data = synth(folder / "rules", 400, 8)
    yield from against_floor("families", data, WITH_RULES, 0)[1]
    data = synth(folder / "confidences", 2000, 8, confidences=True)
    works = (DEFAULT, DEFAULT_SCHEMA, CONFIDENCE)
    yield from against_floor("families", data, works, 0)[1]


def process(folder: Path) -> Figures:
    """Yield the whole process of the default command, start included, against the floor."""
    data = plain(folder / "process", 2000, 8)
    words = ("score", str(data.gold), str(data.pred))
    commands = {
        "whole process": words,
        "whole process, schema": (*words, "--schema", str(data.schema)),
    }
    sides: dict[str, Callable[[], float]] = {}
    for name, command in commands.items():
        sides[f"floor before {name}"] = data.bare
        sides[name] = lambda command=command: data.docs / fresh(command)  # type: ignore[misc]
    results = race(data.name, sides)
    for name in commands:
        own, bare = results[name], results[f"floor before {name}"]
        yield ratio(("process", data.name, name), FLOOR, own, bare)
        place = ("process", data.name, name)
        yield amount(place, SECONDS, [data.docs / each for each in own])


def fresh(words: tuple[str, ...]) -> float:
    """Return the CPU seconds of a fresh process that runs the command."""
    return bare_process("-m", "docassay", *words)


def bare_process(*words: str) -> float:
    return seconds(
        lambda: subprocess.run(
            [sys.executable, *words],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    )


def out(folder: Path) -> Figures:
    """Yield what `--out` costs with many documents."""
    data = plain(folder / "out", 20_000, 8)
    with apart(data, DEFAULT, DEFAULT_OUT) as (without, kept):
        sides = {DEFAULT.name: lambda: 1 / without(), DEFAULT_OUT.name: lambda: 1 / kept()}
        results = race(data.name, sides)
    place = ("out", data.name, "--out: its time over that without it")
    times = (results[DEFAULT_OUT.name], results[DEFAULT.name])
    figure = ratio(place, "times as long", *times, Aim(1.5, at_most=True))
    yield figure._replace(docassay=1 / (figure.docassay or 1), other=1 / (figure.other or 1))


def growth(folder: Path) -> Figures:
    """Yield how time grows from 10 to 1,000 rows a document, over how an assignment's does."""
    few, many = plain(folder / "few", 300, 10), plain(folder / "many", 3, 1000)
    few, many = few._replace(floor=by_cdist), many._replace(floor=by_cdist)
    works = (DEFAULT, AS_TEXT, BY_SCHEMA)
    with race_sides(few, works) as of_few, race_sides(many, works) as of_many:
        sides = {f"{name} {few.docs}": side for name, side in of_few.items()}
        sides |= {f"{name} {many.docs}": side for name, side in of_many.items()}
        results = race("10 and 1,000 rows", sides)
    for work in works:
        own, bare = (
            [a / b for a, b in zip(results[f"{name} 300"], results[f"{name} 3"], strict=True)]
            for name in (work.name, f"floor before {work.name}")
        )
        place = ("growth", "10 to 1,000 rows a document", f"{work.name}: growth")
        yield ratio(place, "times the assignment's", own, bare, Aim(1.0, at_most=True))


def long(folder: Path) -> Figures:
    """Yield documents of wrong rows, and a long text."""
    for kind in (*WRONG_ROWS, NESTED):
        place = folder / f"wrong-{kind.replace(' ', '-')}"
        write_wrong(place, rows=1000, kind=kind)
        words = ("score", str(place / "gold.jsonl"), str(place / "pred.jsonl"))
        data = f"1,000 wrong rows {kind}"
        yield timed(data, DEFAULT.name, partial(run_command, *words), 1.0)
    for wrong, most in ((0.05, 0.1), (1.0, None)):
        place = folder / f"text-{wrong}"
        write_long_text(place, size=100_000, wrong=wrong)
        tree = partial(docassay.score, place / "gold.jsonl", place / "pred.jsonl", metrics=["tree"])
        yield timed(f"a text of 100 KB, {wrong:.0%} of it wrong", "tree", tree, most)


def timed(data: str, name: str, work: Callable[[], object], most: float | None) -> Figure:
    """Return the CPU seconds of a piece of work, in this process."""
    results = race(data, {name: lambda: seconds(work)})
    aim = None if most is None else Aim(most, at_most=True)
    return amount(("long", data, name), SECONDS, results[name], aim)


MOST_SECONDS = 120
"""CPU seconds after which a document of 10,000 wrong rows is given up."""


def huge(folder: Path) -> Figures:
    """Yield time and memory for one document of 10,000 wrong rows, in fresh processes."""
    for kind in (*WRONG_ROWS, NESTED):
        place = folder / f"huge-{kind.replace(' ', '-')}"
        write_wrong(place, rows=10_000, kind=kind)
        words = ("-m", "docassay", "score", str(place / "gold.jsonl"), str(place / "pred.jsonl"))
        data = f"10,000 wrong rows {kind}"
        runs = []
        for number in range(FEWEST):  # each is a matter of seconds or minutes, and no ratio
            note(f"{data}, round {number + 1} of {FEWEST}: {DEFAULT.name}")
            runs.append(watched(words))
        note("")
        ended = all(run.ended for run in runs)
        remark = "" if ended else f"given up after {MOST_SECONDS} CPU s"
        work = ("huge", data, DEFAULT.name)
        used = amount(work, SECONDS, [run.seconds for run in runs])
        most = Aim(1000, at_most=True)
        peak = amount(work, MEGABYTES, [run.megabytes for run in runs], most)
        yield from (figure._replace(remark=remark) for figure in (used, peak))


class Watched(NamedTuple):
    """What a process took."""

    seconds: float
    """Of processor time."""
    megabytes: float
    """The peak of its memory."""
    ended: bool


def watched(words: tuple[str, ...]) -> Watched:
    """Run a fresh process, which is ended when it takes too long."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))

    quiet = subprocess.DEVNULL
    command = [sys.executable, *words]
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, preexec_fn=limit) as started:
        _, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return Watched(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit, status == 0)


def start(folder: Path) -> Figures:
    """Yield the cold start: CPU seconds of a fresh process."""
    data = plain(folder / "start", 1, 8)
    commands: dict[str, tuple[tuple[str, ...], float | None]] = {
        "python alone": (("-c", "pass"), None),
        "docassay --help": (("-m", "docassay", "--help"), 0.15),
        "import docassay": (("-c", "import docassay"), 0.05),
        "score of one document": (("-m", "docassay", "score", str(data.gold), str(data.pred)), 0.5),
    }
    results = race(
        "cold start",
        {
            name: lambda words=words: bare_process(*words)  # type: ignore[misc]
            for name, (words, _) in commands.items()
        },
    )
    for name, (_, most) in commands.items():
        aim = None if most is None else Aim(most, at_most=True)
        yield amount(("start", "a fresh process", name), SECONDS, results[name], aim)


PEER_WORKS = {
    work.name: work for work in (DEFAULT, AS_TEXT, FIELDS, FIELDS_SCHEMA, NTED, ANLS_STAR)
}


def against_peers(folder: Path) -> Figures:
    """Yield released packages on the same documents."""
    corpora = {
        typed: plain(folder / f"peers-{typed}", 2000, 8, typed=typed) for typed in (False, True)
    }
    for peer in PEERS:
        data = corpora[peer.typed]
        names = [against.work for against in peer.against]
        try:
            side = peers.rate_of(peer, peers.install(peer), data.gold.parent)
            with apart(data, *(PEER_WORKS[name] for name in names)) as rates:
                sides = dict(zip(names, rates, strict=True))
                results = race(peer.name, {peer.name: side, **sides})
        except PeerError as error:
            yield absent(peer.name, str(error))
            continue
        yield from against_peer(data.name, peer, results)
    yield json_diff(corpora[False])
    yield from ie_eval(folder / "ie-eval")
    for name, why in peers.MISSING.items():
        yield absent(name, why)


def against_peer(data: str, peer: Peer, results: Races) -> Figures:
    for against in peer.against:
        place = ("peers", data, f"{peer.name}: {against.work}")
        rates = (results[against.work], results[peer.name])
        yield ratio(place, TIMES, *rates, peers.aim_of(against), against.differs)


def json_diff(data: Data) -> Figure:
    try:
        side = peers.json_diff(data.gold.parent)
        with apart(data, AS_TEXT) as (own,):
            results = race("json-diff", {"docassay": own, "json-diff": side})
    except PeerError as error:
        return absent(peers.JSON_DIFF, str(error))
    rates = (results["docassay"], results["json-diff"])
    place = ("peers", data.name, f"{peers.JSON_DIFF}: {AS_TEXT.name}")
    return ratio(place, TIMES, *rates, Aim(1.0), peers.JSON_DIFF_DIFFERS)


def ie_eval(folder: Path) -> Figures:
    peer = peers.IE_EVAL
    try:
        results = race(peer.name, dict(peers.ie_eval_sides(peers.install(peer), folder)))
    except (PeerError, subprocess.CalledProcessError) as error:
        yield absent(peer.name, str(error))
        return
    yield from against_peer(f"pages of {peers.ENTITIES} entities", peer, results)


def absent(name: str, why: str) -> Figure:
    return Figure("peers", "", name, "", 0.0, 0.0, 0.0, 0, remark=f"not run: {why}")


GUARDED = (DEFAULT, DEFAULT_SCHEMA, AS_TEXT, BY_SCHEMA, FIELDS, Work("tree", ("tree",)))


def guard(folder: Path) -> Figures:
    """Yield a few ratios on few documents, which `make bench-quick` compares with those kept."""
    for docs, rows, works in ((400, 8, GUARDED), (4, 300, (DEFAULT, AS_TEXT))):
        yield from against_floor("guard", plain(folder / f"guard-{rows}", docs, rows), works, 0)[1]


PARTS: dict[str, Callable[[Path], Figures]] = {
    "headlines": headlines,
    "families": families,
    "process": process,
    "out": out,
    "growth": growth,
    "long": long,
    "huge": huge,
    "start": start,
    "peers": against_peers,
    "guard": guard,
}


def figures_of(name: str) -> Figures:
    """Yield the figures of a part, on documents that are made for it."""
    with TemporaryDirectory() as folder:
        yield from PARTS[name](Path(folder))
