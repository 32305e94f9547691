"""State that outlives the process: tasks with their events, and the audit trail of decisions."""
