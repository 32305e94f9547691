"""What the user wrote, as one model, and the policies derived from it."""

from gateline.settings.model import Override, Settings

__all__ = ["Override", "Settings"]
