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
import threading
import time
from functools import partial
from typing import Any

import pytest

from .forks import forked, read_line, silenced
from .learned import Learned
from .sharing import Sharing
from .watching import Watch

_MEMORY = 4 << 30
_SECONDS = 30
"""Of a processor, for one request."""
_GRACE = 5.0
"""Seconds that a stage may take besides the run."""
_LIKELIEST = 2
"""After the look at the error itself comes the repair that is right most often."""
_OPTIONS = ["-p", "no:cacheprovider", "--assert=plain", "--tb=no"]


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
        self._files = [argument for argument in arguments if not argument.startswith("-")]
        self._seen = 0
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
        if self._is_doubtful(request):
            told = self._told({**request, "only": request["first"]})
            if told is None or not set(request["first"]).isdisjoint(told.get("failed", ())):
                return told
        return self._told(request)

    def _is_doubtful(self, request: dict[str, Any]) -> bool:
        """Whether a test that comes first will fail more likely than not, and is in a file of its own.

        That it fails is known at first. Most of the candidates for a repair are wrong, but not the first one.
        """
        self._seen += 1
        files = {test.partition("::")[0] for test in request["first"]}
        return bool(files) and self._seen != _LIKELIEST and not files.issuperset(self._files)

    def _told(self, request: dict[str, Any]) -> dict[str, Any] | None:
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
        self._learned = Learned(watch.root)
        self._learned.install()
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
            modules = answer.pop("modules", {})
            os.write(self.sink, json.dumps(answer).encode() + b"\n")
            self._learn(modules)
        os._exit(0)

    def _learn(self, modules: dict[str, str]) -> None:
        """Know what the next run imports, while the one who asked thinks; leave where that goes too far."""
        self._learned.learn(modules)
        if has_modules_of(self.watch.root) or threading.active_count() > 1:
            os._exit(0)

    def _begin(self, session: Any, request: dict[str, Any], out: int) -> None:
        self.out = out
        self.watch.begin(request)
        session.config.option.maxfail = 1 if request["short"] else 0
        if request["only"]:
            session.config.args = list(request["only"])


def _prepare(root: str, arguments: list[str], source: int, sink: int) -> None:
    """In the child of a stage, and in the children of that."""
    silenced()
    runs = None
    try:
        limited(root)
        runs = Runs(Watch(root), source, sink)
        # The last one is asked first: collection begins in the child.
        plugins = [runs.watch, Sharing(runs.watch), runs]
        answer = runs.watch.answer(pytest.main([*_OPTIONS, *arguments], plugins=plugins))
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
    options = [*_OPTIONS, *(["-x"] if request["short"] else []), *(request["only"] or request["arguments"])]
    return watch.answer(pytest.main(options, plugins=[watch, Sharing(watch)]))


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
            told.pop("modules", None)
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
