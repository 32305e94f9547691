"""`gateline hooks`: gateline's calls in the settings of coding agents; and `gateline hook`, which they call.

The call itself is answered by `gateline.__main__` without coming by here.
"""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

import click

from gateline.cli.ending import Mistake
from gateline.hooks.agents import NAMES, agent
from gateline.hooks.installation import (
    SettingsError,
    events_of,
    installed,
    uninstalled,
    unknown_events,
    wanted_events,
)
from gateline.session.workspace.roots import find_root

_AGENT = click.argument("name", metavar="AGENT", type=click.Choice(NAMES))
_USER = click.option("--user", is_flag=True, help="Use your own settings, for all projects.")
_YES = click.option("--yes", is_flag=True, help="Write without asking.")
_EXAMPLES = """\
\b
Examples:
  gateline hooks install claude
  gateline hooks install codex --user
  gateline hooks status
"""


_HOOK_EXAMPLES = """\
\b
Example:
  gateline hook --agent claude --event PostToolUse < event.json
"""


@click.group(epilog=_EXAMPLES)
def hooks() -> None:
    """Manage gateline's hooks in the settings of a coding agent.

    Other settings are kept, and the difference is shown first.

    AGENT is claude, codex, gemini, cursor or copilot.
    """


@hooks.command()
@_AGENT
@_USER
@_YES
@click.option("--command", metavar="COMMAND", help="Command that starts gateline.  [default: `gateline`]")
def install(name: str, user: bool, yes: bool, command: str | None) -> None:
    """Add the hooks: show the difference and ask. Other settings are kept."""
    file = _file(name, user)
    before = _text(file)
    try:
        after = installed(name, before, command or _command(user))
        _tell_unknown(name, before, file)
    except SettingsError as error:
        calls = installed(name, "", command or _command(user))
        raise Mistake(f"{file} cannot be changed: {error}. Add this by hand:\n\n{calls}") from error
    _write(file, before, after, yes=yes)
    if not command and shutil.which("gateline") is None and not user:
        click.echo("`gateline` is not on the PATH; add it to the PATH of the agent", err=True)


@hooks.command()
@_AGENT
@_USER
@_YES
def uninstall(name: str, user: bool, yes: bool) -> None:
    """Remove the hooks: show the difference and ask. Other settings are kept."""
    file = _file(name, user)
    before = _text(file)
    try:
        after = uninstalled(name, before)
    except SettingsError as error:
        raise Mistake(f"{file} cannot be changed: {error}") from error
    _write(file, before, after, yes=yes)


@hooks.command()
@click.argument("name", metavar="[AGENT]", type=click.Choice(NAMES), required=False)
def status(name: str | None) -> None:
    """Show which settings call gateline, and at which events."""
    for one in [name] if name else NAMES:
        for user in (False, True):
            click.echo(f"{one:8} {'user' if user else 'project':8} {_status(one, _file(one, user))}")


@click.command(epilog=_HOOK_EXAMPLES)
@click.option("--agent", required=True, help="claude, codex, gemini, cursor or copilot.")
@click.option("--event", help="Name of the event in the agent's terms.  [default: the payload's]")
@click.option(
    "--blocks",
    type=int,
    default=2,
    show_default=True,
    help="Largest number of times that one stop is blocked.",
)
@click.option(
    "--patience", type=float, default=100, show_default=True, help="Time limit of the final gate, in seconds."
)
def hook(agent: str, event: str | None, blocks: int, patience: float) -> None:
    """Answer one event of a coding agent.

    Reads the event as JSON from standard input and writes the agent's answer to standard output.

    Agents call this command; `gateline hooks install` adds the calls to their settings. After an edit it
    reports the new findings, if any. At a stop it runs the final gate. Edits of tests, settings and pipelines
    are judged before they are made. It blocks only because of the change, never because gateline failed.
    """
    from gateline.hooks.main import main as answer

    given = ["--agent", agent, *(["--event", event] if event else [])]
    raise SystemExit(answer([*given, "--blocks", str(blocks), "--patience", str(patience)]))


def _status(name: str, file: Path) -> str:
    try:
        text = _text(file)
        found, wanted = events_of(name, text), wanted_events(name)
        _tell_unknown(name, text, file)
    except (SettingsError, Mistake) as error:
        return f"{file} cannot be read: {error}"
    if not found:
        return "not installed"
    missing = f"; not at {', '.join(sorted(wanted - found))}: install again" if wanted - found else ""
    return f"installed in {file}: {', '.join(sorted(found))}{missing}"


def _tell_unknown(name: str, text: str, file: Path) -> None:
    for event in unknown_events(name, text):
        near = difflib.get_close_matches(event, wanted_events(name), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        click.echo(f"{file}: unknown event {event} of {name}{hint}", err=True)


def _file(name: str, user: bool) -> Path:
    project, own = agent(name).settings
    return Path(own).expanduser() if user else find_root(Path.cwd()) / project


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode() if file.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"{file} cannot be read: {error}") from error


def _command(user: bool) -> str:
    """How this gateline is called: by its name where that finds it, and in what a project shares."""
    if not user:
        return "gateline"
    here = Path(sys.argv[0]).resolve()
    found = shutil.which("gateline")
    if here.name not in ("gateline", "gateline.exe") or (found and Path(found).resolve() == here):
        return "gateline"
    return shlex.quote(str(here))


def _write(file: Path, before: str, after: str, *, yes: bool) -> None:
    """Show the difference, ask, and write all or nothing; a link is followed."""
    if before == after:
        click.echo(f"{file}: nothing to change")
        return
    then, now = (text.splitlines(keepends=True) for text in (before, after))
    click.echo("".join(difflib.unified_diff(then, now, str(file), str(file))), nl=False)
    if not yes and not _agreed():
        click.echo("nothing was written")
        return
    try:
        _replaced(Path(os.path.realpath(file)), after)
    except OSError as error:
        raise Mistake(f"{file} cannot be written: {error.strerror or error}") from error
    click.echo(f"written to {file}" if after else f"removed {file}")


def _replaced(file: Path, text: str) -> None:
    if not text:
        file.unlink()
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("wb", dir=file.parent, prefix=".new-", delete=False) as stream:
        try:
            stream.write(text.encode())
            stream.close()
            mode = file.stat().st_mode & 0o7777 if file.exists() else 0o644
            Path(stream.name).chmod(mode)
            Path(stream.name).replace(file)
        except BaseException:
            Path(stream.name).unlink(missing_ok=True)
            raise


def _agreed() -> bool:
    try:
        return click.confirm("Write it?")
    except click.Abort:
        click.echo()
        raise Mistake(
            "nothing was written, as the question was not answered; "
            "run the command in a terminal, or give --yes"
        ) from None
