"""How good context retrieval is: tasks from real projects, baselines, and the weights fitted on them."""
