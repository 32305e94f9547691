"""Documented functions of well-known packages with permissive licences: what vectors are tuned on.

None of the projects on which weights are fitted or retrieval is tested is among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from gateline.context.chunking.cutting import cut, is_test
from gateline.context.embedding import text_of
from gateline.context.values import Kind
from gateline_dev.retrieval.queries import first_sentence
from gateline_dev.retrieval.wheels import fetched, modules

PACKAGES = (
    "astropy==8.0.2",
    "babel==2.18.0",
    "bokeh==3.9.2",
    "dask==2026.8.0",
    "huggingface-hub==2.4.0",
    "ipython==9.18.1",
    "langchain-core==1.8.2",
    "matplotlib==3.11.2",
    "mne==1.13.2",
    "mypy==2.4.1",
    "nltk==3.10.4",
    "pandas==3.1.1",
    "prefect==3.9.1",
    "qiskit==2.6.2",
    "scikit-image==0.26.0",
    "scikit-learn==1.9.1",
    "scipy==1.17.1",
    "sentry-sdk==2.75.0",
    "sqlalchemy==2.1.9",
    "statsmodels==0.15.0",
    "sympy==1.14.0",
    "twisted==26.10.0",
    "wagtail==8.0.1",
    "xarray==2026.9.0",
)
"""Under the Apache 2.0, BSD, MIT and PSF licences."""
MOST = 4_000
"""Functions of one package."""
_OTHERS = ("_vendor", "vendor", "third_party", "externals", "extern", "typeshed")
_LEAST_WORDS = 4


@dataclass(frozen=True)
class Documented:
    """A function: the first sentence of its docstring, and the text that is embedded for it."""

    group: str
    """Its package."""
    sentence: str
    text: str


def functions(most: int = MOST) -> list[Documented]:
    """At most so many of each package, always the same ones. Raises UnavailableError without an index."""
    chosen: list[Documented] = []
    for wheel in fetched(PACKAGES):
        found = dict.fromkeys(_functions(wheel))
        chosen += sorted(found, key=_lot)[:most]
    return chosen


def counts(chosen: list[Documented]) -> Counter[str]:
    """How many there are of each package."""
    return Counter(one.group for one in chosen)


def _lot(one: Documented) -> bytes:
    return sha256(f"{one.sentence}\0{one.text}".encode("utf-8", "surrogatepass")).digest()


def _functions(wheel: Path) -> Iterator[Documented]:
    group = wheel.name.partition("-")[0]
    for document in modules(wheel):
        if _is_own(document.path):
            for chunk in cut(document).chunks:
                if chunk.docstring and chunk.kind in (Kind.FUNCTION, Kind.METHOD):
                    sentence = first_sentence(chunk.docstring)
                    if sentence.isascii() and len(sentence.split()) >= _LEAST_WORDS:
                        yield Documented(group, sentence, text_of(document.path, chunk))


def _is_own(path: str) -> bool:
    folders = PurePosixPath(path).parts[:-1]
    return not is_test(path) and not any(part in _OTHERS for part in folders)
