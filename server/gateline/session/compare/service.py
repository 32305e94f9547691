"""Comparisons that an editor asked for: each in a process of its own; the newest are remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from cachetools import FIFOCache

from gateline.services.child import Child
from gateline.services.far import Told
from gateline.services.shielded import begun
from gateline.session.errors import UsageError
from gateline.session.far_work import Doing, Refused

if TYPE_CHECKING:
    from gateline.services.models.editor import Editor
    from gateline.services.models.relay import Relayed
    from gateline.session.compare.comparing import Asked, Comparison
    from gateline.session.compare.requests import Compared

FAR = "gateline.session.compare.child_main"
_REQUESTS = "gateline.session.compare.requests"
_RELAY = "gateline.services.models.relay"
_REMEMBERED = 8
_LONGEST = 24 * 3600.0
"""Seconds; the limits of tests, types and builds end a comparison long before."""
_NICE = 10
"""Whoever types comes first."""
_FAREWELL = 5.0
"""Seconds in which a process that is asked to stop ends what runs, and takes its checkouts away."""


class ComparisonService:
    """The comparisons of one workspace folder. Runs on the event loop, and blocks it never."""

    def __init__(self, root: Path, child: Callable[[], Child] | None = None) -> None:
        self._root = root
        self._child = child or partial(Child, FAR, nice=_NICE)
        self._known: FIFOCache[str, Comparison] = FIFOCache(_REMEMBERED)
        self._running: set[Child] = set()

    async def compare(
        self, asked: Asked, python: str, tell: Callable[[str], None], editor: Editor | None = None
    ) -> tuple[str, Compared]:
        """A comparison, and by which name it is found again. Cancelling it ends all that it started.

        The candidates' code runs, and the model of an `editor` is asked where one is given: who calls has
        made sure that the person agreed. Raises UsageError and ChildError.
        """
        # What the answer is made of: imported by reading it, were it not here.
        requests = await asyncio.to_thread(import_module, _REQUESTS)
        child = self._child()
        self._running.add(child)
        answers: list[Any] = []
        relayed = await _relayed(child, editor) if editor is not None else None

        def hear(event: Any) -> None:
            if isinstance(event, Doing):
                tell(event.step)
            elif relayed is None or not relayed.hear(event):
                answers.append(event)

        request = requests.Compare(self._root, asked, python, editor is not None)
        working = begun(child.ask(request, _LONGEST, hear))
        try:
            await asyncio.shield(working)
        finally:
            if relayed is not None:
                relayed.stop()
            await _ended(child, working)
            self._running.discard(child)
        if not answers or isinstance(answers[-1], Refused):
            message = answers[-1].message if answers else "the comparison's process ended without an answer"
            raise UsageError(message)
        compared: Compared = answers[-1]
        name = uuid4().hex[:12]
        self._known[name] = compared.found
        return name, compared

    def find(self, name: str) -> Comparison:
        """A comparison that was made here. Raises UsageError where it is not known any more."""
        if name not in self._known:
            raise UsageError(f"comparison {name!r} is not known here any more; compare again")
        return self._known[name]

    async def stop(self) -> None:
        """End the processes."""
        await asyncio.gather(*(child.terminate(_FAREWELL) for child in self._running), return_exceptions=True)


async def _relayed(child: Child, editor: Editor) -> Relayed:
    """What asks the editor for a process."""
    # Nobody else imports any of it.
    relay = await asyncio.to_thread(import_module, _RELAY)
    found: Relayed = relay.Relayed(editor, lambda said: child.tell(Told(said)))
    return found


async def _ended(child: Child, working: asyncio.Task[Any]) -> None:
    """End a process, gently where it still works: it has started others."""
    if working.done():
        await child.stop()
        return
    ending = begun(child.terminate(_FAREWELL))
    try:
        await asyncio.shield(ending)
    finally:
        working.cancel()
