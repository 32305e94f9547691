"""Lessons: in camelCase."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from gateline.protocol.types import Wire

_URI = "Any URI in the folder, or null for the first folder."


class AnchorWire(Wire):
    """What a lesson is about; empty where it is about nothing in particular."""

    file: Annotated[str, Field(max_length=1_000, description="Relative to the folder.")] = ""
    symbol: Annotated[str, Field(max_length=500, description="A function or class, as `Cart.total`.")] = ""
    rule: Annotated[str, Field(max_length=100, description="A code, as `GTL301` or `arg-type`.")] = ""


class LessonResult(Wire):
    """What was learned."""

    id: str
    version: int
    text: str
    tags: tuple[str, ...] = ()
    anchor: AnchorWire
    source: str = Field(description="person, agent, eval, regression, waiver or fix.")
    created_at: str = Field(description="UTC, ISO 8601.")
    updated_at: str = Field(description="UTC, ISO 8601.")
    uses: int = Field(0, description="How often it was handed out.")
    helped: int = Field(0, description="How often somebody said that it helped.")
    stale: str = Field("", description="What of its anchor is gone; empty while all is there.")
    why: tuple[str, ...] = Field((), description="Why it answers a question.")


class RememberParams(Wire):
    """A lesson to store."""

    uri: str | None = Field(None, description=_URI)
    text: str = Field(min_length=1, max_length=20_000, description="What was learned, in a few sentences.")
    tags: tuple[str, ...] = Field((), max_length=20, description="Words to find it by.")
    anchor: AnchorWire = Field(AnchorWire(), description="What it is about.")
    by: Literal["person", "agent"] = Field("person", description="Who says so.")


class RememberResult(Wire):
    """What became of it."""

    outcome: Literal["noop", "update", "create"]
    reason: str
    lesson: LessonResult
    superseded: str = Field("", description="The text whose place it took, which is kept; empty for none.")


class RecallParams(Wire):
    """What lessons are wanted for."""

    uri: str | None = Field(None, description=_URI)
    query: str = Field("", max_length=20_000, description="Words, or code; empty for a place alone.")
    anchor: AnchorWire = Field(AnchorWire(), description="The place that they are wanted for.")
    most: int = Field(5, ge=1, le=50, description="Most lessons.")
    budget: int = Field(500, ge=20, le=20_000, description="Tokens, about.")
    counted: bool = Field(False, description="Whether an agent is handed this: it is counted in the task.")


class RecallResult(Wire):
    """The lessons, best first."""

    lessons: tuple[LessonResult, ...] = ()
    left_out: int = Field(0, description="Lessons that would have answered and did not fit.")
    stale: int = Field(0, description="Lessons whose file or symbol is gone.")
    tokens: int = 0
    warning: str = Field("", description="A token bound that comes near, or was passed.")


class RemindParams(Wire):
    """A prompt of a person to an agent."""

    uri: str | None = Field(None, description=_URI)
    prompt: str = Field("", max_length=200_000, description="What was asked; the files that it names count.")
    asker: str = Field("", max_length=200, description="The conversation: it is told each lesson once.")


class RemindResult(Wire):
    """What is told before it."""

    lessons: tuple[str, ...] = Field((), description="One sentence for each, most important first.")


class LessonsParams(Wire):
    """Whose lessons."""

    uri: str | None = Field(None, description=_URI)


class LessonsResult(Wire):
    """Lessons."""

    lessons: tuple[LessonResult, ...] = ()


class LessonParams(Wire):
    """Which lesson."""

    uri: str | None = Field(None, description=_URI)
    id: str = Field(min_length=1, max_length=80, description="Its identifier, or how it begins.")


class NamedLessonsParams(Wire):
    """Which lessons."""

    uri: str | None = Field(None, description=_URI)
    ids: tuple[str, ...] = Field(min_length=1, max_length=100, description="Identifiers, or how they begin.")


class VersionResult(Wire):
    """What a lesson said from some time on."""

    version: int
    timestamp: str = Field(description="UTC, ISO 8601.")
    text: str
    source: str
    reason: str = Field("", description="Why it took the place of the one before it.")


class HistoryOfLessonResult(Wire):
    """A lesson with its versions, oldest first."""

    lesson: LessonResult
    versions: tuple[VersionResult, ...]
