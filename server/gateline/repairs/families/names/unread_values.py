"""A value that is given a name which nothing reads: the name is wrong, or what read it was lost.

`new_rows = list(rows)` where `rows` is used below; `default = {}` beside `prices.get(name)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.model import Diagnosis, Family, Knowledge, Origin, Place, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code, Function, parameters, walk_scope
from gateline.repairs.analysis.likeness import cost as likeness
from gateline.repairs.analysis.scopes import Kind, bound, loads
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_CODES = frozenset({"TypeError", "AttributeError"})
_NEAR = 4
"""Functions on the way to the error that are looked at."""
_MAKERS = frozenset(
    {"dict", "list", "set", "tuple", "frozenset", "str", "bytes", "int", "float", "bytearray"}
)
_LOOKUPS = frozenset({"get", "pop", "setdefault"})


@dataclass(frozen=True)
class _Unread:
    """An assignment to a name that nothing reads."""

    code: Code
    function: Function
    target: ast.Name
    value: ast.expr
    doubt: float


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A run met a value of the wrong type, and came through a function that computes one in vain."""
    came = list(_came_through(problem, knowledge)) if problem.origin is Origin.RUN else []
    found = [u for code, function, doubt in came for u in _of(code, function, doubt)]
    made = [call for code, function, _ in came for call in _made_of_nothing(function)]
    if not found and not any(_unread_parameters(function) for _, function, _ in came if made):
        return None
    places = tuple(Place(u.code.path, u.code.span(u.target)) for u in found)
    return Diagnosis(problem, Family.TYPE, "unread-value", "a value that is used", places=places)


def propose(question: Question) -> Iterator[Repair]:
    """Another name for the value, or a place that reads it."""
    found: list[Repair] = []
    for code, function, doubt in _came_through(question.problem, question.knowledge):
        found += _handed_on(question, code, function, doubt)
        for unread in _of(code, function, doubt):
            found += (*_named(question, unread), *_read(question, unread))
    yield from cheapest(found)


def _came_through(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Code, Function, float]]:
    """The functions on the way to the error, the innermost first, with the doubt about each."""
    seen: set[ast.AST] = set()
    for number, spot in enumerate(spots(problem, knowledge)[:_NEAR]):
        at = spot.node or next(iter(spot.candidates(ast.stmt)), None)
        function = None if at is None or is_test(spot.code.path) else spot.code.function(at)
        if function is not None and function not in seen:
            seen.add(function)
            yield spot.code, function, prior("names.unread-frame-rank") * number


def _of(code: Code, function: Function, doubt: float) -> Iterator[_Unread]:
    own = {n.text for n in bound(function) if n.kind is Kind.LOCAL and not n.text.startswith("_")}
    inside = list(ast.walk(function))
    for node in walk_scope(function):
        if not isinstance(node, ast.Assign) or len(node.targets) > 1:
            continue
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id in own and not loads(inside, target.id):
            yield _Unread(code, function, target, node.value, doubt)


def _named(question: Question, unread: _Unread) -> Iterator[Repair]:
    """What the value is made of is read again below: it was to have the new value."""
    code, mine = unread.code, unread.target.id
    used = dict.fromkeys(n.id for n in ast.walk(unread.value) if isinstance(n, ast.Name))
    nodes = list(ast.walk(unread.function))
    names = [n.text for n in bound(unread.function) if n.kind in {Kind.LOCAL, Kind.PARAMETER}]
    for name in dict.fromkeys(names):
        is_read = any(n.lineno > unread.target.lineno for n in loads(nodes, name))
        like = likeness(mine, name)
        if name == mine or not is_read or (name not in used and like is None):
            continue
        cost = (
            prior("names.unread-used" if name in used else "names.unread-unused")
            + (0 if like is not None else prior("names.unread-unlike"))
            + unread.doubt
        )
        edits = [code.replace(unread.target, name)]
        yield repair(question, f"Assign it to {name}", edits, cost, pattern="partial-rename")


def _read(question: Question, unread: _Unread) -> Iterator[Repair]:
    """A lookup below that has no default."""
    code = unread.code
    for node in walk_scope(unread.function):
        if not isinstance(node, ast.Call) or node.lineno <= unread.target.lineno or node.keywords:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in _LOOKUPS and len(node.args) == 1:
            end = code.end(node.args[0])
            edits = [code.edit(end, end, f", {unread.target.id}")]
            title, cost = f"Default to {unread.target.id}", prior("names.unread-default") + unread.doubt
            yield repair(question, title, edits, cost, pattern="lost-default")


def _handed_on(question: Question, code: Code, function: Function, doubt: float) -> Iterator[Repair]:
    """`dict()` in a function that reads one of its parameters nowhere: it was made of that."""
    for call in _made_of_nothing(function):
        for rank, name in enumerate(_unread_parameters(function)):
            end = code.end(call) - 1
            cost = prior("names.unread-parameter") + prior("names.unread-parameter-rank") * rank + doubt
            title = f"Pass {name}"
            yield repair(question, title, [code.edit(end, end, name)], cost, pattern="missing-argument")


def _made_of_nothing(function: Function) -> list[ast.Call]:
    calls = [n for n in walk_scope(function) if isinstance(n, ast.Call) and not n.args and not n.keywords]
    return [c for c in calls if isinstance(c.func, ast.Name) and c.func.id in _MAKERS]


def _unread_parameters(function: Function) -> list[str]:
    """The parameters that nothing reads but a check."""
    checks = [s for s in walk_scope(function) if isinstance(s, ast.Assert)]
    checked = {n for s in checks for n in ast.walk(s)}
    nodes = [n for n in ast.walk(function) if n not in checked]
    names = [a.arg for a in parameters(function) if a.arg not in {"self", "cls"} and a.arg[:1] != "_"]
    return [name for name in names if not loads(nodes, name)]


REPAIRER = Repairer("unread values", _CODES, diagnose, propose)
