"""The written page: every cell says what was measured, or that nothing was."""

from __future__ import annotations

import re

import pytest
from measured import by_name, measured

from gateline_dev.bench.processes import Memory
from gateline_dev.bench.projects import PROJECTS
from gateline_dev.bench.results import Result
from gateline_dev.bench.servers import SERVERS
from gateline_dev.bench.tables import number, report, table
from gateline_dev.bench.targets import Results


def cells(page: str, first: str, column: str) -> list[str]:
    """What stands in a column of the rows that begin with `first`, in all tables that have it."""
    found, head = [], []
    for line in page.splitlines():
        row = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if row and not head:
            head = row
        elif row and row[0] == first and column in head:
            found.append(row[head.index(column)])
        head = head if row else []
    return found


def written(results: Results) -> str:
    return report(results, PROJECTS)


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [
        (None, None, "–"),
        (0.0, None, "0"),
        (0.046, None, "0.05"),
        (1.3, None, "1.30"),
        (9.994, None, "9.99"),
        (9.996, None, "10.0"),
        (46.25, None, "46.2"),
        (99.94, None, "99.9"),
        (99.96, None, "100"),
        (3.0, None, "3"),
        (1234.5, None, "1,234"),
        (3.0, 2, "3.00"),
    ],
)
def test_three_digits_mean_something(value: float | None, digits: int | None, expected: str) -> None:
    assert number(value, digits) == expected


def test_a_table_is_markdown() -> None:
    assert table(["server", "p50"], [["a", "1"], ["b", "–"]]) == (
        "| server | p50 |\n| --- | ---: |\n| a | 1 |\n| b | – |"
    )


def test_each_time_stands_in_its_servers_row() -> None:
    page = written(
        by_name(
            measured("echo", start=200, syntax=1, type=2),
            measured("gateline", start=230, syntax=(5, 7, 9), type=50),
            measured("pylsp-mypy", type=700, save=900),
        )
    )
    assert cells(page, "gateline", "syntax") == ["7 / 9"]
    assert cells(page, "pylsp-mypy", "syntax") == ["–"]
    assert cells(page, "gateline", "type ÷ echo") == ["25"]
    assert cells(page, "gateline", "pylsp-mypy ÷ type") == ["14"]
    assert cells(page, "gateline", "pylsp-mypy ÷ save") == ["–"]
    assert "### httpx 0.28.1, `httpx/_client.py`" in page
    assert "### django" not in page, "it was not measured"


def test_targets_are_met_missed_or_not_measured() -> None:
    page = written(by_name(measured("gateline", syntax=13, type=50)))
    said = {f"{kind} finding after an edit, p50": kind for kind in ("syntax", "mypy")}
    assert [cells(page, f"httpx: {what}", "")[0] for what in said] == ["**missed**", "met"]
    assert cells(page, "django: mypy finding after an edit, p50", "") == ["not measured"]
    assert cells(page, "httpx: syntax finding after an edit, p50", "measured") == ["13 ms"]
    assert cells(page, "httpx: times faster than pylsp-mypy live, p50", "target") == ["≥ 10 ×"]


def test_faults_and_memory_are_told() -> None:
    ours = measured("gateline", syntax=5, type=50)
    ours.kinds["syntax"].misses, ours.kinds["type"].misses, ours.kinds["type"].leftovers = 1, 2, 4
    ours.memory["opened"] = Memory(70.2, 250.5, 4)
    ours.note("peak MB", 310.4)
    page = written(by_name(ours))
    assert cells(page, "gateline", "missed / wrong again / too old") == ["3 / 0 / 4"]
    assert cells(page, "gateline", "server alone, opened") == ["70.2"]
    assert cells(page, "gateline", "processes") == ["4"]
    assert cells(page, "gateline", "peak") == ["310"]


def test_a_server_that_could_not_be_installed_says_why_and_has_no_numbers() -> None:
    failed = Result("pyrefly", "httpx", failures=["ERROR: no such version"])
    page = written(by_name(measured("gateline", type=50), failed))
    assert "| pyrefly | not measured: ERROR: no such version | – |" in page
    assert "- pyrefly: ERROR: no such version" in page


def test_what_was_measured_of_one_server_alone_has_its_own_tables() -> None:
    ours = measured(
        "gateline", **{"early with types": 100, "command gateline check": 900, "stall: open": (1, 30)}
    )
    ours.note("idle git calls", 0)
    page = written(by_name(measured("echo", start=200), ours))
    assert cells(page, "gateline", "early with types") == ["100 / 100"]
    assert cells(page, "gateline", "`gateline check`") == ["900 / 900"]
    assert cells(page, "gateline", "open") == ["1 / 30"]
    assert cells(page, "gateline", "idle git calls") == ["0"]
    assert not cells(page, "echo", "`gateline check`")


def test_every_table_of_a_full_run_has_as_many_cells_in_each_row() -> None:
    results = by_name(
        *(measured(s.name, p.name, start=1, syntax=2, type=3) for s in SERVERS for p in PROJECTS)
    )
    for block in re.findall(r"(?:^\|.*\n)+", written(results), re.MULTILINE):
        assert len({line.count("|") for line in block.splitlines()}) == 1, block
