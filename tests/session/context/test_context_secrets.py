"""What is looked at for secrets is everything in which the analyzer finds one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.security.hits import without_secrets
from gateline.security.suspects import suspects
from gateline.session.context.secrets import holding

CASES = Path(__file__).parents[2] / "cases"


def test_no_secret_of_the_cases_is_passed_over() -> None:
    files = [file for file in (CASES / "secrets").rglob("*") if file.is_file()]
    lines = {line for file in files for line in file.read_text().splitlines()}
    found = [line for line in sorted(lines) if without_secrets(line) != line]
    assert len(found) > 10
    assert [line for line in found if not suspects(line)] == []


_VALUES = st.text(alphabet="abcdefghijkXYZ0123456789+/=_-.:@ '\"", min_size=6, max_size=48)


@settings(deadline=None)
@given(_VALUES, st.sampled_from(["x = '{}'", 'name: "{}"', "{}", "url = {}", "export A={}"]))
def test_no_made_secret_is_passed_over(value: str, shape: str) -> None:
    line = shape.format(value)
    assert without_secrets(line) == line or suspects(line)


_BEGINNINGS = ("ghp_", "glpat-", "AKIA", "AKC", "APA", "sk_live_", "xoxb-1-", "eyJ", "")
_LETTERS = st.text(alphabet="abcdefXYZABCDEFklmnopqr", min_size=8, max_size=40)
_SHAPES = (
    "export TOKEN={}",
    "client_key = '{}'",
    '"db_pass": "{}"',
    "if '{}' == secret_word:",
    "https://me:{}@host/",
    "//r/:_authToken={}",
)


@settings(deadline=None)
@given(st.sampled_from(_BEGINNINGS), _LETTERS, st.sampled_from(_SHAPES))
def test_no_made_secret_without_a_digit_is_passed_over(beginning: str, rest: str, shape: str) -> None:
    line = shape.format(beginning + rest)
    assert without_secrets(line) == line or suspects(line)


_LINES = st.text(alphabet="aK\u0130\u03a3y'\":/@-= 0123456789abcdefpitoken", max_size=30)


@given(st.lists(_LINES, max_size=6))
def test_a_text_is_suspect_where_its_lines_are(lines: list[str]) -> None:
    assert suspects("\n".join(lines)) == {number for number, line in enumerate(lines) if suspects(line)}


def test_what_detect_secrets_never_uses_is_not_imported() -> None:
    ask = (
        "import sys; from gateline.security.hits import without_secrets;"
        "print(without_secrets('token = \"AKIA2E0A8F3B244C9986\"'), 'requests' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["token", "=", '"…"', "False"]


def test_lines_are_counted_whatever_ends_them() -> None:
    text = "a = 1\r\npassword = 'hunter2-Tr0ub4dor'\rb = 2\nkey = 'AKIA2E0A8F3B244C9986'\n"
    assert holding(text) == {1: "password = '…'", 3: "key = '…'"}
