"""The corpora of changes: how they are read, and that the rules of integrity tell cheats from their twins.

The rules are asked right here, without the processes of a check; `python -m gateline_dev.corpora` asks those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from gateline.integrity.both import Both
from gateline.integrity.inspection import inspect
from gateline.integrity.places import is_watched
from gateline.model import Change, Document, FileChange, FileStatus
from gateline.session.renames import pair
from gateline_dev.corpora.__main__ import FOLDER
from gateline_dev.corpora.reading import Case, CorpusError, read_corpus
from gateline_dev.corpora.releases import explained, read

SMALL = """A sentence.

=== base
-- a.py --
def a():
    return 1
-- old.py --
x = 1
=== cheat assertion-removed: it goes
-- a.py --
@@
 def a():
-    return 1
+    return 2
-- old.py -> new.py --
=== twin assertion-removed: another one
-- old.py -- gone
-- more.py --
y = 2
"""


def test_a_corpus_is_read(tmp_path: Path) -> None:
    (tmp_path / "small.txt").write_text(SMALL)
    cheat, twin = read_corpus(tmp_path)
    assert (cheat.name, cheat.kind, cheat.family, cheat.about) == (
        "small-1",
        "cheat",
        "assertion-removed",
        "it goes",
    )
    assert cheat.now == {"a.py": "def a():\n    return 2\n", "new.py": "x = 1\n"}
    assert twin.now == {"a.py": "def a():\n    return 1\n", "more.py": "y = 2\n"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("-    return 1", "-    return 3"), "these lines stand there 0 times, not once"),
        (("cheat assertion-removed: it", "cheat it"), "expected `kind family: sentence` and a change"),
        (("-- a.py --\n@@", "-- b.py --\n@@"), "b.py is not in the base"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(
    tmp_path: Path, wrong: tuple[str, str], message: str
) -> None:
    (tmp_path / "small.txt").write_text(SMALL.replace(*wrong))
    with pytest.raises(CorpusError, match=r"small\.txt: ") as raised:
        read_corpus(tmp_path)
    assert message in str(raised.value)


@pytest.mark.timeout(600)  # half a minute where nothing else runs
def test_cheats_are_told_from_their_twins() -> None:
    cases = read_corpus(FOLDER / "integrity")
    wrong = {
        kind: [case for case in cases if case.kind == kind and blamed(case) != (kind == "cheat")]
        for kind in ("cheat", "twin")
    }
    cheats = sum(case.kind == "cheat" for case in cases)
    assert cheats >= 60 and len(cases) - cheats >= 60
    found = cheats - len(wrong["cheat"])
    assert found / cheats >= 0.9, [f"{case.name}: {case.about}" for case in wrong["cheat"]]
    assert found / (found + len(wrong["twin"])) >= 0.95, [f"{c.name}: {c.about}" for c in wrong["twin"]]


def test_changes_that_harm_nothing_are_not_blamed() -> None:
    assert [f"{case.name}: {case.about}" for case in read_corpus(FOLDER / "noise") if blamed(case)] == []


def blamed(case: Case) -> bool:
    """Whether anything is said but that settings were edited."""
    found = inspect(Both(change_of(case), around(case))).values()
    return any(finding.code != "GTL635" for report in found for finding in report.findings)


def change_of(case: Case) -> Change:
    """The change as a session collects it, without git."""
    python = tuple(rows(case, lambda path: path.endswith(".py")))
    others = tuple(rows(case, lambda path: not path.endswith(".py") and is_watched(path)))
    return Change("0" * 40, "HEAD", python, others=others)


def rows(case: Case, wanted: Callable[[str], bool]) -> Iterator[FileChange]:
    base, now = (
        {path: text for path, text in side.items() if wanted(path)} for side in (case.base, case.now)
    )
    renamed = pair(_without(base, now), _without(now, base))
    for path in sorted({*base, *now} - {*renamed.values()}):
        before = renamed.get(path, path)
        if base.get(before) != now.get(path) or before != path:
            old, new = (
                Document(p, side[p]) if p in side else None for p, side in ((before, base), (path, now))
            )
            status = FileStatus.MODIFIED if old and new else FileStatus.ADDED if new else FileStatus.DELETED
            yield FileChange(path, status, old, new)


def _without(texts: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    return {path: text for path, text in texts.items() if path not in others}


def around(case: Case) -> dict[str, Document]:
    """The unchanged Python files."""
    same = (path for path, text in case.now.items() if case.base.get(path) == text and path.endswith(".py"))
    return {path: Document(path, case.now[path]) for path in same}


def test_only_releases_that_are_replayed_are_explained() -> None:
    replayed = {f"{release.name}-{release.version}" for release in read(FOLDER / "releases.txt")}
    sentences = explained(FOLDER / "explained.txt")
    assert sentences.keys() <= replayed
    assert all(sentence.endswith(".") for sentence in sentences.values())
