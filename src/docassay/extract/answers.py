"""Answers of models: the record in a raw answer, its leaves, and how sure each of them is.

An answer that repeats the prompt's example says nothing of the document: it becomes an empty
record, and that is noted; so is a single value that was copied from it. A value's confidence comes
from the probabilities of the tokens that it is made of in the answer, or from how many of several
answers agree on it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from docassay.errors import UnknownName
from docassay.extract.client import TokenChance
from docassay.extract.prompt import Prompt, line_key
from docassay.load.response.answer import TEMPLATE, parse_response
from docassay.load.response.json import TEMPLATE_LEFT_OUT
from docassay.model.document import LEAF_KEYS, SEPARATOR, Number
from docassay.model.problem import CLEAN, REPAIRED, TRUNCATED, UNPARSEABLE
from docassay.model.schema import GroupSpec, Schema
from docassay.schema.listing import Listing, child_path, short_name
from docassay.values.field import BoundField

LENGTH = "length"
"""Why a server ends an answer that has reached the limit of tokens."""
CONFIDENCES = ("minimum", "mean", "product")
"""What the probabilities of a value's tokens come to: the least of them, their geometric mean, or
the probability of the whole value."""
COPIED = "value of the prompt's example left out"
INVENTED = 5
"""Characters of a value, digits among them, that is in no document by accident."""
PLACES = 4
"""Decimals of a confidence."""


class ReadAnswer(NamedTuple):
    """The record of an answer, what became of it, and what had to be done to read it."""

    record: dict[str, object]
    outcome: str
    repairs: tuple[str, ...]


def read_answer(
    raw: str,
    *,
    finish: str = "",
    prompt: Prompt | None = None,
    schema: Schema | None = None,
    text_shown: str | None = None,
) -> ReadAnswer:
    """Return the record in a raw answer to a prompt that showed a text, if any."""
    text = raw if prompt is None else _without_echo(raw, prompt)
    response = parse_response(text)
    record, outcome, repairs = response.tree, response.outcome, response.repairs
    echoed = text != raw
    if prompt is not None and (repeats_example(record, prompt.example) or (echoed and not record)):
        record, outcome, repairs, echoed = {}, UNPARSEABLE, (TEMPLATE,), False
    if echoed:
        repairs = (TEMPLATE_LEFT_OUT, *(each for each in repairs if each != TEMPLATE_LEFT_OUT))
    if prompt is not None and record:
        copied = leave_out_copied(record, prompt.example, text_shown or "")
        repairs = (*repairs, *(f"{COPIED}: {path}" for path in copied))
        outcome = REPAIRED if copied and outcome == CLEAN else outcome
    if schema is not None:
        record = rows_of_columns(record, schema)
    return ReadAnswer(record, TRUNCATED if finish == LENGTH else outcome, repairs)


def _without_echo(raw: str, prompt: Prompt) -> str:
    """Return an answer without the passages of the prompt that it repeats word for word."""
    text = raw
    for passage in (*prompt.template.split("{{text}}"), prompt.example_text):
        if passage.strip() and passage.strip() in text:
            text = text.replace(passage.strip(), "\n")
    return text


def repeats_example(record: Mapping[str, object], example: Mapping[str, object]) -> bool:
    """Say whether a record holds values of the prompt's example and no others.

    A few values that the example has too may be true; half of the example is no accident.
    """
    values = {(leaf.path, leaf.text) for leaf in leaves_of(record) if leaf.text is not None}
    invented = {(leaf.path, leaf.text) for leaf in leaves_of(example)}
    return bool(values) and values <= invented and 2 * len(values) >= len(invented)


def leave_out_copied(
    record: dict[str, object], example: Mapping[str, object], text_shown: str
) -> list[str]:
    """Turn values that were copied from the prompt's example into null; return their paths.

    Only a value that was invented can be recognised: not a choice, nor a small number, nor one that
    the document has as well.
    """
    invented = {(leaf.path, leaf.text) for leaf in leaves_of(example)}
    paths: dict[str, None] = {}
    for leaf in leaves_of(record):
        text = leaf.text
        if text is None or (leaf.path, text) not in invented or text in text_shown:
            continue
        if len(text) >= INVENTED and any(map(str.isdecimal, text)):
            leaf.put(None)
            paths[".".join(leaf.path)] = None
    return [*paths]


class AnswerLeaf(NamedTuple):
    """A value of a record: where it stands, its key, and how to put another in its place."""

    path: tuple[str, ...]
    """The keys that lead to it, without the numbers of rows."""
    key: str
    value: object
    marks: Mapping[str, object]
    """What else is known of it: its confidence, page and box."""
    put: Callable[[object], None]

    @property
    def text(self) -> str | None:
        """The value as text, None for null."""
        value = self.value
        if value is None:
            return None
        return ("true" if value else "false") if isinstance(value, bool) else str(value)


def leaves_of(
    tree: Mapping[str, object] | list[object], path: tuple[str, ...] = (), key: str = ""
) -> Iterator[AnswerLeaf]:
    """Yield the values of a record in the order in which they stand."""
    members = tree.items() if isinstance(tree, Mapping) else enumerate(tree)
    for name, value in [*members]:
        own = name if isinstance(name, str) else key
        place = (*path, name) if isinstance(name, str) else path
        inner = _leaf_value(value)
        if isinstance(inner, dict | list):
            yield from leaves_of(inner, place, own)
        else:
            marks = value if isinstance(value, dict) else {}
            others = {mark: marks[mark] for mark in marks if mark != "value"}
            yield AnswerLeaf(place, own, inner, others, _setter(tree, name))


def _leaf_value(value: object) -> object:
    """Return the value of a leaf that says more than its value."""
    is_leaf = isinstance(value, dict) and "value" in value and LEAF_KEYS.issuperset(value)
    return value["value"] if is_leaf and isinstance(value, dict) else value


def with_places(record: dict[str, object], places: Mapping[str, object]) -> None:
    """Give the values of a record the pages and boxes that they had in another reading of it."""
    marks: dict[tuple[tuple[str, ...], str | None], list[Mapping[str, object]]] = {}
    for leaf in leaves_of(places):
        place = {mark: leaf.marks[mark] for mark in ("page", "box") if mark in leaf.marks}
        marks.setdefault((leaf.path, leaf.text), []).append(place)
    for leaf in leaves_of(record):
        waiting = marks.get((leaf.path, leaf.text), [])
        if waiting and (known_place := waiting.pop(0)):
            leaf.put({"value": leaf.value, **leaf.marks, **known_place})


def _setter(
    holder: Mapping[str, object] | list[object], name: str | int
) -> Callable[[object], None]:
    def put(value: object) -> None:
        holder[name] = value  # type: ignore[index]

    return put


def rows_of_columns(record: Mapping[str, object], schema: Schema) -> dict[str, object]:
    """Return a record in which columns that stand as lists under dotted keys are rows.

    Columns that the schema gives a name of their own stay: reading a document makes rows of them.
    """
    tree = dict(record)
    for group in schema.groups:
        keys = {
            line_key(field, (group,)): field.path
            for field in group.fields
            if field.path not in group.columns
        }
        given = {key: _column(tree.pop(key)) for key in keys if key in tree}
        if given and group.path not in tree:
            tree[group.path] = _rows(group, {keys[key]: cells for key, cells in given.items()})
    return tree


def _column(value: object) -> list[object]:
    if isinstance(value, list):
        return value
    return [*value.split(SEPARATOR.strip())] if isinstance(value, str) else [value]


def _rows(group: GroupSpec, columns: Mapping[str, list[object]]) -> object:
    rows = [
        {
            short_name(path, (group.path,)): cell.strip() if isinstance(cell, str) else cell
            for path, cells in columns.items()
            if at < len(cells)
            for cell in (cells[at],)
        }
        for at in range(max(map(len, columns.values())))
    ]
    return rows[0] if group.section and rows else rows


def with_token_confidences(
    record: dict[str, object], raw: str, chances: Sequence[TokenChance], how: str
) -> None:
    """Turn the values of a record into leaves with the confidence of their tokens.

    A value that is not found in the answer, because it had to be repaired, stays as it is.
    """
    if how not in CONFIDENCES:
        raise UnknownName("confidence", how, CONFIDENCES)
    offset = -"".join(chance.text for chance in chances).find(raw)
    if offset > 0:
        return  # probabilities of another text
    place = 0
    for leaf in leaves_of(record):
        span = None if leaf.text is None else _span(raw, leaf, place)
        if span is None:
            continue
        place = span[1]
        inside = [*_inside(chances, span[0] - offset, span[1] - offset)]
        if inside:
            confidence = _together(inside, how)
            leaf.put({"value": leaf.value, **leaf.marks, "confidence": confidence})


def _inside(chances: Sequence[TokenChance], start: int, end: int) -> Iterator[float]:
    """Yield the log-probabilities of the tokens that a stretch of the text touches."""
    place = 0
    for chance in chances:
        after = place + len(chance.text)
        if place < end and after > start:
            yield chance.logprob
        place = after


def _span(raw: str, leaf: AnswerLeaf, place: int) -> tuple[int, int] | None:
    """Return where a value stands in an answer: behind its key, and that behind the place."""
    text = leaf.text or ""
    forms = [text]
    if isinstance(leaf.value, str) and not isinstance(leaf.value, Number):
        forms += [json.dumps(text, ensure_ascii=plain)[1:-1] for plain in (False, True)]
    key = raw.find(leaf.key, place)
    after = place if key < 0 else key + len(leaf.key)
    for begin in (after, place):
        hits = [(raw.find(form, begin), len(form)) for form in forms if form]
        starts = [hit for hit in hits if hit[0] >= 0]
        if starts:
            start, length = min(starts)
            return start, start + length
    return None


def _together(logprobs: Sequence[float], how: str) -> float:
    if how == "minimum":
        value = min(logprobs)
    elif how == "mean":
        value = math.fsum(logprobs) / len(logprobs)
    else:
        value = math.fsum(logprobs)
    return round(math.exp(value), PLACES)


def with_agreement(
    record: dict[str, object], others: Sequence[Mapping[str, object]], schema: Schema
) -> None:
    """Turn the values of a record into leaves with the share of answers that agree on them.

    A value agrees when another answer has one of the same field that is read as the same, in
    whichever row; a value that stands twice needs two.
    """
    fields = {
        path: BoundField(field, schema) for path, field in Listing(schema, None).fields.items()
    }
    answers = [_by_path(other) for other in others]
    for leaf in leaves_of(record):
        if leaf.text is None:
            continue
        path = _path(leaf)
        agreeing = 1 + sum(
            _take_equal(leaf.text, answer.get(path, []), fields.get(path)) for answer in answers
        )
        confidence = round(agreeing / (len(others) + 1), PLACES)
        leaf.put({"value": leaf.value, **leaf.marks, "confidence": confidence})


def _by_path(record: Mapping[str, object]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for leaf in leaves_of(record):
        if leaf.text is not None:
            texts.setdefault(_path(leaf), []).append(leaf.text)
    return texts


def _path(leaf: AnswerLeaf) -> str:
    path = ""
    for name in leaf.path:
        path = child_path(name, (path,) if path else ())
    return path


def _take_equal(text: str, texts: list[str], field: BoundField | None) -> bool:
    """Take the first equal text out of a list; say whether there is one."""
    for at, other in enumerate(texts):
        if text == other or (field is not None and _are_equal(field, text, other)):
            del texts[at]
            return True
    return False


def _are_equal(field: BoundField, text: str, other: str) -> bool:
    mine, another = field.readings[text], field.readings[other]
    return mine is not None and another is not None and field.equal(mine, another)
