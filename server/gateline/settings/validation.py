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
        return error.errors(include_url=False)
    return []
