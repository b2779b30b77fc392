"""Codex CLI: hooks of Claude Code's form, its own rollout files, and plugins that are trusted by hash."""
