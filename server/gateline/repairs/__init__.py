"""From a reported error to a repair that is verified. Pure: texts, verdicts and the time are arguments."""
