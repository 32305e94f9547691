"""Tasks of a workspace: begun, recorded, summarised and found again; savepoints and the audit trail."""
