"""The keys of the settings, as TOML spells them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from gateline.settings.model import Settings
from gateline.settings.places import Key

# Below this likeness (0-100) a suggestion misleads more often than it helps.
_LIKENESS = 60


def leaves(model: type[BaseModel] = Settings, above: tuple[str, ...] = ()) -> Iterator[tuple[Key, FieldInfo]]:
    """Every key that holds a value rather than a table, in the order of the model."""
    for name, field in keys_of(model).items():
        table = _table(field)
        if table is not None and not _is_list(field):
            yield from leaves(table, (*above, name))
        else:
            yield (*above, name), field


def keys_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The keys of one table."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def nearest_key(key: Key) -> str:
    """The valid key that `key`, which is unknown, most likely means; "" when nothing is like it."""
    written = str(key[-1])
    siblings = list(keys_of(_model_at(key[:-1])))
    elsewhere = [dotted(leaf) for leaf, _ in leaves() if leaf[-1] == written]
    return nearest(written, siblings) or (elsewhere[0] if elsewhere else "")


def nearest(written: str, valid: list[str]) -> str:
    """The one of `valid` that is most like `written`; "" when none is."""
    # Late: only a mistake needs it.
    from rapidfuzz import fuzz, process

    found = process.extractOne(written, valid, scorer=fuzz.ratio, score_cutoff=_LIKENESS)
    return found[0] if found else ""


def nearest_value(written: str, expected: str) -> str:
    """The same for a value; `expected` names the valid ones in quotation marks."""
    return nearest(written, re.findall(r"'([^']*)'", expected))


def dotted(key: Key) -> str:
    """The key as people write it: `types.engine`, `overrides.0.paths`; an empty name is `""`."""
    return ".".join(str(name) or '""' for name in key)


def _model_at(key: Key) -> type[BaseModel]:
    model: type[BaseModel] = Settings
    for name in key:
        if isinstance(name, str) and name in keys_of(model):
            model = _table(keys_of(model)[name]) or model
    return model


def _is_list(field: FieldInfo) -> bool:
    return bool(get_args(field.annotation))


def _table(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a table, or of the items of a list of tables."""
    for candidate in (field.annotation, *get_args(field.annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None
