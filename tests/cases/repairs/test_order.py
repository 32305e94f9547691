"""What all families propose for each text case, in the order in which it is tried, with its costs.

Every verification fails, so that the search goes on to its end. The order is exact: a cost or a family
that is changed shows here as a difference of `tests/goldens/repairs.txt`; `--update` writes it.
"""

from __future__ import annotations

from zlib import crc32

import pytest

from support import golden_file, text_cases
from support.repair_cases import FILES, problem_of, proposed

GOLDEN = golden_file.FOLDER / "repairs.txt"


def attempts(text: str) -> list[str]:
    case = text_cases.read(text)
    clean, problem = problem_of({f.name: f.text for f in case.files if not f.name.startswith("after/")})
    return proposed(problem, clean)


# Of a second for each of hundreds of cases: minutes on a machine that does much else.
@pytest.mark.timeout(900)
@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.deep)], ids=["a few", "all"])
def test_the_order_is_that_of_the_golden_file(every: int, request: pytest.FixtureRequest) -> None:
    asked = [file for file in FILES if crc32(file.stem.encode()) % every == 0]
    found = {file.stem: attempts(file.read_text(encoding="utf-8")) for file in asked}
    names = [file.stem for file in FILES]
    golden_file.compare(GOLDEN, found, names, update=request.config.getoption("--update"))
