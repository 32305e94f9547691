"""Whether a function of the product only works something out, or gets out: to files, servers, clocks."""

from __future__ import annotations

import ast
import re

from gateline.analysis.modules import Function, Module, without_docstring
from gateline.analysis.trees import is_value
from gateline.integrity.evidence import Evidence
from gateline.integrity.tests.collection import Test
from gateline.model.names import last_name

_OUTSIDE = re.compile(
    r"open|read\w*|write\w*|request\w*|urlopen|get|post|put|patch|delete|head|fetch\w*|load\w*|dump|download\w*"
    r"|upload\w*|send\w*|recv|receive|connect\w*|execute\w*|query|commit|cursor|publish|subscribe|call|run|popen"
    r"|check_output|system|input|print|random|randint|choice|shuffle|uuid\d|token_\w+|getenv|environ|socket"
    r"|mkdir|unlink|rename|touch|exists|stat|iterdir|glob|listdir"
)
_CLOCKS = frozenset({"sleep", "now", "utcnow", "today", "time", "monotonic", "perf_counter"})
_WORK = (
    *(ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.comprehension),
    *(ast.For, ast.While, ast.If, ast.Try),
)
"""Where something is worked out, or chosen."""
_Found = tuple[Function, Module]


def computes(target: str, test: Test, evidence: Evidence) -> bool:
    """Whether the function of that dotted name is known to work something out by itself."""
    holder, _, name = target.rpartition(".")
    found = function_of(target, test, evidence)
    if found is not None:
        return _works(found[0]) and _stays_inside(found[0])
    return _is_of_product(holder, test) and _is_asked_by_value(name, evidence)


def is_new_step(target: str, test: Test, evidence: Evidence) -> bool:
    """Whether the function of that dotted name came with the change, and has its part of the work.

    It asks nobody outside, or hands on what it got to what works something out.
    """
    holder, _, name = target.rpartition(".")
    found = function_of(target, test, evidence) if name in evidence.product.come else None
    if found is None:
        return False
    called = (n for n in ast.walk(found[0]) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name))
    steps = [step for call in called if (step := function_of(f"{holder}.{last_name(call)}", test, evidence))]
    return _stays_inside(found[0]) or any(_works(step[0]) and _stays_inside(step[0]) for step in steps)


def _stays_inside(function: Function) -> bool:
    return not any(_goes_out(n) for n in ast.walk(function) if isinstance(n, ast.Call))


def function_of(target: str, test: Test, evidence: Evidence) -> _Found | None:
    """The function of a dotted name, or the method of the class, where its file is known."""
    holder, _, name = target.rpartition(".")
    module = evidence.both.module(holder)
    if module is not None:
        whole = module.imports.get(name, "")
        imported = evidence.both.module(whole.rpartition(".")[0]) if whole else None
        return _named(module, name) or _named(imported, whole.rpartition(".")[2])
    package, _, owner = holder.rpartition(".")
    module = evidence.both.module(package) if package else None
    if module is not None:
        source, _, own = module.imports.get(owner, "").rpartition(".")
        imported = evidence.both.module(source) if source else None
        return _named(module, f"{owner}.{name}") or _named(imported, f"{own}.{name}")
    # What an object has, `self.bot` or `bot`, is of a class that is not told there.
    return _of_any_class(name, test, evidence) if "." not in holder.removeprefix("self.") else None


def _named(module: Module | None, name: str) -> _Found | None:
    function = module.all_functions.get(name) if module is not None else None
    return None if module is None or function is None else (function, module)


def _of_any_class(name: str, test: Test, evidence: Evidence) -> _Found | None:
    """The one method of that name in the classes that a test's file imports."""
    wholes = (whole.rpartition(".") for whole in test.module.imports.values())
    classes = {(package, owner) for package, _, owner in wholes if owner[:1].isupper()}
    modules = ((evidence.both.module(package), owner) for package, owner in sorted(classes) if package)
    found = [method for m, owner in modules if m and (method := _named(m, f"{owner}.{name}"))]
    return found[0] if len(found) == 1 else None


def _works(function: Function) -> bool:
    """Whether there is anything to work out: no mere word to somebody else."""
    return any(isinstance(n, _WORK) for statement in without_docstring(function) for n in ast.walk(statement))


def _goes_out(call: ast.Call) -> bool:
    name = last_name(call)
    if name in _CLOCKS:
        # A clock that an object is given is another part's, and may be a double already.
        return not (isinstance(call.func, ast.Attribute) and _is_own(call.func.value))
    return _OUTSIDE.fullmatch(name) is not None


def _is_own(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _is_of_product(holder: str, test: Test) -> bool:
    """Whether a test imports from the package that something is a part of."""
    package = holder.partition(".")[0]
    return any(whole.partition(".")[0] == package for whole in test.module.imports.values())


def _is_asked_by_value(name: str, evidence: Evidence) -> bool:
    """Whether some test gives plain values to a function of that name, and expects a plain value of it."""
    return any(
        check.exact
        and check.expected is not None
        and is_value(check.expected)
        and isinstance(check.subject, ast.Call)
        and last_name(check.subject) == name
        and bool(check.subject.args)
        and all(map(is_value, check.subject.args))
        for test in evidence.both.tests_kept
        for check in test.checks
    )
