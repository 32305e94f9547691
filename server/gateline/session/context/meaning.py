"""The semantic tier on the side of the index: which texts want a vector, and a question's vector in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Event

import numpy as np
from cachetools import LRUCache

from gateline.context.arrays import Scores
from gateline.context.search import SEMANTIC
from gateline.context.values import Answer
from gateline.services.embedding.engines import Engine, best_engine
from gateline.services.embedding.requests import Made
from gateline.services.embedding.weights import OPENING, UNLOADABLE, MissingModelError, Weights
from gateline.session.context.retriever import Retrieval
from gateline.session.context.vectors import FILE, Vectors

_AT_ONCE = 512
"""Vectors that are gathered before the rows of the index get them."""
_BEGINNING = 0.0005
"""Seconds in which a thread takes up a question, where a processor is free for it."""
_QUESTIONS = 200
"""Questions whose vectors are remembered."""


class Asked:
    """A question's vector, which is made while other tiers are looked at."""

    def __init__(
        self, future: Future[Scores], deadline: float, here: Callable[[], Future[Scores]] | None = None
    ) -> None:
        """`here` makes the vector in the thread that calls it, where that may be."""
        self._future, self._deadline, self._began = future, deadline, time.perf_counter()
        self._here = here
        self.reason = ""
        """Why there was no vector; empty for one that came, or was not asked for."""
        if deadline <= 0 and not future.done():
            self._late()

    def vector(self) -> Scores | None:
        """The vector if it is there in time. What comes later is there when the same is asked again."""
        if self.reason:
            return None
        left = max(self._deadline - (time.perf_counter() - self._began), 0.0)
        if left and self._here is not None and self._future.cancel():
            # No processor was free for its thread: to wait for one takes longer.
            self._future = self._here()
        try:
            return self._future.result(timeout=left)
        except LateError:
            self._late()
        except Exception as error:  # noqa: BLE001 - whatever a library says: the other tiers answer
            self.reason = f"the question could not be embedded: {_said(error)}"
        return None

    def _late(self) -> None:
        taken = (time.perf_counter() - self._began) * 1000
        self.reason = f"the question had no vector after {taken:.0f} ms"


class Meaning:
    """The vectors of one index. Not safe for threads, but that a question's vector is made in its own."""

    def __init__(self, retrieval: Retrieval, weights: Weights, made: Path) -> None:
        """Raises MissingModelError. `made` is where models are kept that were made of the weights."""
        self._retrieval, self._weights, self._made = retrieval, weights, made
        self.vectors = Vectors(retrieval.store.folder / FILE, weights.name)
        self._pending: dict[str, str] | None = None
        self._gathered: dict[str, Scores] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="gateline-question")
        self._engine = self._thread.submit(best_engine, weights, made, quick=True)
        self._asked: LRUCache[str, Future[Scores]] = LRUCache(_QUESTIONS)

    def changed(self) -> None:
        """Texts have changed: others may want a vector now."""
        self._pending = None

    def renewed(self) -> None:
        """An engine may be there that is faster, and vectors that another server made."""
        self._pending = None
        self._engine = self._thread.submit(best_engine, self._weights, self._made, quick=True)

    def pending(self, most: int) -> list[tuple[str, str]]:
        """The next texts to embed, of nearly the same length, by their keys; none when all have vectors."""
        if self._pending is None:
            self._flush()
            missing = self._retrieval.missing(SEMANTIC)
            kept = self.vectors.get(missing)
            self._retrieval.supply(SEMANTIC, kept)
            left = ((key, text) for key, text in missing.items() if key not in kept)
            self._pending = dict(sorted(left, key=lambda one: len(one[1])))
        return list(islice(self._pending.items(), most))

    def supply(self, keys: tuple[str, ...], made: Made) -> int:
        """Take up vectors and keep them; how many texts still want one."""
        size = 2 * made.width
        parts = [made.vectors[start : start + size] for start in range(0, len(made.vectors), size)]
        self.vectors.put(dict(zip(keys, parts, strict=True)))
        for key, part in zip(keys, parts, strict=True):
            self._gathered[key] = np.frombuffer(part, np.float16).astype(np.float32)
            if self._pending is not None:
                self._pending.pop(key, None)
        left = len(self._pending or ())
        if not left or len(self._gathered) >= _AT_ONCE:
            self._flush()
        return left

    def embed_few(self, most: int) -> int:
        """Embed what still wants a vector, unless it is more, or the model is not there yet; what is left."""
        texts = self.pending(most + 1)
        if not texts or len(texts) > most or not self._engine.done():
            return len(texts)
        keys, wanted = zip(*texts, strict=True)
        found = self._engine.result().vectors(wanted).astype(np.float16)
        return self.supply(keys, Made(found.shape[1], found.tobytes()))

    @property
    def trouble(self) -> str:
        """Why the model cannot be loaded; empty when it can, or that is not yet known."""
        error = self._engine.exception() if self._engine.done() and not self._engine.cancelled() else None
        return "" if error is None else f"{UNLOADABLE}: {_said(error)}"

    def ask(self, text: str, deadline: float) -> Asked:
        """Begin to make a question's vector, for which `deadline` seconds are left."""
        future = self._asked.get(text)
        if future is None or (future.done() and future.exception() is not None):
            begun = Event()
            future = self._asked[text] = self._thread.submit(self._embedded, text, begun)
            if deadline > 0 and self._engine.done():
                # Else the other tiers would keep the interpreter's lock, and the model begin when they end.
                begun.wait(_BEGINNING)
        return Asked(future, deadline, partial(self._made_here, text) if self._engine.done() else None)

    def said(self, answer: Answer, reason: str) -> Answer:
        """An answer that says what of this tier was missing."""
        told = dict(self._missed(answer, reason))
        if not told:
            return answer
        degraded = {**answer.degraded, **told}
        return Answer(answer.passages, answer.tiers, degraded, answer.tokens, answer.left_out)

    def _missed(self, answer: Answer, reason: str) -> Iterator[tuple[str, str]]:
        left = self._retrieval.without(SEMANTIC)
        if reason := self.trouble or reason:
            yield SEMANTIC, reason
        elif not self._engine.done():
            yield SEMANTIC, OPENING
        elif left or SEMANTIC not in answer.tiers:
            yield SEMANTIC, f"chunks without a vector yet: {left}"

    def close(self) -> None:
        """Let go of the file and the thread."""
        self.vectors.close()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _made_here(self, text: str) -> Future[Scores]:
        made = self._asked[text] = Future()
        try:
            made.set_result(self._embedded(text, Event()))
        except Exception as error:  # noqa: BLE001 - who waits for it is told
            made.set_exception(error)
        return made

    def _embedded(self, text: str, begun: Event) -> Scores:
        try:
            engine: Engine = self._engine.result()
        finally:
            begun.set()
        found: Scores = engine.vectors([text])[0]
        return found

    def _flush(self) -> None:
        gathered, self._gathered = self._gathered, {}
        self._retrieval.supply(SEMANTIC, gathered)


def _said(error: BaseException) -> str:
    return str(error) if isinstance(error, MissingModelError) else f"{type(error).__name__}: {error}"
