"""Tests and what they cover, as they are asked for and answered: in camelCase."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gateline.protocol.types import Wire


class RunTestsParams(Wire):
    """Which tests to run, on the texts as they are in the editor."""

    uri: str | None = Field(None, description="Any URI in the folder, or null for the first folder.")
    which: Literal["affected", "all"] = Field(
        "affected", description="affected: what the change can affect and did not run since."
    )
    ids: tuple[str, ...] | None = Field(
        None, description="pytest's node identifiers: exactly these are run, whatever `which` says."
    )
    work_done_token: int | str | None = Field(None, description="Where progress is reported.")


class TestResult(Wire):
    """What became of one test."""

    __test__ = False

    id: str = Field(description="pytest's node identifier.")
    outcome: str = Field(description="passed, failed, error, skipped, xfailed, xpassed, timeout or crashed.")
    seconds: float = Field(description="Of the test itself, without its fixtures.")
    reasons: tuple[str, ...] = Field((), description="Why it was chosen; empty when all were run.")


class RunTestsResult(Wire):
    """What became of the tests that were run for this request."""

    which: str = Field(description="affected or all.")
    total: int = Field(description="How many tests there are.")
    failing: int = Field(description="How many are failing now, also of those that did not need to run.")
    tests: tuple[TestResult, ...] = Field((), description="Those that ran, in the order in which they ended.")
    why: tuple[str, ...] = Field((), description="Why these, the commonest reason first.")
    note: str = Field("", description="Why not all ran, or why nothing could be run.")
    cancelled: bool = Field(False, description="Whether it was ended before all had run.")


class CancelTestsParams(Wire):
    """Whose tests."""

    uri: str | None = Field(None, description="Any URI in the folder, or null for the first folder.")


class CancelTestsResult(Wire):
    """What was done."""

    cancelled: bool = Field(description="Whether tests were being run.")


class CoverageParams(Wire):
    """Which document."""

    uri: str = Field(description="An open document.")


class MissingBranch(Wire):
    """A way on from a line that no test takes."""

    line: int = Field(description="Zero-based.")
    message: str = Field(description="Which way, and why it was not taken.")


class CoverageResult(Wire):
    """The changed lines of a document, as tests execute them. All lines are zero-based."""

    version: int | None = Field(description="Of the document that this speaks of; null when nobody counts.")
    state: str = Field(description="measured, nothing to judge, no data, stale, or failed.")
    reason: str = Field("", description="Why there are no lines, or why some are not known.")
    covered: tuple[int, ...] = Field((), description="First lines of changed statements that tests execute.")
    uncovered: tuple[int, ...] = Field((), description="Those that no test executes.")
    stale: tuple[int, ...] = Field((), description="Those that must be measured again before anybody knows.")
    branches: tuple[MissingBranch, ...] = Field((), description="Missing branches of covered lines.")
