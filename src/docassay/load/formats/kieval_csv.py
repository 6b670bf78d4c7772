"""Format kieval-csv: the grouped text format of the tool released with the KIEval paper.

Blocks are split by blank lines. A block of a group is its id, its tab-separated keys, and one line
a row; a block of entities outside groups is `non_group` (or no header at all) and one
`key<TAB>value` a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from docassay.load.files import files, id_of, read_bytes
from docassay.load.format import Record, format
from docassay.load.records import Records, reshaped
from docassay.load.wire import Decoded, to_text
from docassay.model.problem import ProblemCode, Remark

EMPTY = "<empty>"
SEPARATOR = "||"
NON_GROUP = re.compile(r"non[ _-]?group", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\r|\n")
_QUOTED = re.compile(r'"(?:[^"]|"")*"', re.DOTALL)

Rows = list[dict[str, object]]


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether a text begins with a group's number and its dotted keys, or with non_group."""
    lines = _LINE_END.split(to_text(head).text.lstrip("\r\n"))[:2]
    if len(lines) < 2 or not lines[1].strip():
        return False
    keys = lines[1].split("\t")
    return (lines[0].isdecimal() and (len(keys) > 1 or "." in keys[0])) or (
        NON_GROUP.fullmatch(lines[0].strip()) is not None and len(keys) > 1
    )


@format("kieval-csv", sniff=looks_like, protocol=True)
def load(path: Path) -> Records:
    """Read a folder of ID.csv in KIEval's grouped format: group id, keys, one line a row."""
    records = (
        Record(id_of(file, path), content, str(file))
        for file in files(path, (".csv", ".tsv"))
        if (content := read_bytes(file)).strip() or file != path
    )
    yield from reshaped(records, _shape)


def _shape(content: object) -> Decoded:
    assert isinstance(content, bytes)
    text, problems = to_text(content)
    return Decoded(parse(text, problems), problems)


def parse(text: str, problems: list[Remark]) -> dict[str, object]:
    """Return the tree of one document; what does not fit is added to the problems."""
    fields: dict[str, list[object]] = {}
    groups: dict[str, Rows] = {}
    blocks = list(_blocks(text))
    types = _types([block for _, block in blocks if _is_group(block)])
    for number, block in blocks:
        header = block[0]
        if _is_group(block):
            _read_group(number, block, types, groups, problems)
            continue
        body = block if "\t" in header else block[1:]
        for place, line in enumerate(body, start=number + len(block) - len(body)):
            key, tab, value = line.partition("\t")
            if not tab or "\t" in value:
                cells = len(line.split("\t"))
                problems.append(
                    Remark(
                        ProblemCode.BROKEN_LINE,
                        f"line {place}: {cells} cells where a key and a value are due",
                    )
                )
            fields.setdefault(key, []).extend(_values(value) if tab else ())
    problems.extend(
        Remark(
            ProblemCode.BROKEN_ENTRY, f"{name!r} is both a field and a group; the field is left out"
        )
        for name in sorted(fields.keys() & groups.keys())
    )
    return {**{key: _single(values) for key, values in fields.items()}, **groups}


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the runs of lines that are not blank, each with the number of its first line."""
    block: list[str] = []
    for number, line in enumerate((*_LINE_END.split(text), ""), start=1):
        if line.strip(" "):
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []


def _is_group(block: list[str]) -> bool:
    """Say whether a block holds a group: a number heads it, or a name with a table below."""
    header = block[0].strip()
    if "\t" in block[0] or NON_GROUP.fullmatch(header):
        return False
    return header[:1].isdigit() or any(line.count("\t") != 1 for line in block[1:])


def _read_group(
    number: int,
    block: list[str],
    types: dict[str, str],
    groups: dict[str, Rows],
    problems: list[Remark],
) -> None:
    if len(block) == 1:
        problems.append(
            Remark(
                ProblemCode.BROKEN_LINE, f"line {number}: group {block[0].strip()!r} has no keys"
            )
        )
        return
    keys = _keys(block)
    rows = groups.setdefault(types[block[0].strip()], [])
    for place, line in enumerate(block[2:], start=number + 2):
        cells = line.split("\t")
        if len(cells) != len(keys):
            extra = f"; {cells[len(keys) :]!r} left out" if len(cells) > len(keys) else ""
            problems.append(
                Remark(
                    ProblemCode.BROKEN_LINE,
                    f"line {place}: {len(cells)} cells for {len(keys)} keys{extra}",
                )
            )
        row: dict[str, list[object]] = {}
        for key, cell in zip(keys, cells, strict=False):  # unequal lengths were said above
            row.setdefault(key, []).extend(_values(cell))
        rows.append({key: _single(values) for key, values in row.items()})


def _keys(block: list[str]) -> list[str]:
    return [_unquoted(key) for key in block[1].split("\t")]


def _types(blocks: list[list[str]]) -> dict[str, str]:
    """Return the type of each group id: the first path segment that all its keys share.

    The id stands where keys share none, and where two ids would get one type.
    """
    shared: dict[str, str] = {}
    for block in blocks:
        group_id = block[0].strip()
        keys = _keys(block) if len(block) > 1 else []
        segments = {key.partition(".")[0] if "." in key else "" for key in keys}
        only = segments.pop() if len(segments) == 1 else ""
        shared[group_id] = only if only and shared.get(group_id, only) == only else group_id
    uses = Counter(shared.values())
    return {group_id: kind if uses[kind] == 1 else group_id for group_id, kind in shared.items()}


def _values(cell: str) -> list[object]:
    if cell == EMPTY:
        return []
    return list(_unquoted(cell).split(SEPARATOR))


def _single(values: list[object]) -> object:
    return values[0] if len(values) == 1 else values or None


def _unquoted(cell: str) -> str:
    """Return a cell as it was before a CSV writer put it in quotes."""
    return cell[1:-1].replace('""', '"') if _QUOTED.fullmatch(cell) else cell
