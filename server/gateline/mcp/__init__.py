"""The door for coding agents: tools and resources over the Model Context Protocol."""
