"""Memory on labelled pairs of notes: its thresholds, its mistakes, its speed."""
