"""Recording of the work in a session: tasks that begin by themselves, their events and savepoints."""
