"""Reports that others made: the same facts from each format, and clear words about broken ones."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.testing.reports.parse import parse
from gateline.testing.reports.report import Report, Reported, ReportError, mapped, usable

PROGRAM = """\
def f(n):
    if n > 1:
        return 1
    for x in range(n):
        print(x)
    return 2


def g():
    return 3


f(1)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The reports that coverage.py writes of one program, by format."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "pkg").mkdir()
    (folder / "pkg" / "program.py").write_text(PROGRAM)
    python = [sys.executable, "-m", "coverage"]
    subprocess.run(
        [*python, "run", "--branch", "pkg/program.py"], cwd=folder, check=True, capture_output=True
    )
    texts = {}
    for kind in ("xml", "lcov", "json"):
        subprocess.run([*python, kind, "-q", "-o", f"report.{kind}"], cwd=folder, check=True)
        texts[kind] = (folder / f"report.{kind}").read_text()
    return texts


@pytest.mark.parametrize("kind", ["xml", "lcov", "json"])
def test_all_formats_tell_the_same(made: dict[str, str], kind: str) -> None:
    report = parse(made[kind])
    (found,) = report.files.values()
    assert found.executed == {0, 1, 3, 4, 5, 8, 12}
    assert found.missed == {2, 9}
    assert (len(found.taken), [way.arc[0] for way in found.untaken]) == (3, [1])
    assert "line 2" in found.untaken[0].missing
    assert mapped(report, "/elsewhere", ["pkg/program.py", "other.py"]) == dict.fromkeys(
        report.files, "pkg/program.py"
    )


def test_only_changed_lines_are_told(made: dict[str, str]) -> None:
    (found,) = parse(made["json"]).files.values()
    covered = found.covered({1, 2, 9, 40})
    assert (covered.executed, covered.missed) == ({1}, {2, 9})
    assert (covered.measured, covered.covered) == (5, 2)


XML = """<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM 'http://cobertura.sourceforge.net/xml/coverage-04.dtd'>
<coverage timestamp="1700000000">
  <sources><source>/build/src</source></sources>
  <packages><package><classes>
    <class filename="a\\b.py"><lines>
      <line number="1" hits="2"/><line number="3" hits="0"/>
      <line number="4" hits="1" branch="true" condition-coverage="25% (1/4)" missing-branches="9,exit"/>
    </lines></class>
    <class filename="a/b.py"><lines><line number="3" hits="1"/></lines></class>
  </classes></package></packages>
</coverage>"""


def test_cobertura_of_other_tools() -> None:
    report = parse(XML)
    assert (report.made, report.sources) == (1700000000.0, ("/build/src",))
    found = report.files["a/b.py"]
    assert (found.executed, found.missed) == ({0, 2, 3}, frozenset())
    assert len(found.taken) == 1
    assert [way.arc for way in found.untaken] == [(3, 8), (3, -1), (3, 3)]


def test_lcov_of_other_tools() -> None:
    text = (
        "TN:\nSF:a\\b.py\nDA:1,1,abc\nDA:2,0\nBRDA:1,0,0,-\nBRDA:1,0,jump to a, b,3\nend_of_record\nDA:9,9\n"
    )
    found = parse(text).files["a/b.py"]
    assert (found.executed, found.missed) == ({0}, {1})
    assert ([way.missing for way in found.taken], [way.missing for way in found.untaken]) == (
        ["line 1 did not jump to a, b"],
        ["line 1 did not take branch 0"],
    )


BROKEN = [
    ("", "it begins with 'nothing'"),
    ("<html>", "coverage.xml is malformed"),
    ("<html/>", "begins with <html>"),
    ('<!DOCTYPE x [<!ENTITY a "b">]><coverage/>', "entities"),
    ('<coverage><class filename="a"><line number="x" hits="1"/></class></coverage>', "'x' where a number"),
    ("{", "not JSON"),
    ('{"files": [1]}', "not a coverage report"),
    ('{"files": {"a": {}}}', "KeyError 'executed_lines'"),
    ("SF:a\nDA:x,1\n", "line 2 of the lcov report is malformed: 'DA:x,1'"),
    ("TN:\n", "names no file"),
    ("mode: set\n", "it begins with 'mode: set'"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_what_is_broken_is_said(text: str, message: str) -> None:
    with pytest.raises(ReportError) as raised:
        parse(text)
    assert message in str(raised.value)


@given(
    st.one_of(
        st.text(), st.text().map("<{}>".format), st.text().map("SF:{}".format), st.text().map('{{"{}'.format)
    )
)
def test_any_text_is_a_report_or_an_error(text: str) -> None:
    try:
        assert isinstance(parse(text), Report)
    except ReportError as error:
        assert str(error)


MEANINGS = [
    ("pkg/a.py", (), "pkg/a.py"),
    ("/home/me/project/pkg/a.py", (), "pkg/a.py"),
    ("/ci/build/pkg/a.py", (), "pkg/a.py"),
    ("a.py", ("/home/me/project/pkg",), "pkg/a.py"),
    ("a.py", ("/ci/build/other",), "other/a.py"),
    ("a.py", (), None),
    ("/ci/build/unknown.py", (), None),
    ("deep/pkg/a.py", (), "pkg/a.py"),
]


@pytest.mark.parametrize(("path", "sources", "meant"), MEANINGS)
def test_paths_of_other_machines(path: str, sources: tuple[str, ...], meant: str | None) -> None:
    report = Report({path: Reported()}, None, sources)
    files = ["pkg/a.py", "other/a.py", "main.py"]
    assert mapped(report, "/home/me/project", files).get(path) == meant


def test_a_file_that_was_written_later_is_not_believed() -> None:
    assert usable(100.0, {"a.py": 99.0, "b.py": 100.0, "c.py": 100.5}) == {"a.py", "b.py"}


def test_the_time_of_a_report_is_known(made: dict[str, str]) -> None:
    now = parse(made["xml"]).made
    assert now is not None
    assert parse(made["json"]).made == pytest.approx(now, abs=60)
    assert json.loads(made["json"])["meta"]["timestamp"]
