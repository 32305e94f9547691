"""The labelled pairs of notes in `corpora/memory/`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gateline.memory.lesson import Outcome

FOLDER = Path(__file__).parents[3] / "corpora" / "memory"
TUNING, TEST = "tuning", "test"
KINDS: Mapping[str, tuple[str, Outcome]] = {
    "=": ("duplicate", Outcome.NOOP),
    "~": ("paraphrase", Outcome.UPDATE),
    "^": ("newer value", Outcome.UPDATE),
    "!": ("other subject", Outcome.CREATE),
    "-": ("loses facts", Outcome.CREATE),
    "?": ("vague", Outcome.CREATE),
}
"""By the sign of a line: what the pair is, and what is to become of its note."""


@dataclass(frozen=True)
class Pair:
    """A lesson that is there, and a note that comes after it."""

    subject: str
    kind: str
    old: str
    new: str
    wanted: Outcome


def pairs(part: str, folder: Path = FOLDER) -> list[Pair]:
    """The pairs of a part. Raises ValueError for a line that is none."""
    return list(_read((folder / f"{part}.txt").read_text(encoding="utf-8"), part))


def _read(text: str, part: str) -> Iterator[Pair]:
    subject = old = ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            subject, old = line.strip(), ""
        elif not old:
            old = line.strip()
        else:
            sign, _, new = line.strip().partition(" ")
            if sign not in KINDS or not new:
                raise ValueError(
                    f"{part}.txt:{number}: {line.strip()!r} does not begin with one of {' '.join(KINDS)}"
                )
            kind, wanted = KINDS[sign]
            yield Pair(subject, kind, old, new, wanted)
