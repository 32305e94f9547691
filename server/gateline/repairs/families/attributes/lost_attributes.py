"""An object where one of its attributes is meant: in a condition, or where it was given away."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import classes
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.scopes import attributes_of_self
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value of the wrong type."""
    found = mismatches(problem, knowledge)
    if not found:
        return None
    places = tuple(m.place for m in found)
    return Diagnosis(problem, Family.TYPE, "missing-attribute", found[0].wanted, found[0].actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """The attribute that is meant."""
    found = mismatches(question.problem, question.knowledge)
    yield from cheapest(r for mismatch in found for r in _Attributes(question, mismatch).repairs())


@dataclass(frozen=True)
class _Attributes:
    question: Question
    mismatch: Mismatch

    @property
    def code(self) -> Code:
        return self.mismatch.spot.code

    def repairs(self) -> Iterator[Repair]:
        yield from self._asked_before()
        yield from self._of_own_class()

    def _repair(self, title: str, edits: Iterable[Edit], cost: float, pattern: str) -> Repair:
        return repair(self.question, title, edits, cost + self.mismatch.doubt, pattern=pattern)

    def _asked_before(self) -> Iterator[Repair]:
        """`elif field != MISSING: return field.factory()`: the condition asks about what its branch uses."""
        node = self.mismatch.node
        owner = dotted(node.value) if isinstance(node, ast.Attribute) else ""
        inner: ast.AST = node
        name = getattr(node, "attr", "")
        for outer in self.code.ancestors(node) if owner else ():
            if isinstance(outer, ast.If) and inner in outer.body and isinstance(outer.test, ast.Compare):
                for side in (outer.test.left, *outer.test.comparators):
                    if dotted(side) == owner:
                        edits = [self.code.replace(side, f"{owner}.{name}")]
                        yield self._repair(
                            f"Check {owner}.{name} instead",
                            edits,
                            prior("attributes.missing-as-asked-before"),
                            "missing-attribute",
                        )
            inner = outer

    def _of_own_class(self) -> Iterator[Repair]:
        """An attribute of an object of the workspace that is called like the parameter it was given to."""
        if self.mismatch.wanted not in {"iterate", "index", "len", "contain", "call"}:
            return
        found = next(iter(classes(self.question.knowledge, self.mismatch.actual)), None)
        names = attributes_of_self(found[1]) if found is not None else ()
        called: set[str] = set()
        for origin in origins(self.question.knowledge, self.mismatch.spot, self.mismatch.node):
            node, code = origin.node, origin.code
            is_given = origin.spot.number > self.mismatch.spot.number
            if is_given and isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                for name in names:
                    if name in called and not name.startswith("__"):
                        end = code.end(node)
                        edits = [code.edit(end, end, f".{name}")]
                        yield self._repair(
                            f"Use .{name}",
                            edits,
                            prior("attributes.missing-of-own-class"),
                            "missing-attribute",
                        )
            called.add(dotted(node).rpartition(".")[2])


REPAIRER = Repairer("lost attributes", MISMATCHES, diagnose, propose)
