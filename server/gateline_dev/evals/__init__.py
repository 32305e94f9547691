"""What the suites of gateline's own evals call, and what they cost: `evals/*.eval.yaml`."""
