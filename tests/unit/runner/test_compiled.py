"""Compiled modules kept by content: in a file that may be missing, damaged or another's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateline.services.tests.far.contents import compiled as module
from gateline.services.tests.far.contents.compiled import Compiled


def made(kept: Compiled, data: bytes = b"x = 1", kind: str = "module", name: str = "a.py") -> list[str]:
    """What had to be made to answer."""
    calls: list[str] = []

    def make() -> Any:
        calls.append(name)
        return None, compile(data, name, "exec")

    found = kept.made(kind, data, name, make)
    space: dict[str, object] = {}
    exec(found[1], space)
    assert found[0] is None and space["x"]
    return calls


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """One in which a module is kept."""
    kept = Compiled(str(tmp_path / "cache" / "compiled"))
    assert made(kept) and not made(kept)
    kept.save()
    return tmp_path / "cache" / "compiled"


def test_the_next_collection_makes_nothing(file: Path) -> None:
    assert made(Compiled(str(file))) == []


def test_another_content_way_or_name_is_made(file: Path) -> None:
    kept = Compiled(str(file))
    assert made(kept, b"x = 2") and made(kept, kind="pytest 9") and made(kept, name="b.py")


@pytest.mark.parametrize("damage", [b"", b"short", bytes(200)])
def test_a_damaged_file_is_made_anew(file: Path, damage: bytes) -> None:
    file.write_bytes(damage)
    kept = Compiled(str(file))
    assert made(kept)
    kept.save()
    assert not made(Compiled(str(file)))


def test_one_that_was_cut_short_is_not_believed(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])
    assert made(Compiled(str(file)))


def test_what_was_not_used_goes_first(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGEST", len(file.read_bytes()))
    kept = Compiled(str(file))
    made(kept, b"x = 2")
    kept.save()
    later = Compiled(str(file))
    assert not made(later, b"x = 2") and made(later)


def test_what_is_no_plain_value_is_not_kept(file: Path) -> None:
    kept = Compiled(str(file))
    assert kept.made("module", b"", "a.py", object) is not kept.made("module", b"", "a.py", object)


def test_without_a_file_nothing_is_kept() -> None:
    assert made(Compiled("")) and made(Compiled(""))
    assert made(Compiled("/proc/no/such/folder/file"))
