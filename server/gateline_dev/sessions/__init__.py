"""Random editor sessions: what is drawn at rest beside what a new server and the command line say."""
