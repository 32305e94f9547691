"""Which lines and branches of a text can be executed, as the user's own coverage.py counts them.

Nothing is run. The lines are those of the interpreter that runs the tests: another version of Python
may see others.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import shutil
import tempfile
import warnings
from typing import Any, Iterator, Mapping

from .by_design import lines_by_design

_NOTHING: dict[str, Any] = {
    "statements": [],
    "excluded": [],
    "exits": [],
    "first": [],
    "jumps": [],
    "partial": [],
}
"""Of a file that the project does not measure, or that is empty."""
_SETTINGS = (".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml")
"""The files that coverage reads its settings from."""
_UNPARSED = "the text does not parse"


class Outliner:
    """Keeps what the project leaves out, by lines and by files.

    `settings` are texts of coverage's settings files that hold instead of those on disk; None: there is none.
    Raises ImportError without coverage, and whatever coverage raises of settings that it cannot read.
    """

    def __init__(self, settings: Mapping[str, str | None]) -> None:
        import coverage

        with _folder_with(settings):
            configured = coverage.Coverage(data_file=None)
        excluded = configured.get_exclude_list("exclude")
        # A list of the project's own takes the place of coverage's, and of what is left out by design.
        self._by_design = not set(_defaults()) - set(excluded)
        self._excluded = _either(excluded)
        always: Any = configured.get_option("report:partial_branches_always")
        self._partial = _either([*configured.get_exclude_list("partial"), *(always or ())])
        self._files = _Files(configured)

    def outline(self, path: str, text: str) -> dict[str, Any]:
        """Statements, exits of lines that have several, and how to read what was measured.

        Nothing where the project leaves the file out. With `unknown`, why nobody can tell, and nothing else;
        `broken` says whether that is a fault of coverage's, and not of the text. Lines are zero-based; `-n`
        is the outside of the code that begins on line `n`, counted from 1.
        """
        text = _normal(text)
        if not text or self._files.leave_out(path):
            return _NOTHING
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return {"unknown": _UNPARSED, "broken": False}
        except (RecursionError, MemoryError):
            return {"unknown": "the code is nested too deeply", "broken": True}
        try:
            return self._outlined(text, lines_by_design(tree) if self._by_design else set())
        except Exception as error:  # noqa: BLE001 - one text that coverage cannot read costs itself, no other
            if type(error).__name__ == "NotPython":
                # It has a tree and cannot be compiled: a `return` outside of functions, say.
                return {"unknown": _UNPARSED, "broken": False}
            said = str(error).partition("\n")[0]
            return {"unknown": f"coverage.py cannot read it: {type(error).__name__}: {said}", "broken": True}

    def _outlined(self, text: str, by_design: set[int]) -> dict[str, Any]:
        parser = _parser(text, self._excluded, by_design)
        parser.parse_source()
        arcs = parser.arcs()
        partial = parser.first_lines(parser.lines_matching(self._partial))
        lines = {line for line, count in parser.exit_counts().items() if count > 1}
        exits = sorted(arc for arc in arcs if arc[0] in lines and arc[1] not in parser.excluded)
        jumps: dict[Any, Any] = getattr(parser, "_with_jump_fixers", {})
        return {
            "statements": sorted(line - 1 for line in parser.statements - parser.excluded),
            "excluded": sorted(line - 1 for line in parser.excluded),
            "exits": [[*_arc(arc), parser.missing_arc_description(*arc)] for arc in exits],
            "first": [[line - 1, parser.first_line(line) - 1] for line in _continued(parser, text)],
            "jumps": [[_arc(arc), _arc(instead) if instead else None] for arc, instead in jumps.items()],
            "partial": sorted(line - 1 for line in lines & partial),
        }


class _Files:
    """`omit`, `include` and `source` of the project's settings of coverage."""

    def __init__(self, configured: Any) -> None:
        from coverage.files import GlobMatcher, prep_patterns

        def listed(option: str) -> list[str]:
            return [str(one) for one in configured.get_option(option) or ()]

        def matcher(name: str) -> Any:
            patterns = prep_patterns([*listed(f"run:{name}"), *listed(f"report:{name}")])
            return GlobMatcher(patterns) if patterns else None

        self._omit = matcher("omit")
        sources = [*listed("run:source"), *listed("run:source_pkgs"), *listed("run:source_dirs")]
        # `include` counts for nothing beside `source`, as coverage itself warns.
        self._include = None if sources else matcher("include")
        self._folders = tuple(os.path.join(os.path.abspath(one), "") for one in sources if os.path.isdir(one))
        packages = [re.escape(one).replace(r"\.", "/") for one in sources if not os.path.isdir(one)]
        # A package lies wherever it is imported from: below `src`, say.
        self._packages = re.compile(rf"(?:^|/)(?:{'|'.join(packages)})(?:/|\.py$)") if packages else None

    def leave_out(self, path: str) -> bool:
        """Whether a file is not measured; `path` is relative to the folder that tests are run in."""
        whole = os.path.abspath(path)
        if self._omit is not None and self._omit.match(whole):
            return True
        if self._include is not None:
            return not self._include.match(whole)
        if self._packages is not None and self._packages.search(path.replace(os.sep, "/")):
            return False
        return (bool(self._folders) or self._packages is not None) and not whole.startswith(self._folders)


def _parser(text: str, excluded: str, by_design: set[int]) -> Any:
    """Coverage's parser, which leaves out these lines as if they matched what is excluded."""
    from coverage.parser import PythonParser

    ordinary: Any = PythonParser

    class Parser(ordinary):  # type: ignore[misc]
        def lines_matching(self, *patterns: str) -> set[int]:
            found: set[int] = super().lines_matching(*patterns)
            return found | by_design if excluded in patterns else found

    return Parser(text=text, exclude=excluded)


@contextlib.contextmanager
def _folder_with(settings: Mapping[str, str | None]) -> Iterator[None]:
    """Be in a folder where coverage finds these settings; the project's own folder, where there are none."""
    if not settings or "COVERAGE_RCFILE" in os.environ:
        yield
        return
    root = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for name in _SETTINGS:
            text = settings.get(name)
            if text is not None:
                with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                    file.write(text)
            elif name not in settings and os.path.isfile(name):
                shutil.copyfile(name, os.path.join(folder, name))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(root)


def _defaults() -> list[str]:
    """What coverage leaves out where nobody says what."""
    from coverage.config import DEFAULT_EXCLUDE

    return list(DEFAULT_EXCLUDE)


def _normal(text: str) -> str:
    """The text as coverage reads it from a file: with one kind of line ends, also at the end."""
    text = text[1:] if text.startswith("\ufeff") else text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
    return text if not text or text.endswith("\n") else text + "\n"


def _continued(parser: Any, text: str) -> list[int]:
    """Lines that belong to a statement which began above."""
    return [line for line in range(1, text.count("\n") + 2) if parser.first_line(line) != line]


def _arc(arc: tuple[int, int]) -> list[int]:
    return [line - 1 if line > 0 else line for line in arc]


def _either(patterns: list[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)"
