"""A fresh copy of a project with caches of its own, for one server."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from compileall import compile_dir
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gateline
from gateline_dev.bench.environments import environment
from gateline_dev.bench.projects import DEPENDENCIES, Project, fetch
from gateline_dev.bench.servers import Server, filled

_IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "commit.gpgsign=false")


@dataclass(frozen=True)
class Workspace:
    """A committed copy, and how the server is started in it. Is a `client.Launch`."""

    root: Path
    command: list[str]
    environment: Mapping[str, str]
    settings: Mapping[str, Any]
    git_log: Path

    def git_calls(self) -> int:
        """How often git was started by the server so far."""
        return len(self.git_log.read_text(encoding="utf-8").splitlines()) if self.git_log.exists() else 0


@contextmanager
def workspace(project: Project, server: Server) -> Iterator[Workspace]:
    """Copy, commit, and lay out the environment; removed at the end. Raises UnavailableError."""
    source, own, imports = prepared(project, server)
    with tempfile.TemporaryDirectory(prefix="gateline-bench-", ignore_cleanup_errors=True) as name:
        scratch = Path(name).resolve()
        root = scratch / source.name
        shutil.copytree(source, root, symlinks=True)
        _write(root, {**project.files, **server.files})
        _commit(root)
        log = scratch / "git.log"
        _shim(scratch / "bin", log)
        places = {"python": str(imports / "bin" / "python"), "environment": str(imports)}
        yield Workspace(
            root,
            server.program(own),
            _environment(scratch, imports),
            filled(server.settings, places),
            log,
        )


def prepared(project: Project, server: Server) -> tuple[Path, Path | None, Path]:
    """The project, and the environments of the server (None: ours) and of what the project imports.

    Raises UnavailableError when one of them is neither in the cache nor to be had.
    """
    own = environment(server.name, server.requirements) if server.requirements else None
    if own is None:
        compile_own()
    return fetch(project), own, environment("imports", DEPENDENCIES)


def compile_own() -> None:
    """Compile our own modules, as pip does with what it installs; the peers are installed that way."""
    compile_dir(Path(gateline.__file__).parent, quiet=2)


def _environment(scratch: Path, imports: Path) -> dict[str, str]:
    """Empty caches, the projects' interpreter, and a git that is counted."""
    return {
        # Nobody uses a server that is compiled anew at each start.
        "PYTHONDONTWRITEBYTECODE": "",
        "PATH": os.pathsep.join((str(scratch / "bin"), os.environ["PATH"])),
        "VIRTUAL_ENV": str(imports),
        "XDG_CACHE_HOME": str(scratch / "cache"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def _write(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def _commit(root: Path) -> None:
    for arguments in (("init", "-b", "main"), ("add", "-A"), (*_IDENTITY, "commit", "-m", "as distributed")):
        subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


def _shim(folder: Path, log: Path) -> None:
    """A `git` that notes each call. Its paths are written into it: servers may not pass on variables."""
    git = shutil.which("git")
    folder.mkdir()
    shim = folder / "git"
    shim.write_text(f'#!/bin/sh\necho "$@" >> "{log}"\nexec "{git}" "$@"\n', encoding="utf-8")
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
