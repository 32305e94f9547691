"""The tests of a file, as pytest and unittest collect them, and what each of them says."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gateline.analysis.call_resolution import must_be_run
from gateline.analysis.modules import Function, Module, given_by, reached
from gateline.analysis.mutated_names import growing
from gateline.analysis.trees import constants, is_short, is_truth, names, text_of, unparsed
from gateline.integrity.file_roles import is_collected
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.helpers import helping, is_fixture
from gateline.integrity.tests.interpreter import Walk
from gateline.integrity.tests.marks import Mark, marks_of
from gateline.integrity.tests.parameters import parametrised
from gateline.integrity.tests.redefined import taken_back
from gateline.integrity.tests.trace import Said, Skip
from gateline.model.names import dotted, last_name


@dataclass(frozen=True)
class Test:
    """One test: a function, in its module and its classes."""

    module: Module
    node: Function
    classes: tuple[ast.ClassDef, ...] = ()
    beside: tuple[tuple[str, Function], ...] = ()
    """Functions of other files that it enters, too, by what they are called."""

    @property
    def path(self) -> str:
        """The file's path."""
        return self.module.source.path

    @property
    def name(self) -> str:
        """The qualified name."""
        return ".".join([*(c.name for c in self.classes), self.node.name])

    @cached_property
    def print(self) -> str:
        """The text of what it does, whatever it is called."""
        return "\n".join([*(text_of(d) for d in self.node.decorator_list), *map(unparsed, self.node.body)])

    @cached_property
    def given_marks(self) -> tuple[ast.expr, ...]:
        """All that is put on it: its own decorators, those of its classes, the marks of the module."""
        given = [*self.node.decorator_list, *_module_marks(self.module.body)]
        for owner in self.classes:
            given += [*owner.decorator_list, *_module_marks(owner.body)]
        return tuple(given)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """Those of them that keep it from running or failing."""
        return tuple(marks_of(self.given_marks, self.module.constants))

    @cached_property
    def runs(self) -> list[dict[str, ast.expr]]:
        """The parameters of each of its runs."""
        given = [*self.node.decorator_list, *(d for owner in self.classes for d in owner.decorator_list)]
        return parametrised(given, self.module.constants)

    @cached_property
    def said(self) -> Said:
        """Everything it says, in all its runs."""
        said = Said(growing=growing(self.node))
        for run in self.runs:
            walk = Walk(self._helpers, said)
            walk.block(self.node.body, {**self.module.constants, **self._own_constants, **run})
        return said

    @property
    def _own_constants(self) -> dict[str, ast.expr]:
        """What the attributes of its classes stand for."""
        given = (row for owner in self.classes for node in owner.body for row in given_by(node))
        return {f"self.{name}": value for name, value in given if is_short(value)}

    @property
    def _set_up(self) -> list[Function]:
        return [node for owner in self.classes for node in set_up(owner)]

    @property
    def given(self) -> frozenset[str]:
        """The literal values in it, and in the fixtures and constants that it names."""
        return self.module.derived(_givens)[self.node]

    @cached_property
    def around(self) -> tuple[ast.AST, ...]:
        """What it is given: the fixtures, constants and set-up methods of its file that it uses."""
        functions, known = self.module.functions, self.module.constants
        fixtures = [functions[a.arg] for a in self.node.args.args if a.arg in functions]
        using = [self.node, *fixtures, *self._set_up]
        tables = dict.fromkeys(name for node in using for name in sorted(names(node)) if name in known)
        return *(known[name] for name in tables), *fixtures, *self._set_up

    @property
    def fixtures(self) -> frozenset[str]:
        """The names of what it asks to be given."""
        return frozenset(argument.arg for argument in self.node.args.args)

    @property
    def checks(self) -> Sequence[Check]:
        """What it checks."""
        return self.said.checks

    @property
    def skips(self) -> Sequence[Skip]:
        """Where it gives up by itself."""
        return self.said.skips

    @property
    def _helpers(self) -> Mapping[str, Function]:
        inside = {
            node.name: node for owner in self.classes for node in owner.body if isinstance(node, Function)
        }
        found = {**dict(self.beside), **self.module.functions, **inside}
        called = {name: node for name, node in found.items() if not is_fixture(node)}
        reached = {**self.module.derived(helping), **called}
        return {name: node for name, node in reached.items() if node is not self.node}


_NO_TESTS = frozenset(
    {"fixture", "property", "cached_property", "contextmanager", "abstractmethod", "overload"}
)
"""Decorators by which a function of whatever name is none that a runner calls."""
_SET_UP = frozenset({"setup", "setup_method", "setup_class", "setupclass", "asyncsetup"})


def _is_no_test(node: Function) -> bool:
    given = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    # A mark may have any name: `pytest.mark.property` makes no property.
    return any(last_name(d) in _NO_TESTS and ".mark." not in dotted(d) for d in given)


def set_up(owner: ast.ClassDef) -> Iterator[Function]:
    """The methods of a class that run before each of its tests, or before all."""
    for node in owner.body:
        if isinstance(node, Function) and node.name.lower() in _SET_UP:
            yield node


def _module_marks(body: Sequence[ast.stmt]) -> Iterator[ast.expr]:
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                yield from value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
            case ast.Assign(targets=[ast.Name(id="__unittest_skip__") as target]) if is_truth(
                node.value, of=True
            ):
                yield ast.copy_location(ast.Name("skip", ast.Load()), target)


_Place = tuple[Function, tuple[ast.ClassDef, ...]]
"""A test's function, and the classes around it."""


def tests_of(module: Module) -> tuple[Test, ...]:
    """The tests that are collected from a file, in order. Of two with one name only the last counts."""
    # Not the tests themselves: what they find out of themselves would be kept, too.
    return tuple(Test(module, node, classes) for node, classes in module.listed(_collected))


def _collected(module: Module) -> Iterator[_Place]:
    if not is_collected(module.source.path) or _is_left_out(module.body):
        return
    found = {Test(module, *place).name: place for place in _tests(module, module.body, ())}
    left_out = taken_back(module.body)
    yield from (place for name, place in found.items() if name not in left_out)


def _givens(module: Module) -> Mapping[Function, frozenset[str]]:
    """Of each test the literal values in it, and in what it is given."""
    return {t.node: frozenset().union(*map(constants, (t.node, *t.around))) for t in tests_of(module)}


def _tests(module: Module, body: Sequence[ast.stmt], classes: tuple[ast.ClassDef, ...]) -> Iterator[_Place]:
    left_out = taken_back(body)
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name.startswith("test"):
                # A generator is made, and nobody asks it for anything.
                made = isinstance(node, ast.FunctionDef) and must_be_run(node)
                if not made and not _is_no_test(node) and node.name not in left_out:
                    yield node, classes
            case ast.ClassDef() if is_test_class(node, module) and not _is_left_out(node.body):
                yield from _tests(module, list(reached(node.body)), (*classes, node))


def is_test_class(node: ast.ClassDef, module: Module) -> bool:
    """Whether tests in a class are collected: by its name, by its bases, or through a class that inherits."""
    if any("Test" in last_name(base) or _is_foreign(base, node, module) for base in node.bases):
        return True
    if node.name.startswith("Test"):
        # pytest passes over a class that has a constructor.
        return not any(isinstance(inner, Function) and inner.name == "__init__" for inner in node.body)
    bases = (module.classes.get(last_name(base)) for base in node.bases)
    if any(base is not None and base is not node and is_test_class(base, module) for base in bases):
        return True
    heirs = (c for c in module.classes.values() if node.name in map(last_name, c.bases))
    return any(heir.name.startswith("Test") or len(heir.bases) > 1 for heir in heirs if heir is not node)


def _is_foreign(base: ast.expr, node: ast.ClassDef, module: Module) -> bool:
    """Whether a base is imported, so that a class with tests in it is probably one of unittest's."""
    has_tests = any(isinstance(inner, Function) and inner.name.startswith("test") for inner in node.body)
    return has_tests and dotted(base).partition(".")[0] in module.imports


def _is_left_out(body: Sequence[ast.stmt]) -> bool:
    """Whether `__test__ = False` stands there."""
    return any(
        isinstance(node, ast.Assign)
        and any(dotted(target) == "__test__" for target in node.targets)
        and is_truth(node.value, of=False)
        for node in body
    )
