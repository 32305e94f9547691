"""GTL608: fewer tests are collected, or fewer of those that are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import PurePosixPath
from typing import Any

from gateline.analysis.modules import Module
from gateline.analysis.trees import constants, names, unparsed
from gateline.integrity.enforcement.changed_settings import at_key
from gateline.integrity.enforcement.settings import Tables, as_list, both_tables
from gateline.integrity.evidence import Evidence
from gateline.integrity.file_roles import is_collected, is_test
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.test_selection_changed import CODE
from gateline.integrity.rules.threshold_lowered.settings import options
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_ADDING = (
    "--ignore=",
    "--ignore-glob=",
    "--deselect=",
    "-k=",
    "-m=",
    "--lf=",
    "--last-failed=",
    "--collect-only=",
    "--co=",
)
_DEFAULTS = {
    "python_files": ["test_*.py", "*_test.py"],
    "python_functions": ["test"],
    "python_classes": ["Test"],
}
_ASKING = frozenset({"getoption", "getini", "getenv", "environ", "platform"})
"""By which a hook asks whoever starts it, or the machine."""
_OF_MARKS = frozenset({"keywords", "get_closest_marker", "iter_markers", "own_markers"})
_NO_TESTS = frozenset(
    {"docs", "doc", "examples", "example", "benchmarks", "build", "scripts", "node_modules", "vendor"}
)
_DATA = frozenset(
    {"data", "fixtures", "snapshots", "__snapshots__", "golden", "resources", "assets", "templates"}
)
"""Folders among tests that hold none."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """What keeps tests from being collected that did not before."""
    before, now = both_tables(evidence.both)
    for key, how in _narrowed(before, now, evidence):
        yield at_key(CODE, evidence.both, ("pytest", key), before, now, how, Weight.FLOOR)
    if how := _undocumented(before, now):
        yield at_key(CODE, evidence.both, ("pytest", "addopts"), before, now, how, Weight.COUNTS)
    prints = lambda hit: (unparsed(hit[0]),)  # noqa: E731
    for module, (node, hook) in new_in(evidence.both.tests, _leaving_out, prints):
        if hook is None or not _asks(hook, evidence):
            yield at_node(CODE, module, node, "tests are excluded from collection", Weight.FLOOR)


def _asks(hook: ast.FunctionDef, evidence: Evidence) -> bool:
    """Whether a hook asks somebody what to leave out, or only for marks that no test has had."""
    used = names(hook)
    if not _OF_MARKS & used or _ASKING & used:
        return bool(_ASKING & used)
    marks = {value.strip("'") for value in constants(hook)}
    borne = {last_name(mark) for test in evidence.both.tests_kept for mark in test.given_marks}
    return not marks & borne


def _narrowed(before: Tables, now: Tables, evidence: Evidence) -> Iterator[tuple[str, str]]:
    old, new = (options(tables.get("pytest", "addopts")) for tables in (before, now))
    for option in new:
        if (
            option not in old
            and f"{option}=".startswith(_ADDING)
            and not is_harmless(option, now, before, evidence)
        ):
            yield "addopts", f"`{option.replace('=', ' ', 1)}` excludes tests"
    for key, default in _DEFAULTS.items():
        had, has = as_list_of_words(before.get("pytest", key)), as_list_of_words(now.get("pytest", key))
        lost = [p for p in had or default if not _is_matched(p, has)] if has else []
        if lost and not (key == "python_files" and _are_renamed(lost, has, evidence)):
            yield key, f"`{key}` no longer matches {', '.join(lost)}"
    yield from _paths(before, now, evidence)
    added = set(as_list_of_words(now.get("pytest", "norecursedirs")))
    added -= set(as_list_of_words(before.get("pytest", "norecursedirs")))
    if hidden := sorted(d for d in added if _may_hold_tests(d, evidence)):
        yield "norecursedirs", f"`norecursedirs` now excludes {', '.join(hidden)}"


def _may_hold_tests(folder: str, evidence: Evidence) -> bool:
    """Whether a folder is one of tests, and not one that the change itself made."""
    rows = [row for row in evidence.both.change.files if _is_within(row.path, folder)]
    is_new = bool(rows) and all(row.base is None for row in rows)
    known = any(_is_within(path, folder) for path in evidence.both.around)
    return (is_test(f"{folder}/x.py") or folder.startswith("test")) and (known or not is_new)


def _are_renamed(lost: list[str], has: list[str], evidence: Evidence) -> bool:
    """Whether the files of tests that the lost patterns took in have names now that the others take in."""

    def fits(path: str, patterns: list[str]) -> bool:
        return any(fnmatch(PurePosixPath(path).name, pattern) for pattern in patterns)

    renamed = [pair for pair in evidence.both.tests if pair.base and fits(pair.base_path, lost)]
    left = [path for path in evidence.both.around if fits(path, lost) and not fits(path, has)]
    return bool(renamed) and not left and all(fits(pair.path, has) for pair in renamed)


def _undocumented(before: Tables, now: Tables) -> str:
    """The examples in docstrings and pages, that are no longer tried."""
    old, new = (options(tables.get("pytest", "addopts")) for tables in (before, now))
    lost = [o for o in old if o.startswith(("--doctest-modules", "--doctest-glob")) and o not in new]
    return f"without `{lost[0]}` doctests are no longer run" if lost and "pytest" in now.tools() else ""


def as_list_of_words(value: Any) -> list[str]:
    """A list that may be written as words."""
    return value.split() if isinstance(value, str) else as_list(value)


def _is_matched(pattern: str, patterns: list[str]) -> bool:
    head = pattern.rstrip("*_")
    return any(p == pattern or p in ("*.py", "*") or (p.rstrip("*_") == head and head) for p in patterns)


def is_harmless(option: str, now: Tables, before: Tables, evidence: Evidence) -> bool:
    """Whether an option of pytest leaves out nothing that was run before, as far as can be seen."""
    name, _, value = option.partition("=")
    if name.startswith("--ignore"):
        return not _NO_TESTS.isdisjoint(PurePosixPath(value.strip("*/")).parts)
    if name != "-m":
        return False
    marks = [
        word for word in value.replace("(", " ").replace(")", " ").split() if word not in ("not", "and", "or")
    ]
    if any(_marks_old_tests(mark, evidence) for mark in marks):
        return False
    if marks and all(_is_run_elsewhere(mark, evidence) for mark in marks):
        return True
    declared = " ".join(as_list_of_words(before.get("pytest", "markers")))
    return all(mark not in declared for mark in marks) and bool(now.get("pytest", "markers"))


def _is_run_elsewhere(mark: str, evidence: Evidence) -> bool:
    """Whether a pipeline of the change runs just the tests that are marked so."""
    chosen = re.compile(rf"^[^#\n]*-m[ =]?['\"]?{re.escape(mark)}\b", re.MULTILINE)
    rows = evidence.both.pipelines
    return any(row.current is not None and chosen.search(row.current.text) for row in rows)


def _marks_old_tests(mark: str, evidence: Evidence) -> bool:
    return any(
        any(last_name(decorator) == mark for decorator in new.node.decorator_list)
        for _, new in evidence.both.pairs.both
    )


def _paths(before: Tables, now: Tables, evidence: Evidence) -> Iterator[tuple[str, str]]:
    had, has = (as_list_of_words(tables.get("pytest", "testpaths")) for tables in (before, now))
    if not has:
        return
    lost = [p for p in had if not any(_is_within(p, other) for other in has) and _has_tests(p, evidence)]
    lost = [p for p in lost if not _are_divided(p, has, evidence)]
    if not had:
        lost = [
            p for p in has if len(PurePosixPath(p).parts) > 1 and is_test(f"{PurePosixPath(p).parent}/x.py")
        ]
    if lost:
        yield "testpaths", f"`testpaths` no longer includes all of {', '.join(lost)}"


def _is_within(path: str, other: str) -> bool:
    return other in (".", path) or path.startswith(f"{other.rstrip('/')}/")


def _are_divided(path: str, folders: list[str], evidence: Evidence) -> bool:
    """Whether the tests of a folder were moved into named folders of it, and none is left."""
    rows = [row.path for row in evidence.both.change.files if row.base and _is_within(row.base.path, path)]
    moved = [place for place in rows if is_collected(place)]
    left = [p for p in evidence.both.around if is_collected(p) and _is_within(p, path)]
    inside = [folder for folder in folders if _is_within(folder, path)]
    filled = all(any(_is_within(place, folder) for place in moved) for folder in inside)
    return len(inside) > 1 and filled and all(any(_is_within(p, f) for f in inside) for p in (*moved, *left))


def _has_tests(path: str, evidence: Evidence) -> bool:
    """Whether a folder still has what it had: its files were neither renamed nor deleted."""
    moved = [row for row in evidence.both.change.files if row.base and row.base.path.startswith(f"{path}/")]
    gone = [row for row in moved if not row.path.startswith(f"{path}/") or row.current is None]
    return not gone


_Left = tuple[ast.AST, ast.FunctionDef | None]
"""What leaves tests out, and the hook that it stands in."""


def _leaving_out(module: Module) -> Iterator[_Left]:
    """`collect_ignore`, hooks that take tests out, in a file of tests."""
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="collect_ignore" | "collect_ignore_glob")]):
                if any(map(_may_be_tests, constants(node))):
                    yield node, None
            case ast.FunctionDef(name="pytest_ignore_collect" | "pytest_collection_modifyitems"):
                yield from ((found, node) for found in _taking_out(node))
            case ast.FunctionDef(name="load_tests", args=ast.arguments(args=[_, tests, *_])):
                if not {tests.arg, "discover", "loadTestsFromModule"} & names(node):
                    yield node, None


def _may_be_tests(pattern: str) -> bool:
    """Whether a pattern may take in tests: it names no folder of data or pages, and no tool."""
    parts = PurePosixPath(pattern.strip("'\"")).parts
    return (_NO_TESTS | _DATA).isdisjoint(parts) and parts[-1:] != ("setup.py",)


def _taking_out(function: ast.FunctionDef) -> Iterator[ast.AST]:
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id="items"))], value=value) if _leaves_out(
                value
            ):
                yield node
            case ast.Delete(targets=[ast.Subscript(value=ast.Name(id="items"))]):
                yield node
            case ast.Call(func=ast.Attribute(value=ast.Name(id="items"), attr="remove" | "clear" | "pop")):
                yield node
            case ast.Call() if last_name(node) == "pytest_deselected":
                yield node
            case ast.Return(value=ast.Constant(value=True)):
                yield node


def _leaves_out(value: ast.expr) -> bool:
    """Whether what takes the place of a list has fewer items: chosen by a condition, a constant, a slice."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        return bool(value.slice.lower or value.slice.upper)
    return bool(constants(value)) or any(isinstance(n, ast.comprehension) and n.ifs for n in ast.walk(value))
