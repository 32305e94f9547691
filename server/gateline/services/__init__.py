"""Long-lived child processes and their clients."""
