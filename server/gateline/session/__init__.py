"""All mutable state of a workspace: documents, base, scheduler, workers, report cache."""
