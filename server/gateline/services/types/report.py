"""From mypy's messages to findings."""

from __future__ import annotations

from collections.abc import Sequence

from gateline.model import Dimension, Finding, Related, Report, Span, State, Weight
from gateline.services.types.messages import Answer, Message, Texts

CODE = "GTL110"
NAME = "types"


def reports_of(answer: Answer) -> dict[str, Report]:
    """The report of each document in an answer that was not blocked."""
    found = sorted(answer.messages.items())
    reports = {path: _report(messages, answer.limits) for path, messages in found}
    for path, why in answer.unchecked.items():
        reports[path] = Report(NAME, Dimension.ERRORS, State.NO_DATA, why)
    return reports


def failures(texts: Texts, reason: str) -> dict[str, Report]:
    """Reports that say for all these texts why there is none."""
    present = (path for path, text in texts.items() if text is not None)
    return {path: Report(NAME, Dimension.ERRORS, State.FAILED, reason) for path in present}


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
        return Span.of(line, start, message.end_line, min(message.end_column, len(message.end_source)))
    width = max(message.end_column - message.column, 1)
    return Span.of(line, start, line, max(min(start + width, len(text)), start))


def true_column(text: str, reported: int) -> int:
    """The code-point column of a place that mypy 2.4 reports.

    Its native parser takes the bytes of a non-ASCII character off twice: a character of n bytes moves a
    column by 2 - n. Where several places fit, it is the last one at which a word or mark begins.
    """
    if text.isascii():
        return min(reported, len(text))
    at, best = 0, None
    for column, character in enumerate(text):
        starts = column == 0 or not (character.isalnum() and text[column - 1].isalnum())
        if at == reported and starts and not character.isspace():
            best = column
        at += 2 - len(character.encode("utf-8", "surrogatepass"))
    return min(reported, len(text)) if best is None else best
