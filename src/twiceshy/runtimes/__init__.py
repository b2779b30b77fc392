"""Clients that run agents: a folder each, translating between their words and ours."""

from __future__ import annotations

RUNTIMES = ("claude-code", "codex", "opencode", "pi", "gemini")


def package_name_of(runtime: str) -> str:
    """Return the package name of a runtime."""
    return runtime.replace("-", "_")
