"""Decorators of tests that do not call the test, or keep what it raises: GTL602 by another name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import names, unparsed
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.rules.test_skipped import CODE
from gateline.integrity.tests import exception_handling as catching
from gateline.integrity.tests.collection import Test
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_TAKING_OUT = frozenset({"skip", "xfail", "expectedFailure", "SkipTest", "skipTest"})
_ASKING = frozenset({"environ", "getenv", "platform", "version_info", "find_spec", "which", "skipif"})


def find(evidence: Evidence) -> Iterator[Finding]:
    """The tests that are wrapped from now on so that they do not run, or cannot fail."""
    pairs = evidence.both.tests
    before = {name: text for pair in pairs if pair.base for name, text in _texts(pair.base).items()}
    wrapping = {name: node for pair in pairs if pair.now for name, node in pair.now.functions.items()}
    for old, new in evidence.both.pairs.both:
        yield from _of_test(old, new, wrapping, before)


def _texts(module: Module) -> Mapping[str, str]:
    return {name: unparsed(node) for name, node in module.functions.items()}


def _of_test(
    old: Test, new: Test, wrapping: Mapping[str, Function], before: Mapping[str, str]
) -> Iterator[Finding]:
    known = {last_name(d) for d in _decorators(old)}
    for decorator in _decorators(new):
        name = last_name(decorator)
        made = wrapping.get(name)
        if made is None or (name in known and before.get(name) == unparsed(made)):
            continue
        if how := _how(made):
            message = f"`{name}` wraps `{new.name}` and {how}"
            yield at_node(CODE, new.module, decorator, message, Weight.FLOOR)


def _decorators(test: Test) -> list[ast.expr]:
    return [*test.node.decorator_list, *(d for owner in test.classes for d in owner.decorator_list)]


def _parameters(node: ast.AST) -> list[ast.arg]:
    if not isinstance(node, Function | ast.Lambda):
        return []
    return [*node.args.args, *([node.args.vararg] if node.args.vararg else [])]


def _how(made: Function) -> str:
    """What a decorator does to a test; "" where it runs it and hands on what it raises."""
    if _TAKING_OUT & names(made) and not _ASKING & names(made):
        return "skips it"
    parameters = {argument.arg for node in ast.walk(made) for argument in _parameters(node)}
    if not parameters:
        # It makes the decorator elsewhere: of a mark, for one.
        return ""
    calls = [n for n in ast.walk(made) if isinstance(n, ast.Call)]
    returned = {last_name(n.value) for n in ast.walk(made) if isinstance(n, ast.Return) and n.value}
    called = {last_name(call) for call in calls} | {last_name(a) for call in calls for a in call.args}
    if not parameters & (called | returned):
        return "never runs it"
    swallowing = (n for n in ast.walk(made) if isinstance(n, ast.ExceptHandler))
    return "swallows its exceptions" if any(map(catching.swallows_failures, swallowing)) else ""
