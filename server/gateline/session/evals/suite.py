"""Suites as users write them: YAML beside their code, in files whose names end with `.eval.yaml`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from gateline.evals.run import Kind
from gateline.memory.lesson import NOWHERE, Anchor
from gateline.session.errors import UsageError
from gateline.session.workspace.changes import Collector

ENDING = ".eval.yaml"
_NAME = r"^[a-z0-9][a-z0-9_-]*$"
_CHECKS = ("expect", "contains", "matches")


class Case(BaseModel):
    """One case: what goes in, and what is expected."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(min_length=1, max_length=200)]
    input: Annotated[JsonValue, Field(description="What the function is called with: any JSON value.")] = None
    expect: Annotated[JsonValue, Field(description="The answer, as JSON has it.")] = None
    contains: Annotated[str | None, Field(description="A text that the answer contains.")] = None
    matches: Annotated[str | None, Field(description="A regular expression found in the answer.")] = None

    @model_validator(mode="after")
    def _one_check(self) -> Self:
        if not self.model_fields_set & set(_CHECKS):
            raise ValueError(f"case {self.name!r} expects nothing: give one of {', '.join(_CHECKS)}")
        if self.matches is not None:
            try:
                re.compile(self.matches)
            except re.error as error:
                raise ValueError(f"case {self.name!r}: matches is no regular expression: {error}") from None
        return self


class Suite(BaseModel):
    """A suite of cases of one function."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    suite: Annotated[str, Field(pattern=_NAME, description="Its name: small letters, digits, - and _.")]
    call: Annotated[
        str,
        Field(
            pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*$",
            description="The function, as `package.module:function`: it is given the input.",
        ),
    ]
    kind: Annotated[Kind, Field(description="exact (target 95 %), operation (80 %) or judge (70 %).")] = (
        Kind.EXACT
    )
    cases: Annotated[tuple[Case, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [case.name for case in self.cases]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"cases have the same name: {', '.join(twice)}")
        return self


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
