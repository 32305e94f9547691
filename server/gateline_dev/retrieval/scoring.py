"""Asks each system each question of a collection, and counts where the answers stand."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from gateline.context.arrays import Scores
from gateline.context.fusion import Weights
from gateline.context.search import SEMANTIC, Ranker, mode_of, ranked, without_vector
from gateline.context.static import TIER as STATIC
from gateline.context.static import StaticTable
from gateline_dev.retrieval.baselines import PlainWords
from gateline_dev.retrieval.collection import Collection, Indexed, question
from gateline_dev.retrieval.fitting import Example, example
from gateline_dev.retrieval.measures import Measured, measured, rank
from gateline_dev.retrieval.queries import Query
from gateline_dev.retrieval.vectors import Vectors

Order = Callable[[Query], Sequence[int]]


@dataclass(frozen=True)
class Bench:
    """A collection with what it is asked with."""

    collection: Collection
    weights: Weights
    table: StaticTable | None
    signatures: Vectors | None = None
    """The transformer's vectors of signatures; None to leave the transformer out."""
    bodies: Vectors | None = None
    """Of whole texts: for the baseline."""

    def filled(self) -> None:
        """Give all rows the vectors of the tiers that take part."""
        for indexed in (self.collection.bare, self.collection.documented):
            if self.table is not None:
                indexed.index.fill(STATIC, self.table.of)
            if self.signatures is not None:
                indexed.index.fill(SEMANTIC, self.signatures.of)

        if self.signatures is not None:
            # Many at a time: one by one they take longer.
            self.signatures.of([query.text for query in self.collection.queries])

    def measured(self) -> Mapping[tuple[str, str], Measured]:
        """By system and task."""
        ranks: dict[tuple[str, str], list[int | None]] = defaultdict(list)
        for name, order in self._systems().items():
            for query in self.collection.queries:
                indexed = self.collection.indexed(query)
                rows = [row for row in order(query) if indexed.allowed[row]]
                place = rank(rows, indexed.known(query.answers), indexed.known(query.source))
                ranks[name, query.task].append(place)
        return {key: measured(found) for key, found in ranks.items()}

    def examples(self) -> Iterator[Example]:
        """What the weights are fitted on; a question without any answer in the index is none."""
        ranker = Ranker(self.weights, self.table)
        for query in self.collection.queries:
            indexed = self.collection.indexed(query)
            asked = question(query)
            found = ranked(indexed.view, asked, ranker, partial(self._vector, query))
            answers, source = indexed.known(query.answers), indexed.known(query.source)
            made = example(mode_of(asked), found, answers, source, indexed.allowed)
            if made.answers.any():
                yield replace(made, package=self.collection.name, task=query.task)

    def _systems(self) -> dict[str, Order]:
        systems: dict[str, Order] = {
            "TF-IDF, plain words": lambda query: _best(self._words(query).scores(query.text, "tf-idf")),
            "BM25, plain words": lambda query: _best(self._words(query).scores(query.text, "bm25")),
        }
        if self.signatures is not None:
            systems["MiniLM, signatures"] = self._by_signatures
        if self.bodies is not None:
            systems["MiniLM, whole text"] = self._by_bodies
        systems["gateline, words alone"] = self._gateline(None, semantic=False)
        if self.table is not None:
            systems["gateline, no transformer"] = self._gateline(self.table, semantic=False)
        if self.signatures is not None:
            systems["gateline"] = self._gateline(self.table, semantic=True)
        return systems

    def _gateline(self, table: StaticTable | None, *, semantic: bool) -> Order:
        ranker = Ranker(self.weights, table)

        def order(query: Query) -> Sequence[int]:
            vector = partial(self._vector, query) if semantic else without_vector
            asked = replace(question(query), limit=50)
            return ranked(self.collection.indexed(query).view, asked, ranker, vector).rows

        return order

    def _vector(self, query: Query) -> Scores | None:
        return self.signatures.of([query.text])[0] if self.signatures is not None else None

    def _words(self, query: Query) -> PlainWords:
        return self._plain[query.task == "docstring"]

    @cached_property
    def _texts(self) -> dict[bool, list[str]]:
        """The text of each row, by whether docstrings are left out."""
        sides = {True: self.collection.bare, False: self.collection.documented}
        return {bare: _texts(self.collection, indexed, bare=bare) for bare, indexed in sides.items()}

    @cached_property
    def _plain(self) -> dict[bool, PlainWords]:
        return {bare: PlainWords.of(texts) for bare, texts in self._texts.items()}

    @cached_property
    def _vectors_of_bodies(self) -> dict[bool, Scores]:
        assert self.bodies is not None
        return {bare: self.bodies.of(texts) for bare, texts in self._texts.items()}

    def _by_signatures(self, query: Query) -> Sequence[int]:
        """The transformer alone, as it is."""
        assert self.signatures is not None
        view = self.collection.indexed(query).view
        similar = view.similar(SEMANTIC, self.signatures.of([query.text])[0])
        assert similar is not None, "filled"
        return _best(similar)

    def _by_bodies(self, query: Query) -> Sequence[int]:
        assert self.bodies is not None
        asked = self.bodies.of([query.text])[0]
        return _best(self._vectors_of_bodies[query.task == "docstring"] @ asked)


def _texts(collection: Collection, indexed: Indexed, *, bare: bool) -> list[str]:
    found = [""] * len(indexed.view)
    for one in collection.project.definitions:
        row = indexed.rows.get(one.id)
        if row is not None:
            lines = collection.project.module(one).text.split("\n")[one.first - 1 : one.last]
            docstring = "" if bare else one.docstring
            found[row] = f"{one.path} {one.name}\n{docstring}\n{textwrap.dedent(chr(10).join(lines))}"
    return found


def _best(scores: NDArray[np.float64] | Scores) -> list[int]:
    order: list[int] = np.argsort(-scores, kind="stable")[:300].tolist()
    return order
