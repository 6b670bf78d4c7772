"""Corpora: a stream of documents with predictions, or the files of one with several models.

Document i depends only on the seed and on i, and its prediction on the profile besides: a small
corpus is the beginning of a large one, and all models read the same documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.errors import ConfigurationError, FileError, UnknownName
from docassay.synth.documents import KINDS, gold_document
from docassay.synth.predict import Cause, predict
from docassay.synth.profiles import Profile, profile_of
from docassay.synth.schema_file import schema_text

ALL_KINDS = tuple(KINDS)
_PROGRESS_EVERY = 100
_OWN_NAMES = frozenset({"gold", "causes"})


class Sample(NamedTuple):
    """One document: gold, what a model made of it, and why they differ."""

    id: str
    gold: dict[str, object]
    pred: dict[str, object]
    causes: tuple[Cause, ...]


def generate(
    docs: int,
    *,
    rows: int | None = 5,
    seed: int = 0,
    kinds: Sequence[str] = ALL_KINDS,
    profile: Profile | str = "careful",
    confidences: bool = True,
) -> Iterator[Sample]:
    """Return a stream of documents with `rows` rows each, or with one to twelve for None."""
    _check(docs, rows, kinds)
    return _samples(docs, rows, seed, tuple(kinds), profile_of(profile), confidences)


def _samples(
    docs: int,
    rows: int | None,
    seed: int,
    kinds: tuple[str, ...],
    model: Profile,
    confidences: bool,
) -> Iterator[Sample]:
    for index in range(docs):
        gold = gold_document(seed, index, kinds=kinds, rows=rows)
        pred = predict(gold, model, seed=seed, index=index, confidences=confidences)
        yield Sample(gold.id, gold.tree, pred.tree, pred.causes)


def write_corpus(
    out: Path,
    *,
    docs: int,
    rows: int | None = None,
    seed: int = 0,
    models: Sequence[Profile | str] = ("careful", "hasty"),
    kinds: Sequence[str] = ALL_KINDS,
    confidences: bool = True,
    progress: Callable[[int], None] | None = None,
) -> list[Path]:
    """Write gold.jsonl, a file a model, causes.jsonl and schema.yaml, and return their paths.

    Files of these names are replaced. `progress` is told how many documents are done.
    """
    _check(docs, rows, kinds)
    profiles = _distinct([profile_of(model) for model in models])
    names = ["gold", *(profile.name for profile in profiles), "causes"]
    paths = [out / f"{name}.jsonl" for name in names]
    schema = out / "schema.yaml"
    encode = msgspec.json.Encoder().encode
    try:
        out.mkdir(parents=True, exist_ok=True)
        schema.write_text(schema_text(), encoding="utf-8")
        with ExitStack() as stack:
            golds, *preds, causes = [stack.enter_context(path.open("wb")) for path in paths]
            for index in range(docs):
                gold = gold_document(seed, index, kinds=tuple(kinds), rows=rows)
                golds.write(encode({"id": gold.id, "fields": gold.tree}) + b"\n")
                for profile, file in zip(profiles, preds, strict=True):
                    pred = predict(gold, profile, seed=seed, index=index, confidences=confidences)
                    file.write(encode({"id": gold.id, "fields": pred.tree}) + b"\n")
                    for cause in pred.causes:
                        label = {"id": gold.id, "model": profile.name, **cause._asdict()}
                        causes.write(encode(label) + b"\n")
                _report(progress, index + 1, docs)
    except OSError as error:
        raise FileError(
            f"cannot write a corpus: {error.strerror or error}", where=str(error.filename or out)
        ) from error
    return [*paths, schema]


def _report(progress: Callable[[int], None] | None, done: int, docs: int) -> None:
    if progress is not None and (done % _PROGRESS_EVERY == 0 or done == docs):
        progress(done)


def _check(docs: int, rows: int | None, kinds: Sequence[str]) -> None:
    if docs < 0:
        raise ConfigurationError(f"docs: {docs} is not a number of documents")
    if rows is not None and rows < 1:
        raise ConfigurationError(
            f"rows: {rows} is not a number of rows", hint="at least 1, or none for a natural spread"
        )
    if not kinds:
        raise ConfigurationError("kinds: none given", hint=f"there is: {', '.join(KINDS)}")
    for kind in kinds:
        if kind not in KINDS:
            raise UnknownName("kind of document", kind, KINDS)


def _distinct(profiles: Sequence[Profile]) -> Sequence[Profile]:
    taken = set(_OWN_NAMES)
    for profile in profiles:
        if profile.name in taken:
            raise ConfigurationError(
                f"models: two files would be called {profile.name}.jsonl",
                hint="give each model a name of its own",
            )
        taken.add(profile.name)
    return profiles
