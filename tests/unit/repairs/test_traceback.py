"""Tracebacks as Python and pytest print them."""

from __future__ import annotations

import pytest

from gateline.model import Problem
from gateline.repairs.traceback import read, read_all


def ours(path: str) -> str | None:
    """Files below `/project`, or relative ones, are the workspace's."""
    if path.startswith("/project/"):
        return path.removeprefix("/project/")
    return None if path.startswith(("/", "<")) else path


def told(text: str) -> Problem:
    found = read(text, ours)
    assert found is not None
    return found


PLAIN = """\
Traceback (most recent call last):
  File "/project/app.py", line 9, in <module>
    main()
  File "/project/shop/cart.py", line 4, in main
    total(None)
    ~~~~~^^^^^^
TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'
"""


def test_a_plain_one() -> None:
    problem = told(PLAIN)
    assert (problem.type, problem.path, problem.line) == ("TypeError", "shop/cart.py", 3)
    assert problem.message == "unsupported operand type(s) for +: 'int' and 'NoneType'"
    assert [(f.path, f.line, f.function, f.text) for f in problem.frames] == [
        ("app.py", 8, "<module>", "main()"),
        ("shop/cart.py", 3, "main", "total(None)"),
    ]
    assert problem.cause is None


def test_an_error_inside_a_library_is_placed_at_the_last_call_from_the_workspace() -> None:
    problem = told("""\
Traceback (most recent call last):
  File "/project/app.py", line 3, in load
    return json.loads(None)
  File "/usr/lib/python3.11/json/__init__.py", line 339, in loads
    raise TypeError(f'the JSON object must be str, bytes or bytearray, '
TypeError: the JSON object must be str, bytes or bytearray, not NoneType
""")
    assert (problem.path, problem.line) == ("app.py", 2)
    assert [f.ours for f in problem.frames] == [True, False]


CHAIN = """\
Traceback (most recent call last):
  File "/project/store.py", line 5, in find
    return rows[key]
KeyError: 'apple'

{link}

Traceback (most recent call last):
  File "/project/app.py", line 2, in <module>
    find('apple')
  File "/project/store.py", line 7, in find
    raise Missing(key) from error
store.Missing: apple
"""


@pytest.mark.parametrize(
    "link",
    [
        "The above exception was the direct cause of the following exception:",
        "During handling of the above exception, another exception occurred:",
    ],
)
def test_a_chain_has_its_cause_behind_it(link: str) -> None:
    problem = told(CHAIN.format(link=link))
    assert (problem.type, problem.message, problem.path, problem.line) == ("Missing", "apple", "store.py", 6)
    assert problem.cause is not None
    assert (problem.cause.type, problem.cause.message, problem.cause.line) == ("KeyError", "'apple'", 4)


def test_pytest_prints_it_in_its_own_way() -> None:
    problem = told("""\
=================================== FAILURES ===================================
__________________________________ test_total __________________________________

    def test_total():
>       assert total(Cart()) == 3

tests/test_cart.py:6:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

cart = <Cart>

    def total(cart):
>       return cart.item
E       AttributeError: 'Cart' object has no attribute 'item'

shop/cart.py:12: AttributeError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - AttributeError: 'Cart' object has no ...
FAILED tests/test_cart.py::test_tax[net-1] - AttributeError: 'Cart' object...
""")
    assert (problem.type, problem.path, problem.line) == ("AttributeError", "shop/cart.py", 11)
    assert problem.message == "'Cart' object has no attribute 'item'"
    assert problem.tests == ("tests/test_cart.py::test_total", "tests/test_cart.py::test_tax[net-1]")


def test_a_message_may_have_lines() -> None:
    problem = told("""\
Traceback (most recent call last):
  File "/project/app.py", line 1, in <module>
    check()
ValueError: two things are wrong
  - the first
  - the second
""")
    assert problem.message == "two things are wrong\n  - the first\n  - the second"


def test_an_exception_without_a_message() -> None:
    problem = told(
        'Traceback (most recent call last):\n  File "/project/a.py", line 1, in f\n    stop()\nHalt\n'
    )
    assert (problem.type, problem.message) == ("Halt", "")


def test_a_syntax_error_is_placed_in_the_file_that_it_names() -> None:
    problem = told("""\
Traceback (most recent call last):
  File "/project/app.py", line 1, in <module>
    import shop
  File "/project/shop.py", line 3
    x = (
        ^
SyntaxError: '(' was never closed
""")
    assert (problem.type, problem.path, problem.line) == ("SyntaxError", "shop.py", 2)


def test_a_group_is_read_to_its_last_exception() -> None:
    problem = told("""\
  + Exception Group Traceback (most recent call last):
  |   File "/project/app.py", line 8, in <module>
  |     raise ExceptionGroup("several", found)
  | ExceptionGroup: several (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/project/app.py", line 3, in work
    |     1 / 0
    | ZeroDivisionError: division by zero
    +------------------------------------
""")
    assert (problem.type, problem.path, problem.line) == ("ZeroDivisionError", "app.py", 2)


@pytest.mark.parametrize(
    "text", ["", "all is well\n", "Note: nothing: here\n", 'File "a.py", line 3\n', "\0\r"]
)
def test_no_traceback_is_no_problem(text: str) -> None:
    assert read(text, ours) is None


def test_windows_line_ends_and_unknown_places() -> None:
    problem = told(PLAIN.replace("/project/", "/elsewhere/").replace("\n", "\r\n"))
    assert (problem.type, problem.path, problem.span) == ("TypeError", "", None)


SEVERAL = """\
=================================== FAILURES ===================================
_______________________________ TestCart.test_total ____________________________

    def test_total(self):
>       assert total(Cart()) == 3

tests/test_cart.py:6:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

    def total(cart):
>       return cart.item
E       AttributeError: 'Cart' object has no attribute 'item'

shop/cart.py:12: AttributeError
_________________________________ test_tax[1-net] ______________________________
tests/test_cart.py:20: in test_tax
    assert tax(1)
shop/tax.py:3: in tax
    return 1 + "2"
E   TypeError: unsupported operand type(s) for +: 'int' and 'str'
_________________________________ test_tax[2-net] ______________________________
tests/test_cart.py:20: in test_tax
    assert tax(2)
shop/tax.py:3: in tax
    return 1 + "2"
E   TypeError: unsupported operand type(s) for +: 'int' and 'str'
=========================== short test summary info ============================
FAILED tests/test_cart.py::TestCart::test_total - AttributeError: 'Cart' obje...
FAILED tests/test_cart.py::test_tax[1-net] - TypeError: unsupported operand t...
FAILED tests/test_cart.py::test_tax[2-net] - TypeError: unsupported operand t...
========================= 3 failed, 12 passed in 0.19s =========================
"""


def test_what_tests_raise_at_one_place_is_one_problem() -> None:
    total, tax = read_all(SEVERAL, ours)
    assert (total.path, total.line, total.type) == ("shop/cart.py", 11, "AttributeError")
    assert [frame.path for frame in total.frames] == ["tests/test_cart.py", "shop/cart.py"]
    assert total.tests == ("tests/test_cart.py::TestCart::test_total",)
    assert (tax.path, tax.line, tax.type) == ("shop/tax.py", 2, "TypeError")
    assert tax.tests == ("tests/test_cart.py::test_tax[1-net]", "tests/test_cart.py::test_tax[2-net]")


def test_unittest_reports_several_in_its_own_way() -> None:
    name, label = read_all(
        """\
EF.
======================================================================
ERROR: test_name (test_shop.Names.test_name)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/project/test_shop.py", line 8, in test_name
    self.assertEqual(name(1), "1")
  File "/project/shop.py", line 2, in name
    return nam
NameError: name 'nam' is not defined

======================================================================
FAIL: test_label (test_shop.Names.test_label)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/project/test_shop.py", line 12, in test_label
    self.assertEqual(label(1), "1")
AssertionError: None != '1'

----------------------------------------------------------------------
Ran 3 tests in 0.001s
""",
        ours,
    )
    assert (name.type, name.path, name.line) == ("NameError", "shop.py", 1)
    assert (label.type, label.message) == ("AssertionError", "None != '1'")


def test_lines_of_a_log_are_no_reports() -> None:
    (problem,) = read_all(f"ERROR: lost\nERROR: lost again (3)\n{PLAIN}ERROR: gave up\n", ours)
    assert (problem.type, problem.path, problem.line) == ("TypeError", "shop/cart.py", 3)


def test_a_single_report_has_all_tests_that_failed_so() -> None:
    (problem,) = read_all(
        PLAIN + "FAILED a_test.py::test_a - TypeError\nFAILED a_test.py::test_b - TypeError\n", ours
    )
    assert problem.tests == ("a_test.py::test_a", "a_test.py::test_b")
    assert read_all("all is well", ours) == ()


TWICE = """\
=================================== FAILURES ===================================
_____________________________ TestBox.test_put[a b] ____________________________
shop/box.py:4: in put
    return label
E   NameError: name 'label' is not defined
_____________________________ TestBox.test_put[a b] ____________________________
shop/crate.py:9: in put
    return lable
           ^^^^^
E   NameError: name 'lable' is not defined
=========================== short test summary info ============================
FAILED tests/test_box.py::TestBox::test_put[a b] - NameError: name 'label' is...
FAILED tests/test_crate.py::TestBox::test_put[a b] - NameError: name 'lable' i...
"""


def test_reports_of_one_name_are_of_the_tests_in_their_order() -> None:
    first, second = read_all(TWICE, ours)
    assert first.tests == ("tests/test_box.py::TestBox::test_put[a b]",)
    assert second.tests == ("tests/test_crate.py::TestBox::test_put[a b]",)


def test_a_name_that_more_tests_bear_than_reports_is_of_all_of_them_once() -> None:
    one, _ = read_all(TWICE + "FAILED tests/test_bag.py::TestBox::test_put[a b] - NameError\n", ours)
    assert len(one.tests) == len(set(one.tests)) == 3


def test_frames_of_pytest_say_their_function_text_and_columns() -> None:
    (frame,) = read_all(TWICE, ours)[1].frames
    assert (frame.function, frame.text, frame.marks) == ("put", "return lable", (7, 12))


LONG_NAMES = """\
==================================== ERRORS ====================================
_ ERROR at setup of test_that_the_depot_of_this_machine_has_a_name_that_is_long __

    def depot():
>       return open_depot()

tests/test_shop.py:7: RuntimeError
E       RuntimeError: no depot
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
=================================== FAILURES ===================================
_ test_that_the_first_of_some_names_is_what_stands_at_the_beginning_of_it[x - y] _
shop/names.py:6: in first
    return nmes[0]
E   NameError: name 'nmes' is not defined
=========================== short test summary info ============================
FAILED tests/test_shop.py::test_that_the_first_of_some_names_is_what_stands_at_the_beginning_of_it[x - y] - Na
ERROR tests/test_shop.py::test_that_the_depot_of_this_machine_has_a_name_that_is_long
"""


def test_a_long_name_leaves_one_underscore_for_its_header() -> None:
    depot, first = read_all(LONG_NAMES, ours)
    assert (depot.type, depot.frames[-1].text) == ("RuntimeError", "return open_depot()")
    assert first.tests == (
        "tests/test_shop.py::test_that_the_first_of_some_names_is_what_stands_at_the_beginning_of_it[x - y]",
    )


def test_what_pytest_shows_of_a_syntax_error_names_the_file() -> None:
    found = told("""\
____________________ ERROR collecting tests/test_shop.py ____________________
tests/test_shop.py:1: in <module>
    import shop
E     File "/project/shop.py", line 7
E       def total(:
E                 ^
E   SyntaxError: invalid syntax
""")
    assert (found.type, found.path, found.line) == ("SyntaxError", "shop.py", 6)
