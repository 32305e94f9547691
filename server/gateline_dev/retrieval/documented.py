"""Documented functions of well-known packages with permissive licences: what the table is tuned on.

None of the projects on which retrieval is tested is among them. pip fetches the wheels into the user's cache;
nothing of them is installed, run or kept in the repository.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from gateline.context.cutting import cut
from gateline.context.embedding import spelled
from gateline.context.values import Kind
from gateline.model import Document
from gateline_dev.bench.environments import CACHE, pip
from gateline_dev.retrieval.queries import first_sentence
from gateline_dev.retrieval.table import Pair, numbers

PACKAGES = (
    "aiohttp==3.14.5",
    "astropy==8.0.2",
    "bokeh==3.9.2",
    "celery==5.7.0",
    "dask==2026.8.0",
    "distributed==2026.8.0",
    "matplotlib==3.11.2",
    "nltk==3.10.4",
    "pandas==3.1.1",
    "scikit-learn==1.9.1",
    "scipy==1.17.1",
    "scrapy==2.19.0",
    "sphinx==9.0.4",
    "sqlalchemy==2.1.9",
    "statsmodels==0.15.0",
    "sympy==1.14.0",
    "tornado==6.6.1",
    "xarray==2026.9.0",
)
"""Apache 2.0, BSD, MIT and PSF licences."""
_MOST = 6_000
"""Functions of one package."""
_LARGEST = 1_000_000


def pairs(python: str, pieces: dict[str, int]) -> list[Pair]:
    """Sentences and signatures as numbers of pieces. Raises UnavailableError without an index."""
    folder = CACHE / "documented"
    folder.mkdir(parents=True, exist_ok=True)
    choice = ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), *PACKAGES]
    pip(python, "download", *choice)
    return [pair for wheel in sorted(folder.glob("*.whl")) for pair in islice(_pairs(wheel, pieces), _MOST)]


def _pairs(wheel: Path, pieces: dict[str, int]) -> Iterator[Pair]:
    for document in _documents(wheel):
        for chunk in cut(document).chunks:
            if chunk.docstring and chunk.kind in (Kind.FUNCTION, Kind.METHOD):
                sentence = first_sentence(chunk.docstring)
                if sentence.isascii() and len(sentence.split()) >= 4:
                    path = Path(document.path).with_suffix("")
                    text = spelled(f"{path} {chunk.name} {chunk.signature}")
                    yield Pair(wheel.name, numbers(sentence, pieces), numbers(text, pieces))


def _documents(wheel: Path) -> Iterator[Document]:
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            if member.filename.endswith(".py") and member.file_size <= _LARGEST:
                text = archive.read(member).decode("utf-8", "replace")
                if "/tests/" not in member.filename:
                    yield Document(member.filename, text)
