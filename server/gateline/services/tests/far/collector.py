"""A process that collects the tests once, and forks for each run; or, where that cannot be, runs them itself.

Its parent is the keeper. Both speak over a socket; with each order to run comes the writing end of a pipe,
on which the forked child tells what becomes of the tests.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
from typing import Any

from . import sandbox
from .channel import Channel
from .contents.compiled import Compiled
from .contents.elsewhere import redirect
from .contents.patch import BrokenError, Patcher, RefusedError
from .contents.texts import Texts
from .limits import limit
from .open_files import OpenFiles
from .run import Run, tell_where_it_hangs
from .session import Session
from .state import State
from .tracing.audit import Audit
from .tracing.coverage import Coverage
from .tracing.executed import Executed


class Collector:
    """One collection and its runs."""

    def __init__(self, setup: dict[str, Any], channel: Channel) -> None:
        self._setup = setup
        self._channel = channel
        self._texts = Texts(setup["root"], Compiled(setup.get("compiled", "")))
        self._texts.lay(setup["overlay"])
        self._sandbox = sandbox.Sandbox(*setup["sandbox"])
        self._audit = Audit(self._texts.below)
        self._executed = Executed(self._texts.ours)
        self._coverage: Coverage | None = None
        self._session = Session(self._texts, self._audit, self._serve)
        self._files = OpenFiles(setup["stack"])
        self._served = False

    def main(self) -> None:
        """Collect, serve, and end with the keeper. Never returns."""
        try:
            self._collect()
        except BaseException as error:  # noqa: BLE001 - whatever the user's code raises is told
            self._session.failed_to_collect("", error)
        finally:
            if not self._served:
                self._channel.send({"kind": "failed", "errors": self._session.errors})
            os._exit(0)

    def _collect(self) -> None:
        limit(None)
        tell_where_it_hangs(self._setup["stack"])
        for stream in (1, 2):
            os.dup2(self._setup["stack"], stream)
        if self._setup["instead_of"]:
            redirect(self._setup["instead_of"], self._texts.folder)
        self._sandbox.enter()
        self._sandbox.lay(self._texts.folder, self._setup["private"], self._texts.overlay, self._texts.modes)
        import pytest

        self._texts.install()
        self._audit.refuses = not (self._setup["network"] or self._sandbox.network)
        self._audit.start()
        self._listen()
        arguments = self._setup["arguments"]
        _be_pytest(arguments)
        self._session.named = self._setup["named"]
        cache = "cache_dir=" + os.path.join(self._setup["private"], "tmp", "cache")
        pytest.main([*arguments, "-o", cache], plugins=[self._session])

    def _listen(self) -> None:
        """Note what runs from now on. Where coverage slows everything down anyway, it tells that too."""
        try:
            self._coverage = Coverage(self._texts, self._setup["arcs"])
        except Exception:  # noqa: BLE001 - whatever is wrong with it costs coverage, and no test
            self._coverage = None
        if self._coverage is None or self._executed.is_cheap:
            self._executed.start()

    # The collected state

    def _serve(self, session: Any) -> None:
        """Called by pytest when all is collected. Does not return."""
        self._served = True
        state = self._state(session)
        self._channel.send({"kind": "collected", **state.told(self._session.errors)})
        self._texts.compiled.save()
        if not self._setup["warm"]:
            self._once(state)
        # Not frozen: tests may look for what was made before, and wait until it is freed.
        gc.collect()
        while True:
            order, results = self._channel.receive()
            self._answer(state, order, results)
            if results is not None:
                os.close(results)

    def _once(self, state: State) -> None:
        """Where a fork is not safe: this process is the run."""
        order, results = self._channel.receive()
        if results is None:
            os._exit(0)
        self._channel.send({"kind": "running", "pid": os.getpid(), "edited": {}})
        os._exit(self._run(state, order, results))

    def _state(self, session: Any) -> State:
        touched = self._audit.taken()
        imported: dict[str, Any] = {}
        if self._coverage is not None:
            self._coverage.stop()
            for real, lines in self._coverage.entered().items():
                self._executed.lines.setdefault(real, set()).update(lines)
            imported = self._coverage.taken()
            self._coverage.remembering.index()
        self._executed.stop()
        if self._setup["warm"]:
            self._files.note()
            self._sandbox.lift(self._texts.folder, self._setup["private"], self._texts.overlay)
            self._texts.beneath = self._sandbox.beneath(self._setup["private"])
        patcher = Patcher(self._texts, self._executed, session.config)
        patcher.index()
        return State(
            session, self._texts, patcher, self._coverage, imported, touched, layered=self._sandbox.files
        )

    def _answer(self, state: State, order: dict[str, Any], results: int | None) -> None:
        self._texts.lay(order["overlay"])
        try:
            state.prepare()
        except RefusedError as refused:
            self._channel.send({"kind": "refused", "reason": str(refused)})
            return
        except BrokenError as broken:
            self._channel.send({"kind": "broken", "reason": str(broken)})
            return
        if results is None:
            self._channel.send({"kind": "ready"})
            return
        child = os.fork()
        if child == 0:
            os.setsid()
            sandbox.die_with_parent()
            self._channel.close()
            os._exit(self._run(state, order, results))
        self._channel.send({"kind": "running", "pid": child, "edited": state.digests()})
        self._channel.send({"kind": "ended", "status": os.waitpid(child, 0)[1]})

    def _run(self, state: State, order: dict[str, Any], results: int) -> int:
        """In a process that does nothing else: the exit code."""
        return Run(self._setup, self._sandbox, self._session, state, self._files, results).go(order)


def _be_pytest(arguments: list[str]) -> None:
    """Be the program that `python -m pytest` is: parsers of arguments and new processes look at it."""
    # Before its sixth version pytest was one module, and its own program.
    is_package = hasattr(sys.modules["pytest"], "__path__")
    spec = importlib.util.find_spec("pytest.__main__" if is_package else "pytest")
    assert spec is not None
    main = importlib.util.module_from_spec(spec)
    main.__name__ = "__main__"
    sys.modules["__main__"] = main
    sys.argv = [spec.origin or "pytest", *arguments]


def fork(setup: dict[str, Any]) -> tuple[int, Channel]:
    """A collector as a child of this process: its identifier, and the keeper's end of the channel."""
    near, far = Channel.pair()
    child = os.fork()
    if child == 0:
        near.close()
        sandbox.die_with_parent()
        if not setup["warm"]:
            os.setsid()
        Collector(setup, far).main()
    far.close()
    return child, near
