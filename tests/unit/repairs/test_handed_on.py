"""None that fails far from where it was given away: which tests are proposed, and where."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from gateline.model import Frame, Origin, Problem, Question, Repairer, Span
from gateline.repairs.analysis.code import code_of
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.edits import apply_all
from gateline.repairs.families.none import none_guards, none_handed_on
from gateline.repairs.locate.places import Spot
from gateline.repairs.texts import Texts

PARSE = "import re\ndef parse(text):\n    return re.match('a', text)\n"
EXPECTED = "expected string or bytes-like object, got 'NoneType'"
INT = "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"


def proposed(
    repairer: Repairer, texts: dict[str, str], message: str, *calls: tuple[str, str], name: str
) -> set[str]:
    """What may become of the text of the outermost call; each call is a path and what was called there."""
    frames = [_frame(texts[path], path, part) for path, part in calls]
    inner = Frame(calls[-1][0], frames[-1].line, span=frames[-1].span, seen=((name, "NoneType"),))
    problem = Problem(
        Origin.RUN,
        "TypeError",
        message,
        inner.path,
        Span.of(inner.line, 0, inner.line + 1, 0),
        (*frames[:-1], inner),
    )
    knowledge = Texts(texts)
    diagnosis = repairer.diagnose(problem, knowledge)
    assert diagnosis is not None
    found = repairer.propose(Question(diagnosis, knowledge))
    return {apply_all(texts, repair.edits).get(calls[0][0], "") for repair in found}


def _frame(text: str, path: str, part: str) -> Frame:
    line = next(n for n, row in enumerate(text.splitlines()) if part in row)
    start = text.splitlines()[line].index(part)
    return Frame(path, line, span=Span.of(line, start, line, start + len(part)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "from parse import parse\ndef all_of(rows, way):\n    for row in rows:\n        parse(way)\n",
            (
                "from parse import parse\ndef all_of(rows, way):\n    if way is not None:\n"
                "        for row in rows:\n            parse(way)\n"
            ),
        ),
        (
            "from parse import parse\ndef one(row):\n    parse(row)\n    return 1\n",
            (
                "from parse import parse\ndef one(row):\n    if row is not None:\n        parse(row)\n"
                "    return 1\n"
            ),
        ),
        (
            (
                "from parse import parse\ndef one(row):\n    try:\n        if row:\n            parse(row)\n"
                "    except ValueError:\n        raise\n"
            ),
            (
                "from parse import parse\ndef one(row):\n    if row is not None:\n        try:\n"
                "            if row:\n                parse(row)\n"
                "        except ValueError:\n            raise\n"
            ),
        ),
    ],
)
def test_who_gave_it_tests_it_around_the_call_or_what_that_stands_in(before: str, after: str) -> None:
    texts = {"parse.py": PARSE, "run.py": before}
    call = "parse(way)" if "parse(way)" in before else "parse(row)"
    calls = (("run.py", call), ("parse.py", "re.match('a', text)"))
    assert after in proposed(none_handed_on.REPAIRER, texts, EXPECTED, *calls, name="text")


def test_what_a_generator_yields_is_tested_before_it_is_yielded() -> None:
    texts = {
        "run.py": (
            "import re\ndef folded(rows):\n    last = None\n    for row in rows:\n        yield last\n"
            "        last = row\n\ndef read(rows):\n    for line in folded(rows):\n"
            "        re.match('a', line)\n"
        )
    }
    call = ("run.py", "re.match('a', line)")
    wanted = texts["run.py"].replace(
        "        yield last\n", "        if last is not None:\n            yield last\n"
    )
    assert wanted in proposed(none_handed_on.REPAIRER, texts, EXPECTED, call, name="line")


def test_what_is_tried_is_tested_before_it_is_tried() -> None:
    tried = (
        "def port(given):\n    try:\n        value = int(given)\n    except ValueError:\n        raise\n"
        "    return value\n"
    )
    wanted = (
        "def port(given):\n    if given is not None:\n        try:\n            value = int(given)\n"
        "        except ValueError:\n            raise\n    return value\n"
    )
    texts = {"run.py": tried}
    found = proposed(none_guards.REPAIRER, texts, INT, ("run.py", "int(given)"), name="given")
    assert wanted in found


def test_a_block_ends_where_the_name_gets_another_value() -> None:
    text = (
        "def day(rule, other, text):\n    m = rule.match(text)\n    year = int(m)\n    plus = 0\n"
        "    if year:\n        return year + plus\n    m = other.match(text)\n    return m\n"
    )
    wanted = (
        "def day(rule, other, text):\n    m = rule.match(text)\n    if m is not None:\n"
        "        year = int(m)\n        plus = 0\n        if year:\n            return year + plus\n"
        "    m = other.match(text)\n    return m\n"
    )
    found = proposed(none_guards.REPAIRER, {"run.py": text}, INT, ("run.py", "int(m)"), name="m")
    assert wanted in found


def test_defaults_are_read_from_the_nearest_files_and_not_from_all() -> None:
    asks = "def ask(timeout=None):\n    return int(timeout)\n"
    texts = {f"far/away/m{n}.py": f"def get(timeout={n + 100}):\n    pass\n" for n in range(60)}
    texts |= {
        "near/ask_it.py": asks,
        "near/beside_it_with_a_long_name.py": "def load(timeout=7):\n    pass\n",
    }
    found = proposed(none_handed_on.REPAIRER, texts, INT, ("near/ask_it.py", "int(timeout)"), name="timeout")
    assert "def ask(timeout=7):\n    return int(timeout)\n" in found
    assert sum("def ask(timeout=1" in text for text in found) < 20


def test_a_choice_on_the_way_is_no_guess() -> None:
    text = (
        "def length(one, two):\n    found = 2 if one > two else '1'\n    return found\n"
        "def match(text, one, two):\n    used = length(one, two)\n    return cut(text, used)\n"
        "def cut(text, used):\n    return text[:-used]\n"
    )
    code, call = code_of("run.py", text), _frame(text, "run.py", "cut(text, used)")
    assert code is not None
    used = next(n.operand for n in code.nodes if isinstance(n, ast.UnaryOp))
    spot = Spot(code, 7, used, {"used": "str"}, 0, (replace(call, ours=True),))
    assert "'1'" in [code.segment(o.node) for o in origins(Texts({"run.py": text}), spot, used)]


def test_where_a_class_is_asked_the_object_is_the_first_argument() -> None:
    text = (
        "class Base:\n    def __init__(self, value):\n        self.value = int(value)\n"
        "class Kind(Base):\n    def __init__(self, value=None):\n        Base.__init__(self, value)\n"
        "class Other(Base):\n    def __init__(self, value=7):\n        Base.__init__(self, value)\n"
    )
    calls = (("run.py", "Base.__init__(self, value)"), ("run.py", "int(value)"))
    found = proposed(none_handed_on.REPAIRER, {"run.py": text}, INT, *calls, name="value")
    assert text.replace("value=None", "value=7") in found
