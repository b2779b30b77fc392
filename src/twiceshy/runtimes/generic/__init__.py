"""Any other client: tools over MCP, and a few lines in its rules file."""
