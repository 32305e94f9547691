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
  gateline trust --agent "my-agent --fast"    agents may have a loop of refine_start ask this command
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
@click.option(
    "--agent",
    metavar="COMMAND",
    help="Let agents have refinement loops here start COMMAND, or acp:COMMAND, as `refine_start` takes it.",
)
def trust(revoke: bool, agent: str | None) -> None:
    """Let the tests of this workspace run for editors and agents.

    Tests and plug-ins of mypy are the project's own code. What would run is shown, and you are asked. Only a
    person can agree, in a terminal; no agent can, by no command, hook or tool.
    """
    root = find_root(Path.cwd())
    consents = Consents()
    if agent is not None:
        if revoke:
            raise Mistake("give --agent or --revoke; --revoke takes back all that was agreed to here")
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
    if not click.confirm("It is this project's own code. Let it run?"):
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
            "its work is judged by tests, and nobody agreed that they run: run `gateline trust` first"
        )
    if name in consent.agents:
        click.echo("somebody agreed to that already")
        return
    _require_person()
    if not click.confirm("It is started with your rights, when an agent asks for it. Let it run?"):
        click.echo("nothing was changed")
        return
    consents.allow_agent(root, name)
    click.echo("consent given; `gateline trust --revoke` revokes it, with that of the tests")


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
