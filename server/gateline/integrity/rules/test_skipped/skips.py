"""GTL602: a test that ran is skipped, expected to fail, or gives up by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import constants, names, text_of, unparsed
from gateline.integrity.change_view import Pair
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node, once
from gateline.integrity.rules.test_skipped import CODE
from gateline.integrity.strength.losses import may_differ
from gateline.integrity.tests import exception_handling as catching
from gateline.integrity.tests.assertion_calls import is_asserting
from gateline.integrity.tests.collection import Test, set_up
from gateline.integrity.tests.conditions import (
    asks_machine,
    is_about_environment,
    is_opt_in,
    is_pretext,
    is_unset,
    names_machine,
    variable_of,
)
from gateline.integrity.tests.helpers import is_fixture
from gateline.integrity.tests.interpreter import Walk
from gateline.integrity.tests.marks import marks_of
from gateline.integrity.tests.parameters import is_skipped
from gateline.integrity.tests.self_attributes import asks_for_nothing
from gateline.integrity.tests.trace import Skip
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_SELECTING = frozenset({"keywords", "get_closest_marker", "iter_markers", "own_markers", "getoption"})
"""What a hook asks that skips only tests marked for it, or as the person who starts the run wants it."""
_RERUN = frozenset({"flaky", "retry", "repeat_until_pass"})


def find(evidence: Evidence) -> Iterator[Finding]:
    """What keeps tests from running or from failing that did not before."""
    pairs = evidence.both.pairs
    taking_out = _taking_out(evidence)
    found = [f for old, new in pairs.both for f in (*_taken_out(old, new), *_tried_again(old, new))]
    found += [f for old, new in pairs.both for f in _chosen(old, new, taking_out)]
    aliases = _aliases(evidence)
    found += [f for old, new in pairs.both for f in _by_alias(old, new, aliases)]
    found += [f for new in pairs.come for f in _never_in(new)]
    found += [f for pair in evidence.both.tests for f in _around_tests(pair)]
    yield from once(found)


def _taking_out(evidence: Evidence) -> frozenset[str]:
    """The words by which hooks and fixtures tell the tests that they skip."""
    modules = [pair.now for pair in evidence.both.tests if pair.now]
    functions = (node for module in modules for node in module.functions.values())
    skipping = (n for n in functions if _SELECTING & names(n) and catching.SKIPS & names(n))
    return frozenset(value.strip("'") for node in skipping for value in constants(node))


def _aliases(evidence: Evidence) -> Mapping[str, str]:
    """Names that files of tests give to marks that take tests out, and how."""
    modules = [pair.now for pair in evidence.both.tests if pair.now]
    given = ((name, value, module) for module in modules for name, value in module.constants.items())
    return {
        name: mark.how
        for name, value, module in given
        for mark in marks_of([value], module.constants)
        if mark.takes_out
    }


def _by_alias(old: Test, new: Test, aliases: Mapping[str, str]) -> Iterator[Finding]:
    """A mark that is another file's, under a name of the project's own."""
    known = {last_name(mark) for mark in old.given_marks}
    imported = aliases.keys() & new.module.imports.keys() - known
    for mark in new.given_marks:
        if isinstance(mark, ast.Name) and mark.id in imported:
            message = f"test `{new.name}` is now {aliases[mark.id]}"
            yield at_node(CODE, new.module, mark, message, Weight.FLOOR)


def _chosen(old: Test, new: Test, words: frozenset[str]) -> Iterator[Finding]:
    """A mark by which the project's own hook skips a test that had none."""
    known = {last_name(mark) for mark in old.given_marks}
    for mark in new.given_marks:
        if last_name(mark) in words - known:
            message = f"test `{new.name}` is marked so that a hook skips it"
            yield at_node(CODE, new.module, mark, message, Weight.FLOOR)


def is_taken_out(old: Test, new: Test) -> bool:
    """Whether a test that ran is skipped now, so that what it no longer says is no matter of its own."""
    return any(True for _ in _taken_out(old, new))


def _taken_out(old: Test, new: Test) -> Iterator[Finding]:
    if not any(mark.takes_out for mark in old.marks):
        left = {text_of(skip.condition) for skip in old.skips if skip.condition is not None}
        for mark in (mark for mark in new.marks if mark.takes_out):
            if mark.condition is not None and text_of(mark.condition) in left:
                # It gave up there by itself.
                continue
            message = f"test `{new.name}` is now {mark.how}"
            yield at_node(CODE, new.module, mark.node, message, Weight.FLOOR)
    if may_differ(old, new):
        yield from _given_up_inside(old, new)


def _tried_again(old: Test, new: Test) -> Iterator[Finding]:
    """A failure that may happen, as long as one of several runs passes."""
    if any(last_name(decorator) in _RERUN for decorator in old.node.decorator_list):
        return
    for decorator in new.node.decorator_list:
        if last_name(decorator) in _RERUN:
            message = f"test `{new.name}` is retried until it passes"
            yield at_node(CODE, new.module, decorator, message, Weight.COUNTS)


def _given_up_inside(old: Test, new: Test) -> Iterator[Finding]:
    before = {unparsed(row) for row in _marked_rows(old)}
    for row in _marked_rows(new):
        if unparsed(row) not in before:
            yield at_node(
                CODE,
                new.module,
                row,
                f"a parameter set of `{new.name}` is marked as skipped or expected to fail",
                Weight.FLOOR,
            )
    known = {_print(skip) for skip in old.skips}
    for skip in new.skips:
        asked = is_opt_in(skip.condition) or _waits(skip, new)
        if _print(skip) not in known and (asked or _gives_up(skip, new)):
            yield _given_up(skip, new.name, new.module)


def _waits(skip: Skip, test: Test) -> bool:
    """Whether a test that ran waits for a variable that nothing in its file uses."""
    name = variable_of(skip.condition) if is_unset(skip.condition) else ""
    return bool(name) and test.module.source.text.count(name) == 1


def _marked_rows(test: Test) -> Iterator[ast.expr]:
    for decorator in test.node.decorator_list:
        for node in ast.walk(decorator):
            if isinstance(node, ast.Call) and is_skipped(node):
                yield node


def _print(skip: Skip) -> tuple[str, str]:
    return skip.how, "" if skip.condition is None else text_of(skip.condition)


def _gives_up(skip: Skip, test: Test) -> bool:
    """Whether a test ends there without having failed, wherever it usually runs."""
    if skip.how != "return":
        return is_pretext(skip.condition) or _asks_about_result(skip, test)
    last = test.node.body[-1]
    if skip.condition is None:
        return skip.node is not last
    asks = any(isinstance(node, ast.Call) for node in ast.walk(skip.condition))
    if _asks_about_result(skip, test):
        return True
    rest = any(getattr(check.node, "lineno", 0) > skip.node.lineno for check in test.checks)
    return asks and rest and not is_about_environment(skip.condition)


def _asks_about_result(skip: Skip, test: Test) -> bool:
    """Whether a test gives up because of what it found, which it would check in what follows."""
    if skip.condition is None or names_machine(skip.condition):
        return False
    asked = [n.test for n in ast.walk(test.node) if isinstance(n, ast.If) and skip.node in n.body]
    own = {n.id for n in ast.walk(test.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    later = [n for n in ast.walk(test.node) if is_asserting(n) and n.lineno > skip.node.lineno]
    checked = frozenset().union(*(names(node) for node in later))
    return any(
        own & names(condition) & checked or _share(condition, later)
        for condition in asked
        if not asks_machine(condition)
    )


def _share(condition: ast.expr, later: Sequence[ast.AST]) -> bool:
    """Whether what a condition asks is looked at later, or the other way round; a beginning is not enough."""
    (asked, asked_whole), (said, said_whole) = _looked_at([condition]), _looked_at(later)
    return bool(asked_whole & said or said_whole & asked)


def _looked_at(nodes: Sequence[ast.AST]) -> tuple[frozenset[str], frozenset[str]]:
    """What is asked of objects: `bucket.tokens`, `limiter.allow("ann")`; and what is no part of more."""
    found = [n for node in nodes for n in ast.walk(node) if isinstance(n, ast.Attribute | ast.Call)]
    inner = {id(n.value if isinstance(n, ast.Attribute) else n.func) for n in found}
    whole = frozenset(unparsed(n) for n in found if id(n) not in inner)
    return frozenset(map(unparsed, found)), whole


def _given_up(skip: Skip, name: str, module: Module) -> Finding:
    when = "" if skip.condition is None else f" when `{text_of(skip.condition)}`"
    is_test = name.rpartition(".")[2].startswith("test")
    otherwise = "skips itself" if is_test else "skips the tests that need it"
    how = {"return": "returns early", "xfail": "expects to fail"}.get(skip.how, otherwise)
    return at_node(CODE, module, skip.node, f"`{name}` {how}{when[:80]}", Weight.FLOOR)


def _never_in(new: Test) -> Iterator[Finding]:
    for mark in new.marks:
        if mark.in_force and mark.how == "skipped" and not mark.reason:
            message = f"new test `{new.name}` never runs, and no reason is given"
            yield at_node(CODE, new.module, mark.node, message, Weight.COUNTS)
    for skip in new.skips:
        if skip.how != "return" and _gives_up(skip, new):
            yield _given_up(skip, new.name, new.module)


def _around_tests(pair: Pair) -> Iterator[Finding]:
    """Fixtures, hooks and the module itself."""
    if pair.now is None:
        return
    before = _all_skips(pair.base) if pair.base else {}
    for name, skips in _all_skips(pair.now).items():
        known = {_print(skip) for skip in before.get(name, ())}
        for skip in skips:
            opted = name in before and (is_opt_in(skip.condition) or is_unset(skip.condition))
            opted = opted or asks_for_nothing(skip.condition, pair.now)
            if _print(skip) not in known and (opted or is_pretext(skip.condition)):
                yield _given_up(skip, name or "the module", pair.now)
    yield from _hooks(pair, pair.now)
    yield from _requirements(pair, pair.now)


def _all_skips(module: Module) -> dict[str, list[Skip]]:
    """Where fixtures and hooks give up, by name; "" is the module's own top level."""
    found = {"": _skips(list(module.body), module)}
    for name, node in module.functions.items():
        if not name.startswith("test") and not _SELECTING & names(node):
            found[name] = _skips(node.body, module)
    for owner in module.classes.values():
        before = [*set_up(owner), *(n for n in owner.body if isinstance(n, Function) and is_fixture(n))]
        found |= {f"{owner.name}.{node.name}": _skips(node.body, module) for node in before}
    return found


def _skips(body: list[ast.stmt], module: Module) -> list[Skip]:
    walk = Walk({})
    walk.block(body, dict(module.constants))
    return [skip for skip in walk.said.skips if skip.how != "return"]


def _hooks(pair: Pair, now: Module) -> Iterator[Finding]:
    """Hooks that mark collected tests by what they are called."""
    before = {text_of(call) for _, call in _markings(pair.base)} if pair.base else set()
    for function, call in _markings(now):
        if text_of(call) not in before and not _SELECTING & names(function):
            message = f"`{function.name}` marks tests so that they do not run or cannot fail"
            yield at_node(CODE, now, call, message, Weight.FLOOR)


def _markings(module: Module) -> Iterator[tuple[Function, ast.Call]]:
    for name, function in module.functions.items():
        if not name.startswith("pytest_"):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and last_name(node) == "add_marker":
                yield function, node


def _requirements(pair: Pair, now: Module) -> Iterator[Finding]:
    """Modules that a file of tests requires from now on, though nothing in it uses them."""
    before = set(_required(pair.base)) if pair.base else None
    for name, node in _required(now).items():
        used = any(whole.partition(".")[0] == name for whole in now.imports.values())
        if before is not None and name not in before and not used:
            message = f"the tests are skipped wherever `{name}`, which they do not use, is missing"
            yield at_node(CODE, now, node, message, Weight.FLOOR)


def _required(module: Module) -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for node in ast.walk(module.source.tree or ast.Module([], [])):
        match node:
            case ast.Expr(value=ast.Call(args=[ast.Constant(value=str() as name), *_]) as call):
                if last_name(call) == "importorskip":
                    found[name.partition(".")[0]] = node
    return found
