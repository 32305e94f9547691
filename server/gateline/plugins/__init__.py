"""Collects analyzers and repairers: the built-in ones and those of other distributions, by the same door."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import TypeVar

import gateline.analyzers
import gateline.repairs.families
from gateline.model import Analyzer, Inspection, Repairer, Report, State

GROUP = "gateline.plugins"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Refused:
    """A plug-in that could not be loaded, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plugins:
    """All analyzers and repairers, by name, and the plug-ins that are missing."""

    analyzers: tuple[Analyzer, ...]
    refused: tuple[Refused, ...] = ()
    repairers: tuple[Repairer, ...] = ()


@cache
def load() -> Plugins:
    """Import every module that declares one. One that cannot be imported loses only itself."""
    return _collected((gateline.analyzers, gateline.repairs.families))


@cache
def load_analyzers() -> tuple[Analyzer, ...]:
    """The analyzers alone: families of repairs take memory, and are needed in one process only."""
    return _collected((gateline.analyzers,)).analyzers


def _collected(packages: Iterable[ModuleType]) -> Plugins:
    analyzers: dict[str, Analyzer] = {}
    repairers: dict[str, Repairer] = {}
    refused: list[Refused] = []
    for name in _modules(packages):
        try:
            module = importlib.import_module(name)
        except Exception as error:  # noqa: BLE001 - other people's code
            refused.append(Refused(name, f"{type(error).__name__}: {error}"))
            continue
        analyzer, repairer = getattr(module, "ANALYZER", None), getattr(module, "REPAIRER", None)
        if isinstance(analyzer, Analyzer):
            analyzers.setdefault(analyzer.name, analyzer)
        if isinstance(repairer, Repairer):
            repairers.setdefault(repairer.name, repairer)
        if not isinstance(analyzer, Analyzer) and not isinstance(repairer, Repairer):
            refused.append(Refused(name, "declares no ANALYZER and no REPAIRER"))
    return Plugins(_by_name(analyzers), tuple(refused), _by_name(repairers))


def _by_name(found: dict[str, _T]) -> tuple[_T, ...]:
    return tuple(found[name] for name in sorted(found))


def inspect_safely(analyzer: Analyzer, inspection: Inspection) -> Report:
    """The analyzer's report; an analyzer that crashes loses only its own, and the report says so."""
    try:
        return analyzer.inspect(inspection)
    except Exception as error:  # noqa: BLE001 - the boundary of one analyzer
        reason = f"{analyzer.name} crashed: {type(error).__name__}: {error}"
        return Report(analyzer.name, analyzer.dimension, State.FAILED, reason)


def _modules(packages: Iterable[ModuleType]) -> Iterable[str]:
    for built_in in packages:
        yield from (m.name for m in pkgutil.iter_modules(built_in.__path__, f"{built_in.__name__}."))
    yield from (point.value for point in sorted(entry_points(group=GROUP)))
