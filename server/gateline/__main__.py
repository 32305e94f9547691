"""`gateline`: the server is started without the command line's imports, because editors wait for it."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that was typed."""
    if sys.argv[1:2] == ["server"] and "--help" not in sys.argv:
        from gateline.lsp.start import main as serve

        sys.exit(serve(sys.argv[2:]))
    else:
        from gateline.cli.commands import main as run

        run(prog_name="gateline")


if __name__ == "__main__":
    main()
