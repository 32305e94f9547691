"""Takes over pictures that `make test-vscode` made into docs/images, small: `make pictures`."""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/images"
NAMES = ("typing", "repair", "tooltip-light", "panel-dark", "refinement", "comparison")
"""Those that the pages show."""
_COLOURS = 256
"""Enough for an editor's window, what is small in it, too; a file takes a third of its size."""


def main() -> None:
    """Write each picture as `vscode-NAME.png`. Raises FileNotFoundError where the tests made none."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("made", type=Path, help="the folder where the tests keep their pictures")
    made: Path = parser.parse_args().made
    for name in NAMES:
        target = FOLDER / f"vscode-{name}.png"
        with Image.open(made / f"{name}.png") as picture:
            few = picture.convert("RGB").quantize(
                _COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
            )
            few.save(target, optimize=True)
        print(f"{target.relative_to(ROOT)}: {target.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
