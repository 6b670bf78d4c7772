"""Likeness: which documents, and which fields, belong together though their names are not equal.

Only what cannot be doubted is used without being asked for: an affix that all ids of one side
share. Anything else becomes the option that a message recommends.
"""

from __future__ import annotations

import re
import re._parser as sre_parser  # type: ignore[import-not-found]
import shlex
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, zip_longest
from typing import NamedTuple

from docassay.errors import ConfigurationError, DataError
from docassay.load.envelopes import root_candidate
from docassay.load.files import stem
from docassay.load.format import Record
from docassay.load.naming import SURE_IDS, SharedNames, field_values, fold, leaf_texts, path_parts

LONGEST_ID = 500
"""Characters of an id in which a pattern is looked for; more could take for ever."""
SHOWN = 5
LONGEST_SHOWN = 38
SAMPLE = 500
"""How many ids are tried with a pattern or an affix."""
LIKE = 60.0
"""The likeness of two names, of 100, from which one is offered for the other."""
TELLING = 3
"""Characters that a name must have to be found in another one: any name has an a."""
ALIKE = 50.0
"""The likeness of the nearer parts of two names from which they are shown as alike."""
MAPPED = 12
"""How many names are offered at once."""
VALUES = 500
"""How many values of a document are looked at for such an offer."""
LONGEST_MEANING = 40
"""Characters of a value that is read as a day or an amount for such an offer."""
ROLES = frozenset(
    {
        *("gold", "gt", "ground", "truth", "groundtruth", "label", "labels", "labelled"),
        *("annotation", "annotations", "annotated", "true", "expected", "target", "ref"),
        *("reference", "manual", "pred", "preds", "prediction", "predictions", "predicted"),
        *("output", "out", "result", "results", "response", "responses", "answer", "extraction"),
        *("extractions", "extracted", "model", "llm", "raw", "hyp", "parsed", "final", "json"),
    }
)
"""Words that say which side a file is of, and nothing about its document."""
PATTERNS = (
    r"(\d+)",
    r"0*(\d+)",
    r"(\d+)\D*$",
    r"0*(\d+)\D*$",
    r"(\d+)[^/]*$",
    r"0*(\d+)[^/]*$",
    r"(\d{3,})[^/]*$",
    r"([A-Za-z]+[-_ ]?\d+)",
    r"^([^_]+)",
    r"^([^-]+)",
    r"^([^.]+)",
    r"^([^ ]+)",
    r"^([^_]+_[^_]+)",
    r"^([^-]+-[^-]+)",
    r"([^_]+)$",
    r"([^-]+)$",
    r"([^/]+)$",
    r"([^:#]+)$",
    r"([0-9a-fA-F]{8,})",
)
"""Patterns that may find the part which ids of both sides share, the plainest first."""
ID_NAMES = SURE_IDS | {
    *("image", "imageid", "imagepath", "document", "documentname", "doc", "docname", "uid"),
    *("uuid", "guid", "key", "page", "pageid", "path", "source", "sourcefile", "pdf", "scan"),
    *("sample", "sampleid", "url", "name"),
}
"""Names of keys that hold ids if their values are those of the other side."""
_EDGE = re.compile(r"[^0-9A-Za-z]")
_REPEATS = (sre_parser.MAX_REPEAT, sre_parser.MIN_REPEAT, sre_parser.POSSESSIVE_REPEAT)


def compiled(text: str, option: str) -> re.Pattern[str]:
    """Return a regular expression that ends in reasonable time; the option is named in errors."""
    try:
        pattern = re.compile(text)
        nested = _is_nested(sre_parser.parse(text), repeated=False)
    except (re.error, OverflowError, RecursionError) as error:
        raise ConfigurationError(
            f"{text!r} is not a regular expression: {error}", where=option
        ) from None
    if nested:
        raise ConfigurationError(
            f"{text!r} repeats what is itself repeated or has alternatives",
            where=option,
            hint="such a pattern can take for ever; write one without (x+)+ or (x|y)*",
        )
    return pattern


def part_of(pattern: re.Pattern[str], id: str) -> str:
    """Return the first group of a pattern in an id, or the whole match; "" when there is none."""
    match = pattern.search(id) if len(id) <= LONGEST_ID else None
    return "" if match is None else (match[1] or "") if pattern.groups else match[0]


def _is_nested(part: object, *, repeated: bool) -> bool:
    """Return whether a repetition of a parsed pattern holds another one, or alternatives.

    Python then tries every way to divide the text among them, twice as many for each character.
    """
    if isinstance(part, tuple) and part and part[0] in _REPEATS:
        fewest, most, body = part[1]
        several = most > 1
        if repeated and fewest != most:
            return True
        return _is_nested(body, repeated=repeated or several)
    if isinstance(part, tuple) and part and part[0] is sre_parser.BRANCH and repeated:
        return True
    if isinstance(part, tuple | list | sre_parser.SubPattern):
        return any(_is_nested(inner, repeated=repeated) for inner in part)
    return False


class Affix(NamedTuple):
    """What all ids of a side have before and after the part that both sides share."""

    before: str
    after: str

    def __str__(self) -> str:
        return "…".join((self.before, self.after)) if self.before else self.after

    def strip(self, name: str) -> str | None:
        """Return the part between, None when the name does not have the affix."""
        size = len(self.before) + len(self.after)
        if len(name) <= size or not name.startswith(self.before) or not name.endswith(self.after):
            return None
        return name[len(self.before) : len(name) - len(self.after)]


NO_AFFIX = Affix("", "")


class Affixes(NamedTuple):
    """The affixes of both sides, and how many ids pair without them."""

    gold: Affix
    pred: Affix
    pairs: int


class PairedIds(NamedTuple):
    """Gold id -> pred id, and in words how they were paired."""

    ids: dict[str, str]
    how: str


def paired_ids(gold: Mapping[str, str], pred: Mapping[str, str]) -> PairedIds | None:
    """Return the ids that pair but for case or an affix, from stems with their ids."""
    golds, preds = _by_case(gold), _by_case(pred)
    if golds is not None and preds is not None and not golds.keys().isdisjoint(preds):
        ids = {golds[name]: preds[name] for name in golds if name in preds}
        return PairedIds(ids, "paired by file name without regard to case")
    affixes = shared_affixes(gold, pred)
    if affixes is None:
        return None
    cores = {affixes.pred.strip(name): id for name, id in pred.items()}
    keys = ((id, affixes.gold.strip(name)) for name, id in gold.items())
    ids = {id: cores[key] for id, key in keys if key in cores}
    sides = {"gold": affixes.gold, "pred": affixes.pred}
    left = " and ".join(
        f"{str(affix)!r} of {side}" for side, affix in sides.items() if affix != NO_AFFIX
    )
    return PairedIds(ids, f"paired by file name without {left}")


def _by_case(ids: Mapping[str, str]) -> dict[str, str] | None:
    """Return the ids by their stems without case, None when two stems become one."""
    folded = {unicodedata.normalize("NFC", name).casefold(): id for name, id in ids.items()}
    return folded if len(folded) == len(ids) else None


def shared_affixes(gold: Collection[str], pred: Collection[str]) -> Affixes | None:
    """Return the affixes without which ids pair, None when that would be a matter of opinion.

    All ids of a side must share its affix, which begins or ends at a mark such as `_`, and half of
    the smaller side must pair. An affix of one side is enough if the ids of the other are whole. On
    both sides only words that name the side (`gold`, `pred`) may be left out, because `inv_1` is
    not `rec_1`. With fewer than three pairs an affix with digits is no affix.
    """
    choices: list[Affixes] = []
    golds, preds = frozenset(gold), frozenset(pred)
    for gold_affix in _affixes(golds):
        for pred_affix in _affixes(preds):
            both = gold_affix != NO_AFFIX and pred_affix != NO_AFFIX
            if both and not (_names_a_side(gold_affix) and _names_a_side(pred_affix)):
                continue
            cores = {gold_affix.strip(name) for name in golds}
            pairs = len(cores & {pred_affix.strip(name) for name in preds})
            digits = any(map(str.isdigit, f"{gold_affix}{pred_affix}"))
            if pairs * 2 >= min(len(golds), len(preds)) and pairs >= (3 if digits else 1):
                choices.append(Affixes(gold_affix, pred_affix, pairs))
    most = max((choice.pairs for choice in choices), default=0)
    best = [choice for choice in choices if choice.pairs == most]
    # of two choices the longer affix would leave out what both sides have
    best.sort(key=lambda choice: len(f"{choice.gold}{choice.pred}"))
    if not best or len({_pairs_of(choice, golds, preds) for choice in best[:SHOWN]}) > 1:
        return None
    return best[0]


def _pairs_of(choice: Affixes, gold: Collection[str], pred: Collection[str]) -> frozenset[object]:
    cores = {choice.pred.strip(name): name for name in pred}
    pairs = ((name, cores.get(choice.gold.strip(name))) for name in gold)
    return frozenset(pair for pair in pairs if pair[1] is not None)


def _affixes(names: Collection[str]) -> list[Affix]:
    """Return what all names share before and after a mark, shortest first; nothing is among it."""
    low, high = min(names), max(names)
    begin = _common(low, high)
    turned = [name[::-1] for name in names]
    end = _common(min(turned), max(turned))[::-1]
    befores = ["", *(begin[: at.end()] for at in _EDGE.finditer(begin))][: SHOWN + 1]
    afters = ["", *(end[at.start() :] for at in reversed([*_EDGE.finditer(end)]))][: SHOWN + 1]
    return [Affix(before, after) for before in befores for after in afters]


def _common(first: str, second: str) -> str:
    size = next(
        (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    return first[:size]


def _names_a_side(affix: Affix) -> bool:
    words = [word for word in _EDGE.split(f"{affix.before} {affix.after}".casefold()) if word]
    return bool(words) and ROLES.issuperset(words)


def without_role(name: str) -> str:
    """Return a name without words before or after it that say which side a file is of."""
    parts = re.split(r"([\W_]+)", name)
    while len(parts) > 1 and parts[-1].casefold() in ROLES:
        del parts[-2:]
    while len(parts) > 1 and parts[0].casefold() in ROLES:
        del parts[:2]
    return "".join(parts)


def suggested_pattern(gold: Sequence[str], pred: Sequence[str]) -> str | None:
    """Return the pattern under which most ids pair, None when none pairs half of a side.

    It must be found in every id, and no two ids of a side may become one.
    """
    best: tuple[int, str] | None = None
    for text in PATTERNS:
        pattern = re.compile(text)
        golds = _parts(pattern, gold)
        preds = _parts(pattern, pred)
        if golds is None or preds is None:
            continue
        pairs = len(golds & preds)
        if pairs * 2 >= min(len(golds), len(preds)) and (best is None or pairs > best[0]):
            best = (pairs, text)
    return None if best is None else best[1]


def _parts(pattern: re.Pattern[str], ids: Sequence[str]) -> set[str] | None:
    parts = [part_of(pattern, id) for id in ids]
    distinct = {*parts}
    return distinct if "" not in distinct and len(distinct) == len(parts) else None


def id_candidate(trees: Sequence[object], is_id: Callable[[str], bool], count: int) -> str:
    """Return the path at which trees hold ids of the other side, "" when there is none.

    Half of the trees, or of the other side's ids, must have one, and most a different one.
    """
    hits: Counter[str] = Counter()
    values: dict[str, set[str]] = {}
    for tree in trees:
        for path, text in leaf_texts(tree).items():
            values.setdefault(path, set()).add(text)
            hits[path] += is_id(text)
    needed = min(len(trees), count)
    likely = (
        path
        for path, hit in hits.most_common()
        if hit and hit * 2 >= needed and len(values[path]) * 2 >= len(trees)
    )
    return next(likely, "")


def list_candidate(tree: object, is_id: Callable[[str], bool], prefix: str = "") -> str:
    """Return the path of a list of objects that hold ids of the other side, "" for none."""
    for key, value in tree.items() if isinstance(tree, dict) else ():
        rows = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
        if any(is_id(text) for row in rows[:SAMPLE] for text in leaf_texts(row).values()):
            return f"{prefix}{key}"
        path = "" if prefix.count(".") > SHOWN else list_candidate(value, is_id, f"{prefix}{key}.")
        if path:
            return path
    return ""


def id_keys_of(
    golds: Sequence[Record], preds: Sequence[Record], fields: Collection[str]
) -> tuple[str | None, str | None]:
    """Return the keys among the fields of gold and of pred that hold ids, None for none.

    Their values must tell documents apart and be ids of the other side, half of them at least, or
    the key's name says that it holds ids. A key that the schema names, or that is a field of the
    side that has ids, is no id.
    """
    gold_keys, pred_keys = _keys(golds), _keys(preds)
    not_of_gold = {*fields, *map(fold, pred_keys)}
    not_of_pred = {*fields, *map(fold, gold_keys)}
    if golds[0].id is not None:
        return None, _id_key(preds, pred_keys, _stems(golds), not_of_pred)
    if any(record.id is not None for record in preds):
        return _id_key(golds, gold_keys, _stems(preds), not_of_gold), None
    for gold_key, pred_key in _common_keys(gold_keys, pred_keys):
        gold_ids, pred_ids = _values(golds, gold_key), _values(preds, pred_key)
        if fold(gold_key) in fields or gold_ids is None or pred_ids is None:
            continue
        hits = len({*map(stem, gold_ids)} & {*map(stem, pred_ids)})
        telling = hits * 2 >= min(len(golds), len(preds))
        if telling or (fold(gold_key) in SURE_IDS and not hits):
            return gold_key, pred_key
    # documents of a side that has ids are never paired by position
    of_gold = _sure_key(golds, gold_keys, not_of_gold)
    of_pred = _sure_key(preds, pred_keys, not_of_pred)
    if of_gold is not None and of_pred is None:
        stems = {*map(stem, _values(golds, of_gold) or ())}
        return of_gold, _id_key(preds, pred_keys, stems, not_of_pred)
    if of_pred is not None and of_gold is None:
        stems = {*map(stem, _values(preds, of_pred) or ())}
        return _id_key(golds, gold_keys, stems, not_of_gold), of_pred
    return of_gold, of_pred


def may_hold_ids(records: Sequence[Record], fields: Collection[str]) -> bool:
    """Return whether a key that all records have, and that is no field, may be that of ids."""
    names = (key for key in _keys(records) if fold(key) in ID_NAMES and fold(key) not in fields)
    return any(_values(records, key) is not None for key in names)


def _sure_key(records: Sequence[Record], keys: Sequence[str], fields: set[str]) -> str | None:
    """Return the key that holds ids by its name and tells the records apart, None for none."""
    likely = (key for key in keys if fold(key) in SURE_IDS - fields)
    return next((key for key in likely if _values(records, key) is not None), None)


def _common_keys(golds: Sequence[str], preds: Sequence[str]) -> Iterator[tuple[str, str]]:
    by_fold = {fold(key): key for key in preds}
    likely = (key for key in golds if fold(key) in ID_NAMES and fold(key) in by_fold)
    for key in sorted(likely, key=lambda key: fold(key) not in SURE_IDS):
        yield key, by_fold[fold(key)]


def _id_key(
    records: Sequence[Record], keys: Sequence[str], stems: Collection[str], fields: set[str]
) -> str | None:
    for key in keys:
        if fold(key) not in ID_NAMES or fold(key) in fields:
            continue
        ids = _values(records, key)
        hits = sum(stem(id) in stems for id in ids or ())
        if hits and hits * 2 >= min(len(records), len(stems)):
            return key
    return None


def _keys(records: Sequence[Record]) -> list[str]:
    """Return the keys that all records have, as the first one lists them."""
    trees = objects_of(records)
    common = {*trees[0]}.intersection(*trees) if trees else set()
    return [key for key in trees[0] if isinstance(key, str) and key in common] if trees else []


def _stems(records: Sequence[Record]) -> set[str]:
    return {stem(str(record.id)) for record in records}


def objects_of(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return what files hold of the records."""
    wholes = (record.tree if record.whole is None else record.whole for record in records)
    return [whole for whole in wholes if isinstance(whole, dict)]


def _values(records: Sequence[Record], key: str) -> list[str] | None:
    """Return the ids under a key, None unless every record has one of its own."""
    values = [tree[key] for tree in objects_of(records)]
    ids = [str(value).strip() for value in values if isinstance(value, str | int)]
    return ids if "" not in ids and len({*ids}) == len(ids) == len(records) else None


def under_key(record: Record, key: str) -> Record:
    """Return a record whose id stands under a key of its object."""
    whole = record.tree if record.whole is None else record.whole
    if not isinstance(whole, dict) or key not in whole:
        return record
    tree = record.tree
    if isinstance(tree, dict) and record.whole is None:
        tree = {name: value for name, value in tree.items() if name != key}
    return record._replace(id=str(whole[key]).strip(), tree=tree, whole=whole)


def suggested_maps(shared: SharedNames) -> list[tuple[str, str]]:
    """Return (pred name, gold name) that probably mean the same field, the likeliest first.

    Equal values in several documents say more than names do.
    """
    from rapidfuzz import fuzz, process

    ranked = [pair for pair, _ in _equal_values(shared.examples).most_common()]
    folds = {name: fold(name) for name in shared.gold}
    likenesses = (
        (score, name, near)
        for name in sorted(shared.pred)
        for _, score, near in process.extract(fold(name), folds, scorer=fuzz.ratio, limit=1)
        if score >= LIKE
    )
    ranked += [(name, near) for _, name, near in sorted(likenesses, key=lambda each: -each[0])]
    return _one_to_one(ranked)


def value_maps(shared: SharedNames) -> list[tuple[str, str]]:
    """Return (pred name, gold name) that only one side has and that often have equal values."""
    golds, preds = shared.one_sided()
    if not golds or not preds:
        return []
    needed = max(2, len(shared.examples) / 2)
    equal = _equal_values(shared.examples).most_common()
    return _one_to_one(
        [
            (pred, gold)
            for (pred, gold), count in equal
            if count >= needed and pred in preds and gold in golds
        ]
    )


def _equal_values(examples: Sequence[tuple[object, object]]) -> Counter[tuple[str, str]]:
    """Return in how many pairs a field of pred has a value that a field of gold has as well."""
    equal: Counter[tuple[str, str]] = Counter()
    for gold_tree, pred_tree in examples:
        golds, preds = _values_by_field(gold_tree), _values_by_field(pred_tree)
        equal.update(
            (pred, gold)
            for pred in preds
            for gold in golds
            if not preds[pred].isdisjoint(golds[gold])
        )
    return equal


def _values_by_field(tree: object) -> dict[str, set[str]]:
    """Return what the values of each field may mean, whatever their type is."""
    texts: dict[str, set[str]] = {}
    for path, values in islice(field_values(tree), VALUES):
        plain = (str(value) for value in values if isinstance(value, str | int | float))
        meanings = (_meanings(text) for text in plain if text.strip())
        texts.setdefault(path, set()).update(*meanings)
    return texts


def _meanings(text: str) -> Iterator[str]:
    """Yield a text without case and punctuation, and the day and the amount that it may be."""
    from docassay.values.read.date import parse_date
    from docassay.values.read.money import read_money

    yield fold(text)
    if len(text) > LONGEST_MEANING or not any(character.isdecimal() for character in text):
        return
    for day_first in (True, False):
        date = parse_date(text, day_first=day_first)
        if date is not None and None not in date:
            yield f"day {date}"
    with suppress(DataError):
        yield f"amount {read_money(text).number.normalize()}"


def _one_to_one(ranked: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the first pairs in which no name has been taken yet."""
    chosen: dict[str, str] = {}
    for name, near in ranked:
        taken = name in chosen or near in chosen.values() or len(chosen) == MAPPED
        # a value is not moved into or out of rows by a name
        level = len(path_parts(name)) == len(path_parts(near))
        if level and not taken and name and "=" not in name:
            chosen[name] = near
    return [*chosen.items()]


def option(name: str, value: str) -> str:
    """Return an option as it is typed into a shell."""
    return f"{name} {shlex.quote(value)}"


def side_by_side(columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the lines of a table of two columns by their heads."""
    cells = []
    for head, names in columns.items():
        more = [f"… {len(names) - SHOWN:,} more"] if len(names) > SHOWN else []
        cells.append([head, *map(_short, names[:SHOWN]), *more])
    width = max(map(len, cells[0]))
    rows = zip_longest(*cells, fillvalue="")
    return [f"  {first.ljust(width)}  {second}".rstrip() for first, second in rows]


def most_alike(gold: Sequence[str], pred: Sequence[str]) -> list[str]:
    """Return a line with the two names that are most alike, nothing when none are."""
    from rapidfuzz import fuzz, process

    near = [
        (score, name, match)
        for name in gold[:SAMPLE]
        for match, score, _ in process.extract(
            name, pred[:SAMPLE], scorer=fuzz.ratio, processor=_last_part, limit=1
        )
    ]
    _, name, match = max(near, key=lambda each: each[0], default=(0.0, "", ""))
    # the nearest of names that have nothing to do with each other would mislead
    own, other = _last_part(name), _last_part(match)
    told = own == other or min(len(own), len(other)) >= TELLING
    alike = told and fuzz.partial_ratio(own, other) >= ALIKE
    return [f"  most alike: {_short(name)} and {_short(match)}"] if name and alike else []


def _last_part(name: str) -> str:
    """Return what a name says of its document: no folder, no case."""
    return name.rpartition("/")[2].casefold()


def _short(name: str) -> str:
    """Return a name that fits into a column: what does not print as its escape, long ones cut."""
    text = name if name.isprintable() else repr(name)[1:-1]
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def no_field(shared: SharedNames) -> DataError:
    """Return the error of pairs that have no field in common, with what would give them one."""
    golds, preds = [*shared.gold], [*shared.pred]
    gold_trees, pred_trees = zip(*shared.examples, strict=True)
    maps = [option("--map", f"{pred}={gold}") for pred, gold in suggested_maps(shared)]
    for side, trees, names in (("pred", pred_trees, golds), ("gold", gold_trees, preds)):
        root = root_candidate(trees, names)
        if root:
            maps = [option(f"--{side}-root", root)]
    table = side_by_side({"fields of gold": golds, "fields of pred": preds})
    hint = "rename the fields of pred with --map PRED=GOLD"
    if not {name.rpartition(".")[2] for name in golds if "." in name}.isdisjoint(preds):
        hint = "pred has no rows: docassay group makes rows of flat values"
    return DataError(
        "gold and pred share no field",
        hint=f"add {' '.join(maps)}" if maps else hint,
        details=[*table, *most_alike(golds, preds)],
    )
