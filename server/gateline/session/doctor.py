"""What was chosen in a workspace, and why; what is missing, and what to do."""

from __future__ import annotations

import asyncio
import importlib.metadata
import platform
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TypeVar

from gateline import __version__
from gateline.git import GitError
from gateline.model.newer_syntax import OWN
from gateline.services.embedding.choice import engine_to_be
from gateline.services.embedding.weights import MissingModelError, SpoiltModelError
from gateline.session.context.model import DistrustedModelError, models_folder, usable_weights
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.repairs.records import Happened, RepairRecords, Tally
from gateline.session.tests.consent import Answer, Consents
from gateline.session.tests.setup import may_have_tests_in, test_command
from gateline.session.types.ty import NEXT_STEP, find_ty
from gateline.session.workspace.python_version import newest_python
from gateline.session.workspace.roots import find_root
from gateline.session.workspace.untrusted_interpreter import is_inside
from gateline.session.workspace.workspace import Workspace, open_workspace
from gateline.store.folders import context_of

T = TypeVar("T")

_TOOLS = ("mypy", "bandit", "detect-secrets", "radon", "ast-serialize")


class Health(StrEnum):
    """How one answer is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that was chosen: its value, and why."""

    name: str
    value: str
    why: str = ""
    health: Health = Health.OK


@dataclass(frozen=True, slots=True)
class Section:
    """Facts that belong together."""

    title: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Doctor:
    """All sections, and the seconds that each step of looking took."""

    sections: tuple[Section, ...]
    timings: Mapping[str, float]

    @property
    def health(self) -> Health:
        """The worst of all facts."""
        found = {fact.health for section in self.sections for fact in section.facts}
        return next((h for h in (Health.PROBLEM, Health.WARNING) if h in found), Health.OK)


async def doctor(
    start: Path, environ: Mapping[str, str], python: str | None = None, *, trusted: bool = True
) -> Doctor:
    """Look at the workspace around `start`; nothing of it is run."""
    return await asyncio.to_thread(examine, start, environ, python, trusted=trusted)


def examine(
    start: Path, environ: Mapping[str, str], python: str | None = None, *, trusted: bool = True
) -> Doctor:
    """The same, blocking."""
    timings: dict[str, float] = {}

    def timed(step: str, work: Callable[[], T]) -> T:
        began = time.perf_counter()
        result = work()
        timings[step] = time.perf_counter() - began
        return result

    root = timed("root", lambda: find_root(start))
    opened = partial(open_workspace, root, environ, None, python, trusted=trusted)
    present = timed("settings, git, interpreter", opened)
    workspace = timed("settings of the base", present.in_force)
    sections = (
        Section("Workspace", _workspace(workspace)),
        Section("Base", timed("base", lambda: _base(workspace))),
        Section("Change", timed("change", lambda: _change(workspace))),
        Section("Settings", _settings(workspace)),
        Section("Python", _python(workspace, trusted=trusted)),
        Section("Tools", timed("tools", lambda: _tools(workspace, trusted=trusted))),
        Section("Tests", timed("tests", lambda: _tests(workspace, trusted=trusted))),
        Section("Context", timed("context", lambda: tuple(_context(workspace, environ, trusted=trusted)))),
        Section("Repairs", _repairs(RepairRecords().tally())),
    )
    return Doctor(sections, timings)


def _context(workspace: Workspace, environ: Mapping[str, str], *, trusted: bool) -> Iterator[Fact]:
    """The index as it is kept, and the model of the semantic tier; neither is loaded."""
    settings = workspace.loaded.settings.context
    if not settings.enabled:
        yield Fact("index", "switched off", "context.enabled")
        return
    folder = context_of(workspace.root)
    size = sum(file.stat().st_size for file in folder.glob("*") if file.is_file())
    yield Fact("index", f"{size / 1e6:.1f} MB" if size else "not made yet", str(folder))
    yield Fact("tiers", "symbols, lexical, static", "always there")
    if settings.semantic == "off":
        yield Fact("semantic", "switched off", "context.semantic")
        return
    try:
        found = usable_weights(settings, workspace.root, environ, models_folder(), trusted=trusted)
    except DistrustedModelError as error:
        yield Fact("semantic", "not used", str(error))
    except SpoiltModelError as error:
        yield Fact("semantic", "cannot be loaded", str(error), Health.WARNING)
    except MissingModelError as error:
        yield Fact("semantic", "no model", str(error), Health.WARNING if settings.model else Health.OK)
    else:
        engine = engine_to_be(found, models_folder())
        yield Fact("semantic", str(found.folder), f"{found.origin}; run by {engine}")


def _repairs(tally: Tally) -> tuple[Fact, ...]:
    """What became of repairs in the editors of this person, in all workspaces."""
    found, missed = tally.of(Happened.FOUND), tally.of(Happened.MISSED)
    rate = "nothing yet" if tally.success is None else f"{100 * tally.success:.0f} %"
    taken, undone = tally.of(Happened.ACCEPTED), tally.of(Happened.UNDONE)
    distrusted = [name for name in tally.patterns if not tally.is_trusted(name)]
    return (
        Fact("success", rate, f"{found} of {found + missed} searches found a repair that was verified"),
        Fact("taken", str(taken), f"of {tally.of(Happened.OFFERED)} that were offered; {undone} taken back"),
        *(Fact("not preferred", name, "it was taken back too often") for name in distrusted),
    )


def _workspace(workspace: Workspace) -> tuple[Fact, ...]:
    file = workspace.loaded.file
    why = (
        f"nearest folder with {file}"
        if file
        else "nearest folder with pyproject.toml, else git's root, else the folder itself"
    )
    return (
        Fact("root", str(workspace.root), why),
        Fact("settings", file or "defaults", "read from the root" if file else "no gateline table was found"),
    )


def _base(workspace: Workspace) -> tuple[Fact, ...]:
    if workspace.git_problem:
        return (Fact("git", workspace.git_problem, "without git nothing tells old from new", Health.PROBLEM),)
    try:
        base = workspace.base()
    except (UsageError, UndecidedError, GitError) as error:
        return (Fact("base", "none", str(error), Health.PROBLEM),)
    health = Health.OK if workspace.git and not base.doubt else Health.WARNING
    return (Fact("base", base.commit[:12], " · ".join(filter(None, (base.label, base.doubt))), health),)


def _change(workspace: Workspace) -> tuple[Fact, ...]:
    from gateline.session.workspace.changes import Selection

    try:
        change = workspace.collector.collect(workspace.base(), Selection())
    except (UsageError, UndecidedError, GitError) as error:
        return (Fact("files", "unknown", str(error), Health.PROBLEM),)
    skipped = [Fact(f.path, "not analysed", f.skipped, Health.WARNING) for f in change.files if f.skipped]
    return (Fact("files", str(len(change.files)), "Python files that differ from the base"), *skipped)


def _settings(workspace: Workspace) -> tuple[Fact, ...]:
    said = [(key, origin) for key, origin in workspace.loaded.origins.items() if origin != "default"]
    problems = [
        Fact(p.key or p.path, p.message, " · ".join(filter(None, (p.origin, p.suggestion))), Health.PROBLEM)
        for p in workspace.loaded.problems
    ]
    return (*problems, *(Fact(key, "set", origin) for key, origin in said)) or (Fact("all", "defaults"),)


_STILL = "; it does not run, because the workspace is not trusted: its files say where packages are"


def _python(workspace: Workspace, *, trusted: bool) -> tuple[Fact, ...]:
    chosen = workspace.interpreter
    missing = not Path(chosen.path).exists()
    still = "" if trusted or not is_inside(Path(chosen.path), workspace.root) else _STILL
    return (
        Fact("project", chosen.path, chosen.origin + still, Health.PROBLEM if missing else Health.OK),
        *_beside(workspace),
        Fact("gateline", f"{__version__} on Python {platform.python_version()}", sys.executable),
        *_newer_syntax(workspace),
    )


def _newer_syntax(workspace: Workspace) -> Iterator[Fact]:
    """Whether texts of the project may need a newer Python than gateline's."""
    newest = newest_python(workspace.root, workspace.interpreter)
    if newest > OWN:
        name = "{}.{}".format(*newest)
        lost = "texts with newer syntax have no complexity, documentation and security"
        yield Fact("target", name, f"{lost}: install gateline with Python {name}", Health.WARNING)


def _beside(workspace: Workspace) -> tuple[Fact, ...]:
    """Whether tests can run with the chosen one, whose packages count, and what was passed over."""
    chosen = workspace.interpreter
    notes = (note.rpartition(": ") for note in chosen.passed_over)
    facts = [Fact("passed over", what, why) for what, _, why in notes]
    if not chosen.has_runner:
        step = (
            "tests cannot run: install pytest there, or choose another interpreter "
            "with the setting `python` or --python"
        )
        facts.append(Fact("pytest", "not found", step, Health.WARNING))
    if chosen.packages:
        facts.append(Fact("packages", chosen.packages, "types are told by the project's environment"))
    return tuple(facts)


def _tools(workspace: Workspace, *, trusted: bool) -> tuple[Fact, ...]:
    own = tuple(Fact(name, importlib.metadata.version(name), "installed with gateline") for name in _TOOLS)
    return (*own, _ty(workspace, trusted=trusted), _git_version(workspace))


_WITHOUT_TY = {
    "mypy": ('only needed with types.engine = "ty" or "both"', Health.OK),
    "ty": (f"there are no type errors without it: {NEXT_STEP}", Health.PROBLEM),
    "both": (f"mypy alone answers: {NEXT_STEP}", Health.WARNING),
}
"""By the engine that is set: what it means that there is no ty."""


def _ty(workspace: Workspace, *, trusted: bool) -> Fact:
    engine = workspace.loaded.settings.types.engine
    found = find_ty(workspace, trusted=trusted)
    if found is not None:
        return Fact("ty", found.path, found.origin if engine != "mypy" else 'unused: types.engine is "mypy"')
    without, health = _WITHOUT_TY[engine]
    return Fact("ty", "not found", without, health)


def _tests(workspace: Workspace, *, trusted: bool) -> tuple[Fact, ...]:
    """Nothing is run to find out: what pytest it is and what it collects shows when tests are run."""
    if not workspace.loaded.settings.tests.enabled:
        return (Fact("tests", "switched off", "tests.enabled"),)
    there = may_have_tests_in(workspace)
    files = "there may be some" if there else "there are none"
    return (
        Fact("tests", files, "by the names of files"),
        Fact("command", shlex.join(test_command(workspace)), "`gateline check` runs tests so"),
        _consent(workspace, trusted=trusted),
    )


def _consent(workspace: Workspace, *, trusted: bool) -> Fact:
    consent = Consents().of(workspace.root)
    if not trusted:
        return Fact("in an editor", "never run", "the workspace is not trusted")
    if consent is None:
        return Fact("in an editor", "not run yet", "nobody was asked; it is asked once when a file is saved")
    if consent.answer is Answer.ALLOWED and consent.command != test_command(workspace):
        return Fact("in an editor", "not run", f"agreed on {consent.given} to another command")
    return Fact("in an editor", consent.answer.value, f"said on {consent.given}")


def _git_version(workspace: Workspace) -> Fact:
    found = shutil.which("git")
    if found is None:
        return Fact("git", "not found", "install git, so that old and new can be told apart", Health.PROBLEM)
    version = (workspace.git.line("--version") if workspace.git else None) or found
    return Fact("git", version.removeprefix("git version "), found)
