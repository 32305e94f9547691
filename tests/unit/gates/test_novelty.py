"""New and old are told by content."""

from __future__ import annotations

import time

import pytest
from gate_inputs import finding
from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.gates.novelty import Classified, classify
from gateline.model import Finding, Novelty, Span

Text = list[str]


def at(
    lines: Text,
    wanted: str,
    nth: int = 0,
    *,
    path: str = "a.py",
    symbol: str = "",
    message: str = "wrong",
    code: str = "GTL110",
) -> Finding:
    """A finding on the `nth` line that is `wanted`."""
    number = [i for i, line in enumerate(lines) if line == wanted][nth]
    return finding(code, number, message, wanted, path=path, symbol=symbol)


def told(base: list[Finding], now: list[Finding], base_lines: Text, lines: Text, **paths: str) -> Classified:
    path, base_path = paths.get("path", "a.py"), paths.get("base_path", "a.py")
    renames = {path: base_path} if path != base_path else {}
    return classify(base, now, {base_path: base_lines}, {path: lines}, renames)


def novelties(result: Classified) -> list[Novelty]:
    return [f.novelty for f in result.findings]


def test_lines_inserted_above_leave_it_old() -> None:
    base, now = ["x = f(1)"], ["import os", "", "x = f(1)"]
    result = told([at(base, "x = f(1)")], [at(now, "x = f(1)")], base, now)
    assert novelties(result) == [Novelty.OLD]
    assert result.fixed == ()


def test_indentation_does_not_make_it_new() -> None:
    base, now = ["x = f(1)"], ["if y:", "    x = f(1)"]
    assert novelties(told([at(base, "x = f(1)")], [at(now, "    x = f(1)")], base, now)) == [Novelty.OLD]


def test_renamed_function_keeps_its_findings() -> None:
    base = ["def f():", "    return g(1)"]
    now = ["def h():", "    return g(1)"]
    result = told(
        [at(base, "    return g(1)", symbol="f")], [at(now, "    return g(1)", symbol="h")], base, now
    )
    assert novelties(result) == [Novelty.OLD]


def test_renamed_file_keeps_findings_and_identities() -> None:
    lines = ["x = f(1)"]
    before = told([], [at(lines, "x = f(1)")], lines, lines)
    after = told([at(lines, "x = f(1)")], [at(lines, "x = f(1)", path="b.py")], lines, lines, path="b.py")
    assert novelties(after) == [Novelty.OLD]
    assert after.findings[0].identity == before.findings[0].identity


def test_code_moved_to_another_file_is_neither_new_nor_fixed() -> None:
    old, new = finding(text="x = f(1)"), finding(text="x = f(1)", path="b.py", symbol="g")
    result = classify([old], [new], {"a.py": ["x = f(1)"]}, {"a.py": [], "b.py": ["x = f(1)"]}, {})
    assert (novelties(result), result.fixed) == ([Novelty.OLD], ())


def test_copied_code_is_new_where_it_was_put() -> None:
    base = ["a()", "bad()", "b()"]
    now = ["bad()", "a()", "bad()", "b()"]
    result = told([at(base, "bad()")], [at(now, "bad()"), at(now, "bad()", 1)], base, now)
    assert novelties(result) == [Novelty.NEW, Novelty.OLD]


def test_the_removed_one_of_two_equals_is_the_fixed_one() -> None:
    base, now = ["bad()", "a()", "bad()"], ["a()", "bad()"]
    result = told([at(base, "bad()"), at(base, "bad()", 1)], [at(now, "bad()")], base, now)
    assert novelties(result) == [Novelty.OLD]
    assert [f.span.start.line for f in result.fixed] == [0]


def test_two_on_one_line_are_told_apart_by_message() -> None:
    lines = ["f(a, b)"]
    one, two = at(lines, "f(a, b)", message="one"), at(lines, "f(a, b)", message="two")
    result = told([one, two], [two], lines, lines)
    assert [f.message for f in result.fixed] == ["one"]


def test_edited_line_with_the_same_message_stays_old() -> None:
    base, now = ["a()", "x = pickle.loads(data)", "b()"], ["a()", "y = pickle.loads(data)", "b()"]
    result = told([at(base, base[1])], [at(now, now[1])], base, now)
    assert novelties(result) == [Novelty.OLD]


@pytest.mark.parametrize(
    ("line", "message"),
    [("x = pickle.load(data)", "another"), ("assert completely(different, text)", "wrong")],
)
def test_edited_line_with_another_message_or_another_text_is_new(line: str, message: str) -> None:
    base, now = ["a()", "x = pickle.loads(data)", "b()"], ["a()", line, "b()"]
    result = told([at(base, base[1])], [at(now, line, message=message)], base, now)
    assert novelties(result) == [Novelty.NEW]
    assert len(result.fixed) == 1


def test_suppression_comment_does_not_make_it_new() -> None:
    base, now = ["f(1)"], ["f(1)  # gateline: ignore[GTL110] known"]
    assert novelties(told([at(base, base[0])], [at(now, now[0])], base, now)) == [Novelty.OLD]


def test_without_line_text_the_document_is_asked() -> None:
    result = told([finding(line=0)], [finding(line=1)], ["bad("], ["import os", "bad("])
    assert novelties(result) == [Novelty.OLD]


def test_without_any_text_code_and_path_decide() -> None:
    same = classify([finding()], [finding(line=7)], {}, {}, {})
    moved = classify([finding()], [finding(path="b.py")], {}, {}, {})
    assert (novelties(same), novelties(moved)) == ([Novelty.OLD], [Novelty.NEW])


def test_other_code_on_the_same_line_is_new() -> None:
    lines = ["f(1)"]
    assert novelties(told([at(lines, "f(1)")], [at(lines, "f(1)", code="GTL301")], lines, lines)) == [
        Novelty.NEW
    ]


def test_identities_are_12_digits_and_never_shared() -> None:
    base, now = ["bad()"], ["bad()", "bad()", "bad()"]
    result = told([at(base, "bad()")], [at(now, "bad()", n) for n in range(3)], base, now)
    identities = {f.identity for f in result.findings}
    assert len(identities) == 3
    assert all(len(i) == 12 and int(i, 16) >= 0 for i in identities)


CALLS = st.lists(st.sampled_from(["bad(1)", "bad(2)", "good()", "other(x)"]), max_size=12)
ELSEWHERE = st.lists(st.sampled_from(["import os", "", "# text", "z = 1"]), max_size=6)


def _bad(lines: Text) -> list[Finding]:
    return [finding(line=i, text=line) for i, line in enumerate(lines) if line.startswith("bad")]


@given(CALLS, st.data())
def test_identity_survives_lines_inserted_elsewhere(lines: Text, data: st.DataObject) -> None:
    edited: Text = []
    for line in lines:
        edited += [*data.draw(ELSEWHERE), line]
    before = told([], _bad(lines), [], lines)
    after = told(_bad(lines), _bad(edited), lines, edited)
    again = told([], _bad(edited), [], edited)
    identities = [f.identity for f in before.findings]
    assert [f.identity for f in after.findings] == identities == [f.identity for f in again.findings]
    assert set(novelties(after)) <= {Novelty.OLD}
    assert after.fixed == ()


@given(CALLS, CALLS)
def test_every_finding_is_accounted_for_once(base: Text, now: Text) -> None:
    result = told(_bad(base), _bad(now), base, now)
    old = novelties(result).count(Novelty.OLD)
    assert old + len(result.fixed) == len(_bad(base))
    assert len(result.findings) == len(_bad(now))
    everything = [f.identity for f in (*result.findings, *result.fixed)]
    assert len(set(everything)) == len(everything)


@settings(max_examples=30)
@given(CALLS, CALLS, st.randoms())
def test_order_of_the_findings_does_not_matter(base: Text, now: Text, random: object) -> None:
    shuffled = _bad(now)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert told(_bad(base), _bad(now), base, now) == told(_bad(base), shuffled, base, now)


def test_more_findings_take_longer_by_their_number_only() -> None:
    def seconds(count: int) -> float:
        lines = [f"x{i} = f({i % 700})" for i in range(3 * count)]
        base = [finding(line=i, text=lines[i], symbol=f"f{i // 30}") for i in range(0, len(lines), 3)]
        now = [finding(line=i + 1, text=lines[i], symbol=f"f{i // 30}") for i in range(0, len(lines), 3)]
        times = []
        for _ in range(3):
            start = time.process_time()
            result = told(base, now, lines, ["", *lines])
            times.append(time.process_time() - start)
        assert set(novelties(result)) == {Novelty.OLD}
        return min(times)

    # Four times as many take four times as long; were each compared with each other, sixteen times.
    assert seconds(2_000) < 9 * seconds(500)


def test_span_is_never_part_of_the_identity() -> None:
    lines = ["bad(1)"]
    one = finding(text="bad(1)")
    other = Finding(**{**{s: getattr(one, s) for s in one.__slots__}, "span": Span.of(0, 3, 0, 5)})
    results = [told([], [f], lines, lines).findings[0].identity for f in (one, other)]
    assert results[0] == results[1]
