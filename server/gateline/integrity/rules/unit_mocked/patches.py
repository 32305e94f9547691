"""GTL606: a test replaces the very thing that it tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.analysis.modules import Function, Module
from gateline.analysis.stdlib import is_pythons_own, without_pythons
from gateline.integrity.change_view import on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.unit_mocked import CODE
from gateline.integrity.tests.assertions import is_mocked
from gateline.integrity.tests.check import VACUOUS
from gateline.integrity.tests.collection import Test, set_up
from gateline.integrity.tests.doubles import Patch, is_stand_in, patches, resolved
from gateline.integrity.tests.helpers import is_fixture
from gateline.integrity.tests.patch_scope import reach
from gateline.model.finding import Finding, Weight
from gateline.model.names import dotted, last_name


def find(evidence: Evidence) -> Iterator[Finding]:
    """The tests that now test a stand-in."""
    pairs = evidence.both.pairs
    for old, new in [*pairs.both, *((None, new) for new in pairs.come)]:
        if old is None or old.print != new.print:
            yield from _of_test(old, new)
    yield from _of_fixtures(evidence)
    yield from _own_copies(evidence)
    yield from _hollow_fixtures(evidence)
    for module, patch in new_in(evidence.both.tests, _stood_in, lambda patch: (patch.target,)):
        message = f"the tests replace the module `{patch.target}`, from which they import what they test"
        yield at_node(CODE, module, patch.node, message, Weight.FLOOR)


def _own_copies(evidence: Evidence) -> Iterator[Finding]:
    """What the tests imported and now define by themselves, under the same name."""
    for base, now in on_both_sides(evidence.both.tests):
        own = {**_assigned(now), **now.functions, **now.classes}
        for name in base.imports.keys() & own.keys() - now.imports.keys():
            holder = base.imports[name].rpartition(".")[0]
            if name not in evidence.product.gone and holder:
                message = f"`{name}` was imported from `{holder}`; the tests now define their own"
                yield at_node(CODE, now, own[name], message, Weight.FLOOR)


def _hollow_fixtures(evidence: Evidence) -> Iterator[Finding]:
    """Fixtures that made an object of a class, and now hand out a stand-in for it."""
    for base, now in on_both_sides(evidence.both.tests):
        for name in base.functions.keys() & now.functions.keys():
            old, new = base.functions[name], now.functions[name]
            made = {kind for kind in _made(old) if kind in base.imports}
            left = made - _made(new)
            stand_in = next((n for n in ast.walk(new) if isinstance(n, ast.Call) and is_stand_in(n)), None)
            left = left or {kind for kind in made if stand_in and kind in _specified(stand_in)}
            if is_fixture(new) and left and stand_in is not None and not any(map(_is_mock, ast.walk(old))):
                message = f"fixture `{name}` created a `{min(left)}`; it now returns a test double"
                yield at_node(CODE, now, stand_in, message, Weight.FLOOR)


def _specified(call: ast.Call) -> set[str]:
    """What a stand-in is made to look like: `create_autospec(Service)`, `Mock(spec=Service)`."""
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg in ("spec", "spec_set"))]
    return set(map(last_name, given))


def _made(function: Function) -> set[str]:
    """The classes of which a function makes objects."""
    return {
        n.func.id
        for n in ast.walk(function)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id[:1].isupper()
    }


def _is_mock(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and is_stand_in(node)


def _assigned(module: Module) -> Mapping[str, ast.stmt]:
    """The names of the top level that are given a stand-in."""
    found: dict[str, ast.stmt] = {}
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_stand_in(value):
                found[name] = node
    return found


def _stood_in(module: Module) -> Iterator[Patch]:
    """Modules that are replaced where Python keeps those it imported, and that the tests import from."""
    tested = {whole.rpartition(".")[0] for whole in module.imports.values()} | set(module.imports.values())
    for node, _ in module.owned:
        match node:
            case ast.Assign(targets=[ast.Subscript(value=holder, slice=ast.Constant(value=str() as name))]):
                found = (name, node.value) if dotted(holder) == "sys.modules" else None
            case ast.Call(args=[holder, ast.Constant(value=str() as name), value]):
                found = (name, value) if dotted(holder) == "sys.modules" else None
            case _:
                found = None
        if found and found[0] in tested and not isinstance(found[1], ast.Constant):
            yield Patch(found[0], node)


def _of_test(old: Test | None, new: Test) -> Iterator[Finding]:
    before = {patch.target.rpartition(".")[2] for patch in patches(old.node, old.module)} if old else set()
    for patch in patches(new.node, new.module):
        name = patch.target.rpartition(".")[2]
        called = _called(reach(patch.node, new.node), new.module)
        if name not in before and _is_called(patch.target, called):
            message = f"`{new.name}` replaces `{name}`, and then tests the replacement"
            yield at_node(CODE, new.module, patch.node, message, Weight.FLOOR)
            return
    mocked = [c for c in new.checks if c.strength == VACUOUS and is_mocked(c.subject)]
    if mocked and not any(c.strength > VACUOUS for c in new.checks):
        message = f"`{new.name}` only asserts the return value that it set on a mock"
        yield at_node(CODE, new.module, mocked[0].node, message, Weight.FLOOR)


def _of_fixtures(evidence: Evidence) -> Iterator[Finding]:
    """Fixtures that every test uses, new in this change, which replace what tests call."""
    found = list(new_in(evidence.both.tests, _automatic, lambda hit: (hit[1].target,)))
    if not found:
        return
    tests = evidence.both.tests_kept
    called = {name: receiver for test in tests for name, receiver in _called(test.node, test.module).items()}
    for module, (fixture, patch) in found:
        weight = Weight.FLOOR if _is_called(patch.target, called) else _used(patch.target, called, evidence)
        if weight is not None:
            message = f"{fixture} replaces `{patch.target}` in every test, including the tests of it"
            yield at_node(CODE, module, patch.node, message, weight)


def _used(target: str, called: Mapping[str, str], evidence: Evidence) -> Weight | None:
    """How sure it is that a tested function is replaced where a module uses it that is tested, too."""
    holder, _, name = target.rpartition(".")
    package = holder.partition(".")[0]
    parts = (whole.split(".") for whole in called)
    tested = [".".join(p) for p in parts if p[0] == package and len(p) > 2 and p[-1] == name]
    if not tested or not any(whole.startswith(f"{holder}.") for whole in called):
        return None
    module = evidence.both.module(holder)
    if module is None:
        # Where it has the name from is not known.
        return Weight.COUNTS
    imported = module.imports.get(name)
    return Weight.FLOOR if any(f".{whole}".endswith(f".{imported}") for whole in tested) else None


def _automatic(module: Module) -> Iterator[tuple[str, Patch]]:
    """What is replaced around all tests, with who does it."""
    for statement in module.body:
        if isinstance(statement, ast.Assign | ast.Expr):
            yield from (("the module", patch) for patch in patches(statement, module))
    for who, node in _around(module):
        yield from ((f"`{who}`", patch) for patch in patches(node, module))


def _around(module: Module) -> Iterator[tuple[str, Function | ast.expr]]:
    """What runs around tests, or is put on their classes, with the name of who does it."""
    for owner in module.classes.values():
        yield from ((owner.name, decorator) for decorator in owner.decorator_list)
        yield from ((node.name, node) for node in set_up(owner))
    yield from ((node.name, node) for node in module.functions.values() if is_automatic(node))


def is_automatic(node: Function) -> bool:
    """Whether a function is a fixture that every test uses, unasked."""
    calls = (d for d in node.decorator_list if isinstance(d, ast.Call) and last_name(d) == "fixture")
    return any(k.arg == "autouse" for call in calls for k in call.keywords)


def _called(node: Function | ast.With, module: Module) -> Mapping[str, str]:
    """What a test calls: the whole dotted name, and the last part of what it is called on."""
    found: dict[str, str] = {}
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and (name := _written(call.func)):
            found[resolved(name, module)] = name
    return without_pythons(found, module.imports)


def _written(node: ast.expr) -> str:
    """A called name; a receiver that is no plain name is left out: `?.add`."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value) or '?'}.{node.attr}"
    return dotted(node)


def _is_called(target: str, called: Mapping[str, str]) -> bool:
    holder, _, name = target.rpartition(".")
    owner = holder.rpartition(".")[2]
    for whole, written in called.items():
        receiver, _, last = whole.rpartition(".")
        if last != name:
            continue
        within = holder.endswith(f".{receiver}") and not is_pythons_own(whole)
        if receiver == holder or receiver.endswith(f".{holder}") or within:
            return True
        # A method is called on an instance, which the name of its class tells nothing of.
        if owner[:1].isupper() and written != name and not _is_class(receiver.rpartition(".")[2]):
            return True
    return False


def _is_class(name: str) -> bool:
    """Whether a name is written as classes are; a constant may hold an instance."""
    return name[:1].isupper() and not name.isupper()
