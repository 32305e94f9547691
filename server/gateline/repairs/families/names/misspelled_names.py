"""A name that is not there, where another was meant: misspelled, renamed in part, without `self.`, mixed up.

Names in scope are tried by likeness, by what the place demands of the value, and by how it is bound: what is
assigned and never read, or a parameter that is never used, is what was probably meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import walk_scope
from gateline.repairs.analysis.likeness import cost as likeness
from gateline.repairs.analysis.likeness import is_alike
from gateline.repairs.analysis.modules import module_of
from gateline.repairs.analysis.scopes import Kind, Name, attributes_of_self, built_up, loads, stores, visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.analysis.world import exports, members
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.demands import demands, suits, supplies
from gateline.repairs.locate.undefined import UNDEFINED, Undefined, undefined
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A name that is not bound where it is read."""
    found = undefined(problem, knowledge)
    if found is None:
        return None
    return Diagnosis(problem, Family.NAME, "misspelled-name", "a name in scope", found.name, found.places)


def propose(question: Question) -> Iterator[Repair]:
    """Other names in its place, the likest first."""
    found = undefined(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_Names(question, found).repairs())


@dataclass(frozen=True)
class _Names:
    question: Question
    found: Undefined

    @cached_property
    def kinds(self) -> Kinds:
        return Kinds(self.found.code, self.question.knowledge, self.found.spot.seen)

    def repairs(self) -> Iterator[Repair]:
        yield from self._of_self()
        yield from self._renamed()
        for name in visible(self.found.code, self.found.node).values():
            if not name.text.isidentifier():
                continue
            if name.kind is not Kind.BUILTIN or likeness(self.found.name, name.text) is not None:
                yield from self._written(name.text, self._cost(name))
        for other in sorted(self._starred()):
            if (like := likeness(self.found.name, other)) is not None:
                yield from self._written(other, like)

    def _written(self, name: str, cost: float) -> Iterator[Repair]:
        uses = self.found.in_scope
        if name == self.found.name:
            return
        title = f"Change {self.found.name} to {name}"
        if len(uses) > 1:
            yield self._repair(title, uses, name, cost)
            cost += prior("names.misspelled-one-use-of-several")
        yield self._repair(title, [self.found.node], name, cost)

    def _repair(self, title: str, uses: list[ast.Name], text: str, cost: float, pattern: str = "") -> Repair:
        edits = [self.found.code.replace(use, text) for use in uses]
        guess = not is_alike(self.found.name, text.rpartition(".")[2])
        return repair(self.question, title, edits, cost, pattern=pattern, guess=guess)

    def _cost(self, name: Name) -> float:
        if self._is_left_over and name.text == self.only:
            return prior("names.misspelled-left-over")
        like = likeness(self.found.name, name.text)
        cost = prior("names.misspelled-unlike") if like is None else like
        if name.kind is Kind.BUILTIN:
            cost += prior("names.misspelled-builtin")
        elif name.kind in {Kind.IMPORT, Kind.CLASS, Kind.FUNCTION, Kind.MODULE}:
            cost += prior("names.misspelled-definition-alike") if like is not None else self._idle(name)
        elif like is None:
            cost += self._binding(name) - (
                prior("names.misspelled-only-fitting") if self.only == name.text else 0
            )
        return cost + self._fit(name)

    def _idle(self, name: Name) -> float:
        """What is imported and never used was meant somewhere."""
        is_used = bool(loads(self.found.code.nodes, name.text))
        return prior(
            "names.misspelled-definition-used"
            if is_used or name.kind is not Kind.IMPORT
            else "names.misspelled-import-unused"
        )

    @cached_property
    def only(self) -> str:
        """The one local that can do what is asked here; "" when there are several."""
        wanted = demands(self.found.code, self.found.node)
        scope = visible(self.found.code, self.found.node).values()
        held = [n for n in scope if n.kind in {Kind.LOCAL, Kind.PARAMETER} and n.text != self.found.name]
        if self._is_left_over:
            changed = set(built_up(self.found.code.scope(self.found.node)))
            able = [n.text for n in held if n.text in changed]
        else:
            able = [n.text for n in held if supplies(self.question.knowledge, self._kind(n), wanted)]
        return able[0] if len(able) == 1 else ""

    @property
    def _is_left_over(self) -> bool:
        """What a loop bound is returned behind it: what was collected in the loop was meant."""
        is_returned = isinstance(self.found.code.parent(self.found.node), ast.Return)
        return is_returned and self.found.is_unassigned

    def _kind(self, name: Name) -> str:
        return self.found.spot.seen.get(name.text) or self.kinds.of_binding(name)

    def _binding(self, name: Name) -> float:
        """What is bound and never read was probably meant; what has no value was not, nor is the object."""
        own = self.found.code.scope(self.found.node)
        if name.text == self._me:
            return prior("names.misspelled-own-object")
        nodes = list(walk_scope(own))
        is_read = bool(loads(nodes, name.text))
        seen = self.found.spot.seen
        absent = bool(seen) and name.text not in seen and name.kind in {Kind.LOCAL, Kind.PARAMETER}
        loop = isinstance(self.found.code.parent(name.node), ast.For) if name.node else False
        return (
            (0 if is_read else prior("names.misspelled-binding-unread"))
            + (prior("names.misspelled-binding-unset") if absent else 0)
            - (prior("names.misspelled-binding-of-loop") if loop else 0)
        )

    @cached_property
    def _me(self) -> str:
        """What the method around calls its object."""
        function = self.found.code.function(self.found.node)
        if function is None or self.found.code.class_of(function) is None or not function.args.args:
            return ""
        return function.args.args[0].arg

    def _fit(self, name: Name) -> float:
        node = name.node
        if name.kind is Kind.BUILTIN or node is None:
            is_callable = name.text[:1].islower() or name.text.endswith(("Error", "Exception"))
            return 0 if is_callable and self.found.is_called else prior("names.misspelled-not-callable")
        fits = suits(self.kinds, self.found.node, self._kind(name))
        return (
            0
            if fits is None
            else prior("names.misspelled-type-fits" if fits else "names.misspelled-type-unfit")
        )

    def _of_self(self) -> Iterator[Repair]:
        """An attribute of the object, without the object in front."""
        code, node, me = self.found.code, self.found.node, self._me
        cls = code.class_of(node)
        if cls is None or not me:
            return
        own = attributes_of_self(cls)
        known = set(own) | set(members(self.question.knowledge, self._qualified(cls)))
        known |= {key.partition(".")[2] for key in self.found.spot.seen if key.startswith(f"{me}.")}
        if self.found.name in known:
            uses = self.found.in_scope if not self.found.is_unassigned else [node]
            title = f"Write {me}.{self.found.name}"
            yield self._repair(
                title, uses, f"{me}.{self.found.name}", prior("names.self-missing"), "missing-self"
            )
        for name in own:
            like = likeness(self.found.name, name)
            if like is not None and name != self.found.name:
                yield self._repair(
                    f"Write {me}.{name}",
                    [node],
                    f"{me}.{name}",
                    like + prior("names.self-missing-alike"),
                    "missing-self",
                )

    def _qualified(self, cls: ast.ClassDef) -> str:
        module = module_of(self.found.code.path, self.question.knowledge.paths())
        return f"{module}.{cls.name}" if module else cls.name

    def _renamed(self) -> Iterator[Repair]:
        """What is assigned and never read was renamed where it is used, or only there."""
        code = self.found.code
        own = code.scope(self.found.node)
        nodes = list(walk_scope(own))
        everything = list(ast.walk(own))
        if self.found.is_unassigned and len(stores(nodes, self.found.name)) > 1:
            return
        for name in dict.fromkeys(
            n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        ):
            bindings = stores(nodes, name)
            if loads(everything, name) or name == self.found.name or name == "_":
                continue
            like = likeness(self.found.name, name)
            cost = prior("names.renamed-unread-by-design") if _is_by_design(own, bindings) else 0
            cost += prior(
                "names.renamed-before"
                if bindings[0].lineno <= self.found.node.lineno
                else "names.renamed-after"
            )
            cost += 0 if len(self.found.in_scope) > 1 or like is None else prior("names.renamed-one-use")
            title = f"Rename {name} to {self.found.name}"
            yield self._repair(title, bindings, self.found.name, cost, "partial-rename")

    def _starred(self) -> set[str]:
        """Names that come from imports of everything."""
        nodes = [n for n in self.found.code.nodes if isinstance(n, ast.ImportFrom) and n.names[0].name == "*"]
        return {name for n in nodes for name in exports(self.question.knowledge, n.module or "")}


def _is_by_design(scope: ast.AST, bindings: list[ast.Name]) -> bool:
    """Loops and unpacking bind names that nobody needs."""
    targets = [n.target for n in ast.walk(scope) if isinstance(n, ast.For | ast.comprehension)]
    targets += [n for n in ast.walk(scope) if isinstance(n, ast.Tuple) and isinstance(n.ctx, ast.Store)]
    return any(binding in ast.walk(target) for target in targets for binding in bindings)


REPAIRER = Repairer("misspelled names", UNDEFINED, diagnose, propose)
