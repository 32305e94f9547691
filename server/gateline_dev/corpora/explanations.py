"""What excuses a change: which explanations the rules of integrity asked, and what is found without some.

An explanation is a public function of a module in `integrity/explanations` that answers yes or no. Its name
is `module.function`, as in `opt_in.is_by_choice`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from types import FrameType, FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import gateline.integrity.explanations as folder
from gateline.integrity.rule import Rules
from gateline.plugins import load_rules


@dataclass(frozen=True)
class Asked:
    """How often an explanation said yes and no while one change was judged."""

    name: str
    yes: int
    no: int


@cache
def explanations() -> dict[str, FunctionType]:
    """All explanations by name."""
    load_rules()
    found: dict[str, FunctionType] = {}
    for info in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        module = importlib.import_module(info.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == info.name and name.startswith(("is_", "has_", "follows_", "reads_")):
                found[f"{info.name.rpartition('.')[2]}.{name}"] = function
    return found


def traced(judge: Callable[[], object]) -> list[Asked]:
    """Which explanations were asked while something was judged: those that said yes first."""
    names = {function.__code__: name for name, function in explanations().items()}
    said: dict[str, Counter[bool]] = {}

    def look(frame: FrameType, event: str, argument: Any) -> None:
        if event == "return" and (name := names.get(frame.f_code)) is not None:
            said.setdefault(name, Counter())[bool(argument)] += 1

    sys.setprofile(look)
    try:
        judge()
    finally:
        sys.setprofile(None)
    rows = [Asked(name, counts[True], counts[False]) for name, counts in said.items()]
    return sorted(rows, key=lambda row: (-row.yes, row.name))


def unknown(names: Iterable[str]) -> list[str]:
    """The names that no rule and no explanation has."""
    known = {*explanations(), *(word for rule in load_rules().rules for word in (rule.code, rule.name))}
    return [name for name in names if name not in known]


def codes_of(names: Sequence[str]) -> set[str]:
    """The codes of the rules that are named."""
    return {rule.code for rule in load_rules().rules if {rule.code, rule.name} & set(names)}


@contextmanager
def without(names: Sequence[str]) -> Iterator[Rules]:
    """The rules but for those that are named, while the explanations that are named explain nothing."""
    rules, gone = load_rules(), codes_of(names)
    with _in_place_of(names, lambda _name, _function: lambda *_, **__: False):
        yield replace(rules, rules=tuple(rule for rule in rules.rules if rule.code not in gone))


@contextmanager
def watched(names: Sequence[str]) -> Iterator[set[str]]:
    """Those of the explanations that are named which said yes meanwhile."""
    used: set[str] = set()

    def watching(name: str, function: FunctionType) -> Callable[..., Any]:
        def asked(*given: Any, **named: Any) -> Any:
            answer = function(*given, **named)
            if answer:
                used.add(name)
            return answer

        return asked

    with _in_place_of(names, watching):
        yield used


@contextmanager
def _in_place_of(
    names: Sequence[str], make: Callable[[str, FunctionType], Callable[..., Any]]
) -> Iterator[None]:
    """Other functions stand in the place of explanations, wherever integrity has them by name."""
    with ExitStack() as stack:
        for name in names:
            if function := explanations().get(name):
                other = make(name, function)
                for module, attribute in _uses(function):
                    stack.enter_context(patch.object(module, attribute, other))
        yield


def _uses(function: FunctionType) -> list[tuple[ModuleType, str]]:
    """Every name of a module of integrity that stands for a function."""
    modules = [m for name, m in sys.modules.items() if name.startswith("gateline.integrity.")]
    return [(m, name) for m in modules for name, value in vars(m).items() if value is function]
