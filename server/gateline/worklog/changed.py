"""What of a change matters to the tier of its task."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from gateline.model.change import Change, FileChange
from gateline.model.document import Document, split_lines
from gateline.model.generated import says_generated
from gateline.model.interface import is_public, offered
from gateline.model.lines import changed_lines
from gateline.testing.naming import is_test
from gateline.worklog.tier import ChangedFile

_NOT_OFFERED = frozenset({"docs", "doc", "examples", "example", "demo", "demos", "benchmarks", "scripts"})
"""Folders whose code nobody imports."""
_TOOLS = frozenset({"setup.py", "noxfile.py", "conftest.py", "tasks.py", "fabfile.py"})
_LARGE = 300_000
"""Characters above which a text is not parsed: nothing else would run for a quarter of a second."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def changed_files(
    change: Change, edits_gate: Callable[[FileChange], bool] = lambda row: False
) -> tuple[ChangedFile, ...]:
    """Every changed file, sorted by path. `edits_gate`: whether a setting in a file differs that judges."""
    rows = chain(change.files, change.others)
    return tuple(sorted((_changed(row, edits_gate) for row in rows), key=lambda file: file.path))


def _changed(row: FileChange, edits_gate: Callable[[FileChange], bool]) -> ChangedFile:
    old, new = _text(row.base), _text(row.current)
    python = (
        _of_python(row, old, new) if row.path.endswith((".py", ".pyi")) and not row.skipped else _Python()
    )
    return ChangedFile(
        row.path,
        _lines(old, new),
        only_comments=python.only_comments,
        generated=says_generated(new or old),
        public=python.broken,
        new_public=python.added,
        gate_settings=edits_gate(row),
        unparsed=python.unparsed,
    )


@dataclass(frozen=True, slots=True)
class _Python:
    """What of a Python file's change matters."""

    only_comments: bool = False
    broken: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    unparsed: bool = False


def _of_python(row: FileChange, old: str, new: str) -> _Python:
    before, after = _tree(old), _tree(new)
    if before is None or after is None:
        return _Python(unparsed=after is None)
    is_init = row.path.endswith(("/__init__.py", "/__init__.pyi"))
    was, now = (_public(tree, is_init=is_init) for tree in (before, after))
    # A file that the base does not have takes nothing away from anybody.
    broken = () if row.base is None or is_test(row.path) else tuple(_broken(was, now))
    added = tuple(sorted(now.keys() - was.keys())) if _is_offered(row.path) else ()
    # Last: it takes the docstrings out of the trees.
    both = row.base is not None and row.current is not None
    return _Python(both and _meaning(before) == _meaning(after), broken, added)


def _is_offered(path: str) -> bool:
    """Whether others may import a file: it is no test, tool or example, and its name says nothing else."""
    *folders, name = path.split("/")
    if is_test(path) or name in _TOOLS or not _NOT_OFFERED.isdisjoint(folders):
        return False
    return not any(part.startswith("_") and not part.startswith("__init__.") for part in (*folders, name))


def _lines(old: str, new: str) -> int:
    before, after = split_lines(old), split_lines(new)
    return len(changed_lines(before, after)) + len(changed_lines(after, before))


def _text(document: Document | None) -> str:
    return document.text if document else ""


def _tree(text: str) -> ast.Module | None:
    if len(text) > _LARGE:
        return None
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _meaning(tree: ast.Module) -> str:
    """The tree without its docstrings: comments are not in it."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | _Function)
            and ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:]
    return ast.dump(tree)


def _broken(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """Public names that are gone or are called otherwise."""
    return (name for name, head in before.items() if after.get(name) != head)


def _public(tree: ast.Module, *, is_init: bool) -> dict[str, str]:
    """What others may use, by qualified name, with all that they rely on.

    A package offers what it imports from its own modules, too.
    """
    passed_on = (name for node in tree.body if is_init for name in _passed_on(node))
    return {**dict.fromkeys(passed_on, ""), **{name: _head(node) for name, node in offered(tree).items()}}


def _passed_on(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.level:
        yield from (name for a in node.names if is_public(name := a.asname or a.name) and name != "*")


def _head(node: ast.AST) -> str:
    if isinstance(node, ast.ClassDef):
        return ", ".join(map(ast.dump, node.bases))
    if isinstance(node, _Function):
        returns = ast.dump(node.returns) if node.returns else ""
        return f"{type(node).__name__} {ast.dump(node.args)} {returns}"
    return ""
