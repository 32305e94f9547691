"""Functions that go elsewhere, get another name, or go with their tests, while behaviour stays."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from random import Random

from gateline_dev.truth.operators import Operator, honest
from gateline_dev.truth.operators.sites import (
    Function,
    lines_of,
    names_in,
    own_names,
    pick,
    source_of,
    top_functions,
    without,
)
from gateline_dev.truth.tree import Edit, Tree


def _imports_text(tree: Tree, path: str) -> str:
    module, text = tree.module(path), tree.text(path)
    rows = [node for node in module.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return "".join(f"{source_of(text, node)}\n" for node in rows)


def _imported(module: ast.Module) -> set[str]:
    rows = [node for node in module.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return {(alias.asname or alias.name).split(".")[0] for row in rows for alias in row.names}


def move_function(tree: Tree, dice: Random) -> Edit | None:
    """A function goes to a new module, and is imported where it was."""

    def sites(module: ast.Module) -> Iterator[Function]:
        known = _imported(module) | set(dir(builtins))
        for function in top_functions(module):
            if names_in(function) <= known | own_names(function) and not function.decorator_list:
                yield function

    paths = [path for path in tree.sources if "/" in path]
    if not (found := pick(tree, dice, paths, sites)):
        return None
    path, node = found
    text = tree.text(path)
    first, last = lines_of(node)
    moved = "".join(text.splitlines(keepends=True)[first - 1 : last])
    name = f"moved_{node.name.strip('_')}"
    new = f"{PurePosixPath(path).parent.as_posix()}/{name}.py"
    package = tree.module_name(f"{PurePosixPath(path).parent.as_posix()}/__init__.py")
    head = f'"""What `{node.name}` needs, by itself."""\n\n{_imports_text(tree, path)}\n\n'
    left = without(text, node).splitlines(keepends=True)
    left[first - 1 : first - 1] = [f"from {package}.{name} import {node.name}  # noqa: E402, F401\n"]
    return Edit(
        {path: "".join(left).encode(), new: (head + moved).encode()}, f"{node.name} of {path} moved to {new}"
    )


def rename_private(tree: Tree, dice: Random) -> Edit | None:
    """A private function gets another name, everywhere."""

    def sites(module: ast.Module) -> list[Function]:
        return [f for f in top_functions(module) if re.fullmatch(r"_[a-z]\w{3,}", f.name)]

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    word = re.compile(rf"\b{found[1].name}\b")
    edited = {p: word.sub(f"{found[1].name}_anew", tree.text(p)) for p in tree.python}
    files = {path: text.encode() for path, text in edited.items() if text != tree.text(path)}
    return Edit(files, f"{found[1].name} of {found[0]} renamed with all its uses")


def delete_with_tests(tree: Tree, dice: Random) -> Edit | None:
    """A function that only tests use is deleted together with them."""
    rows = [
        (path, f) for path in tree.sources for f in top_functions(tree.module(path)) if not f.decorator_list
    ]
    dice.shuffle(rows)
    for path, function in rows:
        if edit := _with_tests(tree, path, function):
            return edit
    return None


def _with_tests(tree: Tree, path: str, function: Function) -> Edit | None:
    word = re.compile(rf"\b{function.name}\b")
    uses = {p for p in tree.python if word.search(tree.text(p))}
    users = uses - {path}
    left = without(tree.text(path), function)
    if word.search(left) or len(users) != 1 or (test := users.pop()) not in tree.tests:
        return None
    text = tree.text(test)
    tests = [f for f in top_functions(tree.module(test)) if word.search(source_of(text, f))]
    if not tests or len(tests) == len(top_functions(tree.module(test))):
        return None
    for one in sorted(tests, key=lambda node: -node.lineno):
        text = without(text, one)
    text = re.sub(
        rf"(?m)^    {function.name},\n|(?<=import )\b{function.name}\b, |, {function.name}\b(?=[,)\n])",
        "",
        text,
    )
    if word.search(text):
        return None
    name = test.removesuffix(".py").replace("/", ".")
    withdrawn = frozenset(f"{name}::{one.name}" for one in tests)
    files: dict[str, bytes | None] = {path: left.encode(), test: text.encode()}
    return Edit(files, f"{function.name} of {path} deleted with its tests", withdrawn)


OPERATORS: tuple[Operator, ...] = (
    honest("move-function", move_function),
    honest("rename-private", rename_private),
    honest("delete-with-tests", delete_with_tests),
)
