"""Random editor sessions in virtual time: at rest, the editor, a new server and `gateline check` agree.

`python -m gateline_dev.sessions` tries as many as one likes, also with real servers.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

import pytest

from gateline.session.live.documents import Documents
from gateline.session.workspace.worktree import Worktree
from gateline_dev.sessions import texts
from gateline_dev.sessions.editor import difference
from gateline_dev.sessions.operations import Op, script
from gateline_dev.sessions.shrinking import shrunk
from gateline_dev.sessions.soak import Look, Soak
from gateline_dev.sessions.trying import near
from gateline_dev.sessions.virtual import StuckError, run

_CART = Op("open", "stall/cart.py", pause=2.0)
_EDIT = Op("edit", seed=1, pause=1.0)


def _settings(*kinds: str) -> list[Op]:
    """Change the settings and commit, for each kind."""
    seeds = (next(n for n in range(999) if kind in texts.settings(n)) for kind in kinds)
    return [op for seed in seeds for op in (Op("settings", seed=seed), Op("commit"))]


@pytest.mark.parametrize("seed", range(6))
def test_a_random_session_ends_as_a_new_one_begins(seed: int) -> None:
    tried = near(seed, script(seed, 14))
    assert tried.kinds == (), tried.differences


@pytest.mark.parametrize(
    "ops",
    [
        # What is closed without saving, and saved elsewhere, is in no index of copied lines any more.
        (
            Op("open", "stall/cart.py"),
            Op("edit", seed=590505, pause=0.01),
            Op("ask", seed=909488),
            Op("save_as", "stall/cart.py", "tools/more.py", pause=0.05),
        ),
        # Settings that change again before those before were read.
        (Op("open", "stall/tax.py"), *_settings("types", "documentation", "secrets"), Op("edit", seed=3)),
        # Renamed for git alone, while the document goes on under its old name.
        (_CART, _EDIT, Op("git_mv", "stall/cart.py", "stall/extra.py")),
        (_CART, _EDIT, Op("rename", "stall/cart.py", "stall/notes.py")),
        # All that changed does not parse: clean reports of open documents beside it measure no types.
        (
            Op("open", "stall/cart.py"),
            Op("open", "stall/tax.py", seed=902725, pause=0.01),
            Op("half", seed=263828, pause=0.3),
            Op("save_as", "tools/more.py", "tools/more.py", seed=81128),
        ),
        # A file that does not parse comes where a document with type errors was.
        (
            Op("open", "stall/cart.py"),
            Op("half", seed=878508, pause=0.05),
            Op("save", "stall/cart.py", seed=831365),
            Op("open", "stall/tax.py", pause=0.01),
            Op("edit", "stall/tax.py", seed=982809, pause=2.5),
            Op("rename", "stall/tax.py", "tools/more.py", pause=0.3),
            Op("git_mv", "stall/cart.py", "stall/tax.py", told="twice"),
            Op("mend_all"),
        ),
    ],
    ids=[
        "saved elsewhere",
        "settings",
        "renamed in git",
        "renamed",
        "broken beside open ones",
        "broken in place",
    ],
)
def test_what_differed_once_does_not(ops: Sequence[Op]) -> None:
    tried = near(1, ops)
    assert tried.kinds == (), tried.differences


@pytest.mark.parametrize(
    ("of", "name", "ops"),
    [
        (Documents, "close", (_CART, _EDIT, Op("close", "stall/cart.py"))),
        (Worktree, "refresh", (_CART, Op("write", "stall/tax.py", seed=2))),
    ],
)
def test_a_fault_would_be_seen(
    of: type, name: str, ops: Sequence[Op], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that forgets nothing, or never looks at the disk again."""
    usual = getattr(of, name)
    looks: list[object] = []

    def once(self: object, *given: object) -> object:
        looks.append(self)
        return usual(self, *given) if name == "refresh" and looks.count(self) == 1 else None

    monkeypatch.setattr(of, name, once)
    assert near(1, ops).kinds
    monkeypatch.undo()
    assert not near(1, ops).kinds


def test_a_session_is_the_same_every_time() -> None:
    assert script(7) == script(7) != script(8)
    assert near(7, script(7, 6)) == near(7, script(7, 6))


def test_operations_are_left_out_until_nothing_can_be() -> None:
    ops = [Op("wait", seed=number) for number in range(20)]
    left = shrunk(ops, lambda some: {3, 17} <= {op.seed for op in some})
    assert [op.seed for op in left] == [3, 17]


def test_an_operation_is_its_json() -> None:
    for op in script(3):
        assert Op.of(op.as_json()) == op


def test_an_edit_makes_the_new_text() -> None:
    dice = random.Random(1)
    for _ in range(200):
        old, new = ("".join(dice.choices("ab\n😀", k=dice.randrange(12))) for _ in range(2))
        edit = difference(old, new)
        start, end = (_index(old, edit["range"][side]) for side in ("start", "end"))
        assert old[:start] + edit["text"] + old[end:] == new


def _index(text: str, place: dict[str, int]) -> int:
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[: place["line"]])
    column = lines[place["line"]].encode("utf-16-le")[: 2 * place["character"]]
    return before + len(column.decode("utf-16-le"))


def test_virtual_time_costs_none() -> None:
    async def day() -> float:
        await asyncio.to_thread(lambda: None)
        await asyncio.sleep(86_400)
        return asyncio.get_running_loop().time()

    assert run(day(), 1) >= 86_400

    async def never() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(StuckError):
        run(never(), 1)


@pytest.mark.parametrize(
    ("memory", "handles", "fault"),
    [
        (lambda hour: 80 + 2 * (hour > 0.1), lambda hour: 20, ""),
        (lambda hour: 80 + 20 * hour, lambda hour: 20, "server: memory grew by"),
        (lambda hour: 80, lambda hour: 20 + int(30 * hour), "server: handles grew"),
    ],
    ids=["steady", "memory", "handles"],
)
def test_a_soak_tells_what_grows(memory, handles, fault: str) -> None:
    soak = Soak(seconds=7200.0)
    for at in range(0, 7200, 10):
        soak.looks["server"].append(Look(at, memory(at / 3600), handles(at / 3600), 1))
    faults = list(soak.faults())
    assert [found.startswith(fault) for found in faults] == ([True] if fault else [])
