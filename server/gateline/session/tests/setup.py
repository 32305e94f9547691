"""What runs the tests of a workspace, from its settings."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path

from gateline.git import GitError
from gateline.model import Change, digest_of
from gateline.services.tests.book import TestBook
from gateline.services.tests.laying import LayingRunner, Project
from gateline.services.tests.options import Limits, TestOptions
from gateline.session.judge.verdict_cache.environment import (
    editable_elsewhere,
    own_state,
    places_of,
    state_of,
    variables,
)
from gateline.session.tests import unrun
from gateline.session.tests.base_results import BaseTests
from gateline.session.tests.base_whole import KeptBases
from gateline.session.tests.coverage_reports import CoverageReports
from gateline.session.tests.covering_base import BaseCoverageFiles, CoveringBase
from gateline.session.tests.selecting import Selecting
from gateline.session.tests.testing import Tests
from gateline.session.tests.timing import TimingTests
from gateline.session.tests.trees import tree_of_base
from gateline.session.tests.untested import Untested
from gateline.session.workspace import interpreter
from gateline.session.workspace.workspace import Workspace
from gateline.store.folders import user_cache
from gateline.testing.naming import CONFIGURATION, is_test, may_have_tests

_UNCLOSED = "NO_GATELINE_SANDBOX"
"""A variable: when it is set, tests run as on a system that has no sandbox."""


def tests_of(workspace: Workspace, *, trusted: bool) -> Tests:
    """The tests of a workspace. Nothing is started yet; none are run unless it is `trusted`."""
    settings = workspace.loaded.settings.tests
    look = partial(may_have_tests_in, workspace)
    untested = Untested(CoverageReports(workspace.root, settings.coverage_reports))
    if not settings.enabled:
        return Tests(None, unrun.SWITCHED_OFF, look, absent=unrun.switched_off())
    if not trusted:
        return Tests(None, unrun.UNTRUSTED, look, untested=untested, absent=unrun.untrusted())
    options = _options(workspace)
    book = TestBook(workspace.root, book_file(options))
    selecting = Selecting(book, partial(workspace.collector.files, _every), settings.affordable)
    lying = partial(project_of, workspace) if workspace.git else None
    runner, base = LayingRunner(options, lying), LayingRunner(options, lying)
    bases = kept_bases(workspace, options)
    at_base = BaseTests(
        base, runner, partial(tree_of_base, workspace.git, workspace.root), bases, workspace.root
    )
    budget = settings.performance_budget
    timing = TimingTests(runner, base, budget, overlay=at_base.overlay, times=at_base.times)
    file = book_file(options)
    kept = BaseCoverageFiles(file.parent / "bases" / file.name)
    at = CoveringBase(runner, selecting, kept, at_base.overlay, at_base.coverage)
    python, *rest = test_command(workspace)
    command = (interpreter.shown(python, workspace.root), *rest)
    return Tests(runner, "", look, selecting, at_base, timing, untested, covering_base=at, command=command)


def kept_bases(workspace: Workspace, options: TestOptions) -> KeptBases:
    """Where it is kept what a run of all tests at a base said."""
    file = book_file(options)

    def tree_of(change: Change) -> str:
        if workspace.git is None:
            return ""
        return workspace.git.line("rev-parse", "--verify", "--quiet", f"{change.base}^{{tree}}") or ""

    return KeptBases(file.with_suffix(".bases"), partial(_surroundings, workspace, options), tree_of)


def _surroundings(workspace: Workspace, options: TestOptions) -> str:
    """All that results of tests depend on beside the files; "" where that cannot be told. Blocks."""
    places = places_of(options.python)
    if not places or editable_elsewhere(places, workspace.root):
        return ""
    asked = repr((options.arguments, options.limits, options.network, options.coverage_settings))
    rows = (own_state(), state_of(places, workspace.root), asked, *variables(os.environ))
    return digest_of("\0".join(rows))


def project_of(workspace: Workspace) -> Project:
    """What lies in the folder of a workspace. Blocks. Raises OSError."""
    assert workspace.git is not None
    try:
        return Project(workspace.git.files(), workspace.git.ignored_files(), workspace.git.inside())
    except GitError as error:
        raise OSError(str(error)) from None


def test_command(workspace: Workspace) -> tuple[str, ...]:
    """What runs tests, as a person would type it."""
    return (workspace.interpreter.path, "-m", "pytest", *workspace.loaded.settings.tests.arguments)


def _every(_path: str) -> bool:
    return True


def may_have_tests_in(workspace: Workspace) -> bool:
    """Whether there may be tests, by the names of files. Blocks; nothing is run."""
    files = (workspace.root / name for name in CONFIGURATION)
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file())
    named = (workspace.root / path for path in workspace.collector.project_files() if is_test(path))
    return may_have_tests(map(_text, named), texts)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def book_file(options: TestOptions) -> Path:
    """Where it is kept what tests execute: in the user's cache, never in the project."""
    key = "\0".join((str(options.root.resolve()), options.python, *options.arguments))
    return user_cache() / "tests" / digest_of(key)


def book_file_of(workspace: Workspace) -> Path:
    """The same, by the settings of a workspace."""
    return book_file(_options(workspace))


def _options(workspace: Workspace) -> TestOptions:
    settings = workspace.loaded.settings.tests
    limits = Limits(
        test=settings.timeout, total=settings.total_timeout, memory=settings.memory_cap * 1_000_000
    )
    python, arguments = workspace.interpreter.path, settings.arguments
    options = TestOptions(
        workspace.root,
        python,
        arguments,
        limits,
        network=settings.network,
        coverage_settings=workspace.coverage_settings,
        sandbox=_UNCLOSED not in os.environ,
        instead_of=workspace.copy_of,
    )
    return replace(options, compiled=book_file(options).with_suffix(".compiled"))
