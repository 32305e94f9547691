"""Functions that assert for tests and are reached through an object, or handed out by a fixture."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from gateline.analysis.modules import Function, Module
from gateline.integrity.tests.assertion_calls import is_asserting
from gateline.model.names import last_name

_BOUND_BY_CLASS = frozenset({"staticmethod", "classmethod"})


def is_fixture(node: Function) -> bool:
    """Whether a function hands something out to tests."""
    return any(last_name(d) == "fixture" for d in node.decorator_list)


def of_any_object(name: str) -> str:
    """The key of a method that is called of whatever object: it is known by its name alone."""
    return f".{name}"


def key_of(call: ast.Call) -> str:
    """By what name the function is known that is called; "" for what has none."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            return name
        case ast.Attribute(attr=name):
            return of_any_object(name)
        case _:
            return ""


def is_plain_method(node: Function) -> bool:
    """Whether calling a method runs it, as nothing is put around it."""
    return all(last_name(decorator) in _BOUND_BY_CLASS for decorator in node.decorator_list)


def handed_out(fixture: Function) -> Function | None:
    """The function that a fixture makes and hands out, if nothing else in the fixture asserts."""
    made = {node.name: node for node in fixture.body if isinstance(node, ast.FunctionDef)}
    given = [made[name] for name in map(_given, fixture.body) if name in made]
    others = [node for node in fixture.body if node not in given]
    if len(given) != 1 or any(is_asserting(inner) for node in others for inner in ast.walk(node)):
        return None
    return given[0]


def _given(node: ast.stmt) -> str:
    match node:
        case ast.Return(value=ast.Name(id=name)) | ast.Expr(value=ast.Yield(value=ast.Name(id=name))):
            return name
        case _:
            return ""


def helping(module: Module) -> Mapping[str, Function]:
    """What the tests of a file call through something and what asserts for them, by key."""
    methods = [node for owner in module.aside for node in _asserting(owner)]
    times = Counter(node.name for node in methods)
    found = {of_any_object(node.name): node for node in methods if times[node.name] == 1}
    fixtures = [node for node in module.functions.values() if is_fixture(node)]
    return found | {node.name: made for node in fixtures if (made := handed_out(node)) is not None}


def _asserting(owner: ast.ClassDef) -> Iterator[Function]:
    for node in owner.body:
        if isinstance(node, Function) and is_plain_method(node) and any(map(is_asserting, ast.walk(node))):
            yield node
