"""The verifier on texts with known verdicts."""
