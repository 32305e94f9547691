"""Asks the far sides, in isolation and within a time. Whatever they answer is read as data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateline.services.behaviour import answering, recording
from gateline.services.isolation.enclosure import Enclosure
from gateline.services.isolation.finished import UnfinishedError, finished

SECONDS = 2.0
"""For one input."""
TOTAL = 60.0
"""For all inputs of one candidate."""
_GRACE = 20.0

Given = Mapping[str, str]
"""An input: how each argument is written, by parameter."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a project."""

    path: str
    """Relative to the workspace."""
    name: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """What tests call functions with."""

    calls: Mapping[Function, tuple[Given, ...]] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)
    """The name under which each file was imported."""
    path: tuple[str, ...] = ()
    """Where modules were looked for."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is asked: a checkout, with what closes it in."""

    root: Path
    home: Path
    python: str
    enclosure: Enclosure

    async def recorded(
        self, functions: Sequence[Function], files: Sequence[str], arguments: Sequence[str], seconds: float
    ) -> Recorded:
        """Run test files, and tell what they call functions with; nothing where that cannot be known."""
        order = {
            "functions": [[one.path, one.name] for one in functions],
            "files": list(files),
            "arguments": list(arguments),
        }
        match await self._asked(recording.__file__, order, seconds):
            case {"calls": list(rows), "modules": dict(modules), "path": list(path)}:
                calls = {Function(str(row[0]), str(row[1])): tuple(row[2]) for row in rows}
                return Recorded(calls, modules, tuple(map(str, path)))
        return Recorded()

    async def answers(
        self, functions: Sequence[tuple[str, str, Sequence[Given]]], path: Sequence[str]
    ) -> tuple[str | None, ...] | None:
        """What functions (module, name) answer to inputs, one after the other; None: nothing was answered."""
        order = {
            "functions": [[module, name, [dict(one) for one in given]] for module, name, given in functions],
            "path": list(path),
            "seconds": SECONDS,
            "total": TOTAL,
        }
        found = await self._asked(answering.__file__, order, TOTAL + _GRACE)
        wanted = sum(len(given) for _, _, given in functions)
        if not isinstance(found, list) or len(found) != wanted:
            return None
        return tuple(one if isinstance(one, str) else None for one in found)

    async def _asked(self, script: str, order: object, seconds: float) -> Any:
        """What a script answers; None where it does not."""
        # Sets are told in the same order by each candidate.
        program = ("/usr/bin/env", "PYTHONHASHSEED=0", self.python, script)
        command = self.enclosure.command(program, self.home)
        try:
            done = await finished(command, self.root, seconds, json.dumps(order).encode())
            return json.loads(done.written)
        except (UnfinishedError, ValueError):
            return None
