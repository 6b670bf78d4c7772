"""A benchmark in the layout of VRDU: two data sets, their splits, predictions of made-up models.

DIR/registration-form/main/dataset.jsonl, meta.json    DIR/registration-form/few_shot-splits/
DIR/ad-buy-form/main/dataset.jsonl, meta.json          DIR/ad-buy-form/few_shot-splits/
DIR/predictions/<split>-test_predictions.json
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.errors import ConfigurationError, FileError
from docassay.load.vrdu import DATASETS, MAIN, META, PREDICTIONS, SPLITS
from docassay.model.vrdu import FUNCTIONS_KEY, PATTERNS_KEY, UNREPEATED
from docassay.splits.file import Split, write_split
from docassay.splits.make import make_splits
from docassay.synth.draw import stream
from docassay.synth.vrdu_forms import (
    AD_BUY,
    COMPONENTS,
    ITEM,
    REGISTRATION,
    Form,
    ad_buy_form,
    registration_form,
)
from docassay.synth.vrdu_models import Skill, extract

PREDICTED = (
    ("lv1-single_Amendment", (0,)),
    ("lv2-mixed_template", (0, 1)),
    ("lv3-unk_Amendment", (0,)),
    ("mixed_template", (0,)),
    ("unk_template", (0,)),
)
"""Tasks and seeds that have predictions, for every size: twelve files with two sizes."""
FEWEST = 60
_encode = msgspec.json.Encoder().encode


class _Sizes(NamedTuple):
    sizes: Sequence[int]
    test: int
    valid: int


class _Corpus(NamedTuple):
    folder: str
    dataset: str
    forms: Mapping[str, Form]
    """By file name."""
    splits: tuple[Split, ...]


def write_vrdu(
    out: Path,
    *,
    docs: int = 600,
    seed: int = 0,
    sizes: Sequence[int] | None = None,
    test: int | None = None,
    valid: int | None = None,
    every: bool = False,
    compress: bool = False,
    progress: Callable[[int], None] | None = None,
) -> list[Path]:
    """Write the benchmark and return its files; `every` predicts for every split there is.

    Three of five documents are registration forms, the others ad-buy forms. Of 600 documents, 10
    or 50 are to train on, 10 to validate and 40 to test, and of others as many in proportion.
    Files of the same names are replaced.
    """
    if docs < FEWEST:
        raise ConfigurationError(f"docs: {docs} are too few", hint=f"{FEWEST} at least")
    asked = _Sizes(
        (docs // 60, docs // 12) if sizes is None else sizes,
        docs // 15 if test is None else test,
        docs // 60 if valid is None else valid,
    )
    paths: list[Path] = []
    predicted: list[Path] = []
    done = 0
    try:
        for corpus in _corpora(docs, seed, asked):
            paths += _write_data(out / corpus.folder, corpus, compress=compress)
            chosen = [one for one in corpus.splits if every or _is_predicted(one)]
            predicted += [
                _write_predictions(out / "predictions", corpus, one, seed) for one in chosen
            ]
            done += len(corpus.forms)
            if progress is not None:
                progress(done)
    except OSError as error:
        raise FileError(
            f"cannot write a benchmark: {error.strerror or error}", where=str(error.filename or out)
        ) from error
    return [*paths, *predicted]


def _corpora(docs: int, seed: int, asked: _Sizes) -> Iterator[_Corpus]:
    registrations = docs * 3 // 5
    forms = _by_name(registration_form(seed, index) for index in range(registrations))
    splits = make_splits(_templates(forms), dataset="FARA", seed=seed, **asked._asdict())
    yield _Corpus("registration-form", "FARA", forms, tuple(splits))
    forms = _by_name(ad_buy_form(seed, index) for index in range(docs - registrations))
    mixed = make_splits(
        _templates(forms),
        dataset="DeepForm",
        tasks=["mixed"],
        seed=seed,
        **asked._asdict(),
    )
    splits = [part for split in mixed for part in _by_template(split, forms)]
    yield _Corpus("ad-buy-form", "DeepForm", forms, tuple(splits))


def meta_of(name: str) -> dict[str, object]:
    """Return the meta.json of `registration-form` or `ad-buy-form`."""
    if name == "registration-form":
        return {"dataset_name": name, FUNCTIONS_KEY: dict(REGISTRATION)}
    return {
        "dataset_name": name,
        FUNCTIONS_KEY: {**AD_BUY, **COMPONENTS},
        PATTERNS_KEY: {
            **dict.fromkeys(AD_BUY, UNREPEATED),
            **dict.fromkeys(COMPONENTS, ITEM),
        },
    }


def _by_name(forms: Iterator[Form]) -> dict[str, Form]:
    return {form.filename: form for form in forms}


def _templates(forms: Mapping[str, Form]) -> dict[str, str]:
    return {name: form.template.name for name, form in forms.items()}


def _by_template(split: Split, forms: Mapping[str, Form]) -> Iterator[Split]:
    """Yield a split of mixed templates, and its test documents by whether theirs is known."""
    seen = {forms[id].template for id in split.train}
    known = tuple(id for id in split.test if forms[id].template in seen)
    unknown = tuple(id for id in split.test if forms[id].template not in seen)
    for task, test in (("mixed_template", split.test), ("unk_template", unknown)):
        yield split._replace(name=split.name._replace(task=task, test_size=len(test)), test=test)
    name = split.name._replace(task="kno_template", test_size=len(known))
    yield split._replace(name=name, test=known)


def _is_predicted(split: Split) -> bool:
    return any(split.name.task == task and split.name.seed in seeds for task, seeds in PREDICTED)


def _write_data(folder: Path, corpus: _Corpus, *, compress: bool) -> list[Path]:
    main = folder / MAIN
    main.mkdir(parents=True, exist_ok=True)
    lines = b"".join(_encode(record_of(form)) + b"\n" for form in corpus.forms.values())
    data = main / (DATASETS[compress])
    data.write_bytes(gzip.compress(lines, mtime=0) if compress else lines)
    meta = main / META
    meta.write_bytes(msgspec.json.format(_encode(meta_of(corpus.folder)), indent=2) + b"\n")
    entities = {name: form.entities for name, form in corpus.forms.items()}
    written = [write_split(folder / SPLITS, one, entities) for one in corpus.splits]
    return [data, meta, *written]


def record_of(form: Form) -> dict[str, object]:
    """Return a document as a line of dataset.jsonl has it."""
    rows: dict[int, list[tuple[str, object]]] = {}
    for mark, mention in form.paper.mentions.items():
        if mark.row is not None:
            rows.setdefault(mark.row, []).append((mark.name, mention))
    return {
        "filename": form.filename,
        "file_path": f"main/pdfs/{form.filename}",
        "ocr": form.paper.ocr,
        "annotations": [
            *([name, found] for name, found in sorted(form.candidates.items())),
            *([[name for name, _ in row], [[one for _, one in row]]] for row in rows.values()),
        ],
    }


def _write_predictions(folder: Path, corpus: _Corpus, split: Split, seed: int) -> Path:
    seen = Counter(corpus.forms[id].template for id in split.train)
    order = {name: index for index, name in enumerate(corpus.forms)}
    results = {}
    for id in split.test:
        form = corpus.forms[id]
        skill = Skill.after(seen[form.template], len(split.train) - seen[form.template])
        # a model sees a document alike in every test set, so its splits can be compared
        label = f"{corpus.dataset}-{split.name.train_size}-{split.name.seed}"
        results[id] = extract(form, skill, stream(seed, order[id], label))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{split.name}{PREDICTIONS}"
    path.write_bytes(_encode({"meta": {"model": "made up"}, "results": results}) + b"\n")
    return path
