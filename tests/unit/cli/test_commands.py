"""Commands that judge nothing: help, rules, settings, completion; and what every command must keep."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateline import __version__
from gateline.cli.commands import NAMES, main
from gateline.cli.options import parse_overrides
from gateline.model.codes import CODES

GATELINE = [sys.executable, "-m", "gateline"]


def run(*arguments: str, stdin: str = "", **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, arguments, input=stdin, prog_name="gateline")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestHelp:
    @pytest.mark.parametrize("command", [n for n in NAMES if n != "config"] + ["config show"])
    def test_every_command_teaches_by_example(self, command: str) -> None:
        text = run(*command.split(), "--help").output
        assert re.search(rf"Examples?:\n    .*gateline {command}", text), text

    def test_the_first_page_names_all_commands_and_exit_codes(self) -> None:
        text = run("--help").output
        assert all(re.search(rf"^  {name} +\S", text, re.MULTILINE) for name in NAMES)
        assert "3  undecided" in text
        assert "..." not in text.replace("[ARGS]...", ""), "a summary was cut"

    def test_version(self) -> None:
        assert run("--version").output == f"gateline, version {__version__}\n"


class TestMistakes:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            ("chek", "No such command 'chek'. Did you mean 'check'?"),
            ("xyzzy", "No such command 'xyzzy'."),
            ("check --outptu json", "No such option '--outptu'. Did you mean '--output'?"),
            ("check --output jsn", "--output 'jsn' is not a format; choose one of full, concise, json"),
            ("check --output json=", "has no file"),
            ("check --output json --output github", "only one format can go to standard output"),
            ("check --level late", "'late' is not one of 'early', 'middle', 'final'"),
            ("check --staged --all", "--staged and --all are mutually exclusive"),
            ("check --set types.engine", "--set 'types.engine' is not KEY=VALUE"),
            ("check --set typos.engine=ty", "unknown key `typos`; did you mean `types`?"),
            ("check --set types.engine=mypi", "did you mean `mypy`?"),
            ("explain ab", "'ab' is too short"),
            ("rule GTL30", "there is no code 'GTL30'; did you mean GTL301?"),
            ("rule zzzzzz", "there is no code 'zzzzzz'; `gateline rule` lists all"),
            ("completion tcsh", "'tcsh' is not one of"),
        ],
    )
    def test_what_was_typed_wrong_ends_with_2_and_the_next_step(
        self, project: Path, arguments: str, told: str
    ) -> None:
        result = run(*arguments.split())
        assert result.exit_code == 2
        assert told in result.stderr
        assert result.stdout == ""

    def test_pairs(self) -> None:
        assert parse_overrides((" a.b = c=d ",)) == {"a.b": "c=d"}


class TestRule:
    @pytest.mark.parametrize("code", CODES)
    def test_every_code_has_a_page(self, code: str) -> None:
        text = run("rule", code.lower()).output
        assert text.startswith(f"# {code}")
        assert "not installed" not in text

    def test_a_name_will_do(self) -> None:
        assert run("rule", "complex-function").output == run("rule", "GTL401").output

    def test_the_list(self) -> None:
        assert [line.split()[0] for line in run("rule").output.splitlines()] == list(CODES)

    def test_on_a_terminal_it_is_drawn(self) -> None:
        text = run("rule", "GTL101", "--color", "always").output
        assert "\x1b[" in text
        assert not re.search("^# ", text, re.MULTILINE)


class TestConfig:
    def test_what_is_shown_is_toml(self, project: Path) -> None:
        (project / "gateline.toml").write_text(
            'exclude = ["gen/"]\n[[overrides]]\npaths = ["tests/"]\nignore = ["GTL5"]\n'
        )
        shown = run("config", "show", "--origin")
        assert shown.exit_code == 0
        settings = tomllib.loads(shown.output)
        assert settings["exclude"] == ["gen/"]
        assert settings["overrides"] == [{"paths": ["tests/"], "ignore": ["GTL5"]}]
        assert 'exclude = ["gen/"]  # gateline.toml:1\n' in shown.output
        assert re.search(r"^types\.engine = .*# default$", shown.output, re.MULTILINE)

    def test_later_sources_win(self, project: Path) -> None:
        (project / "gateline.toml").write_text("[gates]\nfinal-accept = 90\n")
        arguments = ("config", "show", "--origin", "--set", "gates.middle-score=50")
        text = run(*arguments, GATELINE_GATES__FINAL_ACCEPT="95").output
        assert "gates.final-accept = 95.0  # GATELINE_GATES__FINAL_ACCEPT in the environment" in text
        assert "gates.middle-score = 50.0  # command line" in text

    def test_a_mistake_is_told_at_its_place(self, project: Path) -> None:
        (project / "gateline.toml").write_text("[gates]\nfinal-acept = 90\n")
        shown = run("config", "show")
        assert shown.exit_code == 2
        assert (
            "gateline.toml:2: unknown key `gates.final-acept`; did you mean `final-accept`?" in shown.stderr
        )
        assert "gates.final-accept = 85.0" in shown.stdout


class TestInit:
    def test_it_shows_asks_and_writes(self, project: Path) -> None:
        file = project / "pyproject.toml"
        file.write_text('[project]\nname = "x"')
        done = run("init", stdin="y\n")
        assert done.exit_code == 0
        assert "[tool.gateline]" in done.output
        tables = tomllib.loads(file.read_text())
        assert tables["project"] == {"name": "x"}
        assert tables["tool"]["gateline"]["gates"]["final-accept"] == 85
        assert run("config", "show").exit_code == 0

    @pytest.mark.parametrize("answer", ["n\n", ""])
    def test_without_a_yes_nothing_is_written(self, project: Path, answer: str) -> None:
        file = project / "pyproject.toml"
        file.write_text("")
        done = run("init", stdin=answer)
        assert (done.exit_code, file.read_text()) == (0, "")
        assert "nothing was written" in done.output

    def test_without_pyproject_it_is_a_file_of_its_own(self, project: Path) -> None:
        assert run("init", "--yes").exit_code == 0
        assert tomllib.loads((project / "gateline.toml").read_text())["gates"]["final-accept"] == 85
        assert run("config", "show").exit_code == 0

    def test_from_a_folder_inside_it_finds_the_project(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (project / "pyproject.toml").write_text("[project]\n")
        (project / "src").mkdir()
        monkeypatch.chdir(project / "src")
        assert run("init", "--yes").exit_code == 0
        assert "[tool.gateline]" in (project / "pyproject.toml").read_text()

    def test_line_ends_stay(self, project: Path) -> None:
        file = project / "pyproject.toml"
        file.write_bytes(b"[project]\r\nname = 'x'\r\n")
        run("init", "--yes")
        assert b"\n" not in file.read_bytes().replace(b"\r\n", b"")

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (b"[tool.gateline]\n", "already has settings of gateline"),
            (b"[tool.gateline.gates]\n", "already has settings of gateline"),
            (b"[project\n", "cannot be read"),
            (b"\xff", "cannot be read"),
        ],
    )
    def test_what_is_there_is_not_spoiled(self, project: Path, text: bytes, told: str) -> None:
        file = project / "pyproject.toml"
        file.write_bytes(text)
        done = run("init", "--yes")
        assert (done.exit_code, file.read_bytes()) == (2, text)
        assert told in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    assert "_GATELINE_COMPLETE" in run("completion", shell).output


def test_completion_knows_commands() -> None:
    asked = {
        **os.environ,
        "_GATELINE_COMPLETE": "bash_complete",
        "COMP_WORDS": "gateline ch",
        "COMP_CWORD": "1",
    }
    code = "from gateline.cli.commands import main; main(prog_name='gateline')"
    done = subprocess.run(
        [sys.executable, "-c", code], env=asked, capture_output=True, text=True, check=False
    )
    assert done.stdout == "plain,check\n"


def test_a_reader_that_goes_away_is_no_mistake() -> None:
    with subprocess.Popen([*GATELINE, "rule"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_the_server_does_without_the_command_line() -> None:
    """An editor waits: importing click, rich and pydantic would double the time until it is answered."""
    command = [sys.executable, "-X", "importtime", "-m", "gateline", "server", "--stdio"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "pygls" in loaded
    assert not loaded & {"click", "rich", "pydantic"}
    assert done.stdout == ""
