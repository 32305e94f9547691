"""The corpora of changes: how they are read, and that changes which harm nothing are not blamed.

The rules are asked right here, without the processes of a check; `python -m gateline_dev.corpora`
asks those, too. What they find in each case of `corpora/integrity`, `test_integrity_golden.py` holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from gateline_dev.corpora.__main__ import FOLDER
from gateline_dev.corpora.here import judge_here
from gateline_dev.corpora.integrity import found
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


def test_changes_that_harm_nothing_are_not_blamed() -> None:
    assert [f"{case.name}: {case.about}" for case in blamed(read_corpus(FOLDER / "noise"))] == []


def blamed(cases: Sequence[Case]) -> list[Case]:
    """Of whom anything is said but that settings were edited."""
    return [one.case for one in judge_here(cases, {}, lambda _: None) if found(one)]


def test_only_releases_that_are_replayed_are_explained() -> None:
    replayed = {f"{release.name}-{release.version}" for release in read(FOLDER / "releases.txt")}
    sentences = explained(FOLDER / "explained.txt")
    assert sentences.keys() <= replayed
    assert all(sentence.endswith(".") for sentence in sentences.values())
