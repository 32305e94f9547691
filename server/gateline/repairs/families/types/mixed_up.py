"""The wrong one of several values: a built-in name for a variable, a whole for its element, `==` for `=`.

Found by the types of what is in scope, and by what the other side of an operation looks like.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, walk_scope
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.likeness import cost as likeness
from gateline.repairs.analysis.scopes import Kind, visible
from gateline.repairs.analysis.types import Kinds, kind
from gateline.repairs.analysis.world import members
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.demands import suits
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.priors import prior

_WHOLES = frozenset({"tuple", "list", "Tuple", "List", "Sequence", "Iterable", "Any", "object"})
"""Annotations of what may be a tuple or a list."""
_OF_ONE = frozenset({"pair", "one:position", "one:attribute", "one:argument", "one:given"})
"""What an element can do where the whole cannot."""
_PARTS = 3
"""Elements or attributes that are tried of a thing."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value of the wrong type where another one is at hand."""
    found = mismatches(problem, knowledge)
    if not found:
        return None
    places = tuple(m.place for m in found)
    return Diagnosis(problem, Family.TYPE, "wrong-value", found[0].wanted, found[0].actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """Other values in its place."""
    found = mismatches(question.problem, question.knowledge)
    yield from cheapest(r for mismatch in found for r in _Mixed(question, mismatch).repairs())


@dataclass(frozen=True)
class _Mixed:
    question: Question
    mismatch: Mismatch

    @property
    def code(self) -> Code:
        return self.mismatch.spot.code

    @cached_property
    def kinds(self) -> Kinds:
        return Kinds(self.code, self.question.knowledge, self.mismatch.spot.seen)

    def repairs(self) -> Iterator[Repair]:
        yield from self._variables()
        yield from self._mirrored()
        yield from self._as_beside()
        yield from self._whole()
        yield from self._elements()
        yield from self._assigned()

    def _repair(self, title: str, edits: Iterable[Edit], cost: float, pattern: str) -> Repair:
        return repair(self.question, title, edits, cost + self.mismatch.doubt, pattern=pattern)

    def _variables(self) -> Iterator[Repair]:
        """Another name in scope, above all when this one is built in."""
        for node in self._names():
            is_builtin = hasattr(builtins, node.id) and visible(self.code, node)[node.id].kind is Kind.BUILTIN
            for name in visible(self.code, node).values():
                if name.kind not in {Kind.LOCAL, Kind.PARAMETER, Kind.OUTER} or name.text == node.id:
                    continue
                held = self.mismatch.spot.seen.get(name.text) or self.kinds.of_binding(name)
                fits = suits(self.kinds, node, held)
                if fits is False:
                    continue
                like = likeness(node.id, name.text)
                cost = (
                    prior("types.mixed-up-of-builtin" if is_builtin else "types.mixed-up")
                    + (
                        prior("types.mixed-up-unlike")
                        if like is None
                        else prior("types.mixed-up-per-likeness") * like
                    )
                    - (prior("types.mixed-up-fits") if fits else 0)
                )
                yield from self._renamed(node, name.text, cost)

    def _names(self) -> list[ast.Name]:
        node = self.mismatch.node
        own = [node] if isinstance(node, ast.Name) else []
        found = origins(self.question.knowledge, self.mismatch.spot, node)
        nodes = [n for origin in found if origin.code is self.code for n in ast.walk(origin.node)]
        inside = [n for n in nodes if isinstance(n, ast.Name) and hasattr(builtins, n.id)]
        return [*own, *(n for n in inside if n not in own and _is_value(self.code, n))]

    def _renamed(self, node: ast.Name, name: str, cost: float) -> Iterator[Repair]:
        title = f"Change {node.id} to {name}"
        yield self._repair(title, [self.code.replace(node, name)], cost, "wrong-variable")
        scope = self.code.scope(node)
        same = [
            n
            for n in ast.walk(scope)
            if isinstance(n, ast.Name) and n.id == node.id and _is_value(self.code, n)
        ]
        if len(same) > 1 and hasattr(builtins, node.id):
            edits = [self.code.replace(n, name) for n in same]
            yield self._repair(
                f"{title} everywhere", edits, cost + prior("types.mixed-up-everywhere"), "wrong-variable"
            )

    def _mirrored(self) -> Iterator[Repair]:
        """`row[1] > best`: the other side shows which element is meant."""
        node = self.mismatch.node
        parent = self.code.parent(node)
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return
        for other in _partners(parent, node):
            if isinstance(other, ast.Subscript) and not isinstance(other.slice, ast.Slice):
                end = self.code.end(node)
                index = f"[{self.code.segment(other.slice)}]"
                yield self._repair(
                    f"Use {index}",
                    [self.code.edit(end, end, index)],
                    prior("types.mixed-up-index-mirrored"),
                    "missing-index",
                )
            if (
                isinstance(other, ast.Attribute)
                and getattr(self.code.parent(other), "func", None) is not other
            ):
                end = self.code.end(node)
                edit = self.code.edit(end, end, f".{other.attr}")
                cost = prior(
                    "types.mixed-up-mirrored-argument"
                    if isinstance(parent, ast.Call)
                    else "types.mixed-up-mirrored"
                )
                yield self._repair(f"Use .{other.attr}", [edit], cost, "missing-attribute")

    def _as_beside(self) -> Iterator[Repair]:
        """`parts[-1] = marked(parts)`: the part that the rest of the statement, or the function, takes."""
        if self.mismatch.actual == "NoneType":
            return
        node, holder = self.mismatch.node, self.code.parent(self.mismatch.node)
        is_key = self.mismatch.says == "one:position" and isinstance(holder, ast.Subscript)
        whole = holder.value if is_key and isinstance(holder, ast.Subscript) else node
        for origin in origins(self.question.knowledge, self.mismatch.spot, whole):
            node, code = origin.node, origin.code
            is_named = isinstance(node, ast.Name | ast.Attribute | ast.Subscript)
            if not is_named or not isinstance(getattr(node, "ctx", None), ast.Load):
                continue
            for rank, (part, cost) in enumerate(_parts_beside(code, node)):
                end = code.end(node)
                total = (
                    cost + prior("types.mixed-up-as-beside-rank") * rank + prior("shared.step") * origin.steps
                )
                edits = [code.edit(end, end, part)]
                yield self._repair(f"Use {part}", edits, total, "missing-part")

    def _whole(self) -> Iterator[Repair]:
        """An element was kept where the whole is needed later: `best = row[1]` for `best = row`."""
        for origin in origins(self.question.knowledge, self.mismatch.spot, self.mismatch.node):
            node = origin.node
            if isinstance(node, ast.Subscript) and origin.steps:
                text = origin.code.segment(node.value)
                cost = prior("types.mixed-up-whole") + prior("shared.step") * origin.steps
                yield self._repair(
                    f"Use {text} without the index", [origin.code.replace(node, text)], cost, "needless-index"
                )

    def _elements(self) -> Iterator[Repair]:
        """The whole where an element is meant, or an element where the whole is."""
        node = self.mismatch.node
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Store):
            text = self.code.segment(node.value)
            yield self._repair(
                f"Use {text} without the index",
                [self.code.replace(node, text)],
                prior("types.mixed-up-all"),
                "needless-index",
            )
        if self.mismatch.actual == "tuple" and self.mismatch.wanted in {"integer", "int", "str", "float"}:
            yield from self._first_of_a_call()
        if self.mismatch.actual in {"tuple", "list"}:
            yield from self._as_promised()
        if self.mismatch.actual in {"list", "tuple", "dict"} and self.mismatch.says in _OF_ONE:
            end = self.code.end(node)
            cost = prior(
                "types.mixed-up-element" if self._has_such_elements() else "types.mixed-up-element-unlikely"
            )
            for rank, index in enumerate(("[0]", "[1]", "[-1]")):
                edits = [self.code.edit(end, end, index)]
                yield self._repair(
                    f"Use {index}",
                    edits,
                    cost + prior("types.mixed-up-element-rank") * rank,
                    "missing-index",
                )

    def _has_such_elements(self) -> bool:
        """Whether its elements, as far as they were seen, can do what is asked of the whole."""
        node, knowledge = self.mismatch.node, self.question.knowledge
        held = self.mismatch.spot.seen.get(f"{dotted(node)}[]", "")
        holder = self.code.parent(node)
        if not held or not isinstance(holder, ast.Attribute):
            return bool(held) and held == self.mismatch.wanted
        return holder.attr in members(knowledge, held) and holder.value is node

    def _first_of_a_call(self) -> Iterator[Repair]:
        """`unpack(data)` gives a tuple, also of a single value."""
        for origin in origins(self.question.knowledge, self.mismatch.spot, self.mismatch.node):
            if isinstance(origin.node, ast.Call):
                end = origin.code.end(origin.node)
                is_unpacked = dotted(origin.node.func).rpartition(".")[2] == "unpack"
                edits = [origin.code.edit(end, end, "[0]")]
                cost = (
                    prior("types.mixed-up-first-unpacked" if is_unpacked else "types.mixed-up-first")
                    + prior("shared.step") * origin.steps
                )
                yield self._repair("Use [0]", edits, cost, "missing-index")

    def _as_promised(self) -> Iterator[Repair]:
        """A function that promises something else returns all of a tuple, or of a list."""
        for origin in origins(self.question.knowledge, self.mismatch.spot, self.mismatch.node):
            code, function = origin.code, origin.code.function(origin.node)
            note = None if function is None or function.returns is None else ast.unparse(function.returns)
            if not isinstance(code.parent(origin.node), ast.Return) or note is None or kind(note) in _WHOLES:
                continue
            end = code.end(origin.node)
            for rank, index in enumerate(("[0]", "[1]")):
                edits = [code.edit(end, end, index)]
                cost = (
                    prior("types.mixed-up-promised")
                    + prior("types.mixed-up-promised-rank") * rank
                    + prior("shared.step") * origin.steps
                )
                yield self._repair(f"Use {index}", edits, cost, "missing-index")

    def _assigned(self) -> Iterator[Repair]:
        """An operation whose result nobody uses was an assignment."""
        for statement in self.mismatch.spot.candidates(ast.Expr):
            value = statement.value
            if isinstance(value, ast.BinOp) and isinstance(
                value.left, ast.Name | ast.Attribute | ast.Subscript
            ):
                between = self.code.edit(self.code.end(value.left), self.code.start(value.right), " = ")
                yield self._repair(
                    "Change the operator to =", [between], prior("types.mixed-up-assigned"), "lost-assignment"
                )


def _parts_beside(code: Code, node: ast.expr) -> list[tuple[str, float]]:
    """The elements and attributes that are taken of the same thing nearby, the most usual first."""
    is_item = isinstance(node, ast.Subscript)
    name, statement = ast.unparse(node) if is_item else dotted(node), code.statement(node)
    function = code.function(node)
    if not name or statement is None or function is None:
        return []
    here = {n for n in ast.walk(statement) if code.statement(n) is statement}
    found: Counter[str] = Counter()
    near: set[str] = set()
    for other in walk_scope(function):
        if not isinstance(other, ast.Attribute | ast.Subscript):
            continue
        if (ast.unparse(other.value) if is_item else dotted(other.value)) != name:
            continue
        holder = code.parent(other)
        is_called = isinstance(holder, ast.Call) and holder.func is other
        if is_called or isinstance(getattr(other, "slice", None), ast.Slice) or node in ast.walk(other):
            continue
        if (
            isinstance(other, ast.Subscript)
            and not isinstance(other.slice, ast.Constant | ast.UnaryOp)
            and other not in here
        ):
            # Where this stands, what it counts with may have no value.
            continue
        part = code.text[code.end(other.value) : code.end(other)]
        found[part] += 1
        if part == "[1]":
            # Where the second is asked for, the first is not far.
            found["[0]"] += 2
        near |= {part} if other in here else set()
    usual = sorted(found, key=lambda part: (part not in near, -found[part]))
    return [
        (part, prior("types.mixed-up-part-near" if part in near else "types.mixed-up-part"))
        for part in usual[:_PARTS]
    ]


def _is_value(code: Code, node: ast.Name) -> bool:
    parent = code.parent(node)
    return not (isinstance(parent, ast.Call) and parent.func is node) and isinstance(node.ctx, ast.Load)


def _partners(parent: ast.AST | None, node: ast.expr) -> list[ast.expr]:
    if isinstance(parent, ast.Compare):
        operands = [parent.left, *parent.comparators]
    elif isinstance(parent, ast.BinOp):
        operands = [parent.left, parent.right]
    elif isinstance(parent, ast.Call) and node in parent.args:
        operands = [a for a in parent.args if isinstance(a, ast.Attribute)]
    else:
        operands = []
    return [o for o in operands if o is not node]


REPAIRER = Repairer("mixed-up values", MISMATCHES, diagnose, propose)
