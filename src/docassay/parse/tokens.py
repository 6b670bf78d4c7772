"""Records in tokens or tags: Donut's `<s_total>12</s_total>`, and plain `<total>12</total>`.

`<sep/>` separates the values of a Donut token. A tag that stands several times is a list.
"""

from __future__ import annotations

import html
import re

from docassay.load.wire import MAX_LEVELS
from docassay.parse.loose import TOO_DEEP
from docassay.parse.tree import Tree, about

_DONUT = re.compile(r"<(?P<close>/?)s_(?P<name>[^<>]{1,100})>|<(?P<sep>sep)\s?/?>")
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[^\W\d][\w.-]{0,60})(?P<more>\s[^<>]{0,200}?)?(?P<empty>/)?>(?P<sep>(?!))?"
)
_PROMPT = re.compile(r"\s*(?:<s>)?\s*<s_(?P<name>[^<>]{1,100})>(?=\s*<s(?:_|ep))")
_TASKS = frozenset({"cord", "sroie", "docvqa", "rvlcdip", "synthdog", "iitcdip", "zhtrainticket"})
_END = "</s>"
_PADDING = re.compile(r"</?s>|<pad>|<unk>")
_HTML = frozenset(
    {"a", "b", "body", "br", "center", "code", "div", "em", "font", "h1", "h2", "h3", "h4", "head"}
    | {"hr", "html", "i", "img", "li", "ol", "p", "pre", "small", "span", "strong", "style", "sub"}
    | {"sup", "table", "tbody", "td", "th", "thead", "tr", "u", "ul"}
)


class _Open:
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
    reader = _Reader(repeats=False)
    reader.run(_PADDING.sub("", text), _DONUT)
    return Tree(reader.root.members, tuple(reader.repairs))


def _is_prompt(name: str, text: str) -> bool:
    """Say whether a first token is a task: it never closes, and is known or nothing was cut."""
    if f"</s_{name}>" in text:
        return False
    return name in _TASKS or "-" in name or text.rstrip().endswith(_END)


def read_tags(text: str) -> Tree:
    """Return the fields of plain tags; a single tag around all of them is taken off."""
    reader = _Reader(repeats=True)
    reader.run(text, _TAG)
    fields = reader.root.members
    while len(fields) == 1:
        (inner,) = fields.values()
        if not isinstance(inner, dict):
            break
        fields = inner
    return Tree(fields, tuple(reader.repairs))


class _Reader:
    def __init__(self, *, repeats: bool) -> None:
        self.repeats = repeats
        self.root = _Open("")
        self.stack = [self.root]
        self.open: dict[str, int] = {}
        self.repairs: dict[str, None] = {}

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
                self.stack.append(_Open(name))
        self._words(text[at:])
        self._cut_off()

    def _words(self, words: str) -> None:
        top = self.stack[-1]
        if not words.strip():
            return
        if top is self.root or top.members:
            self.repairs["text around the fields"] = None
        else:
            top.words.append(html.unescape(words) if self.repeats else words)

    def _separate(self) -> None:
        top = self.stack[-1]
        if top is self.root:
            self.repairs["extra token: sep"] = None
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

    def _put(self, holder: _Open, name: str, value: object) -> None:
        if holder.words and "".join(holder.words).strip():
            self.repairs["text around the fields"] = None
        holder.words = []
        if name not in holder.members:
            holder.members[name] = value
            return
        known = holder.members[name]
        if not self.repeats:
            self.repairs[about("duplicate key", name)] = None
            holder.members[name] = value
        elif isinstance(known, list):  # without separators, only repetition makes lists
            known.append(value)
        else:
            holder.members[name] = [known, value]

    def _cut_off(self) -> None:
        count = len(self.stack) - 1
        if not count:
            return
        self.repairs[f"cut off: {count} token{'s' if count > 1 else ''} closed"] = None
        while len(self.stack) > 1:
            top = self.stack.pop()
            if top.words:
                self.repairs[about("value cut off", top.name)] = None
            value = top.value() if top.members else top.earlier
            if value:
                self._put(self.stack[-1], top.name, value)
