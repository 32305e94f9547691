"""Broken texts with the texts they come from: of a corpus, and made of the standard library."""

from __future__ import annotations

import ast
import hashlib
import json
import random
import sysconfig
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from gateline.repairs.syntax.judge import failure_of
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.proposals import applied
from gateline_dev.syntax.breaking import BREAKERS
from gateline_dev.syntax.misplaced_breaking import MISPLACED
from gateline_dev.syntax.more_breaking import MORE
from gateline_dev.syntax.odd_breaking import ODD

_LONGEST = 60_000
"""Characters of a file of the standard library."""
_PIECE = 2_000


@dataclass(frozen=True)
class Sample:
    """A text that does not compile, and those that would be right."""

    name: str
    kind: str
    group: str
    """Samples of one group come from one source."""
    text: str
    right: tuple[str, ...]
    is_made: bool = False
    """It was broken here, on purpose."""

    def is_right(self, text: str) -> bool:
        """Whether a text is one of the right ones, or differs from it in layout only."""
        return text in self.right or tree_of(text) in {tree_of(right) for right in self.right}


@lru_cache(maxsize=64)
def tree_of(text: str) -> str:
    """The tree of a text, written down; empty when it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.dump(ast.parse(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ""


def of_corpus(folder: Path) -> Iterator[Sample]:
    """The cases of a corpus folder whose error is one of syntax."""
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if case["category"] == "syntax":
                text, right = _texts(folder, case)
                group = case.get("project") or case.get("source", "")
                yield Sample(case["id"], case["pattern"], group, text, tuple(right))


def _texts(folder: Path, case: dict[str, Any]) -> tuple[str, list[str]]:
    if "project" in case:
        file = folder / "projects" / case["project"] / case["target"]
        good = file.read_bytes().decode("utf-8")
        return applied(good, tuple(tuple(e) for e in case["edits"])) or "", [good]
    accepted = [t for oracle in case["oracle"] for t in oracle.get("accept", [])]
    text = case["files"][case["target"]]
    return text, accepted or [case["reference"][case["target"]]]


def of_library(seed: int, files: int, each: int = 1) -> Iterator[Sample]:
    """Pieces of files of the standard library, broken in every way, up to `each` times a way and file."""
    rng = random.Random(seed)
    root = Path(sysconfig.get_paths()["stdlib"])
    chosen = [f for f in sorted(root.rglob("*.py")) if _is_suitable(f)]
    for file in rng.sample(chosen, min(files, len(chosen))):
        pieces = _pieces(file.read_text(encoding="utf-8"))
        for kind, breaker in {**BREAKERS, **MORE, **ODD, **MISPLACED}.items():
            spots = [(p, spot) for p in pieces for spot in breaker(layout_of(p), rng) if spot]
            for bad, right in _failing(rng.sample(spots, min(4 * each, len(spots))), each):
                name = f"{file.stem}-{hashlib.sha1(bad.encode()).hexdigest()[:6]}"
                yield Sample(name, kind, str(file.relative_to(root)), bad, (right,), is_made=True)


def _pieces(text: str) -> list[str]:
    """Runs of whole statements of a module, each not much longer than `_PIECE`."""
    lines = text.splitlines(keepends=True)
    pieces, start = [], 0
    for node in ast.parse(text).body:
        end = node.end_lineno or node.lineno
        if sum(map(len, lines[start:end])) > _PIECE:
            pieces.append("".join(lines[start:end]))
            start = end
    return [*pieces, "".join(lines[start:])]


def _failing(spots: Sequence[Any], most: int) -> Iterator[tuple[str, str]]:
    made = 0
    for text, spot in spots:
        bad = applied(text, spot)
        if made < most and bad is not None and failure_of(bad) is not None:
            made += 1
            yield bad, text


def _is_suitable(file: Path) -> bool:
    if {"site-packages", "test", "tests", "idlelib", "lib2to3", "encodings"} & set(file.parts):
        return False
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return 500 < len(text) < _LONGEST and bool(tree_of(text))
