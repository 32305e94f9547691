"""GTL635 settings-edited: The settings that judge the change were edited."""

CODE = "GTL635"
