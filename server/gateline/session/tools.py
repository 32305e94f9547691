"""Makes what judges a workspace: the engine with its analyzers, and the type checker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gateline.model import Dimension
from gateline.model.newer_syntax import OWN
from gateline.plugins import load_analyzers
from gateline.services.ty import TyChecker
from gateline.services.typecheck import TypeChecker
from gateline.services.types.options import TypeOptions
from gateline.services.types.ty.server import TySetup
from gateline.session.judge.engine import Engine
from gateline.session.judge.judging import Judging
from gateline.session.tests.setup import tests_of
from gateline.session.types.setup import SWITCHED_OFF, type_setup
from gateline.session.types.ty import MISSING, find_ty
from gateline.session.types.types import Types
from gateline.session.workspace.dependents import Surroundings
from gateline.session.workspace.imports import Imports
from gateline.session.workspace.python_version import newest_python
from gateline.session.workspace.security_settings import BASELINE
from gateline.session.workspace.workspace import Workspace
from gateline.settings.model import Settings

_AS_A_WHOLE = ("duplication",)
"""Looked for across documents, not in one: asked for on its own."""


def judging_for(workspace: Workspace, *, trusted: bool, agreed: bool = False) -> Judging:
    """What judges this workspace. Nothing is started yet; code of the project runs only when `trusted`.

    Plug-ins of its type checker run where a person `agreed` that its code runs.
    """
    settings = workspace.loaded.settings
    engine = Engine(_options(workspace), _analyzers(settings))
    around = Surroundings(workspace.collector, Imports(workspace.root, settings.max_file_size))
    types = _types(workspace, trusted=trusted, agreed=agreed)
    tests = tests_of(workspace, trusted=trusted)
    collector, interpreter = workspace.collector, workspace.interpreter
    return Judging(engine, types, tests, settings, collector, around, interpreter, workspace.waivers)


def _analyzers(settings: Settings) -> Mapping[str, Dimension]:
    """The analyzers that are switched on. A plug-in without a section of its own is."""
    sections = {name: getattr(settings, name, None) for name in (a.name for a in load_analyzers())}
    off = {name for name, section in sections.items() if section is not None and not section.enabled}
    return {a.name: a.dimension for a in load_analyzers() if a.name not in off and a.name not in _AS_A_WHOLE}


def _options(workspace: Workspace) -> dict[str, Mapping[str, object]]:
    settings, files = workspace.loaded.settings, workspace.security_files
    told = {name: text for name, text in sorted(files.items()) if name != BASELINE}
    return {
        "security": {**settings.security.model_dump(exclude={"enabled"}), "files": told},
        "secrets": {"baseline": files.get(BASELINE, "")},
        "syntax": {"target": newest_python(workspace.root, workspace.interpreter)},
        "complexity": {"best": settings.gates.complexity_best, "worst": settings.gates.complexity_worst},
        "duplication": {"min_tokens": settings.duplication.min_tokens},
    }


def uses_mypy(settings: Settings) -> bool:
    """Whether mypy checks types, alone or beside another."""
    return settings.types.enabled and settings.types.engine != "ty"


def _types(workspace: Workspace, *, trusted: bool, agreed: bool) -> Types:
    settings = workspace.loaded.settings.types
    if not settings.enabled:
        return Types(None)
    if settings.engine == "mypy":
        return Types(_mypy(workspace, trusted=trusted, agreed=agreed))
    ty = _ty(workspace, trusted=trusted)
    if settings.engine == "ty":
        return Types(ty, MISSING)
    return Types(_mypy(workspace, trusted=trusted, agreed=agreed), fast=ty)


def _mypy(workspace: Workspace, *, trusted: bool, agreed: bool) -> TypeChecker:
    settings = workspace.loaded.settings.types
    setup = type_setup(workspace.root, workspace.interpreter.of_packages, trusted=trusted, agreed=agreed)
    if settings.plugins == "never":
        setup = replace(setup, plugins=False, refused=SWITCHED_OFF)
    newest = newest_python(workspace.root, workspace.interpreter)
    version = "{}.{}".format(*newest) if newest > OWN else ""
    setup = replace(setup, settings=workspace.types_settings, version=version)
    return TypeChecker(TypeOptions(setup, settings.memory_cap * 1_000_000, settings.timeout))


def _ty(workspace: Workspace, *, trusted: bool) -> TyChecker | None:
    """None: there is none. Beside mypy it only looks at the text that is typed."""
    settings = workspace.loaded.settings.types
    found = find_ty(workspace, trusted=trusted)
    if found is None:
        return None
    setup = TySetup(found.path, str(workspace.root), workspace.interpreter.of_packages, trusted)
    return TyChecker(setup, settings.timeout, follow=settings.engine == "ty")
