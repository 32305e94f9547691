"""`gateline init`: settings to begin with."""

from __future__ import annotations

import tomllib
from pathlib import Path

import click

from gateline.cli.ending import Mistake
from gateline.session.workspace.roots import find_root

_KEYS = """\
# Everything has a default: `gateline config show --origin` lists all.
# base = "origin/main"        # default: the merge-base with the default branch
# exclude = ["generated/"]

[{table}gates]
final-accept = 85             # the lowest score that is accepted
final-conditional = 70        # the lowest that is accepted with conditions
"""


_FOR_AGENTS = """\
- After each edit run `gateline check --level early`; at the end `gateline check`. Fix what it requires.
- Do not weaken tests, checks or their settings to pass it: such edits are findings themselves.
- `gateline rule CODE` explains a finding. Whether tests may run, and what is accepted, the person decides.
"""
_EXAMPLES = """\
\b
Examples:
  gateline init --yes
  gateline init --agents     three lines for AGENTS.md
"""


@click.command(epilog=_EXAMPLES)
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--agents", is_flag=True, help="Add three lines for coding agents to AGENTS.md instead.")
def init(yes: bool, agents: bool) -> None:
    """Add settings to pyproject.toml, after showing them and asking.

    Creates gateline.toml where there is no pyproject.toml. gateline also works without either.
    """
    root = find_root(Path.cwd())
    if agents:
        _offer(root / "AGENTS.md", *_for_agents(root / "AGENTS.md"), yes=yes)
    else:
        file = _target(root)
        before = _text(file)
        _offer(file, before, _addition(file, before), yes=yes)


def _for_agents(file: Path) -> tuple[str, str]:
    """What the file says now, and what is to be added. Raises Mistake."""
    try:
        before = file.read_bytes().decode() if file.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"{file} cannot be read: {error}") from error
    if _FOR_AGENTS in before:
        raise Mistake(f"{file} already has the instructions for agents")
    return before, _space(before, "\n") + _FOR_AGENTS


def _offer(file: Path, before: str, added: str, *, yes: bool) -> None:
    click.echo(f"to be added to {file}:\n\n{added}")
    if not yes and not _agreed():
        click.echo("nothing was written")
        return
    with file.open("w", encoding="utf-8", newline="") as stream:
        stream.write(before + added)
    click.echo(f"written to {file}; now try `gateline check`")


def _target(root: Path) -> Path:
    project = root / "pyproject.toml"
    return project if project.exists() else root / "gateline.toml"


def _text(file: Path) -> str:
    """What the file says now, with its own line ends. Raises Mistake for what must not be added to."""
    if not file.exists():
        return ""
    try:
        text = file.read_bytes().decode()
        tables = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Mistake(f"{file} cannot be read: {error}") from error
    if file.name == "gateline.toml" or "gateline" in tables.get("tool", {}):
        raise Mistake(f"{file} already has settings of gateline; edit them, or see `gateline config show`")
    return text


def _addition(file: Path, before: str) -> str:
    if file.name == "gateline.toml":
        return _KEYS.format(table="")
    end = "\r\n" if "\r\n" in before else "\n"
    space = _space(before, end)
    table = "[tool.gateline]\n" + _KEYS.format(table="tool.gateline.")
    return space + table.replace("\n", end)


def _space(before: str, end: str) -> str:
    """The line ends that leave one line free below what is there."""
    return end * (2 - min(2, len(before) - len(before.rstrip("\r\n")))) if before.strip() else ""


def _agreed() -> bool:
    try:
        return click.confirm("Write it?")
    except click.Abort:
        click.echo()
        return False
