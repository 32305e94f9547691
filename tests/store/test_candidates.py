"""What a person names becomes a tree, and a folder of its own; nothing of theirs changes."""

import subprocess

import pytest

from gateline.session.tasks.savepoints import savepoints_of
from gateline.session.tasks.tasks import now
from gateline.store.candidates.checkouts import checkouts
from gateline.store.candidates.trees import CandidateError, Trees
from support.repositories import Repository

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 9\n"


@pytest.fixture
def shop(repository: Repository) -> Repository:
    repository.commit("begin", **{"cart.py": "X = 1\n", "data.bin": "\0\1"})
    for branch, text in (("one", "X = 2\n"), ("two", "X = 3\n")):
        repository.git("checkout", "-q", "-b", branch, "main")
        repository.commit(branch, **{"cart.py": text})
    repository.git("checkout", "-q", "main")
    return repository


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


@pytest.fixture
def trees(shop, state):
    return Trees(savepoints_of(shop.folder, state), shop.folder)


def names(trees, *asked):
    base = trees.base(None, asked)
    return base, [trees.find(name, base) for name in asked]


def test_all_kinds_are_found(shop, trees, state, tmp_path):
    (shop.folder / "cart.py").write_text("X = 4\n")
    savepoint = savepoints_of(shop.folder, state).take("by hand", now())
    shop.git("stash")
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "cart.py").write_text("X = 5\n")
    (copy / "data.bin").write_bytes(b"\0\1")
    (tmp_path / "fix.patch").write_text(shop.git("diff", "main", "two") + "\n")
    work_tree = tmp_path / "linked"
    shop.git("worktree", "add", "-q", str(work_tree), "one")
    asked = ("one", "stash@{0}", str(copy), str(tmp_path / "fix.patch"), savepoint.id, str(work_tree))
    base, given = names(trees, *asked)
    assert base.commit == shop.git("rev-parse", "main")
    kinds = ["commit", "stash entry", "folder", "patch", "savepoint", "folder"]
    assert [one.kind for one in given] == kinds
    texts = [trees.contents(one.tree, ["cart.py"])["cart.py"].decode().strip() for one in given]
    assert texts == ["X = 2", "X = 4", "X = 5", "X = 3", "X = 4", "X = 2"]
    assert {one.changed for one in given} == {("cart.py",)}
    assert trees.added(base.tree, given[0].tree) == "X = 2"


def test_files_of_one_tree_are_put_into_another(shop, trees):
    shop.git("checkout", "-q", "-b", "tested", "main")
    shop.write("test_cart.py", "def test():\n    pass\n")
    shop.git("rm", "-q", "data.bin")
    shop.commit("tested")
    _, (one, tested) = names(trees, "one", "tested")
    mixed = trees.with_files(one.tree, tested.tree, ("test_cart.py", "data.bin"))
    assert list(trees.blobs(mixed, ["cart.py", "data.bin", "test_cart.py"])) == ["cart.py", "test_cart.py"]
    assert trees.contents(mixed, ["cart.py"])["cart.py"] == b"X = 2\n"
    assert trees.with_files(mixed, tested.tree, ("test_cart.py",)) == mixed


def test_nothing_of_the_user_changes(shop, trees, state):
    def seen():
        index = (shop.folder / ".git" / "index").read_bytes()
        return shop.git("for-each-ref"), shop.git("worktree", "list"), shop.git("status", "--short"), index

    before = seen()
    base, (one, _) = names(trees, "one", "two")
    with checkouts(shop.folder, savepoints_of(shop.folder, state).shadow, state) as places:
        made = places.make(1, one.tree, base)
        assert (made.files / "cart.py").read_text() == "X = 2\n"
        said = subprocess.run(
            ["git", "diff", "--name-only", "main"], cwd=made.files, capture_output=True, text=True, check=True
        )
        assert said.stdout == "cart.py\n"
    assert seen() == before
    assert not made.folder.exists()


def test_what_a_killed_comparison_left_is_removed(shop, state):
    shadow = savepoints_of(shop.folder, state).shadow
    with checkouts(shop.folder, shadow, state) as places:
        folder = places.folder
    (folder / "07" / "tree").mkdir(parents=True)
    with checkouts(shop.folder, shadow, state):
        assert [entry.name for entry in folder.iterdir()] == ["compare.lock"]


def forked(shop, branch, start, name):
    shop.git("checkout", "-q", "-b", branch, start)
    shop.commit(branch, **{name: f"{branch!r}\n"})
    commit = shop.git("rev-parse", "HEAD")
    shop.git("checkout", "-q", "main")
    return commit


def test_who_is_based_on_a_later_commit_is_told(shop, trees):
    later = forked(shop, "later", "main", "upstream.py")
    shop.git("merge", "-q", "--ff-only", "later")
    forked(shop, "three", "main", "mine.py")
    base, given = names(trees, "one", "two", "three")
    assert base.commit == shop.git("rev-parse", "main~1")
    shared, told = trees.told_apart(given, base)
    assert not shared.commit
    assert [(one.name, one.start, one.ahead) for one in told] == [
        *(("one", "", 0), ("two", "", 0), ("three", later, 1))
    ]


def test_what_all_share_is_nobodys_own(shop, trees):
    begin = shop.git("rev-parse", "main")
    later = forked(shop, "later", "main", "upstream.py")
    for name in ("three", "four"):
        forked(shop, name, "later", f"{name}.py")
    base = trees.base(begin, ())
    given = [trees.find(name, base) for name in ("three", "four")]
    assert given[0].changed == ("three.py", "upstream.py")
    shared, told = trees.told_apart(given, base)
    assert (shared.commit, shared.count) == (later, 1)
    assert [(one.changed, one.start) for one in told] == [(("three.py",), ""), (("four.py",), "")]
    assert [trees.added(one.origin, one.tree) for one in told] == ["'three'", "'four'"]


def test_one_that_builds_on_another_is_told(shop, trees):
    forked(shop, "more", "one", "more.py")
    base, given = names(trees, "one", "more")
    shared, told = trees.told_apart(given, base)
    assert not shared.commit
    assert [(one.start, one.ahead) for one in told] == [("", 0), (shop.git("rev-parse", "one"), 1)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "nobody is not a branch, commit, stash entry, folder, patch file or savepoint here"),
        ("main", "main is equal to the base: there is nothing to compare"),
        ("bad.patch", "bad.patch does not apply to the base: .*cart.py"),
        ("binary.patch", "binary.patch does not apply to the base: .*data.bin"),
        ("pointer", "pointer has a Git LFS pointer instead of the content of big.bin"),
        ("module", "module changes the submodule lib, whose content is not available here"),
    ],
)
def test_what_cannot_be_compared_is_named(shop, trees, name, message):
    shop.write("bad.patch", "--- a/cart.py\n+++ b/cart.py\n@@ -1 +1 @@\n-Y = 1\n+Y = 2\n")
    shop.write("binary.patch", "diff --git a/data.bin b/data.bin\nindex 1..2 100644\nBinary files differ\n")
    shop.git("checkout", "-q", "-b", "pointer", "main")
    shop.write("big.bin", POINTER)
    shop.git("add", "big.bin")
    shop.git("commit", "-q", "-m", "pointer")
    shop.git("checkout", "-q", "-b", "module", "main")
    commit = shop.git("rev-parse", "HEAD")
    shop.git("update-index", "--add", "--cacheinfo", f"160000,{commit},lib")
    shop.git("commit", "-q", "-m", "module")
    shop.git("checkout", "-q", "-f", "main")
    base = trees.base("main", ())
    with pytest.raises(CandidateError, match=message):
        trees.find(name, base)


def test_an_unknown_base_is_named(trees):
    with pytest.raises(CandidateError, match="base 'nobody' names no commit here"):
        trees.base("nobody", ())
