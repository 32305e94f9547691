"""The labelled texts of `corpora/verifier`: specifications, plans and commits, sufficient or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gateline.refinement.verifier.codebase import Codebase, codebase
from gateline.refinement.verifier.commit import TEXT_CHECKS, Added, Commit
from gateline.refinement.verifier.plan import verify_plan
from gateline.refinement.verifier.specification import verify_specification
from gateline.refinement.verifier.values import GatePoint, Verification, verification

FOLDER = Path(__file__).parents[3] / "corpora" / "verifier"
SPLITS = ("tuning", "test")
_FILE = re.compile(r"^-- (.+) --\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text with its verdict."""

    name: str
    split: str
    point: GatePoint
    files: dict[str, str]
    sufficient: bool
    checks: tuple[str, ...]
    """The checks that do not hold, sorted."""


def labelled(split: str) -> Iterator[Labelled]:
    """The texts of a split, by gate point and name."""
    for file in sorted((FOLDER / split).rglob("*.txt")):
        files = _files(file)
        verdict, *checks = files.pop("@verdict").split()
        name, point = file.stem, GatePoint(file.parent.name)
        yield Labelled(name, split, point, files, verdict == "sufficient", tuple(sorted(checks)))


def verified(text: Labelled) -> Verification:
    """What the verifier says of a text."""
    match text.point:
        case GatePoint.SPECIFICATION:
            return verify_specification(text.files["specification.md"], project())
        case GatePoint.PLAN:
            return verify_plan(text.files["plan.md"], project(), text.files["specification.md"])
        case _:
            rows = enumerate(text.files["patch"].splitlines(), 1)
            added = Added("", tuple((number, row[1:]) for number, row in rows if row.startswith("+")))
            # Nothing was judged: only what the text itself tells is looked at.
            commit = Commit(text.files["message"], None, added=(added,))
            return verification(GatePoint.COMMIT, TEXT_CHECKS, commit)


@cache
def project() -> Codebase:
    """The project that the texts speak of."""
    files = _files(FOLDER / "code.txt")
    return codebase({p: t for p, t in files.items() if p.endswith(".py")}, files)


def _files(file: Path) -> dict[str, str]:
    """The parts of a text case, by name."""
    _, *parts = _FILE.split(file.read_text(encoding="utf-8"))
    return dict(zip(parts[::2], parts[1::2], strict=True))
