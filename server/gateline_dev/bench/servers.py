"""The servers that are measured: ours, its peers with their pinned versions, and the floor."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

_NOTHING: Mapping[str, Any] = MappingProxyType({})
BOTH = frozenset({"syntax", "type"})
FLOOR, RIVAL, OURS, OURS_BOTH = "echo", "pylsp-mypy", "gateline", "gateline-both"
"""What others are compared with, and what is judged."""


@dataclass(frozen=True)
class Server:
    """How a server is installed, started and configured."""

    name: str
    requirements: tuple[str, ...]
    """Installed into an environment of its own; empty means the one we run in."""
    command: tuple[str, ...]
    """The program is looked for in that environment."""
    settings: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """What an editor would be configured with; `{python}` stands for the projects' interpreter."""
    files: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """Written into its copy of the project."""
    finds: frozenset[str] = BOTH
    """What it looks for in unsaved text."""
    analyses: bool = True
    """False: whatever it publishes counts as the answer, which makes it the floor of all others."""
    parts: frozenset[str] = frozenset({"start", "typing"})
    """What is measured of it, by the names in `parts.PARTS`."""
    projects: frozenset[str] = frozenset({"httpx", "rich", "django"})
    """On which."""

    def program(self, environment: Path | None) -> list[str]:
        """The command in that environment, or in ours."""
        folder = Path(sys.executable).parent if environment is None else environment / "bin"
        name, *arguments = self.command
        return [str(folder / name), *arguments]


_GATELINE = ("python", "-m", "gateline", "server")
_ECHO = str(Path(__file__).with_name("echo.py"))

SERVERS = (
    Server(
        FLOOR,
        ("pygls==2.1.1",),
        ("python", _ECHO),
        analyses=False,
        parts=frozenset({"start", "typing", "huge"}),
    ),
    Server(
        OURS,
        (),
        _GATELINE,
        parts=frozenset(
            {
                "start",
                "typing",
                "evaluation",
                "command",
                "idle",
                "tests",
                "hooks",
                "context",
                "tiers",
                "beside",
                "session",
                "huge",
            }
        ),
    ),
    Server(
        OURS_BOTH,
        (),
        _GATELINE,
        files={"gateline.toml": '[types]\nengine = "both"\n'},
        projects=frozenset({"httpx"}),
    ),
    Server(
        RIVAL,
        (
            "python-lsp-server==1.15.0",
            "pylsp-mypy==0.8.2",
            "mypy==2.4.1",
            "pyflakes==4.1.0",
            "pycodestyle==2.15.0",
        ),
        ("pylsp",),
        {
            "pylsp": {
                "plugins": {
                    "jedi": {"environment": "{environment}"},
                    "pylsp_mypy": {
                        "enabled": True,
                        "live_mode": True,
                        "dmypy": False,
                        "overrides": [True, "--python-executable", "{python}"],
                    },
                }
            }
        },
    ),
    Server(
        "basedpyright",
        ("basedpyright==1.40.2",),
        ("basedpyright-langserver", "--stdio"),
        {
            "python": {"pythonPath": "{python}"},
            "basedpyright": {"analysis": {"diagnosticMode": "openFilesOnly"}},
        },
    ),
    Server("ruff", ("ruff==0.17.5",), ("ruff", "server"), finds=frozenset({"syntax"})),
    Server("ty", ("ty==0.0.104",), ("ty", "server")),
    Server(
        "pyrefly",
        ("pyrefly==1.4.1",),
        ("pyrefly", "lsp"),
        {
            "python": {
                "pythonPath": "{python}",
                "pyrefly": {"typeCheckingMode": "default", "displayTypeErrors": "force-on"},
            }
        },
    ),
)


def filled(settings: Any, places: Mapping[str, str]) -> Any:
    """The settings with `{python}` and the like replaced."""
    if isinstance(settings, str):
        return settings.format_map(places)
    if isinstance(settings, Mapping):
        return {key: filled(value, places) for key, value in settings.items()}
    if isinstance(settings, list):
        return [filled(value, places) for value in settings]
    return settings
