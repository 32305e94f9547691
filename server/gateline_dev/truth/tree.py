"""The files of a project as committed, and an edit of them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

_DATA = {
    ".json",
    ".txt",
    ".toml",
    ".po",
    ".yaml",
    ".yml",
    ".csv",
    ".cfg",
    ".ini",
    ".html",
    ".sql",
    ".xml",
    ".rst",
    ".md",
    ".mo",
}
_HEAD = {"pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", "setup.py"}


@dataclass(frozen=True)
class Edit:
    """What becomes of files: their new bytes, or None where one is deleted."""

    files: Mapping[str, bytes | None]
    about: str
    withdrawn: frozenset[str] = frozenset()
    """Tests that are deleted together with what they test."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """New names of tests, or of what they begin with."""

    @staticmethod
    def text(path: str, text: str, about: str) -> Edit:
        """One file gets another text."""
        return Edit({path: text.encode()}, about)


@dataclass(frozen=True)
class Tree:
    """All files of a base, by path."""

    files: Mapping[str, bytes]
    package: str
    source: str = ""

    def text(self, path: str) -> str:
        """What a file holds."""
        return self.files[path].decode("utf-8")

    @cached_property
    def python(self) -> list[str]:
        """Python files that parse, sorted."""
        return [path for path in sorted(self.files) if path.endswith(".py") and self._parsed(path)]

    @cached_property
    def sources(self) -> list[str]:
        """Those of the package that are no tests."""
        inside = [p for p in self.python if p == self.package or p.startswith(f"{self.package}/")]
        return [path for path in inside if not is_test(path)]

    @cached_property
    def tests(self) -> list[str]:
        """Modules of tests."""
        return [p for p in self.python if is_test(p) and _is_module_of_tests(PurePosixPath(p).name)]

    @cached_property
    def helpers(self) -> list[str]:
        """Python files beside tests that are no modules of tests."""
        return [path for path in self.python if is_test(path) and path not in self.tests]

    @cached_property
    def data(self) -> list[str]:
        """Files in the folders of the package and its tests that are neither Python nor about them."""
        found = (path for path in sorted(self.files) if PurePosixPath(path).suffix in _DATA)
        inside = (p for p in found if p.startswith(f"{self.package}/") or is_test(p))
        return [path for path in inside if PurePosixPath(path).name not in _HEAD and "egg-info" not in path]

    @cached_property
    def _trees(self) -> dict[str, ast.Module]:
        return {}

    def _parsed(self, path: str) -> bool:
        try:
            self._trees[path] = ast.parse(self.text(path))
        except (SyntaxError, ValueError):
            return False
        return True

    def module(self, path: str) -> ast.Module:
        """The syntax tree of a file in `python`."""
        if path not in self._trees:
            self._trees[path] = ast.parse(self.text(path))
        return self._trees[path]

    def module_name(self, path: str) -> str:
        """The name that a source is imported by."""
        inside = path.removeprefix(f"{self.source}/") if self.source else path
        return inside.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @cached_property
    def imported_standard(self) -> list[str]:
        """Modules of the standard library that the sources or tests import, sorted."""
        found = set[str]()
        for path in (*self.sources, *self.tests):
            for node in ast.walk(self.module(path)):
                if isinstance(node, ast.Import):
                    found |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.split(".")[0])
        return sorted((found & sys.stdlib_module_names) - {"sys", "__future__", "builtins", "time"})


def is_test(path: str) -> bool:
    """Whether a file is among tests, by its name."""
    *folders, name = path.split("/")
    named = (
        name.startswith("test_")
        or name.endswith("_test.py")
        or name in ("conftest.py", "test.py", "tests.py")
    )
    return named or any(folder in ("tests", "test", "testing") for folder in folders)


def _is_module_of_tests(name: str) -> bool:
    return name.startswith("test") or name.endswith("_test.py")
