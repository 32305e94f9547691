"""How checks are enforced: settings of tools, pipelines, scripts, and the exit status of commands."""
