"""What a report tells of, as it is seen here: a report says less, and may be of other texts or settings."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gateline.analyzers import syntax
from gateline.model import Document, Finding, Origin, Problem
from gateline.model.newer_syntax import needed_version
from gateline.repairs import traceback
from gateline.repairs.reported import problem_of
from gateline.session.repairs.tests import RepairTests
from gateline.session.types.types import Types
from gateline.session.workspace.reading import read

_QUOTED = re.compile(r"[\"'`]([^\"'`]+)[\"'`]")
_OF_SYNTAX = traceback.OF_SYNTAX | {"syntax", "invalid-syntax"}
"""With what mypy, ty and ruff call it."""


@dataclass
class Confirming:
    """Finds the problems of a report in texts over the disk; what cannot be found is noted."""

    root: Path
    limit: int
    """Bytes of the largest file that is read."""
    types: Types
    tests: RepairTests | None
    open: Mapping[str, str] = field(default_factory=dict)
    """Texts over the disk, below those that were repaired."""
    notes: list[str] = field(default_factory=list)
    """Sentences for the person."""
    unreported: list[Problem] = field(default_factory=list)
    """What another checker told, or with other settings, and the project's own does not."""

    async def confirmed(self, told: Problem, texts: Mapping[str, str]) -> Problem | None:
        """The problem as it is in repaired texts; None where it is not there, or cannot be seen."""
        if is_of_syntax(told):
            return await self._unparsed(told, texts)
        if told.origin is Origin.TYPES:
            return await self._checked(told, texts)
        return await self._raised(told, texts)

    async def _unparsed(self, told: Problem, texts: Mapping[str, str]) -> Problem | None:
        """The first error of the file, which the parser places better than who met it."""
        text = await self._text(told.path, texts)
        found = await asyncio.to_thread(of_syntax, {told.path: text})
        if not found and told.path not in texts:
            self.notes.append(f"{told.path} parses: nothing to repair")
        return replace(found[0], tests=told.tests) if found else None

    async def _checked(self, told: Problem, texts: Mapping[str, str]) -> Problem | None:
        """The finding of the project's own type checker on the same line that tells of the same."""
        text = await self._text(told.path, texts)
        if unparsed := await asyncio.to_thread(of_syntax, {told.path: text}):
            return unparsed[0]
        _, now = await self.types.peek({told.path: text}, {**texts, told.path: text})
        found = now[told.path].findings if told.path in now else ()
        here = [finding for finding in found if finding.span.start.line == told.line]
        same = sorted((f for f in here if _tells(f, told)), key=lambda finding: not _says(finding, told))
        if not same and told.path not in texts:
            self.unreported.append(told)
        return problem_of(same[0]) if same else None

    def note_unreported(self) -> None:
        """Note how many errors of a checker the project's own does not report, and the first of them."""
        if self.unreported:
            first, more = self.unreported[0], len(self.unreported) - 1
            self.notes.append(
                f"{first.path}:{first.line + 1}: mypy with the project's settings does not report "
                f"{first.message!r}{f', nor {more} more' if more else ''}, so no repair can be verified; "
                "put command-line options into mypy's settings"
            )

    async def _raised(self, told: Problem, texts: Mapping[str, str]) -> Problem | None:
        """The problem as its tests raise it here. None where they pass.

        Where nobody may run them, or they are not collected, it is what the report says.
        """
        if self.tests is None or not told.tests:
            return told
        # Of a file that could not be collected no tests are known.
        ids = tuple(test for test in told.tests if not test.endswith(".py"))
        ran = await self.tests.before(ids or None, {**self.open, **texts})
        if ran.unknown:
            self.notes.append(_uncollected(sorted(ran.unknown)))
            told = replace(told, tests=tuple(test for test in told.tests if test not in ran.unknown))
            if not told.tests:
                return told
        if not ran.failed and not ran.is_late:
            if not texts:
                self.notes.append(f"{told.tests[0]} passes: nothing to repair")
            return None
        fitting = sorted(ran.problems, key=lambda raised: _distance(raised, told))
        return replace(fitting[0], tests=told.tests) if fitting else told

    async def _text(self, path: str, texts: Mapping[str, str]) -> str:
        over = {**self.open, **texts}
        if path in over:
            return over[path]
        file = await asyncio.to_thread(read, self.root, path, self.limit)
        return file.text if isinstance(file, Document) else ""


def is_of_syntax(told: Problem) -> bool:
    """Whether a report says that a text could not be parsed."""
    return told.type in _OF_SYNTAX


def of_syntax(texts: Mapping[str, str]) -> list[Problem]:
    """The first syntax error of each text: its repair is of all of them."""
    problems = []
    for path, text in sorted(texts.items()):
        refusal = syntax.compiler_error(path, text)
        found: Iterable[Finding] = (syntax.recovering_errors(path, text) or ()) if refusal else ()
        if refusal and (found or needed_version(text) is None):
            problems.append(problem_of((*found, refusal)[0]))
    return problems


def _says(finding: Finding, told: Problem) -> bool:
    """Whether a finding has the message that is told."""
    return finding.message == told.message


def _tells(finding: Finding, told: Problem) -> bool:
    """Whether a finding and what another checker says have a message, a code or a name in common."""
    names = set(_QUOTED.findall(finding.message)) & set(_QUOTED.findall(told.message))
    return _says(finding, told) or problem_of(finding).type == told.type or bool(names)


def _distance(raised: Problem, told: Problem) -> tuple[bool, bool, bool]:
    """How far what a test raises is from what a report tells: by type, then message, then place."""
    return (
        raised.type != told.type,
        raised.message.partition("\n")[0] != told.message.partition("\n")[0],
        (raised.path, raised.line) != (told.path, told.line),
    )


def _uncollected(tests: Sequence[str]) -> str:
    more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
    return (
        f"pytest does not collect {tests[0]}{more} as gateline starts it; "
        "put the options that it needs into the setting `tests.arguments`"
    )
