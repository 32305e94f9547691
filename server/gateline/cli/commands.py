"""The commands and what they share: where the workspace is, how mistakes end, what an exit code means."""

from __future__ import annotations

import click

from gateline import __version__
from gateline.cli import check, config, init, look, rule

EXIT_CODES = """
\b
Exit codes:
  0  the gate let the change pass (also with warnings or conditions)
  1  the gate failed
  2  a mistake in the command or the settings
  3  undecided: what the decision needs was not there
"""


@click.group(epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
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


@main.command()
@click.option("--tcp", type=int, metavar="PORT", help="Serve one connection on localhost, for debugging.")
@click.option("--stdio", is_flag=True, help="Serve standard input and output (the default).")
def server(tcp: int | None, stdio: bool) -> None:
    """Run the language server; editors start it themselves."""
    from gateline.lsp.server import main as serve

    raise SystemExit(serve(["--stdio"] if tcp is None or stdio else ["--tcp", str(tcp)]))


for command in (
    check.check,
    look.diff,
    look.watch,
    look.explain,
    rule.rule,
    look.doctor,
    config.config,
    init.init,
):
    main.add_command(command)
