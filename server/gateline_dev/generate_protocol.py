"""Writes down the protocol: a JSON Schema for each message, and docs/protocol.md.

Everything comes from `gateline.protocol.methods`. `python -m gateline_dev.generate_protocol` writes
the files; the tests compare them with `render()`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from gateline.protocol.methods import METHODS, Method
from gateline.protocol.types import ClientSettings

Mode = Literal["validation", "serialization"]
"""What is received may leave out what has a default; what is sent has every key."""

_INTRODUCTION = """\
# gateline's own protocol methods

gateline speaks the Language Server Protocol; these methods come on top of it. Names are in camelCase.
Params that do not fit are answered with the error -32602, whose message names the key and the value;
what cannot be judged (no base, a tool that failed) with -32001 and the reason; what was cancelled with
-32800. The schemas are in `schemas/protocol/`.

This page and the schemas are generated: change `server/gateline/protocol/` and run `make generate`.
"""

_OPTIONS = """\
## Options of the client

`initializationOptions`, and the section `gateline` of `workspace/configuration` (asked for each folder;
it wins). They change when and how things show, never a verdict. A value that does not fit is told in the
client's log and left out. Between push and pull see `decisions/0004-push-and-pull.md`.

{settings}

## Commands

`workspace/executeCommand` knows `gateline.check` (judge the change at the final checkpoint, with
progress; an optional argument `{{"uri": ...}}` names a folder by any URI in it) and `gateline.restart`
(new sessions, everything read again).

## Diagnostics

`source` is `gateline`; `code` is `GTL` and three digits, linked by `codeDescription`. `data` holds
`identity` (12 hexadecimal digits that survive edits elsewhere), `origin` (the tool and its own code),
`provisional` (a faster tool's answer, to be replaced), `novelty` (`new` or `old` against the base),
`dimension`, and `ignorable`: whether an ignore comment that the change adds would have an effect.
"""


_OF_SERVER = ("notification of the server", "request of the server")


def render() -> dict[str, str]:
    """The text of every generated file, by its path from the repository's root."""
    schemas = {f"schemas/protocol/{name}.json": text for m in METHODS for name, text in _schemas(m)}
    settings = json.dumps(_schema(ClientSettings, "validation"), indent=2, ensure_ascii=False) + "\n"
    return {**schemas, "schemas/protocol/client.settings.json": settings, "docs/protocol.md": _page()}


def _schemas(method: Method) -> Iterator[tuple[str, str]]:
    name = method.name.removeprefix("gateline/").replace("/", ".")
    for part, kind in (("params", method.params_type()), ("result", method.result_type())):
        if kind is not None:
            is_received = part == ("result" if method.of_server else "params")
            mode: Mode = "validation" if method.is_request and is_received else "serialization"
            yield f"{name}.{part}", json.dumps(_schema(kind, mode), indent=2, ensure_ascii=False) + "\n"


def _schema(kind: type[BaseModel], mode: Mode) -> dict[str, Any]:
    schema = kind.model_json_schema(mode=mode)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _page() -> str:
    options = _OPTIONS.format(settings=_fields("key", ClientSettings))
    return "\n".join([_INTRODUCTION, *(_method(m) for m in METHODS), options])


def _method(method: Method) -> str:
    kind = "request" if method.is_answered_here else _OF_SERVER[method.is_request]
    lines = [
        f"## `{method.name}`",
        "",
        f"*{kind}* · {method.doc}",
        "",
        _fields("params", method.params_type()),
    ]
    lines += ["", "```json", _json(method.example), "```", ""]
    result = method.result_type()
    if result is not None:
        lines += [_fields("result", result), ""]
    if method.example_result is not None:
        lines += ["```json", _json(method.example_result), "```", ""]
    return "\n".join(lines)


def _fields(part: str, kind: type[BaseModel]) -> str:
    rows = [f"| {part} | required | means |", "|---|---|---|"]
    for name, field in kind.model_fields.items():
        required = "yes" if field.is_required() else "no"
        rows.append(
            f"| `{field.serialization_alias or field.alias or name}` | {required} | {_meaning(field)} |"
        )
    return "\n".join(rows)


def _meaning(field: Any) -> str:
    return str(field.description or _plain(field.annotation)).replace("|", "\\|")


def _plain(annotation: Any) -> str:
    """The docstring's first line of a type used in a field, else its values."""
    kinds = [annotation, *getattr(annotation, "__args__", ())]
    models = [k for k in kinds if inspect.isclass(k) and issubclass(k, BaseModel)]
    if models:
        return (models[0].__doc__ or "").partition("\n")[0]
    values = [repr(v) for v in getattr(annotation, "__args__", ()) if isinstance(v, str)]
    return ", ".join(values)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def main() -> None:
    """Write the files below the current folder."""
    for path, text in render().items():
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
