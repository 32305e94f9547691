"""Refinement loops: in camelCase."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from gateline.protocol.tasks import RestoreResult
from gateline.protocol.types import Wire

_URI = "Any URI in the folder, or null for the first folder."
_LOOP = "The identifier of the loop."


class StartRefinementParams(Wire):
    """What is to be reached, by whom, and how long it may take."""

    uri: str | None = Field(None, description=_URI)
    goal: str = Field(min_length=1, max_length=4_000, description="As `make the tests pass`.")
    agents: tuple[Annotated[str, Field(min_length=1, max_length=2_000)], ...] = Field(
        ("autodebug",),
        min_length=1,
        max_length=8,
        description="`autodebug`, `review`, a command, or `acp:COMMAND`; the next one takes its turn where "
        "one gets nowhere. With a plan also `NAME=AGENT`, for its steps that say `agent: NAME`.",
    )
    rounds: int = Field(20, ge=1, le=100, description="At most so many.")
    plan: str | None = Field(
        None,
        min_length=1,
        max_length=1_000,
        description="A plan in Markdown, a file of the folder, from there or whole: its steps are followed, "
        "with a gate after each. A file outside of the folder is refused (-32001).",
    )
    seconds: float | None = Field(None, ge=1, description="No round begins after so many.")
    tokens: int | None = Field(None, ge=1, description="No round begins when agents say they used so many.")
    cost: float | None = Field(None, ge=0, description="No round begins when agents say it cost so much.")


class LoopsParams(Wire):
    """Whose loops are meant."""

    uri: str | None = Field(None, description=_URI)


class LoopParams(Wire):
    """Which loop is meant."""

    uri: str | None = Field(None, description=_URI)
    loop: str = Field(min_length=1, max_length=40, description=_LOOP)


class LoopDiffParams(LoopParams):
    """What of a loop is wanted as a diff."""

    round: int = Field(0, ge=0, description="What this round changed; 0: the result beside the start.")


class TakeOverParams(LoopParams):
    """What is taken over."""

    round: int = Field(0, ge=0, description="The content that this round left; 0: the best one.")
    dirty: tuple[str, ...] | None = Field(
        None,
        description="The URIs of all documents that were not saved; null: nobody knows those that the server "
        "is not told of, and only what it knows is written.",
    )


class FailingResult(Wire):
    """A test that fails."""

    test: str = Field(description="pytest's node identifier.")
    error: str = Field("", description="The type of the exception and the first line of its message.")
    place: str = Field("", description="`path:line`, where it was raised.")


class RoundResult(Wire):
    """One round, and what gateline's own check says of it."""

    number: int = Field(description="From 1.")
    agent: str
    strategy: str = ""
    quality: float = Field(description="0-1: the score, as far as tests pass.")
    ema: float = Field(description="The smoothed quality.")
    score: float | None = Field(None, description="0-100; null where nothing was measured.")
    checkpoint: str = Field("", description="early, middle or final; empty: the round is none.")
    decision: str = Field("", description="What the gate says at the checkpoint.")
    trajectory: str = Field("", description="At the middle checkpoint.")
    passed: int = Field(0, description="Tests that pass; all tests of the project run.")
    failing: tuple[FailingResult, ...] = ()
    floors: tuple[str, ...] = Field((), description="Floors that are broken: nothing of it is accepted.")
    integrity: tuple[str, ...] = Field(
        (), description="Why it is gaming the gate: nothing of it is accepted."
    )
    changed: tuple[str, ...] = Field((), description="Files that it changed, from the repository's top.")
    restored: bool = Field(False, description="Whether the next round went back behind it.")
    reasoning: str = Field("", description="What the agent said of it.")
    trouble: str = Field("", description="What went wrong with the agent; empty: nothing.")
    step: str = Field("", description="The step of the plan that it is of; empty without a plan.")
    insufficient: tuple[str, ...] = Field((), description="Why the step's gate does not let it pass.")
    merged_with: tuple[str, ...] = Field((), description="Nobody worked: with these steps it was merged.")
    seconds: float = 0.0
    tokens: int = 0
    cost: float = 0.0


class LoopResult(Wire):
    """A refinement loop."""

    loop: str = Field(description=_LOOP)
    folder: str = Field("", description="The URI of its folder.")
    goal: str
    phase: Literal["running", "pausing", "paused", "ended"]
    step: str = Field("", description="What it does now; empty where nobody runs it.")
    trouble: str = Field("", description="Why it stands still, where nobody wanted that.")
    troubles: tuple[str, ...] = Field(
        (),
        description="What it does without, as lessons that could not be read; it goes on all the same.",
    )
    begun_at: str = Field("", description="UTC, ISO 8601.")
    most: int = Field(description="So many rounds are allowed.")
    failing: int | None = Field(None, description="Tests that failed when it began; null: not known yet.")
    quality: float | None = Field(None, description="Of the content that it began with; null: not known yet.")
    rounds: tuple[RoundResult, ...] = ()
    end: str = Field(
        "", description="accept, early-stop, no-progress, bound, budget, …; empty: it has not ended."
    )
    reason: str = Field("", description="Why it ended.")
    accepted: bool = Field(False, description="Whether the result passed the gate with all tests.")
    best: int = Field(0, description="The round that left the best content; 0: the start.")


class LoopsResult(Wire):
    """The loops of a folder, newest first."""

    loops: tuple[LoopResult, ...] = ()
    troubles: tuple[str, ...] = Field((), description="Why others, which are stored, cannot be read.")


class LoopDiffResult(Wire):
    """A diff."""

    diff: str = Field(description="As `git diff` shows it.")
    files: tuple[str, ...] = Field((), description="From the top of the repository.")


class TakeOverResult(Wire):
    """What became of taking over."""

    loop: LoopResult
    written: RestoreResult = Field(description="As of `gateline.restore`: one edit, which can be undone.")
