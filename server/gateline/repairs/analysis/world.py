"""What is known of names beyond one text: exports of modules, members of classes, signatures."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator

from gateline.model import Knowledge
from gateline.repairs.analysis.code import Code, code_of
from gateline.repairs.analysis.modules import absolute, workspace_modules
from gateline.repairs.analysis.outline import Callee, Outline, Type, outline_of

_DEEPEST = 6
"""Bases and imports are followed this far."""


def text_of(knowledge: Knowledge, module: str) -> tuple[str, str] | None:
    """The path and the text that declare a module; the path is "" outside of the workspace."""
    path = workspace_modules(knowledge.paths()).get(module)
    if path is not None and (text := knowledge.text(path)) is not None:
        return path, text
    declared = knowledge.source(module)
    return None if declared is None else ("", declared)


def outline(knowledge: Knowledge, module: str) -> Outline | None:
    """What a module offers; None when nothing is known of it."""
    found = text_of(knowledge, module)
    return None if found is None else outline_of(found[1])


def exports(knowledge: Knowledge, module: str, depth: int = 0) -> frozenset[str]:
    """Every name that can be imported from a module, its submodules included."""
    found = text_of(knowledge, module)
    if found is None:
        return frozenset(knowledge.exports(module) or ())
    offered = outline_of(found[1])
    # A stub hands on only what it says; a module everything that it imports.
    names = set(offered.names) | (
        set(offered.imported) if found[0] else offered.handed_on & {*offered.imported}
    )
    for star in offered.stars if depth < _DEEPEST else ():
        if target := _absolute(knowledge, module, found[0], star):
            names |= exports(knowledge, target, depth + 1)
    names.update(submodules(knowledge, module))
    return frozenset(names)


def submodules(knowledge: Knowledge, module: str) -> list[str]:
    """The names of the modules inside a package."""
    known = (*workspace_modules(knowledge.paths()), *knowledge.modules())
    inside = (m.removeprefix(f"{module}.") for m in known if m.startswith(f"{module}."))
    return [name for name in inside if "." not in name]


def _absolute(knowledge: Knowledge, module: str, path: str, target: str) -> str | None:
    if not target.startswith("."):
        return target
    if path:
        return absolute(target, path, knowledge.paths())
    level = len(target) - len(target.lstrip("."))
    parent = module.split(".")[: -level or None]
    return ".".join([*parent, target.lstrip(".")]).strip(".")


def find(knowledge: Knowledge, module: str, name: str, depth: int = 0) -> tuple[str, Outline] | None:
    """The module that declares a name which `module` offers, with its outline."""
    found = text_of(knowledge, module)
    if found is None or depth > _DEEPEST:
        return None
    offered = outline_of(found[1])
    if name in offered.names:
        return module, offered
    origin = offered.imported.get(name)
    if origin and (target := _absolute(knowledge, module, found[0], origin[0])):
        return find(knowledge, target, origin[1] or name, depth + 1)
    for star in offered.stars:
        target = _absolute(knowledge, module, found[0], star)
        if target and (held := find(knowledge, target, name, depth + 1)):
            return held
    return None


def type_named(knowledge: Knowledge, name: str) -> tuple[str, Type] | None:
    """A class by its dotted name (`str`, `functools.partial`, `shop.cart.Cart`), with its module."""
    module, _, last = name.rpartition(".")
    held = find(knowledge, module or "builtins", last)
    if held and last in held[1].types:
        return held[0], held[1].types[last]
    if module:
        return None
    return next(_by_bare_name(knowledge, name), None)


def _by_bare_name(knowledge: Knowledge, name: str) -> Iterator[tuple[str, Type]]:
    """Classes of the workspace with a name: a message often tells no module."""
    own = re.escape(name)
    pattern = re.compile(rf"^[ \t]*(?:class[ \t]+{own}\b|{own}[ \t]*=[ \t]*[\w.]+\()", re.MULTILINE)
    for module, path in workspace_modules(knowledge.paths()).items():
        text = knowledge.text(path) or ""
        if name in text and pattern.search(text) and name in outline_of(text).types:
            yield module, outline_of(text).types[name]


def members(knowledge: Knowledge, name: str) -> dict[str, tuple[Callee, ...]]:
    """The members of a class by its name, inherited ones included; empty when it is not known."""
    found: dict[str, tuple[Callee, ...]] = {}
    for _, declared in lineage(knowledge, name):
        for member, callees in declared.members.items():
            found.setdefault(member, callees)
    if not found and isinstance(builtin := getattr(builtins, name, None), type):
        found = dict.fromkeys(dir(builtin), ())
    return found


def lineage(knowledge: Knowledge, name: str, depth: int = 0) -> Iterator[tuple[str, Type]]:
    """A class and its bases, as far as they are known."""
    held = type_named(knowledge, name)
    if held is None or depth > _DEEPEST:
        return
    yield held
    for base in held[1].bases:
        yield from lineage(knowledge, resolve(knowledge, held[0], base), depth + 1)


def resolve(knowledge: Knowledge, module: str, name: str) -> str:
    """The full dotted name of what a text of `module` calls `name`."""
    first, _, rest = name.partition(".")
    found = text_of(knowledge, module)
    if found is None:
        return name
    offered = outline_of(found[1])
    if first in offered.names:
        return f"{module}.{name}"
    if first in offered.imported:
        source, inner = offered.imported[first]
        whole = _absolute(knowledge, module, found[0], source) or source
        return ".".join(part for part in (whole, inner, rest) if part)
    for star in offered.stars:
        target = _absolute(knowledge, module, found[0], star)
        if target and find(knowledge, target, first):
            return f"{target}.{name}"
    return name


def signatures(knowledge: Knowledge, name: str) -> tuple[Callee, ...]:
    """How something with a dotted name is called: a function, a class, or a method of one."""
    module, _, last = name.rpartition(".")
    held = find(knowledge, module or "builtins", last)
    if held and last in held[1].functions:
        return held[1].functions[last]
    if held and last in held[1].types:
        inherited = members(knowledge, f"{held[0]}.{last}")
        return inherited.get("__init__") or inherited.get("__new__") or ()
    return members(knowledge, module).get(last, ()) if module else ()


def code_at(knowledge: Knowledge, path: str) -> Code | None:
    """The present text of a file as code; None when there is none, or it does not parse."""
    text = knowledge.text(path)
    return None if text is None else code_of(path, text)
