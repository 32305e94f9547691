"""An expression that is None where a value is needed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, walk_scope
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.none_tests import is_tested
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.locate.demanded import DEMANDS
from gateline.repairs.locate.messages import types_of, understand, wordings
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior

LAZY = frozenset(
    {"chain", "zip", "map", "filter", "islice", "starmap", "zip_longest", "takewhile", "dropwhile"}
)
"""What takes its arguments apart when it is run over itself."""
_NOT_ITERABLE = "'NoneType' object is not iterable"
_JOINED = "can only join an iterable"
_NEAR = 3
"""Steps from a check to what it refused."""
_TABLE = wordings("absent")
ABSENT = types_of(_TABLE) | MISMATCHES


@dataclass(frozen=True)
class Absent:
    """An expression that is None, or may be."""

    spot: Spot
    node: ast.expr
    wanted: str = ""
    """The type that is needed, as far as it is told."""
    doubt: float = 0

    @property
    def code(self) -> Code:
        """The text in which it stands."""
        return self.spot.code

    @property
    def text(self) -> str:
        """The expression as it is written."""
        return self.code.segment(self.node)

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.code.path, self.code.span(self.node))


def absents(problem: Problem, knowledge: Knowledge) -> list[Absent]:
    """The expressions of a problem that are None, likeliest first; empty when it is about something else."""
    told = understand(problem, _TABLE)
    if told is not None:
        found = [a for spot in spots(problem, knowledge)[:1] for a in _reported(spot, told.says, knowledge)]
        each = prior("locate.none-told-rank")
        return [Absent(a.spot, a.node, told["wanted"], each * n) for n, a in enumerate(found)]
    meant = mismatches(problem, knowledge)
    # `join` does not say what it was given: mostly nothing.
    is_likely = _JOINED in problem.message
    told_none = [m for m in meant if m.actual == "NoneType" or m.actual.endswith("| None")]
    told_none = told_none or [m for m in meant if is_likely and not m.actual]
    own = [Absent(m.spot, m.node, "" if m.wanted == "NoneType" else m.wanted, m.doubt) for m in told_none]
    own = list(_refused(problem, knowledge)) or list(_run_later(problem, knowledge)) or own
    own = own or [inner for m in meant for inner in _inside(m, problem.message, knowledge)]
    return own or ([] if meant else list(_held(problem, knowledge)))


def diagnosed(problem: Problem, knowledge: Knowledge, pattern: str) -> Diagnosis | None:
    """That something is None, for a family that mends it; None when the problem is about something else."""
    found = absents(problem, knowledge)
    if not found:
        return None
    places = tuple(a.place for a in found)
    return Diagnosis(problem, Family.NONE, pattern, found[0].wanted or "a value", "None", places)


def _run_later(problem: Problem, knowledge: Knowledge) -> Iterator[Absent]:
    """What was given to `chain` or `zip`, which only the loop over them runs over."""
    for spot in spots(problem, knowledge)[:1] if _NOT_ITERABLE in problem.message else ():
        for node in DEMANDS["iterate"](spot):
            if spot.seen.get(dotted(node), "").rpartition(".")[2] not in LAZY:
                continue
            for origin in origins(knowledge, spot, node):
                call = origin.node
                if isinstance(call, ast.Call) and dotted(call.func).rpartition(".")[2] in LAZY:
                    yield from _ranked((origin.spot, a) for a in call.args)


def _held(problem: Problem, knowledge: Knowledge) -> Iterator[Absent]:
    """What held None where a run failed with words that nobody knows: a library has its own."""
    for spot in spots(problem, knowledge)[:1] if problem.type in {"TypeError", "ValueError"} else ():
        for node in spot.candidates(ast.Name, ast.Attribute):
            is_read = isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
            if is_read and spot.seen.get(dotted(node)) == "NoneType":
                yield Absent(spot, node, doubt=prior("locate.none-held"))


def _inside(mismatch: Mismatch, message: str, knowledge: Knowledge) -> Iterator[Absent]:
    """None inside of what is told: a key that is no text, an element that was added."""
    spot, node = mismatch.spot, mismatch.node
    if mismatch.wanted == "strings" and isinstance(node, ast.DictComp):
        yield Absent(spot, node.key, doubt=mismatch.doubt)
    if "NoneType found" in message:
        for origin in origins(knowledge, spot, node):
            way = prior("locate.none-inside-step") * origin.steps
            doubt = mismatch.doubt - prior("locate.none-inside") + way
            yield from _collected(origin, doubt)


def _collected(origin: Origin, doubt: float) -> Iterator[Absent]:
    """What is added to a list that a name holds."""
    spot, node = origin.spot, origin.node
    if not isinstance(node, ast.Name):
        return
    adding = {f"{node.id}.append", f"{node.id}.add", f"{node.id}.insert"}
    for call in walk_scope(spot.code.scope(node)):
        if isinstance(call, ast.Call) and dotted(call.func) in adding:
            yield from (Absent(_at(spot, call), a, "str", doubt) for a in call.args[-1:])
        elif isinstance(call, ast.Call) and dotted(call.func) == f"{node.id}.extend":
            parts = (e for a in call.args if isinstance(a, ast.List | ast.Tuple) for e in a.elts)
            made = (e for e in parts if not isinstance(e, ast.Constant) and not is_tested(spot.code, e))
            yield from (Absent(_at(spot, call), e, "str", doubt) for e in made)


def _at(spot: Spot, node: ast.expr) -> Spot:
    return Spot(spot.code, node.lineno - 1, node, spot.seen, spot.number, spot.callers)


def _refused(problem: Problem, knowledge: Knowledge) -> Iterator[Absent]:
    """What a check of the code itself refused, as its callers gave it: the check is right.

    `if not isinstance(name, str): raise TypeError(…)`
    """
    for spot in spots(problem, knowledge)[:1]:
        statement = None if spot.node is None else spot.code.statement(spot.node)
        check = spot.code.parent(statement) if isinstance(statement, ast.Raise) else None
        names = (
            [n for n in ast.walk(check.test) if isinstance(n, ast.Name)] if isinstance(check, ast.If) else []
        )
        for name in (n for n in names if spot.seen.get(n.id) == "NoneType"):
            given = [o for o in origins(knowledge, spot, name) if o.spot is not spot and o.steps < _NEAR]
            yield from _ranked((o.spot, o.node) for o in given)


def _reported(spot: Spot, says: str, knowledge: Knowledge) -> Iterator[Absent]:
    """What a type checker may mean: a literal is never what is absent.

    It knows more than is read here: where nothing seems to be None, it can be whatever is no literal.
    """
    kinds = Kinds(spot.code, knowledge, spot.seen)
    nodes = [n for n in _FINDERS.get(says, _any)(spot) if not isinstance(n, ast.Constant) or n.value is None]
    likely = [n for n in nodes if says == "result" or _may_be_none(kinds.of(n))]
    others = [n for n in nodes if isinstance(n, ast.Name | ast.Attribute | ast.Subscript | ast.Call)]
    yield from (Absent(spot, node) for node in likely or others)


def _may_be_none(kind: str) -> bool:
    return kind in {"", "NoneType", "Optional", "Union", "Any"} or "None" in kind.split(" | ")


def _attribute(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.value for node in spot.candidates(ast.Attribute))


def _operands(spot: Spot) -> Iterator[ast.expr]:
    for node in spot.candidates(ast.Compare):
        yield from (node.left, *node.comparators)
    for operation in spot.candidates(ast.BinOp):
        yield from (operation.left, operation.right)
    for change in spot.candidates(ast.AugAssign):
        yield from (change.target, change.value)


def _index(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.value for node in spot.candidates(ast.Subscript))


def _key(spot: Spot) -> Iterator[ast.expr]:
    yield from (node.slice for node in spot.candidates(ast.Subscript))
    yield from _any(spot)


def _value(spot: Spot) -> Iterator[ast.expr]:
    own = spot.exactly(ast.expr)
    if own is not None:
        yield own
    for kind in (ast.Assign, ast.AnnAssign, ast.Return):
        values = (getattr(node, "value", None) for node in spot.candidates(kind))
        yield from (value for value in values if value is not None)


def _result(spot: Spot) -> Iterator[ast.expr]:
    yield from spot.candidates(ast.Call)


def _any(spot: Spot) -> Iterator[ast.expr]:
    own = spot.exactly(ast.expr)
    if own is not None:
        yield own
    for call in spot.candidates(ast.Call):
        yield from (*call.args, *(k.value for k in call.keywords))


_FINDERS: Mapping[str, Callable[[Spot], Iterator[ast.expr]]] = {
    "attribute": _attribute,
    "iterate": _any,
    "operand": _operands,
    "index": _index,
    "key": _key,
    "argument": _any,
    "value": _value,
    "result": _result,
}


def _ranked(places: Iterable[tuple[Spot, ast.expr]]) -> Iterator[Absent]:
    """Places of one kind, the likeliest first."""
    each = prior("locate.none-given-rank")
    yield from (Absent(spot, node, doubt=each * n) for n, (spot, node) in enumerate(places))
