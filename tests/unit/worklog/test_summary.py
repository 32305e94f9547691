"""Summaries follow from events alone."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.worklog.rendering import markdown, plain
from gateline.worklog.summary import summaries
from gateline.worklog.task import Event, EventKind, Phase, Task, Tier

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def task(tier: Tier) -> Task:
    return Task("t1", "Prices with tax", tier, "300 changed lines", NOON)


def log(*rows: tuple[str, dict[str, object]]) -> list[Event]:
    """One event a minute."""
    return [
        Event(NOON + timedelta(minutes=n), EventKind(kind), detail) for n, (kind, detail) in enumerate(rows)
    ]


def reached(phase: Phase) -> tuple[str, dict[str, object]]:
    return "phase", {"phase": str(phase)}


WORK = (
    ("started", {}),
    ("planned", {"paths": ["shop/cart.py", "tests/test_cart.py"]}),
    ("todo", {"text": "tax", "state": "open"}),
    ("todo", {"text": "rounding", "state": "open"}),
    reached(Phase.PLANNING_COMPLETE),
    ("edited", {"path": "shop/cart.py"}),
    ("edited", {"path": "shop/cart.py"}),
    ("saved", {"path": "shop/till.py"}),
    ("external_edit", {"path": "docs/prices.md"}),
    ("todo", {"text": "tax", "state": "done"}),
    ("tests", {"passed": 7, "failed": 1, "skipped": 2, "failing": ["tests/test_cart.py::test_tax"]}),
    reached(Phase.EXECUTION_COMPLETE),
    ("edited", {"path": "shop/cart.py"}),
    ("tests", {"passed": 8, "failed": 0, "skipped": 2}),
    ("todo", {"text": "rounding", "state": "done"}),
    reached(Phase.VERIFICATION_COMPLETE),
)


@pytest.mark.parametrize(
    ("tier", "phases"),
    [
        (Tier.STRICT, ["planning_complete", "execution_complete", "verification_complete"]),
        (Tier.STANDARD, ["execution_complete"]),
        (Tier.LIGHT, []),
        (Tier.EXEMPT, []),
    ],
)
def test_how_many_summaries_a_tier_has(tier: Tier, phases: list[str]) -> None:
    assert [summary.phase for summary in summaries(task(tier), log(*WORK))] == phases
    again = log(*WORK, *(reached(phase) for phase in Phase))
    assert [summary.phase for summary in summaries(task(tier), again)] == phases


def test_what_is_in_a_summary() -> None:
    planning, execution, verification = map(plain, summaries(task(Tier.STRICT), log(*WORK)))
    assert planning == {
        "phase": "planning_complete",
        "timestamp": "2026-03-01T12:04:00Z",
        "operations": {"planned": 1, "started": 1, "todo": 2},
        "files_modified": [],
        "todos_completed": [],
        "todos_remaining": ["tax", "rounding"],
        "deviations": [],
        "verification": {"passed": 0, "failed": 0, "skipped": 0},
    }
    assert execution == {
        "phase": "execution_complete",
        "timestamp": "2026-03-01T12:11:00Z",
        "operations": {"edited": 2, "external_edit": 1, "saved": 1, "tests": 1, "todo": 1},
        "files_modified": ["docs/prices.md", "shop/cart.py", "shop/till.py"],
        "todos_completed": ["tax"],
        "todos_remaining": ["rounding"],
        "deviations": [
            {"type": "todo_incomplete", "severity": "medium", "detail": "rounding"},
            {"type": "unplanned_file", "severity": "medium", "detail": "docs/prices.md"},
            {"type": "unplanned_file", "severity": "low", "detail": "shop/till.py"},
            {"type": "test_failure", "severity": "high", "detail": "tests/test_cart.py::test_tax"},
        ],
        "verification": {"passed": 7, "failed": 1, "skipped": 2},
    }
    assert verification["operations"] == {"edited": 1, "tests": 1, "todo": 1}
    assert verification["todos_remaining"] == []
    assert [d["type"] for d in verification["deviations"]] == ["unplanned_file", "unplanned_file"]  # type: ignore[attr-defined]


def test_a_todo_that_is_left_at_the_end_matters_most() -> None:
    rows = [row for row in WORK if row != ("todo", {"text": "rounding", "state": "done"})]
    last = summaries(task(Tier.STRICT), log(*rows))[-1]
    assert next((d.detail, d.severity) for d in last.deviations) == ("rounding", "high")


def test_without_a_plan_no_file_is_unplanned() -> None:
    rows = [row for row in WORK if row[0] != "planned"]
    (summary,) = summaries(task(Tier.STANDARD), log(*rows))
    assert [str(d.kind) for d in summary.deviations] == ["todo_incomplete", "test_failure"]


def test_tests_that_failed_without_names_are_counted() -> None:
    rows = (("tests", {"failed": 3}), reached(Phase.EXECUTION_COMPLETE))
    (summary,) = summaries(task(Tier.STANDARD), log(*rows))
    assert [d.detail for d in summary.deviations] == ["3 failing"]


def test_a_page_of_it() -> None:
    page = markdown(task(Tier.STANDARD), map(plain, summaries(task(Tier.STANDARD), log(*WORK))))
    assert page.startswith(
        "# Prices with tax\n\nSTANDARD (300 changed lines), in_progress, started 2026-03-01T12:00:00Z"
    )
    assert "## Execution complete" in page
    assert "- medium: todo_incomplete" in page
    assert page.endswith("Tests: 7 passed, 1 failed, 2 skipped\n")


_EVENTS = st.lists(
    st.tuples(
        st.sampled_from([str(kind) for kind in EventKind]),
        st.dictionaries(
            st.sampled_from(["path", "text", "state", "phase", "failed", "failing", "paths"]),
            st.one_of(
                st.text(max_size=5),
                st.integers(),
                st.lists(st.text(max_size=3)),
                st.sampled_from([str(p) for p in Phase]),
            ),
        ),
    ),
    max_size=40,
)


@given(_EVENTS, st.sampled_from(Tier))
def test_any_events_can_be_summed_up(rows: list[tuple[str, dict[str, object]]], tier: Tier) -> None:
    made = summaries(task(tier), log(*rows))
    assert len(made) <= {Tier.STRICT: 3, Tier.STANDARD: 1}.get(tier, 0)
    json.dumps([plain(summary) for summary in made])
    markdown(task(tier), made)


def test_a_phase_that_is_said_after_a_later_one_takes_nothing_from_it() -> None:
    edit, late = ("edited", {"path": "shop/cart.py"}), ("edited", {"path": "shop/till.py"})
    rows = (edit, reached(Phase.EXECUTION_COMPLETE), late, reached(Phase.PLANNING_COMPLETE))
    found = {one.phase: one.files_modified for one in summaries(task(Tier.STRICT), log(*rows))}
    assert found == {"planning_complete": ("shop/till.py",), "execution_complete": ("shop/cart.py",)}
    assert list(found) == ["planning_complete", "execution_complete"]
