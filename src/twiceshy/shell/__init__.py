"""The reader of command lines and tool calls. Pure."""
