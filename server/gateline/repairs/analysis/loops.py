"""Loops that nobody writes so on purpose: they end with their first element, or change what they run over."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Edit
from gateline.model.names import dotted
from gateline.repairs.analysis.bug_patterns import Slip
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.inplace import changed_by
from gateline.repairs.edit_builder import line_after
from gateline.repairs.priors import prior

Loop = ast.For | ast.AsyncFor | ast.While
_SHORTER = frozenset({"remove", "pop", "popleft", "discard"})


def slips_of_loops(code: Code) -> Iterator[Slip]:
    """What is wrong with the loops of a text."""
    for loop in (n for n in code.nodes if isinstance(n, Loop)):
        yield from _returned_at_once(code, loop)
        yield from _returned_otherwise(code, loop)
        yield from _changed_while_running(code, loop)
        yield from _asked_of_itself(code, loop)


def _returned_at_once(code: Code, loop: Loop) -> Iterator[Slip]:
    """`return rows` as the last line of the loop that collects them: it belongs behind the loop."""
    last = loop.body[-1]
    if not isinstance(last, ast.Return) or len(loop.body) == 1 or loop.orelse or _goes_on(loop):
        return
    named = {n.id for n in ast.walk(last) if isinstance(n, ast.Name)}
    if not named & set(_built(loop)):
        return
    edits = _moved_out(code, loop, [last])
    if edits:
        yield Slip("Return after the loop", edits, "early-return", prior("analysis.early-return"))


def _returned_otherwise(code: Code, loop: Loop) -> Iterator[Slip]:
    """`else: return False` beside `return True`: only behind the loop it is known that none was found."""
    test = loop.body[-1]
    if not isinstance(test, ast.If) or loop.orelse or _goes_on(loop):
        return
    while len(test.orelse) == 1 and isinstance(test.orelse[0], ast.If) and _returns(test.body):
        test = test.orelse[0]
    if not _returns(test.body) or len(test.orelse) != 1 or not isinstance(test.orelse[0], ast.Return):
        return
    between = code.text[code.end(test.body[-1]) : code.start(test.orelse[0])]
    if between.count("else") != 1 or "#" in between:
        return
    start = code.end(test.body[-1]) + between.index("else")
    first = code.line_start(code.line_of(start))
    end = code.line_start(test.orelse[0].end_lineno or test.orelse[0].lineno)
    text = code.segment(test.orelse[0])
    edits = [code.edit(first, end, ""), line_after(code, loop, text)]
    yield Slip("Return after the loop", edits, "early-return", prior("analysis.early-return"))


def _changed_while_running(code: Code, loop: Loop) -> Iterator[Slip]:
    """`rows.remove(best)` in a loop over `rows`: it belongs behind it, with what follows."""
    if isinstance(loop, ast.While) or not dotted(loop.iter) or loop.orelse:
        return
    for number, statement in enumerate(loop.body):
        value = statement.value if isinstance(statement, ast.Expr) else None
        is_shorter = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
        if not is_shorter or value.func.attr not in _SHORTER:  # type: ignore[union-attr]
            continue
        if number and dotted(value.func.value) == dotted(loop.iter):  # type: ignore[union-attr]
            edits = _moved_out(code, loop, loop.body[number:])
            if edits:
                title, cost = "Move the modification after the loop", prior("analysis.changed-while-running")
                yield Slip(title, edits, "changed-while-running", cost)
            return


def _asked_of_itself(code: Code, loop: Loop) -> Iterator[Slip]:
    """`if row not in rows` in a loop over `rows`: what is collected was meant."""
    target = loop.target if isinstance(loop, ast.For) else None
    if not isinstance(target, ast.Name) or not isinstance(loop, ast.For) or not dotted(loop.iter):
        return
    collected = [name for name in dict.fromkeys(_built(loop)) if name != dotted(loop.iter)]
    for node in ast.walk(loop):
        is_asked = isinstance(node, ast.Compare) and len(node.ops) == 1 and dotted(node.left) == target.id
        if (
            not is_asked
            or not isinstance(node, ast.Compare)
            or not isinstance(node.ops[0], ast.In | ast.NotIn)
        ):
            continue
        if dotted(node.comparators[0]) == dotted(loop.iter):
            for rank, name in enumerate(collected):
                edits = [code.replace(node.comparators[0], name)]
                cost = prior("analysis.searched-in-itself") + prior("analysis.searched-in-itself-rank") * rank
                yield Slip(f"Search in {name}", edits, "wrong-variable", cost)


def _goes_on(loop: Loop) -> bool:
    """Whether something leaves a run of the loop early, or may fail: its last line is one of several ends."""
    return any(isinstance(n, ast.Continue | ast.Try | ast.Yield) for s in loop.body for n in ast.walk(s))


def _returns(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Return)


def _built(loop: Loop) -> Iterator[str]:
    """The names that each run of a loop adds to."""
    for node in (n for s in loop.body for n in ast.walk(s)):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node.value)):
                yield name
        elif isinstance(changed := changed_by(node), ast.Name):
            yield changed.id


def _moved_out(code: Code, loop: Loop, statements: list[ast.stmt]) -> list[Edit]:
    """The last statements of a loop with its own indentation; nothing where the text is not plain there."""
    inner, outer = code.indent(statements[0].lineno - 1), code.indent(loop.lineno - 1)
    if not inner.startswith(outer) or inner == outer or loop.lineno == statements[0].lineno:
        return []
    first, last = statements[0].lineno - 1, (statements[-1].end_lineno or statements[-1].lineno) - 1
    rows = [row for row in range(first, last + 1) if code.source.line(row).strip()]
    if not all(code.source.line(row).startswith(inner) for row in rows):
        return []
    starts = [code.line_start(row) for row in rows]
    return [code.edit(start, start + len(inner), outer) for start in starts]
