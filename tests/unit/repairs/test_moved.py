"""Errors that move with repairs of others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gateline.model import Frame, Origin, Position, Problem, Span
from gateline.repairs.moved import moved

OLD = "import os\n\n\ndef first():\n    return a\n\n\ndef second():\n    return b\n"


def problem_at(line: int) -> Problem:
    span = Span(Position(line, 4), Position(line, 12))
    return Problem(
        Origin.RUN, "NameError", "", "shop.py", span, (Frame("shop.py", line), Frame("other.py", 3))
    )


def test_lines_that_came_above_move_it() -> None:
    new = OLD.replace("import os\n", "import os\nimport sys\n").replace("return a", "return 1")
    found = moved(problem_at(8), {"shop.py": OLD}, {"shop.py": new})
    assert found is not None
    assert (found.line, [frame.line for frame in found.frames]) == (9, [9, 3])


def test_it_is_gone_with_its_line() -> None:
    assert moved(problem_at(4), {"shop.py": OLD}, {"shop.py": OLD.replace("return a", "return 1")}) is None


@given(st.integers(0, 8), st.lists(st.sampled_from(OLD.splitlines()), max_size=5))
def test_other_files_move_nothing(line: int, rows: list[str]) -> None:
    assert moved(problem_at(line), {"else.py": OLD}, {"else.py": "\n".join(rows)}) == problem_at(line)
