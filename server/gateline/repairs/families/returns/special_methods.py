"""A method that Python itself calls gives the wrong type: `__bool__` a list, `__str__` a number.

The error is met where the object is used; what is wrong is the `return` of the method, which no frame shows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import Definition, definitions
from gateline.repairs.analysis.dataflow import returned
from gateline.repairs.analysis.likeness import words
from gateline.repairs.analysis.protocols import SPECIALS, method_told
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_COUNTS = frozenset({"amount", "count", "height", "length", "number", "size", "total", "width"})
"""What a text is called that tells a number: that is the length, not how long the text is."""
_MOST = 8
"""Methods that are looked at."""
_CODES = frozenset({"TypeError"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A method of the workspace that returned what it must not."""
    name, actual = method_told(problem.message)
    if name not in SPECIALS or actual == "NoneType" or not _defined(problem, knowledge, name):
        return None
    return Diagnosis(problem, Family.TYPE, "missing-conversion", SPECIALS[name].type, actual)


def propose(question: Question) -> Iterator[Repair]:
    """What it returns, converted."""
    name, _ = method_told(question.problem.message)
    found = _defined(question.problem, question.knowledge, name) if name in SPECIALS else []
    yield from cheapest(
        r
        for rank, one in enumerate(found)
        for r in _converted(question, one, name, prior("shared.rank") * rank)
    )


def _defined(problem: Problem, knowledge: Knowledge, name: str) -> list[Definition]:
    """The methods that may be meant: first those of classes whose objects were there when it failed."""
    # `range("3")` fails with the words of a wrong `__len__`: there only an object that was asked counts.
    named = name != "__len__"
    seen: set[str] = set()
    for spot in spots(problem, knowledge)[:1]:
        kinds = Kinds(spot.code, knowledge, spot.seen)
        asked = spot.candidates(ast.expr) if named or spot.node is None else _asked(spot.node)
        held = spot.seen.values() if named else ()
        seen |= {kind.rpartition(".")[2] for kind in (*map(kinds.of, asked), *held)}
    found = [
        (d, d.cls.name in seen) for d in definitions(knowledge, name) if d.cls and not is_test(d.code.path)
    ]
    meant = [row for row in found if named or row[1]]
    return [definition for definition, _ in sorted(meant, key=lambda row: not row[1])][:_MOST]


def _asked(node: ast.AST) -> list[ast.AST]:
    """What failed, and what it was done with: `box` of `len(box)`, not the `self` of `range(self.size)`."""
    return [node, *ast.iter_child_nodes(node)]


def _converted(question: Question, found: Definition, name: str, doubt: float) -> Iterator[Repair]:
    code, kinds = found.code, Kinds(found.code, question.knowledge)
    for value in returned(found):
        if isinstance(value, ast.Constant) or _is_right(kinds, value, name):
            continue
        functions = SPECIALS[name].made_by
        for rank, function in enumerate(reversed(functions) if _is_count(question, value) else functions):
            text = f"{function}({code.segment(value)})"
            cost = prior("returns.special-method") + prior("returns.special-method-rank") * rank + doubt
            yield repair(question, f"Return {text}", [code.replace(value, text)], cost)


def _is_count(question: Question, value: ast.expr) -> bool:
    """Whether a text that was given is called as a number is: `self.size`."""
    name = words(dotted(value).rpartition(".")[2])
    return question.diagnosis.actual == "str" and bool(name) and name[-1] in _COUNTS


def _is_right(kinds: Kinds, value: ast.expr, name: str) -> bool:
    """Whether a value surely has the type that is wanted."""
    known = kinds.of(value)
    # What is told of `self.share * 2` or `self.name or ""` is a guess by one of the two.
    is_text = isinstance(value, ast.BinOp) and known in {"str", "bytes"}
    is_guess = isinstance(value, ast.BoolOp | ast.BinOp) and not is_text
    return known == SPECIALS[name].type and not is_guess


REPAIRER = Repairer("special methods", _CODES, diagnose, propose)
