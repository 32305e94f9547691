"""Changes of code after which tests may fail, or not even start."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from random import Random

from gateline_dev.truth.operators import Operator, breaking
from gateline_dev.truth.operators.sites import (
    Function,
    after_head,
    functions,
    inserted,
    inside_functions,
    pick,
    replaced,
    source_of,
    top_classes,
    top_functions,
    without,
)
from gateline_dev.truth.tree import Edit, Tree

Apply = Callable[[Tree, Random], Edit | None]
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
_COMPUTED: dict[type[ast.operator], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Div: "*", ast.Mod: "+",
}  # fmt: skip


def _deleted(kind: Callable[[ast.Module], list[ast.stmt]]) -> Apply:
    def apply(tree: Tree, dice: Random) -> Edit | None:
        if not (found := pick(tree, dice, tree.sources, kind)):
            return None
        path, node = found
        left = without(tree.text(path), node)
        return Edit.text(path, left, f"{getattr(node, 'name', ast.unparse(node))} deleted in {path}")

    return apply


def _methods(module: ast.Module) -> list[ast.stmt]:
    """Methods of classes that have others."""
    rows = [c.body for c in ast.walk(module) if isinstance(c, ast.ClassDef)]
    return [node for row in rows if len(row) > 2 for node in row if isinstance(node, Function)]


def _imports(module: ast.Module) -> list[ast.stmt]:
    return [n for n in module.body[1:] if isinstance(n, ast.Import | ast.ImportFrom) and not _is_future(n)]


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def delete_module(tree: Tree, dice: Random) -> Edit | None:
    """A module is deleted, and its users are not told."""
    paths = [path for path in tree.sources if not path.endswith("__init__.py")] or tree.sources
    path = dice.choice(paths)
    return Edit({path: None}, f"{path} deleted")


def rename_module(tree: Tree, dice: Random) -> Edit | None:
    """A module gets another name, and its users are not told."""
    path = dice.choice([path for path in tree.sources if not path.endswith("__init__.py")] or tree.sources)
    new = path.removesuffix(".py") + "_renamed.py"
    return Edit({path: None, new: tree.files[path]}, f"{path} renamed to {new}")


def rename_function(tree: Tree, dice: Random) -> Edit | None:
    """A function gets another name where it is defined, and nowhere else."""
    if not (found := pick(tree, dice, tree.sources, top_functions)):
        return None
    path, node = found
    lines = tree.text(path).splitlines(keepends=True)
    lines[node.lineno - 1] = lines[node.lineno - 1].replace(f"def {node.name}", f"def {node.name}_renamed", 1)
    return Edit.text(path, "".join(lines), f"{node.name} renamed in {path} alone")


def _at_import(statement: str) -> Apply:
    def apply(tree: Tree, dice: Random) -> Edit | None:
        path = dice.choice(tree.sources)
        text = inserted(tree.text(path), after_head(tree.module(path)), f"{statement}\n")
        return Edit.text(path, text, f"`{statement}` at the import of {path}")

    return apply


def change_constant(tree: Tree, dice: Random) -> Edit | None:
    """A number or text in a function becomes another."""

    def sites(module: ast.Module) -> Iterator[ast.Constant]:
        within = {id(c) for s in ast.walk(module) if isinstance(s, ast.JoinedStr) for c in ast.walk(s)}
        for node in inside_functions(module, ast.Constant):
            if type(node.value) in (int, float, str, bool) and id(node) not in within:
                yield node

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    value = node.value
    new = not value if isinstance(value, bool) else f"{value}x" if isinstance(value, str) else value + 1  # type: ignore[operator]
    text = replaced(tree.text(path), node, repr(new))
    return Edit.text(path, text, f"{value!r} becomes {new!r} in {path}:{node.lineno}")


def swap_comparison(tree: Tree, dice: Random) -> Edit | None:
    """A comparison becomes another."""

    def sites(module: ast.Module) -> Iterator[ast.Compare]:
        return (node for node in inside_functions(module, ast.Compare) if len(node.ops) == 1)

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    text = tree.text(path)
    left, right = source_of(text, node.left), source_of(text, node.comparators[0])
    new = f"{left} {_COMPARED[type(node.ops[0])]} {right}"
    return Edit.text(path, replaced(text, node, new), f"a comparison becomes `{new}` in {path}:{node.lineno}")


def swap_arithmetic(tree: Tree, dice: Random) -> Edit | None:
    """An operator of arithmetic becomes another."""

    def sites(module: ast.Module) -> Iterator[ast.BinOp]:
        return (node for node in inside_functions(module, ast.BinOp) if type(node.op) in _COMPUTED)

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    text = tree.text(path)
    new = f"{source_of(text, node.left)} {_COMPUTED[type(node.op)]} {source_of(text, node.right)}"
    return Edit.text(path, replaced(text, node, new), f"an operation becomes `{new}` in {path}:{node.lineno}")


def negate_condition(tree: Tree, dice: Random) -> Edit | None:
    """The condition of an `if` is turned round."""
    if not (found := pick(tree, dice, tree.sources, lambda module: inside_functions(module, ast.If))):
        return None
    path, node = found
    text = tree.text(path)
    new = f"not ({source_of(text, node.test)})"
    return Edit.text(path, replaced(text, node.test, new), f"a condition negated in {path}:{node.lineno}")


def drop_return(tree: Tree, dice: Random) -> Edit | None:
    """What was returned is computed, and forgotten."""

    def sites(module: ast.Module) -> Iterator[ast.Return]:
        return (node for node in inside_functions(module, ast.Return) if node.value is not None)

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    text = replaced(tree.text(path), node, "return None")
    return Edit.text(path, text, f"a returned value dropped in {path}:{node.lineno}")


def drop_raise(tree: Tree, dice: Random) -> Edit | None:
    """An exception is no longer raised."""
    if not (found := pick(tree, dice, tree.sources, lambda module: inside_functions(module, ast.Raise))):
        return None
    path, node = found
    return Edit.text(
        path, replaced(tree.text(path), node, "pass"), f"an exception dropped in {path}:{node.lineno}"
    )


def change_default(tree: Tree, dice: Random) -> Edit | None:
    """The default of a parameter becomes another."""

    def sites(module: ast.Module) -> Iterator[ast.expr]:
        for function in functions(module):
            defaults = (*function.args.defaults, *function.args.kw_defaults)
            yield from (node for node in defaults if isinstance(node, ast.Constant))

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    value = node.value  # type: ignore[attr-defined]
    new = "None" if value is not None else "0"
    text = replaced(tree.text(path), node, new)
    return Edit.text(path, text, f"a default {value!r} becomes {new} in {path}:{node.lineno}")


def add_parameter(tree: Tree, dice: Random) -> Edit | None:
    """A function wants one more argument, and its callers are not told."""

    def sites(module: ast.Module) -> list[Function]:
        return [f for f in top_functions(module) if f.args.args and not f.args.posonlyargs]

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    first = node.args.args[0]
    text = tree.text(path)
    new = f"more_is_wanted, {source_of(text, first)}"
    return Edit.text(path, replaced(text, first, new), f"{node.name} in {path} wants one more argument")


def remove_export(tree: Tree, dice: Random) -> Edit | None:
    """A package no longer offers a name."""
    paths = [path for path in tree.sources if path.endswith("__init__.py")]
    if not (found := pick(tree, dice, paths, _imports)):
        return None
    path, node = found
    return Edit.text(path, without(tree.text(path), node), f"`{ast.unparse(node)[:60]}` deleted in {path}")


def syntax_error(tree: Tree, dice: Random) -> Edit | None:
    """A line that is no Python, at a random place of a source or a helper of tests."""
    path = dice.choice(tree.sources + tree.helpers)
    lines = tree.text(path).splitlines(keepends=True)
    at = dice.randrange(len(lines) + 1)
    return Edit.text(path, "".join([*lines[:at], "def (:\n", *lines[at:]]), f"a syntax error in {path}")


def undecodable(tree: Tree, dice: Random) -> Edit | None:
    """A byte that is not in the file's encoding, in a comment."""
    path = dice.choice(tree.sources)
    return Edit({path: tree.files[path] + b"\n# caf\xe9\n"}, f"a byte that is no UTF-8 in {path}")


def _wide(kind: Callable[[ast.Module], list[Function]] | Callable[[ast.Module], list[ast.ClassDef]]) -> Apply:
    def nodes(module: ast.Module) -> list[ast.stmt]:
        return list(kind(module))

    return _deleted(nodes)


OPERATORS: tuple[Operator, ...] = (
    breaking("delete-module", delete_module),
    breaking("rename-module", rename_module),
    breaking("delete-function", _wide(top_functions)),
    breaking("delete-class", _wide(top_classes)),
    breaking("delete-method", _deleted(_methods)),
    breaking("delete-import", _deleted(_imports)),
    breaking("rename-function", rename_function),
    breaking("raise-at-import", _at_import('raise RuntimeError("not today")')),
    breaking("exit-at-import", _at_import("raise SystemExit(0)")),
    breaking("kill-at-import", _at_import('__import__("os")._exit(0)')),
    breaking("change-constant", change_constant),
    breaking("swap-comparison", swap_comparison),
    breaking("swap-arithmetic", swap_arithmetic),
    breaking("negate-condition", negate_condition),
    breaking("drop-return", drop_return),
    breaking("drop-raise", drop_raise),
    breaking("change-default", change_default),
    breaking("add-parameter", add_parameter),
    breaking("remove-export", remove_export),
    breaking("syntax-error", syntax_error),
    breaking("undecodable", undecodable),
)
