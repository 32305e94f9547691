"""What other programs write: the resident engine follows, or is started anew where it cannot."""

from __future__ import annotations

import pytest
from type_project import Make, TypeProject

from gateline.services.types.resident import following

pytestmark = pytest.mark.deep

TAKES_INT = "def take(n: int) -> None: ...\n"
TAKES_STR = "def take(n: str) -> None: ...\n"
GIVES_INT = "from callee import take\n\ntake(1)\n"


async def resident(shop: TypeProject) -> int:
    """The engine's process, once it answers: the first answer of all comes from an ordinary run."""
    for number in range(3):
        await shop.type({"caller.py": "\n" * number + GIVES_INT})
    await shop.type({"caller.py": GIVES_INT})
    return engine(shop)


def engine(shop: TypeProject) -> int:
    assert shop.checker._engine.pid is not None
    return shop.checker._engine.pid


async def errors_after(shop: TypeProject, *written: str) -> list[str]:
    await shop.checker.files_changed(written)
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == await shop.plain("caller.py")
    return shop.errors("caller.py")


async def test_new_content_is_followed_by_the_engine_that_is_there(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    pid = await resident(shop)
    for text, expected in [(TAKES_STR, ["3 arg-type"]), ("def take(\n", []), (TAKES_STR, ["3 arg-type"])]:
        shop.write("callee.py", text)
        assert await errors_after(shop, "callee.py") == expected
    shop.write("callee.py", TAKES_INT)
    assert await errors_after(shop, "callee.py") == []
    assert engine(shop) == pid


async def test_files_that_nobody_imports_cost_nothing(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    pid = await resident(shop)
    shop.write("tests/test_other.py", "import nothing\n")
    assert await errors_after(shop, "tests/test_other.py") == []
    assert engine(shop) == pid


@pytest.mark.parametrize(
    ("path", "text", "before", "after"),
    [
        ("callee.py", TAKES_STR, ["1 import-not-found"], ["3 arg-type"]),
        ("callee/__init__.py", TAKES_STR, ["1 import-not-found"], ["3 arg-type"]),
    ],
)
async def test_a_module_that_was_missing_is_found(
    project: Make, path: str, text: str, before: list[str], after: list[str]
) -> None:
    shop = project()
    await resident(shop)
    assert shop.errors("caller.py") == before
    shop.write(path, text)
    assert await errors_after(shop, path) == after


async def test_a_module_that_is_removed_is_missed(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await resident(shop)
    (shop.folder / "callee.py").unlink()
    assert await errors_after(shop, "callee.py") == ["1 import-not-found"]


@pytest.mark.parametrize("path", ["callee.pyi", "callee/__init__.py"])
async def test_a_file_that_takes_the_place_of_another_counts(project: Make, path: str) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await resident(shop)
    shop.write(path, TAKES_STR)
    assert await errors_after(shop, path) == ["3 arg-type"]


async def test_settings_of_mypy_count(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_STR)
    await resident(shop)
    shop.write("mypy.ini", "[mypy]\ndisable_error_code = arg-type\n")
    assert await errors_after(shop, "mypy.ini") == []


async def test_another_branch_is_a_new_start(project: Make) -> None:
    shop = project()
    names = [f"module{number}.py" for number in range(following._MANY)]
    for name in names:
        shop.write(name, "")
    shop.write("callee.py", TAKES_INT)
    pid = await resident(shop)
    shop.write("callee.py", TAKES_STR)
    assert await errors_after(shop, "callee.py", *names) == ["3 arg-type"]
    assert engine(shop) != pid


async def test_a_text_that_is_taken_back_costs_no_start(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    pid = await resident(shop)
    await shop.type({"callee.py": TAKES_STR})
    assert shop.errors("caller.py") == ["3 arg-type"]
    await shop.checker.close("callee.py")
    del shop.texts["callee.py"]
    assert await errors_after(shop) == []
    assert engine(shop) == pid


STUB = "def size(text: str) -> str: ...\n"
SIZE = "def size(text: str) -> int:\n    return len(text)\n"
USER = "from sized import size\n\nnumber: int = size('')\n"


@pytest.mark.parametrize("is_open", [False, True], ids=["a file", "open itself"])
async def test_a_stub_that_was_never_saved_counts(project: Make, is_open: bool) -> None:
    shop = project()
    shop.write("sized.py", SIZE)
    await shop.type({"user.py": USER, **({"sized.py": SIZE} if is_open else {})})
    assert shop.errors("user.py") == []
    await shop.type({"sized.pyi": STUB})
    assert shop.errors("user.py") == ["3 assignment"] == await shop.plain("user.py")
    await shop.type({"sized.pyi": STUB.replace("-> str", "-> int")})
    assert shop.errors("user.py") == [] == await shop.plain("user.py")
    await shop.checker.close("sized.pyi")
    del shop.texts["sized.pyi"]
    await shop.type({"user.py": USER.replace("int", "str")})
    assert shop.errors("user.py") == ["3 assignment"] == await shop.plain("user.py")
