"""How many functions of ours an edit passes on its way to the diagnostic that is drawn of it.

The server runs in this process, in virtual time; only what would be other processes is a double. A hop is a
function that waits for what it called, here or in a task that it began; the two functions by which the
session begins a task (`_spawn` and `guarded`) are one hop.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import pytest

from gateline.lsp.handlers.documents import did_change
from gateline.model import Dimension, Report, digest_of
from gateline.services.types.checked import Checked
from gateline_dev.sessions.client import Client
from gateline_dev.sessions.doubles import SmallChecker, doubles
from gateline_dev.sessions.near import NearLine
from gateline_dev.sessions.program import Program
from gateline_dev.sessions.trying import surroundings, workspace
from gateline_dev.sessions.virtual import run

PRICES = "stall/prices.py"
_PACKAGE = f"{os.sep}server{os.sep}gateline{os.sep}"
_SPAWNING = {"_spawn", "guarded"}


class Traced(asyncio.Task[Any]):
    """A task that knows which functions began it."""

    began: tuple[str, ...] = ()


def _made(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **given: Any) -> Traced:
    task = Traced(work, loop=loop, **given)
    task.began = _way(sys._getframe(1))
    return task


def _way(frame: FrameType | None) -> tuple[str, ...]:
    """The functions of ours that wait, the handler of the edit first: those here, after those of the task."""
    here: list[str] = []
    while frame is not None:
        if _PACKAGE in frame.f_code.co_filename:
            here.insert(0, frame.f_code.co_name)
        frame = frame.f_back
    try:
        task = asyncio.current_task()
    except RuntimeError:
        task = None
    return (*(task.began if isinstance(task, Traced) else ()), *here)


class Line(NearLine):
    """Remembers how each diagnostic came to be sent."""

    def __init__(self) -> None:
        super().__init__()
        self.ways: list[tuple[str, ...]] = []

    def write(self, data: bytes) -> Any:
        if b"textDocument/publishDiagnostics" in data:
            way = _way(sys._getframe(1))
            if did_change.__name__ in way:
                self.ways.append(way[way.index(did_change.__name__) :])
        return super().write(data)


def hops(way: tuple[str, ...]) -> list[str]:
    """The way, with the beginning of a task as one hop."""
    return [name for n, name in enumerate(way) if not (name in _SPAWNING and way[n - 1] in _SPAWNING)]


async def _edited(root: Path, text: str) -> list[tuple[str, ...]]:
    asyncio.get_running_loop().set_task_factory(_made)  # type: ignore[arg-type]
    line = Line()
    client = Client(line, root)
    await client.begin()
    file = root / PRICES
    document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": file.read_text()}
    client.tell("textDocument/didOpen", {"textDocument": document})
    await line.rest()
    line.ways.clear()
    change = {"textDocument": {"uri": file.as_uri(), "version": 2}, "contentChanges": [{"text": text}]}
    client.tell("textDocument/didChange", change)
    await line.rest()
    await client.end()
    return line.ways


class Previewing(SmallChecker):
    """Answers an edit inside one function at once, as the resident mypy does."""

    async def preview(self, path: str, text: str) -> Checked:
        report = Report("types", Dimension.ERRORS, findings=Program({path: text}.get).findings(path))
        return Checked({path: report}, {path: digest_of(text)})


@pytest.fixture
def edited(tmp_path: Path) -> Any:
    """The ways of the diagnostics that an edit of a whole text brings."""

    def made(text: str, checker: type[SmallChecker] = SmallChecker) -> list[tuple[str, ...]]:
        checkers = patch("gateline.session.tools.TypeChecker", checker)
        with doubles(), checkers, patch.dict(os.environ, surroundings(tmp_path), clear=True):
            return run(_edited(workspace(tmp_path), text), seed=1)

    return made


def test_a_syntax_error_is_drawn_after_seven_hops(edited: Any) -> None:
    ways = edited("def price(:\n")
    assert hops(ways[0]) == [
        *("did_change", "change", "_spawn", "syntax", "show", "show", "publish"),
    ]


@pytest.mark.parametrize("checker", [SmallChecker, Previewing], ids=["as a whole", "one function"])
def test_a_type_error_is_drawn_after_fourteen_hops_at_most(edited: Any, checker: type[SmallChecker]) -> None:
    ways = edited("def price(name: str) -> int:\n    return 'three'\n", checker)
    typed = [hops(way) for way in ways if "take_types" in way]
    assert typed
    longest = max(typed, key=len)
    assert len(longest) <= 14, " → ".join(longest)
