"""Properties of repairs of syntax: of any text at all, and of the tokens they work on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.model import Origin, Problem, Question
from gateline.repairs.families.syntax import REPAIRER
from gateline.repairs.syntax.judge import failure_of
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.search import solutions
from gateline.repairs.syntax.state import Fuel
from gateline.repairs.syntax.tokens import Kind, read_tokens
from gateline.repairs.syntax.window import windows_around
from gateline.repairs.texts import Texts
from support.python_texts import MODULES, QUICK, TEXTS

PATH = "text.py"
PROBLEM = Problem(Origin.PARSER, "GTL101", "invalid syntax", PATH)


@QUICK
@given(TEXTS)
def test_tokens_cover_any_text(text: str) -> None:
    at = 0
    for token in read_tokens(text):
        between = text[at : token.start]
        assert between.replace("\\\r\n", "").replace("\\\n", "").replace("\\\r", "").strip(" \t\f") == ""
        assert text[token.start : token.end] == token.text
        at = token.end
    assert [
        token for token in read_tokens(text) if token.kind is Kind.BROKEN and token.end < token.start
    ] == []


@QUICK
@given(TEXTS)
def test_the_lines_of_tokens_are_those_of_the_layout(text: str) -> None:
    layout = layout_of(text)
    for token in layout.tokens:
        assert layout.line_at(token.start) == token.line


@QUICK
@given(TEXTS)
def test_whatever_the_text_is_nothing_is_raised_and_what_is_found_compiles(text: str) -> None:
    for solution in solutions(text, Fuel(40_000)):
        assert failure_of(solution.text) is None


@QUICK
@given(MODULES)
def test_a_text_that_compiles_is_offered_no_repair(text: str) -> None:
    if failure_of(text) is None:
        knowledge = Texts({PATH: text})
        assert REPAIRER.diagnose(PROBLEM, knowledge) is None
        assert solutions(text) == []


@QUICK
@given(MODULES, st.data())
def test_a_text_that_lost_a_character_is_repaired_or_left_alone(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, max(len(text) - 1, 0)))
    knowledge = Texts({PATH: text[:at] + text[at + 1 :]})
    diagnosis = REPAIRER.diagnose(PROBLEM, knowledge)
    if diagnosis is not None:
        for repair in REPAIRER.propose(Question(diagnosis, knowledge)):
            assert repair.edits
            assert repair.title


def test_a_file_that_is_not_there_is_no_case_for_it() -> None:
    assert REPAIRER.diagnose(PROBLEM, Texts()) is None


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "\0", "(" * 300, "if x:\n" * 200, "'''" + "a\n" * 5000])
def test_odd_texts_end_quickly(text: str) -> None:
    solutions(text, Fuel(200_000))


LONG = "".join(f'def size_{n}():\n    """The size."""\n    return {n}\n\n\n' for n in range(40))


HELD = ['MARK = \'"""\'\n', "MARK = \"'''\"\n", 'MARK = \'so """ begins\'\n']


@pytest.mark.parametrize("held", HELD)
def test_three_quotes_in_another_string_do_not_put_a_text_out_of_step(held: str) -> None:
    assert not layout_of(held + LONG).is_out_of_step
    broken = f"{held}{LONG}def total(rows):\n    return sum(rows\n\n\n{LONG}"
    failure = failure_of(broken)
    assert failure is not None
    # What is judged is what stands around the failure, and not everything.
    assert all(w.end - w.start < len(broken) / 2 for w in windows_around(broken, failure))
    assert solutions(broken)


@pytest.mark.parametrize("lost", ['    """The size."""', '    The size."""', '    """The size.'])
def test_a_lost_mark_puts_a_text_out_of_step(lost: str) -> None:
    text = LONG.replace('    """The size."""', lost, 1)
    assert layout_of(text).is_out_of_step is (lost != '    """The size."""')
