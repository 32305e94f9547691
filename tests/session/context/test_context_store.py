"""What is kept of a folder: it answers the same another day, and what the disk made of it is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.session.context.setup import retrieval_of
from support.context_folder import SECRET, asked, begun, opened, paths
from support.repositories import Repository


@pytest.fixture
def project(repository: Repository) -> Repository:
    return begun(repository)


class TestStore:
    def test_what_was_saved_answers_the_same(self, project: Repository) -> None:
        first = opened(project)
        first.save()
        second = retrieval_of(project.folder, {})
        assert second.status().chunks == first.status().chunks > 0
        assert asked(second, "address of a title") == asked(first, "address of a title")

    @pytest.mark.parametrize("damage", [b"", b"nothing of ours", b"PK\x03\x04 cut short"])
    def test_what_is_damaged_is_dropped_and_made_anew(self, project: Repository, damage: bytes) -> None:
        opened(project).save()
        file = opened(project).store.folder / "index.safetensors"
        file.write_bytes(damage)
        found = opened(project)
        assert "damaged" in found.message
        assert paths(found, "address") == {"pkg/text.py"}

    @pytest.mark.parametrize("share", [0.02, 0.2, 0.5, 0.9])
    def test_a_flipped_byte_is_noticed(self, project: Repository, share: float) -> None:
        opened(project).save()
        file = opened(project).store.folder / "index.safetensors"
        content = bytearray(file.read_bytes())
        content[int(len(content) * share)] ^= 0xFF
        file.write_bytes(content)
        found = opened(project)
        assert "damaged" in found.message
        assert paths(found, "address") == {"pkg/text.py"}

    def test_another_version_is_dropped(self, project: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        opened(project).save()
        monkeypatch.setattr("gateline.session.context.store.FORMAT", 99)
        found = opened(project)
        assert "another version" in found.message
        assert paths(found, "address") == {"pkg/text.py"}

    def test_a_full_disk_is_said_and_costs_nothing_else(
        self, project: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = opened(project)
        found.save()
        before = (found.store.folder / "index.safetensors").read_bytes()

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("gateline.session.context.store.os.fdopen", full)
        project.write("more.py", SECRET)
        found.refresh()
        found.save()
        assert "No space left" in found.message
        assert paths(found, "connect vault") >= {"more.py"}
        assert [file.name for file in found.store.folder.iterdir()] == ["index.safetensors"]
        assert (found.store.folder / "index.safetensors").read_bytes() == before

    def test_clear_removes_everything(self, project: Repository) -> None:
        found = opened(project)
        found.save()
        assert found.store.clear() > 0
        assert not found.store.folder.exists() and found.store.size == 0

    def test_two_workspaces_of_one_name_have_folders_of_their_own(
        self, project: Repository, tmp_path: Path
    ) -> None:
        other = tmp_path / "other" / project.folder.name
        other.mkdir(parents=True)
        assert retrieval_of(other, {}).store.folder != retrieval_of(project.folder, {}).store.folder
