"""Draws what a command printed: `gateline check --color always | python -m gateline_dev.picture FILE.svg`."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text


def main() -> None:
    """Read a terminal's output from standard input, write it as SVG to the file named first."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m gateline_dev.picture FILE.svg < OUTPUT")
    with Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=100, file=nowhere)
        console.print(Text.from_ansi(sys.stdin.read()), end="")
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(console.export_svg(title="gateline check", unique_id="gateline"), encoding="utf-8")


if __name__ == "__main__":
    main()
