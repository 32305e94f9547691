"""An import that fails: which one, and what of it is not there."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from gateline.model import Edit, Knowledge, Place, Problem
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.imports import Import
from gateline.repairs.analysis.modules import absolute, workspace_modules
from gateline.repairs.analysis.world import exports
from gateline.repairs.locate.messages import types_of, understand, wordings
from gateline.repairs.locate.places import Spot, spots

_TABLE = wordings("importing")
IMPORTING = types_of(_TABLE)


@dataclass(frozen=True)
class Importing:
    """An import statement that fails."""

    spot: Spot
    node: Import
    says: str
    """`module`, `package`, `name` or `level`."""
    module: str
    """What is not there, or what `name` is not in; dotted and absolute."""
    name: str
    hint: str

    @property
    def code(self) -> Code:
        """The text in which it stands."""
        return self.spot.code

    @property
    def written(self) -> str:
        """The module as the statement names it, dots in front."""
        if isinstance(self.node, ast.ImportFrom):
            return "." * self.node.level + (self.node.module or "")
        return next((a.name for a in self.node.names if _leads(a.name, self.module)), self.module)

    @property
    def names(self) -> list[str]:
        """What is imported from the module; empty for the module itself."""
        return [a.name for a in self.node.names] if isinstance(self.node, ast.ImportFrom) else []

    @property
    def place(self) -> Place:
        """Where the statement stands."""
        return Place(self.code.path, self.code.span(self.node))

    def module_written(self, module: str) -> list[Edit]:
        """The edits after which another module is imported, under the same name."""
        code = self.code
        if isinstance(self.node, ast.ImportFrom):
            start = code.start(self.node)
            head = code.text[start : code.start(self.node.names[0])]
            at = start + head.index(self.written, len("from"))
            return [code.edit(at, at + len(self.written), module)]
        alias = next(a for a in self.node.names if a.name == self.written)
        text = f"{module} as {alias.asname}" if alias.asname and alias.asname != module else module
        return [code.replace(alias, text)]


def importing(problem: Problem, knowledge: Knowledge) -> Importing | None:
    """The import that a problem is about; None when it is about something else."""
    said = understand(problem, _TABLE)
    if said is None:
        return None
    for spot in spots(problem, knowledge):
        nodes: list[Import] = [*spot.candidates(ast.ImportFrom), *spot.candidates(ast.Import)]
        for node in nodes:
            found = Importing(spot, node, said.says, said["module"], said["name"], said["hint"])
            if _fits(found, knowledge):
                return found
    return None


def _leads(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def _fits(found: Importing, knowledge: Knowledge) -> bool:
    if found.says == "level":
        return isinstance(found.node, ast.ImportFrom) and found.node.level > 0
    if found.says == "name":
        return found.name in found.names
    whole = absolute(found.written, found.code.path, knowledge.paths()) or found.written
    wholes = [whole, *(f"{whole}.{name}" for name in found.names)]
    return any(_leads(w, found.module) or _leads(found.module, w) for w in wholes)


def offers(knowledge: Knowledge, module: str, names: Sequence[str]) -> bool:
    """Whether a module can be imported and has all names."""
    known = module in workspace_modules(knowledge.paths()) or module in knowledge.modules()
    return known and (not names or names == ["*"] or set(names) <= exports(knowledge, module))
