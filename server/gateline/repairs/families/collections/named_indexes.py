"""A name as the index of a tuple: a number is meant, a field, or rows that know their names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.edit_builder import cheapest, line_after, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = "tuple indices must be integers or slices, not str"


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A tuple is asked for an item by a name."""
    if _TOLD not in problem.message:
        return None
    return Diagnosis(problem, Family.TYPE, "named-index", "int", "str")


def propose(question: Question) -> Iterator[Repair]:
    """The field, the rows, or a number."""
    for spot in [s for s in spots(question.problem, question.knowledge)[:1] if not is_test(s.code.path)]:
        yield from cheapest([*_items(question, spot), *_named_rows(question, spot.code)])


def _items(question: Question, spot: Spot) -> Iterator[Repair]:
    code = spot.code
    for node in spot.candidates(ast.Subscript):
        name = _name(node)
        if not name:
            continue
        if name.isidentifier() and ("namedtuple" in code.text or "NamedTuple" in code.text):
            edits = [code.edit(code.end(n.value), code.end(n), f".{_name(n)}") for n in _alike(code, node)]
            yield repair(question, f"Use .{name}", edits[:1], prior("collections.index-field"))
            yield repair(
                question,
                f"Use .{name}, and attributes for similar indexes",
                edits,
                prior("collections.index-field") + prior("collections.index-fields-several"),
            )
        for number in range(3):
            edit = code.replace(node.slice, str(number))
            yield repair(
                question,
                f"Use [{number}]",
                [edit],
                prior("collections.index-number") + prior("collections.index-each-number") * number,
            )


def _alike(code: Code, node: ast.Subscript) -> list[ast.Subscript]:
    """The item, and others of the function that are asked for by a name."""
    function = code.function(node)
    items = [n for n in ast.walk(function) if isinstance(n, ast.Subscript)] if function is not None else []
    return [node, *(n for n in items if n is not node and _name(n).isidentifier())]


def _name(node: ast.Subscript) -> str:
    value = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return value if isinstance(value, str) else ""


def _named_rows(question: Question, code: Code) -> Iterator[Repair]:
    """`db.row_factory = sqlite3.Row`, where a database is opened."""
    for node in code.nodes:
        value = node.value if isinstance(node, ast.Assign) else None
        if (
            isinstance(node, ast.Assign)
            and isinstance(value, ast.Call)
            and dotted(value.func) == "sqlite3.connect"
        ):
            edit = line_after(code, node, f"{code.segment(node.targets[0])}.row_factory = sqlite3.Row")
            yield repair(question, "Set row_factory to sqlite3.Row", [edit], prior("collections.index-rows"))


REPAIRER = Repairer("named indexes", frozenset({"TypeError"}), diagnose, propose)
