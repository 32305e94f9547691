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
  gateline trust             show what would run, and ask for consent
  gateline trust --revoke    revoke all consent
  gateline trust --agent "my-agent --fast"    let `refine_start` run this command
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
@click.option("--revoke", is_flag=True, help="Revoke all consent: nothing runs until it is given again.")
@click.option(
    "--agent",
    metavar="COMMAND",
    help="Let refinement loops that agents start (`refine_start`) run COMMAND, or acp:COMMAND.",
)
def trust(revoke: bool, agent: str | None) -> None:
    """Allow editors and agents to run this workspace's tests.

    Tests and mypy plug-ins are the project's own code. The command shows what would run and asks you. Only a
    person can consent, in a terminal; an agent cannot.
    """
    root = find_root(Path.cwd())
    consents = Consents()
    if agent is not None:
        if revoke:
            raise Mistake(
                "--agent and --revoke are mutually exclusive: --revoke revokes all consent for this workspace"
            )
        _trust_agent(consents, root, agent)
        return
    if revoke:
        _forget(consents, root)
        return
    command = _test_command(root)
    click.echo(f"workspace: {root}\nwould run: {shlex.join(command)}\n{_told(consents.of(root), command)}")
    if consents.allows(root, command):
        return
    _require_person()
    if not click.confirm("This runs the project's own code. Allow it?"):
        click.echo("nothing was changed")
        return
    consents.remember(root, command, Answer.ALLOWED, datetime.now(UTC))
    click.echo("consent given; `gateline trust --revoke` revokes it")


def _trust_agent(consents: Consents, root: Path, agent: str) -> None:
    from gateline.session.errors import UsageError
    from gateline.session.refinement.agents import command_of

    try:
        name = command_of(agent).name
    except UsageError as error:
        raise Mistake(str(error)) from error
    consent = consents.of(root)
    click.echo(f"workspace: {root}\nwould run: {name}")
    if consent is None or consent.answer is not Answer.ALLOWED:
        raise Mistake(
            "a refinement loop runs the tests, and there is no consent for that: run `gateline trust` first"
        )
    if name in consent.agents:
        click.echo("this agent already has consent")
        return
    _require_person()
    if not click.confirm("Agents can then start it with your permissions. Allow it?"):
        click.echo("nothing was changed")
        return
    consents.allow_agent(root, name)
    click.echo("consent given; `gateline trust --revoke` revokes it together with the consent for tests")


def _forget(consents: Consents, root: Path) -> None:
    known = consents.of(root)
    consents.forget(root)
    click.echo("consent revoked: tests no longer run here" if known else "there is no consent to revoke here")


def _told(consent: Consent | None, command: tuple[str, ...]) -> str:
    if consent is None:
        return "no consent was given yet"
    if consent.answer is Answer.NEVER:
        return f"refused on {consent.given}"
    same = consent.command == command
    return f"consent given on {consent.given}" + (
        "" if same else f", for another command: {shlex.join(consent.command)}"
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
            f"an agent runs this command ({agent} is set): only a person can consent, in their own terminal"
        )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Mistake("only a person can consent: run `gateline trust` in a terminal")
