"""Syntax: texts that do not parse.

Changes of one or a few tokens are tried where the compiler stops, and what it accepts is offered: brackets,
quotes, colons and commas that are missing, too many or wrong; indentation; misspelled keywords; operators and
statements of other languages and of Python 2; parameters and arguments in a wrong order; prompts, merge marks
and characters that came in with a paste. Several mistakes in one text are repaired together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.model.span import Position, Span
from gateline.repairs.edits import between
from gateline.repairs.syntax.judge import failure_of
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.pattern import pattern_of, title_of
from gateline.repairs.syntax.search import Solution, solutions

_EXPECTED = re.compile(
    r"[Ee]xpected (?:an? )?'?([^']+?)'?(?:$| after| but)|forgot (?:an? )?(\w+)|meant '([^']+)'"
)


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """What the compiler says of the text itself: a reporter's place may be old."""
    text = knowledge.text(problem.path)
    failure = None if text is None else failure_of(text)
    if text is None or failure is None:
        return None
    layout = layout_of(text)
    token = layout.tokens[layout.token_at(failure.offset)] if layout.tokens else None
    start = Position(failure.line, failure.offset - layout.starts[failure.line])
    end = Position(failure.line, start.column + (len(token.text.split("\n")[0]) if token else 0))
    wanted = _EXPECTED.search(failure.message)
    return Diagnosis(
        problem,
        Family.SYNTAX,
        pattern_of(failure.message),
        expected=next((g for g in wanted.groups() if g), "") if wanted else "",
        actual="" if token is None else token.text.strip().split("\n")[0][:40],
        places=(Place(problem.path, Span(start, end)),),
    )


def propose(question: Question) -> Iterator[Repair]:
    """The texts nearest to this one that compile."""
    path = question.problem.path
    text = question.knowledge.text(path)
    if text is None:
        return
    for solution in _solutions(text):
        edits = between(path, text, solution.text)
        if edits:
            yield Repair(
                title_of(text, edits),
                Family.SYNTAX,
                pattern_of(solution.patterns[0]),
                edits,
                solution.cost,
                reason="; ".join(dict.fromkeys(solution.patterns)),
            )


@lru_cache(maxsize=8)
def _solutions(text: str) -> tuple[Solution, ...]:
    return tuple(solutions(text))


CODES = frozenset({"GTL101", "SyntaxError", "IndentationError", "TabError", "syntax"})
REPAIRER = Repairer("syntax", CODES, diagnose, propose)
