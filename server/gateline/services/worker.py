"""The far side of the worker that runs pure analyzers on one document at a time."""
