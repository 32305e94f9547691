"""A corpus of tasks with several faults each, and the options of the commands that work on one.

The corpus is a folder with `tasks.py`, its scorer, and `tasks.jsonl`. Beside it is `autodebug/`, the corpus
of single faults that the tasks are made of.
"""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path
from types import ModuleType

from gateline_dev.bench.environments import environment, requirements

_SCORER = "tasks.py"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that name a corpus."""
    add = parser.add_argument
    add("--corpus", type=Path, metavar="FOLDER", required=True)
    add("--split", type=Path, metavar="FOLDER", help="the single faults  [default: ../autodebug/visible]")
    add("--python", help="an interpreter that has what the packages' tests need")


def scorer_of(corpus: Path) -> ModuleType:
    """The corpus' own module that lays out tasks and judges them. Raises FileNotFoundError."""
    if not (corpus / _SCORER).is_file():
        raise FileNotFoundError(f"there is no {_SCORER} in {corpus}; name a corpus by --corpus")
    spec = importlib.util.spec_from_file_location("refinement_tasks", corpus / _SCORER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def split_of(chosen: argparse.Namespace) -> Path:
    """The folder of the single faults. Raises FileNotFoundError."""
    split: Path = chosen.split or _single_faults(chosen) / "visible"
    return split


def python_of(chosen: argparse.Namespace) -> str:
    """An interpreter for the packages' tests; its environment is made at the first time.

    Raises UnavailableError and FileNotFoundError.
    """
    if chosen.python:
        return str(chosen.python)
    needed = requirements(_single_faults(chosen) / "requirements-oracle.txt")
    return str(environment("autodebug", needed) / "bin" / "python")


def _single_faults(chosen: argparse.Namespace) -> Path:
    corpus: Path = chosen.corpus.resolve()
    folder = corpus.parent / "autodebug"
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no corpus of single faults beside {corpus}; name one by --corpus")
    return folder
