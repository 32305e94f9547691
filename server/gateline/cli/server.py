"""`gateline server`, as the help page shows it; `gateline.__main__` starts it without coming by here."""

from __future__ import annotations

import click

_EXAMPLES = """\
\b
Examples:
  gateline server                the command for an editor's settings
  gateline server --tcp 9257     and connect to localhost:9257
"""


@click.command(epilog=_EXAMPLES)
@click.option("--stdio", is_flag=True, help="Serve standard input and output (the default).")
@click.option("--tcp", type=int, metavar="PORT", help="Serve one connection on localhost, for debugging.")
@click.option(
    "--resident",
    metavar="FOLDER",
    help="Serve hooks and agents of a workspace without an editor, until idle; they start it themselves.",
)
def server(stdio: bool, tcp: int | None, resident: str | None) -> None:
    """Run the language server; editors start it themselves."""
    from gateline.lsp.start import main as serve

    chosen = ["--resident", resident] if resident else ["--tcp", str(tcp)] if tcp and not stdio else []
    raise SystemExit(serve(chosen or ["--stdio"]))
