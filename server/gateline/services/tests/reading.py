"""From the far side's plain data to values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gateline.model import Frame, Origin, Problem, Span, State
from gateline.services.tests.run import Collection, CollectionError, Facts
from gateline.testing.outline import Exit, NoOutline, Outline, Outlined
from gateline.testing.result import Ending, Failure, Item, Result
from gateline.testing.trace import Executed, Touched, Trace


def facts(data: Mapping[str, Any]) -> Facts:
    """From `begun`."""
    return Facts(data["python"], data["cold"], data["files"], data["network"])


def collection(data: Mapping[str, Any]) -> Collection:
    """From `collected`."""
    return Collection(
        items=tuple(Item(t["id"], t["path"], t["line"], t["function"]) for t in data["tests"]),
        errors=errors(data),
        imported=_trace("", executed(data["imported"]), data["touched"]),
        files=data["files"],
        plugins=tuple(data["plugins"]),
        libraries=frozenset(data["libraries"]),
        rootdir=data["rootdir"],
        surroundings=data["surroundings"],
    )


def errors(data: Mapping[str, Any]) -> tuple[CollectionError, ...]:
    """From `collected` or `failed`."""
    return tuple(CollectionError(error["id"], _failure(error, error["id"])) for error in data["errors"])


def result(data: Mapping[str, Any]) -> Result:
    """From `test`."""
    failure = data.get("failure")
    return Result(
        id=data["id"],
        ending=Ending(data["outcome"]),
        seconds=data.get("seconds", 0.0),
        memory=data.get("memory"),
        reason=data.get("reason", ""),
        failure=_failure(failure, data["id"]) if failure else None,
    )


def trace(data: Mapping[str, Any]) -> Trace:
    """From `trace`."""
    found = _trace(data["id"], executed(data["files"]), data["touched"])
    return replace(found, programs=data["programs"], contents=data["contents"])


def _trace(test: str, files: Mapping[str, Executed], touched: Mapping[str, list[list[str]]]) -> Trace:
    modules = {path: Touched(*map(frozenset, found)) for path, found in touched.items()}
    read, listed, sought = (
        frozenset().union(*(getattr(one, name) for one in modules.values()))
        for name in ("read", "listed", "sought")
    )
    own = {path: one for path, one in modules.items() if path}
    return Trace(test, files, read, listed=listed, sought=sought, modules=own)


def outline(data: Mapping[str, Any]) -> Outlined:
    """From `outline`."""
    found = data["outline"]
    if "unknown" in found:
        return NoOutline(found["unknown"], State.FAILED if found["broken"] else State.NO_DATA)
    return Outline(
        statements=frozenset(found["statements"]),
        exits=tuple(Exit((before, after), missing) for before, after, missing in found["exits"]),
        excluded=frozenset(found["excluded"]),
        first=dict(found["first"]),
        jumps={tuple(arc): tuple(instead) if instead else None for arc, instead in found["jumps"]},
        partial=frozenset(found["partial"]),
    )


def executed(files: Mapping[str, Any]) -> dict[str, Executed]:
    """By path: digest, lines as hexadecimal digits, and arcs where they were asked for."""
    return {path: _executed(*entry) for path, entry in files.items()}


def _executed(digest: str, lines: str, arcs: list[list[int]] | None) -> Executed:
    steps = None if arcs is None else frozenset((before, after) for before, after in arcs)
    return Executed(digest, int(lines or "0", 16), steps)


def _failure(data: Mapping[str, Any], test: str) -> Failure:
    return Failure(
        problem=_problem(data, (test,) if test else ()),
        explanation=data["explanation"],
        phase=data["phase"],
        output=data.get("output", ""),
        unexpected=data.get("unexpected", False),
        network=data.get("network", False),
    )


def _problem(data: Mapping[str, Any], tests: tuple[str, ...]) -> Problem:
    frames = tuple(_frame(frame) for frame in data["frames"])
    place = next((frame for frame in reversed(frames) if frame.ours), None)
    span = place.span or Span.of(place.line, 0, place.line, 0) if place else None
    cause = data["cause"]
    return Problem(
        origin=Origin.RUN,
        type=data["type"],
        message=data["message"],
        path=place.path if place else "",
        span=span,
        frames=frames,
        cause=_problem(cause, ()) if cause else None,
        tests=tests,
    )


def _frame(data: Mapping[str, Any]) -> Frame:
    span = data["span"]
    return Frame(
        path=data["path"],
        line=data["line"],
        function=data["function"],
        ours=data["ours"],
        span=Span.of(*span) if span else None,
        seen=tuple((name, kind) for name, kind in data["seen"]),
    )
