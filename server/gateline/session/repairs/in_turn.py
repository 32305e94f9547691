"""Repairs problems in turn, each in the texts that the repairs before it led to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gateline.model import Document, Origin, Problem, digest_of
from gateline.repairs.choice import is_clear, is_winner
from gateline.repairs.edits import between
from gateline.repairs.moved import moved
from gateline.repairs.result import DebugResult
from gateline.repairs.rules_of_files import is_test
from gateline.session.errors import UsageError
from gateline.session.repairs.confirming import Confirming
from gateline.session.workspace.reading import is_python, read

Debug = Callable[[Problem, Mapping[str, str], Mapping[str, str]], Awaitable[DebugResult]]
"""Looks for a repair of a problem in texts over the disk, of which some were repaired."""
Tell = Callable[[str], None]


@dataclass
class InTurn:
    """What became of each problem, and the texts so far."""

    root: Path
    limit: int
    """Bytes of the largest file that is read."""
    debug: Debug
    clear: bool = False
    """Only clear winners are made."""
    open: Mapping[str, str] = field(default_factory=dict)
    """Texts that lay over the disk from the beginning."""
    tell: Tell = lambda step: None
    before: dict[str, str] = field(default_factory=dict)
    """The texts of the files that were repaired, as they were then."""
    texts: dict[str, str] = field(default_factory=dict)
    """The repaired ones."""
    repaired: list[DebugResult] = field(default_factory=list)
    unclear: list[DebugResult] = field(default_factory=list)
    given_up: list[DebugResult] = field(default_factory=list)

    async def told(self, problems: Sequence[Problem], confirming: Confirming) -> None:
        """Repair what an output tells of, what stands in tests last, without what went with another.

        Raises what `debug` does, and UsageError where a file was edited meanwhile.
        """
        for problem in sorted(problems, key=lambda one: is_test(one.path)):
            if (now := moved(problem, self.before, self.texts)) is None:
                continue
            self.tell(f"looking at {now.path}:{now.line + 1}")
            if (here := await confirming.confirmed(now, self.texts)) is not None:
                # What a checker reports of code that works is no reason to try this and that.
                await self.one(here, clear=here.origin is Origin.TYPES)
        confirming.note_unreported()

    async def one(self, problem: Problem, *, clear: bool = False) -> bool:
        """Look for a repair of a problem, and go on from it; whether there was one that is made.

        A guess is not made where only `clear` winners are asked for.
        """
        self.tell(f"repairing {problem.path}:{problem.line + 1}")
        result = await self.debug(problem, {**self.open, **self.texts}, self._laid())
        if not result.success:
            self.given_up.append(result)
            return False
        if (clear or self.clear) and not is_winner(result):
            self.unclear.append(result)
            return False
        await asyncio.to_thread(self._remember, result)
        self.repaired.append(result)
        self.texts |= result.texts or {}
        return True

    def _remember(self, result: DebugResult) -> None:
        """Keep the texts that a repair is of. Blocks. Raises UsageError where they changed."""
        for path, digest in result.digests:
            if path not in self.texts:
                self.before[path] = self._original(path)
                if digest_of(self.before[path]) != digest:
                    raise UsageError(
                        f"{path} changed while it was repaired; nothing was written; run the command again"
                    )

    def _original(self, path: str) -> str:
        if path in self.open:
            return self.open[path]
        file = read(self.root, path, self.limit)
        return file.text if isinstance(file, Document) else ""

    def _laid(self) -> dict[str, str]:
        return {path: text for path, text in self.texts.items() if is_python(path)}

    def drop(self, is_gone: Callable[[Problem], bool]) -> None:
        """Forget what was not repaired of problems that went with others."""
        self.given_up = [result for result in self.given_up if not is_gone(result.problem)]
        self.unclear = [result for result in self.unclear if not is_gone(result.problem)]

    def joined(self) -> DebugResult | None:
        """All repairs as one, which is as sure as the least sure; else the first that is not made.

        None where there was nothing to repair.
        """
        if not self.repaired:
            return next(iter((*self.unclear, *self.given_up)), None)
        first = next((one for one in self.repaired if not is_clear(one)), self.repaired[0])
        edits = [edit for path, text in self.before.items() for edit in between(path, text, self.texts[path])]
        return replace(
            first,
            edits=tuple(edits),
            texts=dict(self.texts),
            digests=tuple((path, digest_of(text)) for path, text in self.before.items()),
            proof=min(one.proof for one in self.repaired if one.proof is not None),
        )
