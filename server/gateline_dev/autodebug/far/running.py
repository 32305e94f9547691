"""Runs tests in forked children of one warm process: the far end of `runner`.

It runs in the interpreter of a corpus, on the standard library and pytest alone. A request is a line of JSON,
and so is the answer. The product's own runner keeps the tests of one workspace collected; a corpus is another
one with every case, so that only the interpreter and pytest can be warm.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import pytest

_LONGEST = 400
_FAILURES = 12
_FRAMES = 40
_CAUSES = 3
_MEMORY = 4 << 30
_SECONDS = 30
"""Of a processor, for one request."""
_HIDDEN = {"_pytest", "pluggy", "pytest"}
_OPTIONS = ["-p", "no:cacheprovider", "--assert=plain", "--tb=no"]


class Watch:
    """A pytest plug-in that notes outcomes, and of failures what the interpreter knows."""

    def __init__(self, root: str, first: frozenset[str]) -> None:
        self.root = root
        self.first = first
        self.passed: list[str] = []
        self.failed: list[str] = []
        self.failures: list[dict[str, Any]] = []

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Run those tests first after whose failure no other counts."""
        items.sort(key=lambda item: item.nodeid not in self.first)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """End the run when one of the first tests failed."""
        if nodeid in self.first and nodeid in self.failed:
            pytest.exit("the first failed")

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
        if len(self.failures) < _FAILURES:
            self.failures.append({**described(error, self.root), "test": node.nodeid})


def described(error: BaseException, root: str, depth: int = 0) -> dict[str, Any]:
    """An exception with its frames and causes, as plain values."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    try:
        message = str(error.msg) if isinstance(error, SyntaxError) else str(error)[:_LONGEST]
    except Exception:  # noqa: BLE001 - other people's code
        message = ""
    return {
        "type": type(error).__name__,
        "message": message,
        "frames": frames(error.__traceback__, root),
        "cause": described(cause, root, depth + 1) if cause is not None and depth < _CAUSES else None,
    }


def frames(traceback: Any, root: str) -> list[dict[str, Any]]:
    """The calls of a traceback that are not pytest's, the innermost kept."""
    found = []
    while traceback is not None:
        if traceback.tb_frame.f_globals.get("__name__", "").partition(".")[0] not in _HIDDEN:
            found.append(traceback)
        traceback = traceback.tb_next
    return [_frame(entry, root) for entry in found[-_FRAMES:]]


def _frame(entry: Any, root: str) -> dict[str, Any]:
    code = entry.tb_frame.f_code
    path = os.path.realpath(code.co_filename)
    ours = path.startswith(root + os.sep) and os.path.exists(path)  # noqa: PTH110
    return {
        "path": os.path.relpath(path, root).replace(os.sep, "/") if ours else code.co_filename,
        "line": entry.tb_lineno - 1,
        "function": code.co_name,
        "ours": ours,
        "span": _span(code, entry.tb_lasti) if ours else None,
        "seen": list(seen(entry.tb_frame)) if ours else [],
    }


def _span(code: Any, instruction: int) -> list[int] | None:
    """The place of the expression that failed: zero-based lines, columns in characters."""
    import linecache

    rows = list(code.co_positions()) if hasattr(code, "co_positions") else []
    number = instruction // 2
    line, last, start, end = rows[number] if number < len(rows) else (None,) * 4
    if line is None or last is None or start is None or end is None:
        return None
    first, final = (linecache.getline(code.co_filename, n) for n in (line, last))
    return [line - 1, _characters(first, start), last - 1, _characters(final, end)]


def _characters(text: str, column: int) -> int:
    return len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))


def seen(frame: Any) -> Iterator[list[str]]:
    """What the names of a frame hold, by type: pairs of a name and a type."""
    for name, value in list(frame.f_locals.items())[:80]:
        if name.startswith("__"):
            continue
        yield from _seen(name, value)
        own = getattr(value, "__dict__", None)
        if type(own) is dict and not isinstance(value, (type, type(os))) and not callable(value):
            for attribute, inner in list(own.items())[:40]:
                yield from _seen(f"{name}.{attribute}", inner)


def _seen(name: str, value: Any) -> Iterator[list[str]]:
    yield [name, named(type(value))]
    # Only of built-in types: to look into others would run code.
    if type(value) in (list, tuple, set, frozenset) and value:
        elements = list(value)[:20]
        if len({type(e) for e in elements}) == 1:
            yield [f"{name}[]", named(type(elements[0]))]
        if type(value) is tuple:
            yield from ([f"{name}[{n}]", named(type(e))] for n, e in enumerate(elements[:5]))
    elif type(value) is dict and value:
        key, inner = next(iter(value.items()))
        yield [f"{name}{{}}", named(type(key))]
        yield [f"{name}[]", named(type(inner))]


def named(kind: type) -> str:
    """The name of a type, dotted unless it is built in."""
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def run(request: dict[str, Any]) -> dict[str, Any]:
    """In a child: run tests and describe what happened."""
    root = os.path.realpath(request["root"])
    os.chdir(root)
    sys.path.insert(0, root)
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    sys.setrecursionlimit(2000)
    watch = Watch(root, frozenset(request["first"]))
    short = ["-x"] if request["short"] else []
    pytest.main([*_OPTIONS, *short, *request["arguments"]], plugins=[watch])
    return {"passed": watch.passed, "failed": watch.failed, "failures": watch.failures}


def child(request: dict[str, Any], sink: int) -> None:
    """Answer one request, and end."""
    quiet = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(quiet, number)
    try:
        answer = run(request)
    except BaseException as error:  # noqa: BLE001 - also an exit is an answer
        answer = {"broken": f"{type(error).__name__}: {error}"}
    with os.fdopen(sink, "w") as stream:
        json.dump(answer, stream)
    os._exit(0)


def answered(request: dict[str, Any]) -> dict[str, Any]:
    """Fork, wait at most the given seconds, and hand on what the child says."""
    source, sink = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(source)
        os.setpgid(0, 0)
        child(request, sink)
    os.close(sink)
    try:
        told: dict[str, Any] = json.loads(_read(source, time.monotonic() + request["seconds"]))
    except ValueError:
        told = {"late": True}
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(pid, signal.SIGKILL)
    os.close(source)
    os.waitpid(pid, 0)
    return told


def _read(source: int, end: float) -> bytes:
    rows = []
    while select.select([source], [], [], max(0.0, end - time.monotonic()))[0]:
        row = os.read(source, 1 << 16)
        if not row:
            break
        rows.append(row)
    return b"".join(rows)


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
    # The folder of this program: a case may have a module of the same name as one here.
    del sys.path[0]
    sys.dont_write_bytecode = True
    warm()
    for line in sys.stdin:
        print(json.dumps(answered(json.loads(line))), flush=True)


main()
