"""What a call in the code calls: its signature, and its text when that is in the workspace."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.model import Knowledge
from gateline.model.names import last_name
from gateline.repairs.analysis.code import Code, Function, walk_scope
from gateline.repairs.analysis.modules import module_of, workspace_modules
from gateline.repairs.analysis.outline import Callee, callee_of
from gateline.repairs.analysis.scopes import stores, visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.analysis.world import (
    code_at,
    find,
    lineage,
    members,
    resolve,
    signatures,
    text_of,
)
from gateline.repairs.locate.places import Spot


@dataclass(frozen=True)
class Definition:
    """A function of the workspace, with the text it stands in."""

    code: Code
    node: Function | ast.Lambda

    @property
    def cls(self) -> ast.ClassDef | None:
        """The class whose method it is."""
        parent = self.code.parent(self.node)
        return parent if isinstance(parent, ast.ClassDef) else None


def callees(knowledge: Knowledge, spot: Spot, call: ast.Call) -> tuple[Callee, ...]:
    """The signatures that a call may mean, without `self`; empty when nothing is known."""
    kinds = Kinds(spot.code, knowledge, spot.seen)
    func = call.func
    name = kinds.resolved(func)
    found = signatures(knowledge, name) if name else ()
    if not found and isinstance(func, ast.Attribute):
        owner = kinds.of(func.value) or _own_class(spot.code, func.value, knowledge)
        found = members(knowledge, owner).get(func.attr, ()) if owner else ()
    if not found and (definition := local_definition(spot.code, func)):
        found = (callee_of(definition.node),)
    return tuple(_without_self(callee) for callee in found) or tuple(_by_name(knowledge, func))


def _own_class(code: Code, receiver: ast.expr, knowledge: Knowledge) -> str:
    """The class around, when its object is asked."""
    cls = code.class_of(receiver)
    if cls is None or not isinstance(receiver, ast.Name) or receiver.id not in {"self", "cls"}:
        return ""
    module = module_of(code.path, knowledge.paths())
    return f"{module}.{cls.name}" if module else cls.name


def _without_self(callee: Callee) -> Callee:
    first = callee.parameters[:1]
    if first and first[0].name in {"self", "cls", "mcs"}:
        return Callee(callee.parameters[1:], callee.returns, callee.decorators)
    return callee


def _by_name(knowledge: Knowledge, func: ast.expr) -> Iterator[Callee]:
    """Functions of the workspace with the name that is called, when nothing better is known."""
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    yield from (_without_self(callee_of(d.node)) for d in definitions(knowledge, name))


def local_definition(code: Code, func: ast.expr) -> Definition | None:
    """The function or lambda of the same text that a name means."""
    if not isinstance(func, ast.Name):
        return None
    name = visible(code, func).get(func.id)
    if name is None or name.node is None:
        return None
    if isinstance(name.node, Function):
        return Definition(code, name.node)
    return _assigned(code, name.node)


def _assigned(code: Code, store: ast.AST) -> Definition | None:
    """The function that an assignment gives a name: a lambda, or one that has another name as well."""
    parent = code.parent(store)
    value = parent.value if isinstance(parent, ast.Assign) else None
    if isinstance(value, ast.Lambda):
        return Definition(code, value)
    if not isinstance(value, ast.Name) or not isinstance(store, ast.Name) or value.id == store.id:
        return None
    return next(
        (Definition(code, f) for f in code.functions.get(value.id, ()) if code.scope(f) is code.scope(store)),
        None,
    )


def definitions(knowledge: Knowledge, name: str) -> list[Definition]:
    """The functions and methods of the workspace with a name (`move`, `Robot.move`)."""
    last = name.rpartition(".")[2]
    owner = name.rpartition(".")[0].rpartition(".")[2]
    if not last.isidentifier():
        return []
    found = []
    for path in workspace_modules(knowledge.paths()).values():
        text = knowledge.text(path) or ""
        # A plain search: an expression takes many times as long, and modules are many.
        code = code_at(knowledge, path) if f"def {last}" in text else None
        if code is not None:
            found += [Definition(code, node) for node in code.functions.get(last, ())]
    owned = [d for d in found if d.cls is not None and d.cls.name == owner]
    return owned if owner and owned else found


def classes(knowledge: Knowledge, name: str) -> Iterator[tuple[Code, ast.ClassDef]]:
    """The classes of the workspace that a dotted or a bare name may mean, with the texts they stand in."""
    last = name.rpartition(".")[2]
    for path in workspace_modules(knowledge.paths()).values() if last.isidentifier() else ():
        text = knowledge.text(path) or ""
        code = code_at(knowledge, path) if f"class {last}" in text else None
        for node in () if code is None else code.nodes:
            if code is not None and isinstance(node, ast.ClassDef) and node.name == last:
                yield code, node


def called(knowledge: Knowledge, spot: Spot, call: ast.Call) -> list[Definition]:
    """The functions of the workspace that a call may mean, the likeliest first.

    Where a run came through it, the one that it entered; else what the type of the
    receiver says, as the run saw it.
    """
    if (met := _entered(knowledge, spot, call)) is not None:
        return [met]
    kinds = Kinds(spot.code, knowledge, spot.seen)
    func = call.func
    if (near := local_definition(spot.code, func)) is not None:
        return [near]
    name = kinds.resolved(func)
    if name:
        module, _, last = name.rpartition(".")
        held = find(knowledge, module, last) if module else None
        if held is not None or not isinstance(func, ast.Attribute):
            return _held(knowledge, held[0], last) if held else []
    if isinstance(func, ast.Attribute):
        return asked(knowledge, spot, func.value, func.attr)
    return []


def _entered(knowledge: Knowledge, spot: Spot, call: ast.Call) -> Definition | None:
    """The function in which a run went on from a call, if it has its name: a decorator's wrapper has not."""
    frame, name = spot.entered, last_name(call.func)
    if frame is None or not frame.ours or not _is_met(spot, call, name):
        return None
    code = code_at(knowledge, frame.path)
    if code is None:
        return None
    met = [n for n in code.nodes_at(frame.line) if isinstance(n, Function) and n.name == name]
    return Definition(code, max(met, key=lambda n: n.lineno)) if met else None


def _is_met(spot: Spot, call: ast.Call, name: str) -> bool:
    """Whether a call is the one that failed; where only the line is known, the only one of its name there."""
    if spot.node is not None:
        return call is (spot.node.value if isinstance(spot.node, ast.Await) else spot.node)
    same = [c for c in spot.candidates(ast.Call) if last_name(c.func) == name]
    return same == [call]


def asked(knowledge: Knowledge, spot: Spot, receiver: ast.expr, name: str) -> list[Definition]:
    """The methods with a name that an object may have, by its type if that is known, else all of the name."""
    owner = Kinds(spot.code, knowledge, spot.seen).of(receiver) or _own_class(spot.code, receiver, knowledge)
    if owner and "." not in owner:
        # As an annotation says it; what a run saw is dotted.
        owner = resolve(knowledge, module_of(spot.code.path, knowledge.paths()), owner)
    return methods(knowledge, owner, name) or definitions(knowledge, f"{owner}.{name}" if owner else name)


def methods(knowledge: Knowledge, owner: str, name: str) -> list[Definition]:
    """The method of a class by its dotted name, which may be a base's; empty where the workspace has none."""
    for module, declared in lineage(knowledge, owner) if owner else ():
        if name in declared.members:
            place = text_of(knowledge, module)
            code = code_at(knowledge, place[0]) if place is not None and place[0] else None
            found = [Definition(code, n) for n in code.functions.get(name, ())] if code is not None else []
            return [d for d in found if d.cls is not None and d.cls.name == declared.name]
    return []


def _held(knowledge: Knowledge, module: str, name: str) -> list[Definition]:
    """The functions that a module defines under a name, or under the one that the name stands for there."""
    found = [d for d in definitions(knowledge, name) if _is_in(d, module, knowledge)]
    if found or (place := text_of(knowledge, module)) is None or not place[0]:
        return found
    code = code_at(knowledge, place[0])
    given = stores(walk_scope(code.tree), name) if code is not None else []
    near = next((d for store in given if code is not None and (d := _assigned(code, store))), None)
    return found if near is None else [near]


def _is_in(definition: Definition, module: str, knowledge: Knowledge) -> bool:
    return module_of(definition.code.path, knowledge.paths()) == module
