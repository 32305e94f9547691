"""Syntax errors: all of a document, each with its place.

An error-recovering parser finds several errors in one text within milliseconds. Whether a text is
valid at all is CPython's own word: what `compile` accepts has no finding, and what only `compile`
refuses (`return` outside a function, a duplicate argument) is reported in its words. A text of a newer Python
than ours, which the project runs on, is the recovering parser's to judge: that knows what is newer.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace

import ast_serialize

from gateline.model import Analyzer, Dimension, Finding, Inspection, Level, Report, Span, Weight
from gateline.model.document import split_lines
from gateline.model.newer_syntax import OWN, Version, needed_version
from gateline.model.source import unmarked

CODE = "GTL101"

_TOKEN = re.compile(
    r"""\w+|\s+|\.{3}|"{3}|'{3}|(?:\*\*|//|>>|<<|[-+*/%&|^@<>=!:])=|\*\*|//|>>|<<|->|[^\w\s]"""
)
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
_STAND_IN = "_"
"""Stands for an unreadable character when the rest of the text is parsed."""
_MAX_ERRORS = 50
"""After this many errors in one text, more say nothing new."""


def recovering_errors(path: str, text: str, target: Version = OWN) -> tuple[Finding, ...]:
    """What the recovering parser says, quickly: it releases the interpreter's lock, so a thread will do.

    `target` is the newest Python that the text is for. It may miss what only the compiler refuses; `inspect`
    says the last word.
    """
    text = unmarked(text)
    if _is_readable(text):
        found = [*_parser_errors(path, text, text, target)]
    else:
        readable = _UNREADABLE.sub(_STAND_IN, text)
        found = [*_unreadable(path, split_lines(text)), *_parser_errors(path, readable, text, target)]
    # Of several errors at one place the first is the cause, the others follow from it.
    first = {finding.span: finding for finding in reversed(found)}
    return tuple(sorted(first.values(), key=lambda finding: finding.sort_key)[:_MAX_ERRORS])


def _parser_errors(path: str, readable: str, text: str, target: Version) -> Iterator[Finding]:
    # Most texts have no error: their lines are not needed.
    errors = ast_serialize.parse(path, readable, python_version=target, cache_version=5)[1]
    for error in errors[:_MAX_ERRORS]:
        yield _finding(path, split_lines(text), error["line"] - 1, error["column"] - 1, error["message"])


def _is_readable(text: str) -> bool:
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _unreadable(path: str, lines: tuple[str, ...]) -> Iterator[Finding]:
    """Characters that no Python source may hold, even in a comment."""
    for number, line in enumerate(lines):
        for match in _UNREADABLE.finditer(line):
            name = (
                "a null character" if match[0] == "\0" else f"half of a surrogate pair ({_named(match[0])})"
            )
            yield _finding(path, lines, number, match.start(), f"{name} is not allowed in Python source")


def _named(character: str) -> str:
    return character if character.isprintable() else f"U+{ord(character):04X}"


def inspect(inspection: Inspection) -> Report:
    """All syntax errors, when CPython agrees that there is one."""
    source = inspection.source
    refusal = compiler_error(source.path, source.text)
    if refusal is None:
        return Report(ANALYZER.name, Dimension.ERRORS)
    target = target_of(inspection.options)
    found = recovering_errors(source.path, source.text, target)
    version = None if found else needed_version(source.code)
    if version is None:
        return Report(ANALYZER.name, Dimension.ERRORS, findings=found or (refusal,))
    if version <= target:
        return Report(ANALYZER.name, Dimension.ERRORS)
    newer = "{}.{}".format(*version)
    message = f"{refusal.message} (syntax of Python {newer}, which is newer than the project's)"
    return Report(ANALYZER.name, Dimension.ERRORS, findings=(replace(refusal, message=message),))


def target_of(options: Mapping[str, object]) -> Version:
    """The newest Python that the project runs on, as the options of this analyzer say."""
    target = options.get("target")
    return target if isinstance(target, tuple) else OWN


def compiler_error(path: str, text: str) -> Finding | None:
    """Why CPython's compiler refuses a text; None when it accepts it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(unmarked(text), path, "exec", dont_inherit=True)
        except SyntaxError as error:
            line, column = (error.lineno or 1) - 1, (error.offset or 1) - 1
            return _finding(path, split_lines(text), line, column, error.msg or "invalid syntax")
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            return _finding(path, split_lines(text), 0, 0, str(error) or type(error).__name__)
    return None


def _finding(path: str, lines: tuple[str, ...], line: int, column: int, message: str) -> Finding:
    line, column = max(line, 0), max(column, 0)
    if line >= len(lines):
        # An error at the end of the file is shown where its last line ends.
        line = max(len(lines) - 1, 0)
        column = len(lines[line]) if lines else 0
    text = lines[line].rstrip("\r\n") if lines else ""
    return Finding(
        code=CODE,
        path=path,
        span=_span(text, line, min(column, len(text))),
        message=_told(message),
        dimension=Dimension.ERRORS,
        weight=Weight.FLOOR,
        line_text=text,
    )


def _told(message: str) -> str:
    """For people: a sentence's beginning, without control characters and the parser's own types."""
    if "ParseIntError" in message:
        return "Invalid number"
    return message[:1].upper() + "".join(map(_named, message[1:]))


def _span(text: str, line: int, column: int) -> Span:
    """The token or indentation at a place; at the end of a line, its last character."""
    token = _TOKEN.match(text, column)
    if token is not None and (column == 0 or not token[0].isspace()):
        return Span.of(line, column, line, token.end())
    end = min(column + 1, len(text))
    return Span.of(line, max(end - 1, 0), line, end)


ANALYZER = Analyzer("syntax", Dimension.ERRORS, Level.EARLY, inspect)
