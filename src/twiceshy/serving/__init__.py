"""What people and agents ask for, done in one way whoever asks: by command, or over MCP."""
