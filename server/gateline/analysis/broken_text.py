"""A text that does not parse, read as far as it does.

A colon that is missing is added. Another broken line is replaced by a call of a function that nobody knows,
so that what stands around it can still be compared with another text: lines keep their numbers, and nothing
takes a broken line for an empty one. Where the line may hold what rules look for (a condition, a function, a
literal answer, a comment), the text counts as unreadable: what was there before would look new.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import lru_cache

from gateline.model.document import split_lines

UNREAD = "_unread_()"
"""What stands for a broken line."""
_MOST = 12
"""Lines that are given up, after which the text counts as unreadable."""
_TELLING = re.compile(
    r"""\#|[=!]=|\b(?:if|elif|else|case|match|while|try|except|with|for|def|class|lambda|assert|raise|pass)\b"""
    r"""|\breturn\W*(?:['"\d]|True\b|False\b|None\b)|@"""
)
"""What a line must not have to be replaced."""


@lru_cache(maxsize=64)  # asked again with each verdict while the base stays
def readable(text: str) -> str | None:
    """The text with its broken lines mended or replaced; None where that cannot be, or would mislead."""
    lines = list(split_lines(text))
    touched: set[int] = set()
    for _ in range(_MOST):
        error = _error(lines)
        if error is None:
            return "".join(lines)
        at = (error.lineno or 0) - 1
        if not 0 <= at < len(lines):
            return None
        made = _completed(lines[at], error) if at not in touched else None
        if made is None and at not in touched and _TELLING.search(lines[at]):
            return None
        indent = _indent_above(lines, at) if at in touched else _indent(lines[at])
        lines[at] = made or f"{indent}{UNREAD}{_end(lines[at])}"
        touched.add(at)
    return None


def _error(lines: Sequence[str]) -> SyntaxError | None:
    """Why the lines do not parse; None where they do."""
    try:
        ast.parse("".join(lines))
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError):
        return SyntaxError()
    return None


def _completed(line: str, error: SyntaxError) -> str | None:
    """The head of a block with the colon that it lacks; None for another error."""
    if error.msg != "expected ':'" or "#" in line:
        return None
    code = line.rstrip()
    at = max((error.offset or 0) - 1, 0)
    return f"{code[:at]}:{code[at:]}{_end(line)}" if at <= len(code) else f"{code}:{_end(line)}"


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _indent_above(lines: Sequence[str], at: int) -> str:
    """The indentation of the nearest line with something on it above `at`."""
    return next((_indent(lines[n]) for n in range(at - 1, -1, -1) if lines[n].strip()), "")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]
