"""GTL614 of answers: a new function is to find something out of what it is given, and looks at none of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from gateline.analysis.modules import Function, Module, without_docstring
from gateline.analysis.trees import constants
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.function_effects import does_nothing
from gateline.integrity.product.new_functions import new_functions
from gateline.integrity.rules.placeholder_body import CODE
from gateline.integrity.rules.placeholder_body.bodies import HOOK, NOTHING_MEANT, is_declared_in
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_FOR_ALL = re.compile(
    r"\b(same|constant\w*|fixed|flat|regardless|whatever|unused|each|every|any|for all|stands? in|example|"
    r"sample|demo)\b",
    re.IGNORECASE,
)
"""What is said of an answer that is one for all."""
_REACHED = frozenset(
    {"get", "post", "put", "delete", "patch", "route", "command", "tool", "task", "api_view", "job"}
)
"""Decorators by which somebody outside may call a function."""
_BOUND = frozenset(
    {"classmethod", "staticmethod", "argument", "option", "pass_context", "require_http_methods"}
)
_LONG = 3
"""Letters of a value that is found again in what is said."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The new functions whose answer is one for all, although they or a page tell of more."""
    for name, function, module, told in new_functions(evidence):
        if told and _is_for_itself(name, function, module) and _leaves_all_out(name, function):
            message = f"`{name}` is new and only wraps some of its arguments"
            yield at_node(CODE, module, function, message, Weight.COUNTS)
        value = _answer(function)
        if value is None or not _is_for_itself(name, function, module):
            continue
        if _is_said(name, function, value, told):
            message = f"`{name}` is new, ignores its arguments and returns a constant"
            yield at_node(CODE, module, function, message, Weight.COUNTS)


def _answer(function: Function) -> ast.expr | None:
    """What a function answers that does nothing else, if no argument is in it and nothing is called."""
    given = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)} - {"self", "cls"}
    match [node for node in without_docstring(function) if not does_nothing(node)]:
        case [ast.Return(value=ast.expr() as value)] if given:
            pass
        case [ast.Assign(targets=[ast.Name(id=name)], value=value), ast.Return(value=ast.Name(id=same))] if (
            given
        ):
            if name != same:
                return None
        case _:
            return None
    made = any(
        isinstance(n, ast.Name | ast.Await | ast.Call | ast.Attribute | ast.Lambda) for n in ast.walk(value)
    )
    return None if made or (isinstance(value, ast.Constant) and value.value is None) else value


def _leaves_all_out(name: str, function: Function) -> bool:
    """Whether a method makes an object without the one it is of, and without one of its arguments."""
    made = _made(function)
    given = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg) and not a.arg.startswith("_")}
    used = {n.id for n in ast.walk(made) if isinstance(n, ast.Name)} if made is not None else given
    plain = not function.decorator_list and "self" in given and "." in name
    return plain and "self" not in used and bool(given - used - {"self"})


def _made(function: Function) -> ast.expr | None:
    """The object of a class that a function makes and does nothing else; None for others."""
    match [node for node in without_docstring(function) if not does_nothing(node)]:
        case [ast.Return(value=ast.Call() as made)] if last_name(made)[:1].isupper():
            return made
        case _:
            return None


def _is_for_itself(name: str, function: Function, module: Module) -> bool:
    """Whether a function is neither one way among several nor there for others to override."""
    marks = [last_name(mark) for mark in function.decorator_list]
    if not all(mark in _REACHED | _BOUND for mark in marks) or HOOK.match(function.name):
        return False
    scopes = dict(module.source.scopes)
    owner = scopes.get(name.rpartition(".")[0])
    if isinstance(owner, Function) or function.name.startswith("__"):
        return False
    if isinstance(owner, ast.ClassDef):
        alike = [n for n in module.all_functions if n.rpartition(".")[2] == function.name]
        return not owner.bases and len(alike) == 1 and not is_declared_in(owner)
    return not any(map(_lists(function.name), ast.walk(module.source.tree or ast.Module([], []))))


def _lists(name: str) -> Callable[[ast.AST], bool]:
    """Whether a table holds a function among others."""

    def held(node: ast.AST) -> bool:
        match node:
            case ast.Dict(values=items) | ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                found = [item.id for item in items if isinstance(item, ast.Name)]
                return name in found and len(found) > 1
            case _:
                return False

    return held


def _is_said(name: str, function: Function, value: ast.expr, told: str) -> bool:
    """Whether it is said what is made of an argument, or a page promises something of the function."""
    said = f"{ast.get_docstring(function) or ''}\n{told}"
    if NOTHING_MEANT.search(f"{name.replace('_', ' ').replace('.', ' ')} {said}") or _FOR_ALL.search(said):
        return False
    if any(text.strip("'") in said for text in constants(value) if len(text.strip("'")) >= _LONG):
        return False
    given = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)} - {"self", "cls"}
    words = {word.lower() for word in re.findall(r"[A-Za-z_]+", said)}
    return bool(told) or any(not words.isdisjoint((arg.lower(), f"{arg.lower()}s")) for arg in given)
