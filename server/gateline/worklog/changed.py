"""What of a change matters to the tier of its task."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from itertools import chain

from gateline.model.change import Change, FileChange
from gateline.model.document import Document, split_lines
from gateline.model.lines import changed_lines
from gateline.worklog.tier import ChangedFile

_SETTINGS = ("pyproject.toml", "gateline.toml")
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_GENERATED = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py")
_MARKS = ("@generated", "do not edit")
_HEAD = 5
"""Lines at the top of a file in which a generator says that it wrote it."""


def changed_files(change: Change) -> tuple[ChangedFile, ...]:
    """Every changed file, sorted by path."""
    rows = chain(change.files, change.others)
    return tuple(sorted(map(_changed, rows), key=lambda file: file.path))


def _changed(row: FileChange) -> ChangedFile:
    old, new = _text(row.base), _text(row.current)
    public: tuple[str, ...] = ()
    only_comments = False
    if row.path.endswith((".py", ".pyi")) and not row.skipped:
        before, after = _tree(old), _tree(new)
        if before is not None and after is not None:
            only_comments = bool(row.base and row.current) and _meaning(before) == _meaning(after)
            public = () if _is_test(row.path) else tuple(_broken(_public(before), _public(after)))
    return ChangedFile(
        row.path,
        _lines(old, new),
        only_comments=only_comments,
        generated=_is_generated(row.path, new or old),
        public=public,
        gate_settings=row.path.rpartition("/")[2] in _SETTINGS
        and _gate(row.path, old) != _gate(row.path, new),
    )


def _lines(old: str, new: str) -> int:
    before, after = split_lines(old), split_lines(new)
    return len(changed_lines(before, after)) + len(changed_lines(after, before))


def _text(document: Document | None) -> str:
    return document.text if document else ""


def _tree(text: str) -> ast.Module | None:
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


def _public(tree: ast.Module) -> dict[str, str]:
    """The heads of the functions and classes that others may use, by qualified name."""
    return dict(_heads(tree.body, ""))


def _heads(statements: list[ast.stmt], around: str) -> Iterator[tuple[str, str]]:
    for node in statements:
        if not isinstance(node, ast.ClassDef | _Function) or node.name.startswith("_"):
            continue
        name = f"{around}{node.name}"
        if isinstance(node, ast.ClassDef):
            yield name, ", ".join(map(ast.dump, node.bases))
            yield from _heads(node.body, f"{name}.")
        else:
            returns = ast.dump(node.returns) if node.returns else ""
            yield name, f"{type(node).__name__} {ast.dump(node.args)} {returns}"


def _is_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    return (
        name.startswith("test_")
        or name.endswith("_test.py")
        or name == "conftest.py"
        or "tests/" in f"/{path}"
    )


def _is_generated(path: str, text: str) -> bool:
    head = "".join(split_lines(text)[:_HEAD]).lower()
    return path.endswith(_GENERATED) or any(mark in head for mark in _MARKS)


def _gate(path: str, text: str) -> object:
    """Gateline's own part of a settings file; the text itself where it cannot be read."""
    if path.endswith("gateline.toml"):
        return text
    try:
        return tomllib.loads(text).get("tool", {}).get("gateline", {})
    except (tomllib.TOMLDecodeError, AttributeError):
        return text
