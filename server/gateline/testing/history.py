"""What a project's files held over time: a few words for each change, and not a list for each run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Step = tuple[int, str, str | None]
"""A moment, a path that is another one since, and the digest that it had before; None: it was not there."""


@dataclass(slots=True)
class History:
    """The files of a project by their digests, from one look at them to the next."""

    now: dict[str, str] = field(default_factory=dict)
    """As they were seen last."""
    moment: int = 0
    """Counts the looks that found something changed; 0 before the first look."""
    steps: list[Step] = field(default_factory=list)

    def see(self, files: Mapping[str, str]) -> None:
        """Take in all files as they are."""
        if self.moment and files == self.now:
            return
        self.moment += 1
        if self.moment > 1:
            paths = {path for path, _ in files.items() ^ self.now.items()}
            self.steps += [(self.moment, path, self.now.get(path)) for path in sorted(paths)]
        self.now = dict(files)

    def then(self, moment: int, files: Mapping[str, str]) -> dict[str, str | None]:
        """What those of these files were at a moment that are not so now, and those that are gone.

        What was there before the first look is not known: it counts as being as it was then.
        """
        found = {path: digest for when, path, digest in reversed(self.steps) if when > moment}
        if files is not self.now:
            apart = {path for path, _ in files.items() ^ self.now.items()}
            found |= {path: self.now.get(path) for path in apart - found.keys()}
        return {path: digest for path, digest in found.items() if files.get(path) != digest}

    def forget(self, moments: Iterable[int]) -> None:
        """Nobody asks of other moments than these any more."""
        oldest = min(moments, default=self.moment)
        self.steps = [step for step in self.steps if step[0] > oldest]
