"""A text that does not parse, read as far as it does.

Broken lines are replaced by a call of a function that nobody knows, so that what stands around them can still
be compared with another text: lines keep their numbers, blocks their bodies, and nothing takes a broken
line for an empty one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

UNREAD = "_unread_()"
"""What stands for a broken line."""
_MOST = 12
"""Lines that are given up, after which the text counts as unreadable."""
_HEADER = re.compile(r"expected an indented block after .* on line (\d+)")


def readable(text: str) -> str | None:
    """The text with its broken lines replaced; None where there are too many, or parsing fails otherwise."""
    lines = text.splitlines(keepends=True)
    replaced: set[int] = set()
    for _ in range(_MOST):
        at = _broken(lines)
        if at is None:
            return "".join(lines)
        if not 0 <= at < len(lines):
            return None
        indent = _indent(lines, at - 1) if at in replaced else _own_indent(lines[at])
        lines[at] = _stand_in(lines, at, indent)
        replaced.add(at)
    return None


def _broken(lines: Sequence[str]) -> int | None:
    """The line that parsing fails at, from 0; None where it does not, -1 where no line is told."""
    try:
        ast.parse("".join(lines))
    except SyntaxError as error:
        header = _HEADER.match(error.msg)
        return int(header[1]) - 1 if header else (error.lineno or 0) - 1
    except (ValueError, RecursionError, MemoryError):
        return -1
    return None


def _stand_in(lines: Sequence[str], at: int, indent: str) -> str:
    """A statement in place of a line, which has a block where the line was the head of one."""
    end = "\r\n" if lines[at].endswith("\r\n") else "\n"
    after = next((line for line in lines[at + 1 :] if line.strip()), "")
    is_head = len(_own_indent(after)) > len(indent) and bool(after.strip())
    return f"{indent}if {UNREAD}:{end}" if is_head else f"{indent}{UNREAD}{end}"


def _indent(lines: Sequence[str], at: int) -> str:
    """The indentation of the nearest line with something on it, from `at` upwards."""
    return next((_own_indent(lines[n]) for n in range(at, -1, -1) if lines[n].strip()), "")


def _own_indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]
