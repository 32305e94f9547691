"""The commands. Each is imported when it is asked for, so that none waits for another's imports."""

from __future__ import annotations

from importlib import import_module

import click

from gateline import __version__

NAMES = ("check", "diff", "watch", "explain", "rule", "doctor", "config", "init", "server", "completion")
"""In the order of the help page; each is a module here with a command of the same name."""

EXIT_CODES = """
\b
Exit codes:
  0  the gate let the change pass (also with warnings or conditions)
  1  the gate failed
  2  a mistake in the command or the settings
  3  undecided: what the decision needs was not there
"""


class Commands(click.Group):
    """The commands by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help page."""
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command; None when there is none of this name."""
        if cmd_name not in NAMES:
            return None
        command: click.Command = getattr(import_module(f"gateline.cli.{cmd_name}"), cmd_name)
        return command


@click.group(cls=Commands, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gateline")
def main() -> None:
    r"""Say, while Python code is being changed, whether the change is on track.

    \b
    Start here:
      gateline check                 judge what differs from the base
      gateline check --level early   while you are still at it
      gateline rule GTL301           what a finding means
      gateline doctor                what was chosen here, and why
    """
