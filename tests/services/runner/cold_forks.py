"""Cold runs of pytest: each in a fork of a process that has imported pytest, and nothing else.

What a fork executes is `python -m pytest`; only importing pytest itself is spared.
"""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from gateline_dev.runner import cold

QUIET = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}


class ColdForks:
    """One process; it must be closed."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._record = folder, cold.prepare(folder)
        environment = {**os.environ, **QUIET, "PYTHONPATH": str(folder), "GATELINE_RECORD": str(self._record)}
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, root: Path, ids: Sequence[str]) -> cold.Endings:
        """How each of these tests ended; no identifiers: all."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._record.unlink(missing_ok=True)
        shutil.rmtree(self._folder / "cache", ignore_errors=True)
        arguments = [*cold.OPTIONS, "-o", f"cache_dir={self._folder}/cache", *ids]
        print(json.dumps([str(root), arguments]), file=self._process.stdin, flush=True)
        assert self._process.stdout.readline() == "done\n"
        return cold.read(self._record)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def _serve() -> None:
    import pytest  # noqa: F401

    for line in sys.stdin:
        root, arguments = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(root, arguments)
        os.waitpid(child, 0)
        print("done", flush=True)


def _run(root: str, arguments: list[str]) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.chdir(root)
    sys.path[0] = root
    sys.argv = ["pytest", *arguments]
    try:
        runpy.run_module("pytest", run_name="__main__", alter_sys=True)
    finally:
        os._exit(0)


if __name__ == "__main__":
    _serve()
