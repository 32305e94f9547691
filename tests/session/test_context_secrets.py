"""What is looked at for secrets is everything in which the analyzer finds one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.analyzers.secrets import without_secrets
from gateline.session.context_passages import is_suspect

CASES = Path(__file__).parents[1] / "cases"


def test_no_secret_of_the_cases_is_passed_over() -> None:
    files = [file for file in (CASES / "secrets").rglob("*") if file.is_file()]
    lines = {line for file in files for line in file.read_text().splitlines()}
    found = [line for line in sorted(lines) if without_secrets(line) != line]
    assert len(found) > 10
    assert [line for line in found if not is_suspect(line)] == []


_VALUES = st.text(alphabet="abcdefghijkXYZ0123456789+/=_-.:@ '\"", min_size=6, max_size=48)


@settings(deadline=None)
@given(_VALUES, st.sampled_from(["x = '{}'", 'name: "{}"', "{}", "url = {}", "export A={}"]))
def test_no_made_secret_is_passed_over(value: str, shape: str) -> None:
    line = shape.format(value)
    assert without_secrets(line) == line or is_suspect(line)


def test_what_detect_secrets_never_uses_is_not_imported() -> None:
    ask = (
        "import sys; from gateline.analyzers.secrets import without_secrets;"
        "print(without_secrets('token = \"AKIA2E0A8F3B244C9986\"'), 'requests' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["token", "=", '"…"', "False"]
