"""From tables, as TOML spells them, to the model."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from gateline.settings.model import Settings
from gateline.settings.table import Table


def settings_from(table: Table) -> Settings:
    """The settings that `table` spells. Raises pydantic's `ValidationError`."""
    return Settings.model_validate(table, by_alias=True, by_name=False)


def errors_in(table: Table) -> list[ErrorDetails]:
    """What is wrong with `table`; empty when it is valid."""
    try:
        settings_from(table)
    except ValidationError as error:
        return _causes(error.errors(include_url=False))
    return []


def _causes(errors: list[ErrorDetails]) -> list[ErrorDetails]:
    """Without those about a list that is wrong only because of what is in it."""
    places = [error["loc"] for error in errors]
    return [
        error
        for error in errors
        if not any(len(p) > len(error["loc"]) and p[: len(error["loc"])] == error["loc"] for p in places)
    ]
