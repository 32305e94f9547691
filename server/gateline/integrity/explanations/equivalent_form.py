"""The same expectation in another form: awaited, of a clock that stands still, or kept in a snapshot."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

from gateline.analysis.trees import constants, text_of
from gateline.integrity.change_view import Both
from gateline.integrity.explanations.determinised import asks_moment
from gateline.integrity.explanations.golden_inlined import texts_named
from gateline.integrity.explanations.indirect_check import reads_a_file
from gateline.integrity.tests.check import Check
from gateline.model.names import last_name


def is_asked_otherwise(before: Check, after: Check, both: Both) -> bool:
    """Whether just as much is expected of the same thing."""
    if (before.relation, before.expectation) == (after.relation, after.expectation):
        return bool(before.expectation) or _is_awaited(before, after)
    if after.exact and _asks_moment(before) and not _asks_moment(after):
        # What a test asked the clock for is a time of its own from now on.
        return True
    if after.relation == before.relation == "==" and _is_same_data(before.expected, after.expected):
        return True
    return after.exact and last_name(after.expected or after.subject) == "snapshot" and _is_kept(before, both)


def is_answer_of_one(other: Check, check: Check) -> bool:
    """Whether what the same method answers is asked for to the letter, where a bound was enough."""
    called = isinstance(check.subject, ast.Call) and isinstance(other.subject, ast.Call)
    same = called and last_name(check.subject) == last_name(other.subject)
    return same and other.exact and check.relation[0] in "<>"


def is_rest(before: Check, after: Check) -> bool:
    """Whether a part of a table is expected of it, and nothing else."""
    match before.expected, after.expected:
        case ast.Dict() as whole, ast.Dict() as part:
            old, new = (set(map(text_of, _items(table))) for table in (whole, part))
            return new < old
        case _:
            return False


def _items(table: ast.Dict) -> Iterator[ast.expr]:
    for key, value in zip(table.keys, table.values, strict=True):
        yield ast.Tuple([key or ast.Constant(None), value], ast.Load())


def _is_awaited(before: Check, after: Check) -> bool:
    plain = [text_of(side.subject).replace("await ", "") for side in (before, after)]
    return before.subject_text != after.subject_text and plain[0] == plain[1]


def _is_same_data(one: ast.expr | None, other: ast.expr | None) -> bool:
    """Whether two texts hold the same data in JSON, however they are laid out."""
    match one, other:
        case ast.Constant(value=str() | bytes() as text), ast.Constant(value=str() | bytes() as also):
            pass
        case _:
            return False
    try:
        return bool(json.loads(text) == json.loads(also))
    except (ValueError, RecursionError):
        return False


def _asks_moment(check: Check) -> bool:
    return check.expected is not None and asks_moment(check.expected)


def _is_kept(before: Check, both: Both) -> bool:
    """Whether a snapshot has what was expected in the test, or in a file that it read."""
    wanted = [piece for piece in _pieces(before, both) if piece]
    kept = (row.current.text for row in both.expected if row.current is not None)
    return bool(wanted) and any(all(piece in text for piece in wanted) for text in kept)


def _pieces(check: Check, both: Both) -> Iterator[str]:
    if check.expected is None:
        return
    read = reads_a_file(check.expected)
    texts = texts_named(check.expected, both) if read else [v.strip("'\"") for v in constants(check.expected)]
    for text in texts:
        yield from (line.strip() for line in text.replace("\\n", "\n").splitlines())
