"""A method that is called on its class: `Converter.convert(5)`, where `Converter().convert(5)` is meant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import classes
from gateline.repairs.analysis.code import Function
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(r"missing \d+ required positional arguments?: '(\w+)'")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An argument is missing in a call of a method."""
    if _TOLD.search(problem.message) is None:
        return None
    return Diagnosis(problem, Family.TYPE, "missing-object", "an object", "a class")


def propose(question: Question) -> Iterator[Repair]:
    """An object of the class."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for spot in [s for s in spots(question.problem, question.knowledge)[:1] if not is_test(s.code.path)]:
        for call in spot.candidates(ast.Call):
            func = call.func
            if not isinstance(func, ast.Attribute) or not dotted(func.value)[:1].isalpha():
                continue
            for _, cls in classes(question.knowledge, dotted(func.value)):
                if _takes_its_object(cls, func.attr, len(call.args)) and _needs_nothing(cls):
                    end = spot.code.end(func.value)
                    yield repair(
                        question,
                        f"Create an instance of {cls.name}",
                        [spot.code.edit(end, end, "()")],
                        prior("calls.object-first"),
                    )


def _takes_its_object(cls: ast.ClassDef, name: str, given: int) -> bool:
    methods = [n for n in cls.body if isinstance(n, Function) and n.name == name and not n.decorator_list]
    return any(len(m.args.args) - len(m.args.defaults) <= given + 1 for m in methods)


def _needs_nothing(cls: ast.ClassDef) -> bool:
    made = [n for n in cls.body if isinstance(n, Function) and n.name == "__init__"]
    return all(len(m.args.args) - len(m.args.defaults) <= 1 for m in made)


REPAIRER = Repairer("objects of classes", frozenset({"TypeError"}), diagnose, propose)
