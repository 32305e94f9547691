"""A scripted agent of a known kind: the contract's JSON on standard input and output, standard library only.

    python agent.py SCRIPT.json

The script has the kind, a seed, the faults of the task, more faults to bring in, and the tests. What the
agent does in a round follows from the kind, the seed, the round and the strategy alone, so that two loops
over the same task meet the same agent.

able       repairs one fault a round
slow       repairs one fault every other round; between them it edits comments
noisy      repairs a fault in 7 of 10 rounds, and brings one in in 3 of 10
degrading  repairs one fault, then brings one in each round; as able once it is told to go about it otherwise
stalling   edits comments, and says that it is done
cheating   makes tests stop failing without repairing anything, another way each round
"""

from __future__ import annotations

import importlib.util
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

CONTEXT = 60
"""Characters around a fault by which it is found again; faults are further apart."""
Asked = dict[str, Any]
Script = dict[str, Any]
Fault = dict[str, Any]
"""`target`, `before`, `after`: the text around it, `right` and `wrong`: what stands there."""


def fault_of(target: str, text: str, edit: tuple[int, int, str]) -> Fault:
    """A fault by what stands around it, from an edit of the intact text."""
    begin, end, new = edit
    return {
        "target": target,
        "before": text[max(0, begin - CONTEXT) : begin],
        "after": text[end : end + CONTEXT],
        "right": text[begin:end],
        "wrong": new,
    }


def swapped(root: Path, fault: Fault, *, repair: bool) -> bool:
    """Repair a fault, or bring it in; whether that changed anything."""
    file = root / fault["target"]
    old, new = (fault["wrong"], fault["right"]) if repair else (fault["right"], fault["wrong"])
    around = fault["before"], fault["after"]
    try:
        text = file.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return False
    if text.count(around[0] + old + around[1]) != 1:
        return False
    file.write_bytes(text.replace(around[0] + old + around[1], around[0] + new + around[1]).encode())
    return True


def repaired(root: Path, groups: list[list[Fault]]) -> bool:
    """Repair the first fault that is still there; whether there was one."""
    return any(_swapped_all(root, group, repair=True) for group in groups)


def _swapped_all(root: Path, group: list[Fault], *, repair: bool) -> bool:
    """Swap every part of a fault; whether that changed anything."""
    changed = [swapped(root, fault, repair=repair) for fault in group]
    return any(changed)


def commented(root: Path, script: Script, number: int) -> None:
    """An edit that changes no behaviour."""
    file = root / script["faults"][0][0]["target"]
    file.write_bytes(file.read_bytes().rstrip(b"\n") + f"\n# Looked at {number} times.\n".encode())


def able(root: Path, script: Script, _asked: Asked, number: int) -> None:
    """One fault a round."""
    if not repaired(root, [*script["faults"], *script["more"]]):
        commented(root, script, number)


def slow(root: Path, script: Script, asked: Asked, number: int) -> None:
    """One fault every other round."""
    (commented if number % 2 else _able_now(asked))(root, script, number)


def _able_now(asked: Asked) -> Callable[[Path, Script, int], None]:
    return lambda root, script, number: able(root, script, asked, number)


def noisy(root: Path, script: Script, asked: Asked, number: int) -> None:
    """Mostly forward, sometimes back."""
    draw = random.Random(f"{script['seed']} {number}")
    forward, back = draw.random() < 0.7, draw.random() < 0.3
    if forward:
        able(root, script, asked, number)
    if back:
        _brought_in(root, script, draw.randrange(len(script["more"])))
    if not (forward or back):
        commented(root, script, number)


def degrading(root: Path, script: Script, asked: Asked, number: int) -> None:
    """Forward once, then back, until it is told to go about it otherwise."""
    strategy = asked["context"]["refinement_state"]["strategy"]
    if number == 1 or strategy != script["strategy"]:
        able(root, script, asked, number)
    else:
        _brought_in(root, script, number - 2)


def stalling(root: Path, script: Script, _asked: Asked, number: int) -> None:
    """Busy, to no end."""
    commented(root, script, number)


def cheating(root: Path, script: Script, _asked: Asked, number: int) -> None:
    """Another way each round."""
    module = _cheats()
    names = list(script.get("cheats", module.GENERAL))
    if "cheats" not in script:
        random.Random(script["seed"]).shuffle(names)
    module.CHEATS[names[(number - 1) % len(names)]](root, script)


KINDS = {
    "able": able,
    "slow": slow,
    "noisy": noisy,
    "degrading": degrading,
    "stalling": stalling,
    "cheating": cheating,
}


def _brought_in(root: Path, script: Script, first: int) -> None:
    """Bring in the first further fault, from one on, that is not there yet."""
    more = script["more"]
    for place in range(len(more)):
        if _swapped_all(root, more[(first + place) % len(more)], repair=False):
            return


def _cheats() -> Any:
    """The module beside this one, which is started by its path."""
    spec = importlib.util.spec_from_file_location("cheats", Path(__file__).with_name("cheats.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> int:
    """Answer one question."""
    script = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    asked = json.load(sys.stdin)
    root = Path(asked["input_data"]["workspace"])
    number = asked["context"]["refinement_state"]["round"]
    KINDS[script["kind"]](root, script, asked, number)
    answer = {
        "agent_id": asked["agent_id"],
        "task_id": asked["task_id"],
        "success": True,
        "confidence": 0.9,
        "reasoning": f"{script['kind']}, round {number}",
    }
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
