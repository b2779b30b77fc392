"""Codex CLI: hooks in Claude Code's form, rollout files, plugins trusted by hash."""
