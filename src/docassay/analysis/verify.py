"""Verifying numbers: a report is made again from its signature and its inputs, and compared.

Two things may go wrong, and they are told apart. A number may *differ* from the one that comes out
now, though everything that it depends on is as it was: then somebody has changed it. Or something
that it depends on has *changed* (an input, the schema, a version), and then other numbers are to be
expected: what has changed is named, beside the numbers that it changes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.analysis.aggregate import build
from docassay.errors import (
    EXIT_DATA,
    EXIT_FINE,
    EXIT_REQUIREMENT,
    ConfigurationError,
    DataError,
    DocassayError,
)
from docassay.load.files import existing, read_bytes
from docassay.model.report import DRAWS, Report
from docassay.model.words import count, first_names, listed
from docassay.run.engines.runner import Telling, run_prepared
from docassay.run.engines.serial import ledger_of
from docassay.run.ledger import LEDGER, Header, InputRecord, Ledger, read_ledger
from docassay.run.open import Prepared, prepare
from docassay.run.parts import Wanted
from docassay.run.plan import Call, Plan, bind, signed_parts, signed_versions
from docassay.run.reopen import SCHEMA, StoredInputs, digest_of_input, locate_inputs, open_stored
from docassay.run.score import Row
from docassay.version import VERSION

REPORT = "report.json"
CLAIM = "claim"
PATCH = "patch"
CLOSE = 1e-9
"""How far numbers may lie apart that another machine has added up."""
HALF = Decimal("0.5")
ROUNDING = Decimal("1e-12")
MOST_NAMES = 3
"""How many documents a sentence names."""
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
_CLAIM_HINT = "write it as aligned=0.972, corrections=62 or aligned@total=97.2%"


class QuotedScore(NamedTuple):
    """A number that somebody quotes, to be held against the one that comes out."""

    address: str
    text: str
    """As it was written: how many digits it has decides how exact it must be."""
    number: Decimal
    tolerance: Decimal
    """Half of the last digit."""

    def holds(self, value: float | int | None) -> bool:
        """Whether a value, rounded as the number was, is the number."""
        if value is None:
            return False
        return abs(Decimal(value) - self.number) <= self.tolerance + ROUNDING


class ScoreMismatch(NamedTuple):
    """A score that is not what was written down."""

    address: str
    part: str
    """Of the score: value, support, low or high."""
    quoted: str
    recomputed: float | int | None
    where: str
    """Where it was written down: a file, or CLAIM."""


class RunChange(NamedTuple):
    """Something that the numbers depend on and that is not what it was."""

    what: str
    """gold, pred, schema, docassay, metrics, or the name of an option."""
    before: str
    now: str
    where: str = ""


@dataclass(frozen=True, repr=False)
class Verification:
    """What came of making the numbers of a run again."""

    run: str
    signature: str
    """Of the run as it was recorded."""
    documents: int
    scores: int
    """How many were compared."""
    differing: tuple[ScoreMismatch, ...] = ()
    changes: tuple[RunChange, ...] = ()
    stale: tuple[str, ...] = ()
    """Files of the run whose tables show other numbers."""
    claims: tuple[QuotedScore, ...] = ()
    inputs: tuple[str, ...] = ()
    """Where gold and pred were read from."""
    notes: tuple[str, ...] = ()
    version: str = VERSION

    @property
    def equal(self) -> bool:
        """Whether every number came out as it was written down, from what it was made of."""
        return not (self.differing or self.changes or self.stale)

    @property
    def exit_code(self) -> int:
        """0 for equal, 1 for a number that differs, 3 where what it depends on has changed."""
        if self.changes:
            return EXIT_DATA
        return EXIT_FINE if self.equal else EXIT_REQUIREMENT

    def __repr__(self) -> str:
        """Return "equal", or what differs."""
        scored = f"{count(self.scores, 'score')} of {count(self.documents, 'document')}"
        if self.equal:
            return f"equal: {scored}"
        lines = [
            *(f"changed: {each.what} {each.where or ''}".rstrip() for each in self.changes),
            *(f"stale: {name}" for name in self.stale),
            *(f"{each.address}: {each.quoted} → {each.recomputed}" for each in self.differing),
        ]
        return listed(f"not equal: {scored}", lines)


class Verified(NamedTuple):
    """A verification with the report that was made for it, None where none could be."""

    verification: Verification
    report: Report | None
    folder: Path | None
    """The folder of the run, None for a report on its own."""


class _StoredScore(msgspec.Struct):
    metric: str
    readout: str
    key: str
    slice: str
    value: float | int | None
    support: int
    low: float | None = None
    high: float | None = None

    @property
    def address(self) -> str:
        key = f"@{self.key}" if self.key else ""
        part = f"[{self.slice}]" if self.slice else ""
        return f"{self.metric}.{self.readout}{key}{part}"


class _MadeBy(msgspec.Struct):
    plan: Plan
    display: tuple[Call, ...]
    inputs: dict[str, InputRecord]
    reading: dict[str, object]
    by: str | list[str] | None
    seed: int
    cluster: str | None = None
    draws: int = DRAWS


class _StoredReport(msgspec.Struct):
    signature: str
    documents: int
    scores: list[_StoredScore]
    run: _MadeBy | None = None


class _AskedFor(NamedTuple):
    """What a report shows besides its scores: slices, and intervals by draws."""

    by: str | list[str] | None = None
    seed: int = 0
    cluster: str | None = None
    draws: int = DRAWS


class _Quoted(NamedTuple):
    """What was written down: a header, the rows if a ledger has them, a report if there is one."""

    header: Header
    rows: Sequence[Row] | None
    report: _StoredReport | None
    home: Path
    file: str
    """The name of the report's file."""
    signed: tuple[tuple[str, Plan], ...]
    """Signatures, each with the plan that it stands for."""


def parse_claim(text: str) -> QuotedScore:
    """Return the quoted number that `ADDRESS=NUMBER` states; a percentage is a share."""
    address, sign, figure = (part.strip() for part in text.rpartition("="))
    share = figure.endswith("%")
    digits = figure.removesuffix("%").strip().replace("−", "-")
    if _THOUSANDS.fullmatch(digits):
        digits = digits.replace(",", "")
    try:
        number = Decimal(digits)
    except InvalidOperation:
        number = Decimal("NaN")
    if not (sign and address and number.is_finite()):
        raise ConfigurationError(f"{text!r} quotes no score", hint=_CLAIM_HINT)
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)  # of a finite number
    tolerance = HALF.scaleb(exponent)
    scale = Decimal(100) if share else Decimal(1)
    return QuotedScore(address, figure, number / scale, tolerance / scale)


def verify_run(
    place: str | Path,
    *,
    gold: str | Path | None = None,
    pred: str | Path | None = None,
    claims: Sequence[str] = (),
    signature: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Verified:
    """Make the numbers of a run folder or of a report again and compare them.

    `gold` and `pred` say where the inputs are now, `claims` are quoted numbers such as
    `aligned=0.972`, and `signature` is one that was quoted with them.
    """
    wanted = tuple(map(parse_claim, claims))
    quoted = _read(Path(place))
    header = quoted.header
    stored = locate_inputs(Ledger(header, quoted.rows or ()), quoted.home, gold=gold, pred=pred)
    sources = tuple(str(path) for path in stored.inputs() if path is not None)
    changes = [
        *_changed_signature(quoted),
        *([] if signature is None else _changes_of(signature, header.signature)),
        *_changed_files(stored, gold, pred),
        *_changed_schema(header),
    ]
    start = Verification(
        str(place), header.signature, 0, 0, claims=wanted, inputs=sources, changes=tuple(changes)
    )
    folder = quoted.home if quoted.rows is not None else None
    try:
        ledger, report = _made_again(stored, quoted, progress)
    except DocassayError as error:
        if not changes:
            raise DataError(error.what, where=error.where, hint=error.hint) from error
        # what has changed says more than that it can no longer be scored
        return Verified(replace(start, notes=(f"not scored again: {error}",)), None, folder)
    changes += _changed_documents(quoted, ledger)
    differing = [
        *_ledger_differences(quoted, ledger),
        *_report_differences(quoted, report),
        *_claim_differences(wanted, report),
    ]
    verification = replace(
        start,
        documents=report.documents,
        scores=len(report.scores),
        differing=tuple(differing),
        changes=tuple(changes),
        notes=() if quoted.report is not None else (_NO_REPORT,),
    )
    return Verified(verification, report, folder)


_NO_REPORT = f"there is no {REPORT}: the scores of the ledger were compared"


def _read(place: Path) -> _Quoted:
    """Return what a run folder, a ledger or a report holds."""
    path = existing(place) if place.exists() else place
    if not path.exists() or path.is_dir() or path.name == LEDGER:
        home = path if path.is_dir() else path.parent
        if path.is_dir() and not (path / LEDGER).exists() and (path / REPORT).is_file():
            return _read(path / REPORT)
        ledger = read_ledger(path)
        file = home / REPORT
        report = _read_report(file) if file.is_file() else None
        header = ledger.header
        signed = [(header.signature, header.plan)]
        if report is not None and report.run is not None:
            _check_same_run(report, report.run, header, file)
            # the report may be shown with other options of display than the run was made with
            header = header._replace(plan=replace(header.plan, display=report.run.display))
            signed.append((report.signature, header.plan))
        return _Quoted(header, ledger.rows, report, home, REPORT, tuple(signed))
    report = _read_report(path)
    if report.run is None:
        if (path.parent / LEDGER).is_file():
            return _read(path.parent)
        raise DataError(
            "the report does not say how it was made",
            where=str(path),
            hint="name the run folder; reports of this version can be verified on their own",
        )
    made = report.run
    plan = replace(made.plan, display=made.display)
    header = Header(report.signature, plan, made.inputs, made.reading)
    return _Quoted(header, None, report, path.parent, path.name, ((report.signature, plan),))


def _read_report(file: Path) -> _StoredReport:
    try:
        return msgspec.json.decode(read_bytes(file), type=_StoredReport)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"is no report of docassay: {error}", where=str(file)) from None


def _check_same_run(report: _StoredReport, made: _MadeBy, header: Header, file: Path) -> None:
    plans = (replace(made.plan, display=()).to_json(), replace(header.plan, display=()).to_json())
    if plans[0] != plans[1] or _data_of(report.signature) != _data_of(header.signature):
        raise DataError(
            "the report is of another run than the ledger beside it",
            where=str(file),
            hint=f"it is signed {report.signature}, the ledger {header.signature}",
        )


def _data_of(signature: str) -> list[str]:
    return [part for part in signature.split("|") if part.startswith(("gold:", "pred:"))]


def _changed_signature(quoted: _Quoted) -> list[RunChange]:
    """Return what this version would sign otherwise: versions, the schema, options."""
    changes: dict[RunChange, None] = {}
    for signature, plan in quoted.signed:
        try:
            now = bind(plan).signature
        except ConfigurationError as error:
            where = str(quoted.home / quoted.file)
            raise DataError(f"the plan cannot be used: {error}", where=where) from None
        # a plan does not name a patch: it is compared when it has been applied again
        changes |= dict.fromkeys(each for each in _changes_of(signature, now) if each.what != PATCH)
    return [*changes]


def _made_again(
    stored: StoredInputs, quoted: _Quoted, progress: Callable[[int], None] | None
) -> tuple[Ledger, Report]:
    prepared: Prepared = open_stored(stored)
    made = None if quoted.report is None else quoted.report.run
    asked = _AskedFor() if made is None else _AskedFor(made.by, made.seed, made.cluster, made.draws)
    by = (asked.by,) if isinstance(asked.by, str) else tuple(asked.by or ())
    outcome = run_prepared(
        prepared,
        wanted=Wanted(by=by, cluster=asked.cluster),
        telling=Telling(progress),
        with_notes=False,
    ).outcome
    ledger = ledger_of(prepared, outcome, inputs=quoted.header.inputs)
    report = build(
        ledger,
        totals=outcome.totals,
        every_problem=outcome.problems,
        by=asked.by,
        seed=asked.seed,
        cluster=asked.cluster,
        draws=asked.draws,
    )
    return ledger, report


def _parts(signature: str) -> dict[str, str]:
    """Return what a signature says, by name: its parts, and each metric's version."""
    parts: dict[str, str] = {}
    for name, value in signed_parts(signature).items():
        if name == "metrics":
            versions = signed_versions(signature).items()
            parts |= {f"metric {own}": f"version {version}" for own, version in versions}
        else:
            parts[name] = value
    return parts


def _changes_of(before: str, now: str) -> Iterator[RunChange]:
    """Yield what two signatures do not agree on, data aside where only one names it."""
    earlier, later = _parts(before), _parts(now)
    for name in dict.fromkeys((*earlier, *later)):
        if name in ("gold", "pred") and not (name in earlier and name in later):
            continue
        if earlier.get(name) != later.get(name):
            yield RunChange(name, earlier.get(name, "nothing"), later.get(name, "nothing"))


def _changed_files(
    stored: StoredInputs, gold: str | Path | None, pred: str | Path | None
) -> Iterator[RunChange]:
    """Yield the inputs whose content is not what was scored."""
    for side, path, moved in (("gold", stored.gold, gold), ("pred", stored.pred, pred)):
        record = stored.header.inputs.get(side)
        if record is None or not record.digest or path is None:
            continue
        if any(note.startswith(f"{side}:") for note in stored.notes):
            now = digest_of_input(path)
            place = str(path) if moved is None else f"{path} (moved from {record.path})"
            yield RunChange(side, f"digest {record.digest}", f"digest {now}", place)


def _changed_schema(header: Header) -> Iterator[RunChange]:
    """Yield the schema if its file says something else now; one that is gone is in the plan."""
    record = header.inputs.get(SCHEMA)
    if record is None or not record.path or not Path(record.path).exists():
        return
    now = digest_of_input(Path(record.path))
    if now == record.digest:
        return
    extra = header.reading.get("extra")
    try:
        plan = prepare(schema=record.path, extra=None if extra is None else str(extra)).plan
    except DocassayError as error:
        yield RunChange(SCHEMA, f"digest {record.digest}", f"unusable: {error.what}", record.path)
        return
    if (plan.schema, plan.schemas) != (header.plan.schema, header.plan.schemas):
        yield RunChange(SCHEMA, f"digest {record.digest}", f"digest {now}", record.path)


def _changed_documents(quoted: _Quoted, ledger: Ledger) -> Iterator[RunChange]:
    """Yield the sides whose documents are others than those that the signature names."""
    earlier, later = _parts(quoted.header.signature), _parts(ledger.header.signature)
    if earlier.get(PATCH) != later.get(PATCH):
        yield RunChange(PATCH, earlier.get(PATCH, "nothing"), later.get(PATCH, "nothing"))
    rows = {row.id: row.digest.split("-") for row in ledger.rows}
    before = {row.id: row.digest.split("-") for row in quoted.rows or ()}
    for at, side in enumerate(("gold", "pred")):
        if earlier.get(side) in (None, later[side]):
            continue
        names = sorted(
            id
            for id in {*rows, *before}
            if rows.get(id, ("", ""))[at] != before.get(id, ("", ""))[at]
        )
        which = f" in {first_names(names, MOST_NAMES)}" if before and names else ""
        documents = count(len(ledger.rows), "document")
        yield RunChange(
            f"{side} documents",
            f"digest {earlier[side]}",
            f"digest {later[side]}, {documents}: other content{which}",
        )


def _ledger_differences(quoted: _Quoted, ledger: Ledger) -> Iterator[ScoreMismatch]:
    """Yield the overall scores of the stored ledger that are others than those made again."""
    if quoted.rows is None:
        return
    again = {row.id: row.stats for row in ledger.rows}
    if {row.id: row.stats for row in quoted.rows} == again:
        return
    stored = build(Ledger(quoted.header, quoted.rows))
    fresh = {score.address: score for score in build(ledger).scores}
    for score in stored.scores:
        other = fresh.get(score.address)
        value = None if other is None else other.value
        if not _same(score.value, value):
            yield ScoreMismatch(score.address, "value", _written(score.value), value, LEDGER)


def _report_differences(quoted: _Quoted, report: Report) -> Iterator[ScoreMismatch]:
    """Yield what the stored report says of scores and what does not come out again."""
    stored = quoted.report
    if stored is None:
        return
    fresh = {score.address: score for score in report.scores}
    missing = {*fresh}
    if stored.documents != report.documents:
        documents = _written(stored.documents)
        yield ScoreMismatch("documents", "value", documents, report.documents, quoted.file)
    for score in stored.scores:
        missing.discard(score.address)
        other = fresh.get(score.address)
        if other is None:
            yield ScoreMismatch(
                score.address, "value", _written(score.value), None, f"{quoted.file}, added"
            )
            continue
        for part in ("value", "support", "low", "high"):
            before, now = getattr(score, part), getattr(other, part)
            if not _same(before, now):
                yield ScoreMismatch(score.address, part, _written(before), now, quoted.file)
    for address in sorted(missing):
        lost = f"{quoted.file}, left out"
        yield ScoreMismatch(address, "value", "nothing", fresh[address].value, lost)


def _claim_differences(claims: Iterable[QuotedScore], report: Report) -> Iterator[ScoreMismatch]:
    for claim in claims:
        score = report[claim.address]
        if not claim.holds(score.value):
            yield ScoreMismatch(score.address, "value", claim.text, score.value, CLAIM)


def _same(before: float | int | None, now: float | int | None) -> bool:
    if before is None or now is None:
        return before is now
    return math.isclose(before, now, rel_tol=CLOSE, abs_tol=CLOSE)


def _written(value: float | int | None) -> str:
    return "undefined" if value is None else repr(value)
