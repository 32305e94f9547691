"""From the text of a traceback, as Python or pytest print it, to a problem."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from gateline.model import Frame, Origin, Position, Problem, Span

Resolve = Callable[[str], str | None]
"""The path in the workspace of a file that a traceback names; None for a file of somebody else."""

_CHAIN = re.compile(
    r"^(?:E +)?(?:During handling of the above exception, another exception occurred"
    r"|The above exception was the direct cause of the following exception):\s*$",
    re.MULTILINE,
)
_FRAME = re.compile(r'^\s*File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?\s*$')
_PYTEST_FRAME = re.compile(r"^(?P<path>[^\s:][^:\n]*\.pyi?):(?P<line>\d+):(?: in (?P<function>\S+)| .*)?$")
_ERROR = re.compile(r"^(?:E +)?(?P<type>(?:[A-Za-z_]\w*\.)*[A-Z]\w*)(?:: (?P<message>.*))?$")
_LEVELS = frozenset({"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL", "FAIL", "FAILED"})
"""What lines of a log begin with."""
_GROUP = re.compile(r"^[ \t]*[+|][ \t-]*(?:\d+ -+)?", re.MULTILINE)
_RAISED = re.compile(r"^E  +")
OF_SYNTAX = frozenset({"SyntaxError", "IndentationError", "TabError"})
"""What Python raises for a text that it cannot parse."""
_CARETS = re.compile(r"^\s*[~^]+\s*$")
_TEST = re.compile(
    # Of a file that could not be collected there is no more than its name.
    r"^(?:FAILED|ERROR) (?P<test>[^\s:][^:\n]*(?:\.py|::[^\[\n]+?(?:\[.*?\])?))(?= - |\s*$)",
    re.MULTILINE,
)
_HEADER = re.compile(
    # Of a long name one underscore on each side is left; rows of `_ _ _` stand inside a report.
    r"^_+ (?:ERROR at (?:setup|teardown) of )?(?P<pytest>(?!_)\S.*?) _+$"
    r"|^(?:ERROR|FAIL): (?P<unittest>\w+) \(.*$"
    r"|^(?P<end>={3,} .* ={3,}|Ran \d+ tests? in .*)$",
    re.MULTILINE,
)
"""What stands above the report of one test, or ends the last of them."""


def read_all(text: str, resolve: Resolve) -> tuple[Problem, ...]:
    """The exceptions of an output, in its order: one for each test that it reports, or the one it ends with.

    What several tests raise at one place is one problem.
    """
    text = text.replace("\r\n", "\n")
    tests = tuple(dict.fromkeys(m["test"] for m in _TEST.finditer(text)))
    found: dict[tuple[object, ...], Problem] = {}
    reports = list(_reports(text))
    owned = _owned([name for name, _ in reports], tests)
    for (_, report), own in zip(reports, owned, strict=True) if len(reports) > 1 else ():
        if (problem := read(report, resolve)) is not None:
            key = (problem.path, problem.span, problem.type, problem.message)
            known = found.setdefault(key, replace(problem, tests=()))
            found[key] = replace(known, tests=tuple(dict.fromkeys((*known.tests, *own))))
    return tuple(found.values()) or tuple(filter(None, [read(text, resolve)]))


def _owned(names: Sequence[str], tests: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The tests that the header of each report may be of; its own one, where as many bear its name."""
    fitting = {name: [test for test in tests if _is_named(test, name)] for name in names}
    often, before = Counter(names), Counter[str]()
    for name in names:
        own = fitting[name]
        yield (own[before[name]],) if len(own) == often[name] else tuple(own)
        before[name] += 1


def _reports(text: str) -> Iterator[tuple[str, str]]:
    """The name of each test that pytest or unittest reports, and what it says of it."""
    heads = list(_HEADER.finditer(text))
    for head, after in zip_longest(heads, heads[1:]):
        if not head["end"]:
            end = len(text) if after is None else after.start()
            yield head["pytest"] or head["unittest"], text[head.end() : end]


def _is_named(test: str, name: str) -> bool:
    """Whether an identifier is of the test that a header names: `Class.test_it[1]`, or only `test_it`."""
    own = test.partition("::")[2]
    if not own:
        return name == f"ERROR collecting {test}"
    return name in {own.replace("::", "."), own.rpartition("::")[2]}


def read(text: str, resolve: Resolve) -> Problem | None:
    """The exception that a traceback ends with, its causes behind it; None when the text holds none."""
    text = _GROUP.sub("", text.replace("\r\n", "\n"))
    tests = tuple(dict.fromkeys(m["test"] for m in _TEST.finditer(text)))
    problem: Problem | None = None
    for part in _CHAIN.split(text):
        if (found := _one(part.splitlines(), resolve)) is not None:
            problem = replace(found, cause=problem)
    return problem and replace(problem, tests=tests)


def _one(lines: list[str], resolve: Resolve) -> Problem | None:
    found = _error(lines)
    if found is None:
        return None
    kind, message = found
    if kind in OF_SYNTAX:
        # The file that could not be parsed is named where pytest shows what was raised.
        lines = [_RAISED.sub("", line) for line in lines]
    frames = tuple(_frames(lines, resolve))
    place = next((f for f in reversed(frames) if f.ours), None)
    span = None if place is None or place.line < 0 else _span(place, lines)
    return Problem(Origin.RUN, kind, message, place.path if place else "", span, frames)


def _error(lines: list[str]) -> tuple[str, str] | None:
    """The last line that names an exception, with the lines of its message below it."""
    for number in range(len(lines) - 1, -1, -1):
        match = _ERROR.match(lines[number])
        if match and _is_exception(match, number, lines):
            below = _below(lines[number + 1 :]) if lines[number][:1] != "E" else ""
            return match["type"].rpartition(".")[2], ((match["message"] or "") + below).strip()
    return None


def _is_exception(match: re.Match[str], number: int, lines: list[str]) -> bool:
    """Other names stand where a traceback ends; what is said of them is no part of the rule."""
    if match["type"] in _LEVELS:
        return False
    if match["type"].endswith(("Error", "Exception", "Warning", "Exit")) or lines[number].startswith("E "):
        return True
    if match["message"] is None:
        return number > 0 and lines[number - 1].startswith("  ")
    return any(_FRAME.match(line) for line in lines[:number])


def _below(lines: list[str]) -> str:
    rows = []
    for line in lines:
        if not line.strip() or _PYTEST_FRAME.match(line) or line.startswith(("=", "FAILED ", "Traceback ")):
            break
        rows.append(line)
    return "".join(f"\n{row}" for row in rows)


def _frames(lines: list[str], resolve: Resolve) -> Iterator[Frame]:
    for number, line in enumerate(lines):
        match = _FRAME.match(line) or _PYTEST_FRAME.match(line)
        if match is None:
            continue
        ours = resolve(match["path"])
        path = match["path"] if ours is None else ours
        named = match.groupdict()
        shown = _shown(lines, number) or ("" if match.re is _FRAME else _pointed_at(lines, number))
        yield Frame(
            path,
            int(match["line"]) - 1,
            (named.get("function") or "").strip(),
            shown,
            ours is not None,
            marks=_marks(lines, number) if shown else None,
        )


def _shown(lines: list[str], number: int) -> str:
    """The line of source below the line of a frame."""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    return below.strip() if below.startswith("    ") and not _FRAME.match(below) else ""


def _pointed_at(lines: list[str], number: int) -> str:
    """The line of source that pytest's long report points at, above the line that names its place."""
    for line in reversed(lines[:number]):
        if line.startswith(">"):
            return line[1:].strip()
        if _PYTEST_FRAME.match(line):
            break
    return ""


def _marks(lines: list[str], number: int) -> tuple[int, int] | None:
    """The columns of the shown line of source that the line below it marks."""
    source, below = (lines[n] if n < len(lines) else "" for n in (number + 1, number + 2))
    if not _CARETS.match(below):
        return None
    indent = len(source) - len(source.lstrip())
    return len(below) - len(below.lstrip()) - indent, len(below.rstrip()) - indent


def _span(place: Frame, lines: list[str]) -> Span:
    """The line of a frame. A syntax error's carets are not followed: the compiler is asked itself."""
    return Span(Position(place.line, 0), Position(place.line + 1, 0))
