"""The MCP server: notes for any MCP client, over stdio."""
