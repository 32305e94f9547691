"""The modules in which the cause of an error may be, though the run that met it went through others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from gateline.model import Knowledge, Problem
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.world import code_at
from gateline.repairs.rules_of_files import is_test

_FILES = 30
_SIZE = 250_000
"""Characters of all of them together."""
_WORD = re.compile(r"[^\W\d]\w+")


def nearby(problem: Problem, knowledge: Knowledge) -> Iterator[Code]:
    """The modules that the run came through, the innermost first, those they name, those beside, others."""
    came = [frame.path for frame in reversed(problem.frames) if frame.ours]
    folders = {PurePosixPath(path).parent for path in came}
    named = {word for path in came for word in _WORD.findall(knowledge.text(path) or "")}

    def distance(path: str) -> tuple[bool, bool]:
        place = PurePosixPath(path)
        return place.stem not in named - {"__init__"}, place.parent not in folders

    others = sorted(knowledge.paths(), key=distance)
    paths = [path for path in (*came, *others) if path.endswith(".py") and not is_test(path)]
    left = _SIZE
    for path in list(dict.fromkeys(paths))[:_FILES]:
        text = knowledge.text(path) or ""
        left -= len(text)
        if left < 0:
            return
        if (code := code_at(knowledge, path)) is not None:
            yield code
