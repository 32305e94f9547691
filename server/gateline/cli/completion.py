"""`gateline completion`: the Tab key in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from gateline.cli import terminal

_EXAMPLES = """\
\b
Examples:
  eval "$(gateline completion bash)"                              in ~/.bashrc
  eval "$(gateline completion zsh)"                               in ~/.zshrc
  gateline completion fish > ~/.config/fish/completions/gateline.fish
"""


@click.command(epilog=_EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the shell completion script for the Tab key."""
    script = get_completion_class(shell)
    assert script is not None, "click has a class for every choice"
    terminal.emit(script(context.find_root().command, {}, "gateline", "_GATELINE_COMPLETE").source() + "\n")
