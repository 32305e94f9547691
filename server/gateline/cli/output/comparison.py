"""A comparison for a terminal, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from gateline.cli.terminal import clipped, columns, harmless
from gateline.ranking.values import Ranking, Row
from gateline.session.compare.comparing import Comparison

_HEADINGS = ("place", "candidate", "visible", "regressions", "behaviour", "tokens", "score")
_STAGES = ("visible tests", "regressions", "behavioural agreement", "token agreement")
_ROOM = 28
_NAMED = 3
"""Tests that are named where several fail."""


def text(found: Comparison) -> str:
    """For a person: the answer first, then the table and what it rests on."""
    ranking = found.ranking
    rows = [_HEADINGS, *(tuple(_cells(row)) for row in ranking.rows)]
    widths = [max(columns(row[at]) for row in rows) for at in range(len(_HEADINGS))]
    lines = [_answer(ranking), f"  {ranking.why}", "", *(_line(row, widths) for row in rows), ""]
    for row in ranking.rows:
        lines += _told(row)
    lines += ["", *_decided(ranking), *_confidence(ranking), *_rest(found)]
    return "\n".join(harmless(line).rstrip() for line in lines).rstrip() + "\n"


def markdown(found: Comparison) -> str:
    """For a pull request or a report."""
    ranking = found.ranking
    lines = [f"### {_answer(ranking)}", "", _plain(ranking.why), ""]
    lines += [_markdown_row(_HEADINGS), "|" + "---|" * len(_HEADINGS)]
    lines += [_markdown_row(tuple(_cells(row))) for row in ranking.rows]
    for row in ranking.rows:
        lines += ["", f"**{_plain(row.name)}**", ""]
        lines += [f"- + {_plain(one)}" for one in row.strengths]
        lines += [f"- − {_plain(one)}" for one in row.weaknesses]
    lines += ["", "| better | than | decided by |", "|---|---|---|"]
    lines += [_markdown_row((duel.first, duel.second, duel.reason)) for duel in ranking.duels]
    lines += [
        "",
        *(f"- {_plain(one.strip())}" for one in (*_confidence(ranking), *_rest(found)) if one.strip()),
    ]
    return "\n".join(lines).rstrip() + "\n"


def json(found: Comparison) -> str:
    """For programs; see `schemas/comparison.json`."""
    from gateline.protocol.comparison import ComparisonResult

    told = ComparisonResult.model_validate(found, from_attributes=True)
    return told.model_dump_json(by_alias=True, indent=2) + "\n"


FORMATS: Mapping[str, Callable[[Comparison], str]] = MappingProxyType(
    {"text": text, "markdown": markdown, "json": json}
)


def _answer(ranking: Ranking) -> str:
    if not ranking.winner:
        return "no clear winner"
    return f"take {ranking.winner} (confidence {ranking.confidence.calibrated:.0%})"


def _cells(row: Row) -> Iterator[str]:
    said = {stage.stage: stage for stage in row.stages}
    yield str(row.place)
    yield clipped(row.name, _ROOM)
    if row.blocked:
        yield from ("blocked", *[""] * 3, "0.00")
        return
    visible, regressions, behaviour, tokens = (said.get(name) for name in _STAGES)
    yield visible.told.partition(" tests")[0] if visible and visible.value is not None else "-"
    yield f"{0 - regressions.value:.0f}" if regressions and regressions.value is not None else "-"
    yield behaviour.told if behaviour and behaviour.value is not None else "-"
    yield tokens.told if tokens and tokens.value is not None else "-"
    yield f"{row.score:.2f}"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = (cell + " " * (width - columns(cell)) for cell, width in zip(cells, widths, strict=True))
    return "  " + "  ".join(padded).rstrip()


def _told(row: Row) -> Iterator[str]:
    if row.strengths or row.weaknesses:
        yield f"  {row.name}"
    yield from (f"    + {one}" for one in row.strengths)
    yield from (f"    - {one}" for one in row.weaknesses)


def _decided(ranking: Ranking) -> Iterator[str]:
    """Each with the next; the other pairs are in Markdown and JSON."""
    said = {(duel.first, duel.second): duel for duel in ranking.duels}
    for one, other in pairwise(row.name for row in ranking.rows):
        between = "before" if said[one, other].stage else "beside"
        yield f"  {one} {between} {other}: {said[one, other].reason}"


def _confidence(ranking: Ranking) -> Iterator[str]:
    sure = ranking.confidence
    yield f"  confidence: calibrated {sure.calibrated:.2f}, formula {sure.formula:.2f}"
    yield f"  isolation: {ranking.isolation}"
    word = "would be" if ranking.acceptance.accepted else "is not"
    yield f"  {word} accepted without a person: {'; '.join(ranking.acceptance.reasons)}"
    yield from (f"  would decide: {one}" for one in ranking.deciding)


def _rest(found: Comparison) -> Iterator[str]:
    yield from (f"  {note}" for note in found.notes)
    yield from _assessed(found)
    yield from _bases(found)
    for one in found.exchanged:
        lost = f", not {_several(one.failed)}" if one.failed else ""
        total = len(one.passed) + len(one.failed)
        yield f"  new tests of {one.author} on {one.candidate}: {len(one.passed)} of {total} pass{lost}"
    if found.difference is not None:
        told = ", ".join(f"{name} {answer}" for name, answer in found.difference.answers.items())
        yield f"  they differ on {found.difference.call}: {told}"
        yield f"  as a test of what {next(iter(found.difference.answers))} answers:"
        yield from (f"    {line}" for line in found.difference.test.splitlines())
    if found.ranking.winner:
        winner = next(one for one in found.given if one.name == found.ranking.winner)
        if winner.kind in ("commit", "stash entry"):
            yield f"  see it: git diff {found.base[:12]} {winner.name}"


def _assessed(found: Comparison) -> Iterator[str]:
    """What a model said, a line for each candidate."""
    for one in found.assessments:
        said = ", ".join(
            f"{row.criterion} {row.score:.2f}" for row in one.answer.judgements if row.confidence > 0
        )
        if said:
            yield f"  {one.name}, as {one.answer.model} has it: {said}"


def _bases(found: Comparison) -> Iterator[str]:
    """What is not a candidate's own, though it differs from the base."""
    shared = found.shared
    if shared.commit:
        yield f"  all have {_commits(shared.count)} after the base {found.base[:12]}, to {shared.commit[:12]}"
    after = "what all have" if shared.commit else "the base"
    for one in found.given:
        if one.start:
            yield (
                f"  {one.name} is based on {one.start[:12]}, {_commits(one.ahead)} after {after}:"
                " these were measured with it"
            )


def _commits(count: int) -> str:
    return f"{count} commit{'' if count == 1 else 's'}"


def _several(tests: Sequence[str]) -> str:
    more = f" and {len(tests) - _NAMED} more" if len(tests) > _NAMED else ""
    return ", ".join(tests[:_NAMED]) + more


def _markdown_row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(_plain(cell).replace("|", "\\|") for cell in cells) + " |"


def _plain(said: str) -> str:
    from gateline.cli.output.markdown import _ACTIVE

    return _ACTIVE.sub(r"\\\1", harmless(said))
