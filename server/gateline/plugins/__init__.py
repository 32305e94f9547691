"""Collects analyzers, repairers and rules of integrity: built-in ones and those of other distributions."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import TypeVar

import gateline.analyzers
import gateline.integrity.rules
import gateline.repairs.families
from gateline.integrity.rule import Rule, Rules
from gateline.model import Analyzer, Inspection, Repairer, Report, State

GROUP = "gateline.plugins"
_KINDS = ("ANALYZER", "REPAIRER", "RULE")
"""Names under which a module declares what it brings."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Refused:
    """A plug-in that could not be loaded, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plugins:
    """Analyzers, repairers and rules by name, of the packages that were asked for, and what is missing."""

    analyzers: tuple[Analyzer, ...]
    refused: tuple[Refused, ...] = ()
    repairers: tuple[Repairer, ...] = ()
    rules: tuple[Rule, ...] = ()
    """Without the built-in ones, which only the worker needs: `load_rules`."""


@cache
def load() -> Plugins:
    """Import every module that declares one. One that cannot be imported loses only itself."""
    return _collected((gateline.analyzers, gateline.repairs.families))


@cache
def load_analyzers() -> tuple[Analyzer, ...]:
    """The analyzers alone: families of repairs take memory, and are needed in one process only."""
    return _collected((gateline.analyzers,)).analyzers


@cache
def load_rules() -> Rules:
    """The rules of integrity alone, by code; one that cannot be imported is missing, with the reason."""
    built_in = pkgutil.iter_modules(
        gateline.integrity.rules.__path__, f"{gateline.integrity.rules.__name__}."
    )
    names = [f"{package.name}.rule" for package in built_in]
    found = _declared([*names, *_others()])
    missing = (f"integrity: {r.name} cannot be loaded: {r.reason}" for r in found.refused if r.name in names)
    rules = tuple(sorted(found.rules, key=lambda rule: rule.code))
    return Rules(rules, tuple(missing), repaired=_repaired)


@lru_cache(maxsize=16)  # asked with each verdict while the base stays
def _repaired(text: str) -> str | None:
    """The likeliest text that parses near one that does not; None where none is known."""
    from gateline.repairs.syntax.search import solutions  # late: hardly any base is broken

    return next((one.text for one in solutions(text)), None)


def _collected(packages: Iterable[ModuleType]) -> Plugins:
    return _declared(_modules(packages))


def _declared(names: Iterable[str]) -> Plugins:
    analyzers: dict[str, Analyzer] = {}
    repairers: dict[str, Repairer] = {}
    rules: dict[str, Rule] = {}
    refused: list[Refused] = []
    for name in names:
        try:
            module = importlib.import_module(name)
        except Exception as error:  # noqa: BLE001 - other people's code
            refused.append(Refused(name, f"{type(error).__name__}: {error}"))
            continue
        declared = [getattr(module, kind, None) for kind in _KINDS]
        for one in declared:
            match one:
                case Analyzer():
                    analyzers.setdefault(one.name, one)
                case Repairer():
                    repairers.setdefault(one.name, one)
                case Rule():
                    rules.setdefault(one.name, one)
        if not any(isinstance(one, Analyzer | Repairer | Rule) for one in declared):
            refused.append(Refused(name, "declares no ANALYZER, no REPAIRER and no RULE"))
    return Plugins(_by_name(analyzers), tuple(refused), _by_name(repairers), _by_name(rules))


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
        found = pkgutil.walk_packages(built_in.__path__, f"{built_in.__name__}.")
        yield from (module.name for module in found if not module.ispkg)
    yield from _others()


def _others() -> list[str]:
    """The modules that other distributions name."""
    return [point.value for point in sorted(entry_points(group=GROUP))]
