"""A coverage that breaks when it is imported costs coverage, and no test."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import gateline_dev.faults
from gateline.services.tests.options import TestOptions
from gateline.services.tests.runner import TestRunner

HOOK = str(Path(gateline_dev.faults.__file__).with_name("hook"))


@pytest.mark.parametrize("fault", ["missing", "raise"])
async def test_tests_run_without_it(fault: str, tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_a():\n    assert True\n")
    rules = json.dumps([{"module": "coverage", "do": fault}])
    options = TestOptions(tmp_path, sys.executable, environment={"PYTHONPATH": HOOK, "PLANNED_FAULTS": rules})
    runner = TestRunner(options)
    try:
        run = await runner.run(None, {})
        assert not run.reason
        assert [result.ending.value for result in run.results] == ["passed"]
    finally:
        await runner.stop()
