"""Params and results of gateline's own methods, as they go over the wire: in camelCase."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """The base of everything that is sent: frozen, in camelCase, without keys nobody declared.

    What the server sends has every key: its schemas require them all, so that clients need not ask.
    """

    model_config = ConfigDict(
        # Most are first needed long after the start, or never.
        defer_build=True,
        alias_generator=to_camel,
        populate_by_name=True,
        frozen=True,
        extra="forbid",
        json_schema_serialization_defaults_required=True,
    )


class ClientSettings(Wire):
    """What a client says of a folder. It changes when and how things show, never a verdict."""

    interpreter: str | tuple[str, ...] | None = Field(
        None, description="The Python of the project: a path, or a list that starts with one."
    )
    trusted: bool = Field(
        False,
        description="Whether the person may be asked to let tests and mypy plug-ins of the project run.",
    )
    diagnostics: Literal["push", "pull"] | None = Field(
        None, description="How findings come to the editor; without it the server chooses by what it can."
    )
    drawn_elsewhere: tuple[str, ...] = Field(
        (), description="Dimensions, tools or codes whose findings another server draws: counted, not drawn."
    )
    asks_for_reasons: bool = Field(
        False,
        description="The client itself asks for the reason of an ignore comment: the server offers none.",
    )


class EvaluateParams(Wire):
    """What to judge, and for which checkpoint."""

    scope: Literal["change", "project", "buffer"] = Field(
        "change", description="change: what differs from the base; project: all files; buffer: one document."
    )
    level: Literal["early", "middle", "final"] | None = Field(
        None, description="The checkpoint; null infers it from what happened last."
    )
    uri: str | None = Field(
        None,
        description="With scope buffer, the document; else any URI in the folder, or null for the first.",
    )
    iteration: int | None = Field(
        None, ge=0, description="So many iterations are done: without a level, it follows from this."
    )
    iterations: int = Field(10, ge=1, description="How many iterations there will be.")
    work_done_token: int | str | None = Field(None, description="Where progress is reported.")

    @model_validator(mode="after")
    def _buffer_has_uri(self) -> Self:
        if self.scope == "buffer" and not self.uri:
            raise ValueError('scope "buffer" needs uri')
        return self


class DoctorParams(Wire):
    """Which folder to look at."""

    uri: str | None = Field(None, description="Any URI in the folder, or null for the first folder.")


class DoctorFact(Wire):
    """One thing that was chosen."""

    name: str
    value: str
    why: str = ""
    health: Literal["ok", "warning", "problem"] = "ok"


class DoctorSection(Wire):
    """Facts that belong together."""

    title: str
    facts: tuple[DoctorFact, ...]


class DoctorResult(Wire):
    """What was chosen in a folder, and why."""

    health: Literal["ok", "warning", "problem"] = Field(description="The worst of all facts.")
    sections: tuple[DoctorSection, ...] = Field(description="Facts that belong together.")
    timings: dict[str, float] = Field(description="Seconds that each step of looking took.")
