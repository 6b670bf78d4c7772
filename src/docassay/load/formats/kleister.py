"""Format kleister: `key=value` pairs, one line a document, as Kleister and GEval keep them.

The lines have no ids. They stand in the same order as those of `in.tsv` (or `in.tsv.xz`), whose
first column names the documents; without such a file beside them, documents pair by position. A
blank line is a document without values.
"""

from __future__ import annotations

import gzip
import lzma
import re
from pathlib import Path

from docassay.errors import DataError
from docassay.load.files import existing, files, opening, read_bytes
from docassay.load.format import Record, format
from docassay.load.formats.service import Found, Remarks, remark, settled
from docassay.load.records import Records, flaw
from docassay.load.wire import to_text

INPUTS = ("in.tsv", "in.tsv.xz", "in.tsv.gz")
HEADERS = ("in-header.tsv", "out-header.tsv")
EXPECTED = "expected.tsv"
_PAIR = re.compile(r"([^\s=]+)=(\S*)")
_LINE = re.compile(r"[A-Za-z_][\w.-]*=\S*(?: +[A-Za-z_][\w.-]*=\S*)*")
_LOOKED_AT = 20


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether the first lines of a .tsv file are pairs of key and value."""
    if path.suffix.lower() != ".tsv" or b"\0" in head:
        return False
    lines = [line.strip() for line in to_text(head).text.splitlines() if line.strip()]
    lines = lines[:-1][:_LOOKED_AT] or lines  # the last one may be cut off
    return bool(lines) and all(_LINE.fullmatch(line) for line in lines)


@format("kleister", sniff=looks_like, beside=(*INPUTS, *HEADERS), protocol=True)
def load(path: Path, *, inputs: str | None = None) -> Records:
    """Read Kleister's expected.tsv or out.tsv; `inputs` is the in.tsv that names the documents."""
    listed = [
        file
        for file in files(path, (".tsv",))
        if file == path or file.name not in (*INPUTS, *HEADERS)
    ]
    # beside what is expected, a folder may hold what somebody predicted
    expected = [file for file in listed if file.name == EXPECTED]
    for file in expected or listed:
        yield from _documents(file, _names(file, inputs))


def _documents(file: Path, names: list[str] | None) -> Records:
    text, problems = to_text(read_bytes(file))
    if not text.strip():
        return
    for problem in problems:
        yield flaw(None, problem, str(file))
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    if names is not None and len(names) != len(lines):
        raise DataError(
            f"has {len(lines)} lines for {len(names)} documents of in.tsv",
            where=str(file),
            hint="is it the right in.tsv? name it with kleister.inputs",
        )
    for number, line in enumerate(lines, start=1):
        where = f"{file}:{number}"
        record_id = None if names is None else names[number - 1]
        tree, remarks = _fields(line)
        for message in remarks:
            yield flaw(record_id, message, where)
        yield Record(record_id, tree, where)


def _fields(line: str) -> tuple[Found, Remarks]:
    """Return the fields of a line; a key that stands several times has several values."""
    fields: dict[str, list[object]] = {}
    remarks: Remarks = []
    for part in line.split():
        match = _PAIR.fullmatch(part)
        if match is None:
            remarks.append(remark(f"{part!r} is not key=value; left out"))
        elif match[2]:
            fields.setdefault(match[1], []).append(match[2].replace("_", " ").strip())
    return settled(fields), remarks


def _names(file: Path, inputs: str | None) -> list[str] | None:
    """Return the names of the documents of a file, None when nothing says them."""
    beside = (file.with_name(name) for name in INPUTS)
    place = existing(Path(inputs)) if inputs else next((p for p in beside if p.is_file()), None)
    if place is None or place == file:
        return None
    lines = _unpacked(place).replace("\r\n", "\n").removesuffix("\n").split("\n")
    names = [line.partition("\t")[0].strip() for line in lines]
    if not all(names):
        raise DataError("has a line without the name of a document", where=str(place))
    return names


def _unpacked(file: Path) -> str:
    data = read_bytes(file)
    try:
        with opening(file):
            if file.suffix == ".xz":
                data = lzma.decompress(data)
            elif file.suffix == ".gz":
                data = gzip.decompress(data)
    except lzma.LZMAError as error:
        raise DataError(f"cannot be unpacked: {error}", where=str(file)) from None
    return to_text(data).text
