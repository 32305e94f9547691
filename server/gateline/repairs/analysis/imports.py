"""Where imports stand in a text, and how one is added in its style."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence

from gateline.model import Edit
from gateline.repairs.analysis.code import Code

Import = ast.Import | ast.ImportFrom


def imports(code: Code) -> list[Import]:
    """The imports of the module itself, those in `try` and `if` included, in the order of the text."""
    found = [n for n in code.nodes if isinstance(n, Import) and isinstance(code.scope(n), ast.Module)]
    return sorted(found, key=lambda n: n.lineno)


def added(code: Code, module: str, name: str, ours: Sequence[str]) -> Edit:
    """The edit that imports `name` from `module`, or the module itself when `name` is "".

    An import from the same module gets the name; otherwise a line is put where it belongs by its kind and the
    alphabet. `ours` are the top names of the workspace's own modules.
    """
    same = [n for n in _at_top(code) if isinstance(n, ast.ImportFrom) and _target(n) == module and name]
    if same:
        return _extended(code, same[0], name)
    line = f"from {module} import {name}" if name else f"import {module}"
    return _placed(code, line, module, ours)


def _at_top(code: Code) -> list[Import]:
    return [node for node in code.tree.body if isinstance(node, Import)]


def _target(node: ast.ImportFrom) -> str:
    return "." * node.level + (node.module or "")


def _extended(code: Code, node: ast.ImportFrom, name: str) -> Edit:
    """The name is put among those imported already: by the alphabet, when they are in its order."""
    names = [alias.name for alias in node.names]
    is_sorted = names == sorted(names)
    after = [alias for alias in node.names if not is_sorted or alias.name < name]
    if after:
        end = code.end(after[-1])
        return code.edit(
            end, end, f", {name}" if "\n" not in code.segment(node) else _own_line(code, after[-1], name)
        )
    start = code.start(node.names[0])
    return code.edit(start, start, f"{name}, ")


def _own_line(code: Code, before: ast.alias, name: str) -> str:
    line = before.lineno - 1
    is_alone = code.source.line(line).strip().rstrip(",") == code.segment(before)
    return f",{code.newline}{code.indent(line)}{name}" if is_alone else f", {name}"


def _placed(code: Code, text: str, module: str, ours: Sequence[str]) -> Edit:
    kind = _section(module, ours)
    block = list(_leading(code))
    rows = [(node, _section(_module(node), ours)) for node in block]
    near = [node for node, section in rows if section == kind]
    earlier = [node for node in near if _key(node) < (text.startswith("from"), module)]
    if earlier:
        return _behind(code, earlier[-1], text, gap=False)
    if near:
        return _line(code, near[0].lineno - 1, text, "")
    before = [node for node, section in rows if section < kind]
    if before:
        return _behind(code, before[-1], text, gap=len(rows) > len(before) or kind > 0)
    if block:
        return _line(code, block[0].lineno - 1, text, code.newline)
    return _first(code, text)


def _module(node: Import) -> str:
    return _target(node) if isinstance(node, ast.ImportFrom) else node.names[0].name


def _key(node: Import) -> tuple[bool, str]:
    return isinstance(node, ast.ImportFrom), _module(node)


def _section(module: str, ours: Sequence[str]) -> int:
    """The part of the imports a module belongs to, as tools sort them."""
    top = module.partition(".")[0]
    if module == "__future__":
        return 0
    if module.startswith("."):
        return 4
    if top in ours:
        return 3
    return 1 if top in sys.stdlib_module_names else 2


def _leading(code: Code) -> Iterator[Import]:
    """The imports before the first other statement, but for a docstring and `__all__`-like names."""
    for node in code.tree.body:
        if isinstance(node, Import):
            yield node
        elif not isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign | ast.Try | ast.If):
            return


def _behind(code: Code, node: Import, text: str, *, gap: bool) -> Edit:
    end = node.end_lineno or node.lineno
    space = code.newline if gap else ""
    start = code.line_start(end)
    whole = "" if code.text[:start].endswith(("\n", "\r")) else code.newline
    return code.edit(start, start, f"{whole}{space}{text}{code.newline}")


def _line(code: Code, line: int, text: str, gap: str) -> Edit:
    start = code.line_start(line)
    return code.edit(start, start, f"{text}{code.newline}{gap}")


def _first(code: Code, text: str) -> Edit:
    """The only import: below a docstring, whose empty lines then stand between it and what follows."""
    line = _head(code)
    if ast.get_docstring(code.tree, clean=False) is None:
        return _line(code, line, text, code.newline * 2)
    start = code.line_start(line)
    whole = "" if code.text[:start].endswith(("\n", "\r")) else code.newline
    following = code.text[start:].splitlines()[:1]
    gap = code.newline if any(following) and following[0].strip() else ""
    return code.edit(start, start, f"{whole}{code.newline}{text}{code.newline}{gap}")


def _head(code: Code) -> int:
    """The line of the first statement that is no docstring; comments at the top stay there."""
    body = code.tree.body
    is_told = bool(body) and ast.get_docstring(code.tree, clean=False) is not None
    if is_told:
        return body[0].end_lineno or 1
    first = body[0] if body else None
    if first is None:
        return 0
    decorators: list[ast.expr] = getattr(first, "decorator_list", [])
    return min([first.lineno, *(d.lineno for d in decorators)]) - 1
