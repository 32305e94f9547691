"""Random edits and questions: no answer that says it is fresh belongs to other content, and none hangs."""

from __future__ import annotations

import json
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from gateline.hooks.main import respond
from gateline.model import digest_of
from gateline.resident.connection import Connection, connect
from support.repositories import Repository

FILES = ("cart.py", "run.py", "deep/more.py", "notes.md", "data.json")
BOUND = 30.0
"""Seconds after which an answer counts as hung."""
ROUNDS = [pytest.param(25, id="few"), pytest.param(1000, id="many", marks=pytest.mark.slow)]


def text(number: int, path: str, *, dangerous: bool) -> str:
    if not path.endswith(".py"):
        return f'{{"number": {number}}}\n'
    danger = f'\n\ndef run_{number}(a: str) -> int:\n    """Run."""\n    return os.system(a)\n'
    return f'"""Number {number}."""\n\nimport os\n{danger if dangerous else ""}'


def write(root: Path, path: str, content: str | None) -> None:
    file = root / path
    if content is None:
        file.unlink(missing_ok=True)
    else:
        file.parent.mkdir(exist_ok=True)
        new = file.with_name(f"{file.name}.new~")
        new.write_text(content)
        new.replace(file)  # nobody sees a part of it


def expected(shop: Repository) -> dict[str, str]:
    """The digests of all that differs from the base, told by git and the disk alone."""
    changed = shop.git("diff", "--name-only", "HEAD").splitlines()
    paths = changed + shop.git("ls-files", "--others", "--exclude-standard").splitlines()
    return {p: digest_of(f.read_text()) if (f := shop.folder / p).exists() else "" for p in paths}


def check(session: Connection) -> dict[str, Any]:
    """The answer, which comes in time, and on a busy machine says that it is late."""
    return session.ask("gateline/check", {"level": "early", "patience": 10_000}, BOUND)


def fresh(session: Connection) -> dict[str, Any]:
    while not (answer := check(session))["fresh"]:
        assert answer["running"] or answer["evaluation"]
    return answer


def contents(answer: dict[str, Any]) -> dict[str, str]:
    return {row["path"]: row["hash"] for row in answer["contents"]}


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.timeout(3600)
def test_one_after_the_other(shop: Repository, session: Connection, rounds: int) -> None:
    chosen = random.Random(7)
    for number in range(rounds):
        path = chosen.choice(FILES)
        gone = chosen.random() < 0.15
        content = None if gone else text(number, path, dangerous=chosen.random() < 0.5)
        write(shop.folder, path, content)
        assert contents(fresh(session)) == expected(shop), number


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.timeout(3600)
def test_somebody_writes_while_it_is_asked(shop: Repository, session: Connection, rounds: int) -> None:
    """A fresh answer is of no content that was overwritten before the question."""
    numbers = {digest_of(text(number, "run.py", dangerous=False)): number for number in range(rounds * 50)}
    written, over = [0], threading.Event()

    def keep_writing() -> None:
        chosen = random.Random(11)
        while not over.is_set():
            write(shop.folder, "run.py", text(written[0] + 1, "run.py", dangerous=False))
            written[0] += 1
            time.sleep(chosen.random() * 0.2)

    write(shop.folder, "run.py", text(0, "run.py", dangerous=False))
    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        for _ in range(rounds):
            before = written[0]
            answer = check(session)
            if answer["fresh"]:
                assert before <= numbers[contents(answer)["run.py"]] <= written[0] + 1
    finally:
        over.set()
        writer.join()


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.timeout(3600)
def test_hooks_tell_of_each_edit_what_it_made_new(shop: Repository, session: Connection, rounds: int) -> None:
    """Each dangerous text has a finding of its own, and is told once; all else is silence.

    An edit that was judged too late is told with the next one.
    """
    chosen = random.Random(13)
    ours = f"random-{rounds}"
    owed: dict[str, bool] = {}
    fresh(session)
    for number in range(rounds):
        path = chosen.choice(FILES)
        dangerous = chosen.random() < 0.5 and path.endswith(".py")
        content = text(number, path, dangerous=dangerous)
        write(shop.folder, path, content)
        given = {"file_path": str(shop.folder / path), "content": content}
        event = {"session_id": ours, "cwd": str(shop.folder), "tool_name": "Write", "tool_input": given}
        began = time.monotonic()
        output = respond(["--agent", "claude", "--event", "PostToolUse"], json.dumps(event).encode())
        assert time.monotonic() - began < BOUND
        said = json.loads(output.stdout or "{}")
        owed[path] = dangerous
        if "systemMessage" not in said:
            assert ("GTL301" in said.get("reason", "")) == any(owed.values()), (number, said)
            owed.clear()


def test_a_connection_for_each_question(shop: Repository, session: Connection) -> None:
    for number in range(10):
        write(shop.folder, "run.py", text(number, "run.py", dangerous=False))
        with connect(str(shop.folder)) as one:
            assert contents(fresh(one)) == expected(shop)
