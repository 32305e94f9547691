"""What tests execute and touch, noted while they run."""
