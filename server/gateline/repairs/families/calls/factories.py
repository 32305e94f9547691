"""A value where a function that makes one is wanted: `defaultdict([])`, `field(default_factory={})`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.modules import workspace_modules
from gateline.repairs.analysis.world import code_at
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior

_TOLD = re.compile(r"'(\w+)' object is not callable|first argument must be callable or None")
_KEYWORDS = {"default_factory", "factory"}
_MOST = 4


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Something that was to be called to make a value is a value itself."""
    if _TOLD.fullmatch(problem.message) is None or not any(True for _ in _given(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.TYPE, "value-for-factory", "a function", "a value")


def propose(question: Question) -> Iterator[Repair]:
    """The type of the value."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for rank, (code, node) in enumerate(_given(question.problem, question.knowledge)):
        if rank < _MOST:
            text, cost = _factory(code, node)
            yield repair(
                question,
                f"Write {text}",
                [code.replace(node, text)],
                cost + prior("calls.factory-rank") * rank,
            )


def _given(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Code, ast.expr]]:
    """The values that stand where factories do: where the error was met, then anywhere in the workspace."""
    told = _TOLD.fullmatch(problem.message)
    wanted = told[1] if told is not None else None
    for spot in spots(problem, knowledge)[:1]:
        for call in spot.candidates(ast.Call):
            if dotted(call.func).rpartition(".")[2] == "defaultdict" and call.args[:1]:
                yield from ((spot.code, a) for a in call.args[:1] if _is_a(a, wanted))
    for path in workspace_modules(knowledge.paths()).values():
        if "factory" not in (knowledge.text(path) or ""):
            continue
        code = code_at(knowledge, path)
        for node in code.nodes if code is not None else ():
            if isinstance(node, ast.keyword) and node.arg in _KEYWORDS and _is_a(node.value, wanted):
                yield code, node.value  # type: ignore[misc]


_DISPLAYS = {ast.List: "list", ast.Dict: "dict", ast.Set: "set", ast.Tuple: "tuple"}


def _is_a(node: ast.expr, wanted: str | None) -> bool:
    """Whether it is a display, a constant or a call of a type, of the type that the message names."""
    name = _DISPLAYS.get(type(node), "")
    if isinstance(node, ast.Constant):
        name = type(node.value).__name__
    elif isinstance(node, ast.Call):
        name = dotted(node.func).rpartition(".")[2]
    return bool(name) and wanted in {None, name}


def _factory(code: Code, node: ast.expr) -> tuple[str, float]:
    if isinstance(node, ast.Call) and not node.args and not node.keywords:
        return code.segment(node.func), prior("calls.factory-called")
    is_empty = not list(ast.iter_child_nodes(node)) or not (
        getattr(node, "elts", None) or getattr(node, "keys", None)
    )
    if type(node) in _DISPLAYS and is_empty:
        return _DISPLAYS[type(node)], prior("calls.factory-display")
    return f"lambda: {code.segment(node)}", prior("calls.factory-lambda")


REPAIRER = Repairer("factories", frozenset({"TypeError"}), diagnose, propose)
