"""A benchmark in the layout of VRDU: two data sets, their splits, predictions of made-up models.

DIR/registration-form/main/dataset.jsonl, meta.json    DIR/registration-form/few_shot-splits/
DIR/ad-buy-form/main/dataset.jsonl, meta.json          DIR/ad-buy-form/few_shot-splits/
DIR/predictions/<split>-test_predictions.json
"""

from __future__ import annotations

import datetime as dt
import gzip
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.analysis.draw import Draw, pick, stream
from docassay.analysis.splits.file import Split, write_split
from docassay.analysis.splits.make import make_splits
from docassay.errors import ConfigurationError
from docassay.load.formats.vrdu import DATASETS, MAIN, META, PREDICTIONS, SPLITS
from docassay.run.output import write_bytes, writing
from docassay.schema.other_forms import FUNCTIONS_KEY, PATTERNS_KEY, UNREPEATED
from docassay.synth.values import spoil
from docassay.synth.vrdu.forms import (
    AD_BUY,
    COMPONENTS,
    DATES,
    ITEM,
    REGISTRATION,
    Form,
    ad_buy_form,
    registration_form,
    written,
)
from docassay.synth.vrdu.page import FieldMark, Mention
from docassay.synth.words import MONTHS

FLOOR, START, HALVING = 0.03, 0.5, 8.0
"""The rate of mistakes with endless training and with none, and what halves the way between."""
HOME, ABROAD = 4.0, 0.2
"""What the first document of a template is worth, and what one of another template is."""
_KINDS = {
    "DateMatch": "id",
    "PriceMatch": "id",
    "NumericalStringMatch": "id",
    "AddressMatch": "address",
    "NameMatch": "name",
    "GeneralStringMatch": "text",
}
"""Mistakes that suit values of each match function, none of which minds how a date is written."""
_MATCH = {**REGISTRATION, **AD_BUY, **COMPONENTS}

Extraction = tuple[str, Mention]


class Skill(NamedTuple):
    """How often a model errs on a document."""

    rate: float

    @classmethod
    def after(cls, same: int, others: int) -> Skill:
        """Return the skill after training on so many documents of this template and of others."""
        learnt = HOME * math.sqrt(same) + ABROAD * others
        return cls(FLOOR + (START - FLOOR) * 0.5 ** (learnt / HALVING))


def extract(form: Form, skill: Skill, draw: Draw) -> list[list[object]]:
    """Return what a model extracts from a form, as a list of [name, [text, box, segments]]."""
    extractions = [*_simple(form, skill, draw), *_rows(form, skill, draw)]
    return [[name, [mention.text, mention.box, mention.segments]] for name, mention in extractions]


def _simple(form: Form, skill: Skill, draw: Draw) -> list[Extraction]:
    mentions = form.candidates
    values = [mention.text.strip() for several in mentions.values() for mention in several]
    extractions: list[Extraction] = []
    for name in sorted(mentions):
        read = _read(name, pick(draw, mentions[name]), skill.rate, values, draw)
        if read is not None:
            extractions.append((name, read))
        if draw() < skill.rate / 3:
            # a second guess, of which only the first counts
            again = spoil(mentions[name][0].text.strip(), "name", values, prone=(), draw=draw)[1]
            extractions += [(name, mentions[name][0]._replace(text=again))] if again else []
    lost = sorted({*(REGISTRATION if not form.template.columns else AD_BUY)} - {*mentions})
    for name in lost:
        if draw() < skill.rate / 2:
            stray = pick(draw, [mention for several in mentions.values() for mention in several])
            extractions.append((name, stray))
    return extractions


def _rows(form: Form, skill: Skill, draw: Draw) -> list[Extraction]:
    extractions: list[Extraction] = []
    carried: Extraction | None = None
    for number in range(form.rows):
        if draw() < skill.rate / 5:
            continue
        row = _row(form, number, skill, draw)
        if len(row) > 1 and draw() < skill.rate / 2:
            place = int(draw() * (len(row) - 1))
            row[place], row[place + 1] = row[place + 1], row[place]
        if carried is not None:
            row.insert(min(1, len(row)), carried)
            carried = None
        if len(row) > 1 and number + 1 < form.rows and draw() < skill.rate / 6:
            carried = row.pop()
        extractions += row
    if form.rows and draw() < skill.rate:
        total = form.paper.mentions.get(FieldMark("gross_amount"))
        if total is not None:
            extractions.append(("sub_amount", total))
    return extractions


def _row(form: Form, number: int, skill: Skill, draw: Draw) -> list[Extraction]:
    row: list[Extraction] = []
    for name in form.template.columns:
        mention = form.paper.mentions[FieldMark(name, number)]
        read = _read(name, mention, skill.rate / 3, (), draw)
        row += [] if read is None else [(name, read)]
    return row


def _read(
    name: str, mention: Mention, rate: float, others: Sequence[str], draw: Draw
) -> Mention | None:
    """Return a value as a model reads it, None when it does not find it."""
    text = mention.text.strip()
    kind = _MATCH[name]
    if draw() < rate:
        wrong = spoil(text, _KINDS[kind], others, prone=("ocr", "missing"), draw=draw)[1]
        return None if wrong is None else mention._replace(text=wrong)
    if draw() < 0.2:
        if kind == "PriceMatch":
            text = pick(
                draw, (text.replace("$", ""), text.replace("$", "$ "), text.replace(",", ""))
            )
            return mention._replace(text=text)
        if kind == "DateMatch":
            return mention._replace(text=_another_notation(text, draw))
    return mention


def _another_notation(text: str, draw: Draw) -> str:
    """Return a date in any of the notations that forms use."""
    parts = text.replace(",", "").replace("/", " ").replace("-", " ").split()
    month = MONTHS.index(parts[0]) + 1 if parts[0].isalpha() else int(parts[0])
    year = int(parts[2]) if len(parts[2]) == 4 else 2000 + int(parts[2])
    return written(dt.date(year, month, int(parts[1])).toordinal(), pick(draw, DATES))


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
    with writing(out):
        for corpus in _corpora(docs, seed, asked):
            paths += _write_data(out / corpus.folder, corpus, compress=compress)
            chosen = [split for split in corpus.splits if every or _is_predicted(split)]
            predicted += [
                _write_predictions(out / "predictions", corpus, choice, seed) for choice in chosen
            ]
            done += len(corpus.forms)
            if progress is not None:
                progress(done)
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
    known_ids = tuple(id for id in split.test if forms[id].template in seen)
    unknown = tuple(id for id in split.test if forms[id].template not in seen)
    for task, test in (("mixed_template", split.test), ("unk_template", unknown)):
        yield split._replace(name=split.name._replace(task=task, test_size=len(test)), test=test)
    name = split.name._replace(task="kno_template", test_size=len(known_ids))
    yield split._replace(name=name, test=known_ids)


def _is_predicted(split: Split) -> bool:
    return any(split.name.task == task and split.name.seed in seeds for task, seeds in PREDICTED)


def _write_data(folder: Path, corpus: _Corpus, *, compress: bool) -> list[Path]:
    main = folder / MAIN
    main.mkdir(parents=True, exist_ok=True)
    lines = b"".join(_encode(record_of(form)) + b"\n" for form in corpus.forms.values())
    data = main / (DATASETS[compress])
    write_bytes(data, gzip.compress(lines, mtime=0) if compress else lines)
    meta = main / META
    write_bytes(meta, msgspec.json.format(_encode(meta_of(corpus.folder)), indent=2) + b"\n")
    entities = {name: form.entities for name, form in corpus.forms.items()}
    written = [write_split(folder / SPLITS, split, entities) for split in corpus.splits]
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
            *([name, mentions] for name, mentions in sorted(form.candidates.items())),
            *([[name for name, _ in row], [[cell for _, cell in row]]] for row in rows.values()),
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
    return write_bytes(path, _encode({"meta": {"model": "made up"}, "results": results}) + b"\n")
