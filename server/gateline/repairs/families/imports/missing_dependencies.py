"""A package that is imported, but not installed: it is added to the project's own dependencies.

How to install it is told; nothing is ever installed. Where it is declared, that is all there is to say.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.dependencies import declared, normal, tables, with_dependency
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import repair
from gateline.repairs.edits import between
from gateline.repairs.locate.failed_imports import IMPORTING, Importing, importing
from gateline.repairs.priors import prior
from gateline.repairs.tables import table


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A top-level module that is nobody's."""
    found = importing(problem, knowledge)
    if found is None or not _is_foreign(found, knowledge):
        return None
    declaring = _declaring(found.module, knowledge)
    advice = f"{declaring} declares it, and it is not installed here: {_installing(declaring, found.module)}"
    return Diagnosis(
        problem,
        Family.IMPORT,
        "missing-dependency",
        "installed",
        found.module,
        (found.place,),
        advice if declaring else "",
    )


def _declaring(module: str, knowledge: Knowledge) -> str:
    """The file that declares what a module comes from, of one that is not installed; "" without any."""
    if module.partition(".")[0] in knowledge.modules():
        return ""
    return next((p for p in tables(knowledge.paths()) if is_declared(p, knowledge.text(p) or "", module)), "")


def _installing(path: str, module: str) -> str:
    name, _ = _distribution(module)
    others = " (or: uv sync, poetry install)" if path.endswith("pyproject.toml") else ""
    return f"python -m pip install {name}{others}"


def _is_foreign(found: Importing, knowledge: Knowledge) -> bool:
    top = found.module.partition(".")[0]
    is_known = top in sys.stdlib_module_names or top in tops(knowledge)
    return (
        found.says in {"module", "package"}
        and bool(top)
        and not is_known
        and not found.written.startswith(".")
    )


def propose(question: Question) -> Iterator[Repair]:
    """One more dependency, in the table that the project has."""
    found = importing(question.problem, question.knowledge)
    if found is None or question.diagnosis.advice or not _is_foreign(found, question.knowledge):
        return
    name, cost = _distribution(found.module)
    for path in tables(question.knowledge.paths()):
        text = question.knowledge.text(path) or ""
        after = with_dependency(path, text, name)
        if after is not None:
            title = f"Add {name} to the dependencies in {path}"
            reason = f"Then install it: {_command(path, name)}"
            yield repair(question, title, between(path, text, after), cost, reason=reason)
            return


def _distribution(module: str) -> tuple[str, float]:
    """What has to be installed for a module, and how sure that is."""
    top = module.partition(".")[0]
    known = table("distributions")["distributions"].get(top)
    return (
        (known, prior("imports.dependency-known"))
        if known
        else (top.replace("_", "-"), prior("imports.dependency-guessed"))
    )


def _command(path: str, name: str) -> str:
    if path.endswith("pyproject.toml"):
        return f"python -m pip install {name} (or: uv add {name}, poetry add {name})"
    return f"python -m pip install {name}"


def is_declared(path: str, text: str, module: str) -> bool:
    """Whether a file of dependencies declares what a module comes from."""
    return normal(_distribution(module)[0]) in declared(path, text)


REPAIRER = Repairer("missing dependencies", IMPORTING, diagnose, propose)
