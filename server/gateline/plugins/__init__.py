"""Collects analyzers: the built-in ones and those of other distributions, by the same door."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points

import gateline.analyzers
from gateline.model import Analyzer, Inspection, Report, State

GROUP = "gateline.plugins"


@dataclass(frozen=True, slots=True)
class Refused:
    """A plug-in that could not be loaded, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plugins:
    """All analyzers, by name, and the plug-ins that are missing."""

    analyzers: tuple[Analyzer, ...]
    refused: tuple[Refused, ...] = ()


@cache
def load() -> Plugins:
    """Import every module that declares an analyzer. One that cannot be imported loses only itself."""
    found: dict[str, Analyzer] = {}
    refused: list[Refused] = []
    for name in _modules():
        try:
            analyzer = getattr(importlib.import_module(name), "ANALYZER", None)
        except Exception as error:  # noqa: BLE001 - other people's code
            refused.append(Refused(name, f"{type(error).__name__}: {error}"))
            continue
        if isinstance(analyzer, Analyzer):
            found.setdefault(analyzer.name, analyzer)
        else:
            refused.append(Refused(name, "declares no ANALYZER"))
    return Plugins(tuple(found[name] for name in sorted(found)), tuple(refused))


def inspect_safely(analyzer: Analyzer, inspection: Inspection) -> Report:
    """The analyzer's report; an analyzer that crashes loses only its own, and the report says so."""
    try:
        return analyzer.inspect(inspection)
    except Exception as error:  # noqa: BLE001 - the boundary of one analyzer
        reason = f"{analyzer.name} crashed: {type(error).__name__}: {error}"
        return Report(analyzer.name, analyzer.dimension, State.FAILED, reason)


def _modules() -> Iterable[str]:
    built_in = gateline.analyzers
    yield from (m.name for m in pkgutil.iter_modules(built_in.__path__, f"{built_in.__name__}."))
    yield from (point.value for point in sorted(entry_points(group=GROUP)))
