"""`gateline`: editors and agents wait for the server and for hooks: both start without the command line."""

from __future__ import annotations

import sys

_UNDECIDED = 3


def main() -> None:
    """Run the command that was typed."""
    if sys.argv[1:2] == ["hook"]:
        from gateline.hooks.main import main as hook

        sys.exit(hook(sys.argv[2:]))
    elif sys.argv[1:2] == ["server"] and "--help" not in sys.argv:
        from gateline.lsp.start import main as serve

        sys.exit(serve(sys.argv[2:]))
    else:
        _command()


def _command() -> None:
    """Run a command; a package that gateline needs and that is not there leaves everything undecided."""
    try:
        from gateline.cli.commands import main as run

        run(prog_name="gateline")
    except ImportError as error:
        from gateline.lsp.incomplete import incomplete

        print(incomplete(error), file=sys.stderr)  # noqa: T201 - click may be what is missing
        sys.exit(_UNDECIDED)


if __name__ == "__main__":
    main()
