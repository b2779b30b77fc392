"""The clients that agents run in: each is a folder that translates its words into ours, and back."""

from __future__ import annotations

RUNTIMES = ("claude-code", "codex", "opencode", "pi", "gemini")


def folder_of(runtime: str) -> str:
    """Return the name of the package that knows a runtime."""
    return runtime.replace("-", "_")
