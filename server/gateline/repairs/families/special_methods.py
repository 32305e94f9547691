"""A method that Python itself calls gives the wrong type: `__bool__` a list, `__str__` a number.

The error is met where the object is used; what is wrong is the `return` of the method, which no frame shows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.reading.callees import Definition, definitions
from gateline.repairs.reading.drafts import cheapest, repair
from gateline.repairs.reading.kinds import Kinds
from gateline.repairs.reading.origins import returned
from gateline.repairs.reading.places import Spot, spots
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(
    r"\b(?P<name>__[a-z]+__)(?:\(\))? (?:method )?"
    r"(?:returned non-\w+ \(type (?P<one>[\w.]+)\)"
    r"|(?:should|must) return (?:an? )?\w+(?:, (?:not|returned) '?(?P<two>[\w.]+)'?)?)"
)
_SAYINGS = {
    re.compile(r"iter\(\) returned non-iterator of type '([\w.]+)'"): "__iter__",
    re.compile(r"'([\w.]+)' object cannot be interpreted as an integer"): "__len__",
}
_CONVERTED = {
    "__str__": ("str",),
    "__repr__": ("repr", "str"),
    "__format__": ("str",),
    "__bytes__": ("bytes",),
    "__bool__": ("bool",),
    "__len__": ("len", "int"),
    "__hash__": ("hash", "int"),
    "__index__": ("int",),
    "__int__": ("int",),
    "__float__": ("float",),
    "__iter__": ("iter",),
}
_MOST = 8
"""Methods that are looked at."""
_CODES = frozenset({"TypeError"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A method of the workspace that returned what it must not."""
    name, actual = _told(problem)
    if not name or actual == "NoneType" or not _defined(problem, knowledge, name):
        return None
    return Diagnosis(problem, Family.TYPE, "missing-conversion", _CONVERTED[name][0], actual)


def propose(question: Question) -> Iterator[Repair]:
    """What it returns, converted."""
    name, _ = _told(question.problem)
    found = _defined(question.problem, question.knowledge, name) if name else []
    yield from cheapest(
        r for rank, one in enumerate(found) for r in _converted(question, one, name, 0.1 * rank)
    )


def _told(problem: Problem) -> tuple[str, str]:
    """The method, and the type of what it returned; "" where the message speaks of none."""
    if (told := _TOLD.search(problem.message)) is not None and told["name"] in _CONVERTED:
        return told["name"], told["one"] or told["two"] or ""
    for saying, name in _SAYINGS.items():
        if (said := saying.search(problem.message)) is not None:
            return name, said[1]
    return "", ""


def _defined(problem: Problem, knowledge: Knowledge, name: str) -> list[Definition]:
    """The methods that may be meant: first those of classes whose objects were there when it failed."""
    seen: list[str] = []
    for spot in spots(problem, knowledge)[:1]:
        kinds = Kinds(spot.code, knowledge, spot.seen)
        seen += [kinds.of(node).rpartition(".")[2] for node in spot.candidates(ast.expr)]
        seen += [kind.rpartition(".")[2] for kind in spot.seen.values()]
    found = [d for d in definitions(knowledge, name) if d.cls is not None and not is_test(d.code.path)]
    return sorted(found, key=lambda d: d.cls is None or d.cls.name not in seen)[:_MOST]


def _converted(question: Question, found: Definition, name: str, doubt: float) -> Iterator[Repair]:
    code = found.code
    for value in returned(found):
        known = Kinds(code, question.knowledge, Spot(code, value.lineno - 1).seen).of(value)
        for rank, function in enumerate(_CONVERTED[name]):
            if known == function or isinstance(value, ast.Constant):
                continue
            text = f"{function}({code.segment(value)})"
            cost = 0.3 + 0.3 * rank + doubt
            yield repair(question, f"Return {text}", [code.replace(value, text)], cost)


REPAIRER = Repairer("special methods", _CODES, diagnose, propose)
