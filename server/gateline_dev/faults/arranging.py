"""What is arranged around a project before gateline is asked: programs that fail, old times."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from gateline_dev.truth.workbench import Workbench

Arrange = Callable[[Workbench], Mapping[str, str]]
_LONG_AGO = 1_600_000_000.0


def program(name: str, script: str) -> Arrange:
    """A program of this name stands first on PATH."""

    def arrange(bench: Workbench) -> Mapping[str, str]:
        folder = bench.folder / "programs"
        executable(folder / name, script)
        return {"PATH": os.pathsep.join((str(folder), bench.environment["PATH"]))}

    return arrange


def executable(file: Path, script: str) -> None:
    """Write a shell script that can be run."""
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


def nothing_on_path(bench: Workbench) -> Mapping[str, str]:
    """PATH has the project's interpreter alone."""
    return {"PATH": str(bench.folder / "environment" / "bin")}


def no_interpreter(bench: Workbench) -> Mapping[str, str]:
    """What stands where the project's Python should be is something else."""
    for name in ("python", "python3", f"python3.{sys.version_info.minor}"):
        executable(bench.folder / "environment" / "bin" / name, "exit 0")
    return {}


def ty_script(script: str) -> Arrange:
    """A script in the folder of the bench that is run instead of ty."""

    def arrange(bench: Workbench) -> Mapping[str, str]:
        ty = shutil.which("ty", path=str(Path(sys.executable).parent)) or "ty"
        executable(bench.folder / "ty-instead", script.replace("TY", ty))
        return {}

    return arrange


def old_times(*paths: str) -> Arrange:
    """Files were written long ago, all at the same moment, whatever they hold."""

    def arrange(bench: Workbench) -> Mapping[str, str]:
        for path in paths:
            os.utime(bench.root / path, (_LONG_AGO, _LONG_AGO))
        return {}

    return arrange


def shallow(bench: Workbench) -> Mapping[str, str]:
    """The last commit alone, as continuous integration fetches it, on a branch without a default one."""
    head = bench.git("rev-parse", "HEAD")
    (bench.root / ".git/shallow").write_text(head, encoding="utf-8")
    bench.git("branch", "-q", "-D", "main")
    return {}
