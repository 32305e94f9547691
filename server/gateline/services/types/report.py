"""From mypy's messages to findings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from gateline.model import Dimension, Finding, Related, Report, Span, State, Weight
from gateline.services.types.messages import Answer, Message, Texts

CODE = "GTL110"
NAME = "types"


def reports_of(answer: Answer) -> dict[str, Report]:
    """The report of each document in an answer that was not blocked."""
    found = sorted(answer.messages.items())
    reports = {path: _report(messages, answer.limits_of.get(path, answer.limits)) for path, messages in found}
    for path, why in answer.left_out.items():
        reports[path] = Report(NAME, Dimension.ERRORS, State.NOTHING_TO_JUDGE, why)
    for path, why in answer.unchecked.items():
        reports[path] = Report(NAME, Dimension.ERRORS, State.NO_DATA, why)
    return reports


def failures(texts: Texts, reason: str, state: State = State.FAILED) -> dict[str, Report]:
    """Reports that say for all these texts why there is none."""
    present = (path for path, text in texts.items() if text is not None)
    return {path: Report(NAME, Dimension.ERRORS, state, reason) for path in present}


def _report(messages: Sequence[Message], limits: Sequence[str]) -> Report:
    findings = tuple(_finding(message) for message in messages)
    return Report(NAME, Dimension.ERRORS, reason="; ".join(limits), findings=findings)


def _finding(message: Message) -> Finding:
    notes = (Related(message.path, Span.of_line(n.line, n.source), n.text) for n in message.notes)
    return Finding(
        code=CODE,
        path=message.path,
        span=_span(message),
        message=message.text,
        dimension=Dimension.ERRORS,
        weight=Weight.COUNTS,
        origin=f"mypy: {message.code}" if message.code else "mypy",
        symbol=message.symbol,
        line_text=message.source,
        related=tuple(notes),
    )


def _span(message: Message) -> Span:
    line, text = max(message.line, 0), message.source
    if message.column < 0:
        return Span.of_line(line, text)
    start = true_column(text, message.column)
    if message.end_line > line:
        ends = columns_of(message.end_source, message.end_column)
        return Span.of(line, start, message.end_line, (ends or [len(message.end_source)])[-1])
    width = max(message.end_column - message.column, 1)
    return Span.of(line, start, line, max(_true_end(text, message.end_column, start, width), start))


def true_column(text: str, reported: int) -> int:
    """The code-point column that mypy 2.4 reports so; where several fit, the last that begins something."""
    fitting = columns_of(text, reported)
    beginning = [column for column in fitting if _begins(text, column)]
    return (beginning or fitting or [min(reported, len(text))])[-1]


def _true_end(text: str, reported: int, start: int, width: int) -> int:
    """Where several columns fit, the one at which something ends; of those, the one next to the width."""
    fitting = [column for column in columns_of(text, reported) if column > start]
    ending = [column for column in fitting if _begins(text[::-1], len(text) - column)]
    by_width = min(start + width, len(text))
    return min(ending or fitting, key=lambda column: abs(column - by_width), default=by_width)


def columns_of(text: str, reported: int) -> Sequence[int]:
    """The code-point columns that mypy 2.4 reports as `reported`.

    Its native parser takes a column for a number of bytes: what it reports for column c is how many
    characters are whole in the first c + 1 bytes of the line, less one.
    """
    if text.isascii():
        return [min(reported, len(text))]
    ends = list(accumulate(len(character.encode(errors="replace")) for character in text))
    return [column for column in range(len(text) + 1) if bisect_right(ends, column + 1) - 1 == reported]


def _begins(text: str, column: int) -> bool:
    """Whether a word or mark begins at a column."""
    if column == len(text) or text[column].isspace():
        return False
    return column == 0 or not (text[column].isalnum() and text[column - 1].isalnum())
