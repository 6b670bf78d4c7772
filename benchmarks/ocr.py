"""How well text recognition and the rule extractor read 40 generated receipts and invoices.

Pages are drawn by `docassay synth --pages jpg`: five fonts, two layouts of rows, slopes up to 1.5
degrees, blur, noise, tint and JPEG. Each engine reads them, the rules extract, docassay scores.
The row `text` is the same without pictures: what is lost there is the rules' doing, and what an
engine loses beyond it is the engine's.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

import docassay as da
from docassay.errors import ConfigurationError
from docassay.extract.documents import DocumentFile, document_text, list_documents, page_images
from docassay.extract.ocr import ENGINES, OcrText, Recogniser, ocr_engine, text_as_words
from docassay.extract.rules import extract_by_rules
from docassay.synth.corpus import write_corpus
from docassay.synth.pages import write_pages

KINDS = ("invoice", "receipt")
SEED = 1
"""Not the one that the rules were written with."""
HEAD = "| engine | aligned | 95 % interval | corrections | fully correct | CPU seconds a page |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--docs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", help="keep pages, gold and predictions here")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder if given.out is None else given.out)
        write_corpus(out, docs=given.docs, seed=given.seed, kinds=KINDS)
        for form in ("jpg", "txt"):
            write_pages(
                out / form, docs=given.docs, rows=None, seed=given.seed, kinds=KINDS, form=form
            )
        print(f"{given.docs} pages, seed {given.seed}\n\n{HEAD}\n{'| --- ' * 6}|", flush=True)
        for row in rows(out):
            print(row, flush=True)


def rows(out: Path) -> Iterator[str]:
    """Yield a line of the table for each engine that is there."""
    yield row_of("text", out, list_documents(out / "txt"), text_of)
    for name in ENGINES:
        try:
            engine = ocr_engine(name)
        except ConfigurationError as error:
            yield f"| {name} | not measured: {error.what} | | | | |"
            continue
        yield row_of(name, out, list_documents(out / "jpg"), partial(read_by, engine))


def read_by(engine: Recogniser, page: DocumentFile) -> OcrText:
    """Return the words that an engine finds on a page."""
    return engine(page_images(page))


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its children, which other work does not change."""
    return sum(os.times()[:4])


def text_of(document: DocumentFile) -> OcrText:
    return text_as_words(document_text(document) or "")


def row_of(
    name: str,
    out: Path,
    documents: tuple[DocumentFile, ...],
    words_of: Callable[[DocumentFile], OcrText],
) -> str:
    """Extract and score; return a line of the table."""
    schema = da.load_schema(out / "schema.yaml")
    records, seconds = {}, []
    for document in documents:
        start = cpu_seconds()
        records[document.id] = extract_by_rules(words_of(document), schema)
        seconds.append(cpu_seconds() - start)
    report = da.score(out / "gold.jsonl", records, schema=schema)
    aligned = report["kieval.aligned"]
    corrections = report["kieval.corrections"].value
    right = report["kieval.documents_exact"].value
    few = aligned.low is None or aligned.high is None
    between = "too few pages" if few else f"{aligned.low:.3f} to {aligned.high:.3f}"
    return (
        f"| {name} | {aligned.value:.3f} | {between} | {corrections} "
        f"| {right} of {len(documents)} | {median(seconds):.2f} |"
    )


if __name__ == "__main__":
    main()
