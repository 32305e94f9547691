"""What the user wrote, as one model, and the policies derived from it."""

from gateline.settings.model import ContextSettings, Override, Settings, WorklogSettings

__all__ = ["ContextSettings", "Override", "Settings", "WorklogSettings"]
