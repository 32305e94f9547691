"""`gateline trust`: a person's consent that code of a project runs."""

from __future__ import annotations

import os
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from gateline.cli.ending import Mistake
from gateline.session.tests.consent import Answer, Consent, Consents
from gateline.session.workspace.roots import find_root

_EXAMPLES = """\
\b
Examples:
  gateline trust             see what would run, and agree
  gateline trust --revoke    take it back
"""
_AGENTS = (
    "CLAUDECODE",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "CURSOR_AGENT",
    "COPILOT_CLI",
    "AI_AGENT",
)
"""Variables that agents set for the commands that they run."""


@click.command(epilog=_EXAMPLES)
@click.option("--revoke", is_flag=True, help="Take the answer back: nothing runs, and you are asked again.")
def trust(revoke: bool) -> None:
    """Let the tests of this workspace run for editors and agents.

    Tests and plug-ins of mypy are the project's own code. What would run is shown, and you are asked. Only a
    person can agree, in a terminal; no agent can, by no command, hook or tool.
    """
    root = find_root(Path.cwd())
    consents = Consents()
    if revoke:
        _forget(consents, root)
        return
    command = _test_command(root)
    click.echo(f"workspace: {root}\nwould run: {shlex.join(command)}\n{_told(consents.of(root), command)}")
    if consents.allows(root, command):
        return
    _require_person()
    if not click.confirm("It is this project's own code. Let it run?"):
        click.echo("nothing was changed")
        return
    consents.remember(root, command, Answer.ALLOWED, datetime.now(UTC))
    click.echo("consent given; `gateline trust --revoke` revokes it")


def _forget(consents: Consents, root: Path) -> None:
    known = consents.of(root)
    consents.forget(root)
    click.echo("consent revoked: tests no longer run here" if known else "there is no consent to revoke here")


def _told(consent: Consent | None, command: tuple[str, ...]) -> str:
    if consent is None:
        return "nobody agreed to that yet"
    if consent.answer is Answer.NEVER:
        return f"refused on {consent.given}"
    same = consent.command == command
    return f"agreed on {consent.given}" + (
        "" if same else f", to another command: {shlex.join(consent.command)}"
    )


def _test_command(root: Path) -> tuple[str, ...]:
    from gateline.session.tests.setup import test_command
    from gateline.session.workspace.workspace import open_workspace

    return test_command(open_workspace(root, os.environ).in_force())


def _require_person() -> None:
    """Raise Mistake where an agent, or a script, runs this."""
    agent = next((name for name in _AGENTS if os.environ.get(name)), None)
    if agent:
        raise Mistake(
            f"an agent runs this ({agent} is set): only a person can agree, in a terminal of their own"
        )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Mistake("only a person can agree: run `gateline trust` in a terminal")
