"""A function to order by that lost its name: `rows.sort(lambda r: r.age)`, `max(rows, len)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.imports import added
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(
    r"sort\(\) takes (?:no|at most \d) positional argument|sorted expected 1 argument"
    r"|sorted\(\) takes 1 positional"
    r"|not supported between instances of '\w+' and '\w+'"
    r"|Too many positional arguments for \"sort|No overload variant of \"(?:sorted|max|min)"
)
_PLACES = {"sort": 0, "sorted": 1, "max": 1, "min": 1}
"""Where such a function stands among the arguments."""
_CODES = frozenset({"TypeError", "call-overload", "misc", "call-arg"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A call that orders is given a function by its place."""
    found = next(_calls(problem, knowledge), None)
    if found is None:
        return None
    code, argument = found
    places = (Place(code.path, code.span(argument)),)
    return Diagnosis(problem, Family.TYPE, "unnamed-key", "key=", code.segment(argument), places)


def propose(question: Question) -> Iterator[Repair]:
    """The function by its name; one of two parameters is made one of a single value."""
    yield from cheapest(_repairs(question))


def _repairs(question: Question) -> Iterator[Repair]:
    for code, argument in _calls(question.problem, question.knowledge):
        start = code.start(argument)
        if isinstance(argument, ast.Lambda) and len(argument.args.args) == 2:
            text = f"key=functools.cmp_to_key({code.segment(argument)})"
            edits = [
                code.replace(argument, text),
                added(code, "functools", "", tops(question.knowledge)),
            ]
            yield repair(question, "Pass key=functools.cmp_to_key(…)", edits, prior("calls.key-function"))
        else:
            yield repair(
                question,
                "Pass the function as key=",
                [code.edit(start, start, "key=")],
                prior("calls.key-function"),
            )


def _calls(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Code, ast.expr]]:
    if not _TOLD.search(problem.message):
        return
    for spot in (s for s in spots(problem, knowledge)[:2] if not is_test(s.code.path)):
        for call in spot.candidates(ast.Call):
            place = _PLACES.get(dotted(call.func).rpartition(".")[2], -1)
            is_free = 0 <= place == len(call.args) - 1 and all(k.arg != "key" for k in call.keywords)
            if is_free and _is_function(spot.code, call.args[place]):
                yield spot.code, call.args[place]


def _is_function(code: Code, node: ast.expr) -> bool:
    name = dotted(node)
    known = name in code.functions or name in {"len", "abs", "str", "int", "str.lower", "str.upper", "float"}
    return isinstance(node, ast.Lambda) or known or name.rpartition(".")[2] in {"itemgetter", "attrgetter"}


REPAIRER = Repairer("key functions", _CODES, diagnose, propose)
