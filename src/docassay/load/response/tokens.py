"""Special tokens of models: thoughts before an answer, and records in Donut's tokens or in tags.

`<sep/>` separates the values of a Donut token. A tag that stands several times is a list.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from docassay.load.response.leaves import Tree, about, without_entities
from docassay.load.response.loose import TOO_DEEP
from docassay.load.wire import MAX_LEVELS
from docassay.model.problem import Repair

REMOVED = "thinking removed"
_NAMES = "think|thinking|thoughts?|reasoning|reflection|scratchpad"
_THOUGHT = re.compile(
    rf"(?:<|◁|\[)(?P<close>/?)(?:\w{{1,20}}:)?(?:{_NAMES})(?:>|▷|\])"
    r"|<\|begin_of_thought\|>|(?P<end><\|end_of_thought\|>)",
    re.IGNORECASE,
)
_FINAL = ("<|channel|>final", "assistantfinal")
"""Where the channel of the answer begins; the second is what is left without special tokens."""
_CHANNELS = ("<|channel|>analysis", "analysis")
_MARKS = re.compile(
    r"<\|[\w ]{1,40}\|>|<｜[^｜<>]{1,40}｜>|</?s>|<(?:pad|eos|bos|unk|end_of_turn|start_of_turn)>"
    r"|</?(?:answer|final_answer|output|json|response|result)>",
    re.IGNORECASE,
)


class Answer(NamedTuple):
    """A response without its thoughts, and what was taken off."""

    text: str
    repairs: tuple[str, ...] = ()
    unfinished: bool = False
    """The thoughts were never closed, and nothing stands before them."""


def without_thinking(text: str) -> Answer:
    """Return what is outside the thoughts; a draft inside them is no answer."""
    for channel, final in zip(_CHANNELS, _FINAL, strict=True):
        # the bare word is a channel at the very start only
        if channel in text[:200] if channel[0] == "<" else text.startswith(channel):
            _, mark, answer = text.rpartition(final)
            if mark:
                return Answer(answer, (REMOVED,))
            if channel[0] == "<":
                return Answer("", (REMOVED,), unfinished=True)
    return _outside(text) if _THOUGHT.search(text) else Answer(text)


def _outside(text: str) -> Answer:
    kept: list[str] = []
    at, inside = 0, False
    last = len(text.rstrip())
    for mark in _THOUGHT.finditer(text):
        closes = bool(mark["close"] or mark["end"])
        if not closes and not inside:
            kept.append(text[at : mark.start()])
            inside = True
        elif closes and inside:
            at, inside = mark.end(), False
        elif closes:
            if mark.end() < last:
                kept.clear()  # the opening mark stood in the prompt
            else:
                kept.append(text[at : mark.start()])
            at = mark.end()
    if not inside:
        kept.append(text[at:])
    answer = "".join(kept)
    return Answer(answer, (REMOVED,), unfinished=inside and not answer.strip())


def without_marks(text: str) -> Answer:
    """Return a text without the special tokens and answer tags of templates."""
    rest, count = _MARKS.subn("", text)
    return Answer(rest, ("special tokens",) if count else ())


_DONUT = re.compile(r"<(?P<close>/?)s_(?P<name>[^<>]{1,100})>|<(?P<sep>sep)\s?/?>")
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[^\W\d][\w.-]{0,60})(?P<more>\s[^<>]{0,200}?)?(?P<empty>/)?>(?P<sep>(?!))?"
)
_PROMPT = re.compile(r"\s*+(?:<s>\s*+)?<s_(?P<name>[^<>]{1,100})>(?=\s*<s(?:_|ep))")
_TASKS = frozenset({"cord", "sroie", "docvqa", "rvlcdip", "synthdog", "iitcdip", "zhtrainticket"})
_END = "</s>"
_PADDING = re.compile(r"</?s>|<pad>|<unk>")
_HTML = frozenset(
    {"a", "b", "body", "br", "center", "code", "div", "em", "font", "h1", "h2", "h3", "h4", "head"}
    | {"hr", "html", "i", "img", "li", "ol", "p", "pre", "small", "span", "strong", "style", "sub"}
    | {"sup", "table", "tbody", "td", "th", "thead", "tr", "u", "ul"}
)


class _OpenToken:
    """A token that is being read: earlier values, then the members or words of this one."""

    __slots__ = ("earlier", "members", "name", "words")

    def __init__(self, name: str) -> None:
        self.name = name
        self.earlier: list[object] = []
        self.members: dict[str, object] = {}
        self.words: list[str] = []

    def current(self) -> object:
        """Return what stands since the last separator."""
        return self.members or "".join(self.words).strip()

    def value(self) -> object:
        """Return the whole: one value, or the list of them."""
        return [*self.earlier, self.current()] if self.earlier else self.current()


def is_donut(text: str) -> bool:
    """Say whether a text holds Donut's tokens before any brace."""
    first = text.find("<s_")
    return first >= 0 and not 0 <= text.find("{") < first


def read_donut(text: str) -> Tree:
    """Return the fields of Donut's tokens, without the prompt of a task."""
    prompt = _PROMPT.match(text)
    if prompt is not None and _is_prompt(prompt["name"], text):
        text = text[prompt.end() :]
    reader = _TokenReader(repeats=False)
    reader.run(_PADDING.sub("", text), _DONUT)
    return Tree(reader.root.members, tuple(reader.repairs))


def _is_prompt(name: str, text: str) -> bool:
    """Say whether a first token is a task: it never closes, and is known or nothing was cut."""
    if f"</s_{name}>" in text:
        return False
    return name in _TASKS or "-" in name or text.rstrip().endswith(_END)


_FENCE = re.compile(r"```\w{0,20}")
_COMMENT, _COMMENT_END = "<!--", "-->"


def without_comments(text: str) -> str:
    """Return a text without the comments of XML and HTML; one that never ends is kept."""
    first, *rest = text.split(_COMMENT)
    parts = (part.partition(_COMMENT_END) for part in rest)
    return first + "".join(after if mark else before for before, mark, after in parts)


def read_tags(text: str) -> Tree:
    """Return the fields of plain tags; a single tag around all of them is taken off."""
    reader = _TokenReader(repeats=True)
    if _COMMENT in text:
        text = without_comments(text)
        reader.repairs["comment"] = None
    if _FENCE.search(text) is not None:
        text = _FENCE.sub("", text)
        reader.repairs["code fence"] = None
    reader.run(text.replace("<![CDATA[", "").replace("]]>", ""), _TAG)
    fields = reader.root.members
    while len(fields) == 1:
        (inner,) = fields.values()
        if not isinstance(inner, dict):
            break
        fields = inner
    return Tree(fields, tuple(reader.repairs))


class _TokenReader:
    def __init__(self, *, repeats: bool) -> None:
        self.repeats = repeats
        self.root = _OpenToken("")
        self.stack = [self.root]
        self.open: dict[str, int] = {}
        self.repairs: dict[Repair | str, None] = {}

    def run(self, text: str, pattern: re.Pattern[str]) -> None:
        """Read a text; what is open at its end is cut off, and the last value with it."""
        at = 0
        for token in pattern.finditer(text):
            name = token["name"]
            if self.repeats and name.lower() in _HTML:
                continue
            self._words(text[at : token.start()])
            at = token.end()
            if self.repeats and (token["more"] or "").strip():
                self.repairs["attributes left out"] = None
            if token["sep"]:
                self._separate()
            elif token["close"]:
                self._close(name)
            elif self.repeats and token["empty"]:
                self._put(self.stack[-1], name, "")
            elif len(self.stack) > MAX_LEVELS:
                self.root.members = {}
                self.repairs = {TOO_DEEP: None}
                return
            else:
                self.open[name] = self.open.get(name, 0) + 1
                self.stack.append(_OpenToken(name))
        self._words(text[at:])
        self._cut_off()

    def _words(self, words: str) -> None:
        top = self.stack[-1]
        if not words.strip():
            return
        if top is self.root or top.members:
            self.repairs["text around the fields"] = None
        else:
            top.words.append(without_entities(words) if self.repeats else words)

    def _separate(self) -> None:
        top = self.stack[-1]
        if top is self.root:
            self.repairs[Repair("extra token", "sep")] = None
            return
        top.earlier.append(top.current())
        top.members, top.words = {}, []

    def _close(self, name: str) -> None:
        if not self.open.get(name):
            self.repairs[about("extra token", name)] = None
            return
        while True:
            top = self.stack.pop()
            self.open[top.name] -= 1
            self._put(self.stack[-1], top.name, top.value())
            if top.name == name:
                return
            self.repairs[about("unclosed token", top.name)] = None

    def _put(self, holder: _OpenToken, name: str, value: object) -> None:
        if holder.words and "".join(holder.words).strip():
            self.repairs["text around the fields"] = None
        holder.words = []
        if name not in holder.members:
            holder.members[name] = value
            return
        old_value = holder.members[name]
        if not self.repeats:
            self.repairs[about("duplicate key", name)] = None
            holder.members[name] = value
        elif isinstance(old_value, list):  # without separators, only repetition makes lists
            old_value.append(value)
        else:
            holder.members[name] = [old_value, value]

    def _cut_off(self) -> None:
        count = len(self.stack) - 1
        if not count:
            return
        closed = f"{count} token{'s' if count > 1 else ''} closed"
        self.repairs[Repair("cut off", closed)] = None
        while len(self.stack) > 1:
            top = self.stack.pop()
            if top.words:
                self.repairs[about("value cut off", top.name)] = None
            value = top.value() if top.members else top.earlier
            if value:
                self._put(self.stack[-1], top.name, value)
