"""The judge: CPython's compiler, asked about a window of the text first and about the whole of it last."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from typing import NamedTuple

from gateline.model.source import unmarked
from gateline.repairs.syntax.layout import layout_of

_LINE = re.compile(r"(on line |at line )(\d+)")


class Failure(NamedTuple):
    """Why and where a text is refused."""

    message: str
    offset: int
    """Of the character at which the compiler stopped."""
    line: int
    """Zero-based."""
    is_indentation: bool = False
    is_late: bool = False
    """The text has a tree; only what comes after refuses it."""


def failure_of(text: str) -> Failure | None:
    """Why the compiler refuses a whole text; None when it accepts it."""
    failure = parse_failure(text)
    if failure is not None:
        return failure
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(unmarked(text), "<text>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return _failure(text, error, 0)._replace(is_late=True)
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return Failure(str(error), 0, 0, is_late=True)
    return None


@lru_cache(maxsize=512)
def parse_failure(text: str, head: str = "") -> Failure | None:
    """Why the parser refuses a text below the lines of `head`, which make a text of its own of it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(head + text if head else unmarked(text), "<text>", "exec", ast.PyCF_ONLY_AST, True)
    except SyntaxError as error:
        return _failure(text, error, head.count("\n"))
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return Failure(str(error), 0, 0)
    return None


def _failure(text: str, error: SyntaxError, added: int) -> Failure:
    """Where in `text`; the line of a head before it is taken off."""
    wanted = max((error.lineno or 1) - 1 - added, 0)
    line, start = _line_start(text, wanted)
    offset = min(start + max((error.offset or 1) - 1, 0), len(text)) if line == wanted else len(text)
    message = error.msg or "invalid syntax"
    if added:
        message = _LINE.sub(lambda match: f"{match[1]}{int(match[2]) - added}", message)
    return Failure(message, offset, line, isinstance(error, IndentationError))


def _line_start(text: str, wanted: int) -> tuple[int, int]:
    """The line, or the last one of a shorter text, and its offset."""
    if "\r" in text:
        starts = layout_of(text).starts
        line = min(wanted, len(starts) - 1)
        return line, starts[line]
    start = 0
    for line in range(wanted):
        end = text.find("\n", start)
        if end < 0:
            return line, start
        start = end + 1
    return wanted, start
