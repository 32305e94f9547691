"""One run: a process that closes itself in, takes the changes over, runs some tests, and ends."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import tempfile
from typing import Any

from . import failures, framing
from .around import Around
from .contents.texts import edited
from .limits import limit
from .open_files import OpenFiles
from .sandbox import Sandbox
from .session import Session
from .state import State
from .tracing.coverage import Coverage
from .tracing.sharing import Sharing

_AT_ONCE = ("begin", "done")
_WHOLE = "whole"
"""In place of true: what all tests together executed is told once, at the end."""


class Run:
    """What happens between the fork and the last result."""

    def __init__(
        self,
        setup: dict[str, Any],
        sandbox: Sandbox,
        session: Session,
        state: State,
        files: OpenFiles,
        results: int,
    ) -> None:
        self._setup = setup
        self._sandbox = sandbox
        self._session = session
        self._state = state
        self._files = files
        self._results = results
        self._unsent = b""

    def go(self, order: dict[str, Any]) -> int:
        """Run the tests that are ordered; the exit code."""
        try:
            self._prepare(order)
            self._run(order)
        except BaseException as error:  # noqa: BLE001 - whatever the user's code raises is told
            current = self._session.current
            failure = failures.of_exception(error, self._session.texts, "call" if current else "start")
            kind = "test" if current else "crash"
            self._tell({"kind": kind, "id": current, "outcome": "crashed", "failure": failure})
            return 1
        finally:
            self._send()
        return 0

    def _prepare(self, order: dict[str, Any]) -> None:
        texts, state = self._session.texts, self._state
        if self._setup["warm"]:
            self._sandbox.own()
            self._sandbox.lay(texts.folder, self._setup["private"], texts.overlay, texts.modes)
        self._sandbox.drop()
        limit(order["memory"])
        tell_where_it_hangs(self._setup["stack"])
        tempfile.tempdir = None
        self._files.renew()
        config = state.session.config
        _renew_capture(config)
        if getattr(config, "_tmp_path_factory", None) is not None:
            config._tmp_path_factory._basetemp = None
        for patch in state.patches:
            patch.apply()
        edited(texts, state.edited)

    def _run(self, order: dict[str, Any]) -> None:
        session, chosen = self._state.session, self._state.chosen(order["ids"])
        # As where nothing else was asked for: hooks and fixtures may look at what is going to run.
        session.items, session.testscollected = chosen, len(chosen)
        self._session.on_event, self._session.is_early = self._tell, order["early"]
        measured = self._state.coverage if order["coverage"] else None
        if measured is not None:
            self._follow(measured, order)
        self._session.run(chosen)
        if measured is not None and order["coverage"] == _WHOLE:
            self._trace("")
        self._tell({"kind": "done", "unknown": self._state.unknown(order["ids"])})

    def _follow(self, measured: Coverage, order: dict[str, Any]) -> None:
        is_whole = order["coverage"] == _WHOLE
        self._session.measured = measured
        if not is_whole:
            self._session.on_done = self._trace
            self._session.sharing = Sharing(measured, self._session.audit)
        config, ours = self._state.session.config, self._session.texts.ours
        self._session.around = Around(config, self._session, ours)
        measured.restart(order["arcs"], self._session.audit, is_whole=is_whole)

    def _tell(self, event: dict[str, Any]) -> None:
        """Tell this. What became of a test waits for the beginning of the next, or the end, if it may."""
        self._unsent += framing.encode(event)
        if event["kind"] in _AT_ONCE or self._session.is_early:
            self._send()

    def _send(self) -> None:
        data, self._unsent = self._unsent, b""
        framing.send(self._results, data)

    def _trace(self, test: str) -> None:
        audit, coverage, texts = self._session.audit, self._state.coverage, self._session.texts
        assert coverage is not None
        files = coverage.taken()
        touched = audit.taken()
        touched.read.setdefault("", set()).update(texts.uncompiled)
        texts.uncompiled.clear()
        contents = {texts.relative(real): content for real, content in touched.contents.items()}
        self._tell(
            {
                "kind": "trace",
                "id": test,
                "files": files,
                "touched": touched.told(texts.relative, sys.modules),
                "contents": contents,
                "programs": touched.programs,
            }
        )


def tell_where_it_hangs(stack: int) -> None:
    """Write tracebacks where the keeper reads them: on a crash, and when it asks with SIGXCPU."""
    faulthandler.enable(file=stack)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGXCPU, file=stack)


def _renew_capture(config: Any) -> None:
    """Give this process files of its own for captured output: the collector's are shared by all runs.

    They take the place of those that are open: modules may keep the streams that they were imported with.
    """
    manager = config.pluginmanager.getplugin("capturemanager")
    captures = getattr(manager, "_global_capturing", None)
    null = os.open(os.devnull, os.O_WRONLY)
    for target, name in ((1, "out"), (2, "err")):
        os.dup2(null, target)
        capture: Any = getattr(captures, name, None)
        if hasattr(capture, "targetfd_save"):
            os.dup2(null, capture.targetfd_save, inheritable=False)
            with tempfile.TemporaryFile(buffering=0) as fresh:
                os.dup2(fresh.fileno(), capture.tmpfile.fileno(), inheritable=False)
    os.close(null)
