"""Writes what the commands really print in the demo's project into docs/cli.md, and its picture.

Run it with `python -m gateline_dev.shown` after a change to what people see. Only the blocks of the page that
follow the line `<!-- printed in the demo -->` are written; everything else is by hand.
"""

from __future__ import annotations

import importlib.util
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/cli.md"
PICTURE = ROOT / "docs/images/check.svg"

_BLOCK = re.compile(
    r"(?<=^<!-- printed in the demo -->\n)```console\n(?P<shown>.*?)^```$", re.MULTILINE | re.DOTALL
)
_COMMAND = re.compile(r"^\$ gateline (?P<words>[^|\n]*?)(?: \| head -(?P<most>\d+))?$", re.MULTILINE)


def main() -> None:
    """Run every command and write its block and the picture."""
    demo = _demo()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "stockroom"
        demo.make_history(project)
        demo.apply("2-broken", project)
        page = spliced(PAGE.read_text(encoding="utf-8"), lambda words: _printed(demo, project, words))
        PAGE.write_text(page, encoding="utf-8")
        _draw(_run(demo, project, "check --color always").stdout)


def spliced(page: str, run: Callable[[str], str]) -> str:
    """The page with each marked block anew: `run` is given what stands behind `$ gateline`.

    Raises ValueError for a marked block without such a command.
    """
    return _BLOCK.sub(lambda block: _block(block["shown"], run), page)


def _block(shown: str, run: Callable[[str], str]) -> str:
    commands = list(_COMMAND.finditer(shown))
    if not commands:
        raise ValueError(f"a block that is printed in the demo names no command: {shown[:80]!r}")
    parts = [_part(command, run(command["words"])) for command in commands]
    return f"```console\n{''.join(parts)}```"


def _part(command: re.Match[str], printed: str) -> str:
    most = int(command["most"]) if command["most"] else None
    return "".join(f"{line}\n" for line in (command[0], *printed.rstrip("\n").split("\n")[:most]))


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


def _printed(demo: ModuleType, project: Path, command: str) -> str:
    done = _run(demo, project, command)
    return done.stdout + done.stderr


def _draw(output: str) -> None:
    console = Console(record=True, width=100, file=io.StringIO())
    console.print(Text.from_ansi(output), end="")
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(console.export_svg(title="gateline check", unique_id="gateline"), encoding="utf-8")


if __name__ == "__main__":
    main()
