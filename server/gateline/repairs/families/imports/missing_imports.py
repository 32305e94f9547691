"""A name that is used and was never imported: from the standard library, the workspace or a package.

Also a name whose module is imported (`mktime` for `time.mktime`), and the customary short names (`np`).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.free_names import free_names
from gateline.repairs.analysis.imports import added, imports
from gateline.repairs.analysis.modules import absolute, module_of, workspace_modules
from gateline.repairs.analysis.world import exports
from gateline.repairs.donors.name_homes import declarations, homes, tops, written
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.undefined import UNDEFINED, Undefined, undefined
from gateline.repairs.priors import prior
from gateline.repairs.tables import table


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A name that nothing binds."""
    found = undefined(problem, knowledge)
    if found is None or found.is_unassigned:
        return None
    return Diagnosis(problem, Family.NAME, "missing-import", "an import", found.name, found.places)


def propose(question: Question) -> Iterator[Repair]:
    """Imports and qualified names."""
    found = undefined(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_repairs(question, found))


def _repairs(question: Question, found: Undefined) -> Iterator[Repair]:
    yield from _qualified(question, found)
    yield from _modules(question, found)
    for rank, home in enumerate(homes(question.knowledge, found.code, found.name)):
        cost = home.cost + prior("imports.missing-rank") * rank + _doubt(found)
        others = _lost_with(question, found, home.module)
        if others:
            yield _importing(
                question,
                found,
                home.module,
                ", ".join([found.name, *others]),
                cost - prior("imports.missing-several"),
            )
        yield _importing(question, found, home.module, found.name, cost)


def _doubt(found: Undefined) -> float:
    """A short word in lower case that is not called is rarely meant to be imported."""
    is_plain = found.name.islower() and "_" not in found.name
    return prior("imports.missing-uncalled-word") if is_plain and not found.is_called else 0


def _qualified(question: Question, found: Undefined) -> Iterator[Repair]:
    """The name of a module that is imported already."""
    for node in imports(found.code):
        for alias in node.names if isinstance(node, ast.Import) else ():
            if found.name in exports(question.knowledge, alias.name):
                whole = f"{alias.asname or alias.name}.{found.name}"
                edits = [found.code.replace(n, whole) for n in found.uses]
                yield repair(
                    question,
                    f"Write {whole}",
                    edits,
                    prior("imports.missing-qualifier"),
                    pattern="missing-qualifier",
                )


def _modules(question: Question, found: Undefined) -> Iterator[Repair]:
    """The name is a module, or what people call one."""
    attributes = found.attributes
    alias = table("names")["aliases"].get(found.name)
    if found.name in question.knowledge.modules() or found.name in tops(question.knowledge):
        known = exports(question.knowledge, found.name)
        fits = bool(attributes) and attributes <= known
        yield _importing(
            question,
            found,
            found.name,
            "",
            prior("imports.missing-module" if fits else "imports.missing-module-unfit"),
        )
    if alias and (attributes or alias.rpartition(".")[2] == found.name):
        line = f"{alias} as {found.name}"
        yield _importing(question, found, line, "", prior("imports.missing-by-alias"))
    yield from _own_modules(question, found)
    for parent in _parents(question.knowledge, found.name) if attributes else ():
        yield _importing(question, found, parent, found.name, prior("imports.missing-submodule"))


def _own_modules(question: Question, found: Undefined) -> Iterator[Repair]:
    """A module inside a package of the workspace, as `from shop import prices` has it."""
    knowledge, own = question.knowledge, module_of(found.code.path, question.knowledge.paths())
    for module in workspace_modules(knowledge.paths()):
        parent, _, last = module.rpartition(".")
        if last == found.name and parent and module != own:
            fits = bool(found.attributes) and found.attributes <= exports(knowledge, module)
            home = written(found.code, knowledge, parent)
            yield _importing(
                question,
                found,
                home,
                found.name,
                prior("imports.missing-own-module" if fits else "imports.missing-own-module-unfit"),
            )


def _parents(knowledge: Knowledge, name: str) -> list[str]:
    """The packages that hold a module of this name."""
    inside = [m.rpartition(".")[0] for m in knowledge.modules() if m.endswith(f".{name}")]
    likely = declarations(knowledge) | sys.stdlib_module_names | set(tops(knowledge))
    return [m for m in inside if not m.startswith("_") and m.partition(".")[0] in likely][:4]


def _importing(question: Question, found: Undefined, module: str, name: str, cost: float) -> Repair:
    code: Code = found.code
    title = f"Import {name} from {module}" if name else f"Import {module}"
    return repair(question, title, [added(code, module, name, tops(question.knowledge))], cost)


def _lost_with(question: Question, found: Undefined, module: str) -> list[str]:
    """Other names that nothing binds and the same module has: the whole import was lost."""
    whole = absolute(module, found.code.path, question.knowledge.paths()) or module
    return sorted((free_names(found.code.text) - {found.name}) & exports(question.knowledge, whole))


REPAIRER = Repairer("missing imports", UNDEFINED, diagnose, propose)
