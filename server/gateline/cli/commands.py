"""The commands. Each is imported when it is asked for, so that none waits for another's imports."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

import click

from gateline import __version__

NAMES = (
    "check",
    "diff",
    "compare",
    "watch",
    "fix",
    "refine",
    "task",
    "worklog",
    "audit",
    "verify",
    "metrics",
    "report",
    "savepoint",
    "restore",
    "gc",
    "context",
    "remember",
    "recall",
    "forget",
    "eval",
    "explain",
    "rule",
    "doctor",
    "config",
    "init",
    "trust",
    "hooks",
    "hook",
    "server",
    "mcp",
    "completion",
)
"""In the order of the help page; each is a module here with a command of the same name."""
_BESIDE = {
    "init": "agents.init",
    "trust": "agents.trust",
    "hooks": "agents.hooks",
    "hook": "agents.hooks",
    "mcp": "agents.mcp",
    "remember": "memory.remember",
    "recall": "memory.recall",
    "forget": "memory.forget",
    "eval": "memory.evals:evaluate",
    "verify": "supervision.verify",
    "metrics": "supervision.metrics",
    "report": "supervision.report",
}
"""Commands that stand in another one's module, in a package, or have another name there."""

START = """\
\b
Start here:
  gateline check                 judge what differs from the base
  gateline check --level early   quick checks while you edit
  gateline rule GTL301           what a finding's code means
  gateline doctor                the settings and tools in use, and why
"""

EXIT_CODES = """
\b
Exit codes:
  0  the gate let the change pass (also with warnings or conditions)
  1  the gate failed
  2  an error in the command line or the settings
  3  undecided: evidence that the decision needs is missing
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
        module, _, name = _BESIDE.get(cmd_name, cmd_name).partition(":")
        command: click.Command = getattr(import_module(f"gateline.cli.{module}"), name or cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was typed, or the nearest one for a typing error's message."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], NAMES, n=1)
            if not near:
                raise
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean {near[0]!r}?", ctx) from error


@click.group(
    "gateline",
    cls=Commands,
    epilog=START + EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="gateline")
def main() -> None:
    """Judge changes of Python code: findings, a score and a gate decision."""
