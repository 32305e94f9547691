"""A comparison in sentences for people, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gateline.ranking.values import Ranking, Row
from gateline.session.compare.comparing import Comparison

HEADINGS = ("place", "candidate", "visible", "regressions", "behaviour", "tokens", "score")
_STAGES = ("visible tests", "regressions", "behavioural agreement", "token agreement")
_NAMED = 3
"""Tests that are named where several fail."""
_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|~@!&])")
"""What Markdown, or the site around it, would act on: a candidate's text must not hide anything."""
_FENCES = re.compile("`{3,}")


def markdown(found: Comparison) -> str:
    """For a pull request or a report."""
    ranking = found.ranking
    lines = [f"### {_plain(headline(ranking))}", "", _plain(ranking.why), ""]
    lines += [_markdown_row(HEADINGS), "|" + "---|" * len(HEADINGS)]
    lines += [_markdown_row(tuple(cells(row))) for row in ranking.rows]
    for row in ranking.rows:
        lines += ["", f"**{_plain(row.name)}**", ""]
        lines += [f"- + {_plain(one)}" for one in row.strengths]
        lines += [f"- − {_plain(one)}" for one in row.weaknesses]
    lines += ["", "| better | than | decided by |", "|---|---|---|"]
    lines += [_markdown_row((duel.first, duel.second, duel.reason)) for duel in ranking.duels]
    lines += ["", *(f"- {_plain(one)}" for one in (*confidence(ranking), *seen(found), *remarks(found)))]
    if found.difference is not None:
        fence = "`" * max([3, *(len(run) + 1 for run in _FENCES.findall(found.difference.test))])
        lines += ["", f"{fence}python", *map(_visible, found.difference.test.splitlines()), fence]
    return "\n".join(lines).rstrip() + "\n"


def headline(ranking: Ranking) -> str:
    """The answer in one line."""
    if not ranking.winner:
        return "no clear winner"
    return f"take {ranking.winner} (confidence {ranking.confidence.calibrated:.0%})"


def cells(row: Row) -> Iterator[str]:
    """What stands under `HEADINGS` for a candidate."""
    said = {stage.stage: stage for stage in row.stages}
    yield str(row.place)
    yield row.name
    if row.blocked:
        yield from ("blocked", *[""] * 3, "0.00")
        return
    visible, regressions, behaviour, tokens = (said.get(name) for name in _STAGES)
    yield visible.told.partition(" tests")[0] if visible and visible.value is not None else "-"
    yield f"{0 - regressions.value:.0f}" if regressions and regressions.value is not None else "-"
    yield behaviour.told if behaviour and behaviour.value is not None else "-"
    yield tokens.told if tokens and tokens.value is not None else "-"
    yield f"{row.score:.2f}"


def confidence(ranking: Ranking) -> Iterator[str]:
    """How sure the answer is, and what it would take."""
    sure = ranking.confidence
    yield f"confidence: calibrated {sure.calibrated:.2f}, formula {sure.formula:.2f}"
    yield f"isolation: {ranking.isolation}"
    word = "would be" if ranking.acceptance.accepted else "is not"
    yield f"{word} accepted without a person: {'; '.join(ranking.acceptance.reasons)}"
    yield from (f"would decide: {one}" for one in ranking.deciding)


def remarks(found: Comparison) -> Iterator[str]:
    """The task, notes, models, bases, tests on others, and last the input that tells two apart."""
    if found.task is not None:
        plan = f"; its plan names {_several(found.task.planned)}" if found.task.planned else ""
        yield f"of the task {found.task.id}: {found.task.goal}{plan}"
    yield from found.notes
    yield from _assessed(found)
    yield from _bases(found)
    for one in found.exchanged:
        lost = f", not {_several(one.failed)}" if one.failed else ""
        total = len(one.passed) + len(one.failed)
        yield f"new tests of {one.author} on {one.candidate}: {len(one.passed)} of {total} pass{lost}"
    if found.difference is not None:
        told = ", ".join(f"{name} {answer}" for name, answer in found.difference.answers.items())
        yield f"they differ on {found.difference.call}: {told}"
        yield f"as a test of what {next(iter(found.difference.answers))} answers:"


def seen(found: Comparison) -> Iterator[str]:
    """How a person sees what the winner changed."""
    if found.ranking.winner:
        winner = next(one for one in found.given if one.name == found.ranking.winner)
        if winner.kind in ("commit", "stash entry"):
            yield f"see it: git diff {found.base[:12]} {winner.name}"


def _assessed(found: Comparison) -> Iterator[str]:
    """What a model said, a line for each candidate."""
    for one in found.assessments:
        said = ", ".join(
            f"{row.criterion} {row.score:.2f}" for row in one.answer.judgements if row.confidence > 0
        )
        if said:
            yield f"{one.name}, as {one.answer.model} has it: {said}"


def _bases(found: Comparison) -> Iterator[str]:
    """What is not a candidate's own, though it differs from the base."""
    shared = found.shared
    if shared.commit:
        yield f"all have {_commits(shared.count)} after the base {found.base[:12]}, to {shared.commit[:12]}"
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
    return "| " + " | ".join(map(_plain, cells)) + " |"


def _plain(said: str) -> str:
    return _ACTIVE.sub(r"\\\1", _visible(" ".join(said.split())))


def _visible(line: str) -> str:
    """A line with a mark for each character that is not shown, or shows others in another order."""
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in line)
