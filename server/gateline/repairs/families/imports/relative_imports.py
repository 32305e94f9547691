"""An import of a neighbour from the wrong place: a dot too many or too few, the package left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.imports import imports
from gateline.repairs.analysis.likeness import likest
from gateline.repairs.analysis.modules import absolute, package_of, workspace_modules
from gateline.repairs.donors.name_homes import relative_to
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.failed_imports import IMPORTING, Importing, importing, offers
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An import that leads out of the package, or to a module that stands in one."""
    found = importing(problem, knowledge)
    if found is None or found.says == "name":
        return None
    return Diagnosis(problem, Family.IMPORT, "relative-import", "a neighbour", found.written, (found.place,))


def propose(question: Question) -> Iterator[Repair]:
    """The neighbour, as this text imports others."""
    found = importing(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_repairs(question, found))


def _repairs(question: Question, found: Importing) -> Iterator[Repair]:
    knowledge = question.knowledge
    last = found.written.lstrip(".")
    for module, cost in _meant(knowledge, last):
        extra = (
            0
            if offers(knowledge, module, found.names) or not found.names
            else prior("imports.relative-not-offered")
        )
        for text, more in _written(knowledge, found, module):
            title = f"Import from {text}"
            yield repair(
                question, title, _edits(found, text), prior("imports.relative") + cost + extra + more
            )
    if not last:
        yield from _levels(question, found)


def _meant(knowledge: Knowledge, name: str) -> Iterator[tuple[str, float]]:
    """The modules of the workspace whose name ends so, or nearly so."""
    known = workspace_modules(knowledge.paths())
    for module in known if name else ():
        if module == name or module.endswith(f".{name}"):
            yield module, 0
    ends = {module.rpartition(".")[2]: module for module in known}
    for cost, end in likest(name.rpartition(".")[2], ends) if name else ():
        yield ends[end], prior("imports.relative-misspelled") + cost


def _written(knowledge: Knowledge, found: Importing, module: str) -> Iterator[tuple[str, float]]:
    """The module as this text names its neighbours: relative, or whole."""
    package = package_of(found.code.path, knowledge.paths())
    others = [n for n in imports(found.code) if isinstance(n, ast.ImportFrom) and n is not found.node]
    is_relative = any(n.level for n in others) or bool(getattr(found.node, "level", 0))
    is_whole = any(
        not n.level and (n.module or "").partition(".")[0] == package.partition(".")[0] for n in others
    )
    if package and isinstance(found.node, ast.ImportFrom):
        yield (
            relative_to(package, module),
            0 if is_relative or not is_whole else prior("imports.relative-among-whole"),
        )
    yield module, 0 if is_whole and not is_relative else prior("imports.whole-among-relative")


def _edits(found: Importing, text: str) -> list[Edit]:
    return list(found.module_written(text))


def _levels(question: Question, found: Importing) -> Iterator[Repair]:
    """`from .. import name`: other numbers of dots."""
    for level in (1, 2, 3):
        text = "." * level
        whole = absolute(text, found.code.path, question.knowledge.paths())
        if text != found.written and whole and offers(question.knowledge, whole, found.names):
            yield repair(
                question, f"Import from {text}", _edits(found, text), prior("imports.relative-level")
            )


REPAIRER = Repairer("relative imports", IMPORTING, diagnose, propose)
