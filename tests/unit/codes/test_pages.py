"""Each code has a page, and the page is true: its bad example has the code, its good one has not."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest
from findings_of_examples import FINDERS, Types, analysed

from gateline.gates.suppress import apply
from gateline.model import (
    Document,
    Inspection,
    Source,
)
from gateline.model.codes import CODES, page_url
from gateline.plugins import load
from gateline.services.child import Child
from gateline.services.types.messages import Answer, Plain, Setup
from gateline.services.types.report import reports_of

FOLDER = Path(__file__).parents[3] / "docs" / "codes"
SECTIONS = ["What it means", "Why", "Example", "How to fix it", "How to silence it", "Known false positives"]
_FENCE = r"```(?:python|toml|diff)\n(.*?)```\n"
_EXAMPLE = re.compile(rf"^Bad:\n\n{_FENCE}\nGood:\n\n{_FENCE}", re.MULTILINE | re.DOTALL)


def page(code: str) -> str:
    return (FOLDER / f"{code}.md").read_text(encoding="utf-8")


def examples(code: str) -> dict[str, str]:
    found = _EXAMPLE.search(page(code))
    assert found, f"{code}.md has no example of the usual form"
    return {"bad": found[1], "good": found[2]}


def test_there_is_one_page_for_each_code_and_none_else() -> None:
    assert sorted(file.name for file in FOLDER.iterdir()) == [f"{code}.md" for code in sorted(CODES)]


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_its_title_and_sections(code: str) -> None:
    text = page(code)
    assert text.startswith(f"# {code}: {CODES[code].name.replace('-', ' ')}\n")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == SECTIONS
    assert all(part.strip() for part in re.split(r"^## .+$", text, flags=re.MULTILINE)[1:])
    assert page_url(code).endswith(f"/docs/codes/{code}.md")


@pytest.mark.parametrize("code", CODES)
def test_a_page_names_no_code_that_is_not_there(code: str) -> None:
    assert set(re.findall(r"GTL\d{3}", page(code))) <= set(CODES)


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory) -> Types:
    """mypy's reports about the examples of its page, by `bad.py` and `good.py`."""
    root = tmp_path_factory.mktemp("types")
    (root / "cache").mkdir()
    texts = {f"{name}.py": text for name, text in examples("GTL110").items()}
    answer = asyncio.run(_asked(Plain(Setup(str(root), sys.executable, str(root / "cache")), texts)))
    return reports_of(answer)


async def _asked(request: Plain) -> Answer:
    child = Child("gateline.services.types.far_mypy")
    try:
        answer: Answer = await child.ask(request, 90)
    finally:
        await child.stop()
    return answer


@pytest.mark.parametrize("code", CODES)
def test_the_bad_example_has_the_code_and_the_good_one_has_not(code: str, types: Types) -> None:
    find = FINDERS.get(code, analysed)
    found = {name: {f.code for f in find(name, text, types)} for name, text in examples(code).items()}
    assert code in found["bad"]
    assert code not in found["good"]


@pytest.mark.parametrize("code", [code for code in CODES if f"ignore[{code}]" in page(code)])
def test_the_comment_that_the_page_gives_silences_the_code(code: str, types: Types) -> None:
    text = examples(code)["bad"]
    found = [f for f in FINDERS.get(code, analysed)("bad", text, types) if f.code == code]
    lines = text.splitlines()
    for number in {f.span.start.line for f in found}:
        lines[number] += f"  # gateline: ignore[{code}] known"
    assert apply(Source(Document("bad.py", "\n".join(lines))), found).kept == ()


def test_a_syntax_error_cannot_be_silenced() -> None:
    assert "Comments cannot silence it." in page("GTL101")
    source = Source(Document("bad.py", "x = (  # gateline: ignore[GTL101] known\n"))
    found = next(a for a in load().analyzers if a.name == "syntax").inspect(Inspection(source)).findings
    assert found and apply(source, found).kept == found
