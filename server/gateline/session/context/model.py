"""The model of the semantic tier that the settings mean, found to be of use. Nothing large is read for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gateline.services.embedding.choice import engine_to_be
from gateline.services.embedding.weights import MissingModelError, Weights, check, find_weights
from gateline.session.workspace.untrusted_interpreter import is_inside
from gateline.settings import ContextSettings
from gateline.store.folders import user_cache


class DistrustedModelError(MissingModelError):
    """The weights lie in a workspace that is not trusted."""


def models_folder() -> Path:
    """Where models are kept that were made of weights: for all workspaces."""
    return user_cache() / "models"


def usable_weights(
    settings: ContextSettings, root: Path, environ: Mapping[str, str], folder: Path, *, trusted: bool
) -> Weights:
    """Whole weights, and something that runs them. `folder` is where models are kept that are made of them.

    What lies in a workspace that is not trusted is not even read. Blocks. Raises MissingModelError, which is
    a DistrustedModelError or SpoiltModelError where there are weights.
    """
    found = find_weights(settings.model, root, environ)
    if not trusted and is_inside(found.folder, root):
        raise DistrustedModelError(
            f"{found.folder} is not used: it is in the workspace, which is not trusted"
        )
    engine_to_be(found, folder)
    check(found)
    return found
