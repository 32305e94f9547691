"""An argument that was lost: a parameter is read nowhere, or another call of the same function has it.

`return sent(data)` in a function with an `original`, where `sent` takes one of that name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from gateline.model import Diagnosis, Family, Knowledge, Origin, Place, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import callees
from gateline.repairs.analysis.code import Function, parameters, walk_scope
from gateline.repairs.analysis.outline import Callee
from gateline.repairs.analysis.scopes import loads, visible
from gateline.repairs.edit_builder import cheapest, element_added, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_CODES = frozenset({"TypeError", "AttributeError", "ValueError", "KeyError"})
_NEAR = 8
"""Calls on the way to the error that are looked at."""


class _Lost(NamedTuple):
    spot: Spot
    call: ast.Call
    name: str
    text: str
    doubt: float


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A run came through a function that hands something on to nobody."""
    found = list(_found(problem, knowledge)) if problem.origin is Origin.RUN else []
    if not found:
        return None
    family = Family.NONE if "None" in problem.message else Family.TYPE
    places = tuple(Place(lost.spot.code.path, lost.spot.code.span(lost.call)) for lost in found)
    return Diagnosis(problem, family, "missing-argument", found[0].name, "nothing", places)


def propose(question: Question) -> Iterator[Repair]:
    """The argument, given by its name."""
    yield from cheapest(
        repair(
            question,
            f"Pass {lost.name}={lost.text}",
            [element_added(lost.spot.code, lost.call, _end(lost.call), f"{lost.name}={lost.text}")],
            prior("calls.handed-on") + lost.doubt,
        )
        for lost in _found(question.problem, question.knowledge)
    )


def _found(problem: Problem, knowledge: Knowledge) -> Iterator[_Lost]:
    seen: set[ast.AST] = set()
    inner: frozenset[str] = frozenset()
    for rank, spot in enumerate(spots(problem, knowledge)[:_NEAR]):
        absent, inner = inner, frozenset(n for n, kind in spot.seen.items() if kind == "NoneType")
        at = spot.node or next(iter(spot.candidates(ast.stmt)), None)
        function = None if at is None or is_test(spot.code.path) else spot.code.function(at)
        if function is None:
            continue
        for call in spot.candidates(ast.Call):
            for lost in _unlike_others(spot, call):
                # What is None in what was called was not given by `**options` either.
                known = (
                    prior("calls.handed-on-told-missing")
                    if lost.name in absent
                    else prior("calls.handed-on-spread")
                    if _spreads(call)
                    else 0
                )
                yield lost._replace(doubt=lost.doubt + known + prior("calls.handed-on-call-rank") * rank)
        if function not in seen:
            seen.add(function)
            yield from (
                lost._replace(doubt=prior("calls.handed-on-unread-rank") * rank)
                for lost in _unread(knowledge, spot, function)
            )


def _unread(knowledge: Knowledge, spot: Spot, function: Function) -> Iterator[_Lost]:
    """The parameters that a function reads nowhere, and that something which it calls takes."""
    if isinstance(function.body[-1], ast.Raise | ast.Pass):
        return
    nodes = list(ast.walk(function))
    names = [a.arg for a in parameters(function) if a.arg not in {"self", "cls"} and a.arg[:1] != "_"]
    unread = [name for name in names if not loads(nodes, name)]
    for call in (n for n in walk_scope(function) if unread and isinstance(n, ast.Call)):
        known = callees(knowledge, spot, call)
        for name in (n for n in unread if any(_lacks(callee, call, n) for callee in known)):
            yield _Lost(spot, call, name, name, 0)


def _unlike_others(spot: Spot, call: ast.Call) -> Iterator[_Lost]:
    """What other calls of the same name give by a name, where that can be given here."""
    code, name = spot.code, dotted(call.func)
    if not name or any(isinstance(a, ast.Starred) for a in call.args):
        return
    others = [n for n in code.nodes if isinstance(n, ast.Call) and n is not call and dotted(n.func) == name]
    given = {keyword.arg for keyword in call.keywords}
    known = visible(code, call)
    for other in others:
        far = 0 if code.function(other) is code.function(call) else prior("calls.handed-on-other-function")
        for keyword in other.keywords:
            names = {n.id for n in ast.walk(keyword.value) if isinstance(n, ast.Name)}
            if keyword.arg and keyword.arg not in given and names and names <= known.keys():
                own = 0 if dotted(keyword.value) == keyword.arg else prior("calls.handed-on-other-name")
                yield _Lost(spot, call, keyword.arg, code.segment(keyword.value), far + own)


def _lacks(callee: Callee, call: ast.Call, name: str) -> bool:
    """Whether what is called has a parameter of a name that the call does not give."""
    by_place = [p.name for p in callee.parameters if p.kind in {"", "p"}]
    known = {p.name for p in callee.parameters if p.kind in {"", "k"}}
    given = {*by_place[: len(call.args)], *(k.arg for k in call.keywords)}
    return name in known - given and not _is_open(call)


def _is_open(call: ast.Call) -> bool:
    """Whether a call spreads something, which may give any parameter."""
    return any(isinstance(a, ast.Starred) for a in call.args) or _spreads(call)


def _end(call: ast.Call) -> int | None:
    """Where the arguments end that are not spread."""
    spread = (n for n, k in enumerate(call.keywords) if not k.arg)
    first = next(spread, None)
    return None if first is None else len(call.args) + first


def _spreads(call: ast.Call) -> bool:
    return any(not k.arg for k in call.keywords)


REPAIRER = Repairer("parameters handed on", _CODES, diagnose, propose)
