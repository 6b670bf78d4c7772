"""Layouts of public data sets: where gold and images stand in a copy on disk, as it is published.

Each reader takes the folder and a split, and yields documents with their gold and their pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.extract.documents import IMAGES
from docassay.load.files import numbered_lines, read_bytes, stem
from docassay.load.formats.cord import shape as cord_receipt
from docassay.load.formats.vrdu import dataset_file
from docassay.load.source import open_records
from docassay.load.wire import decode
from docassay.model.problem import Problem

CORD_SPLITS = {"train": ("train",), "dev": ("dev", "validation", "valid"), "test": ("test",)}
FUNSD_SPLITS = {"train": "training_data", "test": "testing_data"}
WILD_CLASSES = (
    "Ignore", "Store_name_value", "Store_name_key", "Store_addr_value", "Store_addr_key",
    "Tel_value", "Tel_key", "Date_value", "Date_key", "Time_value", "Time_key", "Prod_item_value",
    "Prod_item_key", "Prod_quantity_value", "Prod_quantity_key", "Prod_price_value",
    "Prod_price_key", "Subtotal_value", "Subtotal_key", "Tax_value", "Tax_key", "Tips_value",
    "Tips_key", "Total_value", "Total_key", "Others",
)  # fmt: skip
"""The classes of WildReceipt by their numbers, where its class_list.txt is not there."""
WILD_JOINED = frozenset({"Store_name_value", "Store_addr_value"})
"""Fields of which the boxes are lines of one value."""


class BenchmarkDocument(NamedTuple):
    """A document of a data set: its gold and its pages, as files or as an image in memory."""

    id: str
    tree: object
    pages: tuple[Path, ...] = ()
    image: bytes | None = None


Documents = Iterator[BenchmarkDocument | Problem]


def _folders(root: Path, name: str) -> list[Path]:
    """Return the folders of a name below a folder, itself among them, the nearest first."""
    below = [path for path in root.rglob(name) if path.is_dir()]
    own = [root] if root.name == name else []
    return own + sorted(below, key=lambda path: (len(path.parts), path))


def _image_beside(folder: Path, id: str) -> tuple[Path, ...]:
    paths = (folder / f"{id}{suffix}" for suffix in (*IMAGES, *(s.upper() for s in IMAGES), ".pdf"))
    return tuple(path for path in paths if path.is_file())[:1]


def _unknown_split(split: str, splits: Iterable[str]) -> UnknownName:
    return UnknownName("split", split, splits, where="--split")


def _records(folder: Path, format: str, image_folder: Path) -> Documents:
    """Yield what a reader of ours finds in a folder, with the image of each document."""
    for item in open_records(folder, format=format).records:
        if isinstance(item, Problem):
            if item.document:
                yield item
        elif item.tree is not None and item.id is not None:
            id = stem(item.id)
            yield BenchmarkDocument(id, item.tree, _image_beside(image_folder, id))


def _pictures(root: Path, names: Sequence[str]) -> Documents:
    """Yield the documents of Parquet files whose names begin with one of these."""
    paths = [
        path
        for path in sorted(root.rglob("*.parquet"))
        if any(re.match(rf"{name}\b", path.name) for name in names)
    ]
    if not paths:
        return
    from docassay.load.formats.parquet import with_pictures

    for number, (item, image) in enumerate(with_pictures(paths)):
        if isinstance(item, Problem):
            yield item
        else:
            id = str(number) if item.id is None else stem(item.id)
            yield BenchmarkDocument(id, item.tree, image=image)


def _cord(root: Path, split: str | None) -> Documents:
    """Yield CORD: Parquet of Hugging Face, json/ beside image/, or metadata.jsonl beside images."""
    wanted = "test" if split is None else split
    if wanted not in CORD_SPLITS:
        raise _unknown_split(wanted, CORD_SPLITS)
    names = CORD_SPLITS[wanted]
    yield from _pictures(root, names)
    for folder in (path for name in names for path in _folders(root, name)):
        for file in sorted((folder / "json").glob("*.json")):
            tree = decode(read_bytes(file), str(file)).tree
            if isinstance(tree, dict) and "valid_line" in tree and "gt_parse" not in tree:
                tree = {"gt_parse": _receipt_of_lines(tree["valid_line"])}
            shaped = cord_receipt(tree).tree
            yield BenchmarkDocument(file.stem, shaped, _image_beside(folder / "image", file.stem))
        if (folder / "metadata.jsonl").is_file():
            yield from _records(folder / "metadata.jsonl", "cord", folder)


def _receipt_of_lines(lines: object) -> dict[str, object]:
    """Return the receipt that the labelled lines of CORD make: rows by their group ids."""
    receipt: dict[str, object] = {}
    rows: dict[tuple[str, str], dict[str, object]] = {}
    for line in lines if isinstance(lines, list) else ():
        category = str(line.get("category", "")) if isinstance(line, dict) else ""
        kind, dot, name = category.partition(".")
        words = [word for word in line.get("words", ()) if isinstance(word, dict)] if dot else []
        text = " ".join(str(word.get("text", "")) for word in words if not word.get("is_key"))
        if not text.strip():
            continue
        if kind in {"menu", "void_menu"}:
            row = rows.get((kind, str(line.get("group_id"))))
            if row is None:
                row = rows[kind, str(line.get("group_id"))] = {}
                _append(receipt, kind, row)
        else:
            row = rows.setdefault((kind, ""), {})
            receipt[kind] = row
        if name.startswith("sub_"):
            inside = row.setdefault("sub", {})
            assert isinstance(inside, dict)
            row, name = inside, name.removeprefix("sub_")
        _append(row, name, text)
    return receipt


def _append(holder: dict[str, object], name: str, value: object) -> None:
    """Add a value; the second of a name makes a list."""
    before = holder.get(name)
    if isinstance(before, list):
        before.append(value)
    else:
        holder[name] = value if before is None else [before, value]


def _sroie(root: Path, split: str | None) -> Documents:
    """Yield SROIE: entities/ or key/ beside img/, key files beside images, or Parquet."""
    if split is not None and split not in {"train", "test"}:
        raise _unknown_split(split, ("train", "test"))
    yield from _pictures(root, ("test",) if split is None else (split,))
    folders = [path for name in ("entities", "key") for path in _folders(root, name)]
    folders = [path for path in folders if split is None or path.parent.name == split]
    named = [path for path in folders if path.parent.name == "test"] or folders
    for folder in named[:1]:
        pictures = (folder.parent / name for name in ("img", "images", "image"))
        yield from _records(folder, "sroie", next(filter(Path.is_dir, pictures), folder))
    if not folders and any(root.glob("*.txt")):
        yield from _records(root, "sroie", root)


def _funsd(root: Path, split: str | None) -> Documents:
    """Yield FUNSD: annotations/ beside images/ in training_data or testing_data."""
    wanted = "test" if split is None else split
    if wanted not in FUNSD_SPLITS:
        raise _unknown_split(wanted, FUNSD_SPLITS)
    for folder in _folders(root, FUNSD_SPLITS[wanted])[:1]:
        for item in _records(folder / "annotations", "funsd", folder / "images"):
            if isinstance(item, BenchmarkDocument) and isinstance(item.tree, Mapping):
                # its boxes are in pixels; gold of ours has fractions or none
                tree = {
                    label: [leaf["value"] if isinstance(leaf, Mapping) else leaf for leaf in leaves]
                    for label, leaves in item.tree.items()
                }
                yield item._replace(tree=tree)
            else:
                yield item


def _wildreceipt(root: Path, split: str | None) -> Documents:
    """Yield WildReceipt: a line a receipt in train.txt or test.txt, images below image_files/."""
    wanted = "test" if split is None else split
    files = sorted(root.rglob(f"{wanted}.txt"), key=lambda path: len(path.parts))
    if wanted not in {"train", "test"}:
        raise _unknown_split(wanted, ("train", "test"))
    for file in files[:1]:
        classes = _wild_classes(file.with_name("class_list.txt"))
        for number, line in numbered_lines(file):
            where = f"{file}:{number}"
            tree = decode(line, where).tree
            name = tree.get("file_name") if isinstance(tree, dict) else None
            if not isinstance(tree, dict) or not isinstance(name, str):
                raise DataError(
                    "is no receipt of WildReceipt", where=where, hint=LAYOUTS["wildreceipt"]
                )
            image = file.parent / name
            pages = (image,) if image.is_file() else ()
            yield BenchmarkDocument(_wild_id(name), _wild_tree(tree, classes), pages)


def _wild_id(name: str) -> str:
    """Return the id of a receipt: the path of its image, as file names repeat."""
    return name.removeprefix("image_files/").rpartition(".")[0] or name


def _wild_classes(path: Path) -> Mapping[int, str]:
    if not path.is_file():
        return dict(enumerate(WILD_CLASSES))
    rows = (line.decode().split() for _, line in numbered_lines(path))
    return {int(row[0]): row[1] for row in rows if len(row) == 2 and row[0].isdecimal()}


def _wild_tree(line: Mapping[str, object], classes: Mapping[int, str]) -> dict[str, object]:
    """Return the values of a receipt; boxes of a name or an address are lines of one value."""
    fields: dict[str, list[str]] = {}
    boxes = line.get("annotations")
    for box in boxes if isinstance(boxes, list) else ():
        label, text = (box.get("label"), box.get("text")) if isinstance(box, dict) else (None, None)
        name = classes.get(label, "") if isinstance(label, int) else ""
        if name.endswith("_value") and isinstance(text, str) and text.strip():
            fields.setdefault(name, []).append(text)
    return {
        name: " ".join(texts) if name in WILD_JOINED or len(texts) == 1 else texts
        for name, texts in fields.items()
    }


def vrdu_corpus(root: Path) -> Path:
    """Return the folder of the corpus: itself, or the only one below."""
    if dataset_file(root) is not None:
        return root
    below = [path for path in sorted(root.iterdir()) if path.is_dir() and dataset_file(path)]
    if len(below) > 1:
        raise ConfigurationError(
            "holds several corpora",
            where=str(root),
            hint=f"give one of {', '.join(path.name for path in below)}",
        )
    return below[0] if below else root


def _vrdu(root: Path, split: str | None) -> Documents:
    """Yield VRDU: main/dataset.jsonl beside main/pdfs; a split is a file of few_shot-splits."""
    corpus = vrdu_corpus(root)
    if dataset_file(corpus) is None:
        return
    names = None if split is None else _split_names(corpus / "few_shot-splits", split)
    for item in open_records(corpus, format="vrdu").records:
        if isinstance(item, Problem):
            if item.document:
                yield item
        elif item.tree is not None and item.id is not None and (names is None or item.id in names):
            pdf = corpus / "main" / "pdfs" / item.id
            yield BenchmarkDocument(item.id, item.tree, (pdf,) if pdf.is_file() else ())


def _split_names(folder: Path, split: str) -> frozenset[str]:
    """Return the test documents of a split of VRDU."""
    paths = {path.stem: path for path in sorted(folder.glob("*.json"))}
    if split not in paths:
        raise _unknown_split(split, paths)
    tree = decode(read_bytes(paths[split]), str(paths[split])).tree
    names = tree.get("test") if isinstance(tree, dict) else None
    return frozenset(map(str, names)) if isinstance(names, list) else frozenset()


def _docile(root: Path, split: str | None) -> Documents:
    """Yield DocILE: annotations/, pdfs/ and a list of ids a split."""
    folder = next(iter(_folders(root, "annotations")), None)
    if folder is None:
        return
    wanted = "val" if split is None else split
    lists = {path.stem: path for path in sorted(folder.parent.glob("*.json"))}
    if split is not None and split not in lists:
        raise _unknown_split(split, lists)
    ids = None
    if wanted in lists:
        tree = decode(read_bytes(lists[wanted]), str(lists[wanted])).tree
        ids = {str(id) for id in tree} if isinstance(tree, list) else None
    for item in _records(folder, "docile", folder.parent / "pdfs"):
        if isinstance(item, Problem) or ids is None or item.id in ids:
            yield item


BENCHMARKS: Mapping[str, Callable[[Path, str | None], Documents]] = {
    "cord": _cord,
    "sroie": _sroie,
    "funsd": _funsd,
    "wildreceipt": _wildreceipt,
    "vrdu": _vrdu,
    "docile": _docile,
}
LAYOUTS = {
    "cord": "expected test-*.parquet, test/json/*.json with test/image, or test/metadata.jsonl",
    "sroie": "expected test/entities/*.txt or key/*.json with img/*.jpg, or test-*.parquet",
    "funsd": "expected testing_data/annotations/*.json with testing_data/images",
    "wildreceipt": 'expected test.txt with lines {"file_name": …, "annotations": […]}',
    "vrdu": "expected main/dataset.jsonl(.gz) with main/pdfs and main/meta.json",
    "docile": "expected annotations/*.json with pdfs and val.json",
}
"""What a copy of each data set looks like."""
NOTES = {
    "wildreceipt": ("items, quantities and prices are lists: the data set has no rows",),
    "funsd": ("which answer belongs to which question is not part of gold",),
}
