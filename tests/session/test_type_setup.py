"""What is guessed of how mypy will be run is what it is asked for, where no settings say otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gateline.services.typecheck import TypeChecker
from gateline.session.interpreter import find_interpreter
from gateline.session.tools import judging_for
from gateline.session.type_setup import type_setup
from gateline.session.workspace import open_workspace


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize("own", [True, False], ids=["an environment of the project", "none"])
def test_the_guess_is_what_is_asked_for(tmp_path: Path, trusted: bool, own: bool) -> None:
    if own:
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        (tmp_path / ".venv" / "pyvenv.cfg").touch()
        (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    guessed = type_setup(tmp_path, find_interpreter(tmp_path, {}).path, trusted=trusted)
    service = judging_for(open_workspace(tmp_path, {}), trusted=trusted).types.service
    assert isinstance(service, TypeChecker)
    assert guessed == service.options.setup
    assert guessed.plugins == guessed.trusted == trusted
    assert (Path(guessed.python).is_relative_to(tmp_path / ".venv")) is (trusted and own)
