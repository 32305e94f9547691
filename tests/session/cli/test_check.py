"""`gateline check` and its kin on real repositories: verdicts, exit codes, and what is judged."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result
from type_project import Warm

from gateline.cli.commands import main
from support.repositories import Repository

CLEAN = '"""Adds."""\n\n\ndef add(a: int, b: int) -> int:\n    """The sum."""\n    return a + b\n'
SHELL = '\n\ndef run(name: str) -> None:\n    """Run it."""\n    import os\n\n    os.system("ls " + name)\n'
TYPED = '\n\ndef two() -> int:\n    """Two."""\n    return "2"\n'
BROKEN = "\n\ndef half(:\n"
TESTED = "from adds import add\n\n\ndef test_add():\n    assert add(1, 1) == 2\n"

SCHEMA = Path(__file__).parents[3] / "schemas/evaluation.json"


def _without_base(project: Repository, _: pytest.MonkeyPatch) -> str:
    project.git("remote", "add", "origin", "file:///nowhere")
    project.git("checkout", "--quiet", "--detach")
    project.git("branch", "--quiet", "-D", "main")
    return "there is no base"


def _without_git(project: Repository, monkeypatch: pytest.MonkeyPatch) -> str:
    program = project.folder.parent / "bin/git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'fatal: detected dubious ownership' >&2\nexit 128\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return "git cannot be used"


def _without_worker(_: Repository, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("gateline.session.judge.engine.WORKER", "gateline.no_such_worker")
    return "run it again, and see"


CAUSES = {
    "no base": _without_base,
    "git cannot be used": _without_git,
    "the worker ends": _without_worker,
}


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, arguments, prog_name="gateline")


def verdict(*arguments: str) -> dict[str, object]:
    said: dict[str, object] = json.loads(run("check", "--output", "json", *arguments).stdout)
    return said


@pytest.fixture
def project(repository: Repository, monkeypatch: pytest.MonkeyPatch, warm: Warm) -> Repository:
    """A committed module, and the current folder in its repository."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    warm(repository.folder)
    repository.commit("begin", **{"adds.py": CLEAN})
    monkeypatch.chdir(repository.folder)
    return repository


@pytest.mark.usefixtures("without_types")
class TestExitCodes:
    def test_nothing_changed_is_said_and_passes(self, project: Repository) -> None:
        result = run("check")
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == "Nothing changed against HEAD of the default branch main.\n"

    def test_what_was_looked_at_is_said_where_nothing_changed_in_it(self, project: Repository) -> None:
        project.write("more.py", CLEAN)
        told = "Nothing changed against HEAD of the default branch main"
        assert run("check", "--staged").stdout == f"{told} (only the index was looked at).\n"
        assert run("check", "adds.py").stdout == f"{told} (only adds.py was looked at).\n"
        assert run("diff", "adds.py").stdout == f"{told} (only adds.py was looked at).\n"

    def test_files_that_are_not_python_are_counted_and_named(self, project: Repository) -> None:
        project.write("data.json", "{}\n")
        project.write("logo.png", "\0")
        alone = run("check")
        assert alone.exit_code == 0
        assert "2 files changed, not Python: data.json (added), logo.png (binary)\n" in alone.stdout
        project.write("more.py", CLEAN.replace("add", "plus"))
        assert "3 files changed (2 not Python: data.json (added), logo.png (binary))\n" in run("check").stdout
        assert [row["path"] for row in verdict()["others"]] == ["data.json", "logo.png"]

    def test_a_secret_in_any_file_stops_a_change(self, project: Repository) -> None:
        project.write(".env", "TOKEN=ghp_" + "a1B2" * 9 + "\n")
        result = run("check")
        assert result.exit_code == 1
        assert ".env:1:" in result.stdout and "GTL310" in result.stdout

    def test_a_file_that_cannot_be_decoded_is_never_accepted(self, project: Repository) -> None:
        project.write("odd.py", b"x = '\xff'\n")
        result = run("check")
        assert result.exit_code == 1
        assert "odd.py:1:1 GTL101 the file cannot be decoded as utf-8: byte 0xff at 5" in result.stdout
        project.write("odd.py", b'# coding: latin-1\n"""Odd."""\n')
        assert run("check").exit_code == 0

    def test_an_old_file_that_cannot_be_decoded_is_old(self, project: Repository) -> None:
        project.write("odd.py", b"x = '\xff'\n")
        project.commit("odd")
        project.write("odd.py", b"y = '\xff'\n")
        findings = verdict()["findings"]
        assert [(f["code"], f["novelty"]) for f in findings] == [("GTL101", "old")]

    @pytest.mark.parametrize("text", [CLEAN.replace("\n", "\r\n"), f"# Why.\n{CLEAN}", f"{CLEAN}\n\n"])
    def test_what_python_does_not_see_costs_nothing(self, project: Repository, text: str) -> None:
        project.commit("bare", **{"bare.py": text.replace('"""Adds."""', "x = 1")})
        project.write("bare.py", CLEAN.replace('"""Adds."""', "x = 1"))
        said = verdict()
        assert said["findings"] == [] or {f["novelty"] for f in said["findings"]} == {"old"}
        parts = {part["dimension"]: part["state"] for part in said["score"]["parts"]}
        assert (parts["documentation"], parts["complexity"]) == ("nothing to judge", "nothing to judge")

    def test_a_good_change_passes(self, project: Repository) -> None:
        project.write("more.py", CLEAN.replace("add", "plus"))
        result = run("check")
        assert result.exit_code == 0
        assert "\naccept  score 100" in result.stdout

    def test_a_floor_fails_unless_zero_was_asked_for(self, project: Repository) -> None:
        project.write("adds.py", CLEAN + SHELL)
        failed, zero = run("check"), run("check", "--exit-zero")
        assert (failed.exit_code, zero.exit_code) == (1, 0)
        assert failed.stdout == zero.stdout
        assert "adds.py:13:5 GTL301" in failed.stdout
        assert "capped at 59: 1 broken floor" in failed.stdout
        assert "\x1b[" not in failed.stdout

    def test_text_that_does_not_parse_fails_fast_at_early(self, project: Repository) -> None:
        project.write("adds.py", CLEAN + BROKEN)
        result = run("check", "--level", "early")
        assert result.exit_code == 1
        assert "fast-fail" in result.stdout

    def test_a_floor_does_not_fail_early(self, project: Repository) -> None:
        project.write("adds.py", CLEAN + SHELL)
        assert run("check", "--level", "early").exit_code == 0

    def test_too_little_evidence_is_undecided(self, project: Repository) -> None:
        project.write("adds.py", CLEAN + TYPED)
        assert run("check", "--set", "gates.evidence=1").exit_code == 3

    @pytest.mark.parametrize("why", ["no base", "git cannot be used", "the worker ends"])
    def test_what_cannot_be_judged_is_undecided_in_every_format(
        self, project: Repository, monkeypatch: pytest.MonkeyPatch, why: str, tmp_path: Path
    ) -> None:
        project.write("adds.py", CLEAN + SHELL)
        told = CAUSES[why](project, monkeypatch)
        outputs = [
            f"{name}={tmp_path / name}"
            for name in ("sarif", "junit", "github", "concise", "markdown", "full")
        ]
        result = run("check", "--output", "json", *(part for one in outputs for part in ("--output", one)))
        assert result.exit_code == 3 and told in result.stderr
        said = json.loads(result.stdout)
        jsonschema.validate(said, json.loads(SCHEMA.read_text()))
        assert said["decision"]["outcome"] == "undecided" and told in said["decision"]["reasons"][0]
        assert (said["base"], said["score"]["value"], said["findings"]) == ("", None, [])
        assert told in said["decision"]["requiredActions"][0]["text"]
        (log,) = json.loads((tmp_path / "sarif").read_text())["runs"]
        (invocation,) = log["invocations"]
        assert not invocation["executionSuccessful"]
        assert invocation["toolExecutionNotifications"][0]["level"] == "error"
        assert told in invocation["toolExecutionNotifications"][0]["message"]["text"]
        junit = (tmp_path / "junit").read_text()
        assert 'errors="1"' in junit and "<error" in junit
        assert (tmp_path / "github").read_text().startswith("::warning title=gateline::undecided")
        for name in ("github", "concise", "markdown", "full"):
            text = (tmp_path / name).read_text()
            assert "undecided" in text and "Nothing changed" not in text and told[:20] in text

    def test_a_shallow_clone_of_the_default_branch_judges_edits_and_decides_nothing_of_the_rest(
        self, project: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.commit("more")
        project.git("clone", "--quiet", "--depth=1", project.folder.as_uri(), str(tmp_path / "clone"))
        monkeypatch.chdir(tmp_path / "clone")
        for arguments in ((), ("--staged",), ("adds.py",)):
            result = run("check", *arguments)
            assert (result.exit_code, result.stdout) == (3, "")
            assert "the clone is shallow" in result.stderr and "`git fetch --unshallow`" in result.stderr
        Repository(tmp_path / "clone").write("adds.py", CLEAN + SHELL)
        assert run("check").exit_code == 1
        Repository(tmp_path / "clone").git("fetch", "--quiet", "--unshallow")
        Repository(tmp_path / "clone").git("checkout", "--quiet", ".")
        assert run("check").exit_code == 0

    def test_a_mistake_in_the_settings_is_no_pass(self, project: Repository) -> None:
        project.write("gateline.toml", "[types]\nengin = 'mypy'\n")
        project.write("more.py", CLEAN)
        for arguments in ((), ("--exit-zero",)):
            result = run("check", *arguments)
            assert result.exit_code == 2
            assert "gateline.toml:2: unknown key `types.engin`; did you mean `engine`?" in result.stderr
            assert "accept" in result.stdout
        limits = json.loads(run("check", "--output", "json").stdout)["limits"]
        assert [one for one in limits if one.startswith("settings: ")] == [
            "settings: gateline.toml:2: unknown key `types.engin`; did you mean `engine`?"
        ]

    def test_settings_that_cannot_be_read_stop_it(self, project: Repository) -> None:
        project.write("gateline.toml", "[types\n")
        result = run("check")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "gateline.toml:1" in result.stderr

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("--base", "nosuch"), "base 'nosuch' names no commit here; see `git branch --all`"),
            (("nosuch.py",), "path 'nosuch.py' is not in"),
            (("../elsewhere.py",), "path '../elsewhere.py' is outside the workspace"),
            (("--output", "json=no/such/folder.json"), "json=no/such/folder.json: No such file or directory"),
        ],
    )
    def test_what_is_not_there_is_named(
        self, project: Repository, arguments: tuple[str, ...], told: str
    ) -> None:
        result = run("check", *arguments)
        assert result.exit_code == 2
        assert told in result.stderr
        assert "Traceback" not in result.output


@pytest.mark.usefixtures("without_types")
class TestWithoutGit:
    @pytest.fixture
    def folder(self, tmp_path: Path, quiet_git: None, monkeypatch: pytest.MonkeyPatch) -> Path:
        (tmp_path / "adds.py").write_text(CLEAN + SHELL)
        monkeypatch.chdir(tmp_path)
        return tmp_path

    def test_nothing_can_be_said_of_a_change(self, folder: Path) -> None:
        result = run("check")
        assert (result.exit_code, result.stdout) == (3, "")
        assert (
            "not in a git repository, so new findings cannot be distinguished from old ones; run `git init`"
            in result.stderr
        )

    @pytest.mark.parametrize("arguments", [("--staged",), ("--base", "main")])
    def test_what_needs_git_says_so(self, folder: Path, arguments: tuple[str, ...]) -> None:
        result = run("check", *arguments)
        assert result.exit_code == 2
        assert "not in a git repository" in result.stderr

    @pytest.mark.parametrize("arguments", [("--all",), ("adds.py",)])
    def test_files_can_still_be_judged(self, folder: Path, arguments: tuple[str, ...]) -> None:
        result = run("check", *arguments)
        assert result.exit_code == 1
        assert "GTL301" in result.stdout
        assert "against nothing: every file counts as new" in result.stdout


class TestWhatIsJudged:
    def test_the_index_exactly(self, project: Repository) -> None:
        project.write("adds.py", CLEAN + SHELL)
        project.git("add", "adds.py")
        project.write("adds.py", CLEAN + TYPED)
        project.write("untracked.py", SHELL)
        staged = run("check", "--staged", "--output", "concise")
        assert staged.exit_code == 1
        assert [line.split()[:2] for line in staged.stdout.splitlines()[:-2]] == [["adds.py:13:5:", "GTL301"]]

    def test_the_same_content_gives_the_same_bytes(self, project: Repository) -> None:
        project.write("adds.py", CLEAN + SHELL + TYPED)
        saved = run("check", "--output", "json").stdout
        project.git("add", "adds.py")
        project.write("adds.py", CLEAN)
        staged = run("check", "--output", "json", "--staged").stdout
        assert staged == saved == run("check", "--output", "json", "--staged").stdout
        assert "GTL110" in staged

    def test_a_commit_on_a_branch_is_still_the_change(self, project: Repository) -> None:
        project.git("switch", "--quiet", "--create", "feature")
        project.commit("mine", **{"adds.py": CLEAN + SHELL})
        assert run("check").exit_code == 1
        assert run("check", "--base", "HEAD").stdout == "Nothing changed against HEAD.\n"

    def test_paths_are_from_here(self, project: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        project.write("adds.py", CLEAN + SHELL)
        project.write("inner/good.py", CLEAN)
        assert run("check", "inner").exit_code == 0
        monkeypatch.chdir(project.folder / "inner")
        assert run("check", "good.py").exit_code == 0
        assert run("check", "../adds.py").exit_code == 1
        assert run("check").exit_code == 1, "without paths the whole change"

    def test_a_deleted_path_may_be_named(self, project: Repository) -> None:
        (project.folder / "adds.py").unlink()
        assert run("check", "adds.py").exit_code == 0

    def test_old_findings_do_not_count_but_all_does(self, project: Repository) -> None:
        project.commit("old", **{"adds.py": CLEAN + SHELL})
        project.write("adds.py", CLEAN + SHELL + "\n\nTWO = 2\n")
        assert "1 old finding not shown" in run("check").stdout
        assert run("check", "--all").exit_code == 1

    def test_what_went_away_is_credit(self, project: Repository) -> None:
        project.commit("old", **{"adds.py": CLEAN + SHELL})
        project.write("adds.py", CLEAN)
        assert "✓ fixed: adds.py GTL301" in run("check").stdout


@pytest.mark.usefixtures("without_types")
class TestOutput:
    def test_several_at_once(self, project: Repository) -> None:
        project.write("adds.py", CLEAN + SHELL)
        result = run("check", "--output", "concise", "--output", "json=a.json", "--output", "full=a.txt")
        assert result.stdout.endswith("require-iteration (score 59): 1 broken floor\n")
        said = json.loads((project.folder / "a.json").read_text())
        assert said["decision"]["outcome"] == "require-iteration"
        assert str(project.folder) not in (project.folder / "a.json").read_text()
        assert "\x1b[" not in (project.folder / "a.txt").read_text()

    @pytest.mark.parametrize(
        ("environment", "arguments", "coloured"),
        [
            ({"FORCE_COLOR": "1"}, (), True),
            ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False),
            ({"NO_COLOR": "1"}, ("--color", "always"), True),
            ({"FORCE_COLOR": "1"}, ("--output", "json"), False),
        ],
    )
    def test_colours(
        self, project: Repository, environment: dict[str, str], arguments: tuple[str, ...], coloured: bool
    ) -> None:
        project.write("more.py", "X = 1\n")
        assert ("\x1b[" in run("check", *arguments, **environment).stdout) is coloured


@pytest.mark.usefixtures("without_types")
class TestOthers:
    def test_diff(self, project: Repository) -> None:
        project.write("adds.py", CLEAN.replace("return a + b", "return a + b if b else a"))
        result = run("diff")
        assert result.exit_code == 0
        assert "adds.py:4 add  1 → 2" in result.stdout

    def test_explain(self, project: Repository) -> None:
        project.write("adds.py", CLEAN + SHELL)
        identity = str(verdict()["findings"][0]["identity"])  # type: ignore[index]
        result = run("explain", identity[:6].upper())
        assert result.exit_code == 0
        assert 'os.system("ls " + name)' in result.stdout
        assert "state:  new against HEAD of the default branch main" in result.stdout
        assert "weight: a floor" in result.stdout
        assert "inside: run" in result.stdout
        assert "points: fixing it wins " in result.stdout
        assert "# GTL301" in result.stdout

    def test_explain_tells_what_would_have_excused_a_lost_check(self, project: Repository) -> None:
        project.write("test_adds.py", TESTED)
        project.commit("tests")
        project.write("test_adds.py", TESTED.replace("== 2", "== 3"))
        found: list[dict[str, str]] = verdict()["findings"]  # type: ignore[assignment]
        result = run("explain", next(f["identity"] for f in found if f["code"] == "GTL605"))
        assert (
            "a test expects a different value; it would not be a finding if one of these explanations held:"
            in (result.stdout)
        )
        assert "- the number is expected with a smaller tolerance (sharper)" in result.stdout

    def test_explain_lists_what_is_excused(self, project: Repository) -> None:
        project.write("test_adds.py", TESTED)
        project.commit("tests")
        project.write("test_adds.py", TESTED.replace("== 2", "== sum([1, 1])"))
        result = run("explain", "--excused")
        assert result.exit_code == 0
        assert result.stdout == (
            "test_adds.py:5  `2` -> `sum([1, 1])`\n"
            "    a test expects a different value, but the same value is computed from the input by "
            "built-in functions (computed-by-python)\n"
            "1 excused; `gateline check` shows the findings that are not\n"
        )

    def test_explain_without_an_id(self, project: Repository) -> None:
        result = run("explain")
        assert result.exit_code == 2
        assert "give the ID of a finding, as `gateline check` shows it, or --excused" in result.stderr

    def test_explain_what_is_not_there(self, project: Repository) -> None:
        result = run("explain", "ffffffff")
        assert result.exit_code == 2
        assert "no finding of the change has an ID that begins with 'ffffffff'" in result.stderr

    def test_doctor(self, project: Repository) -> None:
        result = run("doctor")
        assert result.exit_code == 0
        assert str(project.folder) in result.stdout
        assert sys.executable in result.stdout
        assert "HEAD of the default branch main" in result.stdout
