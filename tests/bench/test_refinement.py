"""What the measurement of refinement says of what it measured."""

from __future__ import annotations

from gateline_dev.refinement.__main__ import main, report


def row(*, solved: bool, harmed: bool = False, seconds: float = 10.0, rounds: int = 1) -> dict[str, object]:
    said = {"rounds": rounds, "processor": seconds / 2}
    return {"solved": solved, "harmed": harmed, "passing": 1.0, "seconds": seconds, "said": said}


def test_the_table_has_both_doors_and_the_factor() -> None:
    refined = [row(solved=True, rounds=3), row(solved=True, seconds=30.0), row(solved=False, harmed=True)]
    fixed = [row(solved=True), row(solved=False), row(solved=False)]
    told = report({"refine": refined, "fix": fixed})
    assert "| refine | 2/3 (66.7%) | 1 | 100.0% | 10 | 5 | 1.7 |" in told
    assert "| fix | 1/3 (33.3%) | 0 |" in told
    assert "2.0x (2 to 1)" in told


def test_a_baseline_that_solves_none_has_no_factor() -> None:
    assert "the baseline solves none" in report({"refine": [row(solved=True)], "fix": [row(solved=False)]})


def test_a_folder_without_tasks_is_told(tmp_path, capsys) -> None:
    assert main(["--corpus", str(tmp_path)]) == 0
    assert "there is no tasks.py" in capsys.readouterr().err
