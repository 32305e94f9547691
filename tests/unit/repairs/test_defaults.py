"""What stands in for None."""

from __future__ import annotations

from gateline.model import Frame, Origin, Problem, Question, Span
from gateline.repairs.families.none.none_defaults import diagnose, propose
from gateline.repairs.texts import Texts

COUNT = """\
def count(row, _seen=None):
    seen = _seen
    if id(row) in seen:
        return 0
    seen.add(id(row))
    return 1 + sum(count(part, seen) for part in row.parts)
"""


def test_what_is_added_to_later_says_how_it_begins() -> None:
    message = "argument of type 'NoneType' is not iterable"
    place = Span.of(2, 7, 2, 22)
    frames = (Frame("rows.py", 2, "count", span=place, seen=(("seen", "NoneType"),)),)
    problem = Problem(Origin.RUN, "TypeError", message, "rows.py", place, frames)
    knowledge = Texts({"rows.py": COUNT})
    diagnosis = diagnose(problem, knowledge)
    assert diagnosis is not None
    titles = [repair.title for repair in propose(Question(diagnosis, knowledge))]
    assert "Write _seen or set()" in titles[:4]
