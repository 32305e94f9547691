"""Settings for editors that are not to be had here: valid files, with options that the server knows."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "clients"
OPTIONS = json.loads((ROOT / "schemas" / "protocol" / "client.settings.json").read_text())


def helix() -> tuple[list[str], Mapping[str, Any]]:
    said = tomllib.loads((CLIENTS / "helix" / "languages.toml").read_text())
    server = said["language-server"]["gateline"]
    assert "gateline" in said["language"][0]["language-servers"]
    return [server["command"], *server["args"]], server["config"]["gateline"]


def sublime() -> tuple[list[str], Mapping[str, Any]]:
    client = json.loads((CLIENTS / "sublime" / "LSP.sublime-settings").read_text())["clients"]["gateline"]
    assert client["enabled"]
    return client["command"], client["initializationOptions"]


def zed() -> tuple[list[str], Mapping[str, Any]]:
    said = json.loads((CLIENTS / "zed" / "settings.json").read_text())
    server = said["lsp"]["pylsp"]
    assert "pylsp" in said["languages"]["Python"]["language_servers"]
    return [server["binary"]["path"], *server["binary"]["arguments"]], server["initialization_options"]


@pytest.mark.parametrize("editor", [helix, sublime, zed])
def test_settings_start_the_server_with_options_it_knows(editor: Any) -> None:
    command, options = editor()
    assert Path(command[0]).name == "gateline"
    assert command[1:] == ["server"]
    jsonschema.validate(options, OPTIONS)
