"""Gemini CLI: an extension folder with hooks, and chats that are kept as patches."""
