"""How a function leaves when a value is missing: as it does elsewhere, or as others beside it do."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from gateline.repairs.analysis.blocks import before as _before
from gateline.repairs.analysis.code import Code, Function, walk_scope
from gateline.repairs.analysis.scopes import Kind, bound, loads, parameters_of, visible
from gateline.repairs.locate.caught_exceptions import raising
from gateline.repairs.priors import prior

_MOST = 8
_ERROR = re.compile(r"[A-Z]\w*(?:Error|Exception|Failure|Invalid|Missing)")
_TEXTS = frozenset({"message", "msg", "error", "reason", "detail", "text", "description"})
_OTHERWISE = re.compile(
    r"""(?:\bor|,|;|\belse|\breturns?) ("[^"\n]*"|'[^'\n]*'|None|-?\d+|\[\]|\{\}|False)(?!\w)"""
)


def exits(
    code: Code, statement: ast.stmt, name: str, expected: Sequence[str] = ()
) -> list[tuple[str, float]]:
    """Statements that leave, as text, with their cost; the likeliest first.

    `expected` names exceptions that callers are ready for.
    """
    costs: dict[str, float] = {}
    function = code.function(statement)
    about = "" if function is None else next(iter(parameters_of(function)), "")
    first, each = prior("donors.exit-caught-exception"), prior("donors.exit-caught-exception-rank")
    awaited = [(raising(code, function, e, about), first + each * n) for n, e in enumerate(expected[:2])]
    for text, cost in (*awaited, *_all(code, statement, name)):
        costs[text] = min(cost, costs.get(text, cost))
    return sorted(costs.items(), key=lambda row: row[1])[:_MOST]


def _all(code: Code, statement: ast.stmt, name: str) -> Iterator[tuple[str, float]]:
    yield from _precedents(code, statement, name)
    yield from _just_made(code, statement, name)
    loop = _loop_around(code, statement)
    is_in_loop = loop is not None
    if loop is not None:
        yield "continue", prior("donors.exit-continue")
        yield (
            "break",
            prior("donors.exit-break-of-endless") if _never_ends(loop) else prior("donors.exit-break"),
        )
    function = code.function(statement)
    if function is None:
        return
    for text, cost in _returns(code, function, statement):
        # One element rarely ends a loop.
        yield text, cost + (prior("donors.exit-return-in-loop") if is_in_loop else 0)
    yield from _told(function)
    yield from _unread(code, function, name)
    yield from _partial(code, function, name)
    yield from _raises(code, function, statement)


def _told(function: Function) -> Iterator[tuple[str, float]]:
    """What the docstring says that is returned otherwise, as `Name, or "-" when there is none` does."""
    for found in _OTHERWISE.finditer(ast.get_docstring(function) or ""):
        yield f"return {found[1]}", prior("donors.exit-documented-value")


def _unread(code: Code, function: Function, missing: str) -> Iterator[tuple[str, float]]:
    """What nothing reads any more was read by the exit: a parameter, an exception that is imported."""
    nodes = list(ast.walk(function))
    params = [name for name in parameters_of(function) if name[:1] != "_" and not loads(nodes, name)]
    said = next((name for name in params if name in _TEXTS), "")
    about = next(iter(parameters_of(function)), "")
    for error in (n for n in bound(code.tree) if _ERROR.fullmatch(n.text)):
        if said:
            yield f"raise {error.text}({said})", prior("donors.exit-unread-message")
        elif error.kind is Kind.IMPORT and not loads(code.nodes, error.text):
            yield raising(code, function, error.text, about), prior("donors.exit-unused-exception")
    # What is missing may be the other of a pair of parameters: that is no reason to leave.
    is_parameter = missing in parameters_of(function)
    base = (
        prior("donors.exit-unread-parameter-of-pair")
        if is_parameter
        else prior("donors.exit-unread-parameter")
    )
    each = prior("donors.exit-unread-parameter-rank")
    yield from ((f"return {name}", base + each * rank) for rank, name in enumerate(params) if name != said)


def _precedents(code: Code, statement: ast.stmt, name: str) -> Iterator[tuple[str, float]]:
    """`if name is None: …` elsewhere in the text."""
    last, known = name.rpartition(".")[2], visible(code, statement).keys()
    for node in code.nodes:
        if (
            isinstance(node, ast.If)
            and len(node.body) == 1
            and isinstance(node.body[0], ast.Return | ast.Raise)
        ):
            tested = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
            tested |= {n.attr for n in ast.walk(node.test) if isinstance(n, ast.Attribute)}
            is_absence = isinstance(node.test, ast.UnaryOp) or "None" in ast.unparse(node.test)
            used = {n.id for n in ast.walk(node.body[0]) if isinstance(n, ast.Name)}
            is_short = "\n" not in code.segment(node.body[0])
            if last in tested and is_absence and is_short and used <= known and not _is_told(code, node):
                yield code.segment(node.body[0]), prior("donors.exit-of-other-guard")


def _partial(code: Code, function: Function, missing: str) -> Iterator[tuple[str, float]]:
    """What decorates with arguments is called without a function first, and gives itself for later."""
    own = parameters_of(function)
    known = visible(code, function)
    partial = "functools.partial" if "functools" in known else "partial" if "partial" in known else ""
    if not partial or own[:1] != [missing] or len(own) == 1:
        return
    given = [f"{name}={name}" for name in own[1:]]
    given += [f"**{function.args.kwarg.arg}"] if function.args.kwarg is not None else []
    yield f"return {partial}({', '.join([function.name, *given])})", prior("donors.exit-partial")


def _just_made(code: Code, statement: ast.stmt, missing: str) -> Iterator[tuple[str, float]]:
    """What the line before gives a name: `text = joined(rows)`, before that goes to a file."""
    before = next(_before(code, statement), None)
    targets = (
        before.targets if isinstance(before, ast.Assign) and code.function(statement) is not None else []
    )
    for target in targets:
        if isinstance(target, ast.Name) and target.id != missing and target.id not in missing.split("."):
            yield f"return {target.id}", prior("donors.exit-just-assigned")


def _is_told(code: Code, node: ast.AST) -> bool:
    """Whether it only says how something looks without the value."""
    function = code.function(node)
    return function is not None and function.name in {"__repr__", "__str__"}


def _loop_around(code: Code, statement: ast.stmt) -> ast.For | ast.While | ast.AsyncFor | None:
    for outer in code.ancestors(statement):
        if isinstance(outer, Function | ast.ClassDef):
            return None
        if isinstance(outer, ast.For | ast.While | ast.AsyncFor):
            return outer
    return None


def _never_ends(loop: ast.stmt) -> bool:
    """`while True:` without a way out of it: that was lost."""
    is_endless = isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    return is_endless and not any(isinstance(n, ast.Break | ast.Return) for n in ast.walk(loop))


def _returns(code: Code, function: Function, statement: ast.stmt) -> Iterator[tuple[str, float]]:
    """The values that it returns elsewhere, when they are plain, and its parameters; else None."""
    nodes = list(walk_scope(function))
    values = [n.value for n in nodes if isinstance(n, ast.Return)]
    later = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    later -= {n.id for n in nodes if isinstance(n, ast.Name) and n.lineno < statement.lineno}
    plain = Counter(code.segment(v) for v in values if v and _is_plain(v) and code.segment(v) not in later)
    for rank, text in enumerate(t for t, _ in plain.most_common(3)):
        yield (
            f"return {text}",
            prior("donors.exit-other-return") + prior("donors.exit-other-return-rank") * rank,
        )
    if function.name != "__init__":
        note = "None" if function.returns is None else ast.unparse(function.returns)
        is_promised = function.returns is not None and ("None" in note or "Optional" in note)
        usual = prior("donors.exit-none") if not plain else prior("donors.exit-none-beside-values")
        cost = prior("donors.exit-none-annotated") if is_promised else usual
        yield (
            "return None",
            cost + (0 if "None" in note or is_promised else prior("donors.exit-none-against-annotation")),
        )
    if not any(values) and values:
        yield "return", prior("donors.exit-bare-return")
    for rank, text in enumerate(parameters_of(function)):
        yield f"return {text}", prior("donors.exit-parameter") + prior("donors.exit-parameter-rank") * rank
    for rank, text in enumerate(("False", '""', "[]", "0", "True", "{}")):
        yield f"return {text}", prior("donors.exit-constant") + prior("donors.exit-constant-rank") * rank


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return not node.elts
    return isinstance(node, ast.Constant | ast.Name) or (isinstance(node, ast.Dict) and not node.keys)


def _raises(code: Code, function: Function, statement: ast.stmt) -> Iterator[tuple[str, float]]:
    """The exceptions that the function raises elsewhere; otherwise those of the text, and ValueError."""
    cost = prior("donors.exit-other-raise")
    for node in walk_scope(function):
        if isinstance(node, ast.Raise) and node.exc is not None and "\n" not in code.segment(node):
            yield code.segment(node), cost
    kinds = Counter(
        _raised(n)
        for n in code.nodes
        if isinstance(n, ast.Raise) and isinstance(n.exc, ast.Call) and _raised(n)
    )
    about = next(iter(parameters_of(function)), "")
    for rank, name in enumerate([*(k for k, _ in kinds.most_common(3)), "ValueError"]):
        detail = f'f"invalid {about}: {{{about}!r}}"' if about else '"a value is missing"'
        yield f"raise {name}({detail})", prior("donors.exit-raise") + prior("donors.exit-raise-rank") * rank


def _raised(node: ast.Raise) -> str:
    func = node.exc.func if isinstance(node.exc, ast.Call) else None
    return ast.unparse(func) if isinstance(func, ast.Name | ast.Attribute) else ""
