"""`gateline mcp`: the server for coding agents."""

from __future__ import annotations

import click

_EXAMPLES = """\
\b
Examples:
  claude mcp add gateline -- gateline mcp     for Claude Code
  codex mcp add gateline -- gateline mcp      for Codex
  gateline mcp --workspace ~/shop             for another folder
"""


@click.command(epilog=_EXAMPLES)
@click.option(
    "--workspace",
    type=click.Path(exists=True, file_okay=False),
    default=".",
    metavar="FOLDER",
    help="Folder of the workspace.  [default: the current folder]",
)
def mcp(workspace: str) -> None:
    """Serve coding agents over MCP, on standard input and output.

    Agents start it themselves. It asks the session of the workspace: an editor's if one is open, else a
    resident engine that it starts and that ends when idle. It never writes your files and cannot give consent
    for you. Needs the extra gateline[agents].
    """
    from gateline.mcp.start import main as serve

    raise SystemExit(serve(workspace))
