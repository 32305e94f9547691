"""Which target is met by which measurement."""

from __future__ import annotations

import pytest
from measured import by_name, measured

from gateline_dev.bench.processes import Memory
from gateline_dev.bench.results import Result
from gateline_dev.bench.targets import Results, Verdict, ratio, verdicts


def verdict(results: Results, begins: str) -> Verdict:
    (found,) = [v for v in verdicts(results) if v.what.startswith(begins)]
    return found


def of_ours(**milliseconds: float | tuple[float, ...]) -> Results:
    return by_name(measured("gateline", **milliseconds))


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [(6, 3, 2), (0, 3, 0), (None, 3, None), (6, None, None), (6, 0, None)],
)
def test_ratios_of_what_is_missing_are_missing(
    above: float | None, below: float | None, expected: float | None
) -> None:
    assert ratio(above, below) == expected


@pytest.mark.parametrize(
    ("measured", "limit", "at_least", "met"),
    [
        (12, 12, False, True),
        (12.001, 12, False, False),
        (10, 10, True, True),
        (9.999, 10, True, False),
        (0, 0, False, True),
        (None, 12, False, None),
        (12, None, False, None),
    ],
)
def test_limits_are_included(
    measured: float | None, limit: float | None, at_least: bool, met: bool | None
) -> None:
    assert Verdict("it", measured, limit, at_least=at_least).met is met


def test_of_nothing_every_target_is_told_and_none_is_met() -> None:
    found = verdicts({})
    assert len({v.what for v in found}) == len(found) > 20
    assert {v.met for v in found} == {None}
    assert all(v.limit is not None for v in found if "growth" not in v.what)


@pytest.mark.parametrize(
    ("begins", "kind", "times", "met"),
    [
        ("httpx: syntax finding after an edit, p50", "syntax", (12.0, 12.0, 99.0), True),
        ("httpx: syntax finding after an edit, p95", "syntax", (12.0, 12.0, 36.0), False),
        ("httpx: mypy finding after an edit, p50", "type", (76.0, 76.0, 70.0), False),
        ("httpx: mypy finding after an edit, p95", "type", (76.0, 76.0, 250.0), True),
        ("httpx: open to first types, cold", "open cold", (3001.0,), False),
        ("httpx: open to first types, from the cache", "open warm", (900.0,), True),
        ("30,000 lines, open: slowest small request", "stall: open", (1.0, 51.0), False),
        ("30,000 lines, edit: slowest small request", "stall: edit", (1.0, 50.0), True),
        ("httpx, 500 lines: verdict at early", "early without types", (80.0,), True),
        ("httpx, 500 lines: verdict at final", "final without types", (201.0,), False),
    ],
)
def test_times_are_held_against_their_limits(
    begins: str, kind: str, times: tuple[float, ...], met: bool
) -> None:
    assert verdict(of_ours(**{kind: times}), begins).met is met


def test_a_burst_is_held_against_a_single_edit_of_its_kind() -> None:
    results = of_ours(syntax=5, type=50, **{"burst syntax": 11, "burst type": 99})
    assert verdict(results, "httpx: syntax finding after a burst").measured == pytest.approx(2.2)
    assert verdict(results, "httpx: syntax finding after a burst").met is False
    assert verdict(results, "httpx: type finding after a burst").met is True


def test_other_servers_are_compared_with_and_not_judged() -> None:
    results = by_name(
        measured("gateline", type=60, start=250),
        measured("pylsp-mypy", type=540, syntax=700),
        measured("echo", start=200),
        measured("gateline-both", type=41),
    )
    assert verdict(results, "httpx: times faster than pylsp").measured == pytest.approx(9)
    assert verdict(results, "httpx: times faster than pylsp").met is False
    assert verdict(results, "start to `initialize` answered").met is True
    assert verdict(results, "httpx: first type finding with both engines").met is False
    assert verdict(results, "httpx: syntax finding after an edit, p50").met is None


def test_growth_is_held_against_the_size_of_the_files() -> None:
    small, large = measured("gateline", type=60, syntax=6), measured("gateline", "django", type=151, syntax=9)
    small.note("target bytes", 60_000)
    large.note("target bytes", 90_000)
    results = by_name(small, large)
    assert verdict(results, "from httpx to django: growth of the time to a type").met is False
    syntax = verdict(results, "from httpx to django: growth of the time to a syntax")
    assert (syntax.limit, syntax.met) == (1.5, True)
    assert verdict(results, "django: mypy finding").met is True


def test_wrong_answers_are_counted_in_all_projects() -> None:
    small, large = measured("gateline", syntax=6), measured("gateline", "django", type=90)
    small.kinds["syntax"].misses, large.kinds["type"].misses = 1, 2
    large.kinds["type"].leftovers = 1
    other = measured("ruff", syntax=1)
    other.kinds["syntax"].relapses = 5
    results = by_name(small, large, other)
    assert verdict(results, "all projects: findings missed").measured == 3
    assert verdict(results, "all projects: findings of an older version").met is False
    assert verdict(results, "all projects: right findings that went wrong").met is True


def test_memory_and_rest() -> None:
    ours = Result("gateline", "httpx", memory={"opened": Memory(75, 301, 4), "session": Memory(80, 400, 4)})
    ours.note("idle CPU %", 0.4)
    ours.note("idle git calls", 1)
    results = by_name(ours)
    met = [verdict(results, begins).met for begins in ("httpx, opened: server", "httpx, opened: all")]
    assert met == [True, False]
    assert verdict(results, "httpx, after 1,000 edits").met is True
    assert (verdict(results, "idle: processor").met, verdict(results, "idle: git").met) == (True, False)
