"""What a file of tests offers its tests: constants, functions, names of imports."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from gateline.analysis.trees import children, is_short, is_truth, put_in, unparsed
from gateline.model.deriving import Deriving
from gateline.model.document import Document
from gateline.model.names import dotted, last_name
from gateline.model.source import Source

Function = ast.FunctionDef | ast.AsyncFunctionDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Module(Deriving):
    """A source with what its top level defines. Most files are the same in the next verdict: it is kept."""

    source: Source

    @cached_property
    def body(self) -> tuple[ast.stmt, ...]:
        """The statements of the top level, also those under conditions that can be true."""
        return () if self.source.tree is None else tuple(reached(self.source.tree.body))

    @cached_property
    def constants(self) -> Mapping[str, ast.expr]:
        """What names of the top level stand for, if they are given a value once."""
        found: dict[str, ast.expr] = {}
        times = Counter(name for statement in self.body for name, _ in given_by(statement))
        for statement in self.body:
            for name, value in given_by(statement):
                if times[name] == 1 and is_short(value) and last_name(value) != "importorskip":
                    found[name] = put_in(value, found)
        return found

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The functions of the top level; of several with one name, the last."""
        return {node.name: node for node in self.body if isinstance(node, Function)}

    @cached_property
    def all_functions(self) -> Mapping[str, Function]:
        """All functions by qualified name, also methods, and those that another one makes and hands out."""
        return {name: node for name, node in self.source.scopes if isinstance(node, Function)}

    @cached_property
    def classes(self) -> Mapping[str, ast.ClassDef]:
        """The classes of the top level."""
        return {node.name: node for node in self.body if isinstance(node, ast.ClassDef)}

    @cached_property
    def aside(self) -> tuple[ast.ClassDef, ...]:
        """The classes of the top level that hold no tests themselves."""
        return tuple(node for node in self.classes.values() if not _has_tests(node))

    @cached_property
    def owned(self) -> tuple[tuple[ast.AST, str], ...]:
        """Every node with the name of the innermost function around it, in order."""
        return () if self.source.tree is None else tuple(owners(self.source.tree))

    @cached_property
    def support(self) -> str:
        """What stands around the tests of a file, as text: constants, functions and classes they may use."""
        functions = [node for node in self.functions.values() if not node.name.startswith("test")]
        parts = [unparsed(node) for node in (*functions, *self.aside)]
        return "\n".join([*parts, *(f"{name}={unparsed(value)}" for name, value in self.constants.items())])

    @cached_property
    def imports(self) -> Mapping[str, str]:
        """Imported names, and the dotted names they stand for."""
        return {name: whole for node, _ in self.owned for name, whole in _imported(node)}


def _has_tests(owner: ast.ClassDef) -> bool:
    return any(isinstance(node, Function) and node.name.startswith("test") for node in owner.body)


def without_docstring(function: Function) -> list[ast.stmt]:
    """The body of a function, without what it says about itself."""
    return function.body[ast.get_docstring(function, clean=False) is not None :]


def of_document(document: Document) -> Module:
    """What a text offers, read anew."""
    return Module(Source(document))


def owners(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Every node with the name of the innermost function around it, in order; not `Load` and the like."""
    # Not recursive: thousands of `elif` nest as deeply as they are many.
    waiting = [(node, "") for node in children(tree)[::-1]]
    while waiting:
        node, inside = waiting.pop()
        yield node, inside
        within = node.name if isinstance(node, Function) else inside
        waiting += [(inner, within) for inner in children(node)[::-1]]


def reached(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that may be run when a module or class is made; those of `if False` are not."""
    for node in body:
        match node:
            case ast.If():
                if not is_truth(node.test, of=False) and not _is_for_nobody(node.test):
                    yield from reached(node.body)
                if not is_truth(node.test, of=True):
                    yield from reached(node.orelse)
            case ast.Try():
                yield from reached([*node.body, *node.orelse, *node.finalbody])
                yield from reached([inner for handler in node.handlers for inner in handler.body])
            case ast.With():
                yield from reached(node.body)
            case _:
                yield node


def _is_for_nobody(test: ast.expr) -> bool:
    """Whether a condition holds neither for a runner of tests nor for whoever imports a file."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return "__name__" in (dotted(left), dotted(right))
        case _:
            return last_name(test) == "TYPE_CHECKING"


def given_by(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement gives a value to, with the value."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Import(names=names):
            for alias in names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
        case ast.ImportFrom(module=module, names=names):
            for alias in names:
                yield alias.asname or alias.name, f"{module or ''}.{alias.name}".lstrip(".")
