"""From which module a name would be imported: the likeliest first."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from gateline.model import Knowledge
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.imports import imports
from gateline.repairs.analysis.modules import module_of, package_of, workspace_modules
from gateline.repairs.analysis.outline import outline_of
from gateline.repairs.dependencies import declared, normal, tables
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test
from gateline.repairs.tables import table


@dataclass(frozen=True, slots=True)
class Home:
    """A module that offers a name, as the text at hand would write it."""

    module: str
    cost: float


def tops(knowledge: Knowledge) -> tuple[str, ...]:
    """The top names of the workspace's own modules."""
    return tuple(sorted({m.partition(".")[0] for m in workspace_modules(knowledge.paths())}))


def homes(knowledge: Knowledge, code: Code, name: str) -> list[Home]:
    """The modules that offer `name`, in the words of `code`."""
    own = module_of(code.path, knowledge.paths())
    used = Counter(_imported(code))
    found = [
        Home(written(code, knowledge, m), _own_cost(m, name, used)) for m in ours(knowledge, name) if m != own
    ]
    others = [m for m in knowledge.homes(name) if m not in workspace_modules(knowledge.paths())]
    is_standard = any(_is_standard(m) for m in others)
    needed = declarations(knowledge)
    for module in others:
        is_needed = _is_standard(module) or _is_needed(module, used, needed)
        # What is installed for another package's sake has names that everybody uses, too.
        if is_needed or not is_standard:
            foreign = 0 if is_needed else prior("donors.home-undeclared")
            found.append(Home(module, _cost(module, used) + foreign))
    return sorted(found, key=lambda home: home.cost)


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _is_needed(module: str, used: Counter[str], needed: AbstractSet[str]) -> bool:
    top = module.partition(".")[0]
    known = table("distributions")["distributions"].get(top, top)
    return bool(used[top]) or normal(known) in needed


def declarations(knowledge: Knowledge) -> frozenset[str]:
    """The distributions that the workspace says it needs."""
    return frozenset(
        name for path in tables(knowledge.paths()) for name in declared(path, knowledge.text(path) or "")
    )


def _imported(code: Code) -> list[str]:
    modules = [n.module or "" if isinstance(n, ast.ImportFrom) else n.names[0].name for n in imports(code)]
    return [m.partition(".")[0] for m in modules]


def ours(knowledge: Knowledge, name: str) -> list[str]:
    """The modules of the workspace that declare a name themselves; tests are left out."""
    declares = _declaration(name)
    found = []
    for module, path in workspace_modules(knowledge.paths()).items():
        text = "" if is_test(path) else knowledge.text(path) or ""
        if name in text and declares.search(text) and name in outline_of(text).names:
            found.append(module)
    return found


@lru_cache(maxsize=32)
def _declaration(name: str) -> re.Pattern[str]:
    name = re.escape(name)
    return re.compile(rf"^[ \t]*(?:class|(?:async[ \t]+)?def)[ \t]+{name}\b|^[ \t]*{name}\b.*=", re.MULTILINE)


def _own_cost(module: str, name: str, used: Counter[str]) -> float:
    is_private = name.startswith("_") or any(part.startswith("_") for part in module.split("."))
    is_foreign = is_private and not used[module.partition(".")[0]]
    return prior("donors.home-own") + (prior("donors.home-own-private") if is_foreign else 0)


def written(code: Code, knowledge: Knowledge, module: str) -> str:
    """The module as this text imports its own: relative where it does so elsewhere."""
    relative = [n for n in imports(code) if isinstance(n, ast.ImportFrom) and n.level]
    package = package_of(code.path, knowledge.paths())
    if not relative or not package or not f"{module}.".startswith(f"{package.partition('.')[0]}."):
        return module
    return relative_to(package, module)


def relative_to(package: str, module: str) -> str:
    """A module of the same tree, as an import inside of `package` names it."""
    here, there = package.split("."), module.split(".")
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return "." * (len(here) - common + 1) + ".".join(there[common:])


def _cost(module: str, used: Counter[str]) -> float:
    order = popularity()
    rank = order.index(module) if module in order else len(order)
    cost = prior("donors.home-other") + rank / prior("donors.home-ranks-per-cost")
    if not _is_standard(module):
        cost += prior("donors.home-third-party")
    return cost - (prior("donors.home-imported") if used[module.partition(".")[0]] else 0)


def popularity() -> Sequence[str]:
    """The modules of the standard library by how often code imports them."""
    order: str = table("names")["popularity"]["order"]
    return _split(order)


@lru_cache(maxsize=1)
def _split(order: str) -> tuple[str, ...]:
    return tuple(order.split())
