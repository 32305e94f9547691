"""Whether a script in Python minds that a command failed: what it does about it decides how it ends."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gateline.analysis.modules import Function
from gateline.analysis.three_valued import truth
from gateline.analysis.trees import Known, is_truth, put_in
from gateline.integrity.enforcement.subprocess_calls import Run, Runs, rows_of
from gateline.model.names import dotted, last_name

_ENDING = frozenset({"exit", "_exit", "SystemExit", "abort", "fail", "error"})
_TELLING = frozenset(
    {"print", "echo", "info", "warning", "debug", "log", "write", "secho", "error", "exception"}
)
_PLAIN = frozenset(dir(builtins)) | {
    "run",
    "gather",
    "run_until_complete",
    "wait_for",
    "create_task",
    "wait",
    "result",
}
"""What answers with what it is given, or with what it makes of that, and does nothing about it."""
_KEEPING = frozenset({"append", "add", "extend", "update", "insert", "setdefault", "put"})
"""Methods by which something is kept in what they belong to."""


@dataclass(frozen=True)
class Minding:
    """Follows what depends on how a command ended, through names, conditions, answers and callers."""

    runs: Runs
    _seen: set[tuple[int, int]] = field(default_factory=set)

    def counts(self, run: Run) -> bool:
        """Whether a failure of what is run may fail the script."""
        self._seen.clear()
        return self._follows(run.node, run)

    def answers(self, run: Run) -> bool:
        """Whether an error of what is run is caught by something that may fail the script in its turn."""
        self._seen.clear()
        node: ast.AST = run.node
        while (above := self.runs.parents.get(node)) is not None and not isinstance(node, Function):
            if isinstance(above, ast.Try) and node in above.body:
                return any(self._does(handler.body, run) for handler in above.handlers)
            node = above
        return False

    def is_reached(self, run: Run) -> bool:
        """Whether a call is made for this row: nothing goes on before it, no condition leaves it out."""
        node: ast.AST = run.node
        while (above := self.runs.parents.get(node)) is not None and not isinstance(node, Function):
            if _leaves_out(above, node, run.known):
                return False
            node = above
        return run.outer is None or self.is_reached(run.outer)

    def _follows(self, node: ast.AST, run: Run) -> bool:
        if (place := (id(node), id(run.known))) in self._seen:
            return False
        self._seen.add(place)
        handed = False
        while not isinstance(above := self.runs.parents.get(node), ast.stmt):
            decided = self._through(above, node, run)
            if decided is not None:
                return decided
            is_given = isinstance(above, ast.Call) and above.func is not node
            handed = handed or (is_given and last_name(above) not in _TELLING | _PLAIN)  # type: ignore[arg-type]
            node = above  # type: ignore[assignment]
        return self._in_statement(above, run, handed=handed)

    def _through(self, above: ast.AST | None, node: ast.AST, run: Run) -> bool | None:
        """Whether what stands around a value decides, or keeps the value from it; None of any other."""
        match above:
            case None | ast.Lambda():
                return True
            case ast.BoolOp(op=op, values=values):
                decisive = isinstance(op, ast.Or)
                others = (one for one in values if one is not node)
                return False if any(holds(one, run.known) is decisive for one in others) else None
            case ast.NamedExpr(target=target):
                return self._named(target, run) or None
            case ast.Call() if _is_end(above) and above.func is not node:
                return True
            case ast.Call(func=ast.Attribute(value=kept, attr=attr) as func) if attr in _KEEPING:
                return self._named(kept, run) if func is not node else None
            case _:
                return None

    def _in_statement(self, statement: ast.stmt, run: Run, *, handed: bool) -> bool:
        match statement:
            case ast.Raise() | ast.Assert():
                return True
            case ast.Return():
                return self._returned(statement, run)
            case ast.If(body=body) | ast.While(body=body):
                known = holds(statement.test, run.known)
                parts = [*([] if known is False else body), *([] if known is True else statement.orelse)]
                return self._does([*parts, *self._behind(statement, body)], run)
            case ast.For(target=target, body=body) | ast.AsyncFor(target=target, body=body):
                return self._named(target, run) or self._does(body, run)
            case ast.Match(cases=cases):
                return self._does([inner for case in cases for inner in case.body], run)
            case _:
                return handed or any(self._named(target, run) for target in _targets(statement))

    def _behind(self, statement: ast.stmt, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """What is left out where a condition holds whose body goes on with the next, or answers."""
        if not isinstance(body[-1], ast.Continue | ast.Return | ast.Break):
            return []
        around = getattr(self.runs.parents.get(statement), "body", [])
        return around[around.index(statement) + 1 :] if statement in around else []

    def _does(self, statements: Sequence[ast.stmt], run: Run) -> bool:
        """Whether statements decide that are reached only where a command failed, or only where not."""
        return any(self._decides(node, run) for one in statements for node in ast.walk(one))

    def _decides(self, node: ast.AST, run: Run) -> bool:
        match node:
            case ast.Raise() | ast.Assert():
                return True
            case ast.Call() if _is_end(node):
                return bool(node.args) and not is_truth(node.args[0], of=False)
            case ast.Call(func=ast.Attribute(value=kept, attr=attr)) if attr in _KEEPING:
                return self._named(kept, run)
            case ast.Return(value=ast.expr() as value):
                empty = (
                    isinstance(value, ast.Constant) and value.value in (0, None) and value.value is not False
                )
                return not empty and self._returned(node, run)
            case ast.stmt():
                return any(self._named(target, run) for target in _targets(node))
            case _:
                return False

    def _named(self, target: ast.expr, run: Run) -> bool:
        """Whether what a name, an attribute or an item of it holds decides wherever it is read."""
        while isinstance(target, ast.Subscript | ast.Starred):
            target = target.value
        if isinstance(target, ast.Tuple | ast.List):
            return any(self._named(one, run) for one in target.elts)
        return any(self._follows(use, run) for use in self._uses(last_name(target), target))

    def _uses(self, text: str, target: ast.expr) -> Iterator[ast.AST]:
        function = self.runs.function_of(target)
        own = isinstance(target, ast.Name) and function is not None and _sets(function, text)
        scope = function if own else self.runs.module.source.tree
        for node in ast.walk(scope or ast.Module([], [])):
            match target, node:
                case ast.Name(id=name), ast.Name(id=read, ctx=ast.Load()) if name == read:
                    yield node
                # An object may be known by other names where it is read.
                case ast.Attribute(attr=name), ast.Attribute(attr=read, ctx=ast.Load()) if name == read:
                    yield node

    def _returned(self, node: ast.Return, run: Run) -> bool:
        if run.outer is not None and self.runs.function_of(run.node) is self.runs.function_of(node):
            return self._follows(run.outer.node, run.outer)
        function = self.runs.function_of(node)
        calls = self.runs.calls.get(function.name, ()) if function is not None else ()
        return not calls or any(self._follows(call, Run(call, run.known, None, 0)) for call in calls)


def _sets(function: Function, name: str) -> bool:
    """Whether a name is a function's own."""
    if any(name in n.names for n in ast.walk(function) if isinstance(n, ast.Global | ast.Nonlocal)):
        return False
    own = {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
    stored = (n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return name in own or name in stored


def _targets(statement: ast.stmt) -> list[ast.expr]:
    """What a statement gives a value to."""
    match statement:
        case ast.Assign(targets=targets):
            return targets
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return [target]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return [item.optional_vars for item in items if item.optional_vars is not None]
        case _:
            return []


def _is_end(call: ast.Call) -> bool:
    """Whether a call ends a script: `sys.exit`, and `session.error`, which no logger is."""
    return last_name(call) in _ENDING and "log" not in dotted(call.func).rpartition(".")[0].lower()


def _leaves_out(above: ast.AST, node: ast.AST, known: Known) -> bool:
    match above:
        case ast.If(test=test, orelse=orelse):
            return node is not test and holds(test, known) is (node in orelse)
        case ast.For(body=body) | ast.AsyncFor(body=body) if node in body:
            before = (one for one in body[: body.index(node)] if isinstance(one, ast.If))
            return any(_goes_on(one) and holds(one.test, known) for one in before)
        case (
            ast.ListComp(generators=parts)
            | ast.GeneratorExp(generators=parts)
            | ast.SetComp(generators=parts)
        ):
            return any(holds(test, known) is False for part in parts for test in part.ifs)
        case _:
            return False


def _goes_on(node: ast.If) -> bool:
    return isinstance(node.body[-1], ast.Continue | ast.Return)


def holds(test: ast.expr, known: Known) -> bool | None:
    """Whether a condition holds, as far as it is written out; None where that is not known."""
    return truth(put_in(test, known), _part)


def _part(test: ast.expr) -> bool | None:
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test.left, test.ops[0], test.comparators[0])
    try:
        return bool(ast.literal_eval(test))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def _compared(left: ast.expr, sign: ast.cmpop, right: ast.expr) -> bool | None:
    rows = rows_of(right)
    try:
        one = ast.literal_eval(left)
        if isinstance(sign, ast.In | ast.NotIn):
            among: bool = one in (
                [ast.literal_eval(row) for row in rows] if rows is not None else ast.literal_eval(right)
            )
            return among == isinstance(sign, ast.In)
        if isinstance(sign, ast.Eq | ast.NotEq):
            same: bool = one == ast.literal_eval(right)
            return same == isinstance(sign, ast.Eq)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return None
