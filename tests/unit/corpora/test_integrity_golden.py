"""What the rules of integrity find in each case of the frozen corpora, exactly.

The rules are asked right here, without the processes of a check. A change of a rule that moves a finding
shows here as a difference of `tests/goldens/integrity.txt`; `--update` writes it.
"""

from __future__ import annotations

from zlib import crc32

import pytest

from gateline.model import Dimension
from gateline_dev.corpora.__main__ import FOLDER
from gateline_dev.corpora.here import judge_here
from gateline_dev.corpora.judged import Judged
from gateline_dev.corpora.reading import read_corpus
from support import golden_file

SETTINGS_EDITED = "GTL635"
"""It is shown, and blames nobody."""
GOLDEN = golden_file.FOLDER / "integrity.txt"


def rows(one: Judged) -> list[str]:
    """The findings of integrity: code and place, sorted."""
    found = (f for f in one.new if f.dimension is Dimension.INTEGRITY)
    return sorted(f"{f.code} {f.path}:{f.span.start.line + 1}" for f in found)


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("every", "least"),
    [
        pytest.param(18, 150, id="a few"),
        pytest.param(6, 500, marks=pytest.mark.deep, id="a sixth"),
        pytest.param(1, 3_500, marks=pytest.mark.slow, id="all"),
    ],
)
def test_findings_are_those_of_the_golden_file(
    every: int, least: int, request: pytest.FixtureRequest
) -> None:
    cases = read_corpus(FOLDER / "integrity")
    asked = [case for case in cases if crc32(case.name.encode()) % every == 0]
    assert len(asked) >= least
    found = {f"{o.case.name} {o.case.kind}": rows(o) for o in judge_here(asked, {}, lambda _: None)}
    names = [f"{case.name} {case.kind}" for case in cases]
    golden_file.compare(GOLDEN, found, names, update=request.config.getoption("--update"))


def test_the_golden_file_tells_cheats_from_their_twins() -> None:
    """What nobody may write with `--update` unseen: rules that find less, or blame honest changes."""
    blamed = {
        name: any(not row.startswith(SETTINGS_EDITED) for row in rows)
        for name, rows in golden_file.read(GOLDEN).items()
    }
    cheats = [said for name, said in blamed.items() if name.endswith(" cheat")]
    assert [name for name, said in blamed.items() if name.endswith(" twin") and said] == []
    assert len(cheats) >= 1_900
    assert sum(cheats) / len(cheats) >= 0.98
