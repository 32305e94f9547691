"""Times one process with an index: `python -m gateline_dev.retrieval.speed FOLDER CACHE`, as JSON.

The first start finds nothing stored, the second what the first one wrote. A start begins before numpy is
imported, and ends with the first answer from all files; of one that finds nothing stored the table's vectors
take part a little later, and that is measured too.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from gateline.store.folders import context_of

if TYPE_CHECKING:
    from gateline.session.context.retriever import Retrieval

T = TypeVar("T")
_QUESTIONS = 60
_EDITS = 12
_LONG = 3_000
"""Lines of the file that is edited."""
WORDS = (
    "escape a value for the shell",
    "where are the headers of a request parsed",
    "write a table with borders",
    "close all connections when the pool ends",
    "wrap text to the width of the terminal",
    "look a setting up and fall back to its default",
)
"""Questions as people ask them: general enough for any package."""


def main() -> int:
    """Measure a start and, once that is done, questions and edits."""
    root, cache = Path(sys.argv[1]), Path(sys.argv[2])
    # Where the index is kept is told by the server.
    folder = context_of(root, cache)
    began = perf_counter()
    from gateline.context.values import Question
    from gateline.session.context.child_main import opened
    from gateline.session.context.requests import Open
    from gateline.session.context.steps import Steps
    from gateline.session.workspace.git import Git

    retrieval = opened(Open(root, Git.find(root), 3_000_000, (), folder, (), None))
    steps = Steps(retrieval, retrieval.look())
    while steps.left:
        steps.step()
    retrieval.search(Question(WORDS[0]), 4_000)
    found: dict[str, object] = {"start": perf_counter() - began}
    while retrieval.fill():
        pass
    retrieval.search(Question(WORDS[1]), 4_000)
    found |= {"whole": perf_counter() - began, "chunks": retrieval.status().chunks}
    # As the product does before it writes the index.
    while retrieval.look_through():
        pass
    retrieval.save()
    if len(sys.argv) > 3:
        found |= _questions(retrieval, root) | {"edits": _edits(retrieval)}
    found["megabytes"] = _megabytes()
    print(json.dumps(found))
    return 0


def _questions(retrieval: Retrieval, root: Path) -> dict[str, object]:
    from gateline.context.values import Question

    def ask(words: str) -> None:
        retrieval.search(Question(words), 4_000)

    paths = [path for path in retrieval.files.paths() if path.endswith(".py")]
    places = islice(cycle(paths[:: max(len(paths) // 40, 1)]), _QUESTIONS)
    texts = [(path, (root / path).read_text(encoding="utf-8", errors="replace")) for path in places]

    def stand(place: tuple[str, str]) -> None:
        path, text = place
        lines = text.splitlines()
        middle = len(lines) // 2
        retrieval.search(Question("\n".join(lines[max(middle - 5, 0) : middle + 5]), path, middle), 4_000)

    def surround(place: tuple[str, str]) -> None:
        path, text = place
        retrieval.for_position(path, text.count("\n") // 2, 4_000)

    words = [f"{text} {number}" for number, text in enumerate(islice(cycle(WORDS), _QUESTIONS))]
    return {"words": _timed(ask, words), "places": _timed(stand, texts), "around": _timed(surround, texts)}


def _edits(retrieval: Retrieval) -> list[float]:
    """A long buffer is typed in: seconds until what was typed is found."""
    from gateline.context.values import Question
    from gateline.model import Document

    made = (f"def made_{n}(value):\n    total = value + {n}\n    return total" for n in range(_LONG // 5))
    body = "\n\n\n".join(made)

    def edit(number: int) -> None:
        text = f"{body}\n\n\ndef zebra{number}(stripe):\n    return stripe\n"
        retrieval.open(Document("typed_here.py", text))
        answer = retrieval.search(Question(f"zebra{number}"), 4_000)
        assert answer.passages[0].name == f"zebra{number}"

    return _timed(edit, list(range(_EDITS)))


def _timed(ask: Callable[[T], None], given: list[T]) -> list[float]:
    taken = []
    for one in given:
        began = perf_counter()
        ask(one)
        taken.append(perf_counter() - began)
    return taken


def _megabytes() -> float:
    import psutil

    return float(psutil.Process(os.getpid()).memory_info().rss) / 1e6


if __name__ == "__main__":
    sys.exit(main())
