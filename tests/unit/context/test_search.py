"""What is found in a small project, and why."""

from __future__ import annotations

import numpy as np
import pytest

from gateline.context import position
from gateline.context.chunking.cutting import cut
from gateline.context.index import Index
from gateline.context.search import Ranker, mode_of, ranked, search
from gateline.context.values import Hit, Kind, Question, Want
from gateline.context.view import View
from gateline.model import Document
from gateline.session.context.data import shipped_table, shipped_weights

FILES = {
    "pkg/__init__.py": "from .text import slugify\n",
    "pkg/text.py": '''import re


def slugify(value):
    """Convert a phrase to a form that is fit for a web address."""
    return re.sub("[^a-z]+", "-", value.lower())


class Shelf:
    """A shelf with places."""

    def put(self, thing):
        """Store one thing at the next free place."""
        place = self.next_place()
        self.things[place] = thing

    def next_place(self):
        return len(self.things)


class Deep(Shelf):
    def fill(self):
        return ____
''',
    "pkg/use.py": '''from . import slugify as clean
from pkg import text


def publish(page):
    """Give the page an address."""
    address = clean(page.title)
    shelf = text.Shelf()
    shelf.put(page)
    return address
''',
    "pkg/other.py": "def put(thing):\n    return thing\n\n\ndef clean(text):\n    return text\n",
    "tests/test_text.py": """from pkg import slugify


def test_blanks_become_dashes():
    assert slugify("a b") == "a-b"
""",
    "README.md": "# Addresses\n\n`slugify` makes them.\n",
}


@pytest.fixture(scope="module")
def view() -> View:
    index = Index()
    index.replace([cut(Document(path, text)) for path, text in FILES.items()])
    return index.view()


@pytest.fixture(scope="module")
def ranker() -> Ranker:
    return Ranker(shipped_weights())


def names(view: View, ranker: Ranker, question: Question) -> list[str]:
    return [f"{hit.path}:{hit.chunk.name}" for hit in search(view, question, ranker)]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("turn a phrase into a web address", "pkg/text.py:slugify"),
        ("store a thing at a free place", "pkg/text.py:Shelf.put"),
        ("next place", "pkg/text.py:Shelf.next_place"),
        ("publish", "pkg/use.py:publish"),
    ],
)
def test_words(view: View, ranker: Ranker, words: str, first: str) -> None:
    assert names(view, ranker, Question(words))[0] == first


def test_a_word_that_nobody_wrote_finds_nothing(view: View, ranker: Ranker) -> None:
    assert search(view, Question("zebra xylophone"), ranker) == []


@pytest.mark.parametrize(
    ("want", "first"),
    [(Want.TESTS, "tests/test_text.py"), (Want.DOCS, "README.md"), (Want.CODE, "pkg/text.py")],
)
def test_what_is_wanted_stands_first(view: View, ranker: Ranker, want: Want, first: str) -> None:
    assert search(view, Question("slugify", want=want), ranker)[0].path == first


def test_the_reasons_name_the_words_as_they_were_asked(view: View, ranker: Ranker) -> None:
    best = search(view, Question("storing things"), ranker)[0]
    assert any("storing" in reason and "things" in reason for reason in best.why), best.why


def test_a_call_means_what_the_file_imports(view: View, ranker: Ranker) -> None:
    asked = Question("address = clean(page.title)", "pkg/use.py", 6)
    assert names(view, ranker, asked)[0] == "pkg/text.py:slugify"


HANDED_ON = {
    "pkg/__init__.py": "",
    "pkg/_threads.py": "def run_in_thread(function):\n    return function()\n",
    "pkg/_core/__init__.py": "from ._made import *\n",
    "pkg/_core/_made.py": "def wake(task):\n    return task\n",
    "pkg/threads.py": "from ._threads import run_in_thread as run\n",
    "pkg/low.py": "from ._core import wake as wake\n",
    "pkg/round.py": "from .round import circle\n",
    "other/run.py": "class Job:\n    def run(self, function): ...\n\n    def wake(self, task): ...\n",
    "other/more.py": "class Bell:\n    def run(self): ...\n\n    def wake(self): ...\n",
}


@pytest.mark.parametrize(
    ("head", "code", "first"),
    [
        ("import pkg\n", "value = pkg.threads.run(work)", "run_in_thread"),
        ("from pkg.threads import run\n", "value = run(work)", "run_in_thread"),
        ("from pkg import threads\n", "value = threads.run(work)", "run_in_thread"),
        ("import pkg\n", "value = pkg.low.wake(task)", "wake"),
        ("from pkg.low import wake\n", "value = wake(task)", "wake"),
    ],
)
def test_a_module_that_hands_a_name_on_leads_to_where_it_is_defined(
    ranker: Ranker, head: str, code: str, first: str
) -> None:
    found = found_elsewhere(ranker, head, code)
    assert next(hit.chunk.name for hit in found if hit.chunk.kind <= Kind.METHOD) == first


def test_a_name_that_is_handed_on_in_a_circle_leads_to_the_module_that_names_it(ranker: Ranker) -> None:
    found = found_elsewhere(ranker, "from pkg.round import circle\n", "value = circle(task)")
    assert (found[0].path, found[0].chunk.kind) == ("pkg/round.py", Kind.MODULE)
    assert called(found) == []
    assert "run_in_thread" in called(
        found_elsewhere(ranker, "from pkg.threads import run\n", "value = run(work)")
    )


def called(hits: list[Hit]) -> list[str]:
    return [hit.chunk.name for hit in hits if "called here" in hit.why]


def found_elsewhere(ranker: Ranker, head: str, code: str) -> list[Hit]:
    """What a call in a file that has this head leads to, outside of that file."""
    text = f"{head}\n\ndef use(work, task):\n    {code}\n    return value\n"
    files = {**HANDED_ON, "other/use.py": text}
    index = Index()
    index.replace([cut(Document(path, one)) for path, one in files.items()])
    found = search(index.view(), Question(text, "other/use.py", 4), ranker)
    return [hit for hit in found if hit.path != "other/use.py"]


def test_a_call_on_a_variable_means_the_class_it_was_made_from(view: View, ranker: Ranker) -> None:
    asked = Question("shelf = text.Shelf()\nshelf.put(page)\nreturn 1", "pkg/use.py", 8)
    found = names(view, ranker, asked)
    assert found.index("pkg/text.py:Shelf.put") < found.index("pkg/other.py:put")


def test_a_hole_behind_self_means_the_class_and_its_bases(view: View, ranker: Ranker) -> None:
    asked = Question("        return self.____", "pkg/text.py", 23)
    assert set(names(view, ranker, asked)[:3]) <= {
        "pkg/text.py:Shelf.put",
        "pkg/text.py:Shelf.next_place",
        "pkg/text.py:Deep.fill",
    }


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("where are prices rounded", "words"),
        ("the total of an order (with tax)", "words"),
        ("shelf.put(page)", "cursor"),
        ("x = make(1)", "cursor"),
        ("x = ____", "hole"),
    ],
)
def test_code_is_told_from_words(text: str, mode: str) -> None:
    assert mode_of(Question(text)) == mode


class TestPlaces:
    def around(self, view: View, ranker: Ranker, path: str, line: int) -> dict[str, tuple[str, ...]]:
        hits, _ = position.around(view, position.Place(path, line, FILES[path]), ranker)
        return {f"{hit.path}:{hit.chunk.name}": hit.why for hit in hits}

    def test_the_definition_stands_first(self, view: View, ranker: Ranker) -> None:
        assert next(iter(self.around(view, ranker, "pkg/text.py", 4))) == "pkg/text.py:slugify"

    def test_callers_tests_importers_and_documents_are_told(self, view: View, ranker: Ranker) -> None:
        found = self.around(view, ranker, "pkg/text.py", 4)
        assert "tests slugify" in found["tests/test_text.py:test_blanks_become_dashes"]
        assert "documents slugify" in found["README.md:Addresses"]
        assert "imports slugify" in found["pkg/__init__.py:pkg"]

    def test_what_is_called_is_told(self, view: View, ranker: Ranker) -> None:
        found = self.around(view, ranker, "pkg/use.py", 6)
        assert "called here as clean" in found["pkg/text.py:slugify"]
        assert "called here as put" in found["pkg/text.py:Shelf.put"]
        assert "pkg/other.py:clean" not in found or "called" not in " ".join(found["pkg/other.py:clean"])

    def test_what_changes_together_is_told(self, view: View, ranker: Ranker) -> None:
        place = position.Place("pkg/text.py", 4, FILES["pkg/text.py"], {"pkg/other.py": 0.9})
        hits, _ = position.around(view, place, ranker)
        told = [hit.why for hit in hits if hit.path == "pkg/other.py"]
        assert any("changes together with pkg/text.py" in why for why in told)


@pytest.mark.parametrize(
    "question",
    [
        Question("store a thing at the next place"),
        Question("shelf.put(page)", "pkg/use.py", 6),
        Question(FILES["pkg/text.py"], "pkg/text.py", 24),
    ],
    ids=["words", "code", "hole"],
)
def test_a_score_is_the_weighted_sum_of_all_features(question: Question) -> None:
    table = shipped_table()
    assert table is not None
    index = Index()
    index.replace([cut(Document(path, text)) for path, text in FILES.items()])
    index.fill("static", table.of)
    # Rows that are dead, and a second segment.
    index.replace([cut(Document("pkg/other.py", "def place(thing):\n    return thing\n"))])
    view, ranker = index.view(), Ranker(shipped_weights(), table)
    found = ranked(view, question, ranker)
    weights = ranker.weights.of(mode_of(question), frozenset(found.tiers), question.want)
    wanted = sum(weights.get(name, 0.0) * column for name, column in found.columns.items())
    assert np.abs(found.scores - wanted).max() < 1e-4
    assert len({name for name in found.columns if weights.get(name)}) > 10
