"""A text with more places than values: `"%s: %s" % (name,)`, `"{} {}".format(name)`, `"%s %s" % a, b`."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.scopes import Kind, attributes_of_self, visible
from gateline.repairs.donors.argument_candidates import fillers
from gateline.repairs.edit_builder import cheapest, element_added, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior

_TOLD = re.compile(r"not enough arguments for format string|Replacement index \d+ out of range")
_PLACE = re.compile(r"%[-#0 +]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?[hlL]?[a-zA-Z%]")
_WORD = re.compile(r"[a-z]+")
_HELD = frozenset({Kind.PARAMETER, Kind.LOCAL, Kind.OUTER})
_NOT_PRINTED = frozenset(name for name in dir(builtins) if name.islower()) - {"print"}
"""What takes more than a text: the rest is no part of it. Exceptions take the text alone."""
_MOST = 8
"""Values that are tried at a place."""
_CODES = frozenset({"TypeError", "IndexError"})


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value too few where text is formatted."""
    if _TOLD.search(problem.message) is None:
        return None
    places = [spot for spot in spots(problem, knowledge)[:1] if any(_values(spot)) or any(_outside(spot))]
    return Diagnosis(problem, Family.TYPE, "missing-argument", "a value more") if places else None


def propose(question: Question) -> Iterator[Repair]:
    """Another value: at the end, or in between."""
    found: list[Repair] = []
    for spot in spots(question.problem, question.knowledge)[:1]:
        for holder, values in _values(spot):
            found += _added(question, spot, holder, values)
        found += _together(question, spot)
    yield from cheapest(found)


def _values(spot: Spot) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    """What is formatted, and the values."""
    for node in spot.candidates(ast.BinOp):
        if isinstance(node.op, ast.Mod):
            yield node.right, (node.right.elts if isinstance(node.right, ast.Tuple) else [node.right])
    for call in spot.candidates(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "format":
            yield call, call.args


def _added(question: Question, spot: Spot, holder: ast.expr, values: list[ast.expr]) -> Iterator[Repair]:
    code = spot.code
    for rank, (number, text) in enumerate(_told_by_the_text(spot, holder, values)):
        edits = [_inserted(code, holder, number, text)]
        yield repair(
            question,
            f"Pass {text}",
            edits,
            prior("types.format-named") + prior("types.format-named-rank") * rank,
        )
    known = list(fillers(question.knowledge, spot, holder, ""))[:_MOST]
    for text, cost in known:
        for rank, number in enumerate(range(len(values), -1, -1)):
            edits = [_inserted(code, holder, number, text)]
            yield repair(
                question,
                f"Pass {text}",
                edits,
                prior("types.format-added")
                + prior("types.format-added-per-cost") * max(cost, 0)
                + prior("types.format-added-rank") * rank,
            )


def _told_by_the_text(spot: Spot, holder: ast.expr, values: list[ast.expr]) -> Iterator[tuple[int, str]]:
    """`scale` for the second place of `"precision %s, and scale %s"`: a value that is called so."""
    formatted = spot.code.parent(holder)
    text = formatted.left if isinstance(formatted, ast.BinOp) else None
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return
    given = {dotted(value) for value in values}
    held = [n.text for n in visible(spot.code, holder).values() if n.kind in _HELD]
    own = list(_own(spot, holder))
    # As the values that are there: of the object itself, or not.
    names = (*held, *own) if given & set(own) else (*own, *held)
    known = {_last(name): name for name in names if name not in given}
    parts = _PLACE.split(text.value.replace("%%", ""))[:-1]
    for number, part in enumerate(parts):
        words = _WORD.findall(part.lower())
        for word in reversed(words) if not {_last(name) for name in given} & set(words) else ():
            if word in known:
                yield min(number, len(values)), known[word]
                break


def _last(name: str) -> str:
    """What an attribute of anything is called, as a text says it."""
    return name.rpartition(".")[2].strip("_").lower()


def _own(spot: Spot, node: ast.expr) -> Iterator[str]:
    """The attributes of the object whose method it is."""
    cls, function = spot.code.class_of(node), spot.code.function(node)
    if cls is not None and function is not None and function.args.args:
        yield from (f"{function.args.args[0].arg}.{name}" for name in attributes_of_self(cls))


def _inserted(code: Code, holder: ast.expr, number: int, text: str) -> Edit:
    if isinstance(holder, ast.Call | ast.Tuple):
        return element_added(code, holder, number, text)
    one = code.segment(holder)
    return code.replace(holder, f"({text}, {one})" if number == 0 else f"({one}, {text})")


def _outside(spot: Spot) -> Iterator[tuple[ast.BinOp, list[ast.expr]]]:
    """`"%s %s" % a, b` is a pair of a text and a value: the text, and the values behind it."""
    for node in spot.candidates(ast.BinOp):
        holder = spot.code.parent(node)
        beside = holder.elts if isinstance(holder, ast.Tuple) else []
        if isinstance(holder, ast.Call) and dotted(holder.func) not in _NOT_PRINTED:
            beside = holder.args
        if isinstance(node.op, ast.Mod) and len(beside) > 1 and beside[0] is node:
            taken = beside[1:][: _missing(spot, node)]
            if taken:
                yield node, taken


def _missing(spot: Spot, node: ast.BinOp) -> int | None:
    """How many values a text lacks: None when that is not known, 0 when others will not help."""
    values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    if not values or spot.seen.get(dotted(node.right)) == "tuple":
        return 0
    if not isinstance(node.left, ast.Constant) or not isinstance(node.left.value, str):
        return None
    return max(_places(node.left.value) - len(values), 0)


def _places(text: str) -> int:
    """The values that a text takes; `*` takes one more."""
    found = [place[0] for place in _PLACE.finditer(text)]
    return sum(1 + place.count("*") for place in found if place != "%%")


def _together(question: Question, spot: Spot) -> Iterator[Repair]:
    code = spot.code
    for node, taken in _outside(spot):
        first, end = node.right, code.end(taken[-1])
        edits = [code.edit(end, end, ")")]
        if isinstance(first, ast.Tuple):
            edits.append(code.edit(code.end(first.elts[-1]), code.end(first), ""))
        else:
            edits.append(code.edit(code.start(first), code.start(first), "("))
        yield repair(question, "Put all values in one tuple", edits, prior("types.format-together"))


REPAIRER = Repairer("format arguments", _CODES, diagnose, propose)
