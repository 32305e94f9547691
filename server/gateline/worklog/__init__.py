"""What follows from the recorded events of a task: tiers, summaries, deviations, retention, budgets."""
