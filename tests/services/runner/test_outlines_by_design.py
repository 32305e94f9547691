"""What says itself that it is never executed counts for nothing, unless the project has a list of its own."""

from __future__ import annotations

from textwrap import dedent

import pytest
from runner_project import MakeRunner

from gateline.testing.outline import Outline

NEVER = {
    "assert_never ends a match": """
        from typing import assert_never
        def f(x):
            match x:
                case 1:
                    return 1
                case _:
                    assert_never(x)  # out
        """,
    "typing.assert_never in an else, with what it says": """
        import typing as t
        def f(x):
            if x == 1:
                return 1
            elif x == 2:
                return 2
            else:
                told = f"{x}"  # out
                t.assert_never(told)  # out
        """,
    "one of the project's own": """
        from typing import NoReturn
        def assert_never(x) -> NoReturn:
            raise AssertionError(x)
        def f(x):
            if x:
                return 1
            return assert_never(x)  # out
        """,
    "abstract methods": """
        import abc
        class Shop(abc.ABC):
            @abc.abstractmethod
            def price(self):
                '''The price.'''
                raise NotImplementedError  # out
            @property
            @abc.abstractmethod
            def name(self):
                raise NotImplementedError(
                    "name"
                )  # out
            @abc.abstractmethod
            def other(self):
                pass  # out
        """,
    "protocols": """
        from typing import Generic, Protocol, TypeVar
        T = TypeVar("T")
        class Priced(Protocol[T]):
            def price(self) -> T:
                raise NotImplementedError  # out
            def name(self) -> str:
                ...  # out
        """,
    "overloads": """
        import typing
        @typing.overload
        def f(x: int) -> int:
            ...  # out
        @typing.overload
        def f(x: str) -> str:
            raise NotImplementedError  # out
        def f(x):
            return x
        """,
    "only for type checkers": """
        import typing
        if typing.TYPE_CHECKING:  # out
            from shop import Cart  # out
        else:
            Cart = None
        """,
    "only as a program": """
        def main():
            return 1
        if __name__ == "__main__":  # out
            main()  # out
        """,
}
SOMETIMES = {
    "what may be asked of a base class": """
        class Shop:
            def price(self):
                raise NotImplementedError
        """,
    "an abstract method that does something": """
        import abc
        class Shop(abc.ABC):
            @abc.abstractmethod
            def price(self):
                self.asked = 1
                raise NotImplementedError
        """,
    "a protocol's method that does something": """
        from typing import Protocol
        class Priced(Protocol):
            def price(self):
                return 2
        """,
    "something else of that name": """
        def assert_never(x):
            return x
        def f(x):
            if x:
                return 1
            assert_never(x)
        """,
    "a method of that name": """
        class Case:
            def f(self, x):
                self.assert_never(x)
        """,
    "a clause that does something besides": """
        from typing import assert_never
        def f(x):
            if x == 1:
                return 1
            else:
                for y in x:
                    print(y)
                assert_never(x)  # out
        """,
    "another comparison": """
        import sys
        if __name__ == "shop":
            A = 1
        if "__main__" in sys.modules:
            A = 2
        """,
}


def expected(text: str) -> list[int]:
    """Lines that are marked to be out; of a statement over several lines, its first."""
    lines = text.splitlines()
    marked = [number for number, line in enumerate(lines) if line.endswith("# out")]
    return [number - 2 if lines[number].strip().startswith(")") else number for number in marked]


@pytest.mark.parametrize("name", [*NEVER, *SOMETIMES])
async def test_what_is_never_executed_is_left_out_and_nothing_else(make: MakeRunner, name: str) -> None:
    text = dedent((NEVER | SOMETIMES)[name])
    project = make({"shop.py": text})
    outline = (await project.runner.outlines({"shop.py": text}))["shop.py"]
    assert isinstance(outline, Outline)
    out, lines = set(expected(text)), text.splitlines()
    assert not outline.statements & out
    assert not {line for way in outline.exits for line in way.arc} & out
    counted = {number for number, line in enumerate(lines) if is_statement(line)} - out
    left = {lines[number].strip() for number in counted - outline.statements}
    # coverage itself leaves out the head of a function whose body is `...`, too.
    assert left <= {"case _:", "def name(self) -> str:", "@typing.overload", "def f(x: int) -> int:"}


def is_statement(line: str) -> bool:
    return line.strip() not in ("", "else:", "'''The price.'''", '"name"') and line.strip()[:1] != ")"


@pytest.mark.parametrize(
    ("settings", "counted"),
    [
        ("", False),
        ("[report]\nexclude_also = raise AssertionError\n", False),
        ("[report]\nexclude_lines = pragma: no cover\n", True),
    ],
)
async def test_a_list_of_the_projects_own_decides(make: MakeRunner, settings: str, counted: bool) -> None:
    text = dedent(NEVER["only as a program"])
    project = make({".coveragerc": settings, "shop.py": text})
    outline = (await project.runner.outlines({"shop.py": text}))["shop.py"]
    assert isinstance(outline, Outline)
    assert (set(expected(text)) <= outline.statements) is counted
