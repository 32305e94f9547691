"""Changes of code that leave behaviour as it is, or add to it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from random import Random

from gateline_dev.truth.operators import Operator, honest
from gateline_dev.truth.operators.sites import (
    Function,
    after_head,
    functions,
    indent_of,
    inserted,
    lines_of,
    names_in,
    own_names,
    pick,
    replaced,
    source_of,
    span,
    top_functions,
)
from gateline_dev.truth.tree import Edit, Tree


def rename_local(tree: Tree, dice: Random) -> Edit | None:
    """A local variable gets another name."""

    def sites(module: ast.Module) -> Iterator[Function]:
        return (function for function in functions(module) if _plain_locals(function))

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, function = found
    name = dice.choice(sorted(_plain_locals(function)))
    rows = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
    text = tree.text(path)
    for node in sorted(rows, key=lambda node: (-node.lineno, -node.col_offset)):
        text = replaced(text, node, f"{name}_value")
    return Edit.text(path, text, f"{name} in {function.name} of {path} renamed")


def _plain_locals(function: Function) -> set[str]:
    odd = (
        ast.Global,
        ast.Nonlocal,
        ast.Lambda,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.JoinedStr,
    )
    inner = [node for statement in function.body for node in ast.walk(statement)]
    if any(isinstance(node, (*odd, ast.MatchAs, ast.ExceptHandler)) for node in inner):
        return set()
    if names_in(function) & {"locals", "vars", "eval", "exec"}:
        return set()
    stored = {n.id for n in inner if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored - {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}


def reformat(tree: Tree, dice: Random) -> Edit | None:
    """A source is formatted anew."""
    path = dice.choice([path for path in tree.sources if len(tree.files[path]) > 200] or tree.sources)
    ruff = Path(sys.executable).with_name("ruff")
    command = [str(ruff), "format", "--isolated", "--line-length", "79", "--stdin-filename", path, "-"]
    done = subprocess.run(command, input=tree.files[path], capture_output=True, check=False)
    if done.returncode or done.stdout == tree.files[path]:
        return None
    return Edit({path: done.stdout}, f"{path} formatted")


def add_function(tree: Tree, dice: Random) -> Edit | None:
    """A new function, and a new module of tests for it."""
    path = dice.choice(tree.sources)
    addition = (
        "\n\ndef longest_of(texts: list[str]) -> str:\n"
        '    """Return the longest of some texts, the first one of equal length; "" of none."""\n'
        '    found = ""\n    for text in texts:\n        if len(text) > len(found):\n'
        "            found = text\n    return found\n"
    )
    test = (
        f"from {tree.module_name(path)} import longest_of\n\n\n"
        'def test_the_longest_is_found() -> None:\n    assert longest_of(["a", "bcd", "xyz"]) == "bcd"\n\n\n'
        'def test_of_none() -> None:\n    assert longest_of([]) == ""\n'
    )
    where = PurePosixPath(dice.choice(tree.tests)).parent / "test_longest_of.py"
    text = tree.text(path).rstrip("\n") + "\n" + addition
    return Edit({path: text.encode(), where.as_posix(): test.encode()}, f"longest_of in {path}, with tests")


def add_docstring(tree: Tree, dice: Random) -> Edit | None:
    """A function is documented."""

    def sites(module: ast.Module) -> Iterator[Function]:
        return (f for f in functions(module) if ast.get_docstring(f) is None and f.body[0].lineno > f.lineno)

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    first = lines_of(node.body[0])[0]
    text = tree.text(path)
    line = f'{indent_of(text, first)}"""Do what the name says."""\n'
    return Edit.text(path, inserted(text, first - 1, line), f"a docstring for {node.name} in {path}")


def add_comment(tree: Tree, dice: Random) -> Edit | None:
    """A comment, with a letter that is not ASCII."""
    path = dice.choice(tree.sources)
    at = after_head(tree.module(path))
    text = inserted(tree.text(path), at, "# Kept as it is: naïve, and fast enough.\n")
    return Edit.text(path, text, f"a comment in {path}")


def annotate(tree: Tree, dice: Random) -> Edit | None:
    """A function that returns nothing says so."""

    def sites(module: ast.Module) -> Iterator[Function]:
        for function in functions(module):
            kinds = (ast.Return, ast.Yield, ast.YieldFrom)
            if (
                function.body[0].lineno > function.lineno
                and function.returns is None
                and not any(isinstance(n, kinds) for n in ast.walk(function))
            ):
                yield function

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    lines = tree.text(path).splitlines(keepends=True)
    row = lines[node.lineno - 1]
    if not row.rstrip().endswith("):"):
        return None
    lines[node.lineno - 1] = row.rstrip()[:-1] + " -> None:\n"
    return Edit.text(path, "".join(lines), f"{node.name} in {path} annotated")


def extract_helper(tree: Tree, dice: Random) -> Edit | None:
    """The value that a function returns is computed by a new one."""

    def sites(module: ast.Module) -> Iterator[ast.Return]:
        for function in top_functions(module):
            if isinstance(function, ast.FunctionDef) and isinstance(last := function.body[-1], ast.Return):
                hard = (ast.Lambda, ast.Yield, ast.Await, ast.NamedExpr, ast.GeneratorExp, ast.ListComp)
                odd = (*hard, ast.SetComp, ast.DictComp)
                simple = last.value and not any(isinstance(n, odd) for n in ast.walk(last.value))
                if simple and not any(isinstance(n, ast.Global) for n in ast.walk(function)):
                    yield last

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    assert node.value is not None
    module, text = tree.module(path), tree.text(path)
    (owner,) = (f for f in top_functions(module) if f.body[-1] is node)
    names = sorted(names_in(node.value) & own_names(owner))
    helper = f"_{owner.name.strip('_')}_result"
    value = source_of(text, node.value)
    text = replaced(text, node, f"return {helper}({', '.join(names)})")
    defined = f"def {helper}({', '.join(names)}):\n    return ({value})\n\n\n"
    return Edit.text(
        path, inserted(text, lines_of(owner)[0] - 1, defined), f"{helper} taken out of {owner.name}"
    )


def swap_imports(tree: Tree, dice: Random) -> Edit | None:
    """Two plain imports change places."""

    def sites(module: ast.Module) -> Iterator[ast.Import]:
        rows = zip(module.body, module.body[1:], strict=False)
        return (
            a for a, b in rows
            if isinstance(a, ast.Import) and isinstance(b, ast.Import) and b.lineno == a.lineno + 1
        )  # fmt: skip

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    lines = tree.text(path).splitlines(keepends=True)
    lines[node.lineno - 1], lines[node.lineno] = lines[node.lineno], lines[node.lineno - 1]
    return Edit.text(path, "".join(lines), f"two imports of {path} swapped")


def parenthesise(tree: Tree, dice: Random) -> Edit | None:
    """A returned value gets parentheses, over two lines."""

    def sites(module: ast.Module) -> Iterator[ast.expr]:
        rows = (node.value for node in ast.walk(module) if isinstance(node, ast.Return))
        return (node for node in rows if node is not None and node.lineno == node.end_lineno)

    if not (found := pick(tree, dice, tree.sources, sites)):
        return None
    path, node = found
    text = tree.text(path)
    first, _ = span(text, node)
    new = f"(\n{indent_of(text, node.lineno)}    {source_of(text, node)}\n{indent_of(text, node.lineno)})"
    return Edit.text(
        path, replaced(text, node, new), f"a value wrapped in {path}:{text.count(chr(10), 0, first) + 1}"
    )


OPERATORS: tuple[Operator, ...] = (
    honest("rename-local", rename_local),
    honest("reformat", reformat),
    honest("add-function", add_function),
    honest("add-docstring", add_docstring),
    honest("add-comment", add_comment),
    honest("annotate", annotate),
    honest("extract-helper", extract_helper),
    honest("swap-imports", swap_imports),
    honest("wrap-value", parenthesise),
)
