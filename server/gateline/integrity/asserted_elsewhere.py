"""GTL603 of what tests share: a function in another file that asserts for them asserts less."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gateline.integrity.both import Both, on_both_sides
from gateline.integrity.calls import is_asserting
from gateline.integrity.check import Check
from gateline.integrity.evidence import Evidence
from gateline.integrity.finding import at_node
from gateline.integrity.losses import weakened
from gateline.integrity.module import Function, Module
from gateline.integrity.places import is_collected
from gateline.integrity.tests import Test
from gateline.integrity.text import put_in, unparsed
from gateline.model.finding import Finding, Weight

CODE = "GTL603"


@dataclass(frozen=True)
class Beside:
    """A function beside the tests that asserts, by its qualified name."""

    name: str
    node: Function
    module: Module

    @property
    def parts(self) -> tuple[Function, ...]:
        """It and what it may call, with what the constants of its file stand for."""
        return self.module.listed(_spelt_out)

    def is_entered(self, test: Test) -> bool:
        """Whether a test calls it so that what it says can be seen: by its name, as all of a statement."""
        plain = "." not in self.name and not self.node.decorator_list
        yields = any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(self.node))
        return plain and not yields and any(name == self.name for name in _called_plainly(test.node))


def _called_plainly(function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign | ast.Return):
            match node.value.value if isinstance(node.value, ast.Await) else node.value:
                case ast.Call(func=ast.Name(id=name)):
                    yield name


def _spelt_out(module: Module) -> Iterator[Function]:
    return (put_in(node, module.constants) for node in module.functions.values())


def find(evidence: Evidence) -> Iterator[Finding]:
    """The functions beside the tests that said something, and say less."""
    beside = asserting_beside(evidence.both)
    for base, now in on_both_sides(evidence.both.tests):
        if not is_collected(now.source.path):
            yield from _in_file(base, now, beside)


def _in_file(base: Module, now: Module, beside: Sequence[Beside]) -> Iterator[Finding]:
    before, after = _functions(base), _functions(now)
    for name in before.keys() & after.keys():
        old, new = before[name], after[name]
        if unparsed(old.node) == unparsed(new.node):
            continue
        if lost := lost_beside(old, new, beside):
            message = f"`{name}`, which asserts for tests, no longer asserts {_shown(lost)}"
            yield at_node(CODE, now, new.node, message, Weight.FLOOR)


def asserting_beside(both: Both) -> list[Beside]:
    """Functions and fixtures in changed files beside the tests that assert something."""
    modules = [pair.now for pair in both.tests if pair.now and not is_collected(pair.path)]
    return [Beside(name, node, module) for module in modules for name, node in module.listed(_asserting)]


def _asserting(module: Module) -> Iterator[tuple[str, Function]]:
    functions = module.all_functions.items()
    return ((name, node) for name, node in functions if any(map(is_asserting, ast.walk(node))))


def lost_beside(old: Test, new: Test, beside: Sequence[Beside]) -> list[Check]:
    """What one function no longer asserts, not even by those beside the tests that it calls from now on."""
    come = new.said.calls - old.said.calls
    called = [one for one in beside if one.node.name in come]
    if not all(one.is_entered(new) for one in called):
        # What an object or a fixture does is not followed.
        return []
    return weakened(old, replace(new, beside=tuple(part for one in called for part in one.parts)))


def _functions(module: Module) -> Mapping[str, Test]:
    """The functions, to be walked through as tests are."""
    return {
        name: Test(module, node, (owner,) if (owner := module.classes.get(name.partition(".")[0])) else ())
        for name, node in module.all_functions.items()
    }


def _shown(lost: list[Check]) -> str:
    return ", ".join(dict.fromkeys(f"`{check.text[:60]}`" for check in lost[:2]))
