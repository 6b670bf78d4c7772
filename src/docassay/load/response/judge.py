"""What is no answer: the example that a prompt gave, a schema that was repeated, an error.

A template is an object all of whose texts stand for a value (`extracted value`, `<total>`,
`string`, `YYYY-MM-DD`). An error is what a service or a client writes in the place of a record.
Both are recognised by the whole object: one real value, or one member that errors do not have,
makes it a record.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from docassay.model.document import Number

_WORDS = re.compile(r"[^\W_]+")
_CERTAIN = r"(?:string|str|number|numeric|float|int|integer|bool|boolean|varchar)"
_ANY_TYPE = (
    r"(?:string|str|number|numeric|float|int|integer|bool|boolean|varchar|text|decimal|double|date"
    r"|datetime|time|array|object|list|null|none|any)"
)
_PLACEHOLDER = re.compile(
    rf"""\.{{2,}}|…|\?{{2,}}|list\[{_ANY_TYPE}\]
    |{_CERTAIN}|{_ANY_TYPE}(?:\s?(?:\||/|or|,)\s?{_ANY_TYPE}){{1,3}}
    |(?:the\s|an?\s|your\s)?(?:extracted|actual|found|sample|example|placeholder)
     \s(?:value|text|data|string|number|date|amount|content)s?(?:\shere)?
    |value[\s_-]?\d{{0,3}}|field[\s_-]?\d{{1,3}}|your[\s_]\w{{1,40}}
    |(?:insert|(?:enter|put)\s(?:the|your))\s[\w\s]{{1,60}}
    |(?:[\w]{{1,30}}\s){{0,4}}(?:value|name|number|date|amount|text|total|address)\s(?:goes\s)?here
    |y{{2,4}}[-/.\s]m{{1,3}}[-/.\s]d{{1,2}}|d{{1,2}}[-/.\s]m{{1,3}}[-/.\s]y{{2,4}}
    |m{{1,2}}[-/.\s]d{{1,2}}[-/.\s]y{{2,4}}|hh?:mm(?::ss)?
    |[$€£]?x{{1,12}}[.,:/-]x{{1,8}}(?:[.,:/-]x{{1,8}}){{0,4}}
    """,
    re.VERBOSE,
)
"""A text that stands for a value, in small letters."""
_PERHAPS = re.compile(rf"{_ANY_TYPE}|_{{2,}}|-{{3,}}|x{{3,12}}")
"""A text that stands for a value when it is not the only one."""
_BRACKETS = re.compile(r"<([^<>]{1,80})>|\[([^\[\]]{1,80})\]|\$?\{\{?([^{}]{1,80})\}\}?")
_FILLERS = frozenset(
    {"a", "amount", "an", "as", "code", "date", "field", "format", "from", "full", "here", "if"}
    | {"in", "its", "name", "number", "of", "on", "string", "text", "the", "value", "with"}
)
"""Words that a template adds to the name of a field."""
_NAMES = _FILLERS - {"a", "an", "as", "from", "if", "in", "its", "of", "on", "with"} | frozenset(
    {"address", "company", "currency", "customer", "description", "extracted", "invoice", "item"}
    | {"price", "quantity", "supplier", "total", "vendor", "your"}
)
"""Words by which a text in brackets is no remark such as [illegible]."""
_DESCRIBED = re.compile(r"(?:the|an?)\s")
_MOST_LEAVES = 400
_VALUE = re.compile(r"[^<\[{$vfVF]\D{0,40}\d")
"""The beginning of a text with digits that no template has."""
_LONGEST = 120
_NO_EVIDENCE = frozenset({"", "0", "0.0", "0.00", "null", "none"})
_SURENESS = frozenset({"confidence", "score", "page"})
"""Members that an example fills with a number."""


def is_template(tree: Mapping[str, object]) -> bool:
    """Say whether an object is the prompt's example or its schema, and holds no value."""
    if _is_schema(tree):
        return True
    # most records are told by one of their first values
    if any(type(value) is str and _VALUE.match(value) is not None for value in tree.values()):
        return False
    evidence = leaves = 0
    waiting: list[tuple[str, object]] = [("", tree)]
    for name, holder in waiting:
        members = holder.items() if isinstance(holder, Mapping) else ()
        for key, value in [*members] if not isinstance(holder, list) else enumerate(holder):
            # the value of an example's leaf, and a list's item, are named by the key above them
            own = name if key == "value" or isinstance(key, int) else key
            if isinstance(value, Mapping | list):
                waiting.append((own, value))
                continue
            leaves += 1
            weight = _weight(own, value)
            if weight is None or leaves > _MOST_LEAVES:
                return False
            evidence += weight
    return evidence > 1


def _weight(key: str, value: object) -> int | None:
    """Return how much a leaf speaks for a template (two is enough), None when it speaks against."""
    if value is None or isinstance(value, bool):
        return 0
    if isinstance(value, int | Number):
        empty = key.lower() in _SURENESS or (
            value == 0 if isinstance(value, int) else not float(value)
        )
        return 0 if empty else None
    text = str(value).strip().lower()
    if len(text) > _LONGEST:
        return None
    if text in _NO_EVIDENCE:
        return 0
    name = {*_WORDS.findall(key.lower())}
    brackets = _BRACKETS.fullmatch(text)
    if brackets is not None:
        text = (brackets[1] or brackets[2] or brackets[3]).strip()
        named = not name.union(_NAMES).isdisjoint(_WORDS.findall(text))
        return 2 if named or _PLACEHOLDER.fullmatch(text) is not None else None
    if _PLACEHOLDER.fullmatch(text) is not None:
        return 2
    if _PERHAPS.fullmatch(text) is not None:
        return 1
    words = _WORDS.findall(text)
    if name.isdisjoint(words):
        return None
    # {"vendor": "vendor name"} and {"total": "the total amount that is due"}
    described = name.union(_FILLERS).issuperset(words) or _DESCRIBED.match(text) is not None
    return 1 if described else None


def _is_schema(tree: Mapping[str, object]) -> bool:
    """Say whether an object is a JSON Schema, or the setting of a service that holds one."""
    if "$schema" in tree or "$defs" in tree:
        return True
    properties, inner = tree.get("properties"), tree.get("schema")
    if isinstance(properties, dict) and properties:
        return tree.get("type") == "object" or all(
            isinstance(entry, dict) and not _SCHEMA_KEYS.isdisjoint(entry) and "value" not in entry
            for entry in properties.values()
        )
    return isinstance(inner, dict) and inner.get("type") == "object" and "properties" in inner


_SCHEMA_KEYS = frozenset({"type", "$ref", "anyOf", "enum", "oneOf", "allOf", "const"})
_REASONS = ("error", "errors", "error_message", "error_msg", "exception", "fault")
_MESSAGES = ("message", "msg", "detail", "details", "title", "reason", "error_description")
_CODES = ("code", "status", "status_code", "statuscode", "http_status")
_KINDS = ("type", "object", "status", "__type", "code", "result")
_BESIDE = frozenset(
    {*_REASONS, *_MESSAGES, *_CODES, *_KINDS, "param", "request_id", "requestid", "success", "ok"}
    | {"timestamp", "path", "instance", "trace_id", "traceback", "error_code", "error_type"}
    | {"retry_after", "documentation_url", "help", "event_id", "inner_error", "innererror"}
)
_ENVELOPE = frozenset(
    {"id", "choices", "candidates", "created", "model", "usage", "responsemetadata", "user_id"}
    | {"provider", "content", "output"}
)
"""Members that an answer has besides its error, where the error is an object."""
_KIND = re.compile(
    r"(?i:(?:\w{0,60}_)?(?:error|fail|failed|failure))"
    r"|\w{1,60}(?:Error|Exception|Failed|Failure|Exceeded|Denied|Expired|Unavailable|Timeout)"
)
_PHRASE = (
    r"too\smany\srequests|rate.?limit|rate\sexceeded|internal\sserver\serror|bad\sgateway|overloaded"
    r"|service\s(?:temporarily\s)?unavailable|gateway\stime-?out|timed?\s?out|unauthori[sz]ed"
    r"|forbidden|not\sfound|bad\srequest|quota|throttl|invalid\s(?:x-)?api.?key|access\sdenied"
    r"|connection\s(?:error|refused|reset)|no\shealthy\supstream|server\serror|not\sauthenticated"
    r"|credit\sbalance"
)
_MESSAGE = re.compile(_PHRASE, re.IGNORECASE)
_FAILED = frozenset({*range(400, 600)})
_LONGEST_REASON = 200


def error_of(tree: Mapping[str, object]) -> str | None:
    """Return the message of an object that is an error and nothing else, None for a record."""
    beside = len(tree)
    for key in tree:
        name = key.lower()
        beside -= name in _BESIDE
        if name not in _BESIDE and name not in _ENVELOPE:
            return None
    members = {key.lower(): value for key, value in tree.items()}
    error = next((members[name] for name in _REASONS if _says(members.get(name))), None)
    if error is not None and (not beside or isinstance(error, dict)):
        return _message(error)
    message = next((members[name] for name in _MESSAGES if _says(members.get(name))), None)
    if beside or message is None:
        return None
    kinds = (members.get(name) for name in _KINDS)
    failed = (
        any(isinstance(kind, str) and _KIND.fullmatch(kind) is not None for kind in kinds)
        or any(_failed(members.get(name)) for name in _CODES)
        or members.get("success", members.get("ok")) is False
        or (isinstance(message, str) and _MESSAGE.search(message[:_LONGEST_REASON]) is not None)
        or (isinstance(message, list) and all(isinstance(part, dict) for part in message))
    )
    return _message(message) if failed else None


def _says(value: object) -> bool:
    """Say whether a member tells of an error: not null, false, empty or a word for none."""
    if isinstance(value, str) and not isinstance(value, Number):
        return value.strip().lower() not in _NONE
    return value is True or (isinstance(value, dict | list) and bool(value))


def _failed(code: object) -> bool:
    text = str(code) if isinstance(code, int | str) and not isinstance(code, bool) else ""
    return len(text) == 3 and text.isdecimal() and int(text) in _FAILED


def _message(error: object) -> str:
    for _ in range(3):
        if isinstance(error, list):
            error = error[0]
        if not isinstance(error, dict):
            break
        lower = {str(key).lower(): value for key, value in error.items()}
        names = (*_MESSAGES, *_REASONS, *_KINDS)
        error = next((lower[name] for name in names if _says(lower.get(name))), "no message")
    return " ".join(str(error)[:_LONGEST_REASON].split())


_NONE = frozenset({"", "none", "null", "n/a", "na", "no", "false", "-", "not_found", "nil"})
_OCCASION = (
    "code|message|type|response|from|calling|during|while|when|processing|in|at|generating|occurred"
    "|reading|parsing|fetching|communicating|with|sending|loading"
)
_ERROR_TEXT = re.compile(
    rf"""\s*+(?:```\w{{0,20}}\s++)?(?:
    (?P<mark>\[?(?:[A-Za-z_][\w.]{{0,80}}\.)?[A-Za-z]{{0,40}}(?:error|exception)\]?)
     (?:\s(?:{_OCCASION})(?:\s[\w\s./]{{1,60}})?)?\s?[:(-](?P<says>[^\n]*)
    |(?:api|http|server|service|network|request|client|model|internal|openai|anthropic|azure|gemini)
     \s(?:error|failed|failure)\b
    |traceback\s\(most\srecent\scall\slast\)
    |<(?:\?xml[^<>]{{0,100}}>\s{{0,9}}<)?error>
    |(?:http(?:/[\d.]{{1,4}})?|status(?:[ _]?code)?)\s?[:=]?\s?[45]\d\d\b
    |[45]\d\d\s(?:client\s|server\s)?(?:error\b|{_PHRASE})
    |(?:{_PHRASE})\s?[:.(-])""",
    re.IGNORECASE | re.VERBOSE,
)
_ERROR_PAGE = re.compile(
    rf"<(?:title|h1)>\s{{0,9}}(?:[45]\d\d\b|error\b|[^<]{{0,40}}(?:{_PHRASE}))", re.IGNORECASE
)
_PAGE_START = re.compile(r"\s*+<(?:!doctype\s)?html\b", re.IGNORECASE)


class ErrorText(NamedTuple):
    """The first line of a text that begins as an error does, and what may still be an answer."""

    reason: str
    rest: str = ""
    """What stands below a line such as `Error: the logo cannot be read`."""


def error_in(text: str) -> ErrorText | None:
    """Return what a text that begins as an error does says, None for any other text."""
    mark = _ERROR_TEXT.match(text)
    if mark is None:
        if _PAGE_START.match(text) is None:
            return None
        page = _ERROR_PAGE.search(text, 0, 5000)
        return None if page is None else ErrorText(_first_line(page[0].partition(">")[2]))
    says = mark["says"]
    if says is None:
        return ErrorText(_first_line(text))
    rest = text[mark.end() :]
    # `ERROR: none` above other fields is a field
    return (
        None
        if says.strip().lower() in _NONE and rest.strip()
        else ErrorText(_first_line(text), rest)
    )


def _first_line(text: str) -> str:
    return " ".join(text.strip().partition("\n")[0][:_LONGEST_REASON].split())
