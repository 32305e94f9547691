"""A search for a repair, as it is asked for and answered: in camelCase."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from gateline.protocol.checks import ProposedText
from gateline.protocol.evaluation import SpanResult
from gateline.protocol.types import Wire


class AutodebugParams(Wire):
    """What to repair: a finding of a document or of a text not written yet, or the error of a traceback."""

    uri: str | None = Field(
        None, description="The document; with a traceback any URI in the folder, or null for the first."
    )
    identity: str | None = Field(
        None,
        description="The finding; null for the first one in the document that a repair may be known for.",
    )
    traceback: str | None = Field(
        None,
        description="What Python, pytest or a checker printed; each of its errors is looked into.",
    )
    texts: tuple[ProposedText, ...] = Field(
        (), description="Whole texts that are not written yet; the finding is one of them."
    )
    patch: str = Field("", description="A unified diff against what there is; laid over `texts`.")
    work_done_token: int | str | None = Field(None, description="Where progress is reported.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if self.texts or self.patch:
            if self.traceback is not None or self.identity is None:
                raise ValueError("texts and patch require identity and exclude traceback")
        elif self.traceback is None and self.uri is None:
            raise ValueError("uri or traceback is needed")
        if self.traceback is not None and self.identity is not None:
            raise ValueError("identity and traceback are mutually exclusive")
        return self


class EditResult(Wire):
    """The characters of a span become a text."""

    path: str = Field(description="Relative to the root, with `/`.")
    span: SpanResult
    text: str


class RepairedText(Wire):
    """A whole text after the repair."""

    path: str = Field(description="Relative to the root, with `/`.")
    digest: str = Field(description="Of the text that the edits are for: 32 hexadecimal digits of BLAKE2b.")
    version: int | None = Field(None, description="Of the open document that the edits are for.")
    text: str


class AttemptResult(Wire):
    """A repair that was considered."""

    iteration: int = Field(description="From 1.")
    family: str
    pattern: str
    title: str
    outcome: str = Field(description="refused (it breaks a house rule), failed, partial or verified.")
    reason: str = ""
    diff: str = Field("", description="A unified difference.")


class AutodebugResult(Wire):
    """What the search came to. Nothing is applied."""

    success: bool
    error: str = Field(description="The message of the error that was looked into.")
    proof: str | None = Field(None, description="V1, V2 or V3; null without success.")
    clear: bool = Field(False, description="Whether no other repair was as likely.")
    title: str = ""
    edits: tuple[EditResult, ...] = Field((), description="The repair, against the texts as they are.")
    texts: tuple[RepairedText, ...] = ()
    iterations: int = 0
    attempts: tuple[AttemptResult, ...] = ()
    reasoning: tuple[str, ...] = Field((), description="What was tried and why, a sentence for each step.")
    document: str = Field("", description="Without success: what a person should know, in Markdown.")
    notes: tuple[str, ...] = Field((), description="What the search left out of account.")


class FixParams(Wire):
    """Which files are to be repaired, as they are on the disk."""

    uri: str | None = Field(None, description="Any URI in the folder; null for the first.")
    paths: tuple[str, ...] = Field(
        (), description="Files or folders, relative to the root; none: the files of the change."
    )
    clear: bool = Field(False, description="Only repairs that are clear winners are made.")
    all: bool = Field(False, description="Findings of the type checker that the base has as well, too.")


class FixedText(Wire):
    """A file that is repaired; nothing is written."""

    path: str = Field(description="Relative to the root, with `/`.")
    before: str
    after: str


class FixedProblem(Wire):
    """An error, and what became of it."""

    outcome: str = Field(
        description="repaired; unclear: a repair was verified, and is no clear winner; or not repaired."
    )
    path: str = Field(description="Relative to the root, with `/`.")
    line: int = Field(description="Zero-based.")
    message: str
    proof: str | None = Field(None, description="V1, V2 or V3; null without a repair.")
    clear: bool = Field(False, description="Whether no other repair was as likely.")
    title: str = Field("", description="What the repair does.")
    next_step: str = Field("", description="What is left to a person after the repair.")
    reason: str = Field("", description="Why nothing was tried; empty where something was.")
    summary: tuple[str, ...] = Field((), description="What was tried in vain, in at most ten lines.")
    document: str = Field("", description="Everything that was tried in vain, in Markdown.")


class FixAnswer(Wire):
    """What became of each error, and the repaired texts."""

    texts: tuple[FixedText, ...] = ()
    problems: tuple[FixedProblem, ...] = Field((), description="Repaired ones first, in the order of repair.")
    old: int = Field(0, description="Findings of the type checker that were left because the base has them.")
    notes: tuple[str, ...] = Field((), description="What stood in the way, a sentence each.")
