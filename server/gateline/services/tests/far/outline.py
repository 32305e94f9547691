"""Which lines and branches of a text can be executed, as the user's own coverage.py counts them.

Nothing is run. The lines are those of the interpreter that runs the tests: another version of Python
may see others.
"""

from __future__ import annotations

from typing import Any


class Outliner:
    """Keeps the project's exclusions. Raises ImportError without coverage."""

    def __init__(self) -> None:
        import coverage
        from coverage.parser import PythonParser

        self._parser = PythonParser
        configured = coverage.Coverage(data_file=None)
        self._excluded = _either(configured.get_exclude_list("exclude"))
        self._partial = _either(configured.get_exclude_list("partial"))

    def outline(self, text: str) -> dict[str, Any] | None:
        """Statements, exits of lines that have several, and how to read what was measured.

        None when the text does not parse.
        Lines are zero-based; `-n` is the outside of the code that begins on line `n`, counted from 1.
        """
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


def _continued(parser: Any, text: str) -> list[int]:
    """Lines that belong to a statement which began above."""
    return [line for line in range(1, text.count("\n") + 2) if parser.first_line(line) != line]


def _arc(arc: tuple[int, int]) -> list[int]:
    return [line - 1 if line > 0 else line for line in arc]


def _either(patterns: list[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)"
