"""A function that gives one value in one branch, and two in another: `return part`, `return part, True`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import Definition, called
from gateline.repairs.analysis.code import walk_scope
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import mismatches
from gateline.repairs.priors import prior

_CODES = frozenset({"TypeError", "ValueError"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """What a function gave cannot be unpacked."""
    found = list(_found(problem, knowledge))
    if not found:
        return None
    return Diagnosis(problem, Family.TYPE, "missing-value", "several values", "one")


def propose(question: Question) -> Iterator[Repair]:
    """The last value that the other branches give, or its opposite."""
    yield from cheapest(
        repair(
            question,
            f"Also return {text}",
            [definition.code.edit(end, end, f", {text}")],
            prior("returns.value") + prior("shared.rank") * rank + prior("shared.step") * steps,
        )
        for definition, steps in _found(question.problem, question.knowledge)
        for value in _alone(definition)
        for end in [definition.code.end(value)]
        for rank, text in enumerate(_last_values(definition))
    )


def _found(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Definition, int]]:
    """The functions whose values are unpacked, and that do not always give several."""
    for mismatch in (m for m in mismatches(problem, knowledge) if m.says == "one:unpack"):
        for origin in origins(knowledge, mismatch.spot, mismatch.node):
            if isinstance(origin.node, ast.Call):
                known = called(knowledge, origin.spot, origin.node)[:2]
                yield from ((d, origin.steps) for d in known if _alone(d) and any(_last_values(d)))


def _returned(definition: Definition) -> list[ast.expr]:
    nodes = walk_scope(definition.node)
    return [n.value for n in nodes if isinstance(n, ast.Return) and n.value is not None]


def _alone(definition: Definition) -> list[ast.expr]:
    """What is returned, and is no tuple."""
    return [v for v in _returned(definition) if not isinstance(v, ast.Tuple | ast.Call | ast.Constant)]


def _last_values(definition: Definition) -> Iterator[str]:
    """The last of the values that other branches give; what is true there may be false here."""
    given = [v.elts[-1] for v in _returned(definition) if isinstance(v, ast.Tuple) and len(v.elts) == 2]
    yield from dict.fromkeys(definition.code.segment(value) for value in given)
    known = {v.value for v in given if isinstance(v, ast.Constant) and isinstance(v.value, bool)}
    yield from (str(not value) for value in known if (not value) not in known)
    note = getattr(definition.node, "returns", None)
    if not given and note is not None and "int]" in ast.unparse(note):
        yield from ("0", "1")


REPAIRER = Repairer("values returned", _CODES, diagnose, propose)
