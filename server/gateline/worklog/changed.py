"""What of a change matters to the tier of its task."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from itertools import chain

from gateline.model.change import Change, FileChange
from gateline.model.document import Document, split_lines
from gateline.model.generated import says_generated
from gateline.model.interface import offered
from gateline.model.lines import changed_lines
from gateline.testing.naming import is_test
from gateline.worklog.tier import ChangedFile

_SETTINGS = ("pyproject.toml", "gateline.toml")
_LARGE = 300_000
"""Characters above which a text is not parsed: nothing else would run for a quarter of a second."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def changed_files(change: Change) -> tuple[ChangedFile, ...]:
    """Every changed file, sorted by path."""
    rows = chain(change.files, change.others)
    return tuple(sorted(map(_changed, rows), key=lambda file: file.path))


def _changed(row: FileChange) -> ChangedFile:
    old, new = _text(row.base), _text(row.current)
    public: tuple[str, ...] = ()
    only_comments = False
    # A file that the base does not have takes nothing away from anybody.
    if row.path.endswith((".py", ".pyi")) and row.base and not row.skipped:
        before, after = _tree(old), _tree(new)
        if before is not None and after is not None:
            only_comments = bool(row.current) and _meaning(before) == _meaning(after)
            public = () if is_test(row.path) else tuple(_broken(_public(before), _public(after)))
    return ChangedFile(
        row.path,
        _lines(old, new),
        only_comments=only_comments,
        generated=says_generated(new or old),
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


def _public(tree: ast.Module) -> dict[str, str]:
    """What others may use, by qualified name, with all that they rely on."""
    return {name: _head(node) for name, node in offered(tree).items()}


def _head(node: ast.AST) -> str:
    if isinstance(node, ast.ClassDef):
        return ", ".join(map(ast.dump, node.bases))
    if isinstance(node, _Function):
        returns = ast.dump(node.returns) if node.returns else ""
        return f"{type(node).__name__} {ast.dump(node.args)} {returns}"
    return ""


def _gate(path: str, text: str) -> object:
    """Gateline's own part of a settings file; the text itself where it cannot be read."""
    if path.endswith("gateline.toml"):
        return text
    try:
        return tomllib.loads(text).get("tool", {}).get("gateline", {})
    except (tomllib.TOMLDecodeError, AttributeError):
        return text
