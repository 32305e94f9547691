"""A pointer of Git LFS, and the content that was fetched for it since, are the same file."""

from __future__ import annotations

import hashlib
import subprocess

import pytest

from support.savepoint_desk import Desk

CONTENT = "weights\n" * 500


def pointer(text: str) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(text)}\n"


@pytest.fixture
def roomy(desk: Desk) -> Desk:
    return Desk(desk.repository, desk.state, largest=100_000)


def test_a_content_that_was_fetched_since_stays(roomy: Desk) -> None:
    roomy.repository.write("model.bin", pointer(CONTENT))
    kept = roomy.take()
    roomy.repository.write("model.bin", CONTENT)
    assert roomy.restore(kept) == ([], [])
    assert roomy.tree()["model.bin"] == CONTENT


def test_another_content_is_changed_back(roomy: Desk) -> None:
    roomy.repository.write("model.bin", pointer(CONTENT))
    kept = roomy.take()
    roomy.repository.write("model.bin", CONTENT.upper())
    assert roomy.restore(kept) == (["model.bin"], [])
    assert roomy.tree()["model.bin"] == pointer(CONTENT)


def test_git_is_asked_as_often_for_many_files_as_for_one(
    roomy: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(files: int) -> int:
        for number in range(files):
            roomy.repository.write(f"model{number}.bin", pointer(CONTENT))
        kept = roomy.take()
        for number in range(files):
            roomy.repository.write(f"model{number}.bin", CONTENT)
        calls.clear()
        assert roomy.restore(kept) == ([], [])
        return len(calls)

    calls: list[object] = []
    real = subprocess.run
    monkeypatch.setattr(
        subprocess, "run", lambda *given, **named: calls.append(given) or real(*given, **named)
    )
    assert asked(1) == asked(20)


def test_a_content_comes_back_for_its_pointer(roomy: Desk) -> None:
    roomy.repository.write("model.bin", CONTENT)
    kept = roomy.take()
    roomy.repository.write("model.bin", pointer(CONTENT))
    assert roomy.restore(kept) == (["model.bin"], [])
    assert roomy.tree()["model.bin"] == CONTENT
