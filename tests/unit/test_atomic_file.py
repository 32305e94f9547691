"""A file is replaced as a whole, or not at all."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gateline.atomic_file import replace_file


def test_the_new_content_takes_the_place_of_the_old_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    file.write_bytes(b"old")
    replace_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["kept.json"]


def test_where_it_fails_the_old_content_stays_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept.json"
    file.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(file, b"new")
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["kept.json"]


def test_of_several_at_once_one_is_left_whole(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    contents = [bytes([65 + n]) * 100_000 for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda data: replace_file(file, data), contents))
    assert file.read_bytes() in contents
    assert os.listdir(tmp_path) == ["kept.json"]
