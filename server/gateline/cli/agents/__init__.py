"""Commands around coding agents: their hooks, the MCP server, what they are told, and consent."""
