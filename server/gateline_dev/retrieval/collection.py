"""A project as the engine sees it, and its tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from gateline.context.arrays import Scores
from gateline.context.chunking.cutting import cut
from gateline.context.index import Index
from gateline.context.values import Cut, Question
from gateline.context.view import View
from gateline.model import Document
from gateline_dev.retrieval.names import Project
from gateline_dev.retrieval.queries import Query, queries

IN_CODE = ("callsite", "nextline")
"""The tasks that are asked from a place."""


@dataclass(frozen=True)
class Collection:
    """A project in two indexes, one without docstrings, with the questions about it."""

    name: str
    project: Project
    queries: Sequence[Query]

    @classmethod
    def of(cls, name: str, root: Path, most: int) -> Collection:
        """The collection of a folder, with at most so many questions of each task."""
        project = Project.at(root)
        return cls(name, project, queries(project, most))

    @cached_property
    def bare(self) -> Indexed:
        """For the task whose questions are the docstrings."""
        return Indexed.of(self.project, documented=False)

    @cached_property
    def documented(self) -> Indexed:
        """For all other tasks."""
        return Indexed.of(self.project, documented=True)

    def indexed(self, query: Query) -> Indexed:
        """The index that a question is asked of."""
        return self.bare if query.task == "docstring" else self.documented


@dataclass(frozen=True)
class Indexed:
    """An index of a project, and which row is which definition."""

    index: Index
    rows: dict[str, int]

    @classmethod
    def of(cls, project: Project, *, documented: bool) -> Indexed:
        """Index the texts without docstrings, and the docstrings beside them if they are wanted."""
        index = Index()
        index.replace(
            [_cut(project, number, documented=documented) for number in range(len(project.modules))]
        )
        view = index.view()
        places = {(d.path, d.name, d.first - 1): d.id for d in project.definitions}
        found = ((view.path(row), view.chunk(row), row) for row in range(len(view)))
        named = ((places.get((path, chunk.name, chunk.first)), row) for path, chunk, row in found)
        return cls(index, {name: row for name, row in named if name is not None})

    @cached_property
    def allowed(self) -> Scores:
        """1 for rows that are definitions: only those can be answers."""
        found = np.zeros(len(self.view), np.float32)
        found[list(self.rows.values())] = 1
        return found

    def known(self, names: Sequence[str]) -> list[int]:
        """The rows of some definitions."""
        return [self.rows[name] for name in names if name in self.rows]

    @property
    def view(self) -> View:
        """Its rows."""
        return self.index.view()


def _cut(project: Project, number: int, *, documented: bool) -> Cut:
    module = project.modules[number]
    made = cut(Document(module.path, module.text))
    if not documented:
        return made
    texts = {(d.name, d.first - 1): d.docstring for d in module.definitions}
    chunks = tuple(c._replace(docstring=texts.get((c.name, c.first), c.docstring)) for c in made.chunks)
    return made._replace(chunks=chunks)


def question(query: Query) -> Question:
    """As the engine is asked."""
    if query.task in IN_CODE:
        return Question(query.text, query.path, query.line - 1)
    return Question(query.text)
