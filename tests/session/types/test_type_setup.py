"""What is guessed of how mypy will be run is what it is asked for, where no settings say otherwise."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gateline.services.typecheck import TypeChecker
from gateline.services.types.resident import prewarm as foresight
from gateline.session.live.options import SessionOptions
from gateline.session.live.state import LiveState
from gateline.session.tests.consent import Answer, Consents
from gateline.session.tests.setup import test_command as command_of
from gateline.session.tools import judging_for
from gateline.session.toolset import Toolset
from gateline.session.types.setup import is_without_mypy, remember_without_mypy, type_setup
from gateline.session.workspace.interpreter import find_interpreter
from gateline.session.workspace.workspace import open_workspace
from gateline.store.folders import types_record


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize("own", [True, False], ids=["an environment of the project", "none"])
def test_the_guess_is_what_is_asked_for(tmp_path: Path, trusted: bool, own: bool) -> None:
    if own:
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        (tmp_path / ".venv" / "pyvenv.cfg").touch()
        (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    guessed = type_setup(tmp_path, find_interpreter(tmp_path, {}).of_packages, trusted=trusted)
    service = judging_for(open_workspace(tmp_path, {}), trusted=trusted).types.service
    assert isinstance(service, TypeChecker)
    assert guessed == service.options.setup
    assert guessed.trusted == trusted
    assert not guessed.plugins, "nobody agreed that code of the project runs"
    assert (Path(guessed.python).is_relative_to(tmp_path / ".venv")) is (trusted and own)


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize("answer", Answer)
def test_plugins_may_run_where_somebody_agreed(tmp_path: Path, trusted: bool, answer: Answer) -> None:
    (tmp_path / "mine").mkdir()
    workspace = open_workspace(tmp_path / "mine", {})
    command = command_of(workspace)
    Consents().remember(workspace.root, command, answer, datetime.now(UTC))
    agreed = Consents().allows(workspace.root, command)
    service = judging_for(workspace, trusted=trusted, agreed=agreed).types.service
    assert isinstance(service, TypeChecker)
    setup = service.options.setup
    assert setup.plugins == (trusted and answer is Answer.ALLOWED)
    assert type_setup(workspace.root, workspace.interpreter.of_packages, trusted=trusted) == setup
    assert ("gateline.tests.allow" in setup.refused) == (trusted and answer is Answer.NEVER)


def test_a_workspace_without_mypy_is_remembered_as_one(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    assert not is_without_mypy(root)
    for _ in range(2):
        remember_without_mypy(root)
        assert is_without_mypy(root)
    assert foresight.read(str(types_record(root))) is None


SETTINGS = {
    "mypy": ("", False),
    "both": ('[types]\nengine = "both"\n', False),
    "ty": ('[types]\nengine = "ty"\n', True),
    "off": ("[types]\nenabled = false\n", True),
}


@pytest.mark.parametrize(("settings", "without"), SETTINGS.values(), ids=SETTINGS)
async def test_settings_tell_whether_there_is_anything_to_build(
    tmp_path: Path, settings: str, without: bool
) -> None:
    (tmp_path / "gateline.toml").write_text(settings)
    options = SessionOptions()
    tools = await Toolset.of(tmp_path, options, LiveState(options, lambda _: None), None)
    await tools.stop()
    assert is_without_mypy(tmp_path) is without
