"""Suites as users write them: YAML beside their code, in files whose names end with `.eval.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from gateline.evals.assessing import CRITERIA
from gateline.evals.judging import Bounds
from gateline.evals.run import Kind
from gateline.memory.lesson import NOWHERE, Anchor
from gateline.session.errors import UsageError
from gateline.session.workspace.changes import Collector

ENDING = ".eval.yaml"
_NAME = r"^[a-z0-9][a-z0-9_-]*$"
_CHECKS = ("expect", "contains", "matches")
Share = Annotated[float, Field(ge=0, le=1)]


class Judged(StrEnum):
    """What a model is asked to judge."""

    ANSWERS = "answers"
    """What the suite's function answers, by the criteria of the suite."""
    ASSESSMENTS = "assessments"
    """Changes, as `gateline compare --assess` asks: it is the model that is looked at."""


class Case(BaseModel):
    """One case: what goes in, and what is expected."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(min_length=1, max_length=200)]
    input: Annotated[JsonValue, Field(description="What the function is called with: any JSON value.")] = None
    expect: Annotated[JsonValue, Field(description="The answer, as JSON has it.")] = None
    contains: Annotated[str | None, Field(description="A text that the answer contains.")] = None
    matches: Annotated[str | None, Field(description="A regular expression found in the answer.")] = None
    at_least: Annotated[
        dict[str, Share], Field(description="In a judge suite: a score that is right, or more, by criterion.")
    ] = {}
    at_most: Annotated[
        dict[str, Share], Field(description="In a judge suite: a score that is right, or less, by criterion.")
    ] = {}

    @property
    def bounds(self) -> Bounds:
        """What is known of the right scores."""
        return Bounds(self.at_least, self.at_most)

    @model_validator(mode="after")
    def _pattern(self) -> Self:
        if self.matches is not None:
            try:
                re.compile(self.matches)
            except re.error as error:
                raise ValueError(
                    f"case {self.name!r}: matches is not a valid regular expression: {error}"
                ) from None
        return self


class Suite(BaseModel):
    """A suite of cases of one function, or of what a model says of changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    suite: Annotated[str, Field(pattern=_NAME, description="Its name: small letters, digits, - and _.")]
    call: Annotated[
        str,
        Field(
            pattern=r"^([A-Za-z_][\w.]*:[A-Za-z_][\w.]*)?$",
            description="The function, as `package.module:function`: it is given the input.",
        ),
    ] = ""
    kind: Annotated[Kind, Field(description="exact (target 95 %), operation (80 %) or judge (70 %).")] = (
        Kind.EXACT
    )
    judges: Annotated[
        Judged,
        Field(
            description="In a judge suite: answers of the function; or assessments, as of "
            "`compare --assess`, of inputs with `task` and `change`."
        ),
    ] = Judged.ANSWERS
    criteria: Annotated[
        dict[str, str], Field(description="In a judge suite: what a model scores answers by, by name.")
    ] = {}
    cases: Annotated[tuple[Case, ...], Field(min_length=1)]

    @property
    def asked(self) -> Mapping[str, str]:
        """The criteria by which a model is asked; none, where none is."""
        if self.kind is not Kind.JUDGE:
            return {}
        return CRITERIA if self.judges is Judged.ASSESSMENTS else self.criteria

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        assesses = self.judges is Judged.ASSESSMENTS
        if assesses and self.kind is not Kind.JUDGE:
            raise ValueError("assessments need a suite of kind judge")
        if assesses and (self.call or self.criteria):
            raise ValueError(
                "a suite of assessments must not have call or criteria: it uses those of `gateline compare`"
            )
        if not assesses and not self.call:
            raise ValueError("call is missing: name the function, as package.module:function")
        if self.kind is Kind.JUDGE and not self.asked:
            raise ValueError(
                "a judge suite needs criteria: a table of names, each with the instruction for the model"
            )
        for case in self.cases:
            _refuse(self, case)
        return self

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [case.name for case in self.cases]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"cases have the same name: {', '.join(twice)}")
        return self


def _refuse(suite: Suite, case: Case) -> None:
    """Raise ValueError for a case that does not fit the kind of its suite."""
    given, bounds = case.model_fields_set, case.bounds.criteria
    if unknown := sorted(bounds - suite.asked.keys()):
        raise ValueError(
            f"case {case.name!r} has a bound for {unknown[0]!r}, which is not one of its criteria"
        )
    if suite.judges is Judged.ASSESSMENTS:
        value = case.input
        if not isinstance(value, dict) or not all(isinstance(value.get(k), str) for k in ("task", "change")):
            raise ValueError(f"case {case.name!r} needs an input with the texts task and change")
        if not bounds or given & set(_CHECKS):
            raise ValueError(f"case {case.name!r} is of an assessment: give only at_least or at_most")
    elif suite.kind is not Kind.JUDGE and not given & set(_CHECKS):
        raise ValueError(f"case {case.name!r} has no expectation: give one of {', '.join(_CHECKS)}")


def suites_in(collector: Collector) -> dict[str, Suite]:
    """The suites of a workspace by name. Blocks. Raises UsageError that names the file."""
    found: dict[str, Suite] = {}
    paths: dict[str, str] = {}
    for path in collector.files(lambda path: path.endswith(ENDING)):
        if not (collector.root / path).is_file():
            continue
        suite = read_suite(collector.root / path, path)
        if suite.suite in found:
            raise UsageError(f"{path}: the suite {suite.suite!r} is in {paths[suite.suite]} already")
        found[suite.suite], paths[suite.suite] = suite, path
    return found


def called(suite: Suite, collector: Collector) -> Anchor:
    """The file and the name that a suite calls; nowhere, where no file or several may be it. Blocks."""
    if not suite.call:
        return NOWHERE
    module, _, symbol = suite.call.partition(":")
    stem = module.replace(".", "/")
    tails = (f"{stem}.py", f"{stem}/__init__.py")

    def is_it(path: str) -> bool:
        return any(path == tail or path.endswith(f"/{tail}") for tail in tails)

    paths = list(collector.files(is_it))
    return Anchor(paths[0], symbol) if len(paths) == 1 else NOWHERE


def read_suite(file: Path, name: str) -> Suite:
    """The suite of a file. Raises UsageError."""
    try:
        return Suite.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{name} cannot be read: {error}") from None
    except ValidationError as error:
        told = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'suite'}: {one['msg'].removeprefix('Value error, ')}"
            for one in error.errors()
        )
        raise UsageError(f"{name}: {told}") from None
