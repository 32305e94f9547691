"""Comparing candidate solutions in an editor: in camelCase."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gateline.protocol.comparison import ComparisonResult
from gateline.protocol.tasks import RestoreResult
from gateline.protocol.types import Wire

_URI = "Any URI in the folder, or null for the first folder."
_COMPARISON = "The identifier of a comparison that this server made; it knows the newest eight."

Candidate = Annotated[str, Field(min_length=1, max_length=4_000)]


class CandidatesParams(Wire):
    """Whose candidates are meant."""

    uri: str | None = Field(None, description=_URI)


class CandidateResult(Wire):
    """What could be compared."""

    name: str = Field(description="As `gateline/compare/start` takes it.")
    kind: Literal["branch", "stash entry", "folder"]
    detail: str = Field("", description="The subject of its newest commit, or what the entry says.")
    current: bool = Field(False, description="Whether it is checked out in the folder.")


class CandidatesResult(Wire):
    """Branches, newest first, stash entries, and the other work trees."""

    candidates: tuple[CandidateResult, ...] = ()


class StartComparisonParams(Wire):
    """What is to be compared, and how."""

    uri: str | None = Field(None, description=_URI)
    candidates: tuple[Candidate, ...] = Field(
        min_length=2,
        max_length=16,
        description="Branches, tags, commits, stash entries, folders, patch files or savepoints; relative "
        "paths begin at the folder.",
    )
    base: str | None = Field(
        None, max_length=1_000, description="What all start from; null: the best common ancestor with HEAD."
    )
    strategy: Literal["evidence", "weighted", "agentless"] = Field(
        "evidence", description="How they are ordered."
    )
    task: str | None = Field(
        None,
        max_length=80,
        description="The recorded task that they are solutions of, or how its identifier begins; `none`: no "
        "task; null: that in progress on the branch.",
    )
    assess: str = Field(
        "",
        max_length=4_000,
        description="What was to be done, for a model that assesses them; it makes nobody the winner.",
    )
    model_token: str | None = Field(
        None,
        min_length=1,
        max_length=200,
        description="With `assess`: the model of this editor is asked, by `gateline/model/ask` with this "
        "token, which the client gives after a person agreed; null: the endpoint that the environment names.",
    )
    anew: bool = Field(False, description="Compare again what was compared within the last hour.")
    work_done_token: int | str | None = Field(None, description="Where progress is reported.")

    @model_validator(mode="after")
    def _model_has_task(self) -> Self:
        if self.model_token is not None and not self.assess.strip():
            raise ValueError("modelToken needs assess, which says what was to be done")
        return self


class ComparedResult(Wire):
    """A comparison."""

    comparison: str = Field(description=_COMPARISON)
    folder: str = Field(description="The URI of its folder.")
    result: ComparisonResult = Field(description="As `gateline compare --output json` prints it.")
    markdown: str = Field(description="As `gateline compare --output markdown` prints it.")
    trouble: str = Field("", description="Why it is not in the audit trail; empty: it is.")


class ComparisonParams(Wire):
    """Which comparison is meant."""

    uri: str | None = Field(None, description=_URI)
    comparison: str = Field(min_length=1, max_length=40, description=_COMPARISON)


class CandidateParams(ComparisonParams):
    """Which candidate of a comparison is meant."""

    candidate: str = Field(min_length=1, max_length=4_000, description="Its name, as it was compared.")


class SidesResult(Wire):
    """Both sides of a file."""

    path: str = Field(description="From the top of the repository.")
    before: str | None = Field(description="Null: there is none, or it is no text.")
    after: str | None = Field(description="Null: there is none, or it is no text.")


class CandidateDiffResult(Wire):
    """What a candidate changed."""

    diff: str = Field(description="As `git diff` shows it.")
    files: tuple[SidesResult, ...] = ()


class AcceptCandidateParams(CandidateParams):
    """Which candidate a person chose."""

    dirty: tuple[str, ...] | None = Field(
        None,
        description="The URIs of all documents that were not saved; null: nobody knows those that the server "
        "is not told of, and only what it knows is written.",
    )


class AcceptCandidateResult(Wire):
    """What became of it."""

    written: RestoreResult = Field(description="As of `gateline.restore`: one edit, which can be undone.")
    trouble: str = Field("", description="Why the choice is not in the audit trail; empty: it is.")


class RejectCandidatesResult(Wire):
    """That nobody was chosen is recorded."""

    trouble: str = Field("", description="Why it is not in the audit trail; empty: it is.")
