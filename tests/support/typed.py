"""Commands as they are typed."""

from __future__ import annotations

from click.testing import CliRunner, Result

from gateline.cli.commands import main


def run(*arguments: str, given: str | None = None) -> Result:
    """`gateline` with these arguments, in this process, and `given` on its standard input."""
    return CliRunner().invoke(main, arguments, prog_name="gateline", input=given)
