"""Repairs are looked for in a process of their own, and never offered for another text than they are for."""

from __future__ import annotations

import asyncio
import venv
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from gateline.analyzers import syntax
from gateline.model import Finding, Problem, Proof, digest_of
from gateline.repairs.reported import problem_of
from gateline.repairs.result import DebugResult
from gateline.session.live.documents import Documents
from gateline.session.live.options import SessionOptions
from gateline.session.repairs.offer import Offer
from gateline.session.repairs.offers import Offers
from gateline.session.repairs.repairing import Effort, OutdatedError, Repairing
from gateline.session.session import Session
from gateline.session.toolset import Toolset
from gateline.session.types.types import Types

BROKEN, GOOD = "def f(x: int) -> int\n    return x\n", "def f(x: int) -> int:\n    return x\n"


class Project:
    """Open documents of a workspace without types, and the repairs that are offered there."""

    def __init__(self, root: Path, tools: Toolset) -> None:
        self.root, self.tools = root, tools
        self.documents = Documents()
        self.offers = Offers(self.ready, self.documents)

    async def ready(self) -> Toolset:
        return self.tools

    def look(self, finding: Finding) -> asyncio.Task[tuple[Offer, ...]]:
        return self.offers.look(finding, self.offers.key(finding) or "")

    def open(self, path: str, text: str) -> Finding:
        self.documents.open(path, text, 1)
        return syntax.recovering_errors(path, text)[0]


@pytest_asyncio.fixture
async def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Project]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "project"
    root.mkdir()
    (root / "gateline.toml").write_text("[types]\nenabled = false\n")
    # With the packages of this environment each search would read what hundreds of modules declare.
    venv.create(root / ".venv", symlinks=True)
    session = Session(root, publish=lambda _: None, status=lambda _: None, options=SessionOptions())
    await session.start()
    tools = await session._when_ready()
    made = Project(root, tools)
    yield made
    await made.offers.stop()
    await session.stop()


async def test_a_repair_is_verified_before_it_is_offered(project: Project) -> None:
    finding = project.open("a.py", BROKEN)
    first, *_ = await project.look(finding)
    assert (first.proof, first.preferred, [e.text for e in first.edits]) == (Proof.V1, True, [":"])
    assert await project.offers.is_current(first)
    assert project.look(finding) is project.look(finding)


async def test_a_first_search_whose_time_went_into_starting_is_made_once_more(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Problem] = []

    async def late(problem: Problem, *_: object) -> DebugResult:
        asked.append(problem)
        return DebugResult(problem, success=False, late=True)

    with monkeypatch.context() as patch:
        patch.setattr(project.tools.repairing, "debug", late)
        assert await project.look(project.open("a.py", BROKEN)) == ()
        assert len(asked) == 2
        assert await project.look(project.open("b.py", BROKEN)) == ()
        assert len(asked) == 3  # by now all is warm


async def test_an_edit_ends_the_search_and_what_it_found(project: Project) -> None:
    finding = project.open("a.py", BROKEN)
    key, search = project.offers.key(finding), project.look(finding)
    first, *_ = await search
    project.documents.change("a.py", [(None, "\n" + BROKEN)], 2)
    assert project.offers.key(finding) != key
    assert not await project.offers.is_current(first)
    again = project.look(finding)
    await asyncio.sleep(0)
    project.documents.change("a.py", [(None, GOOD)], 3)
    assert (again is not search, await again) == (True, ())


async def test_a_file_that_was_written_meanwhile_is_another_text(project: Project) -> None:
    (project.root / "b.py").write_text(GOOD)
    first, *_ = await project.look(project.open("a.py", BROKEN))
    both = replace(first, digests=(*first.digests, ("b.py", digest_of(GOOD))))
    assert await project.offers.is_current(both)
    (project.root / "b.py").write_text(GOOD + "# More.\n")
    assert not await project.offers.is_current(both)


async def test_of_what_no_family_knows_nothing_is_offered(project: Project) -> None:
    finding = project.open("a.py", BROKEN)
    other = replace(finding, code="GTL110", origin="mypy: nobody-knows-this")
    assert project.offers.key(other)
    await project.offers.prepare()
    assert (project.offers.key(finding) is None, project.offers.key(other)) == (False, None)
    assert project.offers.key(replace(finding, path="closed.py")) is None


async def test_a_search_that_is_not_current_any_more_stops(project: Project) -> None:
    problem: Problem = problem_of(project.open("a.py", BROKEN))
    with pytest.raises(OutdatedError, match=r"^a\.py was edited"):
        await project.tools.repairing.debug(problem, {"a.py": BROKEN}, Effort(), lambda: False)


async def test_what_is_elsewhere_in_the_project_is_known(
    project: Project,
) -> None:
    (project.root / "shop.py").write_text("class Cart:\n    pass\n")
    (project.root / "a.py").write_text("x = Cart()\n")
    repairing = Repairing(project.tools.worktree.workspace, Types(None), project.tools.judging.engine)
    problem = Problem(
        problem_of(project.open("a.py", BROKEN)).origin, "NameError", "name 'Cart' is not defined"
    )
    problem = replace(problem, path="a.py", span=syntax.recovering_errors("a.py", "x = (")[0].span)
    await repairing.warm()  # the process has read what can be imported: no second of the search goes into it
    result = await repairing.debug(problem, {}, Effort(seconds=100.0))  # ends with its candidates
    assert not result.late
    assert any("from shop import Cart" in e.text for a in result.attempts for e in a.repair.edits)
    await repairing.stop()
