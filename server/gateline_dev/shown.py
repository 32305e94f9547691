"""Writes docs/cli.md and its picture from what the commands really print in the demo's project.

Run it with `python -m gateline_dev.shown` after a change to what people see.
"""

from __future__ import annotations

import importlib.util
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/cli.md"
PICTURE = ROOT / "docs/images/check.svg"

_HEAD = """\
# The command line

What each command prints in the demo's project, whose change is broken. Written by
`python -m gateline_dev.shown`; IDs and numbers are those of that run.
"""
_COMMANDS = (
    "check --level early",
    "check",
    "check --output concise",
    "check --output markdown",
    "check --output github",
    "diff",
    "rule",
    "config show --origin",
    "check --base nowhere",
    "rule GTL999",
)
_LONGEST = 60
"""Lines of one command's output that are shown."""


def main() -> None:
    """Run every command and write the page and the picture."""
    demo = _demo()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "stockroom"
        demo.make_history(project)
        demo.apply("2-broken", project)
        PAGE.write_text(
            "\n".join([_HEAD, *(_section(demo, project, c) for c in _COMMANDS)]), encoding="utf-8"
        )
        _draw(_run(demo, project, "check --color always").stdout)


def _demo() -> ModuleType:
    spec = importlib.util.spec_from_file_location("demo", ROOT / "demo/run.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _run(demo: ModuleType, project: Path, command: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "gateline", *command.split()]
    environment = {**demo.environment(), "COLUMNS": "100", "PATH": os.environ["PATH"]}
    return subprocess.run(words, cwd=project, env=environment, capture_output=True, text=True, check=False)


def _section(demo: ModuleType, project: Path, command: str) -> str:
    done = _run(demo, project, command)
    lines = (done.stdout + done.stderr).rstrip("\n").split("\n")
    left = len(lines) - _LONGEST
    shown = [*lines[:_LONGEST], f"… and {left} more lines"] if left > 0 else lines
    body = "\n".join(shown)
    return f"## `gateline {command}`\n\nExit code {done.returncode}.\n\n```text\n{body}\n```\n"


def _draw(output: str) -> None:
    console = Console(record=True, width=100, file=io.StringIO())
    console.print(Text.from_ansi(output), end="")
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(console.export_svg(title="gateline check", unique_id="gateline"), encoding="utf-8")


if __name__ == "__main__":
    main()
