"""A module or a name that is misspelled in an import, or stands in another module."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.imports import added
from gateline.repairs.analysis.likeness import cost as likeness
from gateline.repairs.analysis.likeness import likest
from gateline.repairs.analysis.modules import absolute
from gateline.repairs.analysis.world import exports, submodules
from gateline.repairs.donors.name_homes import homes, tops
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.failed_imports import IMPORTING, Importing, importing, offers
from gateline.repairs.priors import prior
from gateline.repairs.tables import table


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An import of something that is not there."""
    found = importing(problem, knowledge)
    if found is None or found.says == "level":
        return None
    return Diagnosis(
        problem, Family.IMPORT, "misspelled-import", "a module", found.name or found.module, (found.place,)
    )


def propose(question: Question) -> Iterator[Repair]:
    """Other modules, other names."""
    found = importing(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_Misspelled(question, found).repairs())


@dataclass(frozen=True)
class _Misspelled:
    question: Question
    found: Importing

    @property
    def knowledge(self) -> Knowledge:
        return self.question.knowledge

    def repairs(self) -> Iterator[Repair]:
        if self.found.says == "name":
            yield from self._names()
            yield from self._homes()
        else:
            yield from self._by_alias()
            yield from self._modules()
            yield from self._by_names()

    def _repair(self, title: str, edits: Iterable[Edit], cost: float, pattern: str) -> Repair:
        return repair(self.question, title, edits, cost, pattern=pattern)

    def _other_module(self, module: str, cost: float, pattern: str) -> Iterator[Repair]:
        if not offers(self.knowledge, module, self.found.names):
            cost += prior("imports.misspelled-name-not-offered")
        edits = [*self.found.module_written(module), *_uses(self.found, module)]
        yield self._repair(f"Import {module}", edits, cost, pattern)

    def _by_alias(self) -> Iterator[Repair]:
        """`import maths as math`: the name it gets is that of a module."""
        for alias in self.found.node.names if isinstance(self.found.node, ast.Import) else ():
            if alias.name == self.found.written and alias.asname and offers(self.knowledge, alias.asname, []):
                yield from self._other_module(
                    alias.asname, prior("imports.misspelled-by-alias"), "misspelled-module"
                )

    def _modules(self) -> Iterator[Repair]:
        """Each part of the dotted name may be the misspelled one; one that is well known is not."""
        known = (
            prior("imports.misspelled-known-distribution")
            if self.found.module.partition(".")[0] in table("distributions")["distributions"]
            else 0
        )
        parts = self.found.written.lstrip(".").split(".")
        dots = self.found.written[: len(self.found.written) - len(self.found.written.lstrip("."))]
        for number, part in enumerate(parts):
            for cost, name in likest(part, self._siblings(dots, parts[:number]))[:5]:
                module = dots + ".".join([*parts[:number], name, *parts[number + 1 :]])
                whole = absolute(module, self.found.code.path, self.knowledge.paths()) or module
                extra = (
                    0
                    if offers(self.knowledge, whole, self.found.names)
                    else prior("imports.misspelled-module-not-offered")
                )
                edits = [*self.found.module_written(module), *_uses(self.found, module)]
                yield self._repair(
                    f"Import {module}",
                    edits,
                    prior("imports.misspelled-module") + cost + extra + known,
                    "misspelled-module",
                )

    def _siblings(self, dots: str, before: list[str]) -> set[str]:
        if not before and not dots:
            known = {m.partition(".")[0] for m in self.knowledge.modules()}
            return {*known, *tops(self.knowledge)}
        parent = absolute(dots + ".".join(before), self.found.code.path, self.knowledge.paths())
        return set(submodules(self.knowledge, parent or ""))

    def _by_names(self) -> Iterator[Repair]:
        """The module that has what is imported, whatever it is called."""
        wanted = [n for n in self.found.names if n != "*"]
        for rank, home in enumerate(homes(self.knowledge, self.found.code, wanted[0]) if wanted else ()):
            whole = absolute(home.module, self.found.code.path, self.knowledge.paths()) or home.module
            if not offers(self.knowledge, whole, wanted):
                continue
            last, meant = home.module.rpartition(".")[2], self.found.module.rpartition(".")[2]
            like = likeness(meant, last)
            cost = (
                prior("imports.misspelled-home-per-likeness") * like
                if like is not None
                else prior("imports.misspelled-home-unlike")
                + prior("imports.misspelled-home-per-cost") * home.cost
            )
            yield self._repair(
                f"Import from {home.module}",
                self.found.module_written(home.module),
                prior("imports.misspelled-home") + cost + prior("imports.misspelled-home-rank") * rank,
                "wrong-home",
            )

    def _names(self) -> Iterator[Repair]:
        """The module has a name like it."""
        code, found = self.found.code, self.found
        module = absolute(found.written, code.path, self.knowledge.paths()) or found.module
        alias = next(a for a in found.node.names if a.name == found.name)
        costs = {name: cost for cost, name in likest(found.name, exports(self.knowledge, module))}
        if found.hint:
            costs[found.hint] = 0
        for name, cost in costs.items():
            private = (
                prior("imports.misspelled-name-private")
                if name.startswith("_") and not found.name.startswith("_")
                else 0
            )
            text = f"{name} as {alias.asname}" if alias.asname else name
            edits = [code.replace(alias, text), *(() if alias.asname else _renamed(code, found.name, name))]
            yield self._repair(
                f"Import {name}", edits, prior("imports.misspelled-name") + cost + private, "misspelled-name"
            )

    def _homes(self) -> Iterator[Repair]:
        """Another module has it: alone, or with the others of the import that it has, too."""
        found, code = self.found, self.found.code
        if not isinstance(found.node, ast.ImportFrom):
            return
        missing = [n for n in found.names if n not in exports(self.knowledge, found.module)] or [found.name]
        for rank, home in enumerate(homes(self.knowledge, code, found.name)[:6]):
            whole = absolute(home.module, code.path, self.knowledge.paths()) or home.module
            if whole == found.module:
                continue
            both = set(found.names) <= exports(self.knowledge, whole)
            moved = found.names if both else [n for n in missing if n in exports(self.knowledge, whole)]
            cost = (
                prior("imports.name-home")
                + prior("imports.name-home-per-cost") * home.cost
                + prior("imports.name-home-rank") * rank
            )
            edits = _moved(code, found.node, moved or [found.name], home.module, tops(self.knowledge))
            yield self._repair(f"Import {found.name} from {home.module}", edits, cost, "wrong-home")


def _uses(found: Importing, module: str) -> list[Edit]:
    """`import jsn` without another name: where it is used it is renamed, too."""
    if isinstance(found.node, ast.ImportFrom):
        return []
    alias = next(a for a in found.node.names if a.name == found.written)
    if alias.asname or "." in module:
        return []
    old, new = found.written.partition(".")[0], module.partition(".")[0]
    return _renamed(found.code, old, new) if old != new else []


def _renamed(code: Code, old: str, new: str) -> list[Edit]:
    """A name everywhere in the text where the text has it, unless the new one is used already."""
    names = [n for n in code.nodes if isinstance(n, ast.Name)]
    if any(n.id == new for n in names):
        return []
    return [code.replace(n, new) for n in names if n.id == old]


def _moved(
    code: Code, node: ast.ImportFrom, names: list[str], module: str, ours: Iterable[str]
) -> list[Edit]:
    """Some names of an import come from another module."""
    whole = "." * node.level + (node.module or "")
    stay = [a for a in node.names if a.name not in names]
    if not stay:
        head = code.text[code.start(node) : code.start(node.names[0])]
        at = code.start(node) + head.index(whole, len("from"))
        return [code.edit(at, at + len(whole), module)]
    go = [a for a in node.names if a.name in names]
    first, last = code.start(node.names[0]), code.end(node.names[-1])
    kept = [code.edit(first, last, ", ".join(code.segment(a) for a in stay))]
    if all(a.asname is None for a in go) and isinstance(code.parent(node), ast.Module):
        others = [n for n in code.tree.body if isinstance(n, ast.ImportFrom) and n.module == module]
        if not others:
            line = code.line_start(node.lineno - 1)
            text = f"from {module} import {', '.join(a.name for a in go)}{code.newline}"
            return [code.edit(line, line, text), *kept]
        return [*kept, *(added(code, module, a.name, list(ours)) for a in go[:1])]
    indent = code.indent(node.lineno - 1)
    line = code.line_start(node.lineno - 1)
    text = f"{indent}from {module} import {', '.join(code.segment(a) for a in go)}{code.newline}"
    return [code.edit(line, line, text), *kept]


REPAIRER = Repairer("misspelled imports", IMPORTING, diagnose, propose)
