"""A class is asked for what its module has: `datetime.timedelta` behind `from datetime import datetime`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.imports import added, imports
from gateline.repairs.analysis.world import exports
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.missing_attribute import LACKING, Lacking, lacking
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A class lacks an attribute, and the module that it was imported from has one of that name."""
    found = lacking(problem, knowledge)
    if found is None or found.says != "class" or not _module(found, knowledge):
        return None
    return Diagnosis(problem, Family.NAME, "beside-a-class", "a name of the module", found.name, found.places)


def propose(question: Question) -> Iterator[Repair]:
    """The name is imported as well, and stands alone wherever the class was asked for it."""
    found = lacking(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_imported(question, found))


def _imported(question: Question, found: Lacking) -> Iterator[Repair]:
    module, code = _module(found, question.knowledge), found.code
    uses = [n for n in code.nodes if isinstance(n, ast.Attribute) and n.attr == found.name]
    edits = [code.replace(n, found.name) for n in uses if code.segment(n.value) == found.receiver]
    edits.append(added(code, module, found.name, tops(question.knowledge)))
    yield repair(question, f"Import {found.name} from {module}", edits, prior("imports.beside-class"))


def _module(found: Lacking, knowledge: Knowledge) -> str:
    """The module from which the class was imported, if it offers the name; else nothing."""
    for node in imports(found.code):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = {alias.asname or alias.name for alias in node.names}
            if found.receiver in names and found.name in exports(knowledge, node.module):
                return node.module
    return ""


REPAIRER = Repairer("beside a class", LACKING, diagnose, propose)
