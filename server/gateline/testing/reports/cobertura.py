"""coverage.xml, as coverage.py, pytest-cov and Cobertura write it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from gateline.testing.outline import Exit
from gateline.testing.reports.report import Report, Reported, ReportError

_CONDITIONS = re.compile(r"\((\d+)/(\d+)\)")


def read(text: str) -> Report:
    """Read a coverage.xml. Raises ReportError."""
    if "<!ENTITY" in text:
        # Entities that stand for entities fill the memory; no report has any.
        raise ReportError("coverage.xml defines entities, which no tool writes")
    try:
        tree = ET.fromstring(text)
    except ET.ParseError as error:
        raise ReportError(f"coverage.xml is malformed: {error}") from None
    if tree.tag != "coverage":
        raise ReportError(f"coverage.xml begins with <{tree.tag}> where <coverage> is expected")
    files: dict[str, Reported] = {}
    for found in tree.iter("class"):
        path = found.get("filename", "").replace("\\", "/")
        if path:
            files[path] = _merged(files.get(path, Reported()), _file(found))
    sources = tuple(source.text.strip() for source in tree.iter("source") if source.text)
    return Report(files, _made(tree.get("timestamp")), sources)


def _made(timestamp: str | None) -> float | None:
    """coverage.py writes milliseconds, others write seconds."""
    if timestamp is None or not timestamp.isdigit():
        return None
    number = float(timestamp)
    return number / 1000 if number > 1e11 else number


def _file(element: ET.Element) -> Reported:
    executed: set[int] = set()
    missed: set[int] = set()
    taken: list[Exit] = []
    untaken: list[Exit] = []
    for line in element.iter("line"):
        number = _number(line.get("number")) - 1
        (executed if _number(line.get("hits")) else missed).add(number)
        taken.extend(_taken(line, number))
        untaken.extend(_untaken(line, number))
    return Reported(frozenset(executed), frozenset(missed - executed), tuple(taken), tuple(untaken))


def _taken(line: ET.Element, number: int) -> Iterator[Exit]:
    conditions = _CONDITIONS.search(line.get("condition-coverage", ""))
    for _ in range(int(conditions[1]) if conditions else 0):
        yield Exit((number, number), "")


def _untaken(line: ET.Element, number: int) -> Iterator[Exit]:
    named = [place for place in line.get("missing-branches", "").split(",") if place]
    for place in named:
        if place.isdigit():
            yield Exit((number, int(place) - 1), f"line {number + 1} never jumped to line {place}")
        else:
            yield Exit((number, -1), f"line {number + 1} never left its function")
    conditions = _CONDITIONS.search(line.get("condition-coverage", ""))
    unnamed = int(conditions[2]) - int(conditions[1]) - len(named) if conditions else 0
    for _ in range(unnamed):
        yield Exit((number, number), f"line {number + 1} has a branch that was never taken")


def _number(text: str | None) -> int:
    if text is None or not text.isdigit():
        raise ReportError(f"coverage.xml has {text!r} where a number is expected")
    return int(text)


def _merged(one: Reported, other: Reported) -> Reported:
    """A file may be told in several classes."""
    executed = one.executed | other.executed
    return Reported(
        executed,
        (one.missed | other.missed) - executed,
        one.taken + other.taken,
        one.untaken + other.untaken,
    )
