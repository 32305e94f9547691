"""An index that is kept up to date answers as one that was made anew."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from gateline.context import words
from gateline.context.chunking.cutting import cut
from gateline.context.filling import Filling
from gateline.context.fusion import Weights
from gateline.context.index import Index
from gateline.context.search import Ranker, search
from gateline.context.values import Cut, Question, Want
from gateline.model import Document

_NAMES = ("order", "price", "total", "stock", "ship", "pack", "find", "load", "save", "round")
_WEIGHTS = {"name": 2.0, "together": 4.0, "covered": 1.0, "called": 3.0, "in-scope": 2.0, "test": -1.0}
RANKER = Ranker(Weights({mode: {"lexical": _WEIGHTS} for mode in ("words", "cursor", "hole")}))


def file(random: Random, path: str) -> Cut:
    """A module of a few functions that call one another."""
    lines = [f"from pkg.{random.choice(_NAMES)} import {random.choice(_NAMES)}", ""]
    for _ in range(random.randint(0, 6)):
        one, two, three = random.choices(_NAMES, k=3)
        lines += [f"def {one}_{two}({three}):", f'    """{two} the {three} of {one}."""']
        lines += [f"    return {random.choice(_NAMES)}_{random.choice(_NAMES)}({three})", ""]
    return cut(Document(path, "\n".join(lines)))


def questions(random: Random) -> list[Question]:
    one, two = random.choices(_NAMES, k=2)
    code = f"value = 1\nresult = {one}_{two}(value)\nreturn result"
    return [
        Question(f"{one} the {two}"),
        Question(f"{two}", want=Want.ANY),
        Question(code, path=f"pkg/{one}.py", line=3),
    ]


def told(index: Index, question: Question) -> list[tuple[object, ...]]:
    if not index.view().segments:
        return []
    found = search(index.view(), question, RANKER)
    return [(hit.path, hit.chunk.name, hit.chunk.first, round(hit.score, 3), hit.why) for hit in found]


def rounds(count: int, seed: int) -> None:
    random = Random(seed)
    kept, files = Index(), dict[str, Cut]()
    for _ in range(count):
        path = f"{random.choice(('pkg', 'tests'))}/{random.choice(_NAMES)}.py"
        if path in files and random.random() < 0.3:
            del files[path]
            kept.remove([path])
        else:
            some = [path, *(f"pkg/{random.choice(_NAMES)}.py" for _ in range(random.choice((0, 0, 3))))]
            made = {one: file(random, one) for one in some}
            files |= made
            kept.replace(list(made.values()))
        if random.random() < 0.1:
            kept.compact()
        fresh = Index()
        fresh.replace(list(files.values()))
        for question in questions(random):
            assert told(kept, question) == told(fresh, question)


def test_edits_and_a_fresh_index_agree() -> None:
    rounds(50, seed=1)


def test_numbers_given_anew_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateline.context.index.WORN", -1_000_000)
    rounds(20, seed=2)


def test_what_is_typed_letter_by_letter_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each state of a word was kept for ever, and written into the stored index."""
    monkeypatch.setattr("gateline.context.index.WORN", 60)
    index, random = Index(), Random(3)
    index.replace([file(random, "pkg/order.py"), file(random, "pkg/stock.py")])
    view = index.view()
    for _ in range(300):
        word = "".join(random.choices("abcdefghij", k=9))
        index.replace([cut(Document("pkg/typed.py", f"def {word}_of(cart):\n    return {word}(cart)\n"))])
    most = 60 + 2 * len(index.compact().tokens) + 10
    assert max(len(index.lexicon.tokens), len(index.lexicon.words), len(index.names.names)) <= most
    assert [hit.chunk.name for hit in search(index.view(), Question(word), RANKER)][:1] == [f"{word}_of"]
    # Who asked before goes on with the numbers of then.
    asked = search(view, Question("order the price"), RANKER)
    assert all(hit.path in view.files for hit in asked)


def test_what_is_remembered_of_words_is_bounded() -> None:
    for number in range(30_000):
        words.tokens_of(f"typed{number:x}q")
    # Of 80 bytes each: what is typed comes once, and a process that holds an index lives for days.
    assert words._token.cache_info().currsize <= 20_000
    assert index_of_words().cache_parameters()["maxsize"] <= 1_000


def index_of_words() -> Any:
    return Index().lexicon.recalled


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_edits_and_a_fresh_index_agree_for_long() -> None:
    for seed in range(20):
        rounds(50, seed)


def test_vectors_follow_their_texts() -> None:
    index = Index()
    index.replace([cut(Document("a.py", "def one(): ...\n\n\ndef two(): ...\n"))])
    texts = index.missing("semantic")
    assert sorted(texts.values()) == ["a one def one", "a two def two"]
    index.supply("semantic", {key: np.array([1, 0], np.float32) for key in texts})
    assert index.missing("semantic") == {}
    index.replace([cut(Document("b.py", "def three(): ...\n"))])
    index.replace([cut(Document("a.py", "x = 1\n\n\ndef two():\n    return 2\n"))])
    assert sorted(index.missing("semantic").values()) == ["a a", "b three def three"]


def test_a_view_has_the_vectors_that_come_later() -> None:
    """While a model embeds they come all the time: the columns were once worked out anew for each."""
    index = Index()
    index.replace([file(Random(5), "pkg/order.py")])
    view, texts = index.view(), index.missing("semantic")
    index.supply("semantic", {key: np.array([1, 0], np.float32) for key in texts})
    assert index.view() is view
    assert view.similar("semantic", np.array([1, 0], np.float32)).tolist() == [1.0] * len(view)


def test_tables_fill_what_comes_later_too() -> None:
    index = Index()
    index.fill("static", lambda texts: np.array([[len(text), 1] for text in texts], np.float32))
    for number in range(30):
        index.replace([cut(Document(f"{number % 12}.py", f"def one{number}(): ...\n" * 20))])
    view = index.view()
    similar = view.similar("static", np.array([0, 1], np.float32))
    assert similar is not None and similar[view.living].all()


def test_made_in_steps_they_are_the_same_and_an_edit_in_between_has_them_too() -> None:
    def made(texts: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        return np.array([[len(text), text.count("o")] for text in texts], np.float32).reshape(-1, 2)

    index = Index()
    index.replace(
        [cut(Document(f"{n}.py", f"def one{n}(): ...\n\n\ndef other{n}(): ...\n")) for n in range(9)]
    )
    filling = Filling(index, "static", made)
    assert filling.step(5) > 0 and not index.view().has_vectors("static")
    index.replace([cut(Document("3.py", "def late(): ...\n"))])
    while filling.step(5):
        pass
    similar = index.view().similar("static", np.ones(2, np.float32))
    index.fill("static", made)
    assert (similar == index.view().similar("static", np.ones(2, np.float32))).all()
    assert similar[index.view().living].all()


def test_vectors_of_another_table_are_made_anew() -> None:
    index = Index()
    index.replace([cut(Document("a.py", "def one(): ...\n\n\ndef two(): ...\n"))])
    for first in ([1.0, 0.0], [0.0, 1.0], [0.0, 0.0, 1.0]):
        vector = np.array(first, np.float32)
        index.fill("static", lambda texts, vector=vector: np.stack([vector] * len(texts)))  # type: ignore[misc]
        similar = index.view().similar("static", vector)
        assert (similar == 1).all()
    index.fill("static", lambda texts: np.ones((len(texts), 3), np.float32), are_made=True)
    assert (index.view().similar("static", vector) == 1).all()


def test_a_place_is_in_the_innermost_definition() -> None:
    text = "import os\n\n\nclass A:\n    x = 1\n\n    def f(self):\n        return 1\n"
    index = Index()
    index.replace([cut(Document("a.py", text))])
    view = index.view()
    rows = [view.at("a.py", line) for line in (0, 4, 7)]
    assert [view.chunk(row).name for row in rows if row is not None] == ["a", "A", "A.f"]
    assert view.at("b.py", 0) is None
