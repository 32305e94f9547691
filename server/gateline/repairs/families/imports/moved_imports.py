"""A module or a name that is elsewhere now: modules of Python 2, `collections.Mapping`, `time.clock`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.imports import added, imports
from gateline.repairs.analysis.world import exports
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.failed_imports import IMPORTING, Importing, importing, offers
from gateline.repairs.locate.missing_attribute import LACKING, Lacking, lacking
from gateline.repairs.priors import prior
from gateline.repairs.tables import table


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Something the table knows under another name."""
    found = importing(problem, knowledge)
    if found is not None and _is_known(found):
        return Diagnosis(
            problem, Family.IMPORT, "moved-module", "its new place", found.module, (found.place,)
        )
    attribute = lacking(problem, knowledge)
    if attribute is not None and _new_name(attribute.owner, attribute.name):
        places = attribute.places
        return Diagnosis(problem, Family.IMPORT, "moved-name", "its new place", attribute.name, places)
    return None


def _is_known(found: Importing) -> bool:
    moved = table("moved")
    names = (f"{found.module}.{n}" for n in (found.name, *found.names))
    return _module(found.module) != "" or any(name in moved["names"] for name in names)


def _module(name: str) -> str:
    """What a module is called now; "" when the table does not know it."""
    known: str = table("moved")["modules"].get(name, "")
    return known


def _new_name(module: str, name: str) -> str:
    """Where a name is now, dotted; "" when the table does not know it."""
    known: str = table("moved")["names"].get(f"{module}.{name}", "")
    return known


def propose(question: Question) -> Iterator[Repair]:
    """The new place, in the import and where it is used."""
    found = importing(question.problem, question.knowledge)
    attribute = lacking(question.problem, question.knowledge) if found is None else None
    if found is not None:
        yield from cheapest(_Moved(question, found).repairs())
    elif attribute is not None:
        yield from cheapest(_attributes(question, attribute))


@dataclass(frozen=True)
class _Moved:
    question: Question
    found: Importing

    @property
    def code(self) -> Code:
        return self.found.code

    @property
    def ours(self) -> tuple[str, ...]:
        return tops(self.question.knowledge)

    def repairs(self) -> Iterator[Repair]:
        node = self.found.node
        if isinstance(node, ast.ImportFrom):
            yield from self._names(node)
        module = _module(self.found.module)
        if module and isinstance(node, ast.ImportFrom):
            edits = self.found.module_written(module)
            extra = (
                0
                if offers(self.question.knowledge, module, self.found.names)
                else prior("imports.moved-not-offered")
            )
            yield repair(self.question, f"Import from {module}", edits, prior("imports.moved-module") + extra)
        elif module:
            yield from self._whole(module)

    def _names(self, node: ast.ImportFrom) -> Iterator[Repair]:
        """Each name goes where it is now; what stayed stays."""
        known = exports(self.question.knowledge, self.found.module)
        goes = {a.name: target for a in node.names if a.name not in known if (target := self._target(a.name))}
        if not goes:
            return
        code, start, end = self.code, self.code.start(node), self.code.end(node)
        lines, renamed = self._lines(node, goes)
        indent = code.newline + code.indent(node.lineno - 1)
        text = indent.join(lines) or "pass"
        edits = [code.edit(start, end, text), *renamed]
        yield repair(
            self.question,
            f"Import {', '.join(goes)} from the new location",
            edits,
            prior("imports.moved-name"),
            pattern="moved-name",
        )

    def _target(self, name: str) -> str:
        target = _new_name(self.found.module, name)
        module = _module(self.found.module)
        return target or (
            f"{module}.{name}" if module and offers(self.question.knowledge, module, [name]) else ""
        )

    def _lines(self, node: ast.ImportFrom, goes: dict[str, str]) -> tuple[list[str], list[Edit]]:
        """The imports that take the place of one, and the changes of names that are other ones now."""
        homes: dict[str, list[str]] = {}
        renamed: list[Edit] = []
        for alias in node.names:
            target = goes.get(alias.name)
            if target is None:
                homes.setdefault("." * node.level + (node.module or ""), []).append(self.code.segment(alias))
                continue
            home, _, name = target.rpartition(".")
            used = alias.asname or alias.name
            if home:
                text = name if name == used else f"{name} as {used}" if alias.asname else name
                homes.setdefault(home, []).append(text)
            if not alias.asname and name != alias.name:
                renamed += _uses(self.code, alias.name, name)
        return [f"from {home} import {', '.join(names)}" for home, names in homes.items()], renamed

    def _whole(self, module: str) -> Iterator[Repair]:
        """`import urllib2`: the import and each use, every name where it is now."""
        old = self.found.written
        alias = next(a for a in self.found.node.names if a.name == old)
        code = self.code
        if alias.asname:
            name = f"{module} as {alias.asname}" if alias.asname != module else module
            yield repair(
                self.question, f"Import {module}", [code.replace(alias, name)], prior("imports.moved-whole")
            )
            return
        edits, modules = [], {module}
        for node in code.nodes:
            if isinstance(node, ast.Attribute) and dotted(node.value) == old:
                target = _new_name(old, node.attr) or f"{module}.{node.attr}"
                edits.append(code.replace(node, target))
                modules.add(target.rpartition(".")[0])
        needed = sorted(m for m in modules if m)
        edits.append(code.replace(alias, ", ".join(needed)))
        yield repair(
            self.question, f"Import {module} and use its names", edits, prior("imports.moved-whole-used")
        )
        shorter = [code.replace(alias, f"{module} as {old}")] if "." not in old else []
        if shorter:
            yield repair(self.question, f"Import {module} as {old}", shorter, prior("imports.moved-whole-as"))


def _uses(code: Code, old: str, new: str) -> list[Edit]:
    return [code.replace(n, new) for n in code.nodes if isinstance(n, ast.Name) and n.id == old]


def _attributes(question: Question, found: Lacking) -> Iterator[Repair]:
    """`collections.Mapping`: every use of a name of the module that moved, with the imports it needs."""
    code = found.code
    written = dotted(found.node.value)
    if not written:
        return
    everywhere = [n for n in code.nodes if isinstance(n, ast.Attribute) and dotted(n.value) == written]
    for uses, cost in (
        (everywhere, prior("imports.moved-attribute-everywhere")),
        ([found.node], prior("imports.moved-attribute-once")),
    ):
        rows = [(n, target) for n in uses if (target := _new_name(found.owner, n.attr))]
        edits = [code.replace(node, _written(target, found.owner, written)) for node, target in rows]
        modules = {target.rpartition(".")[0] for _, target in rows}
        edits += _needed(code, sorted(m for m in modules if m), tops(question.knowledge))
        yield repair(question, f"Write {rows[0][1]}" if rows else "", edits, cost, pattern="moved-name")


def _written(target: str, owner: str, written: str) -> str:
    """A name of the same module keeps the name that the module has here."""
    home, _, name = target.rpartition(".")
    return f"{written}.{name}" if home == owner else target


def _needed(code: Code, modules: Iterable[str], ours: Iterable[str]) -> list[Edit]:
    """The imports of modules that are not imported yet."""
    there = {a.name for node in imports(code) if isinstance(node, ast.Import) for a in node.names}
    aliased = {n.module or "" for n in imports(code) if isinstance(n, ast.ImportFrom)}
    missing = [m for m in modules if m not in there and m not in aliased and m not in {"str", "type(None)"}]
    return [added(code, m, "", list(ours)) for m in missing]


REPAIRER = Repairer("moved imports", IMPORTING | LACKING, diagnose, propose)
