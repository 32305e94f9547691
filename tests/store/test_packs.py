"""Trees travel as packs: what comes out is what went in, and anything else is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gateline.session.tasks.savepoints import savepoints_of
from gateline.store.candidates.packs import Pack, packed, unpacked
from gateline.store.candidates.trees import CandidateError
from gateline.store.savepoints.shadow import Shadow
from support.repositories import Repository

Sent = tuple[Shadow, str, str]


@pytest.fixture
def sent(repository: Repository, tmp_path: Path) -> Sent:
    """gateline's own git, and two trees."""
    repository.commit("begin", **{"cart.py": "X = 1\n", "deep/data.bin": "\0\1\r\n"})
    before = repository.git("rev-parse", "HEAD^{tree}")
    repository.commit("change", **{"cart.py": "X = 2\n"})
    return (
        savepoints_of(repository.folder, tmp_path / "state").shadow,
        before,
        repository.git("rev-parse", "HEAD^{tree}"),
    )


def test_a_tree_is_the_same_where_only_the_pack_is(sent: Sent, tmp_path: Path) -> None:
    shadow, before, after = sent
    pack = packed(shadow, (before, after, after))
    assert pack.trees == (before, after)
    with unpacked(pack, before, tmp_path / "there") as (places, base):
        made = places.make(1, after, base)
        assert (made.files / "cart.py").read_text() == "X = 2\n"
        assert (made.files / "deep" / "data.bin").read_bytes() == b"\0\1\r\n"
        repository = Repository(made.files)
        assert repository.git("rev-parse", "HEAD^{tree}") == before
        assert repository.git("rev-list", "--count", "HEAD") == "1"
        assert repository.git("diff", "--name-only", "HEAD") == "cart.py"
    assert list((tmp_path / "there" / "cluster" / "00").iterdir()) == []


def test_the_base_is_the_same_commit_each_time(sent: Sent, tmp_path: Path) -> None:
    shadow, before, _ = sent
    commits = set()
    for place in ("one", "two"):
        with unpacked(packed(shadow, (before,)), before, tmp_path / place) as (_, base):
            commits.add(base.commit)
    assert len(commits) == 1


def _cut(pack: Pack) -> Pack:
    return replace(pack, content=pack.content[:-30])


def _changed(pack: Pack) -> Pack:
    content = bytearray(pack.content)
    content[len(content) // 2] ^= 1
    return replace(pack, content=bytes(content))


def _of_another_name(pack: Pack) -> Pack:
    return replace(pack, trees=("1" * 40,))


@pytest.mark.parametrize("spoiled", [_cut, _changed, _of_another_name])
def test_a_pack_that_is_not_what_it_says_is_refused(spoiled, sent: Sent, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    shadow, before, after = sent
    pack = spoiled(packed(shadow, (before, after)))
    with (
        pytest.raises(CandidateError, match=f"the pack does not hold {pack.trees[0]}"),
        unpacked(pack, before, tmp_path / "there"),
    ):
        pytest.fail("it was unpacked")


def test_a_pack_that_lacks_a_part_of_a_tree_is_refused(sent: Sent, tmp_path: Path) -> None:
    shadow, before, _ = sent
    alone = shadow.run("pack-objects", "--quiet", "--stdout", stdin=f"{before}\n".encode())
    with (
        pytest.raises(CandidateError, match=f"the pack does not hold {before}"),
        unpacked(Pack("sha1", (before,), alone), before, tmp_path / "there"),
    ):
        pytest.fail("it was unpacked")
