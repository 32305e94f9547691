"""Lines that belong to the function above, or into a loop that was lost: a name is only bound in there.

A body that slipped to the left reads the parameters of the function it stood in; statements that read `road`,
where there are `roads`, were in a loop over them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code, Function
from gateline.repairs.analysis.likeness import plurals
from gateline.repairs.analysis.scopes import Kind, bound, loads, visible
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.undefined import UNDEFINED, Undefined, undefined
from gateline.repairs.priors import prior

_LOOPED = {Kind.PARAMETER, Kind.LOCAL, Kind.OUTER, Kind.MODULE}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A name without a value where it is read."""
    found = undefined(problem, knowledge)
    if found is None:
        return None
    return Diagnosis(problem, Family.NAME, "misplaced-lines", "a block around it", found.name, found.places)


def propose(question: Question) -> Iterator[Repair]:
    """The lines with another indentation."""
    found = undefined(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_Misplaced(question, found).repairs())


@dataclass(frozen=True)
class _Misplaced:
    question: Question
    found: Undefined

    def repairs(self) -> Iterator[Repair]:
        yield from self._into_the_function()
        yield from self._into_a_loop()

    @property
    def code(self) -> Code:
        return self.found.code

    def _into_the_function(self) -> Iterator[Repair]:
        """The function right above binds the name: the lines were its last ones."""
        for body, number in _bodies(self.code, self.found.node):
            above = body[number - 1] if number else None
            if not isinstance(above, Function) or above.lineno == above.body[0].lineno:
                continue
            names = {name.text for name in bound(above)}
            if self.found.name not in names:
                continue
            indent = self.code.indent(above.body[0].lineno - 1)
            for cost, count in _extents(body[number:], names):
                edits = _indented(self.code, body[number : number + count], indent)
                if edits:
                    yield repair(self.question, f"Indent into {above.name}", edits, cost)

    def _into_a_loop(self) -> Iterator[Repair]:
        """`for road in roads:` around the statements that read it."""
        body, number = next(_bodies(self.code, self.found.node), ([], 0))
        if not body or self.found.is_unassigned:
            return
        scope = visible(self.code, self.found.node)
        wanted = [name for name in plurals(self.found.name) if name in scope and scope[name].kind in _LOOPED]
        count = next(
            (n for n, s in enumerate(body[number:]) if not loads(ast.walk(s), self.found.name)),
            len(body) - number,
        )
        indent = self.code.indent(body[number].lineno - 1)
        edits = _indented(self.code, body[number : number + count], indent + self.code.unit)
        for plural in wanted if edits else ():
            start = self.code.line_start(body[number].lineno - 1)
            head = f"{indent}for {self.found.name} in {plural}:{self.code.newline}"
            whole = [self.code.edit(start, start, head + edits[0].text), *edits[1:]]
            title = f"Loop over {plural}"
            yield repair(
                self.question,
                title,
                whole,
                prior("names.into-loop-several" if count > 1 else "names.into-loop-one"),
                pattern="lost-loop",
            )


def _bodies(code: Code, node: ast.AST) -> Iterator[tuple[list[ast.stmt], int]]:
    """The statements that hold a node, each with its neighbours, the innermost first."""
    inner: ast.AST | None = code.statement(node)
    while inner is not None and (outer := code.parent(inner)) is not None:
        for name in ("body", "orelse", "finalbody"):
            body = getattr(outer, name, None)
            if isinstance(body, list) and inner in body:
                yield body, body.index(inner)
        if isinstance(outer, Function | ast.ClassDef):
            return
        inner = outer


def _extents(statements: list[ast.stmt], names: set[str]) -> Iterator[tuple[float, int]]:
    """How many statements may go together: those that read a name of the function, then one, then all."""
    used = [any(loads(ast.walk(s), name) for name in names) for s in statements]
    together = used.index(False) if False in used else len(used)
    for rank, count in enumerate(dict.fromkeys((together, 1, len(statements)))):
        yield prior("names.into-loop-extent") + prior("names.into-loop-extent-rank") * rank, count


def _indented(code: Code, statements: list[ast.stmt], indent: str) -> list[Edit]:
    """Edits that give lines another indentation; none where a text over several lines would change, too."""
    if not statements or any(_is_long_text(n) for s in statements for n in ast.walk(s)):
        return []
    first, last = statements[0].lineno - 1, (statements[-1].end_lineno or statements[-1].lineno) - 1
    now = code.indent(first)
    if not indent.startswith(now) or indent == now:
        return []
    rows = [row for row in range(first, last + 1) if code.source.line(row).strip()]
    starts = [code.line_start(row) for row in rows]
    return [code.edit(start, start, indent[len(now) :]) for start in starts]


def _is_long_text(node: ast.AST) -> bool:
    is_text = isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return is_text and node.lineno != node.end_lineno  # type: ignore[attr-defined]


REPAIRER = Repairer("misplaced lines", UNDEFINED, diagnose, propose)
