"""The same content is answered from the cache, and anything that a verdict depends on makes it new."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import gateline.session.check
from gateline.cli.commands import main
from gateline.model import Level, State
from gateline.session.check_result import CheckResult
from gateline.session.judge.verdict_cache import answers
from gateline.session.judge.verdict_cache.answers import Asking, key_of
from gateline.session.judge.verdict_cache.environment import editable_elsewhere, state_of
from gateline.session.selection import Selection, Which
from gateline.store import verdict_file
from support.repositories import Repository

TEXT = '"""Adds."""\n\n\ndef add(a: int, b: int) -> int:\n    """The sum."""\n    return a + b\n'
QUICK = ("--level", "early", "--tests", "none", "--set", "types.enabled=false")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("check", *QUICK, *arguments), prog_name="gateline")


@pytest.fixture
def changed(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    repository.commit("begin", **{"adds.py": TEXT, "data/rows.csv": "1,2\n", ".gitignore": ".env\nbuild/\n"})
    repository.write("adds.py", TEXT.replace("a + b", "b + a"))
    monkeypatch.chdir(repository.folder)
    # The interpreter is the one that runs these tests, in which gateline itself is editable.
    monkeypatch.setattr(answers, "editable_elsewhere", lambda places, top: False)
    return repository


class TestTheSameContent:
    def test_is_answered_with_the_same_bytes_and_said_so(
        self, changed: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = run("--output", "json")
        monkeypatch.setattr(gateline.session.check, "check", None)
        again, shown = run("--output", "json"), run()
        assert (again.stdout, again.exit_code) == (first.stdout, first.exit_code)
        assert "judged before" not in first.stderr
        assert again.stderr.startswith("gateline: this content was judged before, at 20")
        assert again.stderr.endswith("; --no-cache judges it again\n")
        assert "score" in shown.stdout

    def test_is_judged_again_where_that_is_asked_for(self, changed: Repository) -> None:
        first, again = run("--output", "json"), run("--output", "json", "--no-cache")
        assert (again.stdout, again.stderr) == (first.stdout, "")

    def test_shows_the_lines_of_findings(self, changed: Repository) -> None:
        changed.write("adds.py", TEXT + "\n\neval('1')\n")
        assert run().stdout == run().stdout

    def test_that_another_process_damaged_is_judged_again(self, changed: Repository) -> None:
        first = run("--output", "json")
        for file in kept():
            file.write_bytes(b"damaged")
        again = run("--output", "json")
        assert again.stdout == first.stdout
        assert "judged before" not in again.stderr

    def test_that_changed_while_it_was_judged_is_not_kept(
        self, changed: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        check = gateline.session.check.check

        async def check_and_write(*arguments: object, **options: object) -> object:
            result = await check(*arguments, **options)  # type: ignore[arg-type]
            changed.write("adds.py", TEXT)
            return result

        monkeypatch.setattr(gateline.session.check, "check", check_and_write)
        run()
        assert not kept()

    @pytest.mark.parametrize("state", [State.FAILED, State.STALE])
    def test_of_which_something_failed_is_not_kept(
        self, changed: Repository, monkeypatch: pytest.MonkeyPatch, state: State
    ) -> None:
        check = gateline.session.check.check

        async def check_with_failure(*arguments: object, **options: object) -> object:
            result: CheckResult = await check(*arguments, **options)  # type: ignore[arg-type]
            parts = tuple(replace(part, state=state) for part in result.evaluation.score.parts)
            score = replace(result.evaluation.score, parts=parts)
            return replace(result, evaluation=replace(result.evaluation, score=score))

        monkeypatch.setattr(gateline.session.check, "check", check_with_failure)
        run()
        assert not kept()


Change = Callable[[Repository], object]
CHANGES: dict[str, Change] = {
    "a changed file": lambda shop: shop.write("adds.py", TEXT + "\n"),
    "a file of the base": lambda shop: shop.write("data/rows.csv", "1,3\n"),
    "a new file": lambda shop: shop.write("notes.txt", "new"),
    "a deleted file": lambda shop: (shop.folder / "data/rows.csv").unlink(),
    "an ignored file": lambda shop: shop.write(".env", "TOKEN=1"),
    "the index": lambda shop: shop.git("add", "adds.py"),
    "a commit": lambda shop: shop.commit("next"),
    "a branch": lambda shop: shop.git("branch", "develop"),
    "the permission to run": lambda shop: (shop.folder / "adds.py").chmod(0o755),
    "a link": lambda shop: (shop.folder / "adds.txt").symlink_to("adds.py"),
    "an unwatched file": lambda shop: (
        shop.git("update-index", "--assume-unchanged", "data/rows.csv"),
        shop.write("data/rows.csv", "1,4\n"),
    ),
}


class TestTheKey:
    @pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
    def test_follows(self, changed: Repository, change: Change) -> None:
        before = key_of(asking(changed))
        change(changed)
        assert key_of(asking(changed)) not in ("", before)

    def test_stays_with_the_content(self, changed: Repository) -> None:
        before = key_of(asking(changed))
        changed.write("adds.py", (changed.folder / "adds.py").read_bytes())
        changed.write("build/module.pyc", "by a tool")
        assert key_of(replace(asking(changed), environ={"SHLVL": "2", "TERM": "dumb"})) == before

    def test_follows_what_is_asked(self, changed: Repository) -> None:
        plain = asking(changed)
        others = (
            replace(plain, level=Level.EARLY),
            replace(plain, which=Which.ALL),
            replace(plain, selection=Selection(staged=True)),
            replace(plain, selection=Selection(paths=("adds.py",))),
            replace(plain, overrides={"gates.final-accept": "90"}),
            replace(plain, environ={"DATABASE_URL": "there"}),
            replace(plain, start=changed.folder / "data"),
        )
        assert len({key_of(one) for one in (plain, *others)}) == len(others) + 1

    def test_is_none_where_a_repository_lies_in_it(self, changed: Repository) -> None:
        (changed.folder / "inner").mkdir()
        Repository(changed.folder / "inner").git("init", "--quiet")
        assert key_of(asking(changed)) == ""

    def test_is_none_where_a_log_of_refs_decides(self, changed: Repository) -> None:
        assert key_of(replace(asking(changed), selection=Selection(base="main@{1}"))) == ""

    def test_is_none_without_git(self, tmp_path: Path) -> None:
        assert key_of(Asking(tmp_path, Selection(), Level.FINAL, None, {}, {})) == ""


class TestPackages:
    def test_another_version_is_another_state(self, tmp_path: Path) -> None:
        (tmp_path / "shop-1.dist-info").mkdir()
        before = state_of([str(tmp_path)], tmp_path / "top")
        assert state_of([str(tmp_path)], tmp_path / "top") == before
        (tmp_path / "shop-1.dist-info").rename(tmp_path / "shop-2.dist-info")
        assert state_of([str(tmp_path)], tmp_path / "top") != before

    def test_what_a_tool_leaves_beside_the_project_s_modules_is_no_other_state(self, tmp_path: Path) -> None:
        places = [str(tmp_path), str(tmp_path / ".venv/lib/site-packages")]
        Path(places[1]).mkdir(parents=True)
        (tmp_path / ".venv/pyvenv.cfg").write_text("")
        before = state_of(places, tmp_path)
        (tmp_path / ".coverage").write_text("")
        assert state_of(places, tmp_path) == before
        (tmp_path / ".venv/lib/site-packages/other.py").write_text("")
        assert state_of(places, tmp_path) != before

    def test_sources_outside_of_the_repository_are_not_followed(self, tmp_path: Path) -> None:
        site, inside, outside = (tmp_path / name for name in ("site", "top/src", "outside"))
        for folder in (site, inside, outside):
            folder.mkdir(parents=True)
        (site / "shop.pth").write_text(f"{inside}\nimport os\n")
        assert not editable_elsewhere([str(site)], tmp_path / "top")
        (site / "other.pth").write_text(f"{outside}\n")
        assert editable_elsewhere([str(site)], tmp_path / "top")

    def test_new_packages_of_the_project_make_a_new_verdict(
        self, changed: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        site = tmp_path / "site-packages"
        site.mkdir()
        monkeypatch.setattr(answers, "places_of", lambda python: (python, str(site)))
        run()
        (site / "other-1.dist-info").mkdir()
        assert "judged before" not in run().stderr
        assert "judged before" in run().stderr


class TestTheFile:
    def test_holds_values_alone(self, tmp_path: Path) -> None:
        file = tmp_path / "verdict"
        verdict_file.write(file, os.system)
        assert verdict_file.read(file) is None
        assert not file.exists()

    def test_the_oldest_are_dropped(self, tmp_path: Path) -> None:
        for number in range(45):
            verdict_file.write(tmp_path / str(number), (number,))
            os.utime(tmp_path / str(number), (number, number))
        verdict_file.write(tmp_path / "last", ("last",))
        assert len(list(tmp_path.iterdir())) == 40
        assert not (tmp_path / "0").exists()
        assert verdict_file.read(tmp_path / "last") == ("last",)


def test_the_command_starts_light() -> None:
    """A verdict that was made before waits for nothing that judges."""
    dear = "{'asyncio', 'pydantic', 'mypy', 'bandit', 'rich', 'pytest', 'gateline.session.check', 'pathspec'}"
    ask = f"import sys, gateline.cli.check, gateline.cli.output.full; print({dear} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def asking(repository: Repository) -> Asking:
    return Asking(repository.folder, Selection(), Level.FINAL, None, {}, {})


def kept() -> list[Path]:
    folder = Path(os.environ["XDG_CACHE_HOME"]) / "gateline" / "verdicts"
    return [file for file in folder.rglob("*") if file.is_file()]
