"""Fields of dataclasses that begin as None, or as one list for all: each object gets one of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, is_none
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.imports import added
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.donors.initial_values import values_for
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.none_dereference import ABSENT, absents
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior

_MUTABLE = re.compile(r"mutable default <class '[\w.]+'> for field (\w+) is not allowed")
_CODES = ABSENT | {"ValueError"}
_MAKERS = {"[]": "list", "{}": "dict", "set()": "set"}
_NOTES = {"List": "list", "Dict": "dict", "Set": "set", "Sequence": "list", "Mapping": "dict"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A field of a dataclass that needs a container of its own."""
    if not any(_fields(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.NONE, "default-of-a-field", "a container", "None")


def propose(question: Question) -> Iterator[Repair]:
    """`field(default_factory=…)`."""
    yield from cheapest(
        r for field in _fields(question.problem, question.knowledge) for r in _of(question, *field)
    )


_Field = tuple[Code, ast.expr, list[str]]
"""The value that a field begins with, and what may make a new one each time."""


def _fields(problem: Problem, knowledge: Knowledge) -> Iterator[_Field]:
    told = _MUTABLE.search(problem.message)
    for spot in spots(problem, knowledge)[:1] if told is not None else ():
        for node in spot.code.nodes:
            if told is not None and isinstance(node, ast.AnnAssign) and dotted(node.target) == told[1]:
                yield from ((spot.code, v, [_maker(spot.code, v)]) for v in [node.value] if v is not None)
    for absent in absents(problem, knowledge) if told is None else ():
        used = Kinds(absent.code, knowledge, absent.spot.seen)
        for origin in origins(knowledge, absent.spot, absent.node):
            declared = origin.code.parent(origin.node)
            if not isinstance(declared, ast.AnnAssign) or not _is_dataclass(origin.code, declared):
                continue
            if is_none(origin.node) or _is_field_of_none(origin.node):
                noted = [_noted(n) for n in ast.walk(declared.annotation)]
                asked = [_MAKERS.get(value, "") for value, _ in values_for(used, absent.node)]
                yield origin.code, origin.node, [text for text in (*noted, *asked) if text]


def _is_dataclass(code: Code, node: ast.AST) -> bool:
    cls = code.parent(node)
    decorators = cls.decorator_list if isinstance(cls, ast.ClassDef) else []
    return any(last(d.func if isinstance(d, ast.Call) else d) == "dataclass" for d in decorators)


def _is_field_of_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and any(k.arg == "default" and is_none(k.value) for k in node.keywords)


def _noted(node: ast.AST) -> str:
    name = last(node)
    return name if name in _MAKERS.values() else _NOTES.get(name, "")


def _maker(code: Code, value: ast.expr) -> str:
    text = code.segment(value)
    is_call = isinstance(value, ast.Call) and not value.args and not value.keywords
    return _MAKERS.get(text) or (text.removesuffix("()") if is_call else f"lambda: {text}")


def _of(question: Question, code: Code, node: ast.expr, makers: list[str]) -> Iterator[Repair]:
    name, edits = _field_name(question, code, node)
    for rank, maker in enumerate(dict.fromkeys(makers)):
        text = f"{name}(default_factory={maker})"
        yield repair(
            question,
            f"Write {text}",
            [code.replace(node, text), *edits],
            prior("attributes.dataclass-default") + prior("attributes.dataclass-default-rank") * rank,
        )


def _field_name(question: Question, code: Code, node: ast.expr) -> tuple[str, list[Edit]]:
    known = visible(code, node)
    if isinstance(node, ast.Call):
        return code.segment(node.func), []
    if "field" in known:
        return "field", []
    if "dataclasses" in known:
        return "dataclasses.field", []
    return "field", [added(code, "dataclasses", "field", tops(question.knowledge))]


REPAIRER = Repairer("defaults of dataclasses", _CODES, diagnose, propose)
