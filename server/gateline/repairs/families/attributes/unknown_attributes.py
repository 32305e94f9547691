"""An attribute that its object does not have: misspelled, or the name it has in another language or version.

The members of the receiver's type are known from its declaration; the type from the run, the type checker or
the code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.imports import added
from gateline.repairs.analysis.likeness import likest, plain, words
from gateline.repairs.analysis.modules import workspace_modules
from gateline.repairs.analysis.outline import Callee
from gateline.repairs.analysis.scopes import Kind, attributes_of_self, visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.analysis.world import exports, members
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, fitted, repair
from gateline.repairs.locate.missing_attribute import LACKING, Lacking, lacking
from gateline.repairs.priors import prior
from gateline.repairs.tables import table

_NOT_OBJECTS = {"NoneType", "None", "function", "method", "builtin_function_or_method"}
_MOST = 6
"""Members that are tried though nothing is like them."""
_SLOT = re.compile(r"\{(\w+)\}|\{\{|\}\}")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An attribute that is not there; of None and of functions other families know more."""
    found = lacking(problem, knowledge)
    if found is None or found.owner in _NOT_OBJECTS:
        return None
    return Diagnosis(
        problem, Family.NAME, "wrong-attribute", f"an attribute of {found.owner}", found.name, found.places
    )


def propose(question: Question) -> Iterator[Repair]:
    """Other attributes, and what the tables know."""
    found = lacking(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_Attributes(question, found).repairs())


@dataclass(frozen=True)
class _Attributes:
    question: Question
    found: Lacking

    def repairs(self) -> Iterator[Repair]:
        yield from self._uncalled()
        yield from self._hinted()
        yield from self._alike()
        yield from self._said()
        yield from self._not_called()
        yield from self._beside()
        yield from self._foreign()
        yield from self._other_receivers()

    @cached_property
    def known(self) -> Mapping[str, object]:
        """The members of the receiver, those set on it by its own class included."""
        if self.found.says == "module":
            return dict.fromkeys(exports(self.question.knowledge, self.found.owner))
        found: dict[str, object] = dict(members(self.question.knowledge, self.found.owner))
        me = dotted(self.found.node.value)
        prefix = f"{me}."
        found.update(
            (k.removeprefix(prefix), ()) for k in self.found.spot.seen if me and k.startswith(prefix)
        )
        cls = self.found.code.class_of(self.found.node)
        if cls is not None and cls.name == self.found.owner.rpartition(".")[2]:
            found = {**dict.fromkeys(attributes_of_self(cls), ()), **found}
        return found

    def _renamed(self, name: str, cost: float, pattern: str) -> Repair:
        start = self.found.code.end(self.found.node) - len(self.found.name)
        edit = self.found.code.edit(start, start + len(self.found.name), name)
        return repair(self.question, f"Change {self.found.name} to {name}", [edit], cost, pattern=pattern)

    def _uncalled(self) -> Iterator[Repair]:
        """`super.save()`: the class is asked, and an object of it is meant."""
        owner = self.found.node.value
        is_class = dotted(owner).rpartition(".")[2] == self.found.owner.rpartition(".")[2] != ""
        if is_class and (self.found.owner == "super" or self.found.name in self.known):
            end = self.found.code.end(owner)
            cost = prior(
                "attributes.uncalled-super" if self.found.owner == "super" else "attributes.uncalled"
            )
            edit = self.found.code.edit(end, end, "()")
            yield repair(self.question, f"Call {dotted(owner)}", [edit], cost, pattern="missing-call")

    def _hinted(self) -> Iterator[Repair]:
        if self.found.hint:
            yield self._renamed(self.found.hint, prior("attributes.hinted"), "misspelled-attribute")

    def _alike(self) -> Iterator[Repair]:
        for cost, name in likest(self.found.name, self.known):
            cost += 0 if self._is_public(name) else prior("attributes.alike-private")
            cost += prior("attributes.alike-dunder") if name.startswith("__") else 0
            yield self._renamed(name, cost, "misspelled-attribute")

    def _said(self) -> Iterator[Repair]:
        """A member all of whose words are in the name: `toTitleCase` says `title`."""
        mine = set(words(self.found.name))
        for name in self.known:
            theirs = set(words(name))
            if theirs and theirs < mine and not name.startswith("_"):
                yield self._renamed(
                    name,
                    prior("attributes.told-by-type")
                    + prior("attributes.told-by-type-each-unlike") * len(mine - theirs),
                    "misspelled-attribute",
                )

    def _not_called(self) -> Iterator[Repair]:
        """`node.get_left()`: a value, which the name says, and no method; so everywhere in the text."""
        call = self.found.call
        if call is None or call.args or call.keywords or not self._said_value(self.found.name):
            return
        code = self.found.code
        asked = (
            (n, code.parent(n), self._said_value(n.attr)) for n in self._asked if n.attr not in self.known
        )
        edits = [
            code.replace(parent, f"{code.segment(node.value)}.{value}")
            for node, parent, value in asked
            if value and isinstance(parent, ast.Call) and parent.func is node and not parent.args
        ]
        title = f"Write .{self._said_value(self.found.name)}"
        yield repair(
            self.question, title, edits, prior("attributes.renamed-uncalled"), pattern="misspelled-attribute"
        )

    def _said_value(self, name: str) -> str:
        """The only value among the members whose words, or whose letters at an end, are in a name."""
        mine, bare = set(words(name)), plain(name)
        values = [n for n, callees in self.known.items() if not callees and not n.startswith("_")]
        said = [n for n in values if set(words(n)) < mine or (len(n) > 3 and bare.endswith(plain(n)))]
        return said[0] if len(said) == 1 else ""

    def _beside(self) -> Iterator[Repair]:
        """Nothing is like it: another member of a class of the workspace that can be used in this way."""
        is_ours = self.found.owner.rpartition(".")[0] in workspace_modules(self.question.knowledge.paths())
        if self.question.problem.origin is not Origin.RUN or self.found.says != "object" or not is_ours:
            return
        function = self.found.code.function(self.found.node)
        own = function.name if function is not None else ""
        fitting = [n for n in self.known if not n.startswith("__") and n != own and self._fits(n)]
        least = prior("attributes.other-only" if len(fitting) == 1 else "attributes.other-of-several")
        for rank, name in enumerate(fitting[:_MOST]):
            yield self._renamed(name, least + prior("shared.rank") * rank, "other-attribute")
        if own in self.known and self.found.call is not None and self._fits(own):
            again = any(n is not self.found.node and n.attr == own for n in self._asked)
            yield self._renamed(
                own,
                prior("attributes.other-own-asked-again" if again else "attributes.other-own"),
                "other-attribute",
            )

    @cached_property
    def _asked(self) -> list[ast.Attribute]:
        """The attributes that the text asks for."""
        return [n for n in self.found.code.nodes if isinstance(n, ast.Attribute)]

    def _fits(self, name: str) -> bool:
        """Whether a member is called with as many arguments, or is no method."""
        callees = self.known[name]
        found = [c for c in callees if isinstance(c, Callee)] if isinstance(callees, tuple) else []
        if self.found.call is None:
            return not found or any("property" in d for c in found for d in c.decorators)
        given = len(self.found.call.args) + len(self.found.call.keywords)
        return any(given == len([p for p in c.parameters if p.name not in {"self", "cls"}]) for c in found)

    def _is_public(self, name: str) -> bool:
        return (
            not name.startswith("_")
            or self.found.name.startswith("_")
            or dotted(self.found.node.value) == "self"
        )

    def _foreign(self) -> Iterator[Repair]:
        tables = table("methods")
        kinds = [self.found.owner, "any"]
        if self.found.owner in {"collections.OrderedDict", "collections.defaultdict", "collections.Counter"}:
            kinds.insert(1, "dict")
        for kind in kinds:
            for rank, meant in enumerate(tables.get(kind, {}).get(self.found.name, ())):
                yield from self._meant(
                    meant,
                    prior("attributes.foreign")
                    + prior("attributes.foreign-rank") * rank
                    + (prior("attributes.foreign-any-type") if kind == "any" else 0),
                )
        for kind, rows in tables.items():
            for meant in rows.get(self.found.name, ()) if kind not in kinds else ():
                if meant in self.known:
                    yield self._renamed(meant, prior("attributes.foreign-of-other-type"), "foreign-method")

    def _meant(self, meant: str, cost: float) -> Iterator[Repair]:
        """A row of the table: a method's name, a call of one, or an expression of receiver and arguments."""
        if meant.isidentifier():
            if not self.known or meant in self.known:
                yield self._renamed(meant, cost, "foreign-method")
            return
        text = meant if "{self}" in meant else "{self}." + meant
        node: ast.expr = self.found.call or self.found.node
        written = self._filled(text)
        if written is None:
            return
        code = self.found.code
        edits = [code.replace(node, written if _is_atom(meant) else fitted(code, node, written))]
        edits += [added(code, m, "", tops(self.question.knowledge)) for m in self._modules(meant)]
        yield repair(self.question, f"Write {written}", edits, cost, pattern="foreign-method")

    def _modules(self, meant: str) -> Iterable[str]:
        named = re.findall(r"(?<![\w.}])([a-z]+)\.\w+\(", meant)
        bound = {"item"} if " for item in " in meant else set()
        return [n for n in named if n not in visible(self.found.code, self.found.node) and n not in bound]

    def _filled(self, text: str) -> str | None:
        """The expression with its slots filled; None when an argument is missing."""
        code, call = self.found.code, self.found.call
        arguments = [] if call is None else [code.segment(a) for a in call.args]
        values = {"self": self.found.receiver, "args": ", ".join(arguments)}
        values |= {str(n): a for n, a in enumerate(arguments)}
        needed = {m[1] for m in _SLOT.finditer(text) if m[1]}
        numbers = {n for n in needed if n.isdigit()}
        if not needed <= set(values) or (
            call is not None and len(arguments) != len(numbers) and "args" not in needed
        ):
            return None
        if call is None and numbers:
            return None
        return _SLOT.sub(lambda m: _held(values[m[1]], m) if m[1] else m[0][0], text)

    def _other_receivers(self) -> Iterator[Repair]:
        """Another object in scope that has the attribute was meant."""
        node, code = self.found.node.value, self.found.code
        if not isinstance(node, ast.Name) or self.found.says == "module":
            return
        kinds = Kinds(code, self.question.knowledge, self.found.spot.seen)
        for name in visible(code, node).values():
            if name.kind not in {Kind.LOCAL, Kind.PARAMETER, Kind.OUTER} or name.text == node.id:
                continue
            kind = self.found.spot.seen.get(name.text) or kinds.of_binding(name)
            if kind and self.found.name in members(self.question.knowledge, kind):
                edit = code.replace(node, name.text)
                yield repair(
                    self.question,
                    f"Use {name.text} instead",
                    [edit],
                    prior("attributes.wrong-receiver"),
                    pattern="wrong-receiver",
                )


def _is_atom(meant: str) -> bool:
    """A call or an item needs no parentheses around it."""
    return (
        re.fullmatch(
            r"[\w.]*\(\{self\}[^()]*\)(?:\.\w+\([^()]*\))?|\{self\}(?:\[[^\]]*\]|\.\w+\(.*\))?|\[.*\]|\w+\(.*\)",
            meant,
        )
        is not None
    )


def _held(value: str, slot: re.Match[str]) -> str:
    """A value in its slot: in brackets where something is asked of it that binds closer than it does."""
    if slot.string[slot.end() : slot.end() + 1] not in {".", "["}:
        return value
    try:
        node = ast.parse(value, mode="eval").body
    except SyntaxError:
        return value
    return value if isinstance(node, _CLOSE) else f"({value})"


_CLOSE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Dict, ast.JoinedStr)

REPAIRER = Repairer("attributes", LACKING, diagnose, propose)
