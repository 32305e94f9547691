"""The near side of the test runner: asks for tests, and never runs anything in this process.

    runner = TestRunner(TestOptions(root, python))
    collection = await runner.discover(overlay)
    run = await runner.run(["tests/test_cart.py::test_add"], overlay, on_result=show)
    await runner.stop()

`overlay` holds the unsaved texts, or the bytes of another tree, by path relative to the root; None stands for
a file that is to be taken for absent. Without a sandbox (`Facts.files`) imports alone see that. Nothing is
written into the project.
Who calls has made sure that the person agreed: discovering tests runs the project's code as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Unpack

from gateline.services.child import JSON, Child, ChildError, last_line
from gateline.services.shielded import begun
from gateline.services.tests import reading
from gateline.services.tests.options import Enclosed, RunOptions, TestOptions
from gateline.services.tests.outlines import outlined
from gateline.services.tests.overlay import Overlay, wired
from gateline.services.tests.run import Collection, Facts, Run
from gateline.services.tests.taking import Taking
from gateline.testing.outline import Outlined
from gateline.testing.result import Result

log = logging.getLogger(__name__)

OnResult = Callable[[Result], None]
_START = Path(__file__).parent / "far" / "start.py"
_GRACE = 30.0
"""Seconds beyond its own limits in which the far side must end a request."""
_STOPPING = 5.0
"""Seconds in which it must end a run that is not wanted any more."""


class TestRunner:
    """The tests of one project. One request is answered at a time; a newer one ends an older one."""

    __test__ = False

    def __init__(self, options: TestOptions) -> None:
        self.options = options
        self.facts: Facts | None = None
        """Known after the first request."""
        self.collection: Collection | None = None
        """The newest; None before the first, and after one that failed."""
        self._private = ""
        self._child: Child | None = None
        self._outliner = self._far("the outliner", {})
        """Answers beside the runner, and runs nothing of the project's."""
        self._run_pid = 0
        self._turn = asyncio.Lock()
        self._newest = 0
        self._is_stopped = False

    @property
    def pids(self) -> list[int]:
        """The processes that live now: the keeper, the leader of a run's group, and the outliner."""
        keeper = self._child.pid if self._child is not None else None
        return [pid for pid in (keeper, self._run_pid, self._outliner.pid) if pid]

    async def ready(self) -> Facts:
        """What the far side can do here. Raises ChildError."""
        async with self._turn:
            await self._started()
        assert self.facts is not None
        return self.facts

    async def discover(self, overlay: Overlay, *, arcs: Sequence[str] = ()) -> Run:
        """Collect, unless what is collected stands for these texts; the answer says what went wrong.

        The tests are in `collection`. `arcs` as in `run`.
        """
        return await self._asked({"do": "collect", "overlay": wired(overlay), "arcs": list(arcs)}, Taking())

    async def run(
        self,
        ids: Sequence[str] | None,
        overlay: Overlay,
        on_result: OnResult | None = None,
        **options: Unpack[RunOptions],
    ) -> Run:
        """Run these tests (None: all); results come as they end.

        They run in the order in which they were collected. Where somebody listens, the tests of the file
        that `ids` names first are told before that, and once more where they end otherwise in their place.

        A newer request ends this one, with what it has so far. One whose task is cancelled ends on the
        far side as well.
        """
        request: dict[str, Any] = {
            "do": "run",
            "ids": None if ids is None else list(ids),
            "overlay": wired(overlay),
        }
        request |= {"coverage": options.get("coverage", True), "arcs": list(options.get("arcs", ()))}
        request |= {
            "recollect": options.get("recollect", True),
            "until_failure": options.get("until_failure", False),
        }
        limits = options.get("limits", self.options.limits)
        request |= {"limits": asdict(limits), "early": on_result is not None}
        return await self._asked(request, Taking(on_result))

    async def run_whole(self, overlay: Overlay) -> Run:
        """Run all tests, and tell what they execute together: lines and branches of all files, in one trace.

        That costs less than telling it of each. Where the process of a run ended early, what it executed
        until then is lost.
        """
        request: dict[str, Any] = {"do": "run", "ids": None, "overlay": wired(overlay), "recollect": True}
        request |= {"coverage": "whole", "arcs": ["*"], "limits": asdict(self.options.limits), "early": False}
        return await self._asked(request, Taking())

    async def interrupt(self) -> None:
        """End the request that is answered now: it answers with what it has so far. None: nothing happens."""
        if self._turn.locked() and self._child is not None:
            self._newest += 1
            await self._child.tell({"do": "stop"})

    async def outlines(self, texts: Mapping[str, str]) -> dict[str, Outlined]:
        """What can be executed in these texts, by path, or why that is not known. Runs nothing of them.

        Raises:
            ChildError: there is no coverage in the project's environment, or no such interpreter.

        """
        return await outlined(self._outliner, texts, dict(self.options.coverage_settings))

    async def stop(self) -> None:
        """End all processes and remove what they wrote. Who still waits gets an answer that says so."""
        self._is_stopped = True
        self._newest += 1
        if self._child is not None:
            await self._child.tell({"do": "stop"})
        await self._outliner.close()
        async with self._turn:
            await self._end()

    # One request at a time

    async def _asked(self, request: dict[str, Any], taking: Taking) -> Run:
        self._newest += 1
        mine = self._newest
        if self._turn.locked() and self._child is not None:
            await self._child.tell({"do": "stop"})
        async with self._turn:
            if mine != self._newest:
                return Run(replaced=True)
            try:
                await self._finished(request, taking)
            except ChildError as error:
                taking.reason = last_line(error)
            finally:
                self._run_pid = 0
        return replace(taking.run(), replaced=mine != self._newest)

    async def _finished(self, request: dict[str, Any], taking: Taking) -> None:
        """Raises ChildError."""
        child = await self._started()
        limits = self.options.limits
        patience = limits.collection * 2 + limits.total + _GRACE
        asking = begun(child.ask(request, patience, lambda part: self._heard(part, taking)))
        try:
            await asyncio.shield(asking)
        except asyncio.CancelledError:
            await self._give_up(child, asking)
            raise

    async def _give_up(self, child: Child, asking: asyncio.Future[Any]) -> None:
        """End what runs, and keep what is collected; end everything when that takes too long."""
        await child.tell({"do": "stop"})
        done, _ = await asyncio.wait([asking], timeout=_STOPPING)
        if not done:
            asking.cancel()
            await asyncio.wait([asking])
        if not asking.cancelled():
            asking.exception()

    def _heard(self, part: dict[str, Any], taking: Taking) -> None:
        match part["kind"]:
            case "begun":
                self.facts = reading.facts(part)
            case "cold":
                assert self.facts is not None
                self.facts = replace(self.facts, cold=part["reason"])
            case "collected":
                self._collected(part)
            case "failed":
                self.collection = None
                taking.errors = reading.errors(part)
            case "running":
                self._run_pid = part["pid"]
                files = self.collection.files if self.collection is not None else {}
                taking.begin({**files, **part["edited"]})
            case "ran":
                self._run_pid = 0
            case _:
                taking.heard(part)

    def _collected(self, part: dict[str, Any]) -> None:
        assert self.facts is not None
        self.collection = reading.collection(part)
        self.facts = replace(self.facts, pytest=part["pytest"], coverage=part["coverage"] or "")

    # The process

    async def _started(self) -> Child:
        if self._is_stopped:
            raise ChildError("the test runner was stopped")
        if self._child is not None and self._child.pid is not None:
            return self._child
        await self._end()
        self._private = tempfile.mkdtemp(prefix="gateline-")
        self._child = self._far("the test runner", self._environment(), self.options.enclosed)
        await self._child.ask(self._setup(), _GRACE, lambda part: self._heard(part, Taking()))
        return self._child

    def _far(self, name: str, environment: Mapping[str, str], enclosed: Enclosed | None = None) -> Child:
        program: Sequence[str] = [self.options.python, str(_START)]
        if enclosed is not None:
            program = enclosed(program, Path(self._private))
        return Child(name, program=program, codec=JSON, cwd=self.options.root, env=environment)

    def _setup(self) -> dict[str, Any]:
        options = self.options
        return {
            "do": "begin",
            "root": str(options.root),
            "private": self._private,
            "arguments": list(options.arguments),
            "named": list(options.named),
            "compiled": str(options.compiled or ""),
            "network": options.network,
            "cold": options.cold,
            "sandbox": options.sandbox,
            "instead_of": options.instead_of,
            "limits": asdict(options.limits),
        }

    def _environment(self) -> dict[str, str]:
        """As in an activated environment, with temporary files where they are removed."""
        folder = Path(self.options.python).parent
        found = {"PATH": os.pathsep.join((str(folder), os.environ.get("PATH", os.defpath)))}
        if (folder.parent / "pyvenv.cfg").is_file():
            found["VIRTUAL_ENV"] = str(folder.parent)
        temporary = str(Path(self._private, "tmp"))
        return {**found, "TMPDIR": temporary, **self.options.environment}

    async def _end(self) -> None:
        """End the process with what it started, as far as it did not do that itself."""
        if self._child is not None:
            await self._child.close()
        if self._run_pid:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._run_pid, signal.SIGKILL)
            self._run_pid = 0
        if self._private:
            await asyncio.to_thread(shutil.rmtree, self._private, ignore_errors=True)
        self._child, self._private = None, ""
