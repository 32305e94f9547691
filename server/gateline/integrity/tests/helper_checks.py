"""What files beside the tests say for them: functions and methods that assert, and who calls them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gateline.analysis.call_resolution import chained
from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import put_in
from gateline.integrity.change_view import Both
from gateline.integrity.file_roles import is_collected
from gateline.integrity.tests.assertion_calls import is_asserting
from gateline.integrity.tests.collection import Test
from gateline.integrity.tests.helpers import handed_out, is_fixture, is_plain_method, of_any_object
from gateline.model.names import dotted, last_name


@dataclass(frozen=True)
class Beside:
    """A function beside the tests that asserts, by its qualified name."""

    name: str
    node: Function
    module: Module
    is_new: bool = False
    """Whether no file beside the tests had it."""

    @property
    def parts(self) -> tuple[Function, ...]:
        """It and what it may call, with what the constants of its file stand for."""
        said = self.module.listed(_spelt_out)
        return tuple(node for name, node in said if name.rpartition(".")[0] in ("", self.owner))

    @property
    def owner(self) -> str:
        """The class that has it as a method; "" of a function."""
        return self.name.rpartition(".")[0]

    def entered(self, test: Test) -> Iterator[tuple[str, Function]]:
        """As what a test calls it so that what it says can be seen, which is as all of a statement.

        A method may be called of the test's own object, where a class of the test inherits it.
        """
        if is_fixture(self.node):
            made = handed_out(self.node)
            called = made is not None and self.name in map(dotted, _called_plainly(test.node))
            yield from [(self.name, made)] if made is not None and called else []
        elif not self._is_wrapped:
            yield from self._called(test)

    def spelt_out(self, found: Mapping[str, Function]) -> Mapping[str, Function]:
        """Functions with what the constants of their file stand for."""
        return {name: put_in(node, self.module.constants) for name, node in found.items()}

    def has_come(self, old: Test, new: Test) -> bool:
        """Whether only now it is called; one method may have the name of another, `cart.total()`."""
        if self.is_new or self.node.name not in old.said.calls:
            return True
        return any(self.entered(new)) and not any(self.entered(old))

    @property
    def _is_wrapped(self) -> bool:
        """Whether calling it does not simply run it."""
        plain = is_plain_method(self.node) if self.owner else not self.node.decorator_list
        return not plain or any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(self.node))

    def _called(self, test: Test) -> Iterator[tuple[str, Function]]:
        own = f"self.{self.node.name}" if self.owner else self.name
        if self.owner and self.owner not in self.module.classes:
            return
        for called in _called_plainly(test.node):
            if dotted(called) == own and self._is_of(test):
                yield self.node.name, self.node
            elif isinstance(called, ast.Attribute) and called.attr == self.node.name:
                yield of_any_object(called.attr), self.node

    def _is_of(self, test: Test) -> bool:
        bases = (last_name(base) for owner in test.classes for base in owner.bases)
        return not self.owner or self.owner in bases


def _called_plainly(function: Function) -> Iterator[ast.expr]:
    """What is called as all of a statement, or in a chain that is all of one."""
    for node in ast.walk(function):
        if isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign | ast.Return):
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            if isinstance(value, ast.Call):
                yield from (call.func for call in (*chained(value), value))


def _spelt_out(module: Module) -> Iterator[tuple[str, Function]]:
    return ((name, put_in(node, module.constants)) for name, node in module.all_functions.items())


def asserting_beside(both: Both) -> list[Beside]:
    """Functions and fixtures in changed files beside the tests that assert something."""
    pairs = [pair for pair in both.tests if not is_collected(pair.path)]
    before = {name for pair in pairs if pair.base for name in pair.base.all_functions}
    modules = [pair.now for pair in pairs if pair.now]
    return [
        Beside(name, node, module, name not in before)
        for module in modules
        for name, node in module.listed(_asserting)
    ]


def _asserting(module: Module) -> Iterator[tuple[str, Function]]:
    functions = module.all_functions.items()
    return ((name, node) for name, node in functions if any(map(is_asserting, ast.walk(node))))


def followed(old: Test, new: Test, beside: Sequence[Beside]) -> Test | None:
    """The test of now with what those beside say that it calls from now on; None where that is not seen."""
    called = [one for one in beside if one.node.name in new.said.calls and one.has_come(old, new)]
    if not called:
        return new
    entered = [one.spelt_out(dict(one.entered(new))) for one in called]
    # Of two methods with one name it is not known which is meant.
    names = [name for found in entered for name in found]
    if not all(entered) or len(names) > len({*names}):
        return None
    parts = {part.name: part for one in called for part in one.parts}
    return replace(new, beside=(*parts.items(), *(row for found in entered for row in found.items())))
