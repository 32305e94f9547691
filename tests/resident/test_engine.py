"""A resident engine answers what an editor's server would, about what is on disk at that moment."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from gateline.model import Level
from gateline.resident.connection import Connection, LateError, RefusedError, connect
from gateline.resident.registration import registrations
from gateline.session.check import Selection, check
from gateline.session.judge.wire import canonical_json
from support.repositories import Repository

DANGER = '"""Runs."""\n\nimport os\n\n\ndef run(a: str) -> int:\n    """Run."""\n    return os.system(a)\n'


def checked(session: Connection, **params: Any) -> dict[str, Any]:
    return session.ask("gateline/check", {"patience": 60_000, "level": "early", **params}, 90)


def added(answer: dict[str, Any]) -> list[tuple[str, str]]:
    found = answer["evaluation"]["findings"]
    return [(row["code"], row["path"]) for row in found if row["identity"] in answer["added"]]


def texts(**texts: str | None) -> list[dict[str, str | None]]:
    return [{"path": f"{name}.py", "text": text} for name, text in texts.items()]


def test_one_engine_serves_all_who_ask(shop: Repository, session: Connection) -> None:
    with connect(str(shop.folder)) as other:
        assert other.registration == session.registration
    assert [found.kind for found in registrations(str(shop.folder))] == ["engine"]


def test_only_its_user_can_reach_it(shop: Repository, session: Connection) -> None:
    socket = Path(session.registration.address)
    for file in (socket, socket.with_name("engine.json")):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700


def test_what_was_written_a_moment_ago_is_judged(shop: Repository, session: Connection) -> None:
    before = checked(session, asker="me")
    assert (before["fresh"], before["added"]) == (True, [])
    shop.write("run.py", DANGER)
    after = checked(session, asker="me")
    assert after["fresh"]
    assert after["contentHash"] != before["contentHash"]
    assert added(after) == [("GTL301", "run.py")]
    assert checked(session, asker="me")["added"] == []
    assert added(checked(session, asker="somebody else")) == [("GTL301", "run.py")]
    (shop.folder / "run.py").unlink()
    assert checked(session)["contentHash"] == before["contentHash"]


def test_texts_that_nobody_wrote_are_judged_and_not_kept(shop: Repository, session: Connection) -> None:
    proposed = checked(session, texts=texts(run=DANGER))
    assert proposed["fresh"]
    assert added(proposed) == [("GTL301", "run.py")]
    assert [row["path"] for row in proposed["evaluation"]["files"]] == ["run.py"]
    assert checked(session)["evaluation"]["files"] == []
    assert not (shop.folder / "run.py").exists()


def test_a_text_that_is_to_go(session: Connection) -> None:
    gone = checked(session, texts=texts(cart=None))["evaluation"]
    assert [(row["path"], row["status"]) for row in gone["files"]] == [("cart.py", "deleted")]


async def test_the_verdict_of_the_command_line(shop: Repository, session: Connection) -> None:
    shop.write("run.py", DANGER)
    said = checked(session, level="final")["evaluation"]
    told = json.loads(canonical_json((await check(shop.folder, Selection(), Level.FINAL)).evaluation))
    del said["timings"], told["timings"]  # the only part that may vary
    assert json.dumps(said, sort_keys=True) == json.dumps(told, sort_keys=True)


@pytest.mark.parametrize(
    "path",
    [
        "../outside.py",
        "/etc/passwd",
        "a/../../b.py",
        ".git/hooks/pre-commit",
        "sub/.GIT/config",
        "",
        "a\0b",
        "out/x.py",
    ],
)
def test_a_path_outside_is_refused(shop: Repository, session: Connection, path: str) -> None:
    (shop.folder / "out").symlink_to(shop.folder.parent)
    with pytest.raises(RefusedError, match="path"):
        checked(session, texts=[{"path": path, "text": "x = 1\n"}])


def test_a_text_that_is_too_large_is_refused(session: Connection) -> None:
    with pytest.raises(RefusedError, match="too much for one check"):
        checked(session, texts=texts(huge="x = 1\n" * 8_000_000))
    assert checked(session)["fresh"]


def test_who_waits_no_longer_can_ask_again(session: Connection) -> None:
    who = (
        f"the resident engine of .* .process {session.registration.pid}. has not answered gateline/checkpoint"
    )
    with pytest.raises(LateError, match=f"{who}.* within 0.0 s: it is starting, or busy"):
        session.ask("gateline/checkpoint/evaluate", {"level": "final"}, 0.001)
    assert checked(session)["fresh"]


@pytest.mark.parametrize(
    "method", ["gateline/nonsense", "workspace/executeCommand", "textDocument/hover", "shutdown"]
)
def test_only_own_requests_are_answered(session: Connection, method: str) -> None:
    with pytest.raises(RefusedError, match="is not a request of gateline"):
        session.ask(method, {"command": "gateline.tests.allow"}, 10)


def test_params_that_do_not_fit_are_told(session: Connection) -> None:
    with pytest.raises(RefusedError, match="level") as refused:
        checked(session, level="soon")
    assert refused.value.code == -32602


def test_another_edition_replaces_it(
    shop: Repository, session: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "GATELINE_GATES__FINAL_ACCEPT", "86")
    with connect(str(shop.folder), seconds=30) as newer:
        assert newer.registration.pid != session.registration.pid
        assert checked(newer, level="final")["evaluation"]["thresholds"]["accept"] == 86


def test_it_ends_when_nobody_asks(shop: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "GATELINE_AGENTS__IDLE", "0.0001")
    with connect(str(shop.folder), seconds=30) as session:
        checked(session)
        until = time.monotonic() + 30
        while registrations(str(shop.folder)) and time.monotonic() < until:
            time.sleep(0.1)
    assert [found.kind for found in registrations(str(shop.folder))] == []
