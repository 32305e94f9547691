"""What names mean in a project, as far as its text says it: which definition a call reaches."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from gateline_dev.retrieval.sources import Definition, Module, Scope, modules

_HOPS = 6
"""Imports that are followed from one module to the next."""
_DEPTH = 8
"""Bases that are followed."""


@dataclass(frozen=True)
class Meaning:
    """A module by its dotted name, a definition, or something made from a class."""

    module: str = ""
    definition: Definition | None = None
    made: bool = False


class Project:
    """The modules of a project, and what their names mean."""

    def __init__(self, found: list[Module]) -> None:
        self.modules = found
        self._by_name: dict[str, Module] = {}
        self._by_path = {module.path: module for module in found}
        for module in found:
            if module.dotted:
                self._by_name.setdefault(module.dotted, module)
        self._attribute = lru_cache(maxsize=None)(self._find_attribute)

    @classmethod
    def at(cls, root: Path) -> Project:
        """The project in a folder."""
        return cls(modules(root))

    @cached_property
    def definitions(self) -> list[Definition]:
        """All, in order."""
        return [definition for module in self.modules for definition in module.definitions]

    def module(self, definition: Definition) -> Module:
        """Where a definition stands."""
        return self._by_path[definition.path]

    def answers(self, definition: Definition) -> list[Definition]:
        """What answers for a callee: a class is called by its `__init__`, too."""
        init = self.module(definition).top.get(f"{definition.name}.__init__") if definition.is_class else None
        return [definition, init] if init else [definition]

    def calls(self, definition: Definition) -> Iterator[tuple[ast.Call, Definition]]:
        """The calls in a function that reach a definition of the project, in the order of the text."""
        module = self.module(definition)
        around = module.top.get(definition.owner) if definition.owner else None
        local = self._locals(module, definition, around)
        found = [node for node in ast.walk(definition.node) if isinstance(node, ast.Call)]
        for call in sorted(found, key=lambda c: (c.lineno, c.col_offset)):
            meaning = self._meaning(module, call.func, local, around)
            if meaning is not None and meaning.definition is not None and not meaning.made:
                yield call, meaning.definition

    def _locals(
        self, module: Module, definition: Definition, around: Definition | None
    ) -> Mapping[str, Meaning | None]:
        """Names that a function binds, and of those that are bound once the class they were made from."""
        bound: dict[str, int] = {}
        for node in ast.walk(definition.node):
            for name, times in _bound(node, definition.node):
                bound[name] = bound.get(name, 0) + times
        local: dict[str, Meaning | None] = dict.fromkeys(bound)
        for name, value in _made(definition.node):
            if bound[name] == 1:
                meaning = self._meaning(module, value, local, around)
                local[name] = meaning if meaning is not None and meaning.made else None
        return local

    def _meaning(
        self, module: Module, node: ast.expr, local: Mapping[str, Meaning | None], around: Definition | None
    ) -> Meaning | None:
        if isinstance(node, ast.Name):
            if node.id in local:
                return local[node.id]
            if node.id in ("self", "cls") and around is not None:
                return Meaning(definition=around, made=True)
            return self._named(module, node.id)
        if isinstance(node, ast.Attribute):
            base = self._meaning(module, node.value, local, around)
            return self._part(base, node.attr) if base is not None else None
        if isinstance(node, ast.Call):
            called = self._meaning(module, node.func, local, around)
            if called and called.definition and not called.made and called.definition.is_class:
                return Meaning(definition=called.definition, made=True)
        return None

    def _part(self, base: Meaning, name: str) -> Meaning | None:
        """What stands behind a dot."""
        if base.definition is None:
            return self._attribute(base.module, name, _HOPS)
        if base.made or base.definition.is_class:
            member = self._member(base.definition, name, _DEPTH)
            return Meaning(definition=member) if member else None
        return None

    def _named(self, module: Module, name: str) -> Meaning | None:
        """What a bare name is outside of functions."""
        if name in module.top:
            return Meaning(definition=module.top[name])
        if name in module.imports:
            base, taken = module.imports[name]
            return self._attribute(base, taken, _HOPS) if taken else Meaning(module=base)
        starred = (self._attribute(base, name, _HOPS) for base in module.starred)
        return next((meaning for meaning in starred if meaning), None)

    def _find_attribute(self, dotted: str, name: str, hops: int) -> Meaning | None:
        module = self._by_name.get(dotted)
        found = self._inside(module, name, hops) if module is not None and hops else None
        whole = f"{dotted}.{name}" if dotted else name
        return found or (Meaning(module=whole) if whole in self._by_name else None)

    def _inside(self, module: Module, name: str, hops: int) -> Meaning | None:
        if name in module.top:
            return Meaning(definition=module.top[name])
        if name in module.imports:
            base, taken = module.imports[name]
            if not taken:
                return Meaning(module=base) if base in self._by_name else None
            if (base, taken) != (module.dotted, name) and (found := self._attribute(base, taken, hops - 1)):
                return found
        starred = (self._attribute(base, name, hops - 1) for base in module.starred if base != module.dotted)
        return next((meaning for meaning in starred if meaning), None)

    def _member(self, owner: Definition, name: str, depth: int) -> Definition | None:
        """The method of a class or of its bases."""
        if not isinstance(owner.node, ast.ClassDef) or not depth:
            return None
        module = self.module(owner)
        if own := module.top.get(f"{owner.name}.{name}"):
            return own
        for base in owner.node.bases:
            meaning = self._meaning(module, base, {}, None)
            above = meaning.definition if meaning and not meaning.made else None
            if above and above is not owner and (found := self._member(above, name, depth - 1)):
                return found
        return None


def _bound(node: ast.AST, function: ast.AST) -> Iterator[tuple[str, int]]:
    """A name that a node binds, and how often that counts: what is not assigned is never made of a class."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id, 1
    elif isinstance(node, ast.arg) and node.arg not in ("self", "cls"):
        yield node.arg, 0
    elif isinstance(node, Scope) and node is not function:
        yield node.name, 0


def _made(function: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names and what they are assigned."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
