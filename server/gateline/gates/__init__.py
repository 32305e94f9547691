"""What follows from reports: novelty, score, floors, decision, trajectory. Pure."""
