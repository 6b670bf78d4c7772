"""Regular expressions whose steps are counted: a plain backtracking matcher beside the real one.

The real pattern gives the results; the matcher goes through the same text only to count how many
instructions a backtracking engine executes. So work can be compared at two sizes without a clock.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

import pytest

Program = list[tuple]
_CATEGORIES: dict[object, Callable[[str], bool]] = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_NOT_DIGIT: lambda c: not c.isdecimal(),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
    sre.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
    sre.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
}


def _in_class(items: list, char: str) -> bool:
    negated = items[0][0] is sre.NEGATE
    for op, value in items[1:] if negated else items:
        if (
            (op is sre.LITERAL and ord(char) == value)
            or (op is sre.RANGE and value[0] <= ord(char) <= value[1])
            or (op is sre.CATEGORY and _CATEGORIES[value](char))
        ):
            return not negated
    return negated


def _test(op: object, value: object, flags: int) -> Callable[[str], bool]:
    fold = str.lower if flags & re.IGNORECASE else str
    if op is sre.LITERAL:
        return lambda c: fold(c) == fold(chr(value))
    if op is sre.NOT_LITERAL:
        return lambda c: fold(c) != fold(chr(value))
    if op is sre.ANY:
        return lambda c: bool(flags & re.DOTALL) or c != "\n"
    known: dict[str, bool] = {}

    def in_class(char: str) -> bool:
        if char not in known:
            known[char] = _in_class(value, fold(char))
        return known[char]

    return in_class


class _Compiler:
    def __init__(self, flags: int) -> None:
        self.flags = flags
        self.code: Program = []

    def run(self, tree: object) -> Program:
        for op, value in tree:
            self.part(op, value)
        return self.code

    def whole(self, tree: object) -> Program:
        return [*_Compiler(self.flags).run(tree), ("end",)]

    def part(self, op: object, value: object) -> None:  # noqa: C901 - one case an operation
        code = self.code
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            code.append(("char", _test(op, value, self.flags)))
        elif op is sre.SUBPATTERN:
            group, _, _, inner = value
            code.append(("open", group))
            self.run(inner)
            code.append(("close", group))
        elif op is sre.BRANCH:
            self.branch(value[1])
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            self.repeat(*value, greedy=op is sre.MAX_REPEAT)
        elif op is sre.POSSESSIVE_REPEAT:
            inner = _Compiler(self.flags)
            inner.repeat(*value, greedy=True)
            code.append(("atomic", [*inner.code, ("end",)]))
        elif op is sre.ATOMIC_GROUP:
            code.append(("atomic", self.whole(value)))
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            direction, inner = value
            back = inner.getwidth()[0] if direction < 0 else 0
            code.append(("look", self.whole(inner), op is sre.ASSERT, back))
        elif op is sre.GROUPREF:
            code.append(("back", value))
        elif op is sre.GROUPREF_EXISTS:
            group, yes, no = value
            here = len(code)
            code.append(())
            self.run(yes)
            code[here] = ("if", group, len(code))
            assert not no
        elif op is sre.AT:
            code.append(("at", value))
        elif op is sre.FAILURE:
            code.append(("char", lambda _: False))
        else:
            raise NotImplementedError(op)

    def branch(self, choices: list) -> None:
        code, jumps = self.code, []
        for choice in choices[:-1]:
            here = len(code)
            code.append(())
            self.run(choice)
            jumps.append(len(code))
            code.append(())
            code[here] = ("split", here + 1, len(code))
        self.run(choices[-1])
        for jump in jumps:
            code[jump] = ("jump", len(code))

    def repeat(self, least: int, most: int, inner: object, *, greedy: bool) -> None:
        code = self.code
        for _ in range(least):
            self.run(inner)
        if most is sre.MAXREPEAT:
            here = len(code)
            code.append(())
            self.run(inner)
            nullable = inner.getwidth()[0] == 0
            code.append(("again", here) if nullable else ("jump", here))
            code[here] = self.choice(here + 1, len(code), greedy=greedy)
            return
        starts = []
        for _ in range(most - least):
            starts.append(len(code))
            code.append(())
            self.run(inner)
        for start in starts:
            code[start] = self.choice(start + 1, len(code), greedy=greedy)

    def choice(self, inside: int, behind: int, *, greedy: bool) -> tuple:
        return ("split", inside, behind) if greedy else ("split", behind, inside)


class CountedPattern:
    """A compiled pattern that adds the steps of each call to a common count."""

    def __init__(self, pattern: re.Pattern, steps: list[int]) -> None:
        self.real = pattern
        self.steps = steps
        tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
        self.code = [*_Compiler(pattern.flags).run(tree), ("end",)]

    def _run(  # noqa: C901 - one case an instruction
        self, code: Program, text: str, start: int, end: int, *, full: bool, groups: dict
    ) -> int | None:
        """Return where a match ends, or None; the groups are filled in."""
        waiting = [(0, start, groups)]
        while waiting:
            at, pos, marks = waiting.pop()
            while True:
                self.steps[0] += 1
                op, *rest = code[at]
                at += 1
                if op == "char":
                    if pos >= end or not rest[0](text[pos]):
                        break
                    pos += 1
                elif op == "split":
                    waiting.append((rest[1], pos, marks))
                    at = rest[0]
                elif op == "jump":
                    at = rest[0]
                elif op == "again":
                    if marks.get(("loop", at)) == pos:
                        break
                    marks = {**marks, ("loop", at): pos}
                    at = rest[0]
                elif op in ("open", "close"):
                    marks = {**marks, (op, rest[0]): pos}
                elif op == "atomic":
                    found = self._run(rest[0], text, pos, end, full=False, groups=marks)
                    if found is None:
                        break
                    pos = found
                elif op == "look":
                    inner, wanted, back = rest
                    found = None
                    if pos - back >= 0:
                        found = self._run(inner, text, pos - back, end, full=False, groups=marks)
                    if (found is not None) != wanted:
                        break
                elif op == "back":
                    words = text[marks.get(("open", rest[0]), 0) : marks.get(("close", rest[0]), 0)]
                    if not text.startswith(words, pos):
                        break
                    pos += len(words)
                elif op == "if":
                    at = at if ("close", rest[0]) in marks else rest[1]
                elif op == "at":
                    if rest[0] is sre.AT_END_STRING and pos != end:
                        break
                elif not full or pos == end:
                    return pos
                else:
                    break
        return None

    def _count(self, text: str, start: int, end: int, *, full: bool = False) -> None:
        self._run(self.code, text, start, end, full=full, groups={})

    def _limits(self, text: str, pos: int, endpos: int | None) -> tuple[int, int]:
        return pos, len(text) if endpos is None else min(endpos, len(text))

    def match(self, text: str, pos: int = 0, endpos: int | None = None):
        pos, end = self._limits(text, pos, endpos)
        self._count(text, pos, end)
        return self.real.match(text, pos, end)

    def fullmatch(self, text: str, pos: int = 0, endpos: int | None = None):
        pos, end = self._limits(text, pos, endpos)
        self._count(text, pos, end, full=True)
        return self.real.fullmatch(text, pos, end)

    def search(self, text: str, pos: int = 0, endpos: int | None = None):
        pos, end = self._limits(text, pos, endpos)
        found = self.real.search(text, pos, end)
        for start in range(pos, end if found is None else found.start() + 1):
            self._count(text, start, end)
        return found

    def finditer(self, text: str, pos: int = 0, endpos: int | None = None) -> Iterator[re.Match]:
        pos, end = self._limits(text, pos, endpos)
        for found in self.real.finditer(text, pos, end):
            for start in range(pos, found.start() + 1):
                self._count(text, start, end)
            pos = max(found.end(), pos)
            yield found
        for start in range(pos, end):
            self._count(text, start, end)

    def findall(self, text: str) -> list:
        return [None for _ in self.finditer(text)] and self.real.findall(text)

    def sub(self, replacement: object, text: str) -> str:
        return self.subn(replacement, text)[0]

    def subn(self, replacement: object, text: str) -> tuple[str, int]:
        for _ in self.finditer(text):
            pass
        return self.real.subn(replacement, text)

    def split(self, text: str) -> list:
        for _ in self.finditer(text):
            pass
        return self.real.split(text)


def count_steps(modules: list, patch: pytest.MonkeyPatch) -> list[int]:
    """Count the steps of all patterns of some modules from now on, in the one item returned."""
    steps = [0]
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                patch.setattr(module, name, CountedPattern(value, steps))
            elif isinstance(value, dict) and not name.startswith("__"):
                _count_items(value, patch, steps)
            elif isinstance(value, type) and issubclass(value, Enum):
                _count_members(value, patch, steps)
    return steps


def _count_items(holder: dict, patch: pytest.MonkeyPatch, steps: list[int]) -> None:
    for key, item in holder.items():
        if isinstance(item, re.Pattern):
            patch.setitem(holder, key, CountedPattern(item, steps))
        elif isinstance(getattr(item, "__self__", None), re.Pattern):
            counted = CountedPattern(item.__self__, steps)
            patch.setitem(holder, key, getattr(counted, item.__name__))


def _count_members(holder: type[Enum], patch: pytest.MonkeyPatch, steps: list[int]) -> None:
    for member in holder:
        if isinstance(member.value, re.Pattern):
            patch.setattr(member, "_value_", CountedPattern(member.value, steps))
