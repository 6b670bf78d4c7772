"""Benchmarks at hand: public data sets in the layouts they are published in, ready to extract from.

A copy on disk becomes gold in our form, a list of its documents with their images or PDFs, and a
schema to make prompts from. Nothing is fetched. Values stay as annotated; where a data set says
less than a document-level answer needs (boxes of WildReceipt that belong to no row), it is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from docassay.errors import DataError, UnknownName
from docassay.extract.layouts import (
    BENCHMARKS,
    LAYOUTS,
    NOTES,
    BenchmarkDocument,
    vrdu_corpus,
)
from docassay.load.files import existing
from docassay.load.format import AnnotatedTree
from docassay.load.formats.vrdu import meta_file
from docassay.load.wire import encode
from docassay.model.problem import Problem
from docassay.model.schema import Field, GroupSpec, Schema
from docassay.run.output import write_bytes, writing
from docassay.schema.infer import guess_schema
from docassay.schema.source import load_schema
from docassay.schema.write import to_yaml

PLAIN = "exact"
"""The type of every field where a benchmark compares texts as they are."""
CORD_FIELDS = {
    "menu": "an item that was bought", "menu.nm": "name of the item",
    "menu.num": "number of the item", "menu.unitprice": "price of one",
    "menu.cnt": "how many", "menu.discountprice": "discount on the item",
    "menu.price": "price of all of them", "menu.itemsubtotal": "price after the discount",
    "menu.vatyn": "whether tax is included", "menu.etc": "anything else about the item",
    "menu.sub": "an item that belongs to the one above", "menu.sub_nm": "its name",
    "menu.sub_unitprice": "its price of one", "menu.sub_cnt": "how many of it",
    "menu.sub_price": "its price", "menu.sub_etc": "anything else about it",
    "void_menu": "an item that was cancelled", "void_menu.nm": "its name",
    "void_menu.price": "its price", "subtotal.subtotal_price": "sum before tax and service",
    "subtotal.discount_price": "discount on the sum", "subtotal.service_price": "service charge",
    "subtotal.othersvc_price": "other charges", "subtotal.tax_price": "tax",
    "subtotal.etc": "anything else about the sum", "total.total_price": "sum to be paid",
    "total.total_etc": "anything else about the total", "total.cashprice": "paid in cash",
    "total.changeprice": "change given", "total.creditcardprice": "paid by card",
    "total.emoneyprice": "paid by electronic money", "total.menutype_cnt": "kinds of items",
    "total.menuqty_cnt": "items in all",
}  # fmt: skip
"""What the fields of CORD are."""


class PreparedBenchmark(NamedTuple):
    """What was written, and what should be said about it."""

    gold: Path
    documents: Path
    schema: Path
    size: int
    notes: tuple[str, ...]


def prepare(
    name: str,
    path: str | Path,
    out: str | Path,
    *,
    split: str | None = None,
    limit: int | None = None,
    typed: bool = False,
) -> PreparedBenchmark:
    """Write gold.jsonl, documents.jsonl and schema.yaml of a data set at hand into a folder."""
    if name not in BENCHMARKS:
        raise UnknownName("benchmark", name, BENCHMARKS)
    root, folder = existing(Path(path)).resolve(), Path(out)
    if not root.is_dir():
        raise DataError("is a file", where=str(root), hint="give the folder of the data set")
    items = [*BENCHMARKS[name](root, split)]
    problems = [item for item in items if isinstance(item, Problem)]
    documents = [item for item in items if isinstance(item, BenchmarkDocument)][:limit]
    if not documents:
        raise DataError(f"holds no documents of {name}", where=str(root), hint=LAYOUTS[name])
    notes = [f"{problem.document or problem.where}: {problem.message}" for problem in problems]
    without = [item.id for item in documents if not item.pages and item.image is None]
    if without:
        notes.append(f"{len(without)} documents have no image: {', '.join(without[:3])}")
    schema = _schema(name, root, documents, typed=typed)
    gold, listed, described = (folder / f for f in ("gold.jsonl", "documents.jsonl", "schema.yaml"))
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lines = [encode({"id": item.id, "fields": _plain(item.tree)}) for item in documents]
        write_bytes(gold, "".join(f"{line}\n" for line in lines).encode())
        lines = [encode(line) for item in documents for line in _listed(item, folder)]
        write_bytes(listed, "".join(f"{line}\n" for line in lines).encode())
        write_bytes(described, to_yaml(schema).encode())
    return PreparedBenchmark(
        gold, listed, described, len(documents), (*notes, *NOTES.get(name, ()))
    )


def _plain(tree: object) -> object:
    return dict(tree) if isinstance(tree, AnnotatedTree) else tree


def _listed(item: BenchmarkDocument, folder: Path) -> Iterator[dict[str, object]]:
    """Yield the line of a document; an image in memory becomes a file."""
    if item.image is not None:
        suffix = "png" if item.image.startswith(b"\x89PNG") else "jpg"
        plain = re.sub(r"[^\w.-]", "_", item.id)
        name = f"images/{plain}.{suffix}"
        (folder / "images").mkdir(exist_ok=True)
        write_bytes(folder / name, item.image)
        yield {"id": item.id, "path": name}
    elif len(item.pages) == 1:
        yield {"id": item.id, "path": str(item.pages[0])}
    elif item.pages:
        yield {"id": item.id, "pages": [str(page) for page in item.pages]}


def _schema(
    name: str, root: Path, documents: Sequence[BenchmarkDocument], *, typed: bool
) -> Schema:
    """Return the schema of a data set: its own, or what its gold holds, as text unless typed."""
    meta = meta_file(vrdu_corpus(root)) if name == "vrdu" else None
    if meta is not None:
        return replace(load_schema(meta), name=name)
    schema = guess_schema(_plain(item.tree) for item in documents).schema
    if schema is None:
        raise DataError(f"gold of {name} has no values", where=str(root), hint=LAYOUTS[name])
    if name == "cord":
        schema = _described(schema)
    return replace(schema if typed else _as_text(schema), name=name, extra="count")


def _as_text(schema: Schema) -> Schema:
    return replace(
        schema,
        fields=tuple(map(_plain_field, schema.fields)),
        groups=tuple(map(_plain_group, schema.groups)),
        unnamed=PLAIN,
    )


def _plain_field(field: Field) -> Field:
    return Field(field.path, PLAIN, aliases=field.aliases, description=field.description)


def _plain_group(group: GroupSpec) -> GroupSpec:
    inner = tuple(map(_plain_group, group.groups))
    return replace(group, fields=tuple(map(_plain_field, group.fields)), groups=inner)


def _described(schema: Schema) -> Schema:
    """Return the schema of CORD with what its fields are, and the names that models give them."""

    def described(field: Field) -> Field:
        words = CORD_FIELDS.get(field.path.replace("sub_total.", "subtotal."), "")
        _, mark, name = field.path.partition(".sub_")
        aliases = (name, f"sub_{name}") if mark else ()
        return replace(field, description=words, aliases=aliases)

    def group(spec: GroupSpec) -> GroupSpec:
        fields = tuple(map(described, spec.fields))
        inner = tuple(map(group, spec.groups))
        words = CORD_FIELDS.get(spec.path, "")
        return replace(spec, fields=fields, groups=inner, description=words)

    return replace(schema, groups=tuple(map(group, schema.groups)))
