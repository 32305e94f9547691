"""What runs of tests say of a repair."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateline.model import Frame, Origin, Problem, Proof, Span
from gateline.repairs.proof import Suite, proof_of
from gateline.repairs.tested import Ran, Rewritten, led_on, of_parsed, of_run, of_tests, own_verdict, sampled

A, B, C = "test_a.py::test_a", "test_a.py::test_b", "test_a.py::test_c"


def raised(message: str = "first", line: int = 3, kind: str = "TypeError", test: str = A) -> Problem:
    frame = Frame("shop.py", line, "total")
    return Problem(
        Origin.RUN, kind, message, "shop.py", Span.of(line, 0, line, 0), frames=(frame,), tests=(test,)
    )


FIRST = raised()


def ran(passed: str = "", failed: str = "", *problems: Problem, late: bool = False) -> Ran:
    """Tests by their last letters."""
    names = {"a": A, "b": B, "c": C, "f": "test_a.py"}
    return Ran(
        frozenset(names[letter] for letter in passed),
        frozenset(names[letter] for letter in failed),
        problems,
        is_late=late,
    )


def test_the_tests_of_a_problem_come_first() -> None:
    assert own_verdict(FIRST, ran("a")) is None
    assert own_verdict(FIRST, ran("a", "b")) is None, "another test says nothing of this problem"
    unseen = own_verdict(FIRST, ran("", "f"))
    assert unseen is not None
    assert proof_of(unseen) is None, "its file could not be collected"
    same = own_verdict(FIRST, ran("", "a", FIRST))
    assert same is not None
    assert (same.gone, same.remaining) == (False, ())
    assert own_verdict(FIRST, ran("", "a", FIRST, late=True)) == same, "what ended before it was late counts"
    assert own_verdict(FIRST, ran("a", late=True)) is None, "its own ended in time"
    late = own_verdict(FIRST, ran(late=True))
    assert late is not None
    assert proof_of(late) is None


@pytest.mark.parametrize("now", [raised("second"), raised(line=9), raised(kind="KeyError")])
def test_another_error_of_the_same_test_is_what_remains(now: Problem) -> None:
    verdict = own_verdict(FIRST, ran("", "a", now))
    assert verdict is not None
    assert (verdict.gone, verdict.remaining, proof_of(verdict)) == (True, (now,), None)


@pytest.mark.parametrize(
    ("repaired", "line", "is_gone"),
    [
        ("def total(rows):\n    if rows is None:\n        return 0\n    rows += one(rows)\n", 3, False),
        ("def total(rows):\n    if rows is not None:\n        rows += one(rows)\n", 2, False),
        ("def total(rows):\n    one(rows)\n    rows += two(rows)\n", 2, True),
    ],
    ids=["moved", "set further in", "another line"],
)
def test_a_line_that_a_repair_moved_is_the_same(repaired: str, line: int, is_gone: bool) -> None:
    texts = Rewritten({"shop.py": "def total(rows):\n    rows += one(rows)\n"}, {"shop.py": repaired})
    verdict = own_verdict(raised(line=1), ran("", "a", raised(line=line)), texts)
    assert verdict is not None
    assert verdict.gone is is_gone


def test_of_equal_lines_the_number_tells_them_apart() -> None:
    texts = Rewritten({"shop.py": "rows += one()\nrows += one()\n"}, {"shop.py": "one()\nrows += one()\n"})
    verdict = own_verdict(raised(line=0), ran("", "a", raised(line=1)), texts)
    assert verdict is not None
    assert verdict.gone


def test_an_error_without_a_place_leads_nowhere() -> None:
    verdict = own_verdict(FIRST, ran("", "a", replace(raised("second"), frames=())))
    assert verdict is not None
    assert (verdict.gone, verdict.remaining) == (True, ())


BEFORE = ran("b", "ac", FIRST, raised("other", 7, test=C))


@pytest.mark.parametrize(
    ("after", "proof"),
    [
        (ran("abc"), Proof.V3),
        (ran("ab", "c", raised("other", 7, test=C)), Proof.V3),
        (ran("a", "bc", raised("other", 7, test=C)), None),
        (ran("ab", "c", raised("first", 8, test=C)), None),
        (ran("ab", "c", raised("new", 8, test=C)), None),
        (ran("b", "ac", FIRST), None),
        (ran("abc", late=True), Proof.V1),
        (ran("bc", late=True), None),
        (ran("ac", "b", late=True), None),
        (ran("a", late=True), None),
    ],
    ids=[
        "all pass",
        "an old one fails",
        "broke one",
        "the same elsewhere",
        "a new one",
        "no change",
        "late, but its own passed",
        "late, and its own did not come",
        "late, and broke one",
        "late, and one that passed did not come",
    ],
)
def test_an_error_that_was_raised(after: Ran, proof: Proof | None) -> None:
    assert proof_of(of_run(FIRST, FIRST, BEFORE, after)) is proof


def test_what_differs_from_run_to_run_is_no_new_error() -> None:
    before = ran("b", "ac", FIRST, raised("no file /tmp/run-1/a.txt after 0.3 s at 0x7f01", 7, test=C))
    same = raised("no file /tmp/run-2/a.txt after 0.4 s at 0x7fa2", 7, test=C)
    assert proof_of(of_run(FIRST, FIRST, before, ran("ab", "c", same))) is Proof.V3
    elsewhere = replace(same, tests=(B,))
    assert of_run(FIRST, FIRST, ran("", "ab", FIRST), ran("a", "b", elsewhere)).remaining == (elsewhere,)


def test_what_the_machine_lacks_is_no_part_of_the_problem() -> None:
    before = ran("b", "ac", FIRST, raised(test=C))
    verdict = of_run(FIRST, FIRST, before, ran("ab", "c", raised("gone", kind="FileNotFoundError", test=C)))
    assert (proof_of(verdict), verdict.failing) == (Proof.V3, 0), "no other repair is looked for"
    behind = replace(
        raised("not valid", kind="OwnError", test=C), cause=raised("gone", kind="FileNotFoundError")
    )
    assert proof_of(of_run(FIRST, FIRST, before, ran("ab", "c", behind))) is Proof.V3, "by another name"


def test_of_a_file_that_could_not_be_collected_nothing_was_known() -> None:
    lost = raised(kind="ImportError", test="test_a.py")
    before, wrong = ran("", "f", lost), raised("x", kind="AssertionError", test=B)
    verdict = of_run(lost, lost, before, ran("a", "b", wrong))
    assert (proof_of(verdict), verdict.failing) == (Proof.V3, 1)
    # What is no name may be why a value is wrong.
    assert of_run(FIRST, FIRST, before, ran("a", "b", wrong)).remaining == (wrong,)
    later = raised("x", test=B)
    assert of_run(FIRST, FIRST, before, ran("a", "b", later)).remaining == (later,)
    passing = ran("c", "f", raised(test="test_a.py"))
    broken = of_run(FIRST, FIRST, passing, ran("ab", "c", raised("x", kind="AssertionError", test=C)))
    assert proof_of(broken) is None, "one of another file passed before"


def test_of_a_file_that_could_not_be_collected_a_test_must_come_to_an_end() -> None:
    lost = raised(test="test_a.py")
    nothing = own_verdict(lost, ran())
    assert nothing is not None
    assert proof_of(nothing) is None, "pytest itself may have failed, which no test tells of"
    assert own_verdict(lost, ran("a")) is None
    assert own_verdict(lost, ran("", "b", raised("x", test=B))) is None


@pytest.mark.parametrize("kind", ["OwnError", "AttributeError"])
def test_where_nearly_all_is_mended_the_rest_keeps_it_from_being_verified(kind: str) -> None:
    """Whatever was raised: the title would say that the tests pass."""
    names = [f"test_a.py::test_{n}" for n in range(40)]
    before = Ran(frozenset(), frozenset(names), (raised(test=names[0]),))
    rest = raised("not supported", 9, kind, names[-1])
    after = Ran(frozenset(names[:-1]), frozenset(names[-1:]), (rest,))
    assert proof_of(of_run(FIRST, FIRST, before, after)) is None


def test_where_no_test_was_run_none_verifies() -> None:
    pasted = replace(FIRST, tests=())
    assert proof_of(of_run(pasted, pasted, ran(), ran())) is None
    assert proof_of(of_run(pasted, pasted, ran(), ran("a"))) is Proof.V3


def test_another_file_that_fails_alike_is_left_of_the_same_mistake() -> None:
    one, other = raised("no `extend`", test="test_a.py"), raised("no `evolver`", test="test_b.py")
    before = Ran(frozenset(), frozenset({"test_a.py", "test_b.py"}), (one, other))
    after = Ran(frozenset({A}), frozenset({"test_b.py"}), (other,))
    assert of_run(one, one, before, after).remaining == (other,)


@pytest.mark.parametrize(
    ("before", "after", "proof"),
    [
        (ran("ab"), ran("ab"), Proof.V2),
        (ran("a", "b"), ran("ab"), Proof.V3),
        (ran("a", "b"), ran("a", "b"), Proof.V2),
        (ran("ab"), ran("a", "b"), None),
        (ran(), ran(), Proof.V1),
        (ran("abc"), ran("a", late=True), None),
        (ran("abc"), ran("ab", late=True), Proof.V1),
        (ran("a", late=True), ran("abc"), Proof.V2),
        (ran("a", late=True), ran("a", late=True), Proof.V1),
        (ran(late=True), ran(late=True), Proof.V1),
        (ran("a", late=True), ran("a", "b"), Proof.V1),
        (ran("a", "b", late=True), ran("", "a", late=True), None),
        (ran("ab", "c", late=True), ran("abc"), Proof.V3),
    ],
    ids=[
        "all pass",
        "one is mended",
        "one fails as before",
        "one is broken",
        "there are none",
        "much later with the repair",
        "a little later with the repair",
        "late without the repair alone",
        "late anyway",
        "late and nothing known",
        "one fails of which nothing was known",
        "late anyway and one is broken",
        "late before and one is mended",
    ],
)
def test_what_a_type_checker_reported(before: Ran, after: Ran, proof: Proof | None) -> None:
    assert proof_of(of_tests(before, after)) is proof


def test_failing_tests_of_the_same_file_ask_for_a_better_repair() -> None:
    there = ran("a", "b", raised(test=B))
    assert of_tests(there, there, "shop.py").failing == 1
    assert of_tests(there, there, "other.py").failing == 0


def test_what_did_not_parse_could_not_be_tested() -> None:
    assert proof_of(of_parsed(ran("ab"))) is Proof.V3
    failing = of_parsed(ran("a", "b"))
    assert (proof_of(failing), failing.failing, failing.tests) == (Proof.V1, 1, Suite.NOT_RUN)
    assert proof_of(of_parsed(ran())) is Proof.V1


# One of several faults


SEVERAL = replace(FIRST, tests=(A, B))
BROKEN = ran("c", "ab", FIRST)


@pytest.mark.parametrize(
    ("after", "proof", "failing"),
    [
        (ran("ac", "b", raised("next", test=B)), Proof.V3, 1),
        (ran("abc"), Proof.V3, 0),
        (ran("c", "ab", raised("next"), raised("next", test=B)), None, 0),
        (ran("a", "bc", raised("next", test=B)), None, 0),
        (ran("ac", "b", raised("next", test=B), late=True), None, 0),
    ],
    ids=["one passes", "all pass", "none passes", "one is broken", "too late"],
)
def test_a_repair_of_one_of_several_faults(after: Ran, proof: Proof | None, failing: int) -> None:
    verdict = led_on(SEVERAL, BROKEN, after, of_run(SEVERAL, SEVERAL, BROKEN, after))
    assert (proof_of(verdict), verdict.failing if proof else 0) == (proof, failing)


def test_where_a_file_could_not_be_collected_every_failing_test_counts() -> None:
    unread = replace(FIRST, type="ImportError", tests=("test_a.py",))
    before, after = ran("", "f", unread), ran("a", "bc", raised("next", test=B), raised("other", test=C))
    verdict = led_on(unread, before, after, of_run(unread, unread, before, after))
    assert (proof_of(verdict), verdict.failing) == (Proof.V3, 2)


def test_a_sample_is_of_the_whole_range() -> None:
    many = replace(FIRST, tests=tuple(map(str, range(100))))
    assert sampled(many, 4).tests == ("0", "25", "50", "75")
    assert sampled(many, 100) is many
