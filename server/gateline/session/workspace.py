"""What a workspace is measured with: root, settings, git and interpreter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gateline.session import base as bases
from gateline.session.changes import Collector
from gateline.session.git import Git, GitError
from gateline.session.interpreter import Interpreter, find_interpreter
from gateline.session.settings import LoadedSettings, load_settings


@dataclass(frozen=True)
class Workspace:
    """One folder and the tools and settings that belong to it. Making one blocks: do it in a thread."""

    root: Path
    loaded: LoadedSettings
    git: Git | None
    git_problem: str
    """Why git cannot be used though it should be; empty when all is well."""
    interpreter: Interpreter
    collector: Collector

    def base(self, ref: str | None = None) -> bases.Base:
        """The base for `ref`, or for the setting. Raises UsageError or UndecidedError."""
        return bases.resolve(self.git, ref or self.loaded.settings.base)


def open_workspace(
    root: Path,
    environ: Mapping[str, str],
    overrides: Mapping[str, object] | None = None,
    python: str | None = None,
) -> Workspace:
    """Look at the folder; nothing of it is run."""
    loaded = load_settings(root, environ, overrides or {})
    git, problem = _git(root)
    collector = Collector(root, git, loaded.settings.max_file_size, loaded.settings.exclude)
    return Workspace(root, loaded, git, problem, find_interpreter(root, environ, python), collector)


def _git(root: Path) -> tuple[Git | None, str]:
    try:
        return Git.find(root), ""
    except GitError as error:
        return None, str(error)
