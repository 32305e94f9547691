"""The generated schema and page say what the model says."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

from gateline.settings.keys import dotted, leaves
from gateline.settings.load import SettingsFile, load

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "server"))

from gateline_dev import generate_settings  # noqa: E402


@pytest.mark.parametrize(
    "text",
    [
        "",
        'base = "main"\nexclude = ["a"]\n[types]\nengine = "both"\ntimeout = 1',
        '[[overrides]]\npaths = ["tests/**"]\nignore = ["GTL5"]',
        "nonsense = 1",
        '[types]\nengine = "none"',
        "[types]\ntimeout = 0",
        "max-file-size = 1.5",
        "max_file_size = 1",
        '[[overrides]]\npaths = ["a"]',
        '[[overrides]]\npaths = ["a"]\nignore = ["E5"]',
    ],
)
def test_the_schema_accepts_what_is_accepted(text: str) -> None:
    accepted = not load([SettingsFile("gateline.toml", text)]).problems
    validator = jsonschema.Draft7Validator(generate_settings.schema())
    assert validator.is_valid(tomllib.loads(text)) is accepted


def test_the_schema_is_draft_7_without_references() -> None:
    schema = generate_settings.schema()
    jsonschema.Draft7Validator.check_schema(schema)
    assert "$ref" not in str(schema)
    assert "$defs" not in schema


def test_every_key_is_described_on_the_page() -> None:
    page = generate_settings.page()
    rows = {line.split("|")[1].strip(): line for line in page.splitlines() if line.startswith("| `")}
    for key, _ in leaves():
        assert dotted(key[:-1]) in page
        assert key == ("overrides",) or f"`{key[-1]}`" in rows
    assert all(line.rstrip(" |").split("|")[-1].strip() for line in rows.values())


def test_the_example_of_the_page_is_valid() -> None:
    example = generate_settings.page().split("```toml\n")[1].split("```")[0]
    assert load([SettingsFile("pyproject.toml", example)]).problems == ()


def test_generated_files_are_fresh() -> None:
    for path, text in generate_settings.render().items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, f"{path} is stale: run `make generate`"
