"""What a table of settings is, and the kinds of values that stand in it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, Literal

from pathspec import GitIgnoreSpec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError


@lru_cache(maxsize=128)
def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    return GitIgnoreSpec.from_lines(patterns)


def _valid_pattern(text: str) -> str:
    try:
        _spec((text,))
    except (ValueError, re.error) as error:
        raise ValueError(f"not a valid .gitignore pattern: {error}") from error
    return text


Share = Annotated[float, Field(ge=0, le=1)]
Points = Annotated[float, Field(ge=0, le=100)]
Count = Annotated[int, Field(ge=0)]
# Lists come out of TOML, tuples go into a frozen model: the one conversion that strictness must allow.
Names = Annotated[tuple[str, ...], Field(strict=False)]
Pattern = Annotated[str, AfterValidator(_valid_pattern)]
Patterns = Annotated[tuple[Pattern, ...], Field(strict=False)]
Prefix = Annotated[str, StringConstraints(pattern=r"^GTL\d{0,3}$")]
INCONSISTENT = "inconsistent"
"""The type of an error about several keys of one table; its context names them as `keys`."""
Grade = Literal["low", "medium", "high"]


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def inconsistent(message: str, *names: str) -> PydanticCustomError:
    """An error about several keys of one table, which `settings.load` then takes back together."""
    return PydanticCustomError(INCONSISTENT, message, {"keys": tuple(map(_kebab, names))})


class Section(BaseModel):
    """A table of settings: closed, frozen, and strict about types."""

    model_config = ConfigDict(
        # A section is seldom made alone: a validator for each would be built at every start for nothing.
        defer_build=True,
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=_kebab,
        validate_by_name=True,
        validate_by_alias=True,
        allow_inf_nan=False,
    )


def matches(patterns: tuple[str, ...], path: str) -> bool:
    """Whether one of the patterns, as in a `.gitignore` file, fits a path."""
    return _spec(patterns).match_file(path)
