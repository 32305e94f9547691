"""Runs tests in forked children of one warm process: the far end of `runner`.

It runs in the interpreter of a corpus, on the standard library and pytest alone. A request is a line of JSON,
and so is the answer. The product's own runner keeps the tests of one workspace collected; a corpus is another
one with every case, so that only pytest is warm: a `Stage` is a child in which it stands before collection of
a folder's tests, and which forks once more for every run.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from .forks import forked, read_line, silenced
from .raised import described, named_only

_FAILURES = 12
_MEMORY = 4 << 30
_SECONDS = 30
"""Of a processor, for one request."""
_GRACE = 5.0
"""Seconds that a stage may take besides the run."""
_LONGEST_TEST = 0.3
"""The share of a run's time after which a test fails: many wrong repairs loop for ever, and others wait.

Of the processor's time, since others use the machine, too; of the clock's twice as much, for those that wait.
"""
_LAST_TEST = 0.6
"""And after which none is begun: what is known by then is told."""
_OPTIONS = ["-p", "no:cacheprovider", "--assert=plain", "--tb=no"]


class Watch:
    """A pytest plug-in that notes outcomes, and of failures what the interpreter knows."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.first: frozenset[str] = frozenset()
        self.passed: list[str] = []
        self.failed: list[str] = []
        self.failures: list[dict[str, Any]] = []
        self.session: Any = None
        self.seconds = 0.0
        self.last = ""
        self.is_late = False
        self._end = float("inf")

    def begin(self, request: dict[str, Any]) -> None:
        """In the process of a run: what it is asked for."""
        self.first = frozenset(request["first"])
        self.seconds = request["seconds"]
        self._end = time.monotonic() + _LAST_TEST * self.seconds

    def answer(self, ended: int) -> dict[str, Any]:
        """What the run came to; nothing is known where pytest itself broke."""
        if ended == pytest.ExitCode.INTERNAL_ERROR:
            return {"broken": "pytest"}
        told = {"passed": self.passed, "failed": self.failed, "failures": self.failures}
        return {**told, "late": self.is_late}

    def pytest_collection_modifyitems(self, session: Any, items: list[Any]) -> None:
        """Run those tests first after whose failure no other counts."""
        self.session = session
        items.sort(key=lambda item: item.nodeid not in self.first)
        self.last = items[-1].nodeid if items else ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """End a test that takes too long."""
        signal.setitimer(signal.ITIMER_PROF, _LONGEST_TEST * self.seconds)
        signal.setitimer(signal.ITIMER_REAL, 2 * _LONGEST_TEST * self.seconds)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """End the run when one of the first tests failed, or its time is nearly over."""
        # Not by an interruption: pytest would describe that at length, which takes longer than the tests.
        if nodeid in self.first and nodeid in self.failed:
            self.session.shouldfail = "the first failed"
        elif time.monotonic() > self._end and nodeid != self.last:
            self.is_late = True
            self.session.shouldfail = "no time is left"

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note what a test came to."""
        if report.failed and report.nodeid not in self.failed:
            self.failed.append(report.nodeid)
        elif report.when == "call" and report.passed:
            self.passed.append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        """Note a file that could not be collected."""
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_exception_interact(self, node: Any, call: Any) -> None:
        """Note the exception itself, before it becomes text."""
        error = call.excinfo.value
        if type(error).__name__ == "CollectError" and error.__cause__ is not None:
            error = error.__cause__
        # Of the others it is only told what they are: they may have failed before.
        known = described(error, self.root) if len(self.failures) < _FAILURES else named_only(error)
        self.failures.append({**known, "test": node.nodeid})


def _too_long(number: int, frame: Any) -> None:
    raise TimeoutError("the test takes too long")


def limited(root: str) -> None:
    """In a child: stand in the folder of the case, with bounds."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.signal(signal.SIGPROF, _too_long)
    os.chdir(root)
    sys.path.insert(0, root)
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    sys.setrecursionlimit(2000)


def has_modules_of(root: str) -> bool:
    """Whether a module of the case was imported already: a run would not see its new text."""
    files = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    ours = [os.path.realpath(file) for file in files if file.endswith(".py")]
    return any(file.startswith(root + os.sep) and os.path.basename(file) != "conftest.py" for file in ours)  # noqa: PTH119


class Stage:
    """A child in which pytest stands right before the collection of a folder's tests."""

    def __init__(self, root: str, arguments: list[str]) -> None:
        self.key = (root, tuple(arguments))
        source, self._requests = os.pipe()
        self._answers, sink = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._requests)
            os.close(self._answers)
            os.setpgid(0, 0)
            _prepare(root, arguments, source, sink)
        os.close(source)
        os.close(sink)

    def answered(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """What a run says; late when it takes too long; None when nothing can be run from here."""
        try:
            os.write(self._requests, json.dumps(request).encode() + b"\n")
        except BrokenPipeError:
            return None
        told = read_line(self._answers, time.monotonic() + request["seconds"] + _GRACE)
        return json.loads(told) if told else None

    def end(self) -> None:
        """Kill it and every run."""
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self._pid, signal.SIGKILL)
        os.close(self._requests)
        os.close(self._answers)
        os.waitpid(self._pid, 0)


class Runs:
    """A pytest plug-in that forks before collection: the child goes on, the parent waits for a request."""

    def __init__(self, watch: Watch, source: int, sink: int) -> None:
        self.watch = watch
        self.source = source
        self.sink = sink
        self.out = -1
        """In a child: where the answer goes."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: Any) -> None:
        """Serve, and return in a child alone."""
        if has_modules_of(self.watch.root):
            os._exit(0)
        while row := read_line(self.source):
            request = json.loads(row)
            answer = forked(request["seconds"], partial(self._begin, session, request))
            if self.out >= 0:
                return
            os.write(self.sink, json.dumps(answer).encode() + b"\n")
        os._exit(0)

    def _begin(self, session: Any, request: dict[str, Any], out: int) -> None:
        self.out = out
        self.watch.begin(request)
        session.config.option.maxfail = 1 if request["short"] else 0


def _prepare(root: str, arguments: list[str], source: int, sink: int) -> None:
    """In the child of a stage, and in the children of that."""
    silenced()
    runs = None
    try:
        limited(root)
        runs = Runs(Watch(root), source, sink)
        answer = runs.watch.answer(pytest.main([*_OPTIONS, *arguments], plugins=[runs.watch, runs]))
    except BaseException as error:  # noqa: BLE001 - also an exit is an answer
        answer = {"broken": f"{type(error).__name__}: {error}"}
    if runs is not None and runs.out >= 0:
        with os.fdopen(runs.out, "w") as stream:
            json.dump(answer, stream)
    os._exit(0)


def run(request: dict[str, Any]) -> dict[str, Any]:
    """In a child of the warm process itself: run tests and describe what happened."""
    root = request["root"]
    limited(root)
    watch = Watch(root)
    watch.begin(request)
    short = ["-x"] if request["short"] else []
    return watch.answer(pytest.main([*_OPTIONS, *short, *request["arguments"]], plugins=[watch]))


def child(request: dict[str, Any], sink: int) -> None:
    """Answer one request, and end."""
    silenced()
    try:
        answer = run(request)
    except BaseException as error:  # noqa: BLE001 - also an exit is an answer
        answer = {"broken": f"{type(error).__name__}: {error}"}
    with os.fdopen(sink, "w") as stream:
        json.dump(answer, stream)
    os._exit(0)


class Stages:
    """The stages of the case that was asked about last."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[str, ...]], Stage | None] = {}

    def answered(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run tests from the stage of their folder, or from the beginning where there can be none."""
        request["root"] = root = os.path.realpath(request["root"])
        self._leave(root)
        key = (root, tuple(request["arguments"]))
        if key not in self._known:
            self._known[key] = Stage(root, request["arguments"])
        stage = self._known[key]
        told = stage.answered(request) if stage is not None else None
        if told is None:
            if stage is not None:
                stage.end()
            self._known[key] = None
            told = forked(request["seconds"], partial(child, request))
        return told

    def _leave(self, root: str) -> None:
        if any(known != root for known, _ in self._known):
            for stage in self._known.values():
                if stage is not None:
                    stage.end()
            self._known = {}


def warm() -> None:
    """Run a test here, so that every child has all of pytest imported, and nothing of it to clean up."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        path = os.path.join(folder, "test_warm.py")  # noqa: PTH118 - no module more than is needed
        with open(path, "w", encoding="ascii") as stream:  # noqa: PTH123
            stream.write("def test_warm(capsys, tmp_path, monkeypatch):\n    print(1)\n")
        pytest.main([*_OPTIONS, "-q", "--rootdir", folder, path])
    sys.modules.pop("test_warm", None)
    gc.collect()
    gc.freeze()


def main() -> None:
    """Answer until standard input ends."""
    # The package of this program, and where it stands: a case may have modules of the same names.
    del sys.path[:2], sys.modules["far"]
    sys.dont_write_bytecode = True
    warm()
    stages = Stages()
    for line in sys.stdin:
        print(json.dumps(stages.answered(json.loads(line))), flush=True)
