"""The truth: an ordinary `python -m pytest` of a written copy."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from gateline_dev.affected.subjects import Copy

_PATIENCE = 120.0
"""Seconds for all tests: an edit can make a loop endless."""
_OPTIONS = (
    *("-q", "-p", "gateline_endings", "-p", "no:cacheprovider", "--continue-on-collection-errors"),
    # Showing the code of a deep recursion makes the parser of Python 3.11 fail, and pytest falls over.
    "--tb=line",
)
_PLUGIN = """
import json, os

ENDINGS = {}
FELL = []


def pytest_internalerror():
    FELL.append(True)


def pytest_runtest_logreport(report):
    expected = hasattr(report, "wasxfail")
    if report.when == "call" or report.outcome != "passed":
        if report.skipped:
            ending = "xfailed" if expected else "skipped"
        elif report.failed:
            ending = "failed" if report.when == "call" else "error"
        else:
            ending = "xpassed" if expected else "passed"
        if ENDINGS.get(report.nodeid, "passed") == "passed":
            ENDINGS[report.nodeid] = ending


def pytest_unconfigure():
    if not FELL:
        with open(os.environ["GATELINE_ENDINGS"], "w") as file:
            json.dump(ENDINGS, file)
"""


@contextmanager
def written(copy: Copy, texts: Mapping[str, str]) -> Iterator[Path]:
    """Another copy, with these texts saved."""
    with tempfile.TemporaryDirectory(prefix="gateline-cold-", ignore_cleanup_errors=True) as name:
        root = Path(name).resolve() / copy.root.name
        shutil.copytree(copy.root, root, symlinks=True)
        for path, text in texts.items():
            (root / path).write_text(text, encoding="utf-8")
        yield root


async def endings(
    copy: Copy, root: Path, ids: Sequence[str] = (), *, measured: bool = False
) -> tuple[dict[str, str] | None, float]:
    """What becomes of these tests (none named: all), and the seconds from the start of the command.

    None where pytest itself fell over, or its process ended: then nobody knows of the tests behind.
    `measured` lets coverage follow them. Tests of files that can be collected run also where others
    cannot, as they do in an editor.
    Raises TimeoutError where a test does not end: an ordinary pytest waits for it.
    """
    with tempfile.TemporaryDirectory(prefix="gateline-plugin-") as name:
        Path(name, "gateline_endings.py").write_text(_PLUGIN, encoding="utf-8")
        out = Path(name, "endings.json")
        # The copy that is run is not the one that an editor shows.
        own = {key: value.replace(str(copy.root), str(root)) for key, value in copy.environment.items()}
        searched = os.pathsep.join(filter(None, (name, own.get("PYTHONPATH"))))
        told = {**own, "PYTHONPATH": searched, "GATELINE_ENDINGS": str(out)}
        began = perf_counter()
        process = await asyncio.create_subprocess_exec(
            *(copy.python, *(_following(root, name) if measured else ()), "-m", "pytest", *_OPTIONS, *ids),
            cwd=root,
            env={**os.environ, **told},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            await asyncio.wait_for(process.wait(), _PATIENCE)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        seconds = perf_counter() - began
        found: dict[str, str] | None = json.loads(out.read_text()) if out.exists() else None
    return found, seconds


def _following(root: Path, folder: str) -> tuple[str, ...]:
    """What stands before pytest on a command line, so that coverage follows the project's code."""
    where = (f"--data-file={folder}/coverage", f"--include={root}/*", f"--rcfile={os.devnull}")
    return ("-m", "coverage", "run", "--branch", *where)
