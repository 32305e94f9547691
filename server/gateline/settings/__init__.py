"""What the user wrote, as one model, and the policies derived from it."""

from gateline.settings.model import Override, Settings, WorklogSettings

__all__ = ["Override", "Settings", "WorklogSettings"]
