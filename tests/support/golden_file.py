"""Golden files: exact results of many cases in one file, a block for each case.

    name of the case
      a row of its result
      another row

`pytest --update` writes the blocks of the cases that ran; the difference is reviewed like code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import unified_diff
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "goldens"


def read(file: Path) -> dict[str, list[str]]:
    """The rows of each case of a golden file, by the name of the case; {} when there is no file."""
    blocks: dict[str, list[str]] = {}
    name = ""
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        if line.startswith("  "):
            blocks[name].append(line[2:])
        else:
            name = line
            blocks[name] = []
    return blocks


def written(blocks: Mapping[str, Sequence[str]]) -> str:
    """The text of a golden file."""
    return "".join(
        f"{line}\n" for name in sorted(blocks) for line in (name, *(f"  {r}" for r in blocks[name]))
    )


def compare(
    file: Path, found: Mapping[str, Sequence[str]], all_names: Sequence[str], *, update: bool
) -> None:
    """Fail where what was found of cases is not what the golden file has; with `update`, write it.

    `all_names` are the cases there are: a block of any other is one too many.
    """
    golden = read(file)
    if update:
        kept = {name: rows for name, rows in golden.items() if name in set(all_names)}
        file.write_text(written({**kept, **found}), encoding="utf-8")
        return
    wanted = {name: golden[name] for name in golden if name in found or name not in set(all_names)}
    before, after = written(wanted).splitlines(), written(found).splitlines()
    if rows := list(unified_diff(before, after, "golden", "found", n=2, lineterm="")):
        pytest.fail("\n".join(rows[:400]), pytrace=False)
