"""Mistakes in real texts that nobody can repair: a name or an argument that was never there."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import gateline

_LONGEST = 300
"""Lines of a text: each is checked anew with everything that is tried."""
_SYLLABLES = ("quo", "zil", "mar", "vex", "bru", "fip", "gol", "wun", "jek", "yth")
_ALIKE = 0.6
_NAMES = (
    "MADE = {name}\n",
    "MADE = len({name}) + 1\n",
    "MADE = {name}.strip()\n",
    "MADE = [{name}(row) for row in (1, 2)]\n",
    'MADE = f"{{{name}!r}}: {{len({name})}}"\n',
    "\n\ndef made(rows: list[int]) -> int:\n    return sum(rows) + {name}\n",
    "\n\nclass Made:\n    size: int = {name}\n",
)
_CALLS = ("MADE = {function}()\n", "MADE = [{function}() for _ in range(2)]\n", "print({function}())\n")


@dataclass(frozen=True)
class Mistake:
    """A text with one mistake, and what stands in its place."""

    path: str
    wrong: str
    hint: str
    """The name that is not known, or the function that lacks an argument."""


def mistakes(number: int, seed: int) -> Iterator[Mistake]:
    """So many texts, always the same ones for a seed, one in two with each kind of mistake."""
    chosen = random.Random(seed)
    texts = [text for file in sorted(_files()) if _is_fit(text := file.read_text(encoding="utf-8"))]
    for at, text in enumerate(chosen.sample(texts, number)):
        functions = _functions(text) if at % 2 else []
        hint = chosen.choice(functions) if functions else _unlike(text, chosen)
        line = chosen.choice(_CALLS).format(function=hint) if functions else None
        line = line or chosen.choice(_NAMES).format(name=hint)
        yield Mistake(f"text_{at:03}.py", f"{text}\n\n{line}", hint)


def _files() -> Iterator[Path]:
    return Path(gateline.__file__).parent.rglob("*.py")


def _is_fit(text: str) -> bool:
    """Whether it can stand alone, and is soon checked."""
    return 20 < text.count("\n") < _LONGEST and "__main__" not in text and "\nfrom ." not in text


def _functions(text: str) -> list[str]:
    """The functions that cannot be called without an argument."""
    found = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return [f.name for f in found if len(f.args.args) > len(f.args.defaults) and not f.decorator_list]


def _unlike(text: str, chosen: random.Random) -> str:
    """A name that is like no other one of a text."""
    words = set(re.findall(r"\w+", text))
    while True:
        name = "_".join("".join(chosen.sample(_SYLLABLES, 3)) for _ in range(2))
        if all(SequenceMatcher(None, name, word).ratio() < _ALIKE for word in words):
            return name
