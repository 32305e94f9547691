"""What functions answer: inputs are recorded from tests, and given to each candidate, in isolation."""
