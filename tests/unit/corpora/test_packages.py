"""Corpora outside of the repository: one with another digest, and one that is absent, is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline_dev.corpora import packages
from gateline_dev.corpora.__main__ import main
from gateline_dev.corpora.packages import difference, measured, pin, pinned
from gateline_dev.corpora.reading import CorpusError


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "errors"
    (folder / "visible").mkdir(parents=True)
    (folder / "visible" / "some.jsonl").write_text('{"id": 1}\n{"id": 2}\n')
    (folder / "README.md").write_text("About it.\n")
    return folder


@pytest.fixture
def pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the command writes, in place of the repository's own."""
    monkeypatch.setattr(packages, "PINS", tmp_path / "packages.toml")
    return packages.PINS


def test_a_pinned_corpus_is_known_again(corpus: Path, pins: Path) -> None:
    made = pin(corpus, pins)
    assert (made.name, made.cases, made.files) == ("errors", 2, 2)
    assert pinned(pins) == {"errors": made}
    assert difference(corpus, pins) == ""


def test_what_tools_leave_in_a_corpus_is_none_of_it(corpus: Path) -> None:
    before = measured(corpus)
    (corpus / "visible" / "__pycache__").mkdir()
    (corpus / "visible" / "__pycache__" / "a.pyc").write_bytes(b"x")
    assert measured(corpus) == before


@pytest.mark.parametrize("how", ["edited", "renamed", "added"])
def test_another_corpus_has_another_digest(corpus: Path, pins: Path, how: str) -> None:
    before = pin(corpus, pins)
    file = corpus / "README.md"
    if how == "edited":
        file.write_text("About it!\n")
    elif how == "renamed":
        file.rename(corpus / "README.txt")
    else:
        (corpus / "more").write_text("")
    wrong = difference(corpus, pins)
    assert wrong.startswith("corpus errors has another digest than the pinned one: 2 cases in ")
    assert f"pinned: {before}" in wrong
    assert f"`python -m gateline_dev.corpora --pin {corpus}`" in wrong


def test_a_corpus_that_is_absent_is_told(tmp_path: Path, pins: Path) -> None:
    missing = tmp_path / "gone"
    told = f"corpus gone is absent: there is no folder {missing}; nothing was compared with its pinned digest"
    assert difference(missing, pins) == told
    missing.mkdir()
    assert "has no file" in difference(missing, pins)
    with pytest.raises(CorpusError, match="is absent"):
        pin(missing, pins)
    assert not pins.exists()


def test_one_that_was_never_pinned_is_told(corpus: Path, pins: Path) -> None:
    assert difference(corpus, pins) == (
        f"corpus errors is not pinned (pinned: none); `python -m gateline_dev.corpora --pin {corpus}` pins it"
    )


@pytest.mark.parametrize("text", ["[errors]\ncases = 2\n", "errors = 3\n", "[errors\n"])
def test_pins_that_cannot_be_read_are_named(pins: Path, text: str) -> None:
    pins.write_text(text)
    with pytest.raises(CorpusError, match=r"packages\.toml: expected cases, files and sha256"):
        pinned(pins)


def test_the_command_pins_and_verifies(corpus: Path, pins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--pin", str(corpus)]) == 0
    assert capsys.readouterr().out.startswith("pinned corpus errors: 2 cases in 2 files, sha256 ")
    assert main(["--verify", str(corpus)]) == 0
    assert "corpus errors is the pinned one" in capsys.readouterr().out
    (corpus / "README.md").write_text("Otherwise.\n")
    assert main(["--verify", str(corpus)]) == 1
    assert "another digest" in capsys.readouterr().out
    assert main(["--pin", str(corpus / "none")]) == 1
    assert "is absent" in capsys.readouterr().err


def test_the_corpora_of_the_repository_are_pinned() -> None:
    assert pinned(packages.PINS)["autodebug"].cases == 795
