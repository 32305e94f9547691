"""Makes the JSON Schema and the page of the settings from their model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gateline.settings.model import Settings
from gateline_dev.docstrings import Described

SCHEMA = "schemas/settings.json"
PAGE = "docs/settings.md"

_HEAD = """\
# Settings

<!-- Generated from server/gateline/settings/model.py by `make generate`; edit the model instead. -->

Settings are read from `[tool.gateline]` in `pyproject.toml`, or, with the same keys and without that prefix,
from `gateline.toml`. Only the nearest file with settings of gateline is read; within a folder,
`gateline.toml` takes precedence.

Later sources override earlier ones:

1. the defaults below
2. the settings file
3. the environment: `GATELINE_TYPES__ENGINE=both` is `types.engine`, with `__` for the dot, `_` for the hyphen
4. the command line

`gateline config show --origin` shows the source of each value. An error affects only its own key: it is
reported at its place with the nearest valid key, and the value of an earlier source stays in force.

A change is judged by the settings of its base: `gates`, `profile`, `exclude`, `overrides`,
`max-file-size`, the selected checks, and `base` itself have the base's values, whatever the change writes
(GTL635 shows such an edit). How and where tools run follows the present settings. The environment and the
command line always apply; without git, and before the first commit, the present settings judge.

```toml
[tool.gateline]
exclude = ["build/", "*_pb2.py"]

[tool.gateline.types]
engine = "both"

[[tool.gateline.overrides]]
paths = ["tests/**"]
ignore = ["GTL5"]
```
"""


def render() -> dict[str, str]:
    """The generated texts by their paths in the repository."""
    return {SCHEMA: json.dumps(schema(), indent=2, ensure_ascii=False) + "\n", PAGE: page()}


def schema() -> dict[str, Any]:
    """The JSON Schema of the settings, with nothing that draft 7 lacks and without references."""
    raw = Settings.model_json_schema(by_alias=True, schema_generator=Described)
    plain: dict[str, Any] = _plain(raw, raw.pop("$defs", {}))
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "gateline",
        **plain,
    }


def _plain(node: Any, definitions: Mapping[str, Any]) -> Any:
    """`node` with its references put in, and without the titles that pydantic invents."""
    if isinstance(node, list):
        return [_plain(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = definitions[node["$ref"].rpartition("/")[2]]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    node = _without_null(node)
    return {
        key: {name: _plain(value, definitions) for name, value in node[key].items()}
        if key == "properties"
        else _plain(value, definitions)
        for key, value in node.items()
        if key != "title"
    }


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    """TOML has no null: a key that may be null is one that may be missing."""
    choices = [choice for choice in node.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) != 1:
        return node
    return {**choices[0], **{k: v for k, v in node.items() if k not in ("anyOf", "default")}}


def page() -> str:
    """The settings as a page for people."""
    return _HEAD + "".join(_sections(schema(), ()))


def _sections(table: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[str]:
    """A table and then the tables inside it."""
    rows = {k: v for k, v in table["properties"].items() if not _is_table(v)}
    tables = {k: v for k, v in table["properties"].items() if _is_table(v)}
    title = ".".join(above)
    yield f"\n## {f'`{title}`' if title else 'Top level'}\n\n"
    if above:
        yield f"{table['description']}\n\n"
    yield "| key | values | default | meaning |\n|---|---|---|---|\n"
    for name, row in rows.items():
        default = _default(row, name in table.get("required", ()))
        meaning = " ".join(row.get("description", "").split())
        yield f"| `{name}` | {_values(row)} | {default} | {meaning} |\n"
    for name, inner in tables.items():
        yield from _sections(inner.get("items", inner), (*above, name))


def _is_table(node: Mapping[str, Any]) -> bool:
    return "properties" in node or "properties" in node.get("items", {})


def _values(row: Mapping[str, Any]) -> str:
    if "enum" in row:
        return ", ".join(f"`{value}`" for value in row["enum"])
    if row["type"] == "array":
        return "list of texts"
    words = {"string": "text", "boolean": "`true`, `false`", "integer": "whole number", "number": "number"}
    return words[row["type"]] + _limits(row)


def _limits(row: Mapping[str, Any]) -> str:
    low, high, above = row.get("minimum"), row.get("maximum"), row.get("exclusiveMinimum")
    if low is not None and high is not None:
        return f", {low:g} to {high:g}"
    if low is not None:
        return f", at least {low:g}"
    return f", above {above:g}" if above is not None else ""


def _default(row: Mapping[str, Any], required: bool) -> str:
    if required:
        return "required"
    return f"`{json.dumps(row['default'], ensure_ascii=False)}`" if "default" in row else "none"


def write(root: Path) -> None:
    """Writes the generated texts into the repository at `root`."""
    for path, text in render().items():
        (root / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).parents[2])
