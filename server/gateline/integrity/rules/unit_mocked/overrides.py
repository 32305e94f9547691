"""GTL606 by other means: a fixture's object, or a class of the tests', that answers for what is tested."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import is_literal, names, unparsed
from gateline.integrity.change_view import Both, on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.unit_mocked import CODE
from gateline.integrity.tests.collection import Test
from gateline.integrity.tests.doubles import is_stand_in
from gateline.integrity.tests.helpers import is_fixture
from gateline.model.finding import Finding, Weight
from gateline.model.names import dotted, last_name


def find(evidence: Evidence) -> Iterator[Finding]:
    """What tests are handed with a part replaced that they then call, and classes that override it."""
    tests = evidence.both.tests_kept
    prints = lambda hit: (f"{hit[0]} {unparsed(hit[2])}",)  # noqa: E731
    for module, (fixture, name, node) in new_in(evidence.both.tests, _hollowed, prints):
        if any(fixture in test.fixtures and name in test.said.calls for test in tests):
            message = f"the fixture `{fixture}` replaces `{name}`, which the tests then call"
            yield at_node(CODE, module, node, message, Weight.FLOOR)
    for old, new in evidence.both.pairs.both:
        if old.print != new.print:
            yield from _overriding(old, new)
    for base, now in on_both_sides(evidence.both.tests):
        yield from _handed_heirs(base, now, evidence)


def _hollowed(module: Module) -> Iterator[tuple[str, str, ast.AST]]:
    """Fixtures that replace a method of the object that they made of an imported class."""
    for fixture, function in module.functions.items():
        if not is_fixture(function):
            continue
        made = _made(function, module)
        for node in ast.walk(function):
            match node:
                case (
                    ast.Assign(targets=[ast.Attribute(value=ast.Name(id=holder), attr=name)], value=value)
                    | ast.Call(
                        func=ast.Name(id="setattr"),
                        args=[ast.Name(id=holder), ast.Constant(value=str() as name), value],
                    )
                ):
                    if holder in made and (is_stand_in(value) or _is_table(value)):
                        yield fixture, name, node


def _is_table(value: ast.expr) -> bool:
    """The method of a literal that looks an answer up: `{"a": 1}.get`, `iter([1, 2]).__next__`."""
    if not isinstance(value, ast.Attribute):
        return False
    held = value.value
    if isinstance(held, ast.Call):
        return value.attr == "__next__" and bool(held.args) and all(map(is_literal, held.args))
    return isinstance(held, ast.Dict | ast.List | ast.Tuple)


def _made(function: Function, module: Module) -> Mapping[str, str]:
    """The names that are given an object of an imported class."""
    found: dict[str, str] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=kind)):
                if dotted(kind).partition(".")[0] in module.imports and last_name(kind)[:1].isupper():
                    found[name] = last_name(kind)
    return found


def _handed_heirs(base: Module, now: Module, evidence: Evidence) -> Iterator[Finding]:
    """Fixtures of the file that tests a class, which hand out an heir of the tests' own in its place."""
    for fixture in base.functions.keys() & now.functions.keys():
        before, after = (names(side.functions[fixture]) for side in (base, now))
        for name in sorted((after - before) & now.classes.keys()):
            owner = now.classes[name]
            above = {last_name(b) for b in owner.bases} & before & base.imports.keys()
            called = _overridden(owner) & _called(now, fixture, evidence)
            if called and any(_is_tested_in(now, base.imports[kind], evidence.both) for kind in above):
                message = f"`{fixture}` is now a `{name}`, whose own `{min(called)}` replaces the tested one"
                yield at_node(CODE, now, owner, message, Weight.FLOOR)


def _overridden(owner: ast.ClassDef) -> set[str]:
    return {node.name for node in owner.body if isinstance(node, Function)} - {"__init__"}


def _called(module: Module, fixture: str, evidence: Evidence) -> frozenset[str]:
    """What the tests of a file call that are given a fixture."""
    own = (test for test in evidence.both.tests_kept if test.path == module.source.path)
    return frozenset().union(*(test.said.calls for test in own if fixture in test.fixtures))


def _is_tested_in(tests: Module, whole: str, both: Both) -> bool:
    """Whether a file of tests bears the name of the module that a class stands in."""
    stem = PurePosixPath(tests.source.path).stem
    package, _, name = whole.rpartition(".")
    module = both.module(f"{package.partition('.')[0]}.{stem.removeprefix('test_').removesuffix('_test')}")
    return module is not None and name in module.classes


def _overriding(old: Test, new: Test) -> Iterator[Finding]:
    """A class of the tests' own, used by a test that did not, which has a method that the test calls."""
    for name in sorted((names(new.node) - names(old.node)) & new.module.classes.keys()):
        owner = new.module.classes[name]
        imported = any(dotted(base).partition(".")[0] in new.module.imports for base in owner.bases)
        if imported and (called := _overridden(owner) & old.said.calls & new.said.calls):
            message = f"`{name}` overrides `{min(called)}`, which `{new.name}` then tests"
            yield at_node(CODE, new.module, owner, message, Weight.FLOOR)
