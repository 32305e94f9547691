"""Whose settings judge a change: those of the base, for whatever decides how a change is judged."""

from __future__ import annotations

import pytest

from gateline.model import Level, Progress
from gateline.session.errors import UsageError
from gateline.session.session import Session
from gateline.session.workspace import Workspace, open_workspace
from repositories import Repository

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
