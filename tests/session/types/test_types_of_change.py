"""What a verdict takes of mypy: as far as the project's settings go, and nothing that both sides say."""

from __future__ import annotations

import asyncio

import pytest
from type_project import Warm

from gateline.model import State
from gateline.session.check import Selection, change_of
from gateline.session.tools import judging_for
from gateline.session.types.services import Texts
from gateline.session.types.types import Typed
from gateline.session.workspace.workspace import open_workspace
from support.repositories import Repository

pytestmark = pytest.mark.timeout(60)

GOOD = "def one(number: int) -> int:\n    return number\n"
ODD = """from mypy.plugin import Plugin

class Odd(Plugin):
    def get_function_hook(self, name):
        if name == "builtins.print":
            raise RuntimeError("odd")

def plugin(version):
    return Odd
"""
BAD = "def one(number: int) -> int:\n    return ''\n"


async def typed(
    repository: Repository, *, trusted: bool = True, agreed: bool = False, opened: Texts | None = None
) -> Typed:
    workspace = open_workspace(repository.folder, {})
    workspace, change, around = await asyncio.to_thread(change_of, workspace, Selection())
    judging = judging_for(workspace, trusted=trusted, agreed=agreed)
    try:
        return await judging.typed(change, {**around, **(opened or {})})
    finally:
        await judging.stop()


def found(side: Typed) -> list[str]:
    return sorted(path for path, report in side.current.items() if report.findings)


async def test_imports_lead_to_a_file_over_others_that_are_left_out(
    repository: Repository, warm: Warm
) -> None:
    warm(repository.folder)
    repository.commit(
        **{
            "mypy.ini": "[mypy]\nfiles = app.py\n",
            "app.py": "import first\n",
            "first.py": "import second\n",
            "second.py": "import third\n",
            "third.py": GOOD,
            "alone.py": GOOD,
        }
    )
    repository.write("third.py", BAD)
    repository.write("alone.py", BAD)
    now = await typed(repository)
    assert found(now) == ["third.py"]
    assert now.current["alone.py"].state is State.NOTHING_TO_JUDGE


async def test_the_base_says_what_mypy_is_run_on(repository: Repository, warm: Warm) -> None:
    warm(repository.folder)
    repository.commit(
        **{"mypy.ini": "[mypy]\nstrict = True\nexclude = gen/\n", "a.py": GOOD, "gen/b.py": GOOD}
    )
    repository.write("a.py", BAD)
    repository.write("gen/b.py", BAD)
    repository.write("mypy.ini", "[mypy]\nstrict = True\nexclude = gen/|a\n")
    assert found(await typed(repository)) == ["a.py"]
    repository.commit("settings")
    repository.write("a.py", BAD + "\n")
    assert found(await typed(repository)) == []


async def test_what_stands_in_an_importer_on_both_sides_is_not_said(
    repository: Repository, warm: Warm
) -> None:
    user = "import missing_one\nfrom one import one\nold: int = ''\nnew: int = one(1)\n"
    warm(repository.folder)
    repository.commit(**{"one.py": GOOD, "user.py": user})
    repository.write("one.py", GOOD.replace("int:", "str:").replace("return number", "return ''"))
    for _ in ("cold", "warm"):
        now = await typed(repository)
        assert [finding.span.start.line for finding in now.current["user.py"].findings] == [3]
        assert now.base["user.py"].findings == ()


async def test_what_an_importer_of_a_new_file_says_at_the_base_too_is_not_said(
    repository: Repository, warm: Warm
) -> None:
    """Nothing of the change has a base; twin: what the new file alone makes wrong is said."""
    user = "from one import one\nold: int = ''\nnew: str = one(1)\n"
    warm(repository.folder)
    repository.commit(**{"user.py": user})
    repository.write("one.py", GOOD)
    now = await typed(repository)
    assert [finding.span.start.line for finding in now.current["user.py"].findings] == [2]
    assert [finding.span.start.line for finding in now.base["user.py"].findings] == [0]


@pytest.mark.parametrize(
    "before",
    ["", "import elsewhere\nodd = (\n"],
    ids=["imported for the first time", "imported by what did not parse"],
)
async def test_what_the_change_leads_to_is_not_said_where_it_is_old(
    repository: Repository, warm: Warm, before: str
) -> None:
    """Twin: what stands in the changed file itself, and in a new one that it leads to, is said."""
    warm(repository.folder)
    repository.commit(**{"one.py": before, "elsewhere.py": "import missing_one\n" + BAD})
    repository.write("one.py", "import elsewhere, fresh\nodd: int = elsewhere.one('')\n")
    repository.write("fresh.py", BAD)
    now = await typed(repository)
    assert found(now) == ["fresh.py", "one.py"]
    assert [finding.span.start.line for finding in now.current["one.py"].findings] == [1]


@pytest.mark.parametrize(("excluded", "said"), [("[]", ["user.py"]), ('["user.py"]', [])])
async def test_of_an_excluded_document_that_is_open_nothing_is_said(
    repository: Repository, warm: Warm, excluded: str, said: list[str]
) -> None:
    user = "from one import one\nnew: int = one(1)\n"
    warm(repository.folder)
    repository.commit(
        **{"one.py": GOOD, "user.py": user, "gateline.toml": f"exclude = {excluded}\n[types]\n"}
    )
    repository.write("one.py", GOOD.replace("int:", "str:").replace("return number", "return ''"))
    assert found(await typed(repository, opened={"user.py": user})) == said


async def test_a_plugin_that_fails_at_the_base_alone_leaves_nothing_to_compare(
    repository: Repository, warm: Warm
) -> None:
    warm(repository.folder)
    repository.commit(**{"mypy.ini": "[mypy]\nplugins = odd.py\n", "odd.py": ODD, "a.py": BAD + "print()\n"})
    repository.write("a.py", BAD)
    report = (await typed(repository, agreed=True)).current["a.py"]
    assert (report.state, report.findings) == (State.NO_DATA, ())
    assert report.reason.startswith("in the base: mypy's plug-in odd.py did not run")


async def test_mypy_checks_for_the_python_of_the_project(repository: Repository, warm: Warm) -> None:
    newer = "def first[T](rows: list[T]) -> T:\n    return rows[0]\n"
    repository.commit(
        **{"pyproject.toml": '[project]\nname = "shop"\nrequires-python = ">=3.14"\n', "a.py": ""}
    )
    repository.write("a.py", newer)
    assert found(await typed(repository)) == []
