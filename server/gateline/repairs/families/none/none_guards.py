"""A test for None that was lost: a condition, an early exit, a block, or one that is the wrong way round.

How a function leaves elsewhere (`return`, `continue`, which exception) decides how it leaves here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gateline.model import Diagnosis, Edit, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.blocks import (
    LEAVING,
    before,
    body_of,
    holders,
    indented,
    last_use,
    reach,
    tests_above,
    until_stored,
    uses_it,
)
from gateline.repairs.analysis.code import COMPREHENSIONS, Code, is_docstring
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.none_tests import asked, is_reset
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.donors.early_returns import exits
from gateline.repairs.edit_builder import cheapest, fitted, line_before, repair
from gateline.repairs.locate.caught_exceptions import expected
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents, diagnosed
from gateline.repairs.priors import prior

_NEGATED = {ast.Is: "is not", ast.IsNot: "is"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value that is None where it is used."""
    return diagnosed(problem, knowledge, "lost-guard")


def propose(question: Question) -> Iterator[Repair]:
    """Conditions, exits and blocks around the use."""
    found = absents(question.problem, question.knowledge)
    yield from cheapest(r for absent in found for r in _Guards(question, absent).repairs())


@dataclass(frozen=True)
class _Guards:
    question: Question
    absent: Absent

    def repairs(self) -> Iterator[Repair]:
        yield from self._turned_round()
        yield from self._branches()
        if isinstance(self.absent.node, ast.Name | ast.Attribute | ast.Subscript):
            yield from self._conditions()
            yield from self._exits()
            yield from self._blocks()
            yield from self._expressions()
            yield from self._filtered()

    @property
    def code(self) -> Code:
        return self.absent.code

    @cached_property
    def statement(self) -> ast.stmt | None:
        return self.code.statement(self.absent.node)

    def _repair(self, title: str, edits: list[Edit], cost: float, pattern: str) -> Repair:
        return repair(self.question, title, edits, cost + self.absent.doubt, pattern=pattern)

    def _turned_round(self) -> Iterator[Repair]:
        """A test around the use that holds just when the value is None."""
        steps = list(origins(self.question.knowledge, self.absent.spot, self.absent.node))
        for origin in [*steps, Origin(self.absent.spot, self.absent.node)]:
            for holder in origin.code.ancestors(origin.node):
                if not isinstance(holder, ast.If | ast.IfExp | ast.While):
                    continue
                if not is_reset(origin.code, origin.node, holder.test):
                    yield from self._flipped(origin.code, holder.test, prior("shared.step") * origin.steps)
        for test in self._left_when_there():
            yield from self._flipped(self.code, test, prior("none.flipped-around"))

    def _left_when_there(self) -> Iterator[ast.expr]:
        """`if value is not None: return …` before the use: just those that are None come so far."""
        wanted = ast.dump(self.absent.node)
        for other in before(self.code, self.statement) if self.statement is not None else ():
            test = other.test if isinstance(other, ast.If) and not other.orelse else None
            if test is None or not isinstance(other.body[-1], LEAVING):  # type: ignore[attr-defined]
                continue
            is_named = ast.dump(test) == wanted
            is_there = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot)
            if is_named or (is_there and ast.dump(test.left) == wanted):  # type: ignore[attr-defined]
                yield test

    def _flipped(self, code: Code, test: ast.expr, doubt: float) -> Iterator[Repair]:
        for node in ast.walk(test):
            if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _NEGATED:
                right = node.comparators[0]
                if isinstance(right, ast.Constant) and right.value is None:
                    sign = _NEGATED[type(node.ops[0])]
                    text = f"{code.segment(node.left)} {sign} None"
                    yield self._repair(
                        f"Test {text}",
                        [code.replace(node, text)],
                        prior("none.flipped-part") + doubt,
                        "flipped-guard",
                    )
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            text = code.segment(test.operand)
            yield self._repair(
                f"Test {text}",
                [code.replace(test, text)],
                prior("none.flipped-whole") + doubt,
                "flipped-guard",
            )
        elif isinstance(test, ast.Name | ast.Attribute):
            text = f"not {code.segment(test)}"
            yield self._repair(
                f"Test {text}",
                [code.replace(test, text)],
                prior("none.flipped-alternative") + doubt,
                "flipped-guard",
            )

    def _conditions(self) -> Iterator[Repair]:
        """A part of the condition in which the value is used."""
        name = self.absent.text
        for part, rank in self._parts():
            segment = self.code.segment(part)
            alone = not isinstance(part, ast.BoolOp | ast.IfExp | ast.Lambda)
            inner = segment if alone else f"({segment})"
            for sign, joint, cost in (
                ("is not", "and", prior("none.condition-and")),
                ("is", "or", prior("none.condition-or")),
            ):
                text = f"{name} {sign} None {joint} {inner}"
                written = text if self._is_loose(part) else f"({text})"
                edit = self.code.replace(part, written)
                yield self._repair(
                    f"Test {name} {sign} None",
                    [edit],
                    cost + prior("none.condition-rank") * rank,
                    "lost-condition",
                )

    def _parts(self) -> Iterator[tuple[ast.expr, int]]:
        """The conditions around the use, the innermost first."""
        rank = 0
        inner: ast.AST = self.absent.node
        for outer in self.code.ancestors(self.absent.node):
            if _is_condition(inner, outer):
                yield inner, rank  # type: ignore[misc]
                rank += 1
            if isinstance(outer, ast.stmt):
                return
            inner = outer

    def _is_loose(self, part: ast.expr) -> bool:
        parent = self.code.parent(part)
        return isinstance(
            parent, ast.If | ast.While | ast.Assert | ast.IfExp | ast.comprehension | ast.Return
        )

    def _branches(self) -> Iterator[Repair]:
        """A part of the condition of the branch in which it stands; what is None goes to the other one."""
        for origin in origins(self.question.knowledge, self.absent.spot, self.absent.node):
            code, node = origin.code, origin.node
            if not isinstance(node, ast.Name | ast.Attribute):
                continue
            name = code.segment(node)
            for rank, (test, other) in enumerate(tests_above(code, node)):
                inner = code.segment(test)
                inner = f"({inner})" if isinstance(test, ast.BoolOp | ast.IfExp | ast.Lambda) else inner
                edit = code.replace(test, f"{name} is not None and {inner}")
                # A test of the name itself, or that of the other branch, was part of a longer one.
                asking = other.test if isinstance(other, ast.If) else test if other is None else None
                is_asked = asking is not None and name in map(dotted, ast.walk(asking))
                parts = test.values if isinstance(test, ast.BoolOp) else [test]
                if any(dotted(part) == name for part in parts):
                    continue
                if other is None and (not is_asked or any(dotted(a.node) == name for a in asked(test))):
                    continue
                cost = (
                    prior(
                        "none.branch"
                        if not is_asked
                        else "none.branch-among-several"
                        if other is None
                        else "none.branch-asked"
                    )
                    + prior("none.branch-rank") * rank
                    + prior("shared.step") * origin.steps
                )
                yield self._repair(f"Test {name} is not None", [edit], cost, "lost-condition")

    def _exits(self) -> Iterator[Repair]:
        """`if value is None: return …` before the statement, or where the function begins."""
        statement, name = self.statement, self.absent.text
        if statement is None or isinstance(self.code.scope(statement), ast.Module | ast.ClassDef):
            return
        awaited = expected(self.question.knowledge, self.absent.spot, statement)
        for text, cost in exits(self.code, statement, name, awaited):
            guard = f"if {name} is None:\n{self.code.unit}{text}"
            for rank, place in enumerate(self._beginnings(statement)):
                edit = line_before(self.code, place, guard)
                title = f"Exit early if {name} is None: {text}"
                yield self._repair(
                    title, [edit], prior("none.exit") + cost + prior("none.exit-rank") * rank, "lost-exit"
                )

    def _is_reached_again(self, statement: ast.stmt) -> bool:
        """An `elif` has no line of its own before it."""
        parent = self.code.parent(statement)
        is_elif = (
            isinstance(parent, ast.If) and isinstance(statement, ast.If) and parent.orelse == [statement]
        )
        return is_elif and self.code.text.startswith("elif", self.code.start(statement))

    def _blocks(self) -> Iterator[Repair]:
        """`if value is not None:` around the statement, and around those after it that need the value."""
        name = self.absent.text
        around = () if self.statement is None else holders(self.code, self.statement, name)
        for rank, statement in enumerate(around):
            body = body_of(self.code, statement)
            if body is None or self._is_reached_again(statement):
                continue
            first = body.index(statement)
            near = reach(body, first, name)
            if first and uses_it(body[first - 1], name):
                for more in sorted({1, max(near)}):
                    edits = indented(self.code, body[first - 1 : first + more], f"if {name} is not None:")
                    cost = (
                        prior("none.block-before-near" if more == max(near) else "none.block-before")
                        + prior("none.block-before-rank") * rank
                    )
                    yield self._repair(f"Run only if {name} is not None", edits, cost, "lost-block")
            far = {until_stored(body, first, name), last_use(body, first, name)}
            counts = {*range(1, min(max(near) + 3, len(body) - first + 1)), *far}
            for count in sorted(counts):
                edits = indented(self.code, body[first : first + count], f"if {name} is not None:")
                is_next = count == until_stored(body, first, name) < len(body) - first
                cost = (
                    prior("none.block")
                    + min(
                        prior("none.block-each-from-near") * abs(count - max(near)),
                        prior("none.block-from-near-most"),
                    )
                    + (0 if count in near else prior("none.block-not-near"))
                )
                cost = (
                    prior("none.block-natural-end")
                    if is_next or count == last_use(body, first, name)
                    else cost
                )
                cost += (
                    prior("none.block-of-return")
                    if isinstance(body[first], ast.Return)
                    else prior("none.block-rank") * rank
                )
                yield self._repair(f"Run only if {name} is not None", edits, cost, "lost-block")

    def _expressions(self) -> Iterator[Repair]:
        """The value itself, when it is None: `value and value.name`, `value.name if value else None`."""
        node, name = self.absent.node, self.absent.text
        whole: ast.AST = node
        for outer in self.code.ancestors(node):
            if not isinstance(outer, ast.Attribute | ast.Call | ast.Subscript) or isinstance(outer, ast.stmt):
                break
            if isinstance(outer, ast.Call) and outer.func is not whole:
                break
            whole = outer
        if (
            whole is node
            or not isinstance(whole, ast.expr)
            or isinstance(getattr(whole, "ctx", None), ast.Store)
        ):
            return
        text = self.code.segment(whole)
        both = fitted(self.code, whole, f"{name} and {text}")
        yield self._repair(
            f"Write {name} and {text}",
            [self.code.replace(whole, both)],
            prior("none.expression-and"),
            "lost-condition",
        )
        for rank, value in enumerate(("None", '""', "[]", "0")):
            other = fitted(self.code, whole, f"{text} if {name} is not None else {value}")
            yield self._repair(
                f"Use {value} where {name} is None",
                [self.code.replace(whole, other)],
                prior("none.expression-else") + prior("none.expression-else-rank") * rank,
                "lost-condition",
            )

    def _filtered(self) -> Iterator[Repair]:
        """A comprehension passes over what is None."""
        node, name = self.absent.node, self.absent.text
        holder = next((a for a in self.code.ancestors(node) if isinstance(a, COMPREHENSIONS)), None)
        if holder is None or any(node in ast.walk(g) for g in holder.generators):
            return
        loop = holder.generators[-1]
        if not any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(loop.target)):
            return
        if loop.ifs:
            first = self.code.segment(loop.ifs[0])
            text = f"({first})" if isinstance(loop.ifs[0], ast.BoolOp | ast.IfExp) else first
            edit = self.code.replace(loop.ifs[0], f"{name} is not None and {text}")
        else:
            end = self.code.end(loop.iter)
            edit = self.code.edit(end, end, f" if {name} is not None")
        yield self._repair(f"Test {name} is not None", [edit], prior("none.filtered"), "lost-condition")

    def _beginnings(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        """Where a test may stand: before the statement, and, for a parameter, behind the other tests."""
        if not self._is_reached_again(statement):
            yield statement
        function = self.code.function(statement)
        held = visible(self.code, self.absent.node).get(self.absent.text)
        if function is None or held is None or not isinstance(held.node, ast.arg):
            return
        inside = (s for s in function.body if not is_docstring(function, s) and not _is_test(s))
        first = next(inside, None)
        if first is not None and first is not statement:
            yield first


def _is_condition(node: ast.AST, outer: ast.AST) -> bool:
    if isinstance(outer, ast.If | ast.While | ast.IfExp | ast.Assert):
        return outer.test is node
    if isinstance(outer, ast.comprehension):
        return node in outer.ifs
    return isinstance(outer, ast.BoolOp) or (isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.Not))


def _is_test(node: ast.stmt) -> bool:
    """A condition under which the function is left."""
    return isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return | ast.Raise)


REPAIRER = Repairer("lost guards", ABSENT, diagnose, propose)
