"""Whose settings judge a change: those of the base, for whatever decides how a change is judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from type_project import Warm

from gateline.model import Level, Progress
from gateline.session.check import Selection, check
from gateline.session.errors import UsageError
from gateline.session.session import Session
from gateline.session.workspace.workspace import Workspace, open_workspace
from support.repositories import Repository

STRICT = """exclude = ["gen/"]
[gates]
final-accept = 90
[documentation]
enabled = true
[types]
enabled = false
"""
LAX = """exclude = ["src/"]
profile = "plain"
[gates]
final-accept = 70
final-conditional = 10
[documentation]
enabled = false
[types]
enabled = false
engine = "ty"
"""


def opened(repository: Repository, **environ: str) -> Workspace:
    return open_workspace(repository.folder, environ)


def judged(repository: Repository, **environ: str) -> Workspace:
    return opened(repository, **environ).in_force()


class TestWhoseSettings:
    def test_what_decides_is_the_bases_and_how_tools_run_is_of_now(self, repository: Repository) -> None:
        repository.commit(**{"gateline.toml": STRICT})
        repository.write("gateline.toml", LAX)
        loaded = judged(repository).loaded
        settings = loaded.settings
        assert (settings.gates.final_accept, settings.gates.final_conditional) == (90, 70)
        assert (settings.exclude, settings.profile) == (("gen/",), "standard")
        assert settings.documentation.enabled
        assert settings.types.engine == "ty"
        assert loaded.origins["gates.final-accept"] == "gateline.toml:3 of the base"
        assert loaded.origins["types.engine"] == "gateline.toml:10"

    def test_files_are_left_out_as_the_base_says(self, repository: Repository) -> None:
        repository.commit(**{"gateline.toml": STRICT, "src/a.py": "", "gen/b.py": ""})
        repository.write("gateline.toml", LAX)
        workspace = judged(repository)
        assert [path for path in ("src/a.py", "gen/b.py") if workspace.collector.is_ours(path)] == [
            "src/a.py"
        ]

    def test_settings_that_move_to_another_file_still_count(self, repository: Repository) -> None:
        repository.commit(**{"pyproject.toml": "[tool.gateline.gates]\nfinal-accept = 90\n"})
        repository.write("gateline.toml", LAX)
        assert judged(repository).loaded.settings.gates.final_accept == 90

    def test_settings_that_are_new_count_from_the_next_base_on(self, repository: Repository) -> None:
        repository.commit(**{"a.py": ""})
        repository.write("gateline.toml", LAX)
        assert judged(repository).loaded.settings.gates.final_accept == 85
        repository.commit("settings")
        assert judged(repository).loaded.settings.gates.final_accept == 70

    def test_the_environment_is_no_part_of_the_change(self, repository: Repository) -> None:
        repository.commit(**{"gateline.toml": STRICT})
        assert judged(repository, GATELINE_GATES__FINAL_ACCEPT="75").loaded.settings.gates.final_accept == 75

    @pytest.mark.parametrize("committed", [None, "[gates\n"])
    def test_without_settings_that_can_be_read_the_present_ones_judge(
        self, repository: Repository, committed: str | None
    ) -> None:
        if committed is not None:
            repository.commit(**{"gateline.toml": committed})
        repository.write("gateline.toml", LAX)
        assert judged(repository).loaded.settings.gates.final_accept == 70


class TestWhichBase:
    def test_no_change_chooses_what_it_is_measured_against(self, repository: Repository) -> None:
        main = repository.commit(**{"gateline.toml": STRICT})
        repository.git("switch", "--quiet", "--create", "work")
        repository.commit("cheat", **{"gateline.toml": f'base = "HEAD"\n{LAX}'})
        workspace = opened(repository)
        assert workspace.base().commit == main
        assert workspace.base("HEAD").commit != main

    def test_the_setting_of_the_default_branch_holds(self, repository: Repository) -> None:
        first = repository.commit(**{"a.py": ""})
        repository.git("tag", "v1")
        repository.commit(**{"gateline.toml": 'base = "v1"\n'})
        assert opened(repository).base().commit == first

    def test_a_base_that_is_no_commit_is_told(self, repository: Repository) -> None:
        repository.commit(**{"gateline.toml": 'base = "v9"\n'})
        with pytest.raises(UsageError, match="base 'v9' names no commit"):
            opened(repository).base()


async def test_a_session_judges_by_the_base_and_by_the_next_one_once_it_is_there(
    repository: Repository,
) -> None:
    repository.commit(**{"gateline.toml": STRICT, "a.py": ""})
    repository.write("gateline.toml", LAX)
    repository.write("b.py", '"""Nothing."""\n')
    session = Session(repository.folder, publish=lambda _: None, status=lambda _: None)
    await session.start()
    try:
        before = await session.evaluate(Level.FINAL, "change", Progress.SAID)
        assert before.thresholds is not None and before.thresholds.accept == 90
        repository.commit("settings")
        repository.write("c.py", '"""Nothing."""\n')
        after = await session.evaluate(Level.FINAL, "change", Progress.SAID)
        assert after.thresholds is not None and after.thresholds.accept == 70
    finally:
        await session.stop()


STRICT_TYPES = "[mypy]\nstrict = True\nmypy_path = $MYPY_CONFIG_FILE_DIR/stubs\n"
WRONG = '"""Two."""\n\n\ndef two() -> int:\n    """Two."""\n    return "2"\n'


class TestTypes:
    """mypy is as strict as in the base."""

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("mypy.ini", f"{STRICT_TYPES}[mypy-two]\nignore_errors = True\n"),
            ("mypy.ini", "[mypy]\nignore_errors = True\n"),
            ("setup.cfg", "[mypy]\n"),
        ],
    )
    def test_settings_that_look_for_less_are_not_read(
        self, repository: Repository, name: str, text: str
    ) -> None:
        repository.commit(**{name: STRICT_TYPES})
        repository.write(name, text)
        read = Path(judged(repository).types_settings)
        assert read.name == name
        assert read.read_text() == STRICT_TYPES.replace("$MYPY_CONFIG_FILE_DIR", str(repository.folder))

    @pytest.mark.parametrize(
        "text",
        [f"{STRICT_TYPES}warn_unreachable = True\n", f"{STRICT_TYPES}[mypy-tests.*]\nignore_errors = True\n"],
    )
    def test_settings_that_look_for_as_much_are(self, repository: Repository, text: str) -> None:
        repository.commit(**{"mypy.ini": STRICT_TYPES})
        repository.write("mypy.ini", text)
        assert judged(repository).types_settings == ""

    def test_where_the_base_has_none_mypy_has_none(self, repository: Repository) -> None:
        repository.commit(**{"a.py": ""})
        repository.write("pyproject.toml", "[tool.mypy]\nignore_errors = true\n")
        assert Path(judged(repository).types_settings).read_text() == "[mypy]\n"

    async def test_an_error_that_the_change_tells_mypy_to_ignore_is_found(
        self, repository: Repository, warm: Warm
    ) -> None:
        warm(repository.folder)
        repository.commit(**{"mypy.ini": "[mypy]\nstrict = True\n", "a.py": ""})
        repository.write("mypy.ini", "[mypy]\nstrict = True\nignore_errors = True\n")
        repository.write("two.py", WRONG)
        found = (await check(repository.folder, Selection(), Level.EARLY)).evaluation.findings
        assert {"GTL110", "GTL632"} <= {finding.code for finding in found}


async def test_the_command_line_judges_by_the_base(repository: Repository) -> None:
    repository.commit(**{"gateline.toml": STRICT, "a.py": '"""Nothing."""\n'})
    repository.write("gateline.toml", LAX)
    repository.write("src/b.py", "def b(x):\n    return x\n")
    evaluation = (await check(repository.folder, Selection(), Level.FINAL)).evaluation
    assert evaluation.thresholds is not None and evaluation.thresholds.accept == 90
    codes = {(finding.path, finding.code) for finding in evaluation.findings}
    assert ("src/b.py", "GTL501") in codes
    assert ("gateline.toml", "GTL631") in codes
