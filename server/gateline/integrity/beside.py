"""What files beside the tests say for them: functions and methods that assert, and who calls them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gateline.integrity.both import Both
from gateline.integrity.calls import is_asserting
from gateline.integrity.module import Function, Module
from gateline.integrity.places import is_collected
from gateline.integrity.tests import Test
from gateline.integrity.text import dotted, last_name, put_in


@dataclass(frozen=True)
class Beside:
    """A function beside the tests that asserts, by its qualified name."""

    name: str
    node: Function
    module: Module

    @property
    def parts(self) -> tuple[Function, ...]:
        """It and what it may call, with what the constants of its file stand for."""
        said = self.module.listed(_spelt_out)
        return tuple(node for name, node in said if name.rpartition(".")[0] in ("", self.owner))

    @property
    def owner(self) -> str:
        """The class that has it as a method; "" of a function."""
        return self.name.rpartition(".")[0]

    def is_entered(self, test: Test) -> bool:
        """Whether a test calls it so that what it says can be seen: as all of a statement, and by its name.

        A method is called of the test's own object, where a class of the test inherits it.
        """
        yields = any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(self.node))
        if yields or self.node.decorator_list or not self._is_of(test):
            return False
        wanted = f"self.{self.node.name}" if self.owner else self.name
        return any(name == wanted for name in _called_plainly(test.node))

    def _is_of(self, test: Test) -> bool:
        bases = (last_name(base) for owner in test.classes for base in owner.bases)
        return not self.owner or (self.owner in self.module.classes and self.owner in bases)


def _called_plainly(function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign | ast.Return):
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            if isinstance(value, ast.Call):
                yield dotted(value.func)


def _spelt_out(module: Module) -> Iterator[tuple[str, Function]]:
    return ((name, put_in(node, module.constants)) for name, node in module.all_functions.items())


def asserting_beside(both: Both) -> list[Beside]:
    """Functions and fixtures in changed files beside the tests that assert something."""
    modules = [pair.now for pair in both.tests if pair.now and not is_collected(pair.path)]
    return [Beside(name, node, module) for module in modules for name, node in module.listed(_asserting)]


def _asserting(module: Module) -> Iterator[tuple[str, Function]]:
    functions = module.all_functions.items()
    return ((name, node) for name, node in functions if any(map(is_asserting, ast.walk(node))))


def followed(old: Test, new: Test, beside: Sequence[Beside]) -> Test | None:
    """The test of now with what those beside say that it calls from now on; None where that is not seen."""
    come = new.said.calls - old.said.calls if beside else set[str]()
    called = [one for one in beside if one.node.name in come]
    if not all(one.is_entered(new) for one in called):
        # What an object or a fixture does is not followed.
        return None
    return replace(new, beside=tuple(part for one in called for part in one.parts)) if called else new
