"""What is around a change is looked for once, and again when files were written."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.model import Change, Document, FileChange
from gateline.session.workspace.dependents import Surroundings
from gateline.session.workspace.imports import Imports


class Files:
    """The part of a collector that is asked: every file of a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.max_size = 10_000
        self.looked = 0

    def project_files(self) -> list[str]:
        self.looked += 1
        return sorted(file.relative_to(self.root).as_posix() for file in self.root.rglob("*.py"))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    for name, text in {
        "cart.py": "total = 1\n",
        "till.py": "import cart\n",
        "tests/test_cart.py": "import cart\n",
        "tests/test_other.py": "",
        "tests/conftest.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return Files(tmp_path)


@pytest.fixture
def around(files: Files) -> Surroundings:
    return Surroundings(files, Imports(files.root, files.max_size))  # type: ignore[arg-type]


def change(*paths: str, text: str = "total = 2\n") -> Change:
    rows = (FileChange.between(Document(p, "total = 1\n"), Document(p, text)) for p in paths)
    return Change("base", "base", tuple(rows))


def test_importers_and_among_them_tests(around: Surroundings) -> None:
    assert [d.path for d in around.importers(change("cart.py"))] == ["tests/test_cart.py", "till.py"]
    assert list(around.tests(change("cart.py"))) == ["tests/test_cart.py"]


def test_fixtures_are_for_all_tests_below(around: Surroundings) -> None:
    found = around.tests(change("tests/conftest.py"))
    assert sorted(found) == ["tests/test_cart.py", "tests/test_other.py"]


def test_modules_of_which_tests_replace_a_part_are_around(around: Surroundings) -> None:
    text = 'patch("till.pay")\npatch("nothing.here")\n'
    found = around.tests(change("tests/test_cart.py", text=text))
    assert sorted(found) == ["till.py"]


def test_modules_from_which_a_part_is_replaced_by_its_name_are_around(around: Surroundings) -> None:
    text = 'from till import Till\nmonkeypatch.setattr(Till, "pay", None)\n'
    found = around.tests(change("tests/test_cart.py", text=text))
    assert sorted(found) == ["till.py"]
    assert around.tests(change("tests/test_cart.py", text="from till import Till\n")) == {}


def settings(before: str, after: str) -> Change:
    texts = (Document("pytest.ini", f"[pytest]\npython_files = {text}\n") for text in (before, after))
    return Change("base", "base", others=(FileChange.between(*texts),))


def test_files_that_a_pattern_took_in_before_are_around(files: Files, around: Surroundings) -> None:
    (files.root / "tests/check_till.py").write_text("")
    found = around.tests(settings("test_*.py check_*.py", "test_*.py"))
    assert sorted(found) == ["tests/check_till.py"]


def test_a_pattern_that_fits_everything_brings_no_project(around: Surroundings) -> None:
    assert around.tests(settings("*.py", "test_*.py")) == {}


def test_typing_looks_at_no_file_again(files: Files, around: Surroundings) -> None:
    for number in range(20):
        around.tests(change("cart.py", text=f"total = {number}\n"))
        around.importers(change("cart.py", text=f"total = {number}\n"))
    assert files.looked == 1


def test_files_that_were_written_are_seen(files: Files, around: Surroundings) -> None:
    around.tests(change("cart.py"))
    (files.root / "tests" / "test_new.py").write_text("import cart\n")
    around.files_changed()
    assert list(around.tests(change("cart.py"))) == ["tests/test_cart.py", "tests/test_new.py"]


def test_another_file_has_other_surroundings(around: Surroundings) -> None:
    around.tests(change("cart.py"))
    assert list(around.tests(change("till.py"))) == []


def test_nothing_changed_is_around_nothing(files: Files, around: Surroundings) -> None:
    assert (around.importers(change()), around.tests(change()), files.looked) == ([], {}, 0)
