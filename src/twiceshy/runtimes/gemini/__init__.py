"""Gemini CLI: an extension folder with hooks, and chats kept as patches."""
