"""From texts to settings. Sources, later wins: defaults, a file, the environment, the command line.

A mistake costs only its own key: it becomes a problem, and what a lower source says about that key stays.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import ErrorDetails

from gateline.settings.keys import dotted, leaves, nearest_key, nearest_value
from gateline.settings.layer import (
    FILE_NAMES,
    Layer,
    SettingsFile,
    command_line_layer,
    environment_layer,
    file_layer,
)
from gateline.settings.model import Settings
from gateline.settings.places import Key
from gateline.settings.problem import SettingsProblem
from gateline.settings.section import INCONSISTENT
from gateline.settings.table import Table, at, known_part, merged, without
from gateline.settings.validation import errors_in, settings_from

__all__ = ["FILE_NAMES", "Loaded", "SettingsFile", "load"]

DEFAULT = "default"
_UNKNOWN = "extra_forbidden"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force, where each comes from, and what was wrong."""

    settings: Settings
    origins: Mapping[str, str]
    """For every key, with dots: `pyproject.toml:12`, `GATELINE_BASE in the environment`, `command line` or
    `default`."""
    problems: tuple[SettingsProblem, ...] = ()
    file: str = ""
    """The file that was read; "" when none speaks of gateline."""

    @property
    def unreadable(self) -> bool:
        """Whether a whole file was lost: the last good settings should stay in force."""
        return any(problem.unreadable for problem in self.problems)

    @property
    def limits(self) -> tuple[str, ...]:
        """What was wrong, as limits of a verdict by these settings."""
        return tuple(": ".join(filter(None, ("settings", p.origin, p.text))) for p in self.problems)


def load(
    files: Sequence[SettingsFile],
    environment: Mapping[str, str] | None = None,
    command_line: Mapping[str, object] | None = None,
) -> Loaded:
    """The settings from the first of `files` (nearest first) that speaks of gateline, and from the rest.

    `environment` may hold anything; only `GATELINE_*` is looked at. `command_line` is by dotted key.
    """
    problems: list[SettingsProblem] = []
    layers = [
        *_nearest(files, problems),
        environment_layer(environment or {}),
        command_line_layer(command_line or {}),
    ]
    table: Table = {}
    kept: list[Layer] = []
    for layer in layers:
        valid, wrong = _validated(table, layer)
        table = merged(table, valid.table)
        kept.append(valid)
        problems.extend(wrong)
    file = next((layer.path for layer in layers if layer.path), "")
    return Loaded(settings_from(table), _origins(kept), tuple(problems), file)


def _nearest(files: Sequence[SettingsFile], problems: list[SettingsProblem]) -> Iterator[Layer]:
    """The layer of the file that decides. A broken file decides too: no other one takes its place."""
    for file in files:
        layer = file_layer(file)
        if isinstance(layer, SettingsProblem):
            problems.append(layer)
            return
        if layer is not None:
            yield layer
            return


def _origins(layers: Sequence[Layer]) -> dict[str, str]:
    origins = {dotted(key): DEFAULT for key, _ in leaves()}
    for layer in layers:
        said = (key for key, _ in leaves() if known_part(layer.table, key) == key)
        origins.update({dotted(key): layer.origin(key) for key in said})
    return origins


def _validated(below: Table, layer: Layer) -> tuple[Layer, list[SettingsProblem]]:
    """The part of `layer` that is valid on top of `below`, and what is wrong with the rest."""
    problems: list[SettingsProblem] = []
    table = layer.table
    while errors := errors_in(merged(below, table)):
        problems.extend(_problem(layer, table, error) for error in errors)
        wrong = {key for error in errors for key in _wrong_keys(table, error)}
        # From the end, so that the indexes of a list's earlier items stay true.
        for key in sorted(wrong, reverse=True):
            table = without(table, key)
    return replace(layer, table=table), sorted(problems, key=lambda p: (p.line, p.column, p.key))


def _wrong_keys(table: Table, error: ErrorDetails) -> Sequence[Key]:
    """What to take out of `table` so that this error goes away; never nothing."""
    place = error["loc"]
    if error["type"] == INCONSISTENT:
        together = [(*place, name) for name in error["ctx"]["keys"]]
        return [key for key in together if known_part(table, key) == key] or [()]
    if place[0] == "overrides" and len(place) > 2 and error["type"] != _UNKNOWN:
        return [place[:2]]
    return [known_part(table, place)]


def _problem(layer: Layer, table: Table, error: ErrorDetails) -> SettingsProblem:
    key = _wrong_keys(table, error)[0] if error["type"] == INCONSISTENT else error["loc"]
    known = known_part(table, key)
    place = layer.position(known)
    value = at(table, known) if known == key else None
    shown = "" if _may_be_secret(key) else _shown(value)
    return SettingsProblem(
        path=layer.path,
        line=place.line,
        column=place.column,
        key=dotted(key),
        value=shown,
        message=_message(key, error, shown),
        suggestion=_suggestion(key, value, error),
        origin=layer.origin(known),
    )


def _message(key: Key, error: ErrorDetails, value: str) -> str:
    match error["type"]:
        case "extra_forbidden":
            lost = "" if nearest_key(key) else "; `gateline config show` lists all"
            return f"unknown key `{dotted(key)}`{lost}"
        case "missing":
            return f"`{dotted(key)}` is missing"
        case "value_error" | "inconsistent":
            return f"`{dotted(key)}`: {error['msg'].removeprefix('Value error, ')}"
        case "model_type":
            return f"`{dotted(key)}` must be a table"
        case _:
            text = (
                error["msg"]
                .replace("Input should", "should")
                .replace("Tuple", "list")
                .replace("tuple", "list")
            )
            said = f", not {value}" if value else ""
            return f"`{dotted(key)}` {text[:1].lower()}{text[1:]}{said}"


def _suggestion(key: Key, value: Any, error: ErrorDetails) -> str:
    if error["type"] == _UNKNOWN:
        return nearest_key(key)
    if error["type"] == "literal_error":
        return nearest_value(str(value), error["ctx"]["expected"])
    return ""


def _may_be_secret(key: Key) -> bool:
    """Whether the key of a model's endpoint may stand there: problems are printed and recorded."""
    return bool(key) and str(key[0]).startswith("models")


def _shown(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)
