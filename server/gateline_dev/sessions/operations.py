"""What a person, their editor and other programs do in one session, chosen by a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from gateline_dev.sessions.texts import NAMES, NEW

TOLD = ("now", "now", "now", "late", "twice", "each")
"""How the editor tells of files that were written: at once, some time later, twice, one by one."""


@dataclass(frozen=True)
class Op:
    """One thing that happens. What cannot be done any more when its turn comes is passed over."""

    do: str
    path: str = ""
    other: str = ""
    """A second path, or a branch."""
    seed: int = 0
    told: str = "now"
    reload_first: bool = False
    """The editor takes the file's new text before it tells that it was written."""
    pause: float = 0.0
    """Seconds that pass afterwards."""

    @staticmethod
    def of(row: Mapping[str, Any]) -> Op:
        """From its JSON."""
        return Op(**row)

    def as_json(self) -> dict[str, Any]:
        """Without what is as usual."""
        usual = asdict(Op(self.do))
        return {"do": self.do} | {k: v for k, v in asdict(self).items() if v != usual[k]}

    def __str__(self) -> str:
        more = {k: v for k, v in self.as_json().items() if k not in ("do", "path", "other")}
        said = [self.do, self.path, self.other, *(f"{k}={v}" for k, v in more.items())]
        return " ".join(word for word in said if word)


_LEFT_BROKEN = 0.2
"""The share of sessions at whose end a document may be half typed."""
_OFTEN: Mapping[str, int] = {
    "open": 16,
    "close": 4,
    "reopen": 4,
    "edit": 30,
    "type": 4,
    "half": 4,
    "mend": 5,
    "undo": 4,
    "save": 10,
    "save_as": 2,
    "untitled": 2,
    "keep_untitled": 2,
    "new": 3,
    "write": 10,
    "same": 2,
    "format": 3,
    "rename": 3,
    "git_mv": 2,
    "delete": 4,
    "bring_back": 2,
    "commit": 2,
    "branch": 2,
    "stash": 1,
    "pop": 2,
    "settings": 2,
    "ask": 2,
    "wait": 4,
}
"""How often each is chosen, in proportion."""


def script(seed: int, length: int | None = None) -> tuple[Op, ...]:
    """The operations of one session."""
    dice = random.Random(seed)
    count = length or dice.randrange(5, 50)
    kinds = dice.choices(tuple(_OFTEN), tuple(_OFTEN.values()), k=count)
    ops = (Op("open", dice.choice(NAMES)), *(_op(kind, dice) for kind in kinds))
    return ops if dice.random() < _LEFT_BROKEN else (*ops, Op("mend_all"))


def stream(seed: int) -> Iterator[Op]:
    """Operations without end, after which little time passes."""
    dice = random.Random(seed)
    for path in NAMES[:3]:
        yield Op("open", path)
    while True:
        kind = dice.choices(tuple(_OFTEN), tuple(_OFTEN.values()))[0]
        yield replace(_op(kind, dice), pause=0.0)


def _op(kind: str, dice: random.Random) -> Op:
    path = dice.choice((*NAMES, *NAMES, *NEW))
    other = _OTHER[kind](dice) if kind in _OTHER else ""
    pause = dice.choice((0.0, 0.0, 0.0, 0.01, 0.05, 0.3, 0.5, 2.5))
    told = dice.choice(TOLD)
    return Op(kind, path, other, dice.randrange(10**6), told, dice.random() < 0.5, pause)


_OTHER: Mapping[str, Callable[[random.Random], str]] = {
    "save_as": lambda dice: dice.choice(NEW),
    "keep_untitled": lambda dice: dice.choice(NEW),
    "rename": lambda dice: dice.choice((*NEW, *NEW, *NAMES)),
    "git_mv": lambda dice: dice.choice((*NEW, *NEW, *NAMES)),
    "branch": lambda dice: dice.choice(("main", "side", "other")),
}
