"""GTL608 and GTL631 of pipelines: tests are called with fewer of them, or with a lower threshold."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from gateline.integrity.commands import Call
from gateline.integrity.evidence import Evidence
from gateline.integrity.finding import at_line
from gateline.integrity.pipeline import calls_of
from gateline.integrity.places import is_test
from gateline.integrity.tables import document_of
from gateline.integrity.thresholds import options
from gateline.model.finding import Finding, Weight

SELECTION, THRESHOLD = "GTL608", "GTL631"

_LEAVING_OUT = ("-k", "--deselect", "--ignore", "--ignore-glob", "--collect-only", "--co", "--lf")


def find(evidence: Evidence) -> Iterator[Finding]:
    """The calls of tests that ask for less than those in their place did."""
    for row in evidence.both.pipelines:
        before, now = (_tests(calls_of(document)) for document in (row.base, row.current))
        if len(before) != len(now):
            # Jobs were divided or joined: what each of them does is no matter of one line.
            continue
        for old, new in zip(before, now, strict=True):
            for code, how in _less(_words(old.command), _words(new.command)):
                yield at_line(code, row.path, document_of(row).text, new.line, how, Weight.FLOOR)


def _tests(calls: Sequence[Call]) -> list[Call]:
    return [call for call in calls if call.tool in ("pytest", "py.test")]


def _words(command: str) -> list[str]:
    try:
        return options(shlex.join(shlex.split(command, comments=True)[1:]))
    except ValueError:
        return options(" ".join(command.split()[1:]))


def _less(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    for option in new:
        if option not in old and option.partition("=")[0] in _LEAVING_OUT:
            yield SELECTION, f"`{option.replace('=', ' ', 1)}` leaves tests out"
    had, has = _paths(old), _paths(new)
    lost = [path for path in had if not any(_is_within(path, other) for other in has)] if has else []
    narrower = [path for path in has if len(PurePosixPath(path).parts) > 1 or path.endswith(".py")]
    if lost and all(any(_is_within(path, other) for other in had) for path in has):
        yield SELECTION, f"only {', '.join(has)} is run, where {', '.join(lost)} was"
    elif not had and narrower == has and has:
        yield SELECTION, f"only {', '.join(has)} is run, where all tests were"
    asked, left = _asked(old), _asked(new)
    if left < asked:
        yield THRESHOLD, f"`--cov-fail-under` was {asked:g} and is {left:g}"


def _paths(words: Sequence[str]) -> list[str]:
    """The files and folders of tests that are named."""
    plain = (word.partition("::")[0].rstrip("/") for word in words if re.fullmatch(r"\.?\w[\w./:-]*", word))
    return [path for path in plain if is_test(path) or is_test(f"{path}/x.py")]


def _is_within(path: str, other: str) -> bool:
    return path == other or path.startswith(f"{other}/")


def _asked(words: Sequence[str]) -> float:
    found = [re.fullmatch(r"--cov-fail-under=(\d+(?:\.\d+)?)", word) for word in words]
    return max((float(match[1]) for match in found if match), default=0.0)
