"""The near side of ty: keeps a `ty server` alive and asks it about the newest texts.

One process serves both the texts being typed and ordinary runs over others: exactly the texts of a
question are laid over the disk before it is asked, and ty computes only what depends on those that differ.
Its memory does not grow with the edits, so nothing is renewed.

Two things ty's server cannot be told: that a file on disk is not there (an empty text is laid over it), and
that a file which was never written can be imported (an import of it is an error until it is saved).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence

from gateline.model import Report, digest_of
from gateline.services.shielded import shielded
from gateline.services.types.checked import Checked
from gateline.services.types.messages import Texts
from gateline.services.types.runs.saved import saved
from gateline.services.types.ty.report import failure, report_of
from gateline.services.types.ty.server import TyError, TyServer, TySetup, TyTimeoutError, on_disk

log = logging.getLogger(__name__)

_LONGEST_PAUSE = 2.0
"""Seconds before the next start of a ty that keeps dying."""
_MATTERS = (".py", ".pyi", ".toml", ".pth")
"""Endings of files that ty reads."""


class TyChecker:
    """ty for one workspace; the same questions as `services.typecheck.TypeChecker` answers."""

    def __init__(self, setup: TySetup, timeout: float, *, follow: bool = True) -> None:
        self.setup = setup
        self.follow = follow
        """Whether an update looks at the other texts, too."""
        self.reason = ""
        """Why there are no types, or what they go without, for people; empty while all is well."""
        self._server = TyServer(setup, timeout)
        self._texts: dict[str, str | None] = {}
        self._failures = 0
        """How many questions in a row were lost."""
        self._turn = asyncio.Lock()
        self._asked = 0
        """How many updates there were: each has its number."""
        self._newest: dict[str, int] = {}
        """By path: the number of the update that brought its text."""
        self._waiting = 0
        """How many updates wait for their turn."""

    @property
    def pids(self) -> list[int]:
        """The processes that live now."""
        return [self._server.pid] if self._server.pid is not None else []

    async def update(self, texts: Texts) -> Checked:
        """The newest findings in these texts, and in the others that were asked for.

        Who waits while a newer text comes is answered with nothing, because the newer one's answer stands for
        both. Who stops waiting does not stop the work.
        """
        self._asked += 1
        self._texts |= texts
        self._newest |= dict.fromkeys(texts, self._asked)
        return await shielded(self._next(self._asked))

    async def plain(self, texts: Texts) -> Mapping[str, Report]:
        """What ty says about these texts laid over the disk, without those of `update`."""
        return await shielded(self._plain(texts))

    async def alone(self, path: str, text: str) -> Report:
        """What ty says of one text at a path, beside those of `update`; nothing else is looked at."""
        return await shielded(self._alone(path, text))

    async def files_changed(self, paths: Sequence[str]) -> None:
        """Files on disk were written or removed."""
        read = [path for path in paths if path.endswith(_MATTERS)]
        if read:
            async with self._turn:
                self._server.files_changed(read)

    async def close(self, path: str) -> bool:
        """The text at a path is taken back: from now on the file counts; whether that holds another text."""
        text = self._texts.pop(path, None)
        self._newest.pop(path, None)
        return text is not None and text != await asyncio.to_thread(saved, self.setup.root, path)

    async def stop(self) -> None:
        """End the process, and what is under way with it."""
        await self._server.close()
        async with self._turn:
            await self._server.stop()

    # The turn: one question at a time

    async def _next(self, number: int) -> Checked:
        self._waiting += 1
        async with self._turn:
            self._waiting -= 1
            asked = [path for path, newest in self._newest.items() if newest == number]
            return await self._checked(asked) if asked else Checked()

    async def _checked(self, asked: Sequence[str]) -> Checked:
        """First what was asked, then what that may have changed, unless newer texts wait already."""
        laid = await self._present(self._texts)
        reports: dict[str, Report] = {}
        others = sorted(laid.keys() - set(asked)) if self.follow else []
        for path in [*asked, *others]:
            if self._waiting and path not in asked:
                break
            # A newer text, or none: who brought it asks for it.
            if path in laid and self._texts.get(path) == laid[path]:
                reports[path] = await self._report(path, laid)
        return Checked(reports, {path: digest_of(laid[path]) for path in reports})

    async def _plain(self, texts: Texts) -> dict[str, Report]:
        laid = await self._present(texts)
        reports: dict[str, Report] = {}
        for path in [path for path, text in texts.items() if text is not None]:
            # A turn each: what is being typed need not wait for all of them.
            async with self._turn:
                reports[path] = await self._report(path, laid)
        return reports

    async def _alone(self, path: str, text: str) -> Report:
        async with self._turn:
            return await self._report(path, await self._present({**self._texts, path: text}))

    async def _present(self, texts: Texts) -> dict[str, str]:
        """The texts to lay. A file that is to be away is made empty: ty cannot be told to pass it over."""
        away = [path for path, text in texts.items() if text is None]
        emptied = await on_disk(self.setup.root, away) if away else []
        return {path: text for path, text in texts.items() if text is not None} | dict.fromkeys(emptied, "")

    async def _report(self, path: str, laid: Mapping[str, str]) -> Report:
        """The report of ty; one that died is started again with everything, once."""
        for attempt in range(2):
            try:
                return await self._answered(path, laid)
            except TyError as error:
                await self._server.stop()
                self._failures += 1
                self.reason = str(error)
                if attempt or isinstance(error, TyTimeoutError):
                    break
                log.warning("ty is started again: %s", error)
        return failure(self.reason)

    async def _answered(self, path: str, laid: Mapping[str, str]) -> Report:
        if self._failures > 1:
            await asyncio.sleep(min(0.05 * 2**self._failures, _LONGEST_PAUSE))
        found = await self._server.diagnostics(path, laid)
        self._failures = 0
        self.reason = self._server.complaint
        return report_of(path, laid[path], found, self.reason)
