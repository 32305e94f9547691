"""What all families propose for cases of the visible corpus of broken programs, in order, with costs.

The corpus grows outside of the repository: `corpora/packages.toml` pins the one that
`tests/goldens/visible_repairs.txt` was made with. Nothing is run, every verification fails. After a change
that is meant: `AUTODEBUG=FOLDER pytest -m slow tests/cases/repairs/test_visible.py --update`.
"""

from __future__ import annotations

import sys
from zlib import crc32

import pytest

from gateline_dev.autodebug.cases import Case
from support import golden_file
from support.repair_cases import proposed
from support.visible_corpus import visible_cases

GOLDEN = golden_file.FOLDER / "visible_repairs.txt"
EVERY = 6
"""A sixth takes 42 s of an idle processor."""
WRITTEN_WITH = (3, 11)
"""The words of its compiler, and the modules of its library, are in what is proposed."""


def is_asked(case: Case) -> bool:
    """Whether a case is in the spread, whatever is added to the corpus."""
    return crc32(case.name.encode()) % EVERY == 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_proposals_are_those_of_the_golden_file(request: pytest.FixtureRequest) -> None:
    if sys.version_info[:2] != WRITTEN_WITH:
        pytest.skip(
            f"not compared: the golden file was written with Python {WRITTEN_WITH[0]}.{WRITTEN_WITH[1]}"
        )
    asked = [case for case in visible_cases() if is_asked(case)]
    assert len(asked) >= 100
    found = {case.name: proposed(case.problem, case.texts) for case in asked}
    golden_file.compare(GOLDEN, found, list(found), update=request.config.getoption("--update"))


def test_the_golden_file_has_the_spread() -> None:
    """Cases of each kind, and something proposed for nearly all of them."""
    golden = golden_file.read(GOLDEN)
    assert len(golden) >= 100
    assert {name.partition("-")[0] for name in golden} == {"mut", "wild"}
    assert sum(map(bool, golden.values())) >= 0.9 * len(golden)
