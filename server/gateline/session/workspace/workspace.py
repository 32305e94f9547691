"""What a workspace is measured with: root, settings, git and interpreter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path

from gateline.gates.waivers import NONE, Waivers
from gateline.git import GitError
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.tests.coverage_settings import Settings, coverage_settings
from gateline.session.types.settings import mypy_settings
from gateline.session.workspace import base as bases
from gateline.session.workspace.changes import Collector
from gateline.session.workspace.git import Git
from gateline.session.workspace.interpreter import Interpreter, find_interpreter
from gateline.session.workspace.security_settings import security_settings
from gateline.session.workspace.settings import LoadedSettings, base_settings, load_settings
from gateline.session.workspace.waivers import base_waivers
from gateline.settings.governed import governed


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
    settings_of: Callable[[bases.Base], LoadedSettings | None]
    """The settings that a base has; None: it has none that can be read. Blocks."""
    interpreter_of: Callable[[str | None], Interpreter]
    """The interpreter by what the setting `python` says. Blocks."""
    types_settings: str = ""
    """The file that mypy is to read in place of the project's settings; "" for those."""
    security_files: Mapping[str, str] = field(default_factory=dict)
    """The files of bandit, ruff and detect-secrets that judge a change, by name."""
    coverage_settings: Settings = ()
    """The settings of coverage that hold in place of those on disk; nothing for those."""
    waivers: Waivers = NONE
    """What the base accepts."""
    found: bases.Found | None = None
    """Its own base, once it was looked for."""
    copy_of: str = ""
    """The folder that this one is a copy of: what is installed from there is imported from here."""

    def base(self, ref: str | None = None) -> bases.Base:
        """The base for `ref`, or for the setting. Blocks. Raises UsageError or UndecidedError.

        The setting is the one that the default branch has: no change chooses what it is measured against.
        """
        if ref:
            return bases.resolve(self.git, ref)
        said = self.loaded.settings.base
        try:
            default = bases.resolve(self.git, None)
        except UndecidedError:
            if not said:
                raise
            return bases.resolve_fallback(self.git, said)
        theirs = self.settings_of(default)
        said = theirs.settings.base if theirs is not None else said
        return bases.resolve(self.git, said) if said else default

    def in_force(self) -> Workspace:
        """The same as its own base judges it; unchanged where none can be found. Blocks."""
        signature = bases.refs_signature(self.git.git_dir) if self.git else ()
        try:
            base = self.base()
            return replace(self.judged_by(base), found=bases.Found(signature, base))
        except (UsageError, UndecidedError, GitError):
            return self

    def judged_by(self, base: bases.Base) -> Workspace:
        """The same with the settings of the base, where they decide how a change is judged. Blocks."""
        judged = replace(
            self,
            types_settings=mypy_settings(self.root, self.git, base),
            security_files=security_settings(self.root, self.git, base),
            coverage_settings=coverage_settings(self.git, base),
            waivers=base_waivers(self.git, base, datetime.now(UTC).date()),
        )
        theirs = self.settings_of(base)
        if theirs is None:
            return judged
        loaded = governed(self.loaded, theirs, "the base")
        settings = loaded.settings
        collector = replace(self.collector, max_size=settings.max_file_size, exclude=settings.exclude)
        if settings.python != self.loaded.settings.python:
            judged = replace(judged, interpreter=self.interpreter_of(settings.python))
        return replace(judged, loaded=loaded, collector=collector)


def open_workspace(
    root: Path,
    environ: Mapping[str, str],
    overrides: Mapping[str, object] | None = None,
    python: str | None = None,
    *,
    trusted: bool = True,
) -> Workspace:
    """Look at the folder; nothing of it is run. `python` is the one that a client gave."""
    loaded = load_settings(root, environ, overrides or {})
    git, problem = _git(root)
    collector = Collector(root, git, loaded.settings.max_file_size, loaded.settings.exclude)
    # Asked for the same commit again and again.
    of_base = lru_cache(partial(base_settings, git, environ=environ, overrides=overrides or {}))

    def interpreter_of(said: str | None) -> Interpreter:
        """A client's, else what the settings say, where they may name programs."""
        if python or not said or not trusted:
            return find_interpreter(root, environ, python, trusted=trusted)
        return find_interpreter(root, environ, said, origin="the setting `python`")

    interpreter = interpreter_of(loaded.settings.python)
    security = security_settings(root, None, None)
    return Workspace(
        root,
        loaded,
        git,
        problem,
        interpreter,
        collector,
        of_base,
        interpreter_of,
        security_files=security,
    )


def _git(root: Path) -> tuple[Git | None, str]:
    try:
        return Git.find(root), ""
    except GitError as error:
        return None, str(error)
