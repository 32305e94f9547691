"""A check of a content, written or not: how old its answer is, is told. In camelCase."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from gateline.protocol.evaluation import EvaluationResult
from gateline.protocol.types import Wire

_URI = "Any URI in the folder, or null for the first folder."


class ProposedText(Wire):
    """The whole text that a file would have."""

    path: str = Field(min_length=1, description="Relative to the root, with `/`.")
    text: str | None = Field(description="Null deletes the file.")


class CheckParams(Wire):
    """What to judge: what is there, or texts that are not written yet."""

    uri: str | None = Field(None, description=_URI)
    level: Literal["early", "middle", "final"] | None = Field(
        None, description="The checkpoint; null infers it. At early nothing is waited for that runs long."
    )
    paths: tuple[str, ...] = Field((), description="Only what changed in these files or folders.")
    texts: tuple[ProposedText, ...] = Field((), description="Whole texts that are not written yet.")
    patch: str = Field("", description="A unified diff against what there is; laid over `texts`.")
    patience: int = Field(
        2000, ge=0, le=600_000, description="Milliseconds to wait; then it goes on, and `handle` names it."
    )
    asker: str = Field(
        "", max_length=200, description="Who asks: `added` is then what it was not told before."
    )
    thorough: bool = Field(
        False, description="Judge at early, too, with an ordinary run of the type checker, and record it."
    )
    known: bool = Field(False, description="Only what is known: the newest verdict; nothing is started.")
    handle: str | None = Field(None, description="An earlier check to wait for; the rest is not looked at.")

    @model_validator(mode="after")
    def _handle_alone(self) -> Self:
        if self.handle is not None and (self.texts or self.patch or self.paths or self.level):
            raise ValueError("handle excludes level, paths, texts and patch")
        if self.thorough and (self.texts or self.patch or self.paths):
            raise ValueError("thorough excludes paths, texts and patch: the whole change is recorded")
        return self


class ContentResult(Wire):
    """What a file held when it was judged."""

    path: str = Field(description="Relative to the root, with `/`.")
    hash: str = Field(
        description="32 hexadecimal digits of BLAKE2b of its text; why there is none; empty when it is gone."
    )


class CheckResult(Wire):
    """What can be said within the time."""

    evaluation: EvaluationResult | None = Field(description="Null while it is judged for the first time.")
    content_hash: str = Field(description="Names all that was judged; empty without an evaluation.")
    contents: tuple[ContentResult, ...] = Field(description="The files that differ from the base, as judged.")
    fresh: bool = Field(
        description="Whether that is what there is now, on disk and in open documents, with what is proposed."
    )
    running: tuple[str, ...] = Field(description="What is under way; empty when the answer is whole.")
    handle: str = Field(description="Names this check; with it the answer can be asked for later.")
    added: tuple[str, ...] = Field(
        (),
        description="Identities of new findings: those that proposed texts bring, else those that the asker "
        "was not told before.",
    )
    met: bool = Field(False, description="Whether the asker was answered before, and is still remembered.")


class HandedParams(Wire):
    """What a model or an agent was handed."""

    uri: str | None = Field(None, description=_URI)
    tokens: int = Field(ge=0, description="About how many; four characters are one.")
    operation: str = Field(min_length=1, max_length=40, description="What for, as `gate_check`.")
    milliseconds: float | None = Field(None, ge=0, description="What making it took; null: nobody knows.")
    paths: tuple[str, ...] = Field((), max_length=50, description="The files that it shows.")
    degraded: bool = Field(False, description="Whether something took no part that should have.")


class HandedResult(Wire):
    """How that stands to the bound of the task in progress."""

    warning: str = Field(description="That the bound is near or passed; empty while it is far.")


class TakeParams(Wire):
    """A savepoint of now."""

    uri: str | None = Field(None, description=_URI)
    label: str = Field("asked for", min_length=1, max_length=200, description="Why it is taken.")


class PreviewParams(Wire):
    """What restoring would do."""

    uri: str | None = Field(None, description=_URI)
    savepoint: str = Field("", description="Which, or how its identifier begins; empty is the last good one.")
    paths: tuple[str, ...] = Field((), description="Only these files or folders, from the repository's top.")
