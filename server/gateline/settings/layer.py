"""One source of settings: what it says, and where each key of it stands."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePath

from gateline.model.span import Position
from gateline.settings.keys import dotted
from gateline.settings.places import Key, places
from gateline.settings.problem import SettingsProblem
from gateline.settings.table import Table, nested, put
from gateline.settings.validation import errors_in

PREFIX = "GATELINE_"
FILE_NAMES = ("gateline.toml", "pyproject.toml")
"""The files of one folder that may hold settings; the first one that does decides."""
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """The text of a `pyproject.toml` or `gateline.toml`."""

    path: str
    text: str

    @property
    def above(self) -> tuple[str, ...]:
        """The tables around gateline's own."""
        return ("tool", "gateline") if PurePath(self.path).name == "pyproject.toml" else ()


@dataclass(frozen=True, slots=True)
class Layer:
    """The settings of one source. Later layers win over earlier ones."""

    table: Table
    path: str = ""
    positions: Mapping[Key, Position] = field(default_factory=dict)
    names: Mapping[Key, str] = field(default_factory=dict)
    """The origins of keys that are in no file."""

    def position(self, key: Key) -> Position:
        """Where `key`, or the nearest table around it, stands."""
        ends = range(len(key), 0, -1)
        return next(
            (self.positions[key[:end]] for end in ends if key[:end] in self.positions), Position(0, 0)
        )

    def origin(self, key: Key) -> str:
        """Where `key` stands, for people."""
        if self.path:
            return f"{self.path}:{self.position(key).line + 1}"
        ends = range(len(key), 0, -1)
        around = (self.names[key[:end]] for end in ends if key[:end] in self.names)
        inside = (name for said, name in self.names.items() if said[: len(key)] == key)
        return next(chain(around, inside), "")


def file_layer(file: SettingsFile) -> Layer | SettingsProblem | None:
    """What a file says; a problem when it is not TOML; None when it does not speak of gateline."""
    try:
        table: object = tomllib.loads(file.text)
    except (ValueError, RecursionError) as error:
        return _broken(file, str(error))
    for name in file.above:
        table = table.get(name) if isinstance(table, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        return _broken(file, f"`{dotted(file.above)}` must be a table")
    depth = len(file.above)
    found = places(file.text).items()
    positions = {key[depth:]: place for key, place in found if key[:depth] == file.above}
    return Layer(table, file.path, positions)


def environment_layer(environment: Mapping[str, str]) -> Layer:
    """What the variables `GATELINE_*` say: `GATELINE_TYPES__ENGINE` is `types.engine`."""
    table: Table = {}
    names: dict[Key, str] = {}
    for name in sorted(n for n in environment if n.startswith(PREFIX)):
        key = tuple(part.lower().replace("_", "-") for part in name.removeprefix(PREFIX).split("__"))
        put(table, key, value_of(key, environment[name]))
        names[key] = f"{name} in the environment"
    return Layer(table, names=names)


def command_line_layer(values: Mapping[str, object]) -> Layer:
    """What the command line says, by dotted key. Text is read as in the environment."""
    table: Table = {}
    names: dict[Key, str] = {}
    for name, value in values.items():
        key = tuple(name.split("."))
        put(table, key, value_of(key, value) if isinstance(value, str) else value)
        names[key] = "command line"
    return Layer(table, names=names)


def value_of(key: tuple[str, ...], text: str) -> object:
    """The value that `text` means for `key`: TOML, else plain text, else a list with commas."""
    readings: list[object] = [text, [item.strip() for item in text.split(",") if item.strip()]]
    with suppress(ValueError, RecursionError):
        readings.insert(0, tomllib.loads(f"value = {text}")["value"])
    return next((value for value in readings if _fits(key, value)), text)


def _fits(key: tuple[str, ...], value: object) -> bool:
    return not any(error["loc"][: len(key)] == key for error in errors_in(nested(key, value)))


def _broken(file: SettingsFile, message: str) -> SettingsProblem:
    place = _PLACE.search(message)
    line, column = file.text.count("\n"), 0
    if place and place[1]:
        line, column = int(place[1]) - 1, int(place[2]) - 1
    text = f"not TOML: {_PLACE.sub('', message)}" if place else message
    return SettingsProblem(file.path, line, column, "", "", text, origin=f"{file.path}:{line + 1}")
