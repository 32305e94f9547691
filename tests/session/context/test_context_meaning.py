"""The semantic tier on the side of the index: an answer says what has no vector yet."""

from __future__ import annotations

from pathlib import Path
from threading import Event

from gateline.context.search import SEMANTIC
from gateline.context.values import Question
from gateline.model import Document
from gateline.services.embedding.weights import Weights
from gateline.session.context.meaning import Meaning
from gateline.session.context.setup import retrieval_of
from support.tiny_model import tiny_model

CODE = "def load_price(given):\n    return given\n"


def test_an_edit_s_vectors_are_missing_until_they_are_made(tmp_path: Path) -> None:
    """They were once taken to be there until somebody looked, forty milliseconds after the edit."""
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text(CODE)
    retrieval = retrieval_of(root, {}, tmp_path / "cache")
    retrieval.update(retrieval.look())
    meaning = Meaning(retrieval, Weights(tiny_model(tmp_path / "model"), "a test"), tmp_path / "made")
    meaning._engine.result()

    def degraded() -> dict[str, str]:
        asked = meaning.ask("load the price", 10)
        answer = retrieval.search(Question("load the price"), 1000, asked.vector)
        return dict(meaning.said(answer, asked.reason).degraded)

    assert meaning.embed_few(8) == 0
    assert SEMANTIC not in degraded()
    retrieval.open(Document("shop.py", f"{CODE}\n\ndef send_parcel(given):\n    return given\n", 2))
    meaning.changed()
    assert degraded()[SEMANTIC] == "chunks without a vector yet: 1"
    assert meaning.embed_few(8) == 0
    assert SEMANTIC not in degraded()
    meaning.close()


def test_a_question_that_no_thread_takes_up_has_its_vector_all_the_same(tmp_path: Path) -> None:
    """Where all processors are busy, who asks makes it; once it waited for a thread first."""
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text(CODE)
    retrieval = retrieval_of(root, {}, tmp_path / "cache")
    meaning = Meaning(retrieval, Weights(tiny_model(tmp_path / "model"), "a test"), tmp_path / "made")
    meaning._engine.result()
    is_over = Event()
    meaning._thread.submit(is_over.wait)
    asked = meaning.ask("load the price", 10)
    first = asked.vector()
    assert first is not None and not asked.reason
    assert meaning.ask("load the price", 10).vector() is first, "it is remembered"
    assert meaning.ask("send the parcel", 0).vector() is None, "nobody waits for it"
    is_over.set()
    meaning.close()
