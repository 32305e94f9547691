"""An index on both sides of what has no elements: `if row[1] > best[1]` among numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, walk_scope
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(r"'(int|float|bool|Decimal|complex|datetime|date)' object is not subscriptable")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A number, or a moment, has no elements."""
    told = _TOLD.search(problem.message) if problem.origin is Origin.RUN else None
    if told is None or not any(_indexed(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.TYPE, "needless-index", "a value", told[1])


def propose(question: Question) -> Iterator[Repair]:
    """All of them without the index."""
    found = _indexed(question.problem, question.knowledge)
    yield from cheapest(r for code, items in found for r in _of(question, code, items))


def _of(question: Question, code: Code, items: Sequence[ast.Subscript]) -> Iterator[Repair]:
    names = dict.fromkeys(code.segment(item.value) for item in items)
    edits = [code.replace(item, code.segment(item.value)) for item in items]
    cost = prior("types.needless-index") + prior("types.needless-index-more-items") * (
        len(items) > len(names)
    )
    yield repair(question, f"Use {' and '.join(names)} without an index", edits, cost)


def _indexed(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Code, list[ast.Subscript]]]:
    """The items of several things by the same index, of the comparison that failed, then of the function."""
    for spot in [s for s in spots(problem, knowledge)[:1] if not is_test(s.code.path)]:
        for node in spot.candidates(ast.Compare, ast.BinOp):
            items = [n for n in ast.walk(node) if isinstance(n, ast.Subscript) and _is_plain(n)]
            same = [n for n in items if ast.dump(n.slice) == ast.dump(items[0].slice)]
            if len({dotted(n.value) for n in same}) < 2:
                continue
            yield spot.code, same
            function, names = spot.code.function(node), {dotted(n.value) for n in same}
            others = [n for n in walk_scope(function) if isinstance(n, ast.Subscript)] if function else []
            alike = [n for n in others if _is_plain(n) and dotted(n.value) in names]
            if len(alike) > len(same):
                yield spot.code, alike
            return


def _is_plain(node: ast.Subscript) -> bool:
    return (
        isinstance(node.slice, ast.Constant) and bool(dotted(node.value)) and isinstance(node.ctx, ast.Load)
    )


REPAIRER = Repairer("needless indexes", frozenset({"TypeError"}), diagnose, propose)
