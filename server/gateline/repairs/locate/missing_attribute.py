"""An attribute that an error says is not there: of which type, and where it is asked for."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gateline.model import Knowledge, Place, Problem
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.modules import module_of
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.analysis.world import members
from gateline.repairs.locate.messages import Saying, types_of, understand, wording
from gateline.repairs.locate.places import Spot, spots

_CODES = "AttributeError attr-defined union-attr unresolved-attribute"
_TABLE = (
    wording("module", _CODES, r"module '(?P<type>[\w.]+)' has no attribute '(?P<name>\w+)'"),
    wording("module", _CODES, r"Module (?:\"(?P<type>[\w.]+)\" )?has no attribute \"(?P<name>\w+)\""),
    wording(
        "module", _CODES, r"partially initialized module '(?P<type>[\w.]+)' .*no attribute '(?P<name>\w+)'"
    ),
    wording("class", _CODES, r"type object '(?P<type>[\w.]+)' has no attribute '(?P<name>\w+)'"),
    wording("class", _CODES, r"\"type\[(?P<type>[\w.]+)\]\" has no attribute \"(?P<name>\w+)\""),
    wording("object", _CODES, r"'(?P<type>[\w.]+)' object has no attribute '(?P<name>\w+)'"),
    wording("item", _CODES, r"Item \"(?P<type>[^\"]+)\" of .* has no attribute \"(?P<name>\w+)\""),
    wording(
        "object",
        _CODES,
        r"\"(?P<type>[^\"]+)\" has no attribute \"(?P<name>\w+)\"(?:; maybe \"(?P<hint>\w+)\")?",
    ),
    wording("object", _CODES, r"(?:Object of type|Type) `(?P<type>[^`]+)` has no attribute `(?P<name>\w+)`"),
)
LACKING = types_of(_TABLE)


@dataclass(frozen=True)
class Lacking:
    """An attribute that is not there."""

    name: str
    owner: str
    """The type of the receiver, dotted unless built in; the module's name for a module."""
    says: str
    hint: str
    spot: Spot
    node: ast.Attribute

    @property
    def code(self) -> Code:
        """The text in which it stands."""
        return self.spot.code

    @property
    def call(self) -> ast.Call | None:
        """The call of the attribute, when it is called."""
        parent = self.code.parent(self.node)
        return parent if isinstance(parent, ast.Call) and parent.func is self.node else None

    @property
    def receiver(self) -> str:
        """The text of the object that is asked."""
        return self.code.segment(self.node.value)

    @property
    def places(self) -> tuple[Place, ...]:
        """Where it is asked for."""
        return (Place(self.code.path, self.code.span(self.node)),)


def saying(problem: Problem) -> Saying | None:
    """What a problem says of an attribute."""
    return understand(problem, _TABLE)


def lacking(problem: Problem, knowledge: Knowledge) -> Lacking | None:
    """The attribute that a problem is about; None when it is about something else."""
    said = saying(problem)
    if said is None:
        return None
    for spot in spots(problem, knowledge):
        for node in spot.candidates(ast.Attribute):
            if node.attr == said["name"] or _mangled(spot.code, node) == said["name"]:
                owner = _owner(said, spot, node, knowledge)
                return Lacking(node.attr, owner, said.says, said["hint"], spot, node)
    return None


def _mangled(code: Code, node: ast.Attribute) -> str:
    cls = code.class_of(node) if node.attr.startswith("__") and not node.attr.endswith("__") else None
    return node.attr if cls is None else f"_{cls.name.lstrip('_')}{node.attr}"


def _owner(said: Saying, spot: Spot, node: ast.Attribute, knowledge: Knowledge) -> str:
    """The type as dotted as it can be told: a run knows more than its message."""
    told = said["type"].partition("[")[0]
    if said.says == "module":
        return told or Kinds(spot.code, knowledge).resolved(node.value)
    seen = Kinds(spot.code, knowledge, spot.seen).of(node.value)
    if seen.rpartition(".")[2] == told.rpartition(".")[2]:
        return seen
    own = spot.code.class_of(node)
    if own is not None and own.name == told:
        module = module_of(spot.code.path, knowledge.paths())
        return f"{module}.{told}" if module else told
    if told and "." not in told and not members(knowledge, told):
        # A message tells no module; what declares such a class is known.
        home = next(iter(knowledge.homes(told)), "")
        return f"{home}.{told}" if home else told
    return told
