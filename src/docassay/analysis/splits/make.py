"""Making few-shot splits: a fixed test set for each task, and training sets of several sizes.

Every draw keeps the shares of the templates. For that, each template's documents are shuffled and
spread evenly over one line; any beginning of the line then holds each template in about its share,
and a rare one by chance. A task's test and validation documents are the beginning of its line, and
every training set is the beginning of a new line of the documents that are left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docassay.analysis.draw import Draw, shuffled, stream
from docassay.analysis.splits.file import Split, SplitName
from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.load.format import Record
from docassay.load.likeness import compiled, part_of
from docassay.model.problem import Problem, ProblemCode
from docassay.run.open import open_source
from docassay.run.options import Data
from docassay.run.score import digest_of


class TemplatePlace(NamedTuple):
    """Where a document's template stands: in a tag or field of this name, or in its id."""

    name: str | None = None
    in_id: str | None = None
    """A regular expression whose first group (or whole match) is the template."""


class Documents(NamedTuple):
    """Documents by id: a digest of the content ("" when there is none), and the template."""

    digests: Mapping[str, str]
    templates: Mapping[str, str]
    """Of those documents that have one."""
    problems: tuple[Problem, ...]

    @property
    def distinct(self) -> dict[str, str]:
        """Id -> template, of each document with a template once, under its first id."""
        seen: set[str] = set()
        templates = {}
        for id in sorted(self.templates):
            digest = self.digests[id]
            if not digest or digest not in seen:
                templates[id] = self.templates[id]
            seen.add(digest)
        return templates


def describe(
    data: Data,
    template: TemplatePlace,
    *,
    format: str | None = None,
    id_key: str | None = None,
    root: str | None = None,
) -> Documents:
    """Read documents one by one and keep what splits need to know of them."""
    pattern = None if template.in_id is None else compiled(template.in_id, "--template-in-id")
    digests: dict[str, str] = {}
    templates: dict[str, str] = {}
    problems: list[Problem] = []
    source = open_source(data, format=format, id_key=id_key, root=root)
    for item in source.records:
        if isinstance(item, Problem):
            problems.append(item)
            continue
        if item.id is None:
            raise DataError(
                "documents without ids cannot be split", where=item.where, hint="see --id-key"
            )
        if item.id in digests:
            message = "the id occurs twice; the first is kept"
            problems.append(
                Problem(ProblemCode.DUPLICATE_ID, item.id, "gold", "", message, item.where)
            )
            continue
        digests[item.id] = digest_of(item.tree) if item.tree else ""
        label = _template(item, template.name, pattern)
        if label:
            templates[item.id] = label
        elif template != TemplatePlace():
            message = "has no template; left out"
            problems.append(Problem(ProblemCode.LEFT_OUT, item.id, "gold", "", message, item.where))
    return Documents(digests, templates, tuple(problems))


def _template(record: Record, name: str | None, pattern: re.Pattern[str] | None) -> str:
    if pattern is not None:
        return part_of(pattern, record.id or "")
    if name is None:
        return ""
    tag = record.tags.get(name)
    return tag.strip() if tag is not None else _at(record.tree, name)


def _at(tree: object, path: str) -> str:
    """Return the one text or number at a path of keys, "" when there is none."""
    for key in path.split("."):
        tree = tree.get(key) if isinstance(tree, Mapping) else None
    if isinstance(tree, Mapping):
        tree = tree.get("value")
    return "" if tree is None or isinstance(tree, Mapping | list) else str(tree).strip()


TASKS = ("single", "mixed", "unseen", "held-out")
_NOT_IN_NAMES = re.compile(r"[^0-9a-zA-Z_-]+")


class _Task(NamedTuple):
    name: str
    test: tuple[str, ...]
    """Templates of the documents to test on."""
    train: tuple[str, ...]
    """Templates of the documents to train and to validate on."""


class _SplitSizes(NamedTuple):
    test: int
    valid: int
    train: tuple[int, ...]


def make_splits(
    templates: Mapping[str, str],
    *,
    dataset: str,
    tasks: Sequence[str] = ("single", "mixed", "unseen"),
    only: Sequence[str] | None = None,
    sizes: Sequence[int] = (10, 50, 100, 200),
    test: int = 300,
    valid: int = 100,
    seeds: Sequence[int] = (0, 1, 2),
    seed: int = 0,
) -> list[Split]:
    """Return splits of documents, given as id -> template, for each task, size and seed.

    `single` and `unseen` make a task for each template, or for those of `only`; `held-out` tests
    on as many whole templates as it takes. Too few documents for any of them is an error.
    """
    wanted = _SplitSizes(test, valid, tuple(dict.fromkeys(sizes)))
    _check(dataset, tasks, wanted, seeds)
    by_template: dict[str, list[str]] = {}
    for id in sorted(templates):
        by_template.setdefault(templates[id], []).append(id)
    chosen = sorted(by_template) if only is None else list(dict.fromkeys(only))
    for name in chosen:
        if name not in by_template:
            raise UnknownName("template", name, by_template)
    planned = [
        task
        for kind in dict.fromkeys(tasks)
        for task in _planned(kind, by_template, chosen, wanted, seed)
    ]
    _distinct(planned)
    return [
        split
        for task in planned
        for split in _splits(task, by_template, dataset, wanted, seeds, seed)
    ]


def _planned(
    kind: str,
    by_template: Mapping[str, Sequence[str]],
    chosen: Sequence[str],
    wanted: _SplitSizes,
    seed: int,
) -> Iterator[_Task]:
    every = tuple(by_template)
    if kind == "mixed":
        yield _Task("lv2-mixed_template", every, every)
    elif kind == "single":
        for name in chosen:
            yield _Task(f"lv1-single_{_tidy(name)}", (name,), (name,))
    elif kind == "unseen":
        for name in chosen:
            yield _Task(f"lv3-unk_{_tidy(name)}", (name,), tuple(t for t in every if t != name))
    else:
        held: list[str] = []
        for name in shuffled(stream(seed, 0, "held-out"), every):
            if sum(len(by_template[template]) for template in held) >= wanted.test:
                break
            held.append(name)
        yield _Task("lv3-unk_template", tuple(held), tuple(t for t in every if t not in held))


def _splits(
    task: _Task,
    by_template: Mapping[str, Sequence[str]],
    dataset: str,
    wanted: _SplitSizes,
    seeds: Sequence[int],
    seed: int,
) -> Iterator[Split]:
    _enough(task, by_template, wanted)
    draw = stream(seed, 0, task.name)
    tested = _line({name: by_template[name] for name in task.test}, draw)[: wanted.test]
    left = _without(by_template, task.train, tested)
    checked = _line(left, draw)[: wanted.valid]
    left = _without(by_template, task.train, [*tested, *checked])
    for size in wanted.train:
        for number in seeds:
            trained = _line(left, stream(seed, number + 1, f"{task.name}-{size}"))[:size]
            name = SplitName(dataset, task.name, size, wanted.test, wanted.valid, number)
            yield Split(name, tuple(trained), tuple(checked), tuple(tested))


def _line(by_template: Mapping[str, Sequence[str]], draw: Draw) -> list[str]:
    """Return documents in an order whose every beginning has the templates in their shares.

    Each template starts at a point of its own, so that every document is as likely as the other.
    """
    places = []
    for name in sorted(by_template):
        ids = by_template[name]
        start = draw()
        places += [((rank + start) / len(ids), id) for rank, id in enumerate(shuffled(draw, ids))]
    return [id for _, id in sorted(places)]


def _without(
    by_template: Mapping[str, Sequence[str]], names: Sequence[str], taken: Sequence[str]
) -> dict[str, list[str]]:
    gone = {*taken}
    return {name: [id for id in by_template[name] if id not in gone] for name in names}


def _enough(task: _Task, by_template: Mapping[str, Sequence[str]], wanted: _SplitSizes) -> None:
    tested = sum(len(by_template[name]) for name in task.test)
    trained = sum(len(by_template[name]) for name in task.train)
    most = max(wanted.train)
    needed = wanted.valid + most
    what = f"{wanted.valid} for validation and {most} for training"
    if task.test == task.train:
        needed += wanted.test
        what = f"{wanted.test} for testing, {what}"
    elif tested < wanted.test:
        raise _too_few(task, tested, wanted.test, f"{wanted.test} for testing", task.test)
    if trained < needed:
        raise _too_few(task, trained, needed, what, task.train)


def _too_few(
    task: _Task, there: int, needed: int, what: str, templates: Sequence[str]
) -> DataError:
    whose = f"template {templates[0]!r}" if len(templates) == 1 else f"{len(templates)} templates"
    return DataError(
        f"task {task.name} needs {needed} documents of {whose} ({what}), and there are {there}",
        hint="ask for smaller sizes, fewer test or validation documents, or other tasks",
    )


def _check(dataset: str, tasks: Sequence[str], wanted: _SplitSizes, seeds: Sequence[int]) -> None:
    if re.fullmatch("[a-zA-Z]+", dataset) is None:
        raise ConfigurationError(
            f"{dataset!r} is no name of a data set", hint="ASCII letters only, such as Receipts"
        )
    for kind in tasks:
        if kind not in TASKS:
            raise UnknownName("task", kind, TASKS)
    numbers = [("test", wanted.test, 1), ("valid", wanted.valid, 0)]
    numbers += [("size", size, 1) for size in wanted.train]
    numbers += [("seed", seed, 0) for seed in seeds]
    for what, number, least in numbers:
        if number < least:
            raise ConfigurationError(f"{what} {number} is too small", hint=f"at least {least}")
    if not (tasks and wanted.train and seeds):
        raise ConfigurationError("no task, size or seed was asked for")


def _tidy(template: str) -> str:
    return _NOT_IN_NAMES.sub("_", template).strip("_") or "template"


def _distinct(tasks: Sequence[_Task]) -> None:
    """Refuse two tasks whose files would have one name."""
    tasks_by_name: dict[str, _Task] = {}
    for task in tasks:
        other = tasks_by_name.setdefault(task.name, task)
        if other is not task:
            first, second = (", ".join(twin.test) for twin in (other, task))
            raise ConfigurationError(
                f"{first!r} and {second!r} would both be task {task.name}",
                hint="names of templates must differ in letters, digits, - or _",
            )
