"""A small folder, and its context as one process has it."""

from __future__ import annotations

from gateline.context.values import Answer, Question, Want
from gateline.session.context.retriever import Retrieval
from gateline.session.context.setup import retrieval_of
from support.repositories import Repository

SLUG = 'def slugify(title):\n    """Make an address of a title."""\n    return title.lower()\n'
SECRET = (
    'def connect():\n    """Open the vault."""\n    password = "hunter2-Tr0ub4dor"\n    return password\n'
)
BUDGET = 4000


def begun(repository: Repository) -> Repository:
    """With a module and a page in it."""
    repository.commit("begin", **{"pkg/text.py": SLUG, "README.md": "# Vault\n\nHow to open it.\n"})
    return repository


def opened(project: Repository) -> Retrieval:
    found = retrieval_of(project.folder, {})
    found.refresh()
    return found


def asked(found: Retrieval, words: str, want: Want = Want.CODE) -> Answer:
    return found.search(Question(words, want=want), BUDGET)


def paths(found: Retrieval, words: str) -> set[str]:
    return {passage.path for passage in asked(found, words, Want.ANY).passages}
