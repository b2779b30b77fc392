"""Any other client: it gets our tools over MCP and a few lines in the rules it reads, and asks by itself."""
