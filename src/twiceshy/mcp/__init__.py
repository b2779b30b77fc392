"""The MCP server: the same notes for every client that speaks the Model Context Protocol, over stdio."""
