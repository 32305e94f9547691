"""The tasks that retrieval is measured by: questions with the right answers, and no answer in the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.session.context.data import shipped_table, shipped_weights
from gateline_dev.retrieval.collection import Collection
from gateline_dev.retrieval.measures import measured, rank
from gateline_dev.retrieval.scoring import Bench

FILES = {
    "pkg/__init__.py": "from .text import slugify\n",
    "pkg/text.py": '''import re


def slugify(value):
    """Convert a phrase to a form that is fit for a web address. More here."""
    value = value.lower()
    return re.sub("[^a-z]+", "-", value)


class Shelf:
    """A shelf."""

    def put(self, thing):
        """Store one thing at the next free place of the shelf."""
        place = self.next_place()
        self.things[place] = thing
        return place

    def next_place(self):
        "Only this."
''',
    "pkg/use.py": """from . import slugify
from pkg.text import Shelf


def publish(page, store):
    title = page.title
    if not title:
        title = "untitled"
    page.saved = True
    address = slugify(title)
    shelf = Shelf()
    shelf.put(page)
    return address
""",
    "tests/test_text.py": '''from pkg import slugify


def test_blanks_become_dashes():
    """Blanks within a title must turn into dashes in its address."""
    assert slugify("a b") == "a-b"
''',
}


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return Collection.of("small", tmp_path, 100)


@pytest.mark.parametrize(
    ("task", "answer"),
    [
        ("docstring", "pkg/text.py::slugify"),
        ("docstring", "pkg/text.py::Shelf.put"),
        ("issue", "pkg/text.py::slugify"),
        ("callsite", "pkg/text.py::slugify"),
        ("callsite", "pkg/text.py::Shelf"),
        ("callsite", "pkg/text.py::Shelf.put"),
        ("nextline", "pkg/text.py::slugify"),
    ],
)
def test_each_task_has_its_questions(collection: Collection, task: str, answer: str) -> None:
    assert (task, (answer,)) in {(query.task, query.answers) for query in collection.queries}


def test_the_answer_of_a_docstring_does_not_hold_the_question(collection: Collection) -> None:
    for module in collection.project.modules:
        assert "web address" not in module.text and "Only this" not in module.text


def test_a_hole_stands_for_the_callee(collection: Collection) -> None:
    (query,) = [q for q in collection.queries if q.task == "nextline" and "slugify" in q.answers[0]]
    assert query.text.endswith("address = ____") and "slugify" not in query.text


def test_every_system_is_measured_and_ours_finds_what_is_called(collection: Collection) -> None:
    bench = Bench(collection, shipped_weights(), shipped_table())
    bench.filled()
    found = bench.measured()
    assert {system for system, _ in found} >= {
        "TF-IDF, plain words",
        "BM25, plain words",
        "gateline, no transformer",
    }
    assert (
        found["gateline, no transformer", "callsite"].mrr > found["BM25, plain words", "callsite"].mrr * 0.9
    )
    assert found["gateline, no transformer", "docstring"].recall >= 0.5


@pytest.mark.parametrize(
    ("rows", "expected"),
    [([5, 1], 2), ([7, 1], 1), ([5, 6, 7], None), ([*range(20, 30), 1], None), ([7, *range(20, 29), 1], 10)],
)
def test_ranks_leave_out_where_the_question_is_from(rows: list[int], expected: int | None) -> None:
    assert rank(rows, {1}, {7}) == expected


def test_means() -> None:
    found = measured([1, 2, None, 10])
    assert (found.mrr, found.recall) == ((1 + 0.5 + 0.1) / 4, 0.75)
