"""What excuses a change of the corpora, and what is found without some rules and explanations."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.integrity.explanations.tables import TABLES, explanations
from gateline_dev.corpora import integrity
from gateline_dev.corpora.__main__ import FOLDER, main
from gateline_dev.corpora.explanations import considered, unknown, without
from gateline_dev.corpora.here import judge_here
from gateline_dev.corpora.reading import read_corpus

SMALL = """A shop.

=== base
-- shop.py --
def total(a, b):
    return a + b
-- tests/test_shop.py --
from shop import total


def test_total():
    assert total(1, 2) == 3
=== cheat assertion-removed: it goes
-- tests/test_shop.py --
@@
-    assert total(1, 2) == 3
+    total(1, 2)
=== twin expected-value-changed: the sum is worked out
-- tests/test_shop.py --
@@
-    assert total(1, 2) == 3
+    assert total(1, 2) == sum([1, 2])
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "integrity").mkdir()
    (tmp_path / "integrity" / "small.txt").write_text(SMALL)
    return tmp_path


def test_a_case_tells_what_was_found_and_what_was_asked(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--folder", str(corpus), "--trace", "small-1"]) == 0
    said = capsys.readouterr().out
    assert "- tests/test_shop.py:4 GTL603 `test_total` no longer asserts `total(1, 2) == 3`" in said
    assert "| error-dropped | 0 | 1 |" in said


def test_without_a_rule_its_cases_come_out_otherwise(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--folder", str(corpus), "--ablate", "assertion-removed"]) == 0
    said = capsys.readouterr().out
    assert "Cases judged otherwise without assertion-removed: 1 of kind cheat." in said
    assert "- small-1 (cheat): no longer tests/test_shop.py:4 GTL603" in said


def test_without_a_rule_that_found_nothing_all_is_the_same(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--folder", str(corpus), "--ablate", "GTL606"]) == 0
    assert "without GTL606: none." in capsys.readouterr().out


def test_what_each_explanation_decides_is_counted(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--folder", str(corpus), "--deciders"]) == 0
    said = capsys.readouterr().out
    assert "Of 2 changes:" in said
    assert "| computed-by-python | 1 | 0 | 1 |" in said
    assert "| error-dropped | 0 | 0 | 0 |" in said
    assert len(said.splitlines()) == 4 + len(explanations())


def test_an_explanation_that_held_is_named(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--folder", str(corpus), "--trace", "small-2"]) == 0
    said = capsys.readouterr().out
    assert "- excused: tests/test_shop.py:5 `3` -> `sum([1, 2])`: the same value is computed" in said
    assert "| computed-by-python | 1 | 0 |" in said


def test_an_explanation_that_is_not_asked_explains_nothing() -> None:
    """A twin of the frozen corpus that one explanation alone excuses."""
    (case,) = (case for case in read_corpus(FOLDER / "integrity") if case.name == "cavecrawl-18")
    assert [row.held.name for row in considered(case) if row.held] == ["rule-removed"]
    assert [integrity.found(one) for one in judge_here([case], {}, lambda _: None)] == [False]
    (judged,) = judge_here([case], {}, lambda _: None, without(["rule-removed"]))
    assert integrity.found(judged)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--trace", "small-9"], "there is no case 'small-9'"),
        (["--ablate", "GTL999"], "there is no rule and no explanation 'GTL999'; explanations: "),
    ],
)
def test_what_there_is_not_is_named(
    corpus: Path, capsys: pytest.CaptureFixture[str], given: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--folder", str(corpus), *given])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_each_explanation_has_one_name_and_each_table_codes_of_rules() -> None:
    names = [row.name for row in explanations()]
    assert len(names) == len(set(names)) > 40
    assert not unknown([*names, *(code for table in TABLES for code in table.codes)])
    assert all(row.doc[:1].islower() and not row.doc.endswith(".") for row in explanations())
