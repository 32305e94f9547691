"""A name that an error says is not there: which one, where it stands, how it is used."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from gateline.model import Knowledge, Place, Problem
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.scopes import loads, visible
from gateline.repairs.locate.messages import Saying, types_of, understand, wording
from gateline.repairs.locate.places import Spot, spots

_UNDEFINED = "NameError name-defined unresolved-reference F821 UnboundLocalError"
_UNASSIGNED = "UnboundLocalError NameError used-before-def possibly-undefined possibly-unresolved-reference"
_TABLE = (
    wording("unassigned", _UNASSIGNED, r"cannot access (?:local|free) variable '(?P<name>\w+)'"),
    wording(
        "unassigned", _UNASSIGNED, r"(?:local|free) variable '(?P<name>\w+)' referenced before assignment"
    ),
    wording(
        "unassigned", _UNASSIGNED, r"[Nn]ame [\"`'](?P<name>\w+)[\"`'] (?:is used before|used when possibly)"
    ),
    wording("unassigned", _UNASSIGNED, r"Name [\"`'](?P<name>\w+)[\"`'] may be undefined"),
    wording(
        "undefined", _UNDEFINED, r"[Nn]ame [\"`'](?P<name>\w+)[\"`'] (?:is not defined|used when not defined)"
    ),
    wording("undefined", _UNDEFINED, r"[Uu]ndefined name [\"`'](?P<name>\w+)[\"`']"),
)
UNDEFINED = types_of(_TABLE)


@dataclass(frozen=True)
class Undefined:
    """A name that is not there where it is read."""

    name: str
    spot: Spot
    node: ast.Name
    is_unassigned: bool
    """It is a local that has no value yet."""

    @property
    def code(self) -> Code:
        """The text in which it stands."""
        return self.spot.code

    @cached_property
    def uses(self) -> list[ast.Name]:
        """The places at which it is read without being bound: all in its scope when nothing binds it."""
        if self.is_unassigned or self.name in visible(self.code, self.node):
            return [self.node]
        everywhere = loads(self.code.nodes, self.name)
        return [n for n in everywhere if self.name not in visible(self.code, n)] or [self.node]

    @cached_property
    def in_scope(self) -> list[ast.Name]:
        """The uses in the same function."""
        own = self.code.scope(self.node)
        return [n for n in self.uses if self.code.scope(n) is own] or [self.node]

    @property
    def is_called(self) -> bool:
        """Whether it is called anywhere."""
        parents = [self.code.parent(n) for n in self.uses]
        return any(isinstance(p, ast.Call) and p.func in self.uses for p in parents)

    @property
    def attributes(self) -> set[str]:
        """The attributes that are asked of it."""
        parents = [self.code.parent(n) for n in self.uses]
        return {p.attr for p in parents if isinstance(p, ast.Attribute)}

    @property
    def places(self) -> tuple[Place, ...]:
        """Where it is read."""
        return tuple(Place(self.code.path, self.code.span(n)) for n in self.uses)


def saying(problem: Problem) -> Saying | None:
    """What a problem says of a name."""
    return understand(problem, _TABLE)


def undefined(problem: Problem, knowledge: Knowledge) -> Undefined | None:
    """The name that a problem is about; None when it is about something else, or the code is not there."""
    said = saying(problem)
    if said is None:
        return None
    for spot in spots(problem, knowledge):
        found = _named(spot, said["name"])
        if found is not None:
            return Undefined(found.id, spot, found, said.says == "unassigned")
    return None


def _named(spot: Spot, name: str) -> ast.Name | None:
    """The use of a name at a spot; a name that is private to a class is reported with the class in front."""
    for node in (*spot.candidates(ast.Name), *spot.code.nodes):
        if isinstance(node, ast.Name) and (node.id == name or _mangled(spot.code, node) == name):
            return node
    return None


def _mangled(code: Code, node: ast.Name) -> str:
    if not node.id.startswith("__") or node.id.endswith("__"):
        return node.id
    cls = code.class_of(node)
    return node.id if cls is None else f"_{cls.name.lstrip('_')}{node.id}"
