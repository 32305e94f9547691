"""Children that run gateline's own modules begin as a fork of this process, with what it has imported.

What such a child imports takes a second or two of a processor, and a test of a command starts one or more.
A fork is as much a process of its own: pipes, group, priority, death. What is not seen is the start of an
interpreter and its imports: tests of the server, of the resident engine and of children have those.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import logging
import os
import runpy
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn

import pytest

from gateline.services.spawning import command_of
from gateline.services.worker import Worker

_execute = subprocess.Popen._execute_child  # type: ignore[attr-defined]
_SIGNATURE = inspect.signature(_execute)
_preloaded: list[Worker] = []
MODULES: dict[int, str] = {}
"""What each fork runs, by its process id: its command line is its parent's."""
_MODULES = (
    "gateline.services.repairs.far",
    "gateline.services.resolving.far",
    "gateline.services.tests.far_book",
    "gateline.services.types.far_mypy",
    "gateline.session.context.child_main",
    "gateline.session.memory.child_main",
)
"""The others that children run; what they import is there for a fork."""


@contextmanager
def forked_children() -> Iterator[None]:
    """While this holds, what `command_of` says of a module is not executed, but forked."""
    if not _preloaded:
        _preload()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "_execute_child", _started)
        yield


def _preload() -> None:
    worker = Worker()
    _preloaded.append(worker)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        worker._preload()
        worker._preload_judge()
        for module in _MODULES:
            import_module(module)


def _started(process: Any, *given: Any, **named: Any) -> None:
    values = _SIGNATURE.bind(process, *given, **named).arguments
    command: Sequence[str] = values["args"]
    if list(command[:-1]) != command_of("")[:-1]:
        _execute(process, *given, **named)
        return
    assert not (values["preexec_fn"] or values["pass_fds"]), "a fork does nothing of that"
    process.pid = os.fork()
    if process.pid == 0:
        _become(command[-1], values)
    MODULES[process.pid] = command[-1]
    process._child_created = True
    pipes = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
    process._close_pipe_fds(*(values[name] for name in pipes))


def _become(module: str, values: dict[str, Any]) -> NoReturn:
    """Run a module as the whole of this process, which is a copy of another."""
    code = 1
    try:
        _forget_parent(values)
        sys.argv = [module]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if code and not isinstance(end.code, int):
            os.write(2, f"{end.code}\n".encode())
    except BaseException:  # noqa: BLE001 - the end of a process: its standard error has it
        os.write(2, traceback.format_exc().encode())
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)


def _forget_parent(values: dict[str, Any]) -> None:
    if values["start_new_session"]:
        os.setsid()
    # What the copies of its objects stand for is closed here, or is another's: none is ever finalised.
    gc.freeze()
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    given = [values[name] for name in ("p2cread", "c2pwrite", "errwrite")]
    # -1 is a stream that both share.
    for number, stream in enumerate([os.dup(one) if one >= 0 else -1 for one in given]):
        if stream >= 0:
            os.dup2(stream, number)
    os.closerange(3, 1 << 16)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    # What is complained of is seen at once, and what is logged is not given to the handlers of the tests.
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    logging.root.handlers.clear()
    asyncio._set_running_loop(None)
    os.chdir(values["cwd"] or ".")
    if values["env"] is not None:
        os.environ.clear()
        os.environ.update(values["env"])
