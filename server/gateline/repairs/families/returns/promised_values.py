"""A value that a function promises and does not give: a `return` or a default that was lost.

`return` alone beside others that give values, a header with `-> Row` above a body that never returns,
rows that are collected and forgotten, `names=None` that is kept as it is beside `if rows is None: rows = …`.
Looked for in the modules around the run, since the error may be far away; tests decide.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, Function, first_statement, is_none, parameters, walk_scope
from gateline.repairs.analysis.likeness import words
from gateline.repairs.analysis.none_tests import is_asked
from gateline.repairs.donors.analogies import guarded
from gateline.repairs.donors.call_arguments import default_of
from gateline.repairs.donors.results import emptied, gives_a_value, promises_a_value, results, thrown_away
from gateline.repairs.edit_builder import cheapest, line_after, line_before, repair
from gateline.repairs.locate.suspects import nearby
from gateline.repairs.priors import prior

_CODES = frozenset({"TypeError", "AttributeError", "ValueError"})
_MOST_RESULTS = 3
"""Values that a function may have returned."""
_PLAIN = frozenset({"staticmethod", "classmethod"})
_SIBLINGS = 2
_Sign = tuple[str, Edit, str, float]


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A run met None."""
    if problem.origin is not Origin.RUN or "NoneType" not in problem.message:
        return None
    return Diagnosis(problem, Family.NONE, "missing-return", "a value", "None")


def propose(question: Question) -> Iterator[Repair]:
    """What the functions of the modules around the run were to give."""
    yield from cheapest(
        repair(question, title, [edit], cost + prior("returns.promised-text") * rank, pattern=pattern)
        for rank, code in enumerate(nearby(question.problem, question.knowledge))
        for functions in code.functions.values()
        for function in functions
        for title, edit, pattern, cost in _of(code, function)
    )


def _of(code: Code, function: Function) -> Iterator[_Sign]:
    for name in thrown_away(code, function):
        yield (
            f"Return {name}",
            _ended_by(code, function, name),
            "missing-return",
            prior("returns.promised-name"),
        )
    is_special = function.name.startswith("__")
    for statement, name, cost in (
        () if is_special else sorted(emptied(code, function), key=_cost)[:_MOST_RESULTS]
    ):
        yield (
            f"Return {name}",
            code.replace(statement, f"return {name}"),
            "missing-return",
            prior("returns.promised-instead") + cost,
        )
    yield from _promised(code, function)
    yield from _unlike_siblings(code, function)
    yield from _unlike_others(code, function)


def _cost(row: tuple[ast.Return, str, float]) -> float:
    return row[2]


def _likeliest(code: Code, function: Function) -> list[tuple[str, float]]:
    return sorted(results(code, function), key=lambda row: row[1])[:_MOST_RESULTS]


def _ended_by(code: Code, function: Function, name: str) -> Edit:
    """The function gives a value at its end, where it may stand without one."""
    last, text = function.body[-1], f"return {name}"
    return code.replace(last, text) if isinstance(last, ast.Return) else line_after(code, last, text)


def _promised(code: Code, function: Function) -> Iterator[_Sign]:
    """No `return` at all, where the header promises a value."""
    last = function.body[-1]
    if function.name == "__new__" and not gives_a_value(function):
        for name in _made_by_super(function):
            yield (
                f"Return {name}",
                _ended_by(code, function, name),
                "missing-return",
                prior("returns.promised-built"),
            )
    first = _rest_of(function)
    if first:
        yield (
            f"Return {first}",
            line_after(code, last, f"return {first}"),
            "missing-return",
            prior("returns.promised-first"),
        )
    is_done = gives_a_value(function) or not promises_a_value(function) or not _does_something(last)
    if is_done or {dotted(d) for d in function.decorator_list} - _PLAIN:
        return
    for name, cost in _likeliest(code, function):
        edit = _ended_by(code, function, name)
        yield (
            f"Return {name}",
            edit,
            "missing-return",
            prior("returns.promised-named") + prior("returns.promised-named-per-cost") * cost,
        )


def _made_by_super(function: Function) -> Iterator[str]:
    """The name of what is made first: `self = super().__new__(cls)`."""
    for node in walk_scope(function):
        value = node.value if isinstance(node, ast.Assign) else None
        is_new = isinstance(value, ast.Call) and ast.unparse(value.func).endswith(".__new__")
        if isinstance(node, ast.Assign) and is_new and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id


def _rest_of(function: Function) -> str:
    """The parameter that all branches return something of, where the last one has no other beside it."""
    last = function.body[-1]
    given = [n.value for n in walk_scope(function) if isinstance(n, ast.Return)]
    names = [a.arg for a in parameters(function) if a.arg not in {"self", "cls"}]
    is_open = isinstance(last, ast.If) and not last.orelse and isinstance(last.body[-1], ast.Return)
    if not is_open or len(given) < _SIBLINGS or not names:
        return ""
    used = [{n.id for n in ast.walk(v) if isinstance(n, ast.Name)} if v is not None else set() for v in given]
    return names[0] if all(names[0] in each for each in used) else ""


def _does_something(last: ast.stmt) -> bool:
    """Whether a function is more than a declaration, and comes to its end."""
    is_said = isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant)
    return not is_said and not isinstance(last, ast.Raise | ast.Pass)


def _unlike_siblings(code: Code, function: Function) -> Iterator[_Sign]:
    """Nothing is returned, and all others beside it of the same kind and parameters return something."""
    names = [a.arg for a in parameters(function)]
    kind = words(function.name)[:1]
    beside = getattr(code.parent(function), "body", [])
    alike = [
        f
        for f in beside
        if isinstance(f, Function) and f is not function and words(f.name)[:1] == kind
        if [a.arg for a in parameters(f)] == names
    ]
    is_done = gives_a_value(function) or not _does_something(function.body[-1])
    is_done |= function.returns is not None and not promises_a_value(function)
    if (
        is_done
        or function.name.startswith("__")
        or len(alike) < _SIBLINGS
        or not all(map(gives_a_value, alike))
    ):
        return
    for name, cost in _likeliest(code, function):
        yield (
            f"Return {name}",
            _ended_by(code, function, name),
            "missing-return",
            prior("returns.promised-as-siblings") + prior("returns.promised-as-siblings-per-cost") * cost,
        )


def _unlike_others(code: Code, function: Function) -> Iterator[_Sign]:
    """`names=None` that is kept as it is, beside `if rows is None: rows = DEFAULT_ROWS.copy()`."""
    inside = list(walk_scope(function))
    for name in (a.arg for a in parameters(function) if is_none(default_of(function, a.arg))):
        kept = [n for n in inside if isinstance(n, ast.Assign) and dotted(n.value) == name]
        if not kept or any(is_asked(code, n) for n in inside if isinstance(n, ast.Name) and n.id == name):
            continue
        for text, cost in guarded(code, function, name):
            guard = f"if {name} is None:\n{code.unit}{name} = {text}"
            edit = line_before(code, first_statement(function), guard)
            yield f"Start with {name} = {text}", edit, "lost-default", prior("returns.promised-start") + cost


REPAIRER = Repairer("promised values", _CODES, diagnose, propose)
