"""The record of a text with JSON in it: the object that is meant, and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from docassay.errors import DataError
from docassay.load.response.judge import error_of, is_template
from docassay.load.response.keys import read_line
from docassay.load.response.leaves import Tree, about, unescape, without_entities
from docassay.load.response.loose import TOO_DEEP, Read, read_loosely
from docassay.load.response.tokens import without_marks
from docassay.load.wire import decode
from docassay.model.problem import Repair

_BOXED = "\\boxed{\\{"
_BRACE = re.compile(r"\\([{}_$%&#])")
# what stands behind the first brace tells: {\n, {\" or {&quot; is no JSON yet
_ESCAPED = re.compile(r"""[^{]*+\{(?=\s*\\)(?:\s|\\+[nrt])*+\\*["'{}]""")
_ENTITIES = re.compile(r"[^{]*+\{\s*&(?:quot|apos|\#34|\#39);")


def strict_object(text: str) -> dict[str, object] | None:
    """Return the tree of a text that is one JSON object with nothing to overlook, else None."""
    text = text.strip()
    if not (text.startswith("{") and text.endswith("}")):
        return None
    tree = _strict(text)
    return tree if isinstance(tree, dict) else None


def _strict(text: str) -> object:
    try:
        tree, problems = decode(text.encode(), "")
    except (DataError, UnicodeEncodeError):
        return None
    return None if problems else tree


def only_fence(text: str) -> str | None:
    """Return what stands in a code fence that is the whole text, else None."""
    text = text.strip()
    if not (text.startswith("```") and text.endswith("```") and text.count("```") == 2):
        return None
    return text[3:-3].partition("\n")[2]


def unwrapped(text: str) -> tuple[str, str] | None:
    """Return the text that a text holds in escaped form, and how, else None."""
    start = text.rfind(_BOXED)
    if start >= 0:  # the record as TeX writes it: \boxed{\{"total": 1\}}
        boxed = text[start + len(_BOXED) - len("\\{") : text.rfind("}")]
        return _BRACE.sub(r"\1", boxed), "special tokens"
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    inner = _strict(text) if quoted else None
    if isinstance(inner, str):
        return inner, "JSON inside a text"
    if _ESCAPED.match(text) is not None:
        return unescape(text[1:-1] if quoted else text), "JSON inside a text"
    if _ENTITIES.match(text) is not None:
        return without_entities(text), "HTML entities"
    return None


TEMPLATE_LEFT_OUT = "template left out"
FENCE = "```"
MOST = 1000
"""Objects in one response; a text with more of them is no record."""
_PROGRAM = re.compile(
    rf"{FENCE}[ \t]*(?:python|py|javascript|js|typescript|ts|java|bash|sh|sql|csharp|go|ruby)\b",
    re.IGNORECASE,
)
_FENCE_LINE = re.compile(rf"\n[ \t]*{FENCE}")
# so few comments, for there may be a brace in each, from which the search begins again
_OPENING = r"""\{\s*+(?:(?://[^\n]{0,200}\n|\#[^\n]{0,200}\n|/\*[^*]{0,200}\*/)\s*+){0,8}+"""
_START = re.compile(
    rf"""(?={_OPENING}["'“”„‘’}}]|\[\s*\{{)|(?={_OPENING}[^\W\d][\w$ .-]{{0,60}}:)"""
)


class Candidate(NamedTuple):
    """An object or list of objects, where it begins, and what speaks for it."""

    read: Read
    start: int
    fenced: bool
    program: bool
    quoted: bool

    @property
    def record(self) -> dict[str, object]:
        """The object itself, or the one of its list that is meant."""
        return _record(self.read.value)[0]

    @property
    def rank(self) -> tuple[bool, bool, bool, bool, bool, bool, int]:
        """How good a candidate it is; what stands in a program is no answer if there is another."""
        read = self.read
        return (
            *(bool(read.value), is_answer(self.record), not self.program),
            *(self.fenced, self.quoted, read.complete, self.start),
        )


def is_answer(record: dict[str, object]) -> bool:
    """Say whether an object may be what was asked for: no template, and no error."""
    return not is_template(record) and error_of(record) is None


def objects(text: str) -> list[Candidate]:
    """Return the objects of a text in order; one that is too deep alone, for it is all there is."""
    candidates: list[Candidate] = []
    at = fences = limit = 0
    program = False
    while len(candidates) < MOST and (start := _START.search(text, at)) is not None:
        begin = start.start()
        fences += text.count(FENCE, at, begin)
        fence = text.rfind(FENCE, at, begin)
        if fence >= 0:
            program = _PROGRAM.match(text, fence) is not None
        if limit <= begin:
            line = _FENCE_LINE.search(text, begin)
            limit = len(text) if line is None else line.start()
        read = (None if candidates else _strictly(text, begin, limit)) or read_loosely(
            text, begin, limit
        )
        if TOO_DEEP in read.repairs:
            return [Candidate(read, begin, fenced=False, program=False, quoted=False)]
        quoted = "unquoted key" not in read.repairs
        candidates.append(Candidate(read, begin, fences % 2 == 1, program, quoted))
        at = max(read.end, begin + 1)
    return candidates


def _strictly(text: str, begin: int, limit: int) -> Read | None:
    """Return the strict object that ends with the last brace: the usual case, and a fast one."""
    end = text.rfind("}", begin, limit) + 1
    tree = strict_object(text[begin:end])
    return None if tree is None else Read(tree, end, (), complete=True)


_FENCE_ONLY = re.compile(r"```\w*")
_LABEL = re.compile(
    r"(?:.*[ _])?(?:json|output|answer|result|response|data|record|extraction|object)s?",
    re.IGNORECASE,
)
"""Words before the record itself, rather than the name of a field."""
_PREFILLED = re.compile(r'\s*"[^"\n]{1,80}"\s*:')
_LOOKED_AT = 2000
"""Lines that are searched for other fields around an object."""


def find_record(text: str) -> Tree | None:
    """Return the object of a text that is meant, or None when no object is the answer."""
    missing = _PREFILLED.match(text) is not None
    if missing:  # the prompt ended with the opening bracket
        text = "{" + text
    options = objects(text)
    if not options:
        return None
    best = options[0] if missing or len(options) == 1 else _best(options)
    if TOO_DEEP in best.read.repairs:
        return Tree({}, (TOO_DEEP,))
    if not missing and _stands_in_a_field(text, best):
        return None
    fields, chosen = _record(best.read.value)
    repairs = [*(["opening bracket missing"] if missing else []), *_packaging(text, options, best)]
    return Tree(fields, (*repairs, *chosen, *best.read.repairs))


def without_objects(text: str) -> str:
    """Return a text without the lines in which its objects stand."""
    kept: list[str] = []
    at = 0
    for candidate in objects(text):
        if candidate.read.end > at:
            kept.append(text[at : max(at, text.rfind("\n", at, candidate.start) + 1)])
            line_end = text.find("\n", candidate.read.end)
            at = len(text) if line_end < 0 else line_end
    return "".join([*kept, text[at:]])


def _best(options: Sequence[Candidate]) -> Candidate:
    """Return the last of the best candidates, or a fuller one that does not contradict it."""
    ranks = [candidate.rank for candidate in options]
    last = options[ranks.index(max(ranks))]
    *worth, _ = last.rank
    peers = [peer for peer, rank in zip(options, ranks, strict=True) if [*rank[:-1]] == worth]
    fullest = max(peers, key=lambda peer: (len(peer.record), peer.start))
    own = last.record
    agrees = all(own.get(key, value) == value for key, value in fullest.record.items())
    return fullest if agrees else last


def _record(value: object) -> tuple[dict[str, object], list[Repair | str]]:
    if isinstance(value, dict):
        return value, []
    records = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
    if not records:
        return {}, []
    if isinstance(value, list) and len(value) == 1:
        return records[0], ["list of one record"]
    answers = [record for record in records[:2] if is_answer(record)]
    taken = answers[0] if answers else records[0]
    number = "first" if taken is records[0] else "second"
    return taken, [Repair("list of records", f"the {number} of {len(records)} is taken")]


def _packaging(text: str, found: Sequence[Candidate], best: Candidate) -> list[Repair | str]:
    """Return what stands around the object that was taken."""
    ends = [0, *(candidate.read.end for candidate in found)]
    starts = [*(candidate.start for candidate in found), len(text)]
    around = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    words, marks, _ = without_marks(around)
    repairs: list[Repair | str] = [*marks, *(["code fence"] if best.fenced else [])]
    if _FENCE_ONLY.sub("", words).strip():
        repairs.append("text around the JSON")
    if len(found) > 1:
        number = found.index(best) + 1
        repairs.append(Repair("several objects", f"number {number} of {len(found)} is taken"))
        if any(peer is not best and is_template(peer.record) for peer in found):
            repairs.append(TEMPLATE_LEFT_OUT)
        repairs += [about("only in another object", key) for key in _elsewhere(found, best)]
    if len(found) == MOST:
        repairs.append(Repair("too long", "more objects follow"))
    return repairs


def _elsewhere(found: Sequence[Candidate], best: Candidate) -> list[str]:
    """Return the keys that objects as good as the one that was taken have beside its own."""
    like = (peer for peer in found if (peer.fenced, peer.program) == (best.fenced, best.program))
    answers = (peer.record for peer in like if peer.quoted and is_answer(peer.record))
    return [key for key in dict.fromkeys(chain.from_iterable(answers)) if key not in best.record]


def _stands_in_a_field(text: str, best: Candidate) -> bool:
    """Say whether an object is the value of one `FIELD: value` line or row among others."""
    begin = text.rfind("\n", 0, best.start) + 1
    before = text[begin : best.start].rstrip()
    equals = before.endswith("=")
    own = read_line(f"{before[:-1]}:" if equals else before)
    if own.raw.startswith("|") and own.raw.count("|") > 1:
        return True
    if (
        own.key is None
        or own.words
        or (equals and best.program)
        or _LABEL.fullmatch(own.key) is not None
    ):
        return False
    above, below = text[:begin].splitlines(), text[best.read.end :].splitlines()[1:]
    if own.key.isupper() or text[best.start] == "[":
        return any(read_line(line).key is not None for line in [*above, *below][:_LOOKED_AT])
    # a word like `Note: …` may stand anywhere; a field stands right beside its neighbour
    beside = map(read_line, [*above[-1:], *below[:1]])
    return any(row.key is not None and row.words and row.words[0] not in "{[" for row in beside)
