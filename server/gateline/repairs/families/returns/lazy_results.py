"""A function that gives a `map`, a generator or a view, where its caller wants the length or an item."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.modules import workspace_modules
from gateline.repairs.analysis.world import code_at
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_LAZY = (
    "map",
    "filter",
    "zip",
    "generator",
    "reversed",
    "enumerate",
    "dict_keys",
    "dict_values",
    "dict_items",
)
_TOLD = re.compile(
    rf"'({'|'.join(_LAZY)})' object (?:is not subscriptable|has no len|does not support|has no attribute)"
    rf"|object of type '({'|'.join(_LAZY)})' has no len"
    rf"|unsupported operand type\(s\) for .*'({'|'.join(_LAZY)})'"
)
_SAID = {
    kind: re.compile(
        r"return \(?.* for " if kind == "generator" else rf"return .*\b{kind.removeprefix('dict_')}\("
    )
    for kind in _LAZY
}
"""How the text of a function looks that returns one."""
_CODES = frozenset({"TypeError", "AttributeError"})
_MOST = 3


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Something lazy is used as a list, and functions of the workspace give such a thing."""
    found = list(_returned(problem, knowledge))
    if not found:
        return None
    places = tuple(Place(code.path, code.span(node)) for code, node in found)
    return Diagnosis(problem, Family.TYPE, "lazy-result", "list", _kind(problem), places)


def propose(question: Question) -> Iterator[Repair]:
    """The function makes a list of it."""
    found = list(_returned(question.problem, question.knowledge))[:_MOST]
    least = prior("returns.lazy-only" if len(found) == 1 else "returns.lazy-of-several")
    yield from cheapest(
        repair(question, f"Return {text}", [code.replace(node, text)], least + prior("shared.rank") * rank)
        for rank, (code, node) in enumerate(found)
        for text in (_listed(code, node),)
    )


def _kind(problem: Problem) -> str:
    told = _TOLD.search(problem.message)
    return next((g for g in told.groups() if g), "") if told else ""


def _returned(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Code, ast.expr]]:
    """What functions of the workspace return that is of the kind."""
    kind = _kind(problem)
    for path in workspace_modules(knowledge.paths()).values() if kind else ():
        # Only what may hold such a function is parsed.
        may_be = not is_test(path) and _SAID[kind].search(knowledge.text(path) or "")
        code = code_at(knowledge, path) if may_be else None
        for node in code.nodes if code is not None else ():
            if code is not None and isinstance(node, ast.Return) and node.value and _is(node.value, kind):
                yield code, node.value


def _is(node: ast.expr, kind: str) -> bool:
    if kind == "generator":
        return isinstance(node, ast.GeneratorExp)
    name = dotted(node.func) if isinstance(node, ast.Call) else ""
    return name == kind or (kind.startswith("dict_") and name.endswith(f".{kind[5:]}"))


def _listed(code: Code, node: ast.expr) -> str:
    text = code.segment(node)
    if isinstance(node, ast.GeneratorExp):
        return f"[{text[1:-1] if text.startswith('(') else text}]"
    return f"list({text})"


REPAIRER = Repairer("lazy results", _CODES, diagnose, propose)
