"""Which lines and branches of a text can be executed, as the user's own coverage.py counts them.

Nothing is run. The lines are those of the interpreter that runs the tests: another version of Python
may see others.
"""

from __future__ import annotations

import os
import re
from typing import Any

_NOTHING: dict[str, Any] = {"statements": [], "excluded": [], "exits": [], "first": [], "jumps": []}
"""Of a file that the project does not measure."""


class Outliner:
    """Keeps what the project leaves out, by lines and by files. Raises ImportError without coverage."""

    def __init__(self) -> None:
        import coverage
        from coverage.parser import PythonParser

        self._parser = PythonParser
        configured = coverage.Coverage(data_file=None)
        self._excluded = _either(configured.get_exclude_list("exclude"))
        self._partial = _either(configured.get_exclude_list("partial"))
        self._files = _Files(configured)

    def outline(self, path: str, text: str) -> dict[str, Any] | None:
        """Statements, exits of lines that have several, and how to read what was measured.

        None when the text does not parse; nothing where the project leaves the file out.
        Lines are zero-based; `-n` is the outside of the code that begins on line `n`, counted from 1.
        """
        if self._files.leave_out(path):
            return _NOTHING
        parser: Any = self._parser(text=text, exclude=self._excluded)
        try:
            parser.parse_source()
            arcs = parser.arcs()
        except Exception:  # noqa: BLE001 - coverage's own error class is another one in each version
            return None
        skipped = parser.lines_matching(self._partial)
        lines = {line for line, count in parser.exit_counts().items() if count > 1} - skipped
        exits = sorted(arc for arc in arcs if arc[0] in lines and arc[1] not in parser.excluded)
        jumps: dict[Any, Any] = getattr(parser, "_with_jump_fixers", {})
        return {
            "statements": sorted(line - 1 for line in parser.statements - parser.excluded),
            "excluded": sorted(line - 1 for line in parser.excluded),
            "exits": [[*_arc(arc), parser.missing_arc_description(*arc)] for arc in exits],
            "first": [[line - 1, parser.first_line(line) - 1] for line in _continued(parser, text)],
            "jumps": [[_arc(arc), _arc(instead) if instead else None] for arc, instead in jumps.items()],
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


def _continued(parser: Any, text: str) -> list[int]:
    """Lines that belong to a statement which began above."""
    return [line for line in range(1, text.count("\n") + 2) if parser.first_line(line) != line]


def _arc(arc: tuple[int, int]) -> list[int]:
    return [line - 1 if line > 0 else line for line in arc]


def _either(patterns: list[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)"
