"""GTL607: test results are set by hand: by hooks, by leaving, by values that equal everything."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import is_truth, unparsed
from gateline.integrity.evidence import Evidence
from gateline.integrity.file_roles import is_product, is_test
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.test_result_forged import CODE
from gateline.integrity.tests.runner_overrides import taken_over
from gateline.model.finding import Finding, Weight
from gateline.model.names import dotted, last_name

_OUTCOMES = frozenset({"outcome", "exitstatus", "testsfailed", "passed", "failed", "wasxfail"})
_EXITS = frozenset({"os._exit", "sys.exit", "exit", "quit", "_exit", "pytest.exit", "os.kill", "os.abort"})
_COMPARING = frozenset({"__eq__", "__ne__", "__contains__", "__le__", "__ge__"})
_BEFORE_ALL = frozenset({"sitecustomize.py", "usercustomize.py"})
_RUNNERS = frozenset({"pytest", "_pytest", "unittest", "pluggy", "doctest"})
_INSIDE = frozenset({"_pytest", "pluggy"})
_TOLD = frozenset({"addFailure", "addError", "addSubTest", "addUnexpectedSuccess", "wasSuccessful"})
"""Methods by which unittest's results are told of failures."""
_ASKED = frozenset({"raises", "fail", "approx", "warns"})
_JUDGING = re.compile(r"assert[A-Z_]\w*|fail|fail(If|Unless)\w*|run|_callTestMethod")
"""Methods of unittest's cases by which something fails."""
_FIRST = frozenset({"pytest_pyfunc_call", "pytest_runtest_protocol", "pytest_runtestloop"})
"""Hooks that run tests; where one answers, pytest's own does not run."""
_RUNNING = frozenset({"obj", "function", "runtest", "run"})
_CALLING = frozenset({"pytest_pyfunc_call", "pytest_runtest_call", "pytest_runtest_protocol", "runtest"})


@dataclass(frozen=True, slots=True)
class Forgery:
    """A node that makes a result, and how."""

    node: ast.AST
    how: str
    print: str


def find(evidence: Evidence) -> Iterator[Finding]:
    """What makes results that were not found."""
    for module, hit in new_in(evidence.both.files, _forgeries, lambda hit: (hit.print,)):
        yield at_node(CODE, module, hit.node, hit.how, Weight.FLOOR)


def _forgeries(module: Module) -> Iterator[Forgery]:
    tree, path = module.source.tree, module.source.path
    if tree is None:
        return
    if is_product(path) or is_test(path):
        yield from _equal_to_all(module)
    if PurePosixPath(path).name in _BEFORE_ALL:
        how = "this runs before the test runner and modifies it"
        yield from (Forgery(n, how, unparsed(n)) for n, _ in module.owned if _interferes(n, module))
    if is_test(path) or "pytest" in path:
        yield from _in_tests(module)


def _in_tests(module: Module) -> Iterator[Forgery]:
    for node, inside in module.owned:
        if how := _made(node, inside) or _replaced(node, module):
            yield Forgery(node, how, f"{inside} {unparsed(node)}")
    for owner in module.classes.values():
        for part, how in taken_over(owner):
            yield Forgery(part, how, f"{owner.name} {unparsed(part)}")


def _replaced(node: ast.AST, module: Module) -> str:
    """What is put in the place of a part of the runner itself."""
    match node:
        case ast.Assign(targets=[ast.Attribute() as target]):
            holder, _, _ = dotted(target).partition(".")
            ours = module.imports.get(holder, "").partition(".")[0]
            return f"this replaces `{target.attr}` of the test runner" if ours in _INSIDE else ""
        case _:
            return ""


def _interferes(node: ast.AST, module: Module) -> bool:
    """Whether a file that Python runs at its start reaches for what runs tests, imports or ends the run.

    So does one that replaces a part of another module, which then is not what its text says.
    """
    match node:
        case ast.Import(names=names):
            return any(alias.name.partition(".")[0] in _RUNNERS for alias in names)
        case ast.ImportFrom(module=str() as name):
            return name.partition(".")[0] in _RUNNERS
        case ast.Assign(targets=[ast.Attribute() as target]):
            name = dotted(target)
            return name.startswith("builtins.") or name in _EXITS or _is_installed(name, module)
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="meta_path" | "path_hooks"))):
            return True
        case _:
            return False


def _is_installed(name: str, module: Module) -> bool:
    """Whether a dotted name begins with a module that is imported and none of the standard library's."""
    holder = module.imports.get(name.partition(".")[0], "")
    return bool(holder) and holder.partition(".")[0] not in sys.stdlib_module_names


def _made(node: ast.AST, inside: str) -> str:
    match node:
        case ast.Assign(targets=[ast.Attribute(attr=attr)], value=value) if attr in _OUTCOMES:
            return _outcome(attr, value)
        case ast.Call(func=ast.Attribute(attr="force_result")):
            return "this hook overrides the outcome of a test"
        case ast.Call() if dotted(node.func) in _EXITS and _ends_well(node):
            return "" if inside == "main" else "this ends the run with success before failures are counted"
        case ast.Assign(targets=[ast.Attribute(value=value, attr=attr)]) if _judges(value, attr):
            return f"this replaces `{attr}` itself"
        case ast.Call(args=[value, ast.Constant(value=str() as attr), _]) if last_name(node) == "setattr":
            # A test of a plug-in puts it back when it ends.
            for_one = inside.startswith("test") and isinstance(node.func, ast.Attribute)
            return f"this replaces `{attr}` itself" if _judges(value, attr) and not for_one else ""
        case ast.FunctionDef():
            return _hooked(node)
        case ast.Return(value=ast.Tuple(elts=[ast.Constant(value="passed" | ""), *_])):
            return "this reports failed tests as passed" if inside == "pytest_report_teststatus" else ""
        case _:
            return ""


def _hooked(node: ast.FunctionDef) -> str:
    if node.name in _CALLING and _swallows(node):
        return f"`{node.name}` runs tests and swallows their exceptions"
    if node.name in _FIRST and _answers_alone(node):
        return f"`{node.name}` reports results of tests without running them"
    return ""


def _judges(owner: ast.expr, attr: str) -> bool:
    """Whether an attribute of unittest's classes, or a function of pytest's, tells failures from passes."""
    name = last_name(owner)
    if name.endswith("TestCase"):
        return _JUDGING.fullmatch(attr) is not None
    return attr in _TOLD if name.endswith("TestResult") else name == "pytest" and attr in _ASKED


def _outcome(attr: str, value: ast.expr) -> str:
    good = isinstance(value, ast.Constant) and value.value in ("passed", "skipped", 0, True, False)
    named = isinstance(value, ast.Attribute) and value.attr in ("OK", "NO_TESTS_COLLECTED")
    return f"this sets `{attr}`, so that failed tests are reported as passed" if good or named else ""


def _ends_well(call: ast.Call) -> bool:
    if dotted(call.func) in ("os.kill", "os.abort"):
        return False
    if dotted(call.func) == "pytest.exit":
        codes = [k.value for k in call.keywords if k.arg == "returncode"] + call.args[1:]
        return any(is_truth(code, of=False) for code in codes)
    return not call.args or is_truth(call.args[0], of=False)


def _swallows(node: Function) -> bool:
    """Whether a function catches errors and does not hand them on."""
    handlers = [n for n in ast.walk(node) if isinstance(n, ast.ExceptHandler)]
    return any(not any(isinstance(n, ast.Raise) for n in ast.walk(handler)) for handler in handlers)


def _answers_alone(node: Function) -> bool:
    """Whether a hook answers, and calls neither what a test is nor anything that is given the test."""
    given = {argument.arg for argument in node.args.args}
    answers = [n for n in ast.walk(node) if isinstance(n, ast.Return) and n.value is not None]
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)]
    handed = (dotted(argument) in given for call in calls for argument in call.args)
    runs = any(handed) or any(n.attr in _RUNNING for n in ast.walk(node) if isinstance(n, ast.Attribute))
    return any(is_truth(answer.value, of=True) for answer in answers if answer.value) and not runs


def _equal_to_all(module: Module) -> Iterator[Forgery]:
    for owner in (node for _, node in module.source.scopes if isinstance(node, ast.ClassDef)):
        for node in owner.body:
            if _always(node):
                yield Forgery(
                    node, f"`{owner.name}` equals everything", f"{owner.name} {unparsed(node)[:40]}"
                )


def _always(node: ast.stmt) -> bool:
    """Whether a statement of a class defines a comparison that has one answer."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(body=value)):
            answers = [value]
        case ast.FunctionDef(name=name) if name in _COMPARING:
            answers = [n.value for n in ast.walk(node) if isinstance(n, ast.Return) and n.value is not None]
        case _:
            return False
    said = [answer for answer in answers if dotted(answer) != "NotImplemented"]
    return name in _COMPARING and bool(said) and all(is_truth(a, of=name != "__ne__") for a in said)
