"""What a mutation run changes: small edits of a module's source, found in its syntax tree.

A mutation replaces the text of one node, so that every other line stays where it was. Left alone
are docstrings and other strings, annotations, decorators and the keywords of classes, messages of
errors, `__all__`, imports, blocks under TYPE_CHECKING, and the keyword `strict` of `zip`, which
asserts and does not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}
REMOVED = (ast.Continue, ast.Break, ast.AugAssign, ast.Delete, ast.Raise)


class Mutation(NamedTuple):
    """One edit of a module."""

    line: int
    """The first line that it changes, counted from 1."""
    last: int
    """The last line of what runs with it: the simple statement around it, or the node itself."""
    entry: int
    """The first line of the function around it, 0 at the module's level."""
    function: str
    """The qualified name of the function or class around it, "" at the module's level."""
    before: str
    """The changed lines, stripped, on one line."""
    after: str
    source: str
    """The whole module, changed."""


class Point(NamedTuple):
    """A node and the text that takes its place."""

    node: ast.expr | ast.stmt
    text: str
    function: str
    entry: int
    last: int


def mutations(source: str) -> list[Mutation]:
    """Return every mutation of a module, in the order of its lines."""
    raw = source.encode()
    starts = [0]
    for line in raw.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    edits: dict[tuple[int, int, str], Mutation] = {}
    for point in _Finder().points(ast.parse(source)):
        node = point.node
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        changed = (raw[:first] + point.text.encode() + raw[last:]).decode()
        if changed == source:
            continue
        until = starts[node.end_lineno or node.lineno]
        before = raw[starts[node.lineno - 1] : until].decode()
        after = (
            raw[starts[node.lineno - 1] : first] + point.text.encode() + raw[last:until]
        ).decode()
        edits[(first, last, point.text)] = Mutation(
            node.lineno,
            point.last,
            point.entry,
            point.function,
            _flat(before),
            _flat(after),
            changed,
        )
    return [edits[key] for key in sorted(edits)]


def compiles(source: str) -> bool:
    """Return whether a source is Python; a mutation of a pattern or a target may be none."""
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def _flat(text: str) -> str:
    return " ".join(line.strip() for line in text.strip().splitlines())


class _Finder:
    """Walks a module and yields the points at which it can be changed."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._entries = [0]
        self._last = 0

    def points(self, module: ast.Module) -> Iterator[Point]:
        for statement in module.body:
            yield from self._statement(statement)

    def _point(self, node: ast.expr | ast.stmt, text: str) -> Point:
        last = max(node.end_lineno or node.lineno, self._last)
        return Point(node, text, ".".join(self._names), self._entries[-1], last)

    def _swap(self, node: ast.expr, replacement: ast.expr) -> Point:
        return self._point(node, f"({ast.unparse(replacement)})")

    def _block(self, body: list[ast.stmt]) -> Iterator[Point]:
        for statement in body:
            yield from self._statement(statement)

    def _statement(self, node: ast.stmt) -> Iterator[Point]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._last = 0
                self._names.append(node.name)
                lines = [node.lineno, *(decorator.lineno for decorator in node.decorator_list)]
                self._entries.append(min(lines))
                if not isinstance(node, ast.ClassDef):
                    for default in (*node.args.defaults, *node.args.kw_defaults):
                        yield from self._expression(default)
                yield from self._block(node.body)
                self._names.pop()
                self._entries.pop()
            case ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal() | ast.Pass():
                return
            case ast.If() if "TYPE_CHECKING" in ast.unparse(node.test):
                return
            case ast.Assign() if _is_declaration(node):
                return
            case ast.Expr(value=ast.Constant()):
                return
            case _:
                yield from self._simple(node)

    def _simple(self, node: ast.stmt) -> Iterator[Point]:
        self._last = 0 if hasattr(node, "body") else node.end_lineno or 0
        if isinstance(node, REMOVED) or _is_effect(node):
            yield self._point(node, "pass")
        if isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
            other = ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
            yield self._point(node, ast.unparse(ast.fix_missing_locations(other)))
        if isinstance(node, ast.Return) and node.value and not _is_none(node.value):
            yield self._point(node, "return None")
        if isinstance(node, ast.If | ast.While):
            yield self._swap(node.test, ast.UnaryOp(ast.Not(), node.test))
        if not isinstance(node, ast.Raise):  # what it says is a message
            annotation = getattr(node, "annotation", None)
            for child in ast.iter_child_nodes(node):
                if child is not annotation:
                    yield from self._child(child)

    def _child(self, child: ast.AST) -> Iterator[Point]:
        if isinstance(child, ast.stmt):
            yield from self._statement(child)
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from self._expression(getattr(child, "guard", None))
            yield from self._block(child.body)
        elif isinstance(child, ast.withitem):
            yield from self._expression(child.context_expr)
        else:
            yield from self._expression(child)

    def _expression(self, node: object) -> Iterator[Point]:
        if not isinstance(node, ast.expr) or isinstance(node, ast.JoinedStr):
            return
        yield from self._changes(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.keyword):
                if child.arg != "strict":
                    yield from self._expression(child.value)
            elif isinstance(child, ast.comprehension):
                yield from self._expression(child.iter)
                for test in child.ifs:
                    yield self._swap(test, ast.UnaryOp(ast.Not(), test))
                    yield from self._expression(test)
            elif isinstance(child, ast.arguments):
                for default in (*child.defaults, *child.kw_defaults):
                    yield from self._expression(default)
            else:
                yield from self._expression(child)

    def _changes(self, node: ast.expr) -> Iterator[Point]:
        match node:
            case ast.Compare():
                yield from self._comparison(node)
            case ast.BoolOp():
                connective = ast.Or() if isinstance(node.op, ast.And) else ast.And()
                yield self._swap(node, ast.BoolOp(connective, node.values))
            case ast.BinOp() if type(node.op) in ARITHMETIC:
                if self._names or not isinstance(node.op, ast.BitOr):  # a union of types
                    other = ARITHMETIC[type(node.op)]()
                    yield self._swap(node, ast.BinOp(node.left, other, node.right))
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                yield self._swap(node, node.operand)
            case ast.IfExp():
                yield self._swap(node, ast.IfExp(node.test, node.orelse, node.body))
            case ast.Constant():
                yield from self._constant(node)
            case ast.Call():
                yield from self._call(node)
            case ast.Subscript(slice=ast.Slice() as bounds):
                yield from self._slice(node, bounds)
            case _:
                return

    def _comparison(self, node: ast.Compare) -> Iterator[Point]:
        for place, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                operators = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                yield self._swap(node, ast.Compare(node.left, operators, node.comparators))

    def _constant(self, node: ast.Constant) -> Iterator[Point]:
        if isinstance(node.value, bool):
            yield self._point(node, f"{not node.value}")
        elif isinstance(node.value, int | float):
            yield self._point(node, repr(node.value + 1))
            yield self._point(node, f"({node.value - 1!r})")

    def _call(self, node: ast.Call) -> Iterator[Point]:
        name = ast.unparse(node.func).rpartition(".")[2]
        if isinstance(node.func, ast.Name) and name in OPPOSITES:
            yield self._swap(node, ast.Call(ast.Name(OPPOSITES[name]), node.args, node.keywords))
        keys = {keyword.arg: keyword for keyword in node.keywords}
        if name in ("sorted", "sort", "min", "max") and "key" in keys:
            rest = [keyword for keyword in node.keywords if keyword.arg != "key"]
            yield self._swap(node, ast.Call(node.func, node.args, rest))
        if name in ("sorted", "sort") and "reverse" not in keys:
            flag = ast.keyword("reverse", ast.Constant(True))
            yield self._swap(node, ast.Call(node.func, node.args, [*node.keywords, flag]))

    def _slice(self, node: ast.Subscript, part: ast.Slice) -> Iterator[Point]:
        one = ast.Constant(1)
        for lower, upper in (
            (part.lower and ast.BinOp(part.lower, ast.Add(), one), part.upper),
            (part.lower, part.upper and ast.BinOp(part.upper, ast.Add(), one)),
            (None, part.upper),
            (part.lower, None),
        ):
            changed = ast.Slice(lower, upper, part.step)
            if ast.dump(changed) != ast.dump(part):
                yield self._swap(node, ast.Subscript(node.value, changed, node.ctx))


def _is_declaration(node: ast.Assign) -> bool:
    """Return whether an assignment names types or exports and computes nothing."""
    names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    made = ast.unparse(node.value.func) if isinstance(node.value, ast.Call) else ""
    return "__all__" in names or made in ("TypeVar", "ParamSpec", "NewType")


def _is_effect(node: ast.stmt) -> bool:
    """Return whether a statement can go without leaving a name undefined."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Assign) and all(
        isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
