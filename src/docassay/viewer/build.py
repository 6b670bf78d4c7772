"""Making the index of a run: once for a ledger, in a process of its own where the run is large."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkstemp
from typing import NamedTuple

from docassay.analysis.audit.observe import reopened
from docassay.analysis.audit.study import audit_runs
from docassay.analysis.compare import compare_runs
from docassay.errors import DataError, DocassayError, FileError
from docassay.load.wire import encode
from docassay.matching.case import make_case
from docassay.model.report import LOWER, CurvePoint, DocumentValue, Report
from docassay.model.stats import fold
from docassay.report.folder import read_folder
from docassay.report.page_data import comparison_data, curve_data, run_data
from docassay.report.tables import document_ranking
from docassay.run.diffs import WORDS, encoded
from docassay.run.index import index_place
from docassay.run.ledger import LEDGER, Header, Ledger, read_ledger
from docassay.run.open import Prepared, open_run
from docassay.run.options import Options
from docassay.run.reopen import (
    StoredInputs,
    StoredValue,
    kept_values,
    locate_inputs,
    named_runs,
)
from docassay.run.score import digest_of_pair
from docassay.run.verdict_file import VERDICTS, causes_of, wrong_blocks
from docassay.version import VERSION
from docassay.viewer.index import (
    FORM,
    INDICES,
    LAST,
    NAME,
    TABLES,
    DocumentIndex,
    StoredSuspect,
    encode_totals,
    packed,
    stamp_of_index,
    storable,
    unpacked,
)

LARGE = 8 << 20
"""Bytes of a ledger from which on a process of its own makes the index, and gives all back."""
END = 400
"""Bytes at the end of a ledger that hold its digest."""
BATCH = 2_000


class Inputs(NamedTuple):
    """Where gold and pred of a run are now, if not where they were."""

    gold: str | None = None
    pred: str | None = None


def open_index(
    folder: Path, name: str, inputs: Inputs, *, say: Callable[[str], None]
) -> DocumentIndex:
    """Return the index of a run, made if there is none of this ledger."""
    file = index_place(folder, NAME)
    if file is None:
        raise FileError(
            "an index can be written neither there nor in your cache", where=str(folder)
        )
    stored = _stamp(folder, inputs)
    if stamp_of_index(file) != stored:
        size = (folder / LEDGER).stat().st_size
        say(f"making an index of {name} ({size / 1e6:,.0f} MB of results); once for a run")
        work = apart if size >= LARGE else here
        work(build_index, str(folder), name, inputs, str(file))
    return DocumentIndex(file)


def _stamp(folder: Path, inputs: Inputs) -> bytes:
    """Return what an index depends on: the ledger, the values kept, where inputs are to be."""
    digest = hashlib.blake2b(f"{FORM} {VERSION} {inputs}".encode(), digest_size=16)
    ledger = folder / LEDGER
    with ledger.open("rb") as file:
        file.seek(max(0, ledger.stat().st_size - END))
        digest.update(file.read())
    for name in (LEDGER, VERDICTS):
        with suppress(FileNotFoundError):
            facts = (folder / name).stat()
            digest.update(f"{name} {facts.st_size} {facts.st_mtime_ns}".encode())
    return digest.digest()


def here(work: Callable[..., str], *given: object) -> None:
    """Do something that returns why it failed, "" for nothing."""
    failure = work(*given)
    if failure:
        raise DataError(failure)


def apart(work: Callable[..., str], *given: object) -> None:
    """Do the same in a process that gives back what memory it took, and ends when we do."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_report, args=(sender, work, given), daemon=True)
    child.start()
    sender.close()
    with receiver:
        try:
            failure = receiver.recv()
        except EOFError:
            failure = "the process that was to do it ended: is there too little memory?"
    child.join()
    here(lambda: str(failure))


def _report(sender: Connection, work: Callable[..., str], given: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # whoever waited for it may have ended meanwhile
    with sender, suppress(OSError):
        sender.send(work(*given))


def build_index(folder: str, name: str, inputs: Inputs, file: str) -> str:
    """Make the index of a run and return "", or why that cannot be."""
    place = Path(file)
    aside = place
    try:
        # under a name that nobody can have prepared, and for its owner's eyes only
        handle, name_aside = mkstemp(suffix=".new", prefix=f"{place.name}.", dir=place.parent)
        os.close(handle)
        aside = Path(name_aside)
        with closing(sqlite3.connect(aside, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA journal_mode = OFF")
            connection.executescript(TABLES)
            connection.execute("BEGIN")
            _fill(connection, Path(folder), name, inputs)
            connection.execute("COMMIT")
            connection.executescript(INDICES)
        aside.replace(place)
    except DocassayError as error:
        return error.sentence
    except (OSError, sqlite3.Error) as error:
        return f"{file}: the index cannot be written: {error}"
    finally:
        if aside != place:
            aside.unlink(missing_ok=True)
    return ""


def _fill(connection: sqlite3.Connection, folder: Path, name: str, inputs: Inputs) -> None:
    numbers, header = _put_run(connection, folder, name, inputs)
    # all rows were in memory up to here, and documents come next
    stored = locate_inputs(Ledger(header, ()), folder, gold=inputs.gold, pred=inputs.pred)
    kept = (folder / VERDICTS).exists()
    if kept:
        _put_values(connection, numbers, kept_values(folder))
    if stored.whole:
        _put_trees(connection, numbers, _unpatched(stored), with_values=not kept)
    if kept or stored.whole:
        connection.execute("CREATE INDEX wrongs_of ON wrongs (n)")
        connection.execute(
            "UPDATE documents SET wrong = (SELECT count(*) FROM wrongs w WHERE w.n = documents.n)"
        )


def _put_run(
    connection: sqlite3.Connection, folder: Path, name: str, inputs: Inputs
) -> tuple[dict[str, int], Header]:
    """Write what a ledger comes to; return the numbers of its documents, and its header."""
    ledger = read_ledger(folder)
    report = read_folder(folder, ledger=ledger)
    numbers = _put_documents(connection, folder, report, ledger)
    fields: dict[str, list[CurvePoint]] = {}
    for point in report.curves:
        fields.setdefault(point.field, []).append(point)
    metrics = [call.name for call in ledger.header.plan.metrics]
    _put_meta(
        connection,
        stamp=_stamp(folder, inputs),
        run=encoded(run_data(report, name=name, documents=False)),
        curves=encoded({field: curve_data(points) for field, points in fields.items()}),
        totals=encode_totals(
            {metric: fold(row.stats[metric] for row in ledger.rows) for metric in metrics}
        ),
    )
    return numbers, ledger.header


def _put_meta(connection: sqlite3.Connection, **facts: bytes) -> None:
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", [*facts.items()])


def _put_documents(
    connection: sqlite3.Connection, folder: Path, report: Report, ledger: Ledger
) -> dict[str, int]:
    """Write a line a document and return their numbers."""
    ranking = document_ranking(report)[:1]
    scores: Iterable[DocumentValue] = report.document_values(ranking[0]) if ranking else ()
    by_id = dict(scores)
    sign = -1 if ranking and report.specs[ranking[0]].better == LOWER else 1
    problems = Counter(problem.document for problem in report.problems)
    places = _row_places(folder / LEDGER)
    numbers: dict[str, int] = {}
    rows = []
    for number, (row, at) in enumerate(zip(ledger.rows, places, strict=True), start=1):
        numbers[row.id] = number
        score = by_id.get(row.id)
        badness = LAST if score is None else sign * score
        outcome = None if row.outcome is None else row.outcome.kind
        facts = (number, row.id, row.type, score, badness, problems[row.id], outcome, at)
        rows.append(tuple(map(storable, facts)))
    connection.executemany(
        "INSERT INTO documents (n, id, type, score, badness, problems, outcome, ledger_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    folded = [(number, storable(id.casefold())) for id, number in numbers.items()]
    connection.executemany("INSERT INTO texts VALUES (?, ?)", folded)
    return numbers


def _row_places(file: Path) -> Iterator[int]:
    """Yield where each row of a ledger begins; the first line and the last are no rows."""
    with file.open("rb") as lines:
        at = len(next(lines))
        line = next(lines)
        for following in lines:
            yield at
            at += len(line)
            line = following


def _put_values(
    connection: sqlite3.Connection, numbers: Mapping[str, int], values: Iterable[StoredValue]
) -> None:
    rows = []
    for entry, cause, line in values:
        number = numbers.get(entry.document)
        if number is None:
            continue
        texts = (entry.field, WORDS[entry.verdict], cause, line, entry.gold, entry.pred)
        paths = (entry.gold_path, entry.pred_path, entry.gold_read, entry.pred_read)
        facts = (entry.similarity, entry.reason, entry.confidence)
        rows.append(tuple(map(storable, (number, *texts, *paths, *facts))))
        if len(rows) >= BATCH:
            _write_values(connection, rows)
            rows = []
    _write_values(connection, rows)


def _write_values(connection: sqlite3.Connection, rows: list[tuple[object, ...]]) -> None:
    connection.executemany(f"INSERT INTO wrongs VALUES ({', '.join('?' * 14)})", rows)
    texts: dict[object, list[str]] = {}
    for number, _, _, _, _, gold, pred, *_ in rows:
        texts.setdefault(number, []).extend(str(text).casefold() for text in (gold, pred) if text)
    connection.executemany(
        "UPDATE texts SET folded = folded || ? WHERE n = ?",
        [("".join(f"\n{text}" for text in own), number) for number, own in texts.items()],
    )


def _unpatched(stored: StoredInputs) -> Prepared:
    """Open the inputs of a run as it read them, but gold without the decisions of a patch."""
    gold, pred = stored.inputs()
    options = replace(Options(**stored.args()), settings=stored.settings(), gold_patch=None)
    return open_run(gold, pred, options, plan=stored.header.plan)


def _put_trees(
    connection: sqlite3.Connection,
    numbers: Mapping[str, int],
    prepared: Prepared,
    *,
    with_values: bool,
) -> None:
    """Keep gold and pred of every document, so that one can be opened without reading the others.

    With values, what is wrong is worked out as well, because the run has not kept it.
    """
    for pair in prepared.pairing:
        number = numbers.get(pair.id)
        if number is None:
            continue
        trees = [_packed_tree(tree) for tree in pair.trees]
        same = digest_of_pair(*map(unpacked, trees)) == digest_of_pair(*pair.trees)
        if same:
            places = (None if side is None else side.where for side in (pair.gold, pair.pred))
            row = (number, *trees, *map(storable, places))
            connection.execute("INSERT OR REPLACE INTO trees VALUES (?, ?, ?, ?, ?)", row)
        if with_values and pair.gold is not None:
            case = make_case(pair.id, *pair.trees, prepared.bound.layouts, origin=pair)
            causes = causes_of(case)
            values = []
            (blocks,) = wrong_blocks([case])
            for block in blocks:
                gold_row, pred_row = block.groups
                line = (block.pred if block.gold is None else block.gold) or ""
                own = causes[id(gold_row), id(pred_row)]
                values += [
                    StoredValue(entry, cause, line)
                    for entry, cause in zip(block.verdicts, own, strict=True)
                ]
            _put_values(connection, numbers, values)


def _packed_tree(tree: object) -> bytes | None:
    """Return a tree as the index keeps it; None for none, and for what JSON cannot carry."""
    if tree is None:
        return None
    try:
        return packed(encode(tree))
    except (TypeError, UnicodeError, RecursionError, OverflowError):
        return None


def build_comparison(folders: list[str], keys: list[str], file: str) -> str:
    """Compare runs, keep it in an index, and return "" or why that cannot be."""
    try:
        comparison = compare_runs(named_runs(folders))
    except DocassayError as error:
        DocumentIndex(Path(file)).keep("comparison failed", error.sentence.encode())
        return ""
    index = DocumentIndex(Path(file))
    index.keep("comparison", encoded(comparison_data(comparison, keys=keys)))
    index.keep("comparison failed", b"")
    return ""


def build_suspects(folders: list[str], gold: str | None, files: list[str]) -> str:
    """Audit the gold of runs, keep the suspects in their indices, return "" or why not."""
    try:
        opened = [reopened(run, gold)[0] for run in named_runs(folders)]
        audit = audit_runs(opened)
    except DocassayError as error:
        return error.sentence
    suspects = [
        (
            each.document,
            StoredSuspect(
                each.path,
                each.field,
                each.gold,
                each.proposed,
                each.score,
                tuple(evidence.words for evidence in each.evidence),
            ),
        )
        for each in audit.suspects
    ]
    for file in files:
        DocumentIndex(Path(file)).keep_suspects(suspects)
    return ""
